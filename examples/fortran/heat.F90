! SPDX-License-Identifier: BSD-3-Clause
!> Heat in a plate, computed by a stencil code in Fortran: each process's block has a ghost cell on
!> all sides, and time steps begin with a halo update. PETSc then solves for the stationary
!> temperature in the code's own arrays, and the whole plate is collected on one process for
!> writing.
!>
!>     mpirun -n 4 heat [points along each dimension [time steps]]
!>
!> The edge of the plate has the temperature i**2 - j**2, for which the five-point formula is exact,
!> so the stationary temperature is known.
module plate
#include <petsc/finclude/petscksp.h>
! PETSc 3.23 took the suffix F90 off the names of its Fortran routines.
#if PETSC_VERSION_LT(3,23,0)
#define VecGetArray VecGetArrayF90
#define VecRestoreArray VecRestoreArrayF90
#define VecGetArrayRead VecGetArrayReadF90
#define VecRestoreArrayRead VecRestoreArrayReadF90
#endif
  use, intrinsic :: iso_fortran_env, only: real64
  use petscksp
  use daptor
  implicit none

  integer :: n(2) = [48, 36]  ! number of points of the plate
  integer :: lo(2), hi(2)  ! bounds of this process's points

  !> The field to which the operator below is applied, with its ghost cells.
  real(real64), allocatable, target :: p(:, :)
  type(daptor_array) :: p_array
  type(daptor_halo) :: p_halo

contains

  !> y = A x, the five-point formula with an edge of temperature 0. PETSc calls it with its vectors,
  !> which hold this process's points like an array x(lo(1):hi(1), lo(2):hi(2)).
  subroutine multiply(A, x, y, ierr)
    Mat :: A
    Vec :: x, y
    PetscErrorCode :: ierr
    PetscScalar, pointer :: x_values(:), y_values(:)
    integer :: i, j, k

    call VecGetArrayRead(x, x_values, ierr); CHKERRQ(ierr)
    p(lo(1):hi(1), lo(2):hi(2)) = reshape(x_values, hi - lo + 1)
    call VecRestoreArrayRead(x, x_values, ierr); CHKERRQ(ierr)

    call p_halo%update()

    call VecGetArray(y, y_values, ierr); CHKERRQ(ierr)
    k = 0
    do j = lo(2), hi(2)
      do i = lo(1), hi(1)
        k = k + 1
        y_values(k) = 4 * p(i, j) - p(i - 1, j) - p(i + 1, j) - p(i, j - 1) - p(i, j + 1)
      end do
    end do
    call VecRestoreArray(y, y_values, ierr); CHKERRQ(ierr)
  end subroutine multiply

  !> The stationary temperature at a point; at ghost cells outside, that of the edge.
  elemental function stationary(i, j) result(temperature)
    integer, intent(in) :: i, j
    real(real64) :: temperature

    temperature = real(i, real64)**2 - real(j, real64)**2
  end function stationary

end module plate

