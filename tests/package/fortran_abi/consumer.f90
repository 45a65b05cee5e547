! SPDX-License-Identifier: BSD-3-Clause
!> A program in Fortran alone, without MPI: describes an array, reaches it, gives it back.
program consumer
  use, intrinsic :: iso_c_binding
  use daptor_abi
  implicit none
  real(c_double), target :: u(3, 4)
  real(c_double), pointer :: section(:, :)
  type(daptor_array) :: array
  integer :: stat

  u = 1
  call daptor_describe(u, 'd', [daptor_undistributed(3), daptor_block(4, 1, 0)], array, stat)
  if (stat /= 0) stop 1
  call daptor_section(array, section, stat)
  if (stat /= 0) stop 1
  section(2, 3) = 5
  if (u(2, 3) /= 5 .or. .not. associated(section, u)) stop 1
  call daptor_release(array)
  if (c_associated(array%release)) stop 1
  print '(a)', 'The module daptor_abi works.'
end program consumer
