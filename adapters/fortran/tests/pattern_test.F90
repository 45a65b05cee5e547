! SPDX-License-Identifier: BSD-3-Clause
!> An option of a struct in C++ is an optional argument in Fortran by being listed in `fields`, and
!> arrives; and what the table of a procedure says of others.
module pattern
  use, intrinsic :: iso_c_binding
  use daptor
  implicit none
  private
  public :: make_pattern

  interface
#include "pattern.inc"
  end interface

contains

  subroutine make_pattern(text, PATTERN_ARGUMENTS, stat, errmsg)
    character(*), intent(out) :: text
    DECLARE_PATTERN
    integer, intent(in) :: width
    ENDING

    text = ''
    call daptor_conclude(c_pattern(GIVEN_PATTERN, width, text), stat, errmsg)
  end subroutine make_pattern

end module pattern

program pattern_test
  use, intrinsic :: iso_c_binding
  use daptor
  use pattern
  use checking
  implicit none
  character(100) :: text
  character(errmsg_length) :: errmsg
  integer :: stat

  call start_checks()
  call make_pattern(text, width=5)
  call check(text == '0 1 1 8 1 none 0 -1 7 5', 'nothing given: ' // text)
  call make_pattern(text, width=6, flat=.true., no_sync=.true., repeats=-3, &
                    bytes=10000000000_c_int64_t, scale=0.5d0, title='a {} %s  ', raku=.true., &
                    number=4)
  call check(text == '1 0 -3 10000000000 0.5 a {} %s 2 3 7 6', 'all given: ' // text)
  call make_pattern(text, -2, 5, .false., .false., .true.)
  call check(text == '1 1 1 8 1 none 0 -2 7 5', 'the table''s order, then that of fields: ' // text)
  call make_pattern(text, number=0, width=1, stat=stat, errmsg=errmsg)
  call check_stat(stat, daptor_invalid_argument, errmsg, 'number', 'a step that there cannot be')
  call end_checks()
end program pattern_test
