! SPDX-License-Identifier: BSD-3-Clause
!> Ghost cells on all sides of every section, in one to four dimensions and several kinds: an update
!> fills those that another process owns, and touches no other element.
program ghosts_test
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env
  use mpi_f08
  use daptor
  use checking
  implicit none

  call start_checks()
  call one_dimension()
  call two_dimensions([0, 0], [1, 1], [.false., .false.])
  call two_dimensions([0, 0], [2, 1], [.true., .false.])
  call two_dimensions([1, 0], [2, 3], [.true., .true.])
  call two_dimensions([0, 1], [0, 2], [.false., .true.])
  call components_of_singles()
  call four_dimensions_of_integers()
  call contributions()
  call two_time_levels()
  call handle_communicator()
  call cartesian_communicator()
  call reductions()
  call other_kinds()
  call end_checks()

contains

  !> Ten points on any number of processes: the bounds, and the neighbours' values.
  subroutine one_dimension()
    integer, parameter :: n = 10, w = 2
    type(daptor_layout) :: layout
    type(daptor_array) :: a
    real(real64), allocatable, target :: u(:)
    integer :: lo(1), hi(1), first(1), last(1), i, total, grid(1), position(1)
    character(:), allocatable :: report
    logical :: stale

    call layout%block([n], MPI_COMM_WORLD, ghosts=[w])
    call check(layout%rank() == 1, 'the rank of a layout')
    call layout%owned_bounds(lo, hi)
    call layout%local_bounds(first, last)
    call layout%process_grid(grid, position)
    call check(grid(1) == ranks .and. position(1) == my_rank, 'the place on the grid')
    call check(first(1) == lo(1) - w .and. last(1) == hi(1) + w, 'ghosts on both sides')
    call MPI_Allreduce(hi(1) - lo(1) + 1, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call check(total == n, 'each point is owned once')

    allocate (u(first(1):last(1)), source=-1.0_real64)
    do i = lo(1), hi(1)
      u(i) = i
    end do
    call a%describe(u, layout)
    call a%validate()
    call a%stale_padding(stale, report)
    call check(stale .eqv. ranks > 1, 'copies that were not filled')
    call check(ranks == 1 .or. index(report, 'holds -1, and its owner has ') > 0, report)
    call daptor_update_ghosts(a)
    call a%stale_padding(stale, report)
    call check(.not. stale, 'copies that were filled')
    do i = first(1), last(1)
      call check(u(i) == merge(real(i, real64), -1.0_real64, i >= 1 .and. i <= n), &
                 'a value of the line')
    end do
  end subroutine one_dimension

  !> An array whose element (i, j) holds 100 i + j.
  subroutine two_dimensions(grid, w, periodic)
    integer, intent(in) :: grid(2), w(2)
    logical, intent(in) :: periodic(2)
    integer, parameter :: n(2) = [17, 19]
    type(daptor_layout) :: layout
    type(daptor_array) :: a
    type(daptor_halo) :: halo
    real(real64), allocatable, target :: u(:, :)
    integer :: lo(2), hi(2), first(2), last(2), i, j, p(2)
    logical :: inside(2)

    call layout%block(n, MPI_COMM_WORLD, grid=grid, ghosts=w, periodic=periodic)
    call layout%owned_bounds(lo, hi)
    call layout%local_bounds(first, last)
    call check(all(first == lo - w) .and. all(last == hi + w), 'ghosts on all sides')
    allocate (u(first(1):last(1), first(2):last(2)), source=-1.0_real64)
    do j = lo(2), hi(2)
      do i = lo(1), hi(1)
        u(i, j) = 100 * i + j
      end do
    end do
    call a%describe(u, layout)
    call halo%create(a)
    call halo%begin()
    call halo%finish()
    do j = first(2), last(2)
      do i = first(1), last(1)
        p = [i, j]
        inside = periodic .or. (p >= 1 .and. p <= n)
        where (periodic) p = modulo(p - 1, n) + 1
        if (all(inside)) then
          call check(u(i, j) == 100 * p(1) + p(2), 'a value that the grid has')
        else
          call check(u(i, j) == -1, 'a ghost outside of the grid was written')
        end if
      end do
    end do
  end subroutine two_dimensions

  !> Three components that vary fastest, in single precision, described one dimension at a time.
  subroutine components_of_singles()
    integer, parameter :: n = 12
    type(daptor_layout) :: layout
    type(daptor_array) :: a
    type(daptor_halo) :: halo
    real(real32), allocatable, target :: u(:, :)
    integer :: lo(2), hi(2), first(2), last(2), i

    call layout%create([daptor_undistributed(3), &
                        daptor_block(n, ranks, my_rank, ghosts=1, periodic=.true.)], MPI_COMM_WORLD)
    call layout%owned_bounds(lo, hi)
    call layout%local_bounds(first, last)
    call check(first(1) == 1 .and. last(1) == 3, 'an undistributed dimension has no ghosts')
    allocate (u(3, first(2):last(2)), source=-1.0)
    do i = lo(2), hi(2)
      u(:, i) = [10 * i + 1, 10 * i + 2, 10 * i + 3]
    end do
    call a%describe(u, layout)
    call halo%create(a, star=.true.)
    call halo%update()
    do i = first(2), last(2)
      call check(nint(u(2, i)) == 10 * (modulo(i - 1, n) + 1) + 2, 'a component')
    end do
  end subroutine components_of_singles

  subroutine four_dimensions_of_integers()
    integer, parameter :: n(4) = [3, 8, 2, 9]
    type(daptor_layout) :: layout
    type(daptor_array) :: a
    integer(int64), allocatable, target :: u(:, :, :, :)
    integer(int64) :: lo(4), hi(4), first(4), last(4)
    integer(int64) :: i, j, k, l

    call layout%block(int(n, int64), MPI_COMM_WORLD, grid=[1, 0, 1, 0], ghosts=[1, 1, 0, 2])
    call layout%owned_bounds(lo, hi)
    call layout%local_bounds(first, last)
    allocate (u(first(1):last(1), first(2):last(2), first(3):last(3), first(4):last(4)))
    u = -1
    do l = lo(4), hi(4)
      do k = lo(3), hi(3)
        do j = lo(2), hi(2)
          do i = lo(1), hi(1)
            u(i, j, k, l) = i + 100 * j + 10000 * k + 1000000 * l
          end do
        end do
      end do
    end do
    call a%describe(u, layout)
    call daptor_update_ghosts(a)
    do l = first(4), last(4)
      do k = first(3), last(3)
        do j = first(2), last(2)
          do i = first(1), last(1)
            if (all([i, j, k, l] >= 1 .and. [i, j, k, l] <= n)) then
              call check(u(i, j, k, l) == i + 100 * j + 10000 * k + 1000000 * l, 'a value in 4d')
            else
              call check(u(i, j, k, l) == -1, 'a ghost outside in 4d')
            end if
          end do
        end do
      end do
    end do
  end subroutine four_dimensions_of_integers

  !> Each process adds 1 to all that it sees: owners then count who sees their points.
  subroutine contributions()
    integer, parameter :: n = 12
    type(daptor_layout) :: layout
    type(daptor_array) :: a
    type(daptor_halo) :: halo
    complex(real64), allocatable, target :: u(:)
    integer :: lo(1), hi(1), first(1), last(1), i, seen, stat
    character(errmsg_length) :: errmsg

    call layout%block([n], MPI_COMM_WORLD, padding=[1])
    call layout%owned_bounds(lo, hi)
    call layout%local_bounds(first, last)
    allocate (u(first(1):last(1)), source=(1.0_real64, 2.0_real64))
    call a%describe(u, layout)
    call halo%create(a)
    call halo%accumulate()
    do i = lo(1), hi(1)
      seen = 1
      if (i == lo(1) .and. i > 1) seen = seen + 1
      if (i == hi(1) .and. i < n) seen = seen + 1
      call check(u(i) == seen * (1.0_real64, 2.0_real64), 'a sum of contributions')
    end do
    call halo%accumulate(daptor_max, stat, errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'argument', 'a complex maximum')
    call halo%accumulate(-1, stat, errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'daptor_sum', 'no combination')
  end subroutine contributions

  !> One exchange for two arrays, bound to others in turn; several in one message.
  subroutine two_time_levels()
    integer, parameter :: n = 9
    type(daptor_layout) :: layout
    type(daptor_array) :: levels(2), wrong
    type(daptor_halo) :: halo, both
    real(real64), allocatable, target :: u(:, :), other(:)
    integer :: lo(1), hi(1), first(1), last(1), i, stat
    character(errmsg_length) :: errmsg

    call layout%block([n], MPI_COMM_WORLD, ghosts=[1], periodic=[.true.])
    call layout%owned_bounds(lo, hi)
    call layout%local_bounds(first, last)
    allocate (u(first(1):last(1), 2), other(first(1):last(1)), source=0.0_real64)
    call levels(1)%describe(u(:, 1), layout)
    call levels(2)%describe(u(:, 2), layout)
    call halo%create(levels(1))
    call halo%rebind(levels(2))
    u(lo(1):hi(1), :) = reshape([(i, i=lo(1), hi(1)), (-i, i=lo(1), hi(1))], [hi(1) - lo(1) + 1, 2])
    call halo%update()
    call check(u(first(1), 1) == 0, 'the array that is no longer bound was written')
    call check(nint(u(first(1), 2)) == -(modulo(first(1) - 1, n) + 1), 'the array that is bound')
    call both%create(levels)
    call both%update()
    call check(nint(u(last(1), 1)) == modulo(last(1) - 1, n) + 1, 'a batch')

    call halo%finish(stat, errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'found finish without', 'not begun')
    call wrong%describe(u(first(1):last(1):1, 1), layout)
    call both%rebind(wrong, stat, errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'halo.batch', 'another number of arrays')
  end subroutine two_time_levels

  !> The integer handles of `use mpi`.
  subroutine handle_communicator()
    type(daptor_layout) :: layout
    integer :: lo(1), hi(1)

    call layout%block([5], MPI_COMM_WORLD%mpi_val)
    call layout%owned_bounds(lo, hi)
    call check(hi(1) - lo(1) + 1 == 5 / ranks + merge(1, 0, my_rank < mod(5, ranks)), &
               'blocks over an integer handle')
  end subroutine handle_communicator

  !> A Cartesian communicator is the grid, and says which dimensions are periodic.
  subroutine cartesian_communicator()
    type(MPI_Comm) :: cart
    type(daptor_layout) :: layout, same
    type(daptor_array) :: a
    real(real64), allocatable, target :: u(:, :)
    integer :: place(2), grid(2), position(2), first(2), last(2), lo(2), hi(2), j, stat
    character(errmsg_length) :: errmsg

    call MPI_Cart_create(MPI_COMM_WORLD, 2, [1, ranks], [.false., .true.], .false., cart)
    call MPI_Cart_coords(cart, my_rank, 2, place)
    call layout%block([4, 3 * ranks], cart, ghosts=[1, 1])
    call layout%process_grid(grid, position)
    call check(all(grid == [1, ranks]) .and. all(position == place), 'the Cartesian grid')
    call layout%local_bounds(first, last)
    call layout%owned_bounds(lo, hi)
    allocate (u(first(1):last(1), first(2):last(2)), source=-1.0_real64)
    do j = lo(2), hi(2)
      u(:, j) = j
    end do
    call a%describe(u, layout)
    call daptor_update_ghosts(a)
    call check(nint(u(1, first(2))) == modulo(first(2) - 1, 3 * ranks) + 1, 'a periodic ghost')

    call same%create([daptor_block(4), daptor_block(3 * ranks)], cart)
    call same%process_grid(grid, position)
    call check(all(grid == [1, ranks]) .and. all(position == place), 'dimensions without a grid')

    call layout%block([4, 8], cart, periodic=[.false., .false.], stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'periodic', 'not the periods')
    call layout%block([4, 8], cart, grid=[ranks + 1, 0], stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'grid', 'not the dims')
    call layout%block([4, 8], cart, position=place + 1, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'position', 'not the coordinates')
    call layout%block([4, 8, 3], cart, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'grid', 'more dimensions')
    call same%create([daptor_block(4), daptor_block(8, periodic=.false.)], cart, stat, errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'periodic', 'a dimension')
    call MPI_Comm_free(cart)
  end subroutine cartesian_communicator

  !> Point (i, j) holds i - 3 j, ghost cells 1e30; the whole array on each process is the oracle.
  subroutine reductions()
    integer, parameter :: n(2) = [7, 5]
    type(daptor_layout) :: layout
    type(daptor_array) :: a, mask, empty
    real(real64), allocatable, target :: u(:, :)
    real(real64), target :: whole(7, 5), gathered(7, 5)
    integer(int32), allocatable, target :: odd(:, :)
    integer :: lo(2), hi(2), first(2), last(2), i, j, place(2), stat
    integer(int64) :: long_place(2), number
    real(real64) :: s
    logical :: yes
    character(errmsg_length) :: errmsg

    call layout%block(n, MPI_COMM_WORLD, ghosts=[1, 1])
    call layout%owned_bounds(lo, hi)
    call layout%local_bounds(first, last)
    allocate (u(first(1):last(1), first(2):last(2)), source=1e30_real64)
    allocate (odd(first(1):last(1), first(2):last(2)), source=1)
    whole = reshape([((mod(i, 4) - mod(3 * j, 7), i=1, n(1)), j=1, n(2))], n)
    u(lo(1):hi(1), lo(2):hi(2)) = whole(lo(1):hi(1), lo(2):hi(2))
    odd(lo(1):hi(1), lo(2):hi(2)) = &
      mod(reshape([((i, i=lo(1), hi(1)), j=lo(2), hi(2))], hi - lo + 1), 2)
    call a%describe_readonly(u, layout)
    call mask%describe(odd, layout)

    call a%sum(s)
    call check(s == sum(whole), 'the sum')
    call a%sum(s, mask=mask)
    call check(s == sum(whole(1::2, :)), 'the sum of odd rows')
    call a%mean(s)
    call check(abs(s - sum(whole) / size(whole)) < 1e-12, 'the mean')
    call a%var(s, ddof=1.0_real64)
    call check(abs(s - sum((whole - sum(whole) / size(whole))**2) / (size(whole) - 1)) < 1e-12, &
               'the variance')
    call a%minval(s)
    call check(s == minval(whole), 'the least')
    call a%maxval(s)
    call check(s == maxval(whole), 'the greatest')
    call a%norm2(s)
    call check(abs(s - norm2(whole)) < 1e-12, 'the norm')
    call a%dot_product(mask, s)
    call check(s == sum(whole(1::2, :)), 'the product with the mask')
    call a%minloc(place)
    call check(all(place == minloc(whole)), 'the first least in the order of Fortran')
    call a%maxloc(long_place)
    call check(all(long_place == maxloc(whole)), 'the first greatest')
    call a%maxloc(place, mask=mask)
    call check(all(place == maxloc(whole, mod(spread([(i, i=1, 7)], 2, 5), 2) == 1)), &
               'the first greatest of odd rows')
    call a%count(number)
    call check(number == count(whole /= 0), 'the count')
    call a%any(yes)
    call check(yes, 'any')
    call a%all(yes)
    call check(yes .eqv. all(whole /= 0), 'all')

    gathered = -1
    call a%gather(gathered, process=ranks - 1)
    call check(all(gathered == merge(whole, spread(spread(-1.0_real64, 1, 7), 2, 5), &
                                     my_rank == ranks - 1)), 'the whole on the last process')
    call a%gather(gathered, everywhere=.true.)
    call check(all(gathered == whole), 'the whole on all processes')

    call a%sum(i, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'reduction.type', 'a sum as an integer')
    call a%dot_product(empty, s, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'fortran.empty', 'an empty operand')
    call a%sum(s, mask=a, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'reduction.type', 'a mask of reals')
    call a%minloc(place(:1), stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'one for each', 'a place too short')
    call a%gather(gathered(:, 2:), everywhere=.true., stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'fortran.extent', 'a whole too small')
    call a%gather(gathered, process=ranks, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'a process', 'no such process')
  end subroutine reductions

  subroutine other_kinds()
    type(daptor_layout) :: layout
    type(daptor_array) :: a
    integer(int32), allocatable, target :: u(:)
    complex(real32), allocatable, target :: z(:)
    integer(int32) :: number
    complex(real64) :: product
    real(real32) :: length
    integer :: lo(1), hi(1)

    call layout%block([6], MPI_COMM_WORLD)
    call layout%owned_bounds(lo, hi)
    allocate (u(lo(1):hi(1)), source=2)
    call a%describe(u, layout)
    call a%sum(number)
    call check(number == 12, 'a sum of integers')
    allocate (z(lo(1):hi(1)), source=(1.0, 2.0))
    call a%describe(z, layout)
    call a%dot_product(a, product)
    call check(product == (30.0_real64, 0.0_real64), 'a product of complex numbers')
    call a%norm2(length)
    call check(abs(length - sqrt(30.0)) < 1e-5, 'their norm')
  end subroutine other_kinds

end program ghosts_test
