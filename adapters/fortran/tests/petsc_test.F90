! SPDX-License-Identifier: BSD-3-Clause
!> Arrays of the module daptor as PETSc's Fortran Vec, and back.
program petsc_test
#include <petsc/finclude/petscvec.h>
! PETSc 3.23 took the suffix F90 off the names of its Fortran routines.
#if PETSC_VERSION_LT(3,23,0)
#define VecGetArray VecGetArrayF90
#define VecRestoreArray VecRestoreArrayF90
#define VecGetArrayRead VecGetArrayReadF90
#define VecRestoreArrayRead VecRestoreArrayReadF90
#endif
! PETSc 3.22 enforces its read locks in optimised builds too.
#if defined(PETSC_USE_DEBUG) || !PETSC_VERSION_LT(3,22,0)
#define HAS_LOCKS
#endif
  use, intrinsic :: iso_c_binding
  use petscvec
  use daptor
  use daptor_petsc
  use checking
  implicit none

  PetscErrorCode :: ierr
  integer :: stat, guilty
  character(errmsg_length) :: errmsg
  PetscScalar, allocatable, target :: line(:)

  call start_checks()
  call PetscInitialize(ierr)
  call check(ierr == 0, 'PetscInitialize')
  call same_memory()
  call components(8)
  ! One block on each process.
  call components(ranks)
  call one_way_and_back()
  call a_ghosted_vec()
  call an_array_as_a_ghosted_vec()
  call all_in_memory()
  call the_vec_outlives_the_description()
  call locked_for_reading()
  call read_only_memory()
  call an_export_for_reading()
  call points_on_several_processes()
  call local_numbers()
  do guilty = 0, ranks - 1
    call refusals()
    call empty_on_one_rank()
    call mixed_calls()
  end do
  deallocate (line)
  call PetscFinalize(ierr)
  call check(ierr == 0, 'PetscFinalize')
  call end_checks()

