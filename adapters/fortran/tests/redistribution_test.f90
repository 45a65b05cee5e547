! SPDX-License-Identifier: BSD-3-Clause
!> Copies between distributions, and owned elements followed by ghosts.
program redistribution_test
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env
  use mpi_f08
  use daptor
  use checking
  implicit none

  call start_checks()
  call rows_to_columns()
  call with_ghosts_to_block_cyclic()
  call own_bounds_and_conversion()
  call on_one_process()
  call owned_then_ghosts()
  call owned_between_ghosts()
  call lists_that_do_not_stay()
  call several_at_once()
  call refusals()
  call end_checks()

contains

  elemental function value_at(i, j) result(value)
    integer, intent(in) :: i, j
    real(real64) :: value

    value = 1000.0_real64 * i + j
  end function value_at

  !> All of a grid on one process after the other, its ghost cells outside too.
  subroutine on_one_process()
    integer, parameter :: n(2) = [7, 10]
    type(daptor_layout) :: grid, whole
    type(daptor_array) :: a, b
    real(real64), allocatable, target :: u(:, :), w(:, :)
    integer :: first(2), last(2), process, i, j, stat
    character(errmsg_length) :: errmsg

    call grid%block(n, MPI_COMM_WORLD, ghosts=[1, 2])
    call grid%local_bounds(first, last)
    allocate (u(first(1):last(1), first(2):last(2)))
    do j = first(2), last(2)
      u(:, j) = value_at([(i, i=first(1), last(1))], j)
    end do
    call a%describe(u, grid)
    do process = 0, ranks - 1
      call whole%on_process(grid, process)
      call whole%local_bounds(first, last)
      if (my_rank == process) &
        call check(all(first == [0, -1]) .and. all(last == n + [1, 2]), 'the bounds of the grid')
      allocate (w(first(1):last(1), first(2):last(2)), source=-1.0_real64)
      call b%describe(w, whole)
      call daptor_redistribute(a, b)
      if (my_rank == process) call check(holds(w, first, 1.0_real64), 'the grid on one process')
      call b%free()
      deallocate (w)
    end do
    call whole%on_process(grid, ranks, stat, errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'process', 'no such process')
    if (ranks == 1) return
    call whole%on_process(grid, min(my_rank, 1), stat, errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'collective.different', 'two processes')
    call check(index(errmsg, 'on_process') > 0, 'the call is named: ' // trim(errmsg))
  end subroutine on_one_process

  !> There, scaled, and back.
  subroutine rows_to_columns()
    integer, parameter :: n(2) = [7, 10]
    type(daptor_layout) :: rows, columns
    type(daptor_array) :: a, b
    type(daptor_redistribution) :: transpose_of
    real(real64), allocatable, target :: u(:, :), v(:, :)
    integer :: lo(2), hi(2), i, j

    call rows%block(n, MPI_COMM_WORLD, grid=[0, 1])
    call columns%block(n, MPI_COMM_WORLD, grid=[1, 0])
    call rows%owned_bounds(lo, hi)
    allocate (u(lo(1):hi(1), lo(2):hi(2)))
    do j = lo(2), hi(2)
      u(:, j) = value_at([(i, i=lo(1), hi(1))], j)
    end do
    call a%describe(u, rows)
    call columns%owned_bounds(lo, hi)
    allocate (v(lo(1):hi(1), lo(2):hi(2)), source=-1.0_real64)
    call b%describe(v, columns)
    call transpose_of%create(a, b)
    call transpose_of%run()
    call check(holds(v, lo, 1.0_real64), 'columns')
    call transpose_of%run(scale=2.0_real64, keep=1.0_real64)
    call check(holds(v, lo, 3.0_real64), 'columns, scaled and added')
    call transpose_of%begin_back()
    call transpose_of%finish()
    call rows%owned_bounds(lo, hi)
    call check(holds(u, lo, 3.0_real64), 'rows, on the way back')
  end subroutine rows_to_columns

  function holds(values, lower, factor) result(same)
    real(real64), intent(in) :: values(:, :), factor
    integer, intent(in) :: lower(2)
    logical :: same
    integer :: i, j

    same = .true.
    do j = 1, ubound(values, 2)
      do i = 1, ubound(values, 1)
        same = same .and. values(i, j) == factor * value_at(i + lower(1) - 1, j + lower(2) - 1)
      end do
    end do
  end function holds

  !> The points of a stencil code in the blocks of ScaLAPACK.
  subroutine with_ghosts_to_block_cyclic()
    integer, parameter :: n(2) = [13, 9], block(2) = [2, 3]
    type(daptor_layout) :: points, cyclic
    type(daptor_array) :: interior, b
    real(real64), allocatable, target :: u(:, :), v(:, :)
    integer :: lo(2), hi(2), last(2), first(2), grid(2), position(2), dealt(2), i, j

    call points%block(n, MPI_COMM_WORLD)
    call points%owned_bounds(lo, hi)
    call points%process_grid(grid, position)
    allocate (u(lo(1) - 1:hi(1) + 1, lo(2) - 1:hi(2) + 1), source=-1.0_real64)
    do j = lo(2), hi(2)
      u(lo(1):hi(1), j) = value_at([(i, i=lo(1), hi(1))], j)
    end do
    ! The section without its ghost cells.
    call interior%describe(u(lo(1):hi(1), lo(2):hi(2)), points)
    call cyclic%create([(daptor_cyclic(n(i), grid(i), position(i), block(i)), i=1, 2)], &
                       MPI_COMM_WORLD)
    call cyclic%local_bounds(first, last)
    allocate (v(last(1), last(2)), source=-1.0_real64)
    call b%describe(v, cyclic)
    call daptor_redistribute(interior, b)
    do j = 1, last(2)
      do i = 1, last(1)
        dealt = ((([i, j] - 1) / block) * grid + position) * block + mod([i, j] - 1, block) + 1
        call check(v(i, j) == value_at(dealt(1), dealt(2)), 'an element of a cyclic array')
      end do
    end do
  end subroutine with_ghosts_to_block_cyclic

  !> Everything on the last process, in another precision, and ghosts filled on the way.
  subroutine own_bounds_and_conversion()
    integer, parameter :: n = 11
    type(daptor_layout) :: even, one, ghosted
    type(daptor_array) :: a, b, c
    real(real64), allocatable, target :: u(:)
    real(real32), allocatable, target :: v(:), w(:)
    integer :: lo(1), hi(1), i

    call even%block([n], MPI_COMM_WORLD)
    call even%owned_bounds(lo, hi)
    u = [(real(i, real64), i=lo(1), hi(1))]
    call a%describe(u, even)
    lo = 1
    hi = merge(n, 0, my_rank == ranks - 1)
    call one%block([n], MPI_COMM_WORLD, lower=lo, upper=hi)
    allocate (v(hi(1)), source=0.0)
    call b%describe(v, one)
    call daptor_redistribute(a, b, convert=.true.)
    call check(all(nint(v) == [(i, i=1, hi(1))]), 'all on one process')

    call ghosted%block([n], MPI_COMM_WORLD, padding=[2], periodic=[.true.])
    call ghosted%local_bounds(lo, hi)
    allocate (w(lo(1):hi(1)), source=0.0)
    call c%describe(w, ghosted)
    call daptor_redistribute(b, c, fill_ghosts=.true.)
    call check(all(nint(w) == [(modulo(i - 1, n) + 1, i=lo(1), hi(1))]), 'ghosts filled on the way')
  end subroutine own_bounds_and_conversion

  !> Each process owns two elements, first in its list, and sees the first one of the next process.
  subroutine owned_then_ghosts()
    type(daptor_layout) :: layout
    type(daptor_array) :: a
    type(daptor_halo) :: halo
    integer :: lo(1), hi(1)
    integer, allocatable :: indices(:)
    real(real64), allocatable, target :: u(:)

    ! The owner is not the lowest rank that lists the index.
    indices = [2 * my_rank + 1, 2 * my_rank + 2, 2 * modulo(my_rank + 1, ranks) + 1]
    if (ranks == 1) indices = indices(:2)
    call layout%create([daptor_unstructured(2 * ranks, indices, ranks, my_rank, owned=2)], &
                       MPI_COMM_WORLD)
    call layout%owned_bounds(lo, hi)
    call check(lo(1) == 1 .and. hi(1) == 2, 'the owned elements come first')
    call layout%local_bounds(lo, hi)
    call check(hi(1) == size(indices), 'all elements')
    allocate (u(hi(1)), source=-1.0_real64)
    u(:2) = indices(:2)
    call a%describe(u, layout)
    call a%validate()
    call a%validate(metadata=.true.)
    call halo%create(a)
    call halo%update()
    call check(all(nint(u) == indices), 'ghosts have their owners'' values')
    u = 1
    call halo%accumulate()
    call check(nint(u(1)) == merge(1, 2, ranks == 1) .and. nint(u(2)) == 1, &
               'contributions of ghosts')
  end subroutine owned_then_ghosts

  !> A box with a ghost at each end, owned by positions and by a mask; faults on each process.
  subroutine owned_between_ghosts()
    type(daptor_layout) :: layout(2), line
    type(daptor_array) :: a, b
    integer :: indices(4), lo(1), hi(1), i, at, stat
    integer, allocatable :: part(:)
    logical, allocatable :: mask(:)
    real(real64), target :: u(4), v(2)

    indices = [(modulo(2 * my_rank + i - 1, 2 * ranks) + 1, i=0, 3)]
    call layout(1)%create([daptor_unstructured(2 * ranks, indices, ranks, my_rank, [2, 3])], &
                          MPI_COMM_WORLD)
    call layout(2)%create([daptor_unstructured(2 * ranks, indices, ranks, my_rank, &
                                               owned=[.false., .true., .true., .false.])], &
                          MPI_COMM_WORLD)
    call line%block([2 * ranks], MPI_COMM_WORLD)
    do i = 1, 2
      call layout(i)%owned_bounds(lo, hi)
      call check(lo(1) == 2 .and. hi(1) == 3, 'the owned elements are between ghosts')
      u = [-1, indices(2), indices(3), -1]
      call a%describe(u, layout(i))
      call daptor_update_ghosts(a)
      call check(all(nint(u) == indices), 'ghosts have their owners'' values, as owned is said')
      v = 0
      call b%describe(v, line)
      call daptor_redistribute(a, b)
      call check(all(nint(v) == [2 * my_rank + 1, 2 * my_rank + 2]), 'owned elements travel')
    end do
    do at = 0, ranks - 1
      part = [2, 3]
      mask = [.false., .true., .true., .false.]
      if (my_rank == at) part = [2, 5]
      if (my_rank == at) mask = [.true.]
      call layout(1)%create([daptor_unstructured(2 * ranks, indices, ranks, my_rank, part)], &
                            MPI_COMM_WORLD, stat=stat)
      call check(stat /= 0, 'a position beyond the list')
      call layout(1)%create([daptor_unstructured(2 * ranks, indices, ranks, my_rank, mask)], &
                            MPI_COMM_WORLD, stat=stat)
      call check(stat /= 0, 'a mask of another length')
    end do
  end subroutine owned_between_ghosts

  !> A list may be a section, an expression or gone: the layout has a copy.
  subroutine lists_that_do_not_stay()
    type(daptor_layout) :: layout, again, lists(3)
    type(daptor_array) :: a
    type(daptor_dimension) :: dimension
    integer, allocatable :: indices(:), temporary(:)
    real(real64), allocatable, target :: u(:)
    integer :: i, k, stat
    character(200) :: errmsg

    ! Every other element is an index of this process; large enough for memory that is unmapped.
    indices = [(i * ranks + my_rank + 1, -7, i=0, 99999)]
    call lists(1)%create([daptor_unstructured(100000 * ranks, indices(1::2), ranks, my_rank)], &
                         MPI_COMM_WORLD)
    call lists(2)%create([daptor_unstructured(100000 * ranks, (pack(indices, indices > 0)), &
                                              ranks, my_rank)], MPI_COMM_WORLD)
    temporary = pack(indices, indices > 0)
    dimension = daptor_unstructured(int(100000 * ranks, int64), int(temporary, int64), ranks, &
                                    my_rank)
    deallocate (temporary)
    call lists(3)%create([dimension], MPI_COMM_WORLD)
    allocate (u(100000))
    do k = 1, 3
      u = [(i * ranks + my_rank + 1, i=0, 99999)]
      call a%describe(u, lists(k))
      call a%validate()
      call layout%block([100000 * ranks], MPI_COMM_WORLD)
      call in_blocks(a, layout)
    end do

    ! The dimension is good for other layouts while one has its list.
    call again%create([daptor_undistributed(2), dimension], MPI_COMM_WORLD)
    call a%free()
    call again%free()
    call lists%free()
    call again%create([dimension], MPI_COMM_WORLD, stat, errmsg)
    call check(stat == daptor_invalid_argument .and. index(errmsg, 'all gone') > 0, &
               'a list that is gone: ' // errmsg)
  end subroutine lists_that_do_not_stay

  !> Whether each element has its number in blocks too.
  subroutine in_blocks(a, layout)
    type(daptor_array), intent(in) :: a
    type(daptor_layout), intent(in) :: layout
    type(daptor_array) :: b
    real(real64), allocatable, target :: v(:)
    integer :: lo(1), hi(1), i

    call layout%owned_bounds(lo, hi)
    allocate (v(lo(1):hi(1)), source=0.0_real64)
    call b%describe(v, layout)
    call daptor_redistribute(a, b)
    call check(all(nint(v) == [(i, i=lo(1), hi(1))]), 'the elements of a list')
  end subroutine in_blocks

  subroutine several_at_once()
    integer, parameter :: n = 10
    type(daptor_layout) :: here, there
    type(daptor_array) :: a(2), b(2)
    type(daptor_redistribution) :: both
    integer(int64), allocatable, target :: u(:, :), v(:, :)
    integer :: lo(1), hi(1), i

    call here%block([n], MPI_COMM_WORLD)
    call here%owned_bounds(lo, hi)
    allocate (u(lo(1):hi(1), 2))
    u(:, 1) = [(i, i=lo(1), hi(1))]
    u(:, 2) = -u(:, 1)
    call there%create([daptor_cyclic(n, ranks, my_rank, 1)], MPI_COMM_WORLD)
    call there%local_bounds(lo, hi)
    allocate (v(hi(1), 2), source=0_int64)
    do i = 1, 2
      call a(i)%describe(u(:, i), here)
      call b(i)%describe(v(:, i), there)
    end do
    call both%create(a, b)
    call both%run()
    call check(all(v(:, 1) == [(my_rank + 1 + (i - 1) * ranks, i=1, hi(1))]), 'the first of two')
    call check(all(v(:, 2) == -v(:, 1)), 'the second of two')
  end subroutine several_at_once

  subroutine refusals()
    type(daptor_layout) :: ten, eleven
    type(daptor_array) :: a, b, alone
    type(MPI_Comm) :: half
    real(real64), target :: u(12), v(12)
    integer :: lo(1), hi(1), stat
    character(errmsg_length) :: errmsg

    call ten%block([10 * ranks], MPI_COMM_WORLD)
    call eleven%block([11 * ranks], MPI_COMM_WORLD)
    call a%describe(u(:10), ten)
    call b%describe(v(:11), eleven)
    call daptor_redistribute(a, b, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'redistribute.shape', 'two shapes')
    call daptor_redistribute(a, a, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'redistribute.memory', 'on itself')
    if (ranks == 1) return
    call MPI_Comm_split(MPI_COMM_WORLD, mod(my_rank, 2), my_rank, half)
    call ten%block([10 * (ranks / 2 + merge(mod(ranks, 2), 0, mod(my_rank, 2) == 0))], half)
    call ten%local_bounds(lo, hi)
    call alone%describe(v(:hi(1) - lo(1) + 1), ten)
    call daptor_redistribute(a, alone, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'collective.comm', 'two communicators')
    call check(index(errmsg, 'section') == 0, 'advice in terms of Fortran')
    call MPI_Comm_free(half)
  end subroutine refusals

end program redistribution_test
