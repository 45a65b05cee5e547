! SPDX-License-Identifier: BSD-3-Clause
! A program of the same size on any number of ranks; with -insert, each rank inserts the value of the
! point that it shares with the next one, in place of adding it.
program trace
#include <petsc/finclude/petscksp.h>
  use petscksp
  implicit none
  integer, parameter :: points = 40
  Vec :: load, x
  Mat :: a
  KSP :: solver
  PetscInt :: first, last, i, one = 1, three = 3, two = 2
  PetscInt :: row(1), columns(3)
  PetscScalar :: value(1), values(3)
  PetscBool :: insert
  PetscErrorCode :: ierr

  call PetscInitialize(PETSC_NULL_CHARACTER, ierr)
  call PetscOptionsHasName(PETSC_NULL_OPTIONS, PETSC_NULL_CHARACTER, '-insert', insert, ierr)
  call VecCreateMPI(PETSC_COMM_WORLD, PETSC_DECIDE, points * one, load, ierr)
  call PetscObjectSetName(load, 'momentum', ierr)
  call VecDuplicate(load, x, ierr)
  call VecGetOwnershipRange(load, first, last, ierr)
  do i = first, last - 1
    row(1) = i
    value(1) = 1.0 + 0.25 * mod(i * 5, 7)
    call VecSetValues(load, one, row, value, ADD_VALUES, ierr)
    row(1) = i + 1
    if (i + 1 < last .or. (i + 1 < points .and. .not. insert)) then
      call VecSetValues(load, one, row, value, ADD_VALUES, ierr)
    end if
  end do
  call VecAssemblyBegin(load, ierr)
  call VecAssemblyEnd(load, ierr)

  call MatCreateAIJ(PETSC_COMM_WORLD, last - first, last - first, points * one, points * one, &
                    three, PETSC_NULL_INTEGER, two, PETSC_NULL_INTEGER, a, ierr)
  do i = first, last - 1
    row(1) = i
    columns = [i - 1, i, i + 1]
    if (i + 1 == points) columns(3) = -1
    values = [-1.0, 2.5, -1.0]
    call MatSetValues(a, one, row, three, columns, values, INSERT_VALUES, ierr)
  end do
  call MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY, ierr)
  call MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY, ierr)
  call KSPCreate(PETSC_COMM_WORLD, solver, ierr)
  call KSPSetOperators(solver, a, a, ierr)
  call KSPSetFromOptions(solver, ierr)
  call KSPSolve(solver, load, x, ierr)
  call KSPDestroy(solver, ierr)
  call MatDestroy(a, ierr)
  call VecDestroy(x, ierr)
  call VecDestroy(load, ierr)
  call PetscFinalize(ierr)
end program trace
