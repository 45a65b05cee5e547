! SPDX-License-Identifier: BSD-3-Clause
!> A code that has a field of 5 x 12 numbers, in blocks of columns, and knows nothing of Daptor but
!> the file daptor_abi.f90, of which it has a copy. `daptor check --labels ./libfield.so:field`
!> checks it.
module field_of_mine
  use, intrinsic :: iso_c_binding
  use mpi
  use daptor_abi
  implicit none
  private
  public :: field
  real(c_double), allocatable, target, save :: u(:, :)
contains
  ! begin: what shares it
  function field(comm, array) bind(c) result(stat)
    integer(c_int32_t), value :: comm
    type(daptor_array), intent(inout) :: array
    integer(c_int32_t) :: stat
    integer(c_int64_t) :: first, last
    integer :: i, j, rank, ranks, ierr
    call MPI_Comm_rank(comm, rank, ierr)
    call MPI_Comm_size(comm, ranks, ierr)
    first = 12 * rank / ranks
    last = 12 * (rank + 1) / ranks
    if (.not. allocated(u)) &
      u = reshape([((real(12 * i + j, c_double), i = 0, 4), j = int(first), int(last) - 1)], &
                  [5, int(last - first)])
    call daptor_describe(u, 'd', [daptor_undistributed(5_c_int64_t), &
      daptor_block(12_c_int64_t, int(ranks, c_int64_t), int(rank, c_int64_t), first, last)], array, stat)
  end function field
  ! end
end module field_of_mine
