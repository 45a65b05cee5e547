! SPDX-License-Identifier: BSD-3-Clause
! A program of the same size on any number of ranks. An option is a fault from which other numbers on
! several ranks come: -ghost, -insert, -file, -duplicate, -boundary, -guess. With -order it scales by a
! sum, which is another one on other ranks, but for rounding. -numbers FILE has one for each point.
module trace_faults
#include <petsc/finclude/petscksp.h>
  use petscksp
  implicit none
  PetscInt, parameter :: points = 40, zero = 0, one = 1, two = 2, three = 3
  PetscInt :: first, last
  PetscMPIInt :: rank, ranks

contains

  logical function is(fault)
    character(*), intent(in) :: fault
    PetscBool :: found
    PetscErrorCode :: ierr

    call PetscOptionsHasName(PETSC_NULL_OPTIONS, PETSC_NULL_CHARACTER, fault, found, ierr)
    is = found
  end function is

  PetscScalar function coefficient(i)
    PetscInt, intent(in) :: i

    coefficient = 1.0 + 0.25 * mod(i * 7, 11)
  end function coefficient

  ! Differences of neighbours, of a ghosted Vec.
  subroutine add_slopes(load)
    Vec :: load, slopes, local
    PetscInt :: ghosts(1), count, i
    PetscScalar, pointer :: values(:), to(:)
    PetscErrorCode :: ierr

    ghosts(1) = first - 1
    count = merge(1, 0, first > 0)
    call VecCreateGhost(PETSC_COMM_WORLD, last - first, points, count, ghosts, slopes, ierr)
    call PetscObjectSetName(slopes, 'slopes', ierr)
    call VecGetArrayF90(slopes, values, ierr)
    do i = first, last - 1
      values(i - first + 1) = 0.1 * coefficient(i + 3)
    end do
    call VecRestoreArrayF90(slopes, values, ierr)
    if (.not. is('-ghost')) then
      call VecGhostUpdateBegin(slopes, INSERT_VALUES, SCATTER_FORWARD, ierr)
      call VecGhostUpdateEnd(slopes, INSERT_VALUES, SCATTER_FORWARD, ierr)
    end if
    call VecGhostGetLocalForm(slopes, local, ierr)
    call VecGetArrayF90(local, values, ierr)
    call VecGetArrayF90(load, to, ierr)
    do i = 1, last - first
      if (i > 1) then
        to(i) = to(i) + values(i) - values(i - 1)
      else if (first > 0) then
        to(i) = to(i) + values(i) - values(last - first + 1)
      end if
    end do
    call VecRestoreArrayF90(load, to, ierr)
    call VecRestoreArrayF90(local, values, ierr)
    call VecGhostRestoreLocalForm(slopes, local, ierr)
    call VecDestroy(slopes, ierr)
  end subroutine add_slopes

  ! Each rank adds what its elements give to both of their ends.
  subroutine add_load(load)
    Vec :: load
    PetscInt :: i, row(1)
    PetscScalar :: value(1)
    PetscErrorCode :: ierr

    do i = first, last - 1
      row(1) = i
      value(1) = coefficient(i)
      call VecSetValues(load, one, row, value, ADD_VALUES, ierr)
      row(1) = i + 1
      ! The neighbour's value takes the place of a sum.
      if (i + 1 < last .or. (i + 1 < points .and. .not. is('-insert'))) then
        call VecSetValues(load, one, row, value, ADD_VALUES, ierr)
      end if
    end do
    call VecAssemblyBegin(load, ierr)
    call VecAssemblyEnd(load, ierr)
  end subroutine add_load

  subroutine add_numbers(load)
    Vec :: load
    character(len=1024) :: path
    PetscBool :: set
    PetscInt :: i
    PetscErrorCode :: ierr
    PetscScalar, pointer :: values(:)
    double precision :: number

    call PetscOptionsGetString(PETSC_NULL_OPTIONS, PETSC_NULL_CHARACTER, '-numbers', path, set, ierr)
    open (unit=10, file=path, status='old', action='read')
    call VecGetArrayF90(load, values, ierr)
    do i = merge(first, zero, is('-file')), last - 1
      read (10, *) number
      if (i >= first) values(i - first + 1) = values(i - first + 1) + number
    end do
    call VecRestoreArrayF90(load, values, ierr)
    close (10)
  end subroutine add_numbers

  ! The matrix of elements between neighbours, with a mapping of a rank's rows and the one before.
  subroutine make_matrix(a)
    Mat :: a
    ISLocalToGlobalMapping :: mapping
    PetscInt :: rows(points), count, i, own
    PetscErrorCode :: ierr

    own = merge(1, 0, first > 0)
    count = last - first + own
    do i = 1, count
      rows(i) = first - own + i - 1
    end do
    if (is('-duplicate') .and. ranks > 2 .and. rank == ranks - 1) rows(1) = rows(2)
    call MatCreateAIJ(PETSC_COMM_WORLD, last - first, last - first, points, points, three, &
                      PETSC_NULL_INTEGER, two, PETSC_NULL_INTEGER, a, ierr)
    call MatSetOption(a, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE, ierr)
    call ISLocalToGlobalMappingCreate(PETSC_COMM_WORLD, one, count, rows, PETSC_COPY_VALUES, &
                                      mapping, ierr)
    call MatSetLocalToGlobalMapping(a, mapping, mapping, ierr)
    call ISLocalToGlobalMappingDestroy(mapping, ierr)
    do i = first, last - 1
      call add_local(i - first + own, i - first + own, coefficient(i) + 1.0)
      if (i == 0) cycle
      call add_local(i - first + own - 1, i - first + own - 1, coefficient(i))
      call add_local(i - first + own, i - first + own - 1, -coefficient(i))
      call add_local(i - first + own - 1, i - first + own, -coefficient(i))
    end do
    call MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY, ierr)
    call MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY, ierr)

  contains

    subroutine add_local(r, c, v)
      PetscInt, intent(in) :: r, c
      PetscScalar, intent(in) :: v
      PetscInt :: row(1), column(1)
      PetscScalar :: value(1)

      row(1) = r
      column(1) = c
      value(1) = v
      call MatSetValuesLocal(a, one, row, one, column, value, ADD_VALUES, ierr)
    end subroutine add_local
  end subroutine make_matrix

  ! Rows and columns of two points become those of the unit matrix.
  subroutine fix(a)
    Mat :: a
    PetscInt :: fixed(2), k, r
    logical :: owned
    PetscErrorCode :: ierr

    fixed = [points / 2, points / 3]
    do k = 1, 2
      owned = fixed(k) >= first .and. fixed(k) < last
      do r = max(first, fixed(k) - 1), min(last - 1, fixed(k) + 1)
        if (is('-boundary') .and. .not. owned) cycle
        call set(r, fixed(k), merge(1.0d0, 0.0d0, r == fixed(k)))
      end do
      if (.not. owned) cycle
      call set(fixed(k), fixed(k) - 1, 0.0d0)
      call set(fixed(k), fixed(k) + 1, 0.0d0)
    end do
    call MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY, ierr)
    call MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY, ierr)

  contains

    subroutine set(r, c, v)
      PetscInt, intent(in) :: r, c
      double precision, intent(in) :: v
      PetscInt :: row(1), column(1)
      PetscScalar :: value(1)

      row(1) = r
      column(1) = c
      value(1) = v
      call MatSetValues(a, one, row, one, column, value, INSERT_VALUES, ierr)
    end subroutine set
  end subroutine fix

  subroutine guess(x)
    Vec :: x
    PetscInt :: i, state
    PetscScalar, pointer :: values(:)
    PetscErrorCode :: ierr

    state = merge(int(rank), 0, is('-guess')) + 1
    call VecGetArrayF90(x, values, ierr)
    do i = merge(first, zero, is('-guess')), last - 1
      state = mod(state * 171 + 11, 30269)
      if (i >= first) values(i - first + 1) = state / 30269.0
    end do
    call VecRestoreArrayF90(x, values, ierr)
  end subroutine guess
