! SPDX-License-Identifier: BSD-3-Clause
! Procedures of the module daptor with sizes and bounds of kind INTEGER_KIND. Names in capitals
! are macros, which daptor.F90 defines before each inclusion.

  pure function BLOCK_DIMENSION(size, grid, position, lower, upper, ghosts, padding, boundary, &
                                periodic) result(dimension)
    integer(INTEGER_KIND), intent(in) :: size
    integer, intent(in), optional :: grid, position
    integer(INTEGER_KIND), intent(in), optional :: lower, upper
    integer, intent(in), optional :: ghosts, padding, boundary
    logical, intent(in), optional :: periodic
    type(daptor_dimension) :: dimension

    dimension%distribution = iachar('b')
    dimension%size = size
    if (present(grid)) dimension%grid = grid
    if (present(position)) dimension%position = position
    ! A layout refuses a dimension that has only one of the two.
    if (present(lower)) dimension%lower = lower
    if (present(upper)) dimension%upper = upper
    if (present(ghosts)) dimension%ghosts = width(ghosts)
    if (present(padding)) dimension%padding = width(padding)
    if (present(boundary)) dimension%boundary = width(boundary)
    if (present(periodic)) dimension%periodic = flag(periodic)
  end function BLOCK_DIMENSION

  pure function UNDISTRIBUTED_DIMENSION(size) result(dimension)
    integer(INTEGER_KIND), intent(in) :: size
    type(daptor_dimension) :: dimension

    dimension%distribution = iachar('n')
    dimension%size = size
  end function UNDISTRIBUTED_DIMENSION

  pure function CYCLIC_DIMENSION(size, grid, position, block_size, origin) result(dimension)
    integer(INTEGER_KIND), intent(in) :: size
    integer, intent(in) :: grid, position, block_size
    integer, intent(in), optional :: origin
    type(daptor_dimension) :: dimension

    dimension%distribution = iachar('c')
    dimension%size = size
    dimension%grid = grid
    dimension%position = position
    dimension%block_size = block_size
    if (present(origin)) dimension%origin = origin
  end function CYCLIC_DIMENSION

  function UNSTRUCTURED_DIMENSION(size, indices, grid, position, owned, one_to_one) &
    result(dimension)
    integer(INTEGER_KIND), intent(in) :: size
    integer(INTEGER_KIND), intent(in), target, contiguous :: indices(:)
    integer, intent(in) :: grid, position
    integer, intent(in), optional :: owned
    logical, intent(in), optional :: one_to_one
    type(daptor_dimension) :: dimension
    type(c_ptr) :: address

    dimension%distribution = iachar('u')
    dimension%size = size
    dimension%grid = grid
    dimension%position = position
    dimension%one_to_one = flag(one_to_one)
    if (present(owned)) dimension%owned = width(owned)
    address = c_null_ptr
    if (ubound(indices, 1) > 0) address = c_loc(indices)
    dimension%indices = c_keep_list(address, ubound(indices, 1, c_int64_t), &
                                    int(storage_size(indices) / 8, c_int32_t))
  end function UNSTRUCTURED_DIMENSION

  function UNSTRUCTURED_AT(size, indices, grid, position, owned) result(dimension)
    integer(INTEGER_KIND), intent(in) :: size
    integer(INTEGER_KIND), intent(in), target, contiguous :: indices(:)
    integer, intent(in) :: grid, position
    integer, intent(in) :: owned(:)
    type(daptor_dimension) :: dimension

    dimension = daptor_unstructured(size, indices, grid, position)
    dimension%positions = kept_positions(owned)
  end function UNSTRUCTURED_AT

  function UNSTRUCTURED_MASK(size, indices, grid, position, owned) result(dimension)
    integer(INTEGER_KIND), intent(in) :: size
    integer(INTEGER_KIND), intent(in), target, contiguous :: indices(:)
    integer, intent(in) :: grid, position
    logical, intent(in) :: owned(:)
    type(daptor_dimension) :: dimension
    integer :: i

    dimension = daptor_unstructured(size, indices, grid, position)
    dimension%positions = kept_positions(pack([(i, i=1, ubound(owned, 1))], owned))
    dimension%mask = ubound(owned, 1)
  end function UNSTRUCTURED_MASK

  subroutine BLOCK_HANDLE(self, shape, comm, grid, position, ghosts, padding, boundary, periodic, &
                          lower, upper, stat, errmsg)
    class(daptor_layout), intent(inout) :: self
    integer(INTEGER_KIND), intent(in) :: shape(:)
    integer, intent(in) :: comm
    integer, intent(in), optional :: grid(:), position(:), ghosts(:), padding(:), boundary(:)
    logical, intent(in), optional :: periodic(:)
    integer(INTEGER_KIND), intent(in), optional :: lower(:), upper(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(block_arguments) :: arguments
    integer(c_int64_t), allocatable, target :: copies_1(:), copies_2(:), copies_3(:), &
      copies_4(:), copies_5(:), copies_6(:), copies_7(:), copies_8(:), copies_9(:)

    call to_list(int(shape, c_int64_t), copies_1, arguments%shape)
    if (present(grid)) call to_list(int(grid, c_int64_t), copies_2, arguments%grid)
    if (present(position)) call to_list(int(position, c_int64_t), copies_3, arguments%position)
    if (present(ghosts)) call to_list(int(ghosts, c_int64_t), copies_4, arguments%ghosts)
    if (present(padding)) call to_list(int(padding, c_int64_t), copies_5, arguments%padding)
    if (present(boundary)) call to_list(int(boundary, c_int64_t), copies_6, arguments%boundary)
    if (present(periodic)) &
      call to_list(merge(1_c_int64_t, 0_c_int64_t, periodic), copies_7, arguments%periodic)
    if (present(lower)) call to_list(int(lower, c_int64_t), copies_8, arguments%lower)
    if (present(upper)) call to_list(int(upper, c_int64_t), copies_9, arguments%upper)
    call daptor_conclude(c_block(arguments, comm, self%object), stat, errmsg)
  end subroutine BLOCK_HANDLE

#ifdef DAPTOR_MPI_F08
  subroutine BLOCK_F08(self, shape, comm, grid, position, ghosts, padding, boundary, periodic, &
                       lower, upper, stat, errmsg)
    class(daptor_layout), intent(inout) :: self
    integer(INTEGER_KIND), intent(in) :: shape(:)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in), optional :: grid(:), position(:), ghosts(:), padding(:), boundary(:)
    logical, intent(in), optional :: periodic(:)
    integer(INTEGER_KIND), intent(in), optional :: lower(:), upper(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    call BLOCK_HANDLE(self, shape, comm%mpi_val, grid, position, ghosts, padding, boundary, &
                      periodic, lower, upper, stat, errmsg)
  end subroutine BLOCK_F08
#endif

  subroutine OWNED_BOUNDS(self, lower, upper, stat, errmsg)
    class(daptor_layout), intent(in) :: self
    integer(INTEGER_KIND), intent(out) :: lower(:), upper(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: long_lower(size(lower)), long_upper(size(upper))

    call read_bounds(self, 0, int(huge(lower), c_int64_t), long_lower, long_upper, stat, errmsg)
    lower = int(long_lower, INTEGER_KIND)
    upper = int(long_upper, INTEGER_KIND)
  end subroutine OWNED_BOUNDS

  subroutine LOCAL_BOUNDS(self, lower, upper, stat, errmsg)
    class(daptor_layout), intent(in) :: self
    integer(INTEGER_KIND), intent(out) :: lower(:), upper(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: long_lower(size(lower)), long_upper(size(upper))

    call read_bounds(self, 1, int(huge(lower), c_int64_t), long_lower, long_upper, stat, errmsg)
    lower = int(long_lower, INTEGER_KIND)
    upper = int(long_upper, INTEGER_KIND)
  end subroutine LOCAL_BOUNDS

#undef INTEGER_KIND
#undef BLOCK_DIMENSION
#undef UNDISTRIBUTED_DIMENSION
#undef CYCLIC_DIMENSION
#undef UNSTRUCTURED_DIMENSION
#undef UNSTRUCTURED_AT
#undef UNSTRUCTURED_MASK
#undef BLOCK_HANDLE
#undef BLOCK_F08
#undef OWNED_BOUNDS
#undef LOCAL_BOUNDS