program heat
#include <petsc/finclude/petscksp.h>
  use, intrinsic :: iso_fortran_env, only: real64
  use petscksp
  use daptor
  use daptor_petsc
  use plate
  implicit none

  type(daptor_layout) :: grid
  type(daptor_array) :: u_array(2)
  type(daptor_halo) :: halo
  real(real64), allocatable, target :: u(:, :, :)   ! two time levels
  integer :: first(2), last(2), i, j, step, steps, now, next, rank
  PetscErrorCode :: ierr

  call PetscInitialize(ierr)
  if (ierr /= 0) error stop 'PETSc does not start'
  call MPI_Comm_rank(PETSC_COMM_WORLD, rank, ierr)
  steps = 200
  if (command_argument_count() > 0) n = argument(1) - [0, 3]
  if (command_argument_count() > 1) steps = argument(2)

  ! Blocks on a grid of processes, with one ghost cell on all sides, even outside the plate.
  call grid%block(n, PETSC_COMM_WORLD, ghosts=[1, 1])
  call grid%owned_bounds(lo, hi)
  call grid%local_bounds(first, last)

  ! Described in place: each time level is a section of u.
  allocate (u(first(1):last(1), first(2):last(2), 2))
  call u_array(1)%describe(u(:, :, 1), grid)
  call u_array(2)%describe(u(:, :, 2), grid)
  call u_array(1)%validate()
  call halo%create(u_array(1))

  ! The plate is cold except for its edge.
  do j = first(2), last(2)
    do i = first(1), last(1)
      u(i, j, :) = merge(stationary(i, j), 0.0_real64, any([i, j] < 1 .or. [i, j] > n))
    end do
  end do

  now = 1
  do step = 1, steps
    next = 3 - now
    call halo%rebind(u_array(now))
    call halo%update()
    do j = lo(2), hi(2)
      do i = lo(1), hi(1)
        u(i, j, next) = 0.25_real64 * (u(i - 1, j, now) + u(i + 1, j, now) + u(i, j - 1, now) + &
                                       u(i, j + 1, now))
      end do
    end do
    now = next
  end do
  call report('after the time steps', maximum_error(u(lo(1):hi(1), lo(2):hi(2), now)))

  call solve()
  call write_plate()

  ! Variables of a main program are not finalized, so objects of PETSc and MPI are freed here.
  call halo%free()
  call p_halo%free()
  call PetscFinalize(ierr)

