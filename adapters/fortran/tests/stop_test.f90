! SPDX-License-Identifier: BSD-3-Clause
!> Without stat the job ends with the message. Run as a test that must fail, saying it.
program stop_test
  use mpi_f08
  use daptor
  implicit none

  type(daptor_layout) :: layout
  type(daptor_array) :: a
  real, target :: u(3, 3)
  integer :: rank

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call layout%block([4, 4], MPI_COMM_WORLD, grid=[0, 1], ghosts=[1, 1])
  u = 0
  call a%describe(u, layout)
  print '(a)', 'the program goes on'
  call MPI_Finalize()
end program stop_test
