! SPDX-License-Identifier: BSD-3-Clause
! A program in Fortran numbers the elements of its Global Array by a C++ function on described arrays.
program from_fortran
  use, intrinsic :: iso_c_binding
  use mpi
  implicit none
#include <mafdecls.fh>
#include <global.fh>
  interface
    ! 0, or 1 after an error, which has been printed.
    integer(c_int) function number_rows(handle, rows, columns) bind(C)
      import :: c_int, c_int64_t
      integer(c_int), value :: handle
      integer(c_int64_t), intent(out) :: rows, columns
    end function number_rows
  end interface

  integer, parameter :: ga_int = c_long  ! GA's integers
  integer :: ierr, i, j
  integer(ga_int) :: handle, shape(2), chunk(2), lo(2), hi(2), ld(1)
  integer(c_int64_t) :: rows, columns
  double precision :: found(4, 30)
  logical :: right

  call mpi_init(ierr)
  call ga_initialize()
  shape = [4, 30]
  chunk = [4, -1]
  right = logical(nga_create(int(mt_dbl, ga_int), 2_ga_int, shape, 'array', chunk, handle))
  right = right .and. number_rows(int(handle, c_int), rows, columns) == 0
  ! Daptor counts dimensions from the slowest one in memory: a(4, 30) is 30 rows of 4.
  right = right .and. rows == 30 .and. columns == 4
  lo = 1
  hi = shape
  ld = 4
  call nga_get(handle, lo, hi, found, ld)
  do j = 1, 30
    do i = 1, 4
      right = right .and. found(i, j) == j
    end do
  end do
  call ga_sync()
  right = logical(ga_destroy(handle)) .and. right
  ! The number is no array any more, which is an error and not the end of the job.
  right = number_rows(int(handle, c_int), rows, columns) == 1 .and. right
  call ga_terminate()
  call mpi_finalize(ierr)
  if (.not. right) error stop 'not as expected'
end program from_fortran
