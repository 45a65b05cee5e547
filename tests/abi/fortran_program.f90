! SPDX-License-Identifier: BSD-3-Clause
!> Two components in Fortran hand a distributed array to each other; neither links to Daptor.
program fortran_program
  use, intrinsic :: iso_c_binding
  use mpi
  use daptor_abi
  use fortran_sections
  implicit none

  integer, parameter :: nx = 3, ny = 7
  type(daptor_array) :: offered, mine
  real(c_double) :: total, all_total
  type(c_ptr) :: first
  integer :: rank, ranks, failures, all_failures, ierr

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  failures = 0

  call check(fortran_make_grid(rank, ranks, nx, ny, offered) == 0, 'the array was not described')
  call daptor_move(offered, mine)
  call check(.not. c_associated(offered%release), 'the struct still holds what was moved')
  call check(fortran_double_and_sum(mine, 0, total, first) == 0, 'the section was not reached')
  call daptor_release(mine)
  call check(live == 0, 'the section was not released once')
  call MPI_Allreduce(total, all_total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  call check(nint(all_total) == nx * ny * (nx * ny - 1), 'the sum over all ranks is wrong')

  call MPI_Allreduce(failures, all_failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (rank == 0 .and. all_failures == 0) print '(i0, a, i0)', ranks, ' ranks: sum ', nint(all_total)
  call MPI_Finalize(ierr)
  if (all_failures > 0) stop 1

contains

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what

    if (holds) return
    failures = failures + 1
    print '(a, i0, 2a)', 'rank ', rank, ': ', what
  end subroutine check

end program fortran_program
