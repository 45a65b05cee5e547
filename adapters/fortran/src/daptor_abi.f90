! SPDX-License-Identifier: BSD-3-Clause
!> One process's section of a distributed array, handed between components without a copy:
!> daptor/abi.h for Fortran. A stencil code or a solver uses the module daptor; this module is for
!> components that hand arrays to each other without linking to a library.
!>
!> The types below are those of the C header, field by field; docs/c-abi.md explains them. Status
!> values are daptor_ok, daptor_stale and daptor_failed.
!>
!> A producer describes an array that it holds:
!>
!>     call daptor_describe(u, 'd', [daptor_block(nx, 1, 0), daptor_block(ny, ranks, rank)], a, stat)
!>
!> and a consumer gets a pointer to it, and releases it:
!>
!>     call daptor_section(a, p, stat)
!>     call daptor_release(a)
module daptor_abi
  use, intrinsic :: iso_c_binding
  implicit none
  private

  public :: daptor_array, daptor_dimension, daptor_on_release
  public :: daptor_block, daptor_undistributed, daptor_cyclic, daptor_unstructured
  public :: daptor_describe, daptor_section, daptor_extents
  public :: daptor_move, daptor_release, daptor_begin_access, daptor_end_access
  public :: daptor_modified, daptor_last_error

  integer(c_int32_t), parameter, public :: daptor_abi_version = 1
  integer, parameter, public :: daptor_max_ndim = 64
  integer, parameter, public :: daptor_format_bytes = 16
  integer(c_int32_t), parameter, public :: daptor_read_only = 1
  integer(c_int32_t), parameter, public :: daptor_device_host = 1
  integer(c_int32_t), parameter, public :: daptor_read = 0, daptor_write = 1
  integer(c_int32_t), parameter, public :: daptor_ok = 0, daptor_stale = 1, daptor_failed = 2

  !> One dimension dictionary.
  type, bind(c) :: daptor_dimension
    character(kind=c_char) :: dist_type = c_null_char
    integer(c_int8_t) :: periodic = 0
    integer(c_int8_t) :: padded = 0
    integer(c_int8_t) :: one_to_one = 0
    integer(c_int32_t) :: has_owned = 0
    integer(c_int64_t) :: size = 0
    integer(c_int64_t) :: proc_grid_size = 0
    integer(c_int64_t) :: proc_grid_rank = 0
    integer(c_int64_t) :: start = 0
    integer(c_int64_t) :: stop = 0
    integer(c_int64_t) :: block_size = 0
    integer(c_int64_t) :: padding(2) = 0
    type(c_ptr) :: indices = c_null_ptr
    integer(c_int64_t) :: indices_count = 0
    integer(c_int64_t) :: owned = 0
    type(c_ptr) :: owned_positions = c_null_ptr
  end type daptor_dimension

  !> One process's section of a distributed array.
  type, bind(c) :: daptor_array
    integer(c_int32_t) :: abi_version = 0
    integer(c_int32_t) :: struct_size = 0
    integer(c_int32_t) :: dimension_size = 0
    integer(c_int32_t) :: flags = 0
    integer(c_int32_t) :: protocol_version(3) = 0
    integer(c_int32_t) :: ndim = 0
    integer(c_int32_t) :: device_type = 0
    integer(c_int32_t) :: device_id = 0
    character(kind=c_char) :: format(daptor_format_bytes) = c_null_char
    integer(c_int64_t) :: itemsize = 0
    type(c_ptr) :: shape = c_null_ptr
    type(c_ptr) :: byte_strides = c_null_ptr
    type(c_ptr) :: data = c_null_ptr
    type(c_ptr) :: dimensions = c_null_ptr
    type(c_funptr) :: release = c_null_funptr
    type(c_funptr) :: modified = c_null_funptr
    type(c_funptr) :: begin_access = c_null_funptr
    type(c_funptr) :: end_access = c_null_funptr
    type(c_funptr) :: last_error = c_null_funptr
    type(c_ptr) :: private_data = c_null_ptr
    integer(c_int64_t) :: stream = 0
    integer(c_int64_t) :: reserved(7) = 0
  end type daptor_array

  !> The object that daptor_describe keeps behind private_data.
  type :: description
    integer(c_int64_t), allocatable :: shape(:), byte_strides(:)
    type(daptor_dimension), allocatable :: dimensions(:)
    procedure(daptor_on_release), pointer, nopass :: on_release => null()
    type(c_ptr) :: context = c_null_ptr
  end type description

  abstract interface
    !> Called once when the last consumer is done; must not communicate.
    subroutine daptor_on_release(context) bind(c)
      import :: c_ptr
      type(c_ptr), value :: context
    end subroutine daptor_on_release

    subroutine release_callback(self) bind(c)
      import :: daptor_array
      type(daptor_array), intent(inout) :: self
    end subroutine release_callback

    function modified_callback(self) bind(c) result(status)
      import :: daptor_array, c_int32_t
      type(daptor_array), intent(inout) :: self
      integer(c_int32_t) :: status
    end function modified_callback

    function begin_callback(self, access) bind(c) result(status)
      import :: daptor_array, c_int32_t
      type(daptor_array), intent(inout) :: self
      integer(c_int32_t), value :: access
      integer(c_int32_t) :: status
    end function begin_callback

    subroutine end_callback(self, access) bind(c)
      import :: daptor_array, c_int32_t
      type(daptor_array), intent(inout) :: self
      integer(c_int32_t), value :: access
    end subroutine end_callback

    function error_callback(self) bind(c) result(text)
      import :: daptor_array, c_ptr
      type(daptor_array), intent(inout) :: self
      type(c_ptr) :: text
    end function error_callback
  end interface

  !> A block of one dimension. Without start and stop it is the even block: the first processes get
  !> the remainder. Indices count from zero, and stop is exclusive (protocol version 0.9).
  interface daptor_block
    module procedure even_block, even_block_default, explicit_block
  end interface daptor_block

  interface daptor_undistributed
    module procedure undistributed, undistributed_default
  end interface daptor_undistributed

  !> The section as a Fortran pointer to double precision numbers, on the memory itself.
  !>
  !> daptor_section(array, section, stat [, reversed]): the array must have format 'd' and the rank
  !> of `section`, and be stored without gaps in Fortran order. With reversed = .true. it must be
  !> stored in C order, and the dimensions of `section` are then those of the array in reverse. stat
  !> is 0, or 1 for another format, 2 for another rank, 3 for other strides, 4 if there is no memory
  !> or the host cannot reach it, 5 if the struct was moved or released. For another type,
  !> daptor_extents makes the same checks, and c_f_pointer makes the pointer.
  interface daptor_section
    module procedure section_1, section_2, section_3
  end interface daptor_section

