! SPDX-License-Identifier: BSD-3-Clause
!> What is wrong on one rank is the same error on all ranks, in Fortran's terms, with the fault on
!> each rank in turn; and a failed call has changed nothing.
program errors_test
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env
  use mpi_f08
  use daptor
  use checking
  implicit none

  integer :: guilty, stat
  character(errmsg_length) :: errmsg
  type(daptor_layout) :: grid
  type(daptor_array) :: known
  integer :: first(2), last(2)
  real(real64), allocatable, target :: u(:, :)

  call start_checks()
  call grid%block([9, 10], MPI_COMM_WORLD, ghosts=[1, 2])
  call grid%local_bounds(first, last)
  allocate (u(first(1):last(1), first(2):last(2)), source=0.0_real64)
  call make_known(known)
  do guilty = 0, ranks - 1
    call empty_on_one_rank()
    call mixed_calls()
    call wrong_extent()
    call wrong_rank()
    call wrong_kind()
    call not_allocated()
    call bounds_in_messages()
    call wrong_blocks()
    call wrong_dimensions()
    call different_shapes()
    call wrong_indices()
    call different_types()
    call foreign_descriptor()
  end do
  call processes_without_points()
  call nothing_there()
  call too_long()
  call success()
  call configuration()
  call known%free()
  deallocate (u)
  call end_checks()