contains

  !> Solves for the stationary temperature in t, which has the temperature of the last step at
  !> first.
  subroutine solve()
    type(daptor_layout) :: points
    type(daptor_array) :: t_array, b_array
    real(real64), allocatable, target :: t(:, :), b(:, :)
    PetscInt :: local_points
    PetscReal :: norm
    Mat :: A
    Vec :: x, rhs
    KSP :: ksp
    PC :: pc

    ! The same points without ghost cells are one run of memory on each process, and so fit a Vec.
    call points%block(n, PETSC_COMM_WORLD)
    allocate (t(lo(1):hi(1), lo(2):hi(2)), b(lo(1):hi(1), lo(2):hi(2)))
    call t_array%describe(t, points)
    call b_array%describe(b, points)
    call daptor_import_vec(t_array, x)
    call daptor_import_vec(b_array, rhs)

    t = u(lo(1):hi(1), lo(2):hi(2), now)
    b = 0
    do j = lo(2), hi(2)
      do i = lo(1), hi(1)
        if (i == 1) b(i, j) = b(i, j) + stationary(0, j)
        if (i == n(1)) b(i, j) = b(i, j) + stationary(n(1) + 1, j)
        if (j == 1) b(i, j) = b(i, j) + stationary(i, 0)
        if (j == n(2)) b(i, j) = b(i, j) + stationary(i, n(2) + 1)
      end do
    end do
    ! PETSc caches norms, so all processes tell it that its vectors were written from outside.
    call t_array%modified()
    call b_array%modified()

    allocate (p(first(1):last(1), first(2):last(2)), source=0.0_real64)
    call p_array%describe(p, grid)
    call p_halo%create(p_array, star=.true.)

    local_points = size(t)
    call MatCreateShell(PETSC_COMM_WORLD, local_points, local_points, PETSC_DETERMINE, &
                        PETSC_DETERMINE, 0, A, ierr); CHKERRA(ierr)
    call MatShellSetOperation(A, MATOP_MULT, multiply, ierr); CHKERRA(ierr)
    call KSPCreate(PETSC_COMM_WORLD, ksp, ierr); CHKERRA(ierr)
    call KSPSetOperators(ksp, A, A, ierr); CHKERRA(ierr)
    call KSPSetType(ksp, KSPCG, ierr); CHKERRA(ierr)
    call KSPGetPC(ksp, pc, ierr); CHKERRA(ierr)
    call PCSetType(pc, PCNONE, ierr); CHKERRA(ierr)
    call KSPSetInitialGuessNonzero(ksp, PETSC_TRUE, ierr); CHKERRA(ierr)
    call KSPSetTolerances(ksp, 1.0e-13_real64, PETSC_DEFAULT_REAL, PETSC_DEFAULT_REAL, &
                          PETSC_DEFAULT_INTEGER, ierr); CHKERRA(ierr)
    call KSPSetFromOptions(ksp, ierr); CHKERRA(ierr)
    call KSPSolve(ksp, rhs, x, ierr); CHKERRA(ierr)   ! the solution is in t

    call VecNorm(x, NORM_2, norm, ierr); CHKERRA(ierr)
    call report('PETSc''s solution', maximum_error(t))
    call check(abs(norm - sqrt(total(t**2))) <= 1.0e-12_real64 * norm, 'the norm of another vector')
    call check(maximum_error(t) < 1.0e-6_real64, 'another solution')
    u(lo(1):hi(1), lo(2):hi(2), now) = t

    call KSPDestroy(ksp, ierr)
    call MatDestroy(A, ierr)
    call VecDestroy(rhs, ierr)
    call VecDestroy(x, ierr)
  end subroutine solve

  !> The whole plate on process 0, from the points that each process owns in u.
  subroutine write_plate()
    type(daptor_layout) :: points, everything
    type(daptor_array) :: whole_array
    real(real64), allocatable, target :: whole(:, :)
    integer :: from(2), to(2)

    call points%block(n, PETSC_COMM_WORLD)
    call everything%on_process(points, 0)
    call everything%local_bounds(from, to)
    allocate (whole(from(1):to(1), from(2):to(2)))
    call whole_array%describe(whole, everything)
    call points_of_u(whole_array)
    if (rank /= 0) return
    call check(maxval(abs(whole - reshape([((stationary(i, j), i=1, n(1)), j=1, n(2))], n))) < &
               1.0e-6_real64, 'another plate')
    print '(a, 5f10.1)', 'along the diagonal: ', [(whole(1 + i * (n(1) - 1) / 4, &
                                                        1 + i * (n(2) - 1) / 4), i=0, 4)]
  end subroutine write_plate

  !> The points of u without its ghost cells are a section of it, described where it is in memory.
  subroutine points_of_u(target_array)
    type(daptor_array), intent(in) :: target_array
    type(daptor_layout) :: points
    type(daptor_array) :: interior

    call points%block(n, PETSC_COMM_WORLD)
    call interior%describe(u(lo(1):hi(1), lo(2):hi(2), now), points)
    call daptor_redistribute(interior, target_array)
  end subroutine points_of_u

  function maximum_error(values) result(error)
    real(real64), intent(in) :: values(lo(1):, lo(2):)
    real(real64) :: error, mine

    mine = 0
    do j = lo(2), hi(2)
      do i = lo(1), hi(1)
        mine = max(mine, abs(values(i, j) - stationary(i, j)))
      end do
    end do
    call MPI_Allreduce(mine, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, PETSC_COMM_WORLD, ierr)
  end function maximum_error

  function total(values) result(sum_of_all)
    real(real64), intent(in) :: values(:, :)
    real(real64) :: sum_of_all

    call MPI_Allreduce(sum(values), sum_of_all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, &
                       PETSC_COMM_WORLD, ierr)
  end function total

  subroutine report(when, error)
    character(*), intent(in) :: when
    real(real64), intent(in) :: error

    if (rank == 0) print '(3a, es9.2)', 'largest error ', when, ':', error
  end subroutine report

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what

    if (holds) return
    print '(a)', what
    error stop 1
  end subroutine check

  function argument(number) result(value)
    integer, intent(in) :: number
    integer :: value
    character(20) :: text

    call get_command_argument(number, text)
    read (text, *) value
  end function argument

end program heat
