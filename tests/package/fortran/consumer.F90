! SPDX-License-Identifier: BSD-3-Clause
!> A program in Fortran that knows an installed Daptor: describes an array, updates its ghost cells,
!> and hands it to PETSc or to a file. PROCEDURE: as a procedure of that name, for a larger program.
#ifdef PROCEDURE
subroutine PROCEDURE() bind(c)
#else
program consumer
#endif
#ifdef WITH_PETSC
#include <petsc/finclude/petscvec.h>
  use petscvec
  use daptor_petsc
#else
  use mpi
#endif
#ifdef WITH_HDF5
  use daptor_hdf5
#endif
  use daptor
  implicit none

  integer, parameter :: n = 10
  double precision, allocatable, target :: u(:)
  type(daptor_layout) :: grid
  type(daptor_array) :: a
  integer :: lo(1), hi(1), first(1), last(1), i, ierr
#ifdef WITH_PETSC
  PetscScalar, allocatable, target :: v(:)
  PetscReal :: norm
  Vec :: x
#endif

#ifdef WITH_PETSC
  call PetscInitialize(ierr)
#else
  call MPI_Init(ierr)
#endif
  call grid%block([n], MPI_COMM_WORLD, ghosts=[1])
  call grid%owned_bounds(lo, hi)
  call grid%local_bounds(first, last)
  allocate (u(first(1):last(1)))
  u = 0
  u(lo(1):hi(1)) = [(i, i=lo(1), hi(1))]
  call a%describe(u, grid)
  call a%validate()
  call daptor_update_ghosts(a)
  do i = first(1), last(1)
    if (nint(u(i)) /= merge(i, 0, i >= 1 .and. i <= n)) error stop 'a ghost cell is wrong'
  end do
#ifdef WITH_HDF5
  call daptor_save(a, 'consumer.h5', 'u', overwrite=.true., no_sync=.true.)
  u = 0
  call daptor_load(a, 'consumer.h5', 'u')
  do i = lo(1), hi(1)
    if (nint(u(i)) /= i) error stop 'the file has another value'
  end do
#endif
#ifdef WITH_PETSC
  call grid%block([n], MPI_COMM_WORLD)
  v = u(lo(1):hi(1))
  call a%describe(v, grid)
  call daptor_import_vec(a, x)
  call VecNorm(x, NORM_1, norm, ierr)
  if (nint(norm) /= n * (n + 1) / 2) error stop 'another norm'
  call VecDestroy(x, ierr)
  call PetscFinalize(ierr)
#else
  call MPI_Finalize(ierr)
#endif
  print '(a)', 'The module daptor works.'
end
