! SPDX-License-Identifier: BSD-3-Clause
!> What the tests in Fortran share: checks that are counted, an end that all ranks agree on.
module checking
  use mpi_f08
  implicit none
  private
  public :: start_checks, end_checks, check, check_stat, same_everywhere
  !> Long enough for every message that the tests provoke.
  integer, parameter, public :: errmsg_length = 1000
  integer, public :: my_rank = 0, ranks = 1
  integer :: failures = 0

contains

  subroutine start_checks()
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, my_rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  end subroutine start_checks

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what

    if (holds) return
    failures = failures + 1
    print '(a, i0, 2a)', 'rank ', my_rank, ': ', what
  end subroutine check

  !> A call must have ended with `expected`, with a message that names `rule` and is the same on all
  !> ranks. Collective.
  subroutine check_stat(stat, expected, errmsg, rule, what)
    integer, intent(in) :: stat, expected
    character(*), intent(in) :: errmsg, rule, what

    call check(stat == expected, what // ': another stat')
    call check(index(errmsg, rule) > 0, what // ': the message is ' // trim(errmsg))
    call check(index(errmsg, '::') == 0 .and. index(errmsg, 'Options') == 0 .and. &
               index(errmsg, 'import_vec(') == 0 .and. index(errmsg, 'copy_to_') == 0 .and. &
               index(errmsg, '=True') == 0 .and. index(errmsg, 'daptor.') == 0, &
               what // ': words of another language: ' // trim(errmsg))
    call check(same_everywhere(errmsg), what // ': the ranks have other messages: ' // trim(errmsg))
  end subroutine check_stat

  !> Collective: this text is that of rank 0.
  function same_everywhere(text) result(same)
    character(*), intent(in) :: text
    logical :: same
    integer, parameter :: most = 2000
    character(most) :: first

    first = text
    call MPI_Bcast(first, most, MPI_CHARACTER, 0, MPI_COMM_WORLD)
    same = first == text
  end function same_everywhere

  !> Collective. Ends MPI and, where a check failed on any rank, the program with an error.
  subroutine end_checks()
    integer :: total

    call MPI_Allreduce(failures, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call MPI_Finalize()
    if (total > 0) stop 1
  end subroutine end_checks

end module checking