contains

  !> Norms follow writes from both sides.
  subroutine same_memory()
    type(daptor_layout) :: layout
    type(daptor_array) :: a
    PetscScalar, allocatable, target :: u(:, :)
    PetscReal :: norm
    PetscInt :: n
    Vec :: x
    integer :: lo(2), hi(2)

    call layout%block([5, 7], PETSC_COMM_WORLD)
    call layout%owned_bounds(lo, hi)
    allocate (u(lo(1):hi(1), lo(2):hi(2)))
    u = 2
    call a%describe(u, layout)
    call daptor_import_vec(a, x)
    call VecGetSize(x, n, ierr)
    call check(n == 35, 'the size of a Vec')
    call VecNorm(x, NORM_1, norm, ierr)
    call check(nint(norm) == 70, 'the norm of a Vec')
    if (my_rank == 0) u = 3
    call a%modified()
    call VecNorm(x, NORM_1, norm, ierr)
    call check(nint(norm) == 70 + rank_0_points(size(u)), 'the norm after a write in Fortran')
    call VecSet(x, -one(), ierr)
    call check(all(u == -1), 'a write of PETSc''s')
    call VecDestroy(x, ierr)
    call check(ierr == 0, 'VecDestroy')
  end subroutine same_memory

  function one() result(number)
    PetscScalar :: number

    number = 1
  end function one

  function rank_0_points(mine) result(points)
    integer, intent(in) :: mine
    integer :: points

    points = mine
    call MPI_Bcast(points, 1, MPI_INTEGER, 0, PETSC_COMM_WORLD, ierr)
  end function rank_0_points

  !> Components that vary fastest are the block size; a Vec with a block size is b x blocks.
  subroutine components(blocks)
    integer, intent(in) :: blocks
    type(daptor_layout) :: layout
    type(daptor_array) :: a, b, flat
    PetscScalar, allocatable, target :: u(:, :), v(:, :)
    PetscInt :: block_size
    Vec :: x
    integer :: lo(2), hi(2), i

    call layout%create([daptor_undistributed(3), daptor_block(blocks, ranks, my_rank)], &
                       PETSC_COMM_WORLD)
    call layout%local_bounds(lo, hi)
    allocate (u(3, lo(2):hi(2)), v(3, lo(2):hi(2)))
    do i = lo(2), hi(2)
      u(:, i) = [10 * i + 1, 10 * i + 2, 10 * i + 3]
    end do
    v = 0
    call a%describe(u, layout)
    call daptor_import_vec(a, x)
    call VecGetBlockSize(x, block_size, ierr)
    call check(block_size == 3, 'the block size')
    call b%describe(v, layout)
    call daptor_export_vec(x, flat)
    call daptor_redistribute(flat, b)
    call check(all(u == v), 'components through a Vec')
    call flat%free()
    call VecDestroy(x, ierr)
  end subroutine components

  !> A Vec that PETSc made, described, and its values in an array of the code.
  subroutine one_way_and_back()
    type(daptor_layout) :: layout, blocks
    type(daptor_array) :: a, b
    PetscScalar, allocatable, target :: u(:)
    PetscScalar, pointer :: values(:)
    PetscInt :: first, last, i
    PetscReal :: norm
    Vec :: x
    integer :: lo(1), hi(1)

    call VecCreateMPI(PETSC_COMM_WORLD, PETSC_DECIDE, 13, x, ierr)
    call VecGetOwnershipRange(x, first, last, ierr)
    call VecGetArray(x, values, ierr)
    values = [(i, i=first + 1, last)]
    call VecRestoreArray(x, values, ierr)
    call daptor_export_vec(x, a)
    call a%validate()
    call a%get_layout(layout)
    call layout%owned_bounds(lo, hi)
    call check(lo(1) == first + 1 .and. hi(1) == last, 'the bounds of a Vec, from 1')

    call blocks%create([daptor_cyclic(13, ranks, my_rank, 1)], PETSC_COMM_WORLD)
    call blocks%local_bounds(lo, hi)
    allocate (u(hi(1)))
    u = 0
    call b%describe(u, blocks)
    call daptor_redistribute(a, b)
    call check(all(nint(real(u)) == [(my_rank + 1 + (i - 1) * ranks, i=1, hi(1))]), &
               'values of a Vec')
    call VecNorm(x, NORM_INFINITY, norm, ierr)
    u = 2 * u
    call daptor_redistribute(b, a)
    call VecNorm(x, NORM_INFINITY, norm, ierr)
    call check(nint(norm) == 26, 'a Vec that was written to, and its norm')
    call a%free()
    call VecDestroy(x, ierr)
  end subroutine one_way_and_back

  !> Owned elements, then ghosts: PETSc's ghosted Vec, its ghosts by Daptor's exchange.
  subroutine a_ghosted_vec()
    type(daptor_array) :: a
    type(daptor_halo) :: halo
    PetscScalar, pointer :: values(:)
    PetscInt :: ghosts(1)
    Vec :: x, local

    ghosts = 2 * mod(my_rank + 1, ranks)
    if (ranks == 1) return
    call VecCreateGhost(PETSC_COMM_WORLD, 2, PETSC_DECIDE, 1, ghosts, x, ierr)
    call VecGetArray(x, values, ierr)
    values = my_rank
    call VecRestoreArray(x, values, ierr)
    call daptor_export_vec(x, a, ghosts=.true.)
    call halo%create(a)
    call halo%update()
    call VecGhostGetLocalForm(x, local, ierr)
    call VecGetArrayRead(local, values, ierr)
    call check(nint(real(values(3))) == mod(my_rank + 1, ranks), 'the ghost of a Vec')
    call VecRestoreArrayRead(local, values, ierr)
    call VecGhostRestoreLocalForm(x, local, ierr)
    call halo%free()
    call a%free()
    call VecDestroy(x, ierr)
  end subroutine a_ghosted_vec

  !> Two points and a ghost of the next process on each: PETSc's own update fills the array.
  subroutine an_array_as_a_ghosted_vec()
    type(daptor_layout) :: layout
    type(daptor_array) :: a
    PetscScalar, allocatable, target :: u(:, :)
    PetscInt :: block_size, local_size
    integer, allocatable :: indices(:)
    Vec :: x, local
    integer :: components

    ! A single process has no ghosts.
    indices = [2 * my_rank + 1, 2 * my_rank + 2]
    if (ranks > 1) indices = [indices, 2 * mod(my_rank + 1, ranks) + 1]
    do components = 1, 3, 2
      if (components == 1) then
        call layout%create([daptor_unstructured(2 * ranks, indices, ranks, my_rank, owned=2)], &
                           PETSC_COMM_WORLD)
      else
        call layout%create([daptor_undistributed(3), &
                            daptor_unstructured(2 * ranks, indices, ranks, my_rank, owned=2)], &
                           PETSC_COMM_WORLD)
      end if
      allocate (u(components, size(indices)))
      u = -1
      u(:, 1:2) = my_rank
      if (components == 1) call a%describe(u(1, :), layout)
      if (components == 3) call a%describe(u, layout)
      call daptor_import_vec(a, x, ghosts=.true.)
      call VecGetBlockSize(x, block_size, ierr)
      call check(block_size == components, 'the block size of a ghosted Vec')
      call VecGetLocalSize(x, local_size, ierr)
      call check(local_size == 2 * components, 'the owned part of a ghosted Vec')
      call VecGhostUpdateBegin(x, INSERT_VALUES, SCATTER_FORWARD, ierr)
      call VecGhostUpdateEnd(x, INSERT_VALUES, SCATTER_FORWARD, ierr)
      call check(ierr == 0, 'VecGhostUpdateEnd')
      call check(all(nint(real(u(:, 3:))) == mod(my_rank + 1, ranks)), 'ghosts that PETSc filled')
      call VecGhostGetLocalForm(x, local, ierr)
      call VecGetLocalSize(local, local_size, ierr)
      call check(local_size == size(u), 'the local form is the whole array')
      call VecGhostRestoreLocalForm(x, local, ierr)
      call VecDestroy(x, ierr)
      call a%free()
      deallocate (u)
    end do
  end subroutine an_array_as_a_ghosted_vec

  subroutine all_in_memory()
    type(daptor_layout) :: layout
    type(daptor_array) :: a
    PetscScalar, allocatable, target :: u(:, :)
    PetscInt :: n
    Vec :: x
    integer :: lo(2), hi(2)

    call layout%block([6, 6], PETSC_COMM_WORLD, ghosts=[1, 1])
    call layout%local_bounds(lo, hi)
    allocate (u(lo(1):hi(1), lo(2):hi(2)))
    u = 1
    call a%describe(u, layout)
    call daptor_import_local_vec(a, x)
    call VecGetSize(x, n, ierr)
    call check(n == size(u), 'ghost cells included')
    call VecScale(x, 4 * one(), ierr)
    call check(all(u == 4), 'PETSc writes to ghost cells')
    call VecDestroy(x, ierr)
    call daptor_import_vec(a, x, stat=stat, errmsg=errmsg)
    if (ranks > 1) then
      call check_stat(stat, daptor_not_representable, errmsg, 'petsc.vec.one-run', 'ghosts on all sides')
      call check(index(errmsg, '::') == 0 .and. index(errmsg, 'daptor_redistribute') > 0, &
                 'what to do, in Fortran: ' // trim(errmsg))
    else
      ! Ghost cells outside of the grid are boundary padding and belong to the array: it is one run.
      call check(stat == 0, 'one process')
      call VecDestroy(x, ierr)
    end if
    call inside_alone(a)
  end subroutine all_in_memory

  !> The 6 x 6 points of an array with ghost cells on all sides, which count in its size.
  subroutine inside_alone(a)
    type(daptor_array), intent(in) :: a
    type(daptor_layout) :: layout
    type(daptor_array) :: inside, b
    PetscScalar, allocatable, target :: v(:, :)
    PetscInt :: n
    Vec :: x
    integer :: lo(2), hi(2)

    call layout%block([6, 6], PETSC_COMM_WORLD)
    call layout%local_bounds(lo, hi)
    allocate (v(lo(1):hi(1), lo(2):hi(2)))
    v = 0
    call b%describe(v, layout)
    call daptor_redistribute(a, b, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'redistribute.shape', 'sizes with ghosts')
    call check(index(errmsg, '::') == 0 .and. index(errmsg, 'without_padding') > 0, &
               'what to do, in Fortran: ' // trim(errmsg))
    call a%without_padding(inside)
    call daptor_redistribute(inside, b)
    call check(all(v == 4), 'the points inside')
    call daptor_import_vec(a, x, interior=.true., stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_not_representable, errmsg, 'petsc.vec.one-run', 'points inside')
    call check(index(errmsg, '::') == 0, 'in Fortran: ' // trim(errmsg))
    call daptor_import_vec(b, x, interior=.true.)
    call VecGetSize(x, n, ierr)
    call check(n == 36, 'nothing to leave out')
    call VecDestroy(x, ierr)
    call inside%free()
    call b%free()
  end subroutine inside_alone

  subroutine the_vec_outlives_the_description()
    type(daptor_layout) :: layout
    type(daptor_array) :: a
    PetscScalar, allocatable, target :: u(:)
    Vec :: x
    PetscReal :: norm
    integer :: lo(1), hi(1)

    call layout%block([20], PETSC_COMM_WORLD)
    call layout%owned_bounds(lo, hi)
    allocate (u(lo(1):hi(1)))
    u = 1
    call a%describe(u, layout)
    call daptor_import_vec(a, x)
    call a%free()
    call layout%free()
    call VecNorm(x, NORM_1, norm, ierr)
    call check(nint(norm) == 20, 'a Vec without its description')
    call VecDestroy(x, ierr)
  end subroutine the_vec_outlives_the_description

  !> A Vec that is to be locked, of writable memory.
  subroutine locked_for_reading()
    type(daptor_array) :: a
    Vec :: x

    call describe_line(a)
    call daptor_import_vec(a, x, readonly=.true., stat=stat, errmsg=errmsg)
#ifdef HAS_LOCKS
    call check(stat == 0, 'a locked Vec: ' // trim(errmsg))
    call check_export_is_readonly(x)
    call VecDestroy(x, ierr)
#else
    call check_stat(stat, daptor_not_representable, errmsg, 'petsc.vec.readonly', 'a locked Vec')
#endif
  end subroutine locked_for_reading

  !> It needs locks, or a promise.
  subroutine read_only_memory()
    type(daptor_layout) :: layout
    type(daptor_array) :: a
    PetscScalar, allocatable, target :: u(:)
    PetscReal :: norm
    Vec :: x
    integer :: lo(1), hi(1)

    call layout%block([20], PETSC_COMM_WORLD)
    call layout%owned_bounds(lo, hi)
    allocate (u(lo(1):hi(1)))
    u = 1
    call a%describe_readonly(u, layout)
#ifndef HAS_LOCKS
    call daptor_import_vec(a, x, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_not_representable, errmsg, 'petsc.vec.readonly', 'no promise')
#endif
    call daptor_import_vec(a, x, trust_readonly=.true., stat=stat, errmsg=errmsg)
    call check(stat == 0, 'a promise not to write: ' // trim(errmsg))
    if (stat /= 0) return
    call VecNorm(x, NORM_1, norm, ierr)
    call check(nint(norm) == 20, 'the norm of read-only memory')
    call check_export_is_readonly(x)
    call VecDestroy(x, ierr)
  end subroutine read_only_memory

  subroutine an_export_for_reading()
    type(daptor_array) :: a
    PetscInt, parameter :: points = 20
    Vec :: x

    call VecCreateMPI(PETSC_COMM_WORLD, PETSC_DECIDE, points, x, ierr)
    call daptor_export_vec(x, a, readonly=.true.)
    call check_is_readonly(a)
    call a%free()
    call VecDestroy(x, ierr)
  end subroutine an_export_for_reading

  subroutine check_export_is_readonly(x)
    Vec, intent(in) :: x
    type(daptor_array) :: a

    call daptor_export_vec(x, a)
    call check_is_readonly(a)
    call a%free()
  end subroutine check_export_is_readonly

  !> 20 points to which nothing may be copied.
  subroutine check_is_readonly(a)
    type(daptor_array), intent(in) :: a
    type(daptor_layout) :: layout
    type(daptor_array) :: from
    PetscScalar, allocatable, target :: u(:)
    integer :: lo(1), hi(1)

    call layout%block([20], PETSC_COMM_WORLD)
    call layout%owned_bounds(lo, hi)
    allocate (u(lo(1):hi(1)))
    u = 1
    call from%describe(u, layout)
    call daptor_redistribute(from, a, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'lease.readonly', 'a read-only Vec')
  end subroutine check_is_readonly

  !> Four points on each process, of which the next process has three.
  subroutine points_on_several_processes()
    type(daptor_layout) :: layout
    type(daptor_array) :: a
    PetscScalar, allocatable, target :: u(:)
    PetscInt :: n
    Vec :: x
    integer :: i

    call layout%create([daptor_unstructured(ranks + 3, [(my_rank + i, i=1, 4)], ranks, my_rank)], &
                       PETSC_COMM_WORLD)
    allocate (u(4))
    u = 1
    call a%describe(u, layout)
    if (ranks > 1) then
      call daptor_import_vec(a, x, stat=stat, errmsg=errmsg)
      call check_stat(stat, daptor_not_representable, errmsg, 'petsc.vec.overlap', 'points twice')
    end if
    call daptor_import_vec(a, x, allow_overlap=.true., stat=stat, errmsg=errmsg)
    call check(stat == 0, 'points on several processes: ' // trim(errmsg))
    if (stat /= 0) return
    call VecGetSize(x, n, ierr)
    call check(n == 4 * ranks, 'the size of a Vec that has points several times')
    call VecDestroy(x, ierr)
  end subroutine points_on_several_processes

  !> Each process adds 1 to all points in its memory, copies of its neighbours' included.
  subroutine local_numbers()
    type(daptor_layout) :: layout
    type(daptor_array) :: a
    PetscScalar, allocatable, target :: u(:)
    PetscScalar, allocatable :: ones(:)
    PetscInt, allocatable :: positions(:)
    PetscInt :: n
    Vec :: x
    integer :: lo(1), hi(1), local_lo(1), local_hi(1), i, expected

    call layout%block([20], PETSC_COMM_WORLD, padding=[1])
    call layout%owned_bounds(lo, hi)
    call layout%local_bounds(local_lo, local_hi)
    allocate (u(local_lo(1):local_hi(1)))
    u = 0
    call a%describe(u, layout)
    call daptor_import_vec(a, x, local_to_global=.true.)
    n = size(u)
    positions = [(i, i=0, size(u) - 1)]
    allocate (ones(size(u)))
    ones = 1
    call VecSetValuesLocal(x, n, positions, ones, ADD_VALUES, ierr)
    call check(ierr == 0, 'VecSetValuesLocal')
    call VecAssemblyBegin(x, ierr)
    call VecAssemblyEnd(x, ierr)
    do i = lo(1), hi(1)
      expected = 1
      if (i == lo(1) .and. my_rank > 0) expected = expected + 1
      if (i == hi(1) .and. my_rank < ranks - 1) expected = expected + 1
      call check(nint(real(u(i))) == expected, 'a point through its local number')
    end do
    call VecDestroy(x, ierr)
  end subroutine local_numbers

  subroutine refusals()
    type(daptor_layout) :: layout
    type(daptor_array) :: a
    real(c_float), allocatable, target :: u(:)
    PetscScalar, allocatable, target :: v(:)
    Vec :: x, none
    integer :: lo(1), hi(1)

    call layout%block([20], PETSC_COMM_WORLD)
    call layout%owned_bounds(lo, hi)
    allocate (u(lo(1):hi(1)), v(2 * lo(1):2 * hi(1)))
    u = 1
    v = 1
    call a%describe(u, layout)
    call daptor_import_vec(a, x, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_not_representable, errmsg, 'petsc.vec.type', 'single precision')
    if (hi(1) - lo(1) > 0) then
      call a%describe(v(2 * lo(1):2 * hi(1):2), layout)
      call daptor_import_vec(a, x, stat=stat, errmsg=errmsg)
      call check_stat(stat, daptor_not_representable, errmsg, 'petsc.vec.one-run', 'every second element')
    end if
    call a%describe(v(2 * lo(1):lo(1) + hi(1)), layout)
    call daptor_import_vec(a, x, flat=my_rank == guilty, stat=stat, errmsg=errmsg)
    if (ranks > 1) then
      call check_stat(stat, daptor_invalid_argument, errmsg, 'collective.different', 'different options')
    else
      call VecDestroy(x, ierr)
    end if
    call daptor_export_vec(none, a, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'x', 'a Vec that was not created')
    call daptor_import_vec(a, x, ghosts=.true., stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_not_representable, errmsg, 'vec.ghosts', 'ghosts of a block')
    call check(index(errmsg, '::') == 0, 'what to do, in Fortran: ' // trim(errmsg))
  end subroutine refusals

  !> A line of 20 points over memory of this program's.
  subroutine describe_line(a)
    type(daptor_array), intent(inout) :: a
    type(daptor_layout) :: layout
    integer :: lo(1), hi(1)

    call layout%block([20], PETSC_COMM_WORLD)
    call layout%owned_bounds(lo, hi)
    if (.not. allocated(line)) allocate (line(lo(1):hi(1)))
    call a%describe(line, layout)
  end subroutine describe_line

  !> A variable that was never given anything does not say who makes the call with this rank.
  subroutine empty_on_one_rank()
    type(daptor_array) :: a, known
    Vec :: x

    call describe_line(known)
    if (my_rank /= guilty) a = known
    call daptor_import_vec(a, x, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'fortran.empty', 'empty on one rank')
    call daptor_import_local_vec(a, x, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'fortran.empty', 'empty on one rank')
  end subroutine empty_on_one_rank

  subroutine mixed_calls()
    type(daptor_array) :: a
    Vec :: x

    if (ranks == 1) return
    call describe_line(a)
    if (my_rank == guilty) call daptor_import_vec(a, x, stat=stat, errmsg=errmsg)
    if (my_rank /= guilty) call daptor_import_local_vec(a, x, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'collective.mixed', 'two imports')
    call check(index(errmsg, 'in daptor_import_vec') > 0, 'who is where: ' // trim(errmsg))
    call check(index(errmsg, 'in daptor_import_local_vec') > 0, 'who is where: ' // trim(errmsg))
    if (my_rank == guilty) call daptor_update_ghosts(a, stat=stat, errmsg=errmsg)
    if (my_rank /= guilty) call daptor_redistribute(a, a, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'collective.mixed', 'two calls of once')
    call check(index(errmsg, 'in daptor_update_ghosts') > 0, 'who is where: ' // trim(errmsg))
    call check(index(errmsg, 'in daptor_redistribute') > 0, 'who is where: ' // trim(errmsg))
  end subroutine mixed_calls

end program petsc_test