contains

  pure function even_block(size, grid_size, grid_rank) result(dimension)
    integer(c_int64_t), intent(in) :: size, grid_size, grid_rank
    type(daptor_dimension) :: dimension
    integer(c_int64_t) :: whole, rest, start

    whole = size / grid_size
    rest = mod(size, grid_size)
    start = grid_rank * whole + min(grid_rank, rest)
    dimension = explicit_block(size, grid_size, grid_rank, start, &
                               start + whole + merge(1_c_int64_t, 0_c_int64_t, grid_rank < rest))
  end function even_block

  pure function even_block_default(size, grid_size, grid_rank) result(dimension)
    integer(c_int32_t), intent(in) :: size, grid_size, grid_rank
    type(daptor_dimension) :: dimension

    dimension = even_block(int(size, c_int64_t), int(grid_size, c_int64_t), &
                           int(grid_rank, c_int64_t))
  end function even_block_default

  pure function explicit_block(size, grid_size, grid_rank, start, stop) result(dimension)
    integer(c_int64_t), intent(in) :: size, grid_size, grid_rank, start, stop
    type(daptor_dimension) :: dimension

    dimension = daptor_dimension('b', size=size, proc_grid_size=grid_size, &
                                 proc_grid_rank=grid_rank, start=start, stop=stop)
  end function explicit_block

  !> A dimension that is whole on every process.
  pure function undistributed(size) result(dimension)
    integer(c_int64_t), intent(in) :: size
    type(daptor_dimension) :: dimension

    dimension = daptor_dimension('n', size=size)
  end function undistributed

  pure function undistributed_default(size) result(dimension)
    integer(c_int32_t), intent(in) :: size
    type(daptor_dimension) :: dimension

    dimension = undistributed(int(size, c_int64_t))
  end function undistributed_default

  !> Blocks of block_size indices, dealt in turn; process `origin` along the dimension (0 if it is
  !> absent) gets the first block. For an origin outside [0, grid_size) the start is -1, which every
  !> consumer refuses.
  pure function daptor_cyclic(size, grid_size, grid_rank, block_size, origin) result(dimension)
    integer(c_int64_t), intent(in) :: size, grid_size, grid_rank, block_size
    integer(c_int64_t), intent(in), optional :: origin
    type(daptor_dimension) :: dimension
    integer(c_int64_t) :: first, turn

    first = 0
    if (present(origin)) first = origin
    dimension = daptor_dimension('c', size=size, proc_grid_size=grid_size, &
                                 proc_grid_rank=grid_rank, start=-1, block_size=block_size)
    if (first < 0 .or. first >= grid_size) return
    turn = grid_rank - first
    if (turn < 0) turn = turn + grid_size
    dimension%start = size
    if (turn == 0) then
      dimension%start = 0
    else if (block_size <= size / turn) then
      dimension%start = turn * block_size
    end if
  end function daptor_cyclic

  !> A list of global indices, counted from zero. It is referred to, not copied, so it must outlive
  !> the description.
  function daptor_unstructured(size, grid_size, grid_rank, indices) result(dimension)
    integer(c_int64_t), intent(in) :: size, grid_size, grid_rank
    integer(c_int64_t), intent(in), target, contiguous :: indices(:)
    type(daptor_dimension) :: dimension

    dimension = daptor_dimension('u', size=size, proc_grid_size=grid_size, &
                                 proc_grid_rank=grid_rank, indices_count=ubound(indices, 1))
    if (ubound(indices, 1) > 0) dimension%indices = c_loc(indices)
  end function daptor_unstructured

  !> Describes `values`, an array of any type and rank without gaps, in `array`.
  !>
  !> `element` is the PEP 3118 format of an element: 'd' double precision, 'f' single precision, 'i'
  !> and 'q' integers of 4 and 8 bytes, 'Zd' double and 'Zf' single precision complex. The memory
  !> remains the caller's: it must have the target or pointer attribute and outlive the description.
  !> `on_release` is called with `context` when the last consumer is done. `stat` is 0, or 1 for an
  !> unknown element format, 2 if there is not one dimension for each rank of `values`, 3 for gaps
  !> in memory; in case of an error `array` holds no section.
  subroutine daptor_describe(values, element, dimensions, array, stat, on_release, context)
    type(*), intent(in), target :: values(..)
    character(*), intent(in) :: element
    type(daptor_dimension), intent(in) :: dimensions(:)
    type(daptor_array), intent(out) :: array
    integer, intent(out) :: stat
    procedure(daptor_on_release), optional :: on_release
    type(c_ptr), intent(in), optional :: context
    type(description), pointer :: held
    integer(c_int64_t) :: itemsize
    integer :: d

    itemsize = element_bytes(element)
    stat = 1
    if (itemsize == 0) return
    stat = 2
    if (ubound(dimensions, 1) /= rank(values)) return
    stat = 3
    if (.not. is_contiguous(values)) return
    stat = 0

    allocate (held)
    held%shape = int(shape(values), c_int64_t)
    held%dimensions = dimensions
    allocate (held%byte_strides(rank(values)))
    do d = 1, rank(values)
      held%byte_strides(d) = itemsize * product(max(held%shape(:d - 1), 1_c_int64_t))
    end do
    if (present(on_release)) held%on_release => on_release
    if (present(context)) held%context = context
    array = daptor_array(abi_version=daptor_abi_version, &
                         struct_size=int(c_sizeof(array), c_int32_t), &
                         dimension_size=int(c_sizeof(daptor_dimension()), c_int32_t), &
                         protocol_version=[0, 9, 0], ndim=rank(values), &
                         device_type=daptor_device_host, itemsize=itemsize, &
                         release=c_funloc(release_description), private_data=c_loc(held))
    do d = 1, len(element)
      array%format(d) = element(d:d)
    end do
    if (array%ndim > 0) then
      array%shape = c_loc(held%shape)
      array%byte_strides = c_loc(held%byte_strides)
      array%dimensions = c_loc(held%dimensions)
    end if
    if (all(held%shape > 0)) array%data = c_loc(values)
  end subroutine daptor_describe

  subroutine release_description(self) bind(c, name='')
    type(daptor_array), intent(inout) :: self
    type(description), pointer :: held

    call c_f_pointer(self%private_data, held)
    if (associated(held%on_release)) call held%on_release(held%context)
    deallocate (held)
    self%private_data = c_null_ptr
    self%release = c_null_funptr
  end subroutine release_description

  !> Number of bytes of an element, or 0 for a format that daptor_describe does not know.
  pure function element_bytes(element) result(bytes)
    character(*), intent(in) :: element
    integer(c_int64_t) :: bytes

    select case (element)
    case ('f', 'i'); bytes = 4
    case ('d', 'q', 'Zf'); bytes = 8
    case ('Zd'); bytes = 16
    case default; bytes = 0
    end select
  end function element_bytes

  !> The extents that a Fortran pointer to the section has: those of an array stored without gaps in
  !> Fortran order or, if `reversed` is true, those in reverse of an array in C order. `stat` is
  !> that of daptor_section; the format must be `element`.
  subroutine daptor_extents(array, element, extents, stat, reversed)
    type(daptor_array), intent(in) :: array
    character(*), intent(in) :: element
    integer(c_int64_t), intent(out) :: extents(:)
    integer, intent(out) :: stat
    logical, intent(in), optional :: reversed
    integer(c_int64_t), pointer :: list(:)
    integer(c_int64_t) :: strides(ubound(extents, 1)), expected
    integer :: n, d

    n = array%ndim
    extents = 0
    stat = 5
    if (.not. c_associated(array%release)) return
    stat = 1
    if (.not. same_format(array, element)) return
    stat = 2
    if (n /= ubound(extents, 1)) return
    if (n > 0) then
      call c_f_pointer(array%shape, list, [n])
      extents = list
      strides = [(array%itemsize * product(max(extents(d + 1:), 1_c_int64_t)), d=1, n)]
    end if
    if (n > 0 .and. c_associated(array%byte_strides)) then
      call c_f_pointer(array%byte_strides, list, [n])
      strides = list
    end if
    if (present(reversed)) then
      if (reversed) extents = extents(n:1:-1)
      if (reversed) strides = strides(n:1:-1)
    end if
    stat = 3
    expected = array%itemsize
    do d = 1, n
      if (all(extents /= 0) .and. extents(d) /= 1 .and. strides(d) /= expected) return
      expected = expected * extents(d)
    end do
    stat = 4
    if (array%device_type /= daptor_device_host) return
    if (all(extents > 0) .and. .not. c_associated(array%data)) return
    stat = 0
  end subroutine daptor_extents

  pure function same_format(array, element) result(same)
    type(daptor_array), intent(in) :: array
    character(*), intent(in) :: element
    logical :: same
    integer :: i

    same = len(element) < daptor_format_bytes
    if (same) same = array%format(len(element) + 1) == c_null_char
    do i = 1, merge(len(element), 0, same)
      same = same .and. array%format(i) == element(i:i)
    end do
  end function same_format

  subroutine section_1(array, section, stat, reversed)
    type(daptor_array), intent(in) :: array
    real(c_double), pointer, intent(out) :: section(:)
    integer, intent(out) :: stat
    logical, intent(in), optional :: reversed
    integer(c_int64_t) :: extents(1)

    nullify (section)
    call daptor_extents(array, 'd', extents, stat, reversed)
    if (stat == 0) call c_f_pointer(array%data, section, extents)
  end subroutine section_1

  subroutine section_2(array, section, stat, reversed)
    type(daptor_array), intent(in) :: array
    real(c_double), pointer, intent(out) :: section(:, :)
    integer, intent(out) :: stat
    logical, intent(in), optional :: reversed
    integer(c_int64_t) :: extents(2)

    nullify (section)
    call daptor_extents(array, 'd', extents, stat, reversed)
    if (stat == 0) call c_f_pointer(array%data, section, extents)
  end subroutine section_2

  subroutine section_3(array, section, stat, reversed)
    type(daptor_array), intent(in) :: array
    real(c_double), pointer, intent(out) :: section(:, :, :)
    integer, intent(out) :: stat
    logical, intent(in), optional :: reversed
    integer(c_int64_t) :: extents(3)

    nullify (section)
    call daptor_extents(array, 'd', extents, stat, reversed)
    if (stat == 0) call c_f_pointer(array%data, section, extents)
  end subroutine section_3

  !> Moves a section from `from`, which then holds no section, to `to`, whose content is
  !> overwritten.
  subroutine daptor_move(from, to)
    type(daptor_array), intent(inout) :: from
    type(daptor_array), intent(out) :: to

    to = from
    from%release = c_null_funptr
  end subroutine daptor_move

  !> Releases `array` if it holds a section. Pointers to the section are invalid afterwards.
  subroutine daptor_release(array)
    type(daptor_array), intent(inout) :: array
    procedure(release_callback), pointer :: callback

    if (.not. c_associated(array%release)) return
    call c_f_procpointer(array%release, callback)
    call callback(array)
  end subroutine daptor_release

  !> Opens the memory for daptor_read or daptor_write until the matching daptor_end_access.
  subroutine daptor_begin_access(array, access, stat)
    type(daptor_array), intent(inout) :: array
    integer(c_int32_t), intent(in) :: access
    integer, intent(out) :: stat
    procedure(begin_callback), pointer :: callback

    stat = daptor_ok
    if (.not. c_associated(array%begin_access)) return
    call c_f_procpointer(array%begin_access, callback)
    stat = callback(array, access)
  end subroutine daptor_begin_access

  subroutine daptor_end_access(array, access)
    type(daptor_array), intent(inout) :: array
    integer(c_int32_t), intent(in) :: access
    procedure(end_callback), pointer :: callback

    if (.not. c_associated(array%end_access)) return
    call c_f_procpointer(array%end_access, callback)
    call callback(array, access)
  end subroutine daptor_end_access

  !> Tells the producer that the memory was written. Call it on all processes of the array, even if
  !> they wrote no element.
  subroutine daptor_modified(array, stat)
    type(daptor_array), intent(inout) :: array
    integer, intent(out) :: stat
    procedure(modified_callback), pointer :: callback

    stat = daptor_ok
    if (.not. c_associated(array%modified)) return
    call c_f_procpointer(array%modified, callback)
    stat = callback(array)
  end subroutine daptor_modified

  !> Says why the last failed callback on this thread failed.
  function daptor_last_error(array) result(text)
    type(daptor_array), intent(inout) :: array
    character(:), allocatable :: text
    procedure(error_callback), pointer :: callback
    character(kind=c_char), pointer :: letters(:)
    integer, parameter :: most = 1000
    type(c_ptr) :: address
    integer :: n

    text = ''
    if (.not. c_associated(array%last_error)) return
    call c_f_procpointer(array%last_error, callback)
    address = callback(array)
    if (.not. c_associated(address)) return
    call c_f_pointer(address, letters, [most])
    do n = 1, most
      if (letters(n) == c_null_char) exit
      text = text // letters(n)
    end do
  end function daptor_last_error

end module daptor_abi
