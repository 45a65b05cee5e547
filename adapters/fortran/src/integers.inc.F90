! SPDX-License-Identifier: BSD-3-Clause
! Procedures of the module daptor with sizes and bounds of kind INTEGER_KIND, whose names OF_KIND
! completes; daptor.F90 defines both before each inclusion.

  pure function OF_KIND(block_dimension)(size, grid, position, lower, upper, ghosts, padding, &
                                         boundary, periodic) result(dimension)
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
  end function OF_KIND(block_dimension)

  pure function OF_KIND(undistributed)(size) result(dimension)
    integer(INTEGER_KIND), intent(in) :: size
    type(daptor_dimension) :: dimension

    dimension%distribution = iachar('n')
    dimension%size = size
  end function OF_KIND(undistributed)

  pure function OF_KIND(cyclic)(size, grid, position, block_size, origin) result(dimension)
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
  end function OF_KIND(cyclic)

  function OF_KIND(unstructured)(size, indices, grid, position, owned, one_to_one) &
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
    dimension%indices = c_keep_list(OF_KIND(given_list)(indices))
  end function OF_KIND(unstructured)

  function OF_KIND(unstructured_at)(size, indices, grid, position, owned) result(dimension)
    integer(INTEGER_KIND), intent(in) :: size
    integer(INTEGER_KIND), intent(in), target, contiguous :: indices(:)
    integer, intent(in) :: grid, position
    integer, intent(in), target, contiguous :: owned(:)
    type(daptor_dimension) :: dimension

    dimension = daptor_unstructured(size, indices, grid, position)
    dimension%positions = c_keep_list(given_list_default(owned))
  end function OF_KIND(unstructured_at)

  function OF_KIND(unstructured_mask)(size, indices, grid, position, owned) result(dimension)
    integer(INTEGER_KIND), intent(in) :: size
    integer(INTEGER_KIND), intent(in), target, contiguous :: indices(:)
    integer, intent(in) :: grid, position
    logical, intent(in) :: owned(:)
    type(daptor_dimension) :: dimension
    integer :: i

    dimension = daptor_unstructured(size, indices, grid, position, &
                                    pack([(i, i=1, ubound(owned, 1))], owned))
    dimension%mask = ubound(owned, 1)
  end function OF_KIND(unstructured_mask)

  ! Each list is given on only if it is there: gfortran 12 reads an absent one where it hands it to a
  ! contiguous argument.
#define BLOCK_ARGUMENTS \
  integer(INTEGER_KIND), intent(in), target, contiguous :: shape(:); \
  integer, intent(in), optional, target, contiguous :: grid(:), position(:), ghosts(:), padding(:); \
  integer, intent(in), optional, target, contiguous :: boundary(:); \
  logical, intent(in), optional, target, contiguous :: periodic(:); \
  integer(INTEGER_KIND), intent(in), optional, target, contiguous :: lower(:), upper(:); \
  type(daptor_argument) :: given(9)
#define GIVE(PLACE, LIST, CONVERSION) if (present(LIST)) given(PLACE) = CONVERSION(LIST)
#define MAKE_BLOCK(COMM) \
  given(1) = OF_KIND(given_list)(shape); GIVE(2, grid, given_list_default); \
  GIVE(3, position, given_list_default); GIVE(4, ghosts, given_list_default); \
  GIVE(5, padding, given_list_default); GIVE(6, boundary, given_list_default); \
  GIVE(7, periodic, given_logicals); GIVE(8, lower, OF_KIND(given_list)); \
  GIVE(9, upper, OF_KIND(given_list)); \
  call daptor_conclude(c_layout_block(given, COMM, self%object), stat, errmsg)

  subroutine OF_KIND(block_handle)(self, shape, comm, grid, position, ghosts, padding, boundary, &
                                   periodic, lower, upper, stat, errmsg)
    class(daptor_layout), intent(inout) :: self
    integer, intent(in) :: comm
    ENDING
    BLOCK_ARGUMENTS

    MAKE_BLOCK(comm)
  end subroutine OF_KIND(block_handle)

#ifdef DAPTOR_MPI_F08
  subroutine OF_KIND(block)(self, shape, comm, grid, position, ghosts, padding, boundary, &
                            periodic, lower, upper, stat, errmsg)
    class(daptor_layout), intent(inout) :: self
    type(MPI_Comm), intent(in) :: comm
    ENDING
    BLOCK_ARGUMENTS

    MAKE_BLOCK(comm%mpi_val)
  end subroutine OF_KIND(block)
#endif

#undef BLOCK_ARGUMENTS
#undef GIVE
#undef MAKE_BLOCK

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

  BOUNDS(OF_KIND(owned), 0)
  BOUNDS(OF_KIND(local), 1)
  PLACE(OF_KIND(minloc), 0)
  PLACE(OF_KIND(maxloc), 1)

#undef BOUNDS
#undef PLACE
#undef INTEGER_KIND
#undef OF_KIND