contains

  subroutine configuration()
    call check(len(daptor_configuration('compiler')) > 0, 'the compiler is not known')
    call check(len(daptor_configuration('colour')) == 0, 'there is no such fact')
    call check(index(daptor_configuration(), 'version: '//daptor_configuration('version')) == 1, &
               'all facts do not begin with the version')
  end subroutine configuration

  !> The description that a refused one must leave as it was.
  subroutine make_known(a)
    type(daptor_array), intent(inout) :: a

    call a%describe(u, grid)
  end subroutine make_known

  subroutine wrong_extent()
    type(daptor_array) :: a
    real(real64), allocatable, target :: v(:, :)
    integer(c_int64_t) :: before
    integer :: more

    more = merge(1, 0, my_rank == guilty)
    allocate (v(first(1):last(1), first(2):last(2) + more), source=0.0_real64)
    call make_known(a)
    before = a%handle()
    call a%describe(v, grid, stat, errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'fortran.extent', 'one column too many')
    call check(index(errmsg, 'dimension 2') > 0, 'the dimension is counted from 1: ' // errmsg)
    call check(index(errmsg, 'rank ' // text(guilty)) > 0, 'the rank at fault: ' // errmsg)
    call check(index(errmsg, 'local_bounds') > 0, 'what to do: ' // errmsg)
    call check(a%handle() == before, 'a failed describe changed the array')
    ! An interior without ghost cells, the usual mistake.
    call a%describe(v(first(1) + 1:last(1) - 1, :), grid, stat, errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'fortran.extent', 'without ghost cells')
  end subroutine wrong_extent

  !> A variable that was never given anything does not say who makes the call with this rank.
  subroutine empty_on_one_rank()
    type(daptor_array) :: a
    type(daptor_halo) :: halo

    if (my_rank /= guilty) a = known
    call halo%create(a, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'fortran.empty', 'empty on one rank')
    if (ranks > 1) &
      call check(index(errmsg, 'rank ' // text(guilty)) > 0, 'the rank at fault: ' // errmsg)
    call check(halo%is_empty(), 'an exchange of no array')
  end subroutine empty_on_one_rank

  !> The guilty rank is in one collective call and the others in the next of the list.
  subroutine mixed_calls()
    character(24), parameter :: names(6) = [character(24) :: 'layout%block', 'layout%create', &
                                            'array%describe', 'array%validate', 'halo%create', &
                                            'redistribution%create']
    integer :: here, elsewhere

    if (ranks == 1) return
    do here = 1, size(names)
      elsewhere = mod(here, size(names)) + 1
      call make(merge(here, elsewhere, my_rank == guilty))
      call check_stat(stat, daptor_invalid_argument, errmsg, 'collective.mixed', 'mixed calls')
      call check(index(errmsg, 'in ' // trim(names(here))) > 0 .and. &
                 index(errmsg, 'in ' // trim(names(elsewhere))) > 0, 'who is where: ' // errmsg)
    end do
  end subroutine mixed_calls

  !> The collective call of that number.
  subroutine make(number)
    integer, intent(in) :: number
    type(daptor_layout) :: layout
    type(daptor_array) :: a
    type(daptor_halo) :: halo
    type(daptor_redistribution) :: copy

    select case (number)
    case (1)
      call layout%block([9, 10], MPI_COMM_WORLD, stat=stat, errmsg=errmsg)
    case (2)
      call layout%create([daptor_block(8, ranks, my_rank)], MPI_COMM_WORLD, stat, errmsg)
    case (3)
      call a%describe(u, grid, stat, errmsg)
    case (4)
      call known%validate(stat=stat, errmsg=errmsg)
    case (5)
      call halo%create(known, stat=stat, errmsg=errmsg)
    case (6)
      call copy%create(known, known, stat=stat, errmsg=errmsg)
    end select
  end subroutine make

  subroutine wrong_rank()
    type(daptor_array) :: a
    real(real64), allocatable, target :: v(:, :, :)

    allocate (v(first(1):last(1), first(2):last(2), 1), source=0.0_real64)
    if (my_rank == guilty) then
      call a%describe(v, grid, stat, errmsg)
    else
      call a%describe(v(:, :, 1), grid, stat, errmsg)
    end if
    call check_stat(stat, daptor_invalid_argument, errmsg, 'fortran.rank', 'one dimension too many')
    call check(a%is_empty(), 'an array after a failed describe')
  end subroutine wrong_rank

  subroutine wrong_kind()
    type(daptor_array) :: a
    logical, allocatable, target :: flags(:, :)
    character(3), allocatable, target :: words(:, :)

    allocate (flags(first(1):last(1), first(2):last(2)), source=.false.)
    allocate (words(first(1):last(1), first(2):last(2)))
    words = 'abc'
    if (my_rank == guilty) then
      call a%describe(flags, grid, stat, errmsg)
    else
      call a%describe(u, grid, stat, errmsg)
    end if
    call check_stat(stat, daptor_invalid_argument, errmsg, 'fortran.type', 'a default logical')
    errmsg = 'untouched'
    if (my_rank == guilty) then
      call a%describe(words, grid, stat, errmsg)
    else
      call a%describe(u, grid, stat)
    end if
    call check(stat == daptor_invalid_argument .and. errmsg == 'untouched', 'characters')
  end subroutine wrong_kind

  !> What another Fortran compiler would pass: a descriptor of another version.
  subroutine foreign_descriptor()
    interface
      function describe_bytes(object, values, component, layout, readonly) &
        bind(c, name='daptor_fortran_array_describe') result(code)
        import
        integer(c_int64_t), intent(inout) :: object
        integer(c_int64_t), intent(in) :: values(*), component(*)
        integer(c_int64_t), value :: layout
        integer(c_int32_t), value :: readonly
        integer(c_int) :: code
      end function describe_bytes

      function layout_of(object, layout) &
        bind(c, name='daptor_fortran_array_get_layout') result(code)
        import
        integer(c_int64_t), value :: object
        integer(c_int64_t), intent(inout) :: layout
        integer(c_int) :: code
      end function layout_of

      subroutine free_object(object) bind(c, name='daptor_fortran_free')
        import
        integer(c_int64_t), intent(inout) :: object
      end subroutine free_object
    end interface
    type(daptor_array) :: a
    integer(c_int64_t) :: bytes(64), layout, object

    bytes = 0
    layout = 0
    object = 0
    call daptor_conclude(layout_of(known%handle(), layout))
    if (my_rank == guilty) then
      call daptor_conclude(describe_bytes(object, bytes, bytes, layout, 0_c_int32_t), stat, errmsg)
    else
      call a%describe(u, grid, stat, errmsg)
    end if
    call check_stat(stat, daptor_invalid_argument, errmsg, 'fortran.descriptor', 'version 0')
    call check(object == 0, 'no array of a descriptor that cannot be read')
    call free_object(layout)
  end subroutine foreign_descriptor

  subroutine not_allocated()
    real(real64), pointer :: v(:, :)

    v(first(1):last(1), first(2):last(2)) => null_target(size(u))
    call refuse_unallocated(v)
    v(1:3, 1:4) => null_target(12)  ! the extents of memory that was freed
    call refuse_unallocated(v)
  end subroutine not_allocated

  subroutine refuse_unallocated(v)
    real(real64), pointer, intent(in) :: v(:, :)
    type(daptor_array) :: a

    if (my_rank == guilty) then
      call a%describe(v, grid, stat, errmsg)
    else
      call a%describe(u, grid, stat, errmsg)
    end if
    call check_stat(stat, daptor_invalid_argument, errmsg, 'fortran.allocated', 'no memory')
  end subroutine refuse_unallocated

  !> Elements at address 0: what an array that is not allocated looks like.
  function null_target(length) result(v)
    integer, intent(in) :: length
    real(real64), pointer :: v(:)

    call c_f_pointer(c_null_ptr, v, [length])
  end function null_target

  !> Messages name points by the bounds of the layout, which begin outside of the grid if there are
  !> ghost cells.
  subroutine bounds_in_messages()
    integer :: width

    if (guilty == 0) return
    do width = 0, 1
      call name_the_gap(width, merge(0, 1, width > 0 .and. guilty == 1), &
                        merge(1, 0, width > 0 .and. guilty == ranks - 1))
    end do
  end subroutine bounds_in_messages

  !> Three points on each rank, but for the first of one rank.
  subroutine name_the_gap(width, least, more)
    integer, intent(in) :: width, least, more
    type(daptor_layout) :: layout
    type(daptor_array) :: a
    real(real64), allocatable, target :: v(:)
    integer :: lo(1), hi(1)
    character(60) :: expected

    call layout%block([3 * ranks], MPI_COMM_WORLD, ghosts=[width], &
                      lower=[3 * my_rank + merge(2, 1, my_rank == guilty)], upper=[3 * my_rank + 3])
    call layout%local_bounds(lo, hi)
    allocate (v(lo(1):hi(1)), source=0.0_real64)
    call a%describe(v, layout)
    call a%validate(stat=stat, errmsg=errmsg)
    write (expected, '(a, i0, a, i0, a, i0, a, i0)') 'owned ', 3 * guilty + 2, ':', &
      3 * guilty + 3 + more, ' after ', 3 * guilty - 3 + least, ':', 3 * guilty
    call check_stat(stat, daptor_malformed, errmsg, trim(expected), 'a gap')
    call check_stat(stat, daptor_malformed, errmsg, 'the index after the last one', 'a gap')
  end subroutine name_the_gap

  !> More processes than points: the bounds of those without any are empty, and their arrays need
  !> not be allocated.
  subroutine processes_without_points()
    type(daptor_layout) :: layout
    type(daptor_array) :: a
    real(real64), pointer :: v(:, :)
    integer :: lo(2), hi(2), width

    do width = 0, 1
      call layout%block([2, 1], MPI_COMM_WORLD, grid=[ranks, 1], ghosts=[width, width])
      call layout%owned_bounds(lo, hi)
      call check(all(hi - lo >= -1), 'owned bounds of a process without points')
      call layout%local_bounds(lo, hi)
      call check(all(hi - lo >= -1), 'bounds of a process without points')
      if (any(hi < lo)) then
        v(1:3, 1:4) => null_target(12)
      else
        allocate (v(lo(1):hi(1), lo(2):hi(2)), source=0.0_real64)
      end if
      call a%describe(v, layout, stat, errmsg)
      call check(stat == 0, 'no memory where there are no points: ' // errmsg)
      call a%validate()
      call a%free()
      if (all(hi >= lo)) deallocate (v)
    end do
  end subroutine processes_without_points

  subroutine wrong_blocks()
    type(daptor_layout) :: layout
    integer :: wrong

    wrong = merge(1, 0, my_rank == guilty)
    call layout%block([8, 8], MPI_COMM_WORLD, ghosts=[1, 1 - 2 * wrong], stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_malformed, errmsg, 'P03', 'a negative width')
    call check(index(errmsg, 'dimension 2') > 0, 'the dimension of a width: ' // errmsg)
    call layout%block([8 - 20 * wrong, 8], MPI_COMM_WORLD, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_malformed, errmsg, 'D08', 'a negative size')
    call layout%block([8, 8], MPI_COMM_WORLD, grid=[ranks + wrong, 1], stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'grid', 'a grid of other processes')
    if (my_rank == guilty) then
      call layout%block([8, 8], MPI_COMM_WORLD, ghosts=[1], stat=stat, errmsg=errmsg)
    else
      call layout%block([8, 8], MPI_COMM_WORLD, ghosts=[1, 1], stat=stat, errmsg=errmsg)
    end if
    call check_stat(stat, daptor_invalid_argument, errmsg, 'ghosts', 'too few widths')
    call layout%block([8], MPI_COMM_WORLD, lower=[1 - wrong], upper=[0], stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, '1:8', 'a bound outside of the grid')
    call layout%block([4 * ranks], MPI_COMM_WORLD, lower=[4 * my_rank + 1], &
                      upper=[4 * my_rank + 5], stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'not one past it', 'an exclusive bound')
    if (ranks > 1) then
      call layout%block([4 * ranks], MPI_COMM_WORLD, lower=[4 * my_rank + 1], upper=[4], &
                        stat=stat, errmsg=errmsg)
      call check_stat(stat, daptor_invalid_argument, errmsg, 'number of points', 'a count')
    end if
    call layout%block([8], MPI_COMM_WORLD, ghosts=[1], padding=[1], stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'ghosts', 'ghosts and padding')
    call check(layout%is_empty() .and. layout%rank() == -1, 'a layout after failed calls')
  end subroutine wrong_blocks

  subroutine wrong_dimensions()
    type(daptor_layout) :: layout
    type(daptor_dimension) :: dimensions(2)

    dimensions = [daptor_undistributed(3), daptor_block(8, ranks, my_rank)]
    if (my_rank == guilty) dimensions(2) = daptor_block(8, ranks, ranks)
    call layout%create(dimensions, MPI_COMM_WORLD, stat, errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'position', 'a position outside')
    if (my_rank == guilty) dimensions(2) = daptor_block(8, ranks, my_rank, lower=-1, upper=-1)
    call layout%create(dimensions, MPI_COMM_WORLD, stat, errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'lower -1, upper -1', 'bounds of -1')
    if (my_rank == guilty) dimensions(2) = daptor_block(8, ranks, my_rank, upper=8)
    call layout%create(dimensions, MPI_COMM_WORLD, stat, errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'both arguments or neither', 'no lower')
    if (my_rank == guilty) dimensions(2) = daptor_dimension()
    if (my_rank /= guilty) dimensions(2) = daptor_cyclic(8, ranks, my_rank, 2)
    call layout%create(dimensions, MPI_COMM_WORLD, stat, errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'daptor_block', 'no dimension')
  end subroutine wrong_dimensions

  !> Each rank's own description is sound; together they make no array.
  subroutine different_shapes()
    type(daptor_layout) :: layout
    type(daptor_array) :: a
    type(daptor_halo) :: halo
    integer :: lo(1), hi(1)
    real(real64), allocatable, target :: v(:)
    logical :: conforms
    character(:), allocatable :: report

    if (ranks == 1) return
    call layout%block([20 + merge(1, 0, my_rank == guilty)], MPI_COMM_WORLD, ghosts=[1])
    call layout%local_bounds(lo, hi)
    allocate (v(lo(1):hi(1)), source=0.0_real64)
    call a%describe(v, layout)
    call a%validate(conforms, report)
    call check(.not. conforms, 'an array of two sizes conforms')
    call check(index(report, 'dimension 1') > 0, 'the report counts dimensions from 1: ' // report)
    call check(index(report, 'malformed') > 0, 'the verdict: ' // report)
    call check(same_everywhere(report), 'ranks have different reports')
    call a%validate(stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_malformed, errmsg, 'D', 'validation without conforms')
    call halo%create(a, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_malformed, errmsg, 'D', 'an exchange of two sizes')
    call check(halo%is_empty(), 'an exchange that was refused')
  end subroutine different_shapes

  subroutine wrong_indices()
    type(daptor_layout) :: layout
    integer :: indices(2)

    indices = [my_rank + 1, my_rank + 2]
    if (my_rank == guilty) indices(2) = 0
    call layout%create([daptor_unstructured(ranks + 1, indices, ranks, my_rank)], MPI_COMM_WORLD, &
                       stat, errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, '0 as element 2', 'an index 0')
    indices(2) = my_rank + 2
    call layout%create([daptor_unstructured(ranks + 1, indices, ranks, my_rank, &
                                            owned=merge(3, 1, my_rank == guilty))], &
                       MPI_COMM_WORLD, stat, errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'owned', 'more owned than listed')
  end subroutine wrong_indices

  subroutine different_types()
    type(daptor_array) :: a
    type(daptor_halo) :: halo
    real(real32), allocatable, target :: v(:, :)

    if (ranks == 1) return
    allocate (v(first(1):last(1), first(2):last(2)), source=0.0)
    if (my_rank == guilty) then
      call a%describe(v, grid)
    else
      call a%describe(u, grid)
    end if
    call halo%create(a, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_malformed, errmsg, 'T16', 'two element types')
  end subroutine different_types

  !> Variables that hold nothing, and one that is read-only.
  subroutine nothing_there()
    type(daptor_layout) :: layout
    type(daptor_array) :: a, none(0)
    type(daptor_halo) :: halo
    type(daptor_redistribution) :: copy
    integer :: lo(2), hi(2)

    call layout%owned_bounds(lo, hi, stat, errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'fortran.empty', 'an empty layout')
    call a%describe(u, layout, stat, errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'daptor_layout', 'an empty layout')
    call a%validate(stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'daptor_array', 'an empty array')
    call halo%create(a, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'daptor_array', 'an empty array')
    call halo%create(none, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'daptor_array', 'no array')
    call halo%update(stat, errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'daptor_halo', 'an empty exchange')
    call copy%run(stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'daptor_redistribution', 'an empty copy')
    call grid%owned_bounds(lo(:1), hi(:1), stat, errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'fortran.rank', 'too few bounds')
    call a%describe_readonly(u, grid)
    call halo%create(a, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'lease.readonly', 'read-only memory')
    call layout%block([4], MPI_COMM_NULL, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'MPI_COMM_NULL', 'no communicator')
  end subroutine nothing_there

  !> Bounds that default integers do not hold.
  subroutine too_long()
    type(daptor_layout) :: layout
    integer :: lo(1), hi(1)
    integer(int64) :: long_lo(1), long_hi(1)

    call layout%block([10000000000_int64 * ranks], MPI_COMM_WORLD)
    call layout%owned_bounds(long_lo, long_hi)
    call check(long_hi(1) - long_lo(1) + 1 == 10000000000_int64, 'long bounds')
    call layout%owned_bounds(lo, hi, stat, errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'int64', 'bounds of a default integer')
  end subroutine too_long

  !> stat is 0, and errmsg keeps its value.
  subroutine success()
    type(daptor_array) :: a

    errmsg = 'untouched'
    stat = -1
    call a%describe(u, grid, stat, errmsg)
    call check(stat == 0 .and. errmsg == 'untouched', 'success touches errmsg')
  end subroutine success

  function text(number) result(digits)
    integer, intent(in) :: number
    character(:), allocatable :: digits
    character(12) :: buffer

    write (buffer, '(i0)') number
    digits = trim(buffer)
  end function text

end program errors_test
