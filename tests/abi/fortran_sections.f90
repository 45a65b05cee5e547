! SPDX-License-Identifier: BSD-3-Clause
!> A producer and a consumer in Fortran, called from the C++ tests and from fortran_program.
module fortran_sections
  use, intrinsic :: iso_c_binding
  use daptor_abi
  implicit none

  !> An array that Fortran owns: nx rows on every process, its share of ny columns.
  type :: held_grid
    real(c_double), allocatable :: u(:, :)
  end type held_grid

  integer(c_int) :: live = 0

contains

  !> This rank's columns of an nx x ny array, blocks over dimension 1; each element holds its
  !> column-major global number, from zero.
  function fortran_make_grid(rank, ranks, nx, ny, array) bind(c) result(stat)
    integer(c_int), value :: rank, ranks, nx, ny
    type(daptor_array), intent(out) :: array
    integer(c_int) :: stat
    type(held_grid), pointer :: grid
    type(daptor_dimension) :: columns
    integer :: i, j

    columns = daptor_block(ny, ranks, rank)
    allocate (grid)
    allocate (grid%u(nx, columns%stop - columns%start))
    do j = 1, ubound(grid%u, 2)
      do i = 1, nx
        grid%u(i, j) = real(i - 1 + nx * (columns%start + j - 1), c_double)
      end do
    end do
    call daptor_describe(grid%u, 'd', [daptor_undistributed(nx), columns], array, stat, &
                         give_back, c_loc(grid))
    if (stat == 0) live = live + 1
  end function fortran_make_grid

  subroutine give_back(context) bind(c, name='')
    type(c_ptr), value :: context
    type(held_grid), pointer :: grid

    call c_f_pointer(context, grid)
    deallocate (grid)
    live = live - 1
  end subroutine give_back

  function fortran_live_grids() bind(c) result(count)
    integer(c_int) :: count

    count = live
  end function fortran_live_grids

  !> Doubles every element of a section of rank 1, 2 or 3 and adds them up; c_order is 1 where the
  !> section lies in C order. Returns the status of daptor_section, or 10 where access failed.
  function fortran_double_and_sum(array, c_order, total, first) bind(c) result(stat)
    type(daptor_array), intent(inout) :: array
    integer(c_int), value :: c_order
    real(c_double), intent(out) :: total
    type(c_ptr), intent(out) :: first
    integer(c_int) :: stat
    real(c_double), pointer :: p1(:), p2(:, :), p3(:, :, :)

    total = 0
    first = c_null_ptr
    call daptor_begin_access(array, daptor_write, stat)
    if (stat /= daptor_ok) then
      stat = 10
      return
    end if
    select case (array%ndim)
    case (1)
      call daptor_section(array, p1, stat, c_order == 1)
      if (stat == 0) then
        p1 = 2 * p1
        total = sum(p1)
        if (ubound(p1, 1) > 0) first = c_loc(p1)
      end if
    case (2)
      call daptor_section(array, p2, stat, c_order == 1)
      if (stat == 0) then
        p2 = 2 * p2
        total = sum(p2)
        if (all(shape(p2) > 0)) first = c_loc(p2)
      end if
    case default
      call daptor_section(array, p3, stat, c_order == 1)
      if (stat == 0) then
        p3 = 2 * p3
        total = sum(p3)
        if (all(shape(p3) > 0)) first = c_loc(p3)
      end if
    end select
    call daptor_end_access(array, daptor_write)
    if (stat == 0) call daptor_modified(array, stat)
  end function fortran_double_and_sum

  !> The rank that daptor_section would give, and its extents.
  function fortran_extents(array, rank, c_order, extents) bind(c) result(stat)
    type(daptor_array), intent(in) :: array
    integer(c_int), value :: rank, c_order
    integer(c_int64_t), intent(out) :: extents(rank)
    integer(c_int) :: stat

    call daptor_extents(array, 'd', extents, stat, c_order == 1)
  end function fortran_extents

  !> Opens for writing; the length of the error text, or 0 where it opened.
  function fortran_error_length(array) bind(c) result(length)
    type(daptor_array), intent(inout) :: array
    integer(c_int) :: length
    integer :: stat

    length = 0
    call daptor_begin_access(array, daptor_write, stat)
    if (stat == daptor_ok) then
      call daptor_end_access(array, daptor_write)
    else
      length = len(daptor_last_error(array))
    end if
  end function fortran_error_length

  subroutine fortran_release(array) bind(c)
    type(daptor_array), intent(inout) :: array

    call daptor_release(array)
  end subroutine fortran_release

  !> Status of daptor_describe for arrays that it must refuse: 1 format, 2 dimensions, 3 gaps.
  function fortran_refusal(which) bind(c) result(stat)
    integer(c_int), value :: which
    integer(c_int) :: stat
    real(c_double), target :: u(4, 4)
    type(daptor_array) :: array

    u = 0
    select case (which)
    case (1)
      call daptor_describe(u, 'x', [daptor_undistributed(4), daptor_undistributed(4)], array, stat)
    case (2)
      call daptor_describe(u, 'd', [daptor_undistributed(16)], array, stat)
    case default
      call daptor_describe(u(1:4:2, :), 'd', [daptor_undistributed(2), daptor_undistributed(4)], &
                           array, stat)
    end select
    if (c_associated(array%release)) stat = -1
  end function fortran_refusal

  !> Every field with a value of its own, so that the C side can tell whether the types agree.
  subroutine fortran_pattern(array, dimension) bind(c)
    type(daptor_array), intent(out) :: array
    type(daptor_dimension), intent(out) :: dimension
    integer :: i

    array%abi_version = 1
    array%struct_size = 2
    array%dimension_size = 3
    array%flags = 4
    array%protocol_version = [5, 6, 7]
    array%ndim = 8
    array%device_type = 9
    array%device_id = 10
    array%format = [(achar(64 + i), i = 1, 16)]
    array%itemsize = 11
    array%shape = transfer(12_c_intptr_t, c_null_ptr)
    array%byte_strides = transfer(13_c_intptr_t, c_null_ptr)
    array%data = transfer(14_c_intptr_t, c_null_ptr)
    array%dimensions = transfer(15_c_intptr_t, c_null_ptr)
    array%release = transfer(16_c_intptr_t, c_null_funptr)
    array%modified = transfer(17_c_intptr_t, c_null_funptr)
    array%begin_access = transfer(18_c_intptr_t, c_null_funptr)
    array%end_access = transfer(19_c_intptr_t, c_null_funptr)
    array%last_error = transfer(20_c_intptr_t, c_null_funptr)
    array%private_data = transfer(21_c_intptr_t, c_null_ptr)
    array%stream = 22
    array%reserved = [(22 + i, i = 1, 7)]

    dimension%dist_type = 'u'
    dimension%periodic = 1
    dimension%padded = 2
    dimension%one_to_one = 3
    dimension%has_owned = 4
    dimension%size = 5
    dimension%proc_grid_size = 6
    dimension%proc_grid_rank = 7
    dimension%start = 8
    dimension%stop = 9
    dimension%block_size = 10
    dimension%padding = [11, 12]
    dimension%indices = transfer(13_c_intptr_t, c_null_ptr)
    dimension%indices_count = 14
    dimension%owned = 15
    dimension%owned_positions = transfer(16_c_intptr_t, c_null_ptr)
  end subroutine fortran_pattern

  !> The dimensions that the builders make.
  subroutine fortran_dimensions(dimensions, indices, count) bind(c)
    type(daptor_dimension), intent(out) :: dimensions(6)
    integer(c_int64_t), value :: count
    integer(c_int64_t), intent(in), target :: indices(count)

    dimensions(1) = daptor_undistributed(7_c_int64_t)
    dimensions(2) = daptor_block(11, 3, 1)
    dimensions(3) = daptor_block(11_c_int64_t, 3_c_int64_t, 1_c_int64_t, 2_c_int64_t, 9_c_int64_t)
    dimensions(4) = daptor_cyclic(11_c_int64_t, 3_c_int64_t, 2_c_int64_t, 2_c_int64_t)
    dimensions(5) = daptor_unstructured(20_c_int64_t, 3_c_int64_t, 0_c_int64_t, indices)
    dimensions(6) = daptor_cyclic(11_c_int64_t, 3_c_int64_t, 0_c_int64_t, 2_c_int64_t, &
                                  origin=1_c_int64_t)
  end subroutine fortran_dimensions

end module fortran_sections