end module trace_faults

program trace
  use trace_faults
  implicit none
  Vec :: load, x
  Mat :: a
  KSP :: solver
  PetscScalar :: total
  PetscReal :: norm
  PetscErrorCode :: ierr

  call PetscInitialize(PETSC_NULL_CHARACTER, ierr)
  call MPI_Comm_rank(PETSC_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(PETSC_COMM_WORLD, ranks, ierr)
  call VecCreateMPI(PETSC_COMM_WORLD, PETSC_DECIDE, points, load, ierr)
  call PetscObjectSetName(load, 'momentum', ierr)
  call VecDuplicate(load, x, ierr)
  call VecGetOwnershipRange(load, first, last, ierr)
  call add_load(load)
  call add_slopes(load)
  call add_numbers(load)
  if (is('-order')) then
    call VecSum(load, total, ierr)
    call VecScale(load, 1.0 / total, ierr)
  end if
  call VecNorm(load, NORM_2, norm, ierr)
  call make_matrix(a)
  call fix(a)
  call guess(x)
  call KSPCreate(PETSC_COMM_WORLD, solver, ierr)
  call KSPSetOperators(solver, a, a, ierr)
  call KSPSetInitialGuessNonzero(solver, PETSC_TRUE, ierr)
  call KSPSetFromOptions(solver, ierr)
  call KSPSolve(solver, load, x, ierr)
  call KSPDestroy(solver, ierr)
  call MatDestroy(a, ierr)
  call VecDestroy(x, ierr)
  call VecDestroy(load, ierr)
  call PetscFinalize(ierr)
end program trace
