! SPDX-License-Identifier: BSD-3-Clause
!> A Vec is written through a pointer that was kept, and used in the line of the comment.
module flow
#include <petsc/finclude/petscvec.h>
! PETSc 3.23 took the suffix F90 off the names of its Fortran routines.
#if PETSC_VERSION_LT(3,23,0)
#define VecGetArray VecGetArrayF90
#define VecRestoreArray VecRestoreArrayF90
#endif
  use petscvec
  implicit none

contains

  subroutine advance_velocity(velocity)
    Vec, intent(in) :: velocity
    PetscScalar :: energy
    PetscErrorCode :: ierr
    call VecDot(velocity, velocity, energy, ierr)  ! the place of velocity
  end subroutine

end module

program step
  use petscvec
  use flow
  implicit none
  Vec :: velocity
  PetscScalar, pointer :: values(:), kept(:)
  PetscScalar, parameter :: one = 1
  PetscInt, parameter :: points = 10
  PetscReal :: norm
  PetscErrorCode :: ierr

  PetscCallA(PetscInitialize(ierr))
  PetscCallA(VecCreateMPI(PETSC_COMM_WORLD, points, PETSC_DETERMINE, velocity, ierr))
  PetscCallA(PetscObjectSetName(velocity, 'velocity', ierr))
  PetscCallA(VecSet(velocity, one, ierr))
  PetscCallA(VecGetArray(velocity, values, ierr))
  kept => values
  PetscCallA(VecRestoreArray(velocity, values, ierr))
  PetscCallA(VecNorm(velocity, NORM_2, norm, ierr))
  kept(1) = 7
  call advance_velocity(velocity)
  PetscCallA(VecDestroy(velocity, ierr))
  PetscCallA(PetscFinalize(ierr))
end program
