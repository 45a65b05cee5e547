! SPDX-License-Identifier: BSD-3-Clause
! Functions of the module daptor that make a daptor_dimension whose size and bounds have the kind
! INTEGER_KIND. OF_KIND completes their names; daptor.F90 defines both before each inclusion.

  pure function OF_KIND(block_dimension)(size, grid, position, lower, upper, ghosts, padding, &
                                         boundary, periodic) result(dimension)
    integer(INTEGER_KIND), intent(in) :: size
    integer, intent(in), optional :: grid, position
    integer(INTEGER_KIND), intent(in), optional :: lower, upper
    integer, intent(in), optional :: ghosts, padding, boundary
    logical, intent(in), optional :: periodic
    type(daptor_dimension) :: dimension

    dimension = daptor_dimension(iachar('b'), size)
    if (present(grid)) dimension%grid = grid
    if (present(position)) dimension%position = position
    ! A layout refuses a dimension that has only one of the two.
    if (present(lower)) dimension%lower = lower
    if (present(upper)) dimension%upper = upper
    if (present(ghosts)) dimension%ghosts = ghosts
    if (present(padding)) dimension%padding = padding
    if (present(boundary)) dimension%boundary = boundary
    if (present(periodic)) dimension%periodic = merge(1, 0, periodic)
  end function OF_KIND(block_dimension)

  pure function OF_KIND(undistributed)(size) result(dimension)
    integer(INTEGER_KIND), intent(in) :: size
    type(daptor_dimension) :: dimension

    dimension = daptor_dimension(iachar('n'), size)
  end function OF_KIND(undistributed)

  pure function OF_KIND(cyclic)(size, grid, position, block_size, origin) result(dimension)
    integer(INTEGER_KIND), intent(in) :: size
    integer, intent(in) :: grid, position, block_size
    integer, intent(in), optional :: origin
    type(daptor_dimension) :: dimension

    dimension = daptor_dimension(iachar('c'), size, grid, position, block_size=block_size)
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

    dimension = daptor_dimension(iachar('u'), size, grid, position)
    if (present(owned)) dimension%owned = owned
    if (present(one_to_one)) dimension%one_to_one = merge(1, 0, one_to_one)
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

#undef INTEGER_KIND
#undef OF_KIND
