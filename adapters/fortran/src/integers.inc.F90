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

    dimension%distribution = iachar('u')
    dimension%size = size
    dimension%grid = grid
    dimension%position = position
    dimension%one_to_one = flag(one_to_one)
    if (present(owned)) dimension%owned = width(owned)
    dimension%indices = c_keep_list(GIVEN_INTEGERS(indices))
  end function UNSTRUCTURED_DIMENSION

  function UNSTRUCTURED_AT(size, indices, grid, position, owned) result(dimension)
    integer(INTEGER_KIND), intent(in) :: size
    integer(INTEGER_KIND), intent(in), target, contiguous :: indices(:)
    integer, intent(in) :: grid, position
    integer, intent(in), target, contiguous :: owned(:)
    type(daptor_dimension) :: dimension

    dimension = daptor_unstructured(size, indices, grid, position)
    dimension%positions = c_keep_list(given_integers(owned))
  end function UNSTRUCTURED_AT

  function UNSTRUCTURED_MASK(size, indices, grid, position, owned) result(dimension)
    integer(INTEGER_KIND), intent(in) :: size
    integer(INTEGER_KIND), intent(in), target, contiguous :: indices(:)
    integer, intent(in) :: grid, position
    logical, intent(in) :: owned(:)
    type(daptor_dimension) :: dimension
    integer :: i

    dimension = daptor_unstructured(size, indices, grid, position, &
                                    pack([(i, i=1, ubound(owned, 1))], owned))
    dimension%mask = ubound(owned, 1)
  end function UNSTRUCTURED_MASK

  subroutine BLOCK_HANDLE(self, shape, comm, grid, position, ghosts, padding, boundary, periodic, &
                          lower, upper, stat, errmsg)
    class(daptor_layout), intent(inout) :: self
    integer(INTEGER_KIND), intent(in), target, contiguous :: shape(:)
    integer, intent(in) :: comm
    integer, intent(in), optional, target, contiguous :: grid(:), position(:), ghosts(:), &
      padding(:), boundary(:)
    logical, intent(in), optional, target, contiguous :: periodic(:)
    integer(INTEGER_KIND), intent(in), optional, target, contiguous :: lower(:), upper(:)
    ENDING

    call daptor_conclude( &
      c_layout_block([GIVEN_INTEGERS(shape), given_integers(grid), given_integers(position), &
                      given_integers(ghosts), given_integers(padding), given_integers(boundary), &
                      given_logicals(periodic), GIVEN_INTEGERS(lower), GIVEN_INTEGERS(upper)], &
                     comm, self%object), stat, errmsg)
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
    ENDING

    call BLOCK_HANDLE(self, shape, comm%mpi_val, grid, position, ghosts, padding, boundary, &
                      periodic, lower, upper, stat, errmsg)
  end subroutine BLOCK_F08
#endif

  ! After a failure the bounds are those of no points.
#define BOUNDS(NAME, GHOSTS) \
  subroutine NAME (self, lower, upper, stat, errmsg); class(daptor_layout), intent(in) :: self; \
  integer(INTEGER_KIND), intent(out) :: lower(:), upper(:); ENDING; lower = 1; upper = 0; \
  call daptor_conclude(c_layout_bounds(self%object, GHOSTS, lower, upper), stat, errmsg); \
  end subroutine NAME
#define PLACE(NAME, GREATEST) \
  subroutine NAME (self, place, mask, stat, errmsg); class(daptor_array), intent(in) :: self; \
  integer(INTEGER_KIND), intent(out) :: place(:); \
  class(daptor_array), intent(in), optional :: mask; ENDING; place = 0; \
  call daptor_conclude(c_place(self%object, object_of(mask), GREATEST, place), stat, errmsg); \
  end subroutine NAME

  BOUNDS(OWNED_BOUNDS, 0)
  BOUNDS(LOCAL_BOUNDS, 1)
  PLACE(MINLOC, 0)
  PLACE(MAXLOC, 1)

#undef BOUNDS
#undef PLACE
#undef MINLOC
#undef MAXLOC
#undef INTEGER_KIND
#undef GIVEN_INTEGERS
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
