! SPDX-License-Identifier: BSD-3-Clause
!> A program in Fortran with the faults that its options name, which -daptor_check finds:
!>   -duplicate  the last rank lists a ghost twice
!>   -stale      the last rank writes through a pointer that it has kept
!>   -zero       a stencil divides 0 by 0 on the last rank, where the field is constant
program faults
#include <petsc/finclude/petscvec.h>
! PETSc 3.23 took the suffix F90 off the names of its Fortran routines.
#if PETSC_VERSION_LT(3,23,0)
#define VecGetArray VecGetArrayF90
#define VecRestoreArray VecRestoreArrayF90
#endif
  use petscvec
  implicit none

  PetscInt, parameter :: points = 10  ! on each rank
  PetscErrorCode :: ierr
  PetscMPIInt :: rank, ranks
  Vec :: density, momentum, direction
  PetscScalar, pointer :: kept(:)
  PetscScalar :: energy
  PetscReal :: norm
  PetscInt :: first
  logical :: last
  character(len=64) :: line

  PetscCallA(PetscInitialize(ierr))
  call MPI_Comm_rank(PETSC_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(PETSC_COMM_WORLD, ranks, ierr)
  first = points * rank
  last = rank == ranks - 1
  call make_density()
  call make_momentum()
  call find_direction()
  PetscCallA(VecNorm(momentum, NORM_2, norm, ierr))
  if (last .and. asked_for('-stale')) kept(1) = 7
  PetscCallA(VecDot(momentum, density, energy, ierr))
  PetscCallA(VecDot(density, momentum, energy, ierr))
  PetscCallA(VecNorm(direction, NORM_2, norm, ierr))
  write (line, '(a, es13.6, a)') 'norm of the solution', real(energy, kind(norm)), new_line('a')
  PetscCallA(PetscPrintf(PETSC_COMM_WORLD, line, ierr))
  PetscCallA(VecDestroy(density, ierr))
  PetscCallA(VecDestroy(momentum, ierr))
  PetscCallA(VecDestroy(direction, ierr))
  PetscCallA(PetscFinalize(ierr))

contains

  logical function asked_for(name)
    character(len=*), intent(in) :: name
    PetscBool :: given
    PetscCallA(PetscOptionsHasName(PETSC_NULL_OPTIONS, PETSC_NULL_CHARACTER, name, given, ierr))
    asked_for = given
  end function

  !> With a ghost point towards the rank before, or on one rank none.
  subroutine make_density()
    PetscInt :: ghosts(2), count
    PetscScalar, parameter :: one = 1
    ghosts = 0
    if (rank > 0) ghosts = first - 1
    count = min(rank, 1)
    if (last .and. asked_for('-duplicate')) count = count + 1
    PetscCallA(VecCreateGhost(PETSC_COMM_WORLD, points, PETSC_DECIDE, count, ghosts, density, ierr))
    PetscCallA(PetscObjectSetName(density, 'density', ierr))
    PetscCallA(VecSet(density, one, ierr))
  end subroutine

  subroutine make_momentum()
    PetscScalar, pointer :: values(:)
    PetscCallA(VecCreateMPI(PETSC_COMM_WORLD, points, PETSC_DECIDE, momentum, ierr))
    PetscCallA(PetscObjectSetName(momentum, 'momentum', ierr))
    PetscCallA(VecGetArray(momentum, values, ierr))
    kept => values
    values = 1
    PetscCallA(VecRestoreArray(momentum, values, ierr))
  end subroutine

  !> The sign of the slope of a field that is constant on the last rank.
  subroutine find_direction()
    PetscScalar, pointer :: values(:)
    PetscReal :: slope
    PetscInt :: i
    PetscCallA(VecCreateMPI(PETSC_COMM_WORLD, points, PETSC_DECIDE, direction, ierr))
    PetscCallA(PetscObjectSetName(direction, 'direction', ierr))
    PetscCallA(VecGetArray(direction, values, ierr))
    do i = 1, points
      slope = field(first + i + 1) - field(first + i - 1)
      values(i) = 0
      if (slope > 0 .or. asked_for('-zero')) values(i) = slope / abs(slope)
    end do
    PetscCallA(VecRestoreArray(direction, values, ierr))
  end subroutine

  pure PetscReal function field(i)
    PetscInt, intent(in) :: i
    field = min(i, points * (ranks - 1) + 1)
  end function

end program
