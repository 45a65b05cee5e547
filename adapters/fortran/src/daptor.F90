! SPDX-License-Identifier: BSD-3-Clause
!> Distributed arrays of Fortran codes, on the caller's own memory: the module describes and checks
!> them, exchanges their ghost cells, copies them to other distributions, and hands them to other
!> libraries.
!>
!>     type(daptor_layout) :: grid
!>     type(daptor_array)  :: a
!>     type(daptor_halo)   :: halo
!>     real(real64), allocatable, target :: u(:, :)
!>     integer :: lo(2), hi(2)
!>
!>     call grid%block([nx, ny], MPI_COMM_WORLD, ghosts=[1, 1])
!>     call grid%local_bounds(lo, hi)                    ! ghost cells included
!>     allocate (u(lo(1):hi(1), lo(2):hi(2)))
!>     call a%describe(u, grid)                          ! no copy
!>     call halo%create(a)
!>     call halo%update()                                ! the ghost cells of u
!>
!> Indices count from 1, an upper bound belongs to its range, and dimension 1 is the first and
!> varies fastest. Processes count from 0, as in MPI. A communicator is a type(MPI_Comm) of mpi_f08
!> or an integer handle. docs/fortran.md is the guide.
!>
!> **Errors.** All procedures have the optional arguments `stat` and `errmsg`. Without `stat`, an
!> error ends the job with a message. With `stat`, the caller decides what to do: it is set to 0, or
!> to one of daptor_malformed to daptor_invalid_argument. The message is then in `errmsg`, truncated
!> or padded with blanks as by `allocate`; it may have any length, and 500 characters are enough for
!> nearly all messages. Without an error `errmsg` keeps its value. A call that fails changes no
!> object. A collective call succeeds on all processes, or fails on all of them with the same error.
!>
!> **Lifetime.** A description refers to the memory of the array from which it was made. That array
!> must have the target or pointer attribute, and outlive the description and every object made from
!> it. Variables of the types below may be copied, and the copies stand for the same object. They
!> are freed by `free`; scalar variables are also freed when they go out of scope. None of this
!> communicates.
module daptor
  use, intrinsic :: iso_c_binding
#ifdef DAPTOR_MPI_F08
  use mpi_f08, only: MPI_Comm
#endif
  use daptor_abi, only: abi_array => daptor_array
  implicit none
  private

  public :: daptor_layout, daptor_array, daptor_halo, daptor_redistribution, daptor_dimension
  public :: daptor_block, daptor_undistributed, daptor_cyclic, daptor_unstructured
  public :: daptor_redistribute, daptor_update_ghosts
  !> For modules that hand arrays to other libraries.
  public :: daptor_conclude, daptor_argument
  public :: daptor_given_logical, daptor_given_integer, daptor_given_long, daptor_given_real
  public :: daptor_given_text

  !> Values of `stat`; 0 is success.
  integer, parameter, public :: daptor_malformed = 1, daptor_unsupported = 2, &
    daptor_not_representable = 3, daptor_producer_failed = 4, daptor_library_failed = 5, &
    daptor_finalized = 6, daptor_stale = 7, daptor_invalid_argument = 8

  !> How contributions are combined with the owner's value.
  integer, parameter, public :: daptor_sum = 0, daptor_min = 1, daptor_max = 2, daptor_insert = 3

  !> How one dimension is distributed, as this process sees it. Made by daptor_block,
  !> daptor_undistributed, daptor_cyclic or daptor_unstructured.
  type, bind(c) :: daptor_dimension
    private
    integer(c_int32_t) :: distribution = 0, periodic = -1, one_to_one = 0
    integer(c_int64_t) :: size = 0, lower = -1, upper = -1
    integer(c_int64_t) :: grid = -huge(0_c_int64_t), position = -huge(0_c_int64_t)
    integer(c_int64_t) :: ghosts = -1, padding = -1, boundary = -1, block_size = 1, origin = 0
    integer(c_int64_t) :: indices = 0, owned = -1, positions = 0, mask = -1
  end type daptor_dimension

  !> An optional argument as it was given, for C: made by daptor_given_logical and its like. Refers
  !> to the argument, which must have the target attribute.
  type, bind(c) :: daptor_argument
    private
    integer(c_int32_t) :: type = 0
    integer(c_int64_t) :: count = 0
    type(c_ptr) :: values = c_null_ptr
  end type daptor_argument

  !> How an array is distributed over the processes of a communicator.
  type :: daptor_layout
    private
    integer(c_int64_t) :: object = 0
  contains
    !> call layout%block(shape, comm [, grid, position, ghosts, padding, boundary, periodic, lower,
    !>                   upper, stat, errmsg])
    !>
    !> Collective over comm. Blocks of shape(1) x shape(2) x ... points. Each argument has one
    !> element for each dimension. `ghosts`: widths of the ghost cells on all sides of every
    !> process's memory, including sides on the outer edge of the grid; a process without points at
    !> the end of a periodic dimension has none. `periodic`: whether the first and the last point
    !> are neighbours. `grid`: number of processes along each dimension, or
    !> 0 where MPI_Dims_create is to choose. Processes are numbered as by MPI_Cart_create, the last
    !> dimension fastest, unless `position` gives this process's position on the grid, from 0. If
    !> comm is Cartesian, its dims, coordinates and periods are taken, and these three arguments
    !> must not contradict it. A shape of more dimensions than comm has needs grid=1 for those that
    !> are not divided, and 0 for the others; one of fewer dimensions needs a whole `grid`.
    !> `lower`, `upper`: the first and the last point that this process owns; if they are absent,
    !> blocks are even, and the first processes get the remainder.
    !>
    !> Two arguments can take the place of `ghosts`. `padding`: widths of the copies of the
    !> neighbours' points, at edges with a neighbour only. `boundary`: numbers of points of `shape`
    !> at each outer edge that are boundary points.
    generic :: block => block_handle_default, block_handle_long
    !> call layout%create(dimensions, comm [, stat, errmsg]), with one daptor_dimension for each
    !> dimension. Collective over comm.
    generic :: create => create_handle
    !> call layout%on_process(whole, process [, stat, errmsg]): all points of the layout `whole` on
    !> one process, numbered from 0; the others have none. Indices are those of `whole`, and its
    !> ghost cells outside the grid are points, too. Collective over the communicator of `whole`.
    procedure :: on_process => layout_on_process
    !> call layout%owned_bounds(lower, upper [, stat, errmsg]): the first and the last point that
    !> this process owns along each dimension; upper < lower if it owns none. For cyclic and
    !> unstructured dimensions these are positions in the section, from 1. Process-local.
    generic :: owned_bounds => owned_default, owned_long
    !> The same with ghost cells and padding: these are the bounds to allocate. Process-local.
    generic :: local_bounds => local_default, local_long
    !> call layout%process_grid(grid, position [, stat, errmsg]): the number of processes along each
    !> dimension, and the position of this process, from 0. Process-local.
    procedure :: process_grid
    !> Number of dimensions; -1 before the layout is created.
    procedure :: rank => layout_rank
    procedure :: is_empty => layout_is_empty
    procedure :: free => free_layout
    generic :: assignment(=) => copy_layout
#ifdef DAPTOR_MPI_F08
    generic :: block => block_default, block_long
    generic :: create => create_f08
    procedure, private :: block_default, block_long, create_f08
#endif
    procedure, private :: block_handle_default, block_handle_long, create_handle
    procedure, private :: owned_default, owned_long, local_default, local_long
    procedure, private :: copy_layout
    final :: finalize_layout
  end type daptor_layout

  !> This process's section of a distributed array.
  type :: daptor_array
    private
    integer(c_int64_t) :: object = 0
  contains
    !> call array%describe(values, layout [, stat, errmsg])
    !>
    !> Collective over the layout's communicator. Describes `values`, of any rank and of type real,
    !> complex, integer or logical(c_bool), with its own strides: it may be a section such as u(:,
    !> :, 3). Its extents must be those of layout%local_bounds. Nothing is copied.
    !>
    !> To describe a component of an array of a derived type, call describe_component. Never pass
    !> cells%u here: compilers (gfortran 12) pass a copy of it, which no longer exists when describe
    !> returns.
    procedure :: describe => describe_array
    !> call array%describe_component(cells, component, layout [, stat, errmsg])
    !>
    !> The same for one component of all elements of `cells`; `component` is the component of the
    !> element with the lowest indices: call a%describe_component(cells, cells(1, 1)%u, layout).
    procedure :: describe_component
    !> The same, for memory to which no object made from the description may write.
    procedure :: describe_readonly
    !> call array%validate([conforms, report, metadata, strict, stat, errmsg])
    !>
    !> Collective. Proves that the sections of all processes make one array. `report` lists all
    !> findings, and is the same on every process. Without `conforms`, an array that does not
    !> conform is an error. `metadata`: skip the check of index lists, whose time is proportional to
    !> their length. `strict`: treat warnings as errors.
    procedure :: validate => validate_array
    !> call array%modified([stat, errmsg]): call this on all processes after writing to memory on
    !> which other libraries have objects, even on processes that wrote no element.
    procedure :: modified => modified_array
    !> call array%without_padding(inside [, stat, errmsg])
    !>
    !> Collective. Makes `inside` the elements without ghost cells of either kind, on the same
    !> memory: an array of the size of the points between them. Ghost cells at the edges of the whole
    !> array otherwise count in its size, and in those of native objects. Ghosts that a list has
    !> between owned points stay in the section. Use `inside` in place of the array where only these
    !> points are meant: call daptor_redistribute(inside, b).
    procedure :: without_padding
    !> call array%get_layout(layout [, stat, errmsg]): the layout of the array. Process-local.
    procedure :: get_layout
    !> call array%to_abi(struct [, stat, errmsg]): makes the struct of the module daptor_abi, which
    !> keeps the description until it is released. Process-local.
    procedure :: to_abi
    !> call array%from_abi(struct, comm [, stat, errmsg]): takes over the section that the struct
    !> holds, on all processes or on none. Collective over comm.
    generic :: from_abi => from_abi_handle
    !> Reductions of all points, collective over the array's communicator: each point of the grid
    !> counts once, ghost cells and boundary points do not count.
    !>
    !> call array%sum(value [, mask, stat, errmsg]), and mean, minval, maxval, norm2 (the Euclidean
    !> norm of all points) and var (with `ddof` before mask: the divisor is the number of points
    !> less this). `value` gets the result on all processes: an integer of 4 or 8 bytes, real or
    !> complex of 4 or 8 bytes per number, which must hold it (sums of integers have 64 bits). `mask`
    !> is an array of integers or of logical(c_bool) of the same layout; points where it is 0 or
    !> false do not count.
    procedure :: sum => sum_array
    procedure :: mean => mean_array
    procedure :: var => var_array
    procedure :: minval => minval_array
    procedure :: maxval => maxval_array
    procedure :: norm2 => norm2_array
    !> call array%dot_product(other, value [, mask, stat, errmsg]): the sum of the products of the
    !> points of both, of which those of `array` are conjugated. `other` has the same layout.
    procedure :: dot_product => dot_product_array
    !> call array%count(number [, mask, stat, errmsg]): the number of points that are not 0 or false.
    procedure :: count => count_array
    !> call array%any(yes [, mask, stat, errmsg]): whether a point is not 0 or false; all: whether
    !> each is.
    procedure :: any => any_array
    procedure :: all => all_array
    !> call array%minloc(place [, mask, stat, errmsg]): the indices of the first least point, one
    !> for each dimension, in the bounds of the layout. A NaN is the least, and the greatest.
    generic :: minloc => minloc_default, minloc_long
    generic :: maxloc => maxloc_default, maxloc_long
    !> call array%gather(whole [, process, everywhere, stat, errmsg]): all points of the grid,
    !> without ghost cells and boundary points, on one process (0 if it is absent) or on all.
    !> `whole` has the shape of the grid there; elsewhere it is not read and may be any array of
    !> that type. It must not be a component of an array of a derived type.
    procedure :: gather => gather_array
    procedure :: is_empty => array_is_empty
    procedure, private :: minloc_default, minloc_long, maxloc_default, maxloc_long
    !> For C++: the Handle of daptor/fortran.hpp.
    procedure :: handle => array_handle
    !> Takes over a Handle, and frees the object that the variable held before.
    procedure :: adopt => adopt_array
    procedure :: free => free_array
    generic :: assignment(=) => copy_array
#ifdef DAPTOR_MPI_F08
    generic :: from_abi => from_abi_f08
    procedure, private :: from_abi_f08
#endif
    procedure, private :: from_abi_handle, copy_array
    final :: finalize_array
  end type daptor_array

  !> Fills ghost cells from their owners, and combines contributions at the owners. Made once for a
  !> layout.
  type :: daptor_halo
    private
    integer(c_int64_t) :: object = 0
  contains
    !> call halo%create(array [, star, through_host, stat, errmsg]), or with a rank-1 array of
    !> arrays of one layout, which then share one message to each neighbour. Collective. `star`:
    !> leave out edges and corners. `through_host`: copy memory of a device to the host and back, by
    !> the Device that C++ has registered.
    generic :: create => create_halo, create_halo_batch
    !> Fills the copies with the owners' values: begin, then finish. Collective.
    procedure :: update => update_halo
    !> Starts to fill the copies. Until `finish`, elements that are copied may be read but not
    !> written, and the copies may be neither read nor written. Give the array the asynchronous
    !> attribute in between.
    procedure :: begin => begin_halo
    !> call halo%accumulate([how, stat, errmsg]): combines the copies with the owners' values, by
    !> daptor_sum (the default), daptor_min, daptor_max or daptor_insert. Collective.
    procedure :: accumulate => accumulate_halo
    procedure :: begin_accumulate => begin_accumulate_halo
    !> Completes the exchange that begin or begin_accumulate started.
    procedure :: finish => finish_halo
    !> call halo%rebind(array [, stat, errmsg]): from now on exchanges another array of the same
    !> layout, such as the other one of two time levels. Process-local.
    generic :: rebind => rebind_halo, rebind_halo_batch
    procedure :: is_empty => halo_is_empty
    procedure :: free => free_halo
    generic :: assignment(=) => copy_halo
    procedure, private :: create_halo, create_halo_batch, rebind_halo, rebind_halo_batch, copy_halo
    final :: finalize_halo
  end type daptor_halo

  !> Copies between two distributions of an array. Made once for two layouts, and used in both
  !> directions.
  type :: daptor_redistribution
    private
    integer(c_int64_t) :: object = 0
  contains
    !> call r%create(source, target [, fill_ghosts, convert, read_from_any, buffer_bytes,
    !>               through_host, stat, errmsg]), or with rank-1 arrays of sources and of targets.
    !> Collective. `through_host`: as for a daptor_halo.
    generic :: create => create_redistribution, create_redistribution_batch
    !> call r%run([scale, keep, stat, errmsg]): target = scale * source + keep * target. Collective.
    procedure :: run => run_redistribution
    !> The same from the targets to the sources.
    procedure :: run_back => run_back_redistribution
    !> Start a copy; `finish` completes it.
    procedure :: begin => begin_redistribution
    procedure :: begin_back => begin_back_redistribution
    procedure :: finish => finish_redistribution
    procedure :: is_empty => redistribution_is_empty
    procedure :: free => free_redistribution
    generic :: assignment(=) => copy_redistribution
    procedure, private :: create_redistribution, create_redistribution_batch, copy_redistribution
    final :: finalize_redistribution
  end type daptor_redistribution

  !> daptor_block(size [, grid, position, lower, upper, ghosts, padding, boundary, periodic]): a
  !> dimension in blocks. `position` is in [0, grid). Without grid and position, they are those of a
  !> Cartesian communicator, as in layout%block, or else 1 and 0. Widths are the same at both ends;
  !> otherwise the arguments are those of layout%block. Integers are default ones; or size, lower
  !> and upper have 64 bits.
  interface daptor_block
    module procedure block_dimension_default, block_dimension_long
  end interface daptor_block

  !> daptor_undistributed(size): a dimension that is whole on each process.
  interface daptor_undistributed
    module procedure undistributed_default, undistributed_long
  end interface daptor_undistributed

  !> daptor_cyclic(size, grid, position, block_size [, origin]): blocks are dealt to the processes
  !> in turn; `origin` gets the first block (ScaLAPACK's source process).
  interface daptor_cyclic
    module procedure cyclic_default, cyclic_long
  end interface daptor_cyclic

  !> daptor_unstructured(size, indices, grid, position [, owned, one_to_one]): `indices` are the
  !> global indices of this process's elements, counted from 1, in any order. `owned`: number of
  !> indices at the front of the list that this process owns, or the positions in the list of those
  !> that it owns, counted from 1, or a mask that is true for them; the others are ghosts, which
  !> other processes own. `one_to_one`: no index is on two processes. The list is copied; the copy lives
  !> as long as a layout that was created with the dimension. If all of these are gone, the
  !> dimension cannot be used any more.
  interface daptor_unstructured
    module procedure unstructured_default, unstructured_long
    module procedure unstructured_at_default, unstructured_at_long
    module procedure unstructured_mask_default, unstructured_mask_long
  end interface daptor_unstructured

  interface daptor_redistribute
    module procedure redistribute_once
  end interface daptor_redistribute

  interface
#include "daptor.inc"
  end interface

contains

  ! -- Errors ------------------------------------------------------------------------------------

  !> Ends a procedure of this module: passes code and message to the caller, or ends the job if the
  !> caller has not passed stat.
  subroutine daptor_conclude(code, stat, errmsg)
    integer(c_int), intent(in) :: code
    ENDING

    if (present(stat)) stat = code
    if (code == 0) return
    if (present(errmsg)) errmsg = message()
    if (.not. present(stat)) call c_stop()
  end subroutine daptor_conclude

  ! Procedures that are the same for several types, kinds or calls are macros.
#define WITHOUT_ARGUMENTS(NAME, TYPE, CALL) \
  subroutine NAME (self, stat, errmsg); class(TYPE), intent(in) :: self; ENDING; \
  call daptor_conclude(CALL, stat, errmsg); end subroutine NAME

  function message() result(text)
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer(c_int64_t) :: i, length

    length = c_message_length()
    allocate (character(length) :: text)
    call c_f_pointer(c_message(), letters, [length])
    do i = 1, length
      text(i:i) = letters(i)
    end do
  end function message

  ! -- Arguments ---------------------------------------------------------------------------------
  !
  ! Numbers of types are those of C++ (Type).

#define GIVEN(NAME, NUMBER, TYPE) \
  function NAME (value) result(given); TYPE, intent(in), optional, target :: value; \
  type(daptor_argument) :: given; \
  if (present(value)) given = daptor_argument(NUMBER, 1, c_loc(value)); end function NAME
#define GIVEN_LIST(NAME, NUMBER, TYPE) \
  function NAME (list) result(given); TYPE, intent(in), optional, target, contiguous :: list(:); \
  type(daptor_argument) :: given; if (present(list)) given = daptor_argument(NUMBER, 0); \
  if (given%type == 0) return; given%count = ubound(list, 1); \
  if (given%count > 0) given%values = c_loc(list); end function NAME

  GIVEN(daptor_given_integer, 1, integer)
  GIVEN(daptor_given_long, 2, integer(c_int64_t))
  GIVEN(given_single, 3, real(c_float))
  GIVEN(daptor_given_real, 4, real(c_double))
  GIVEN(given_single_complex, 5, complex(c_float_complex))
  GIVEN(given_double_complex, 6, complex(c_double_complex))
  GIVEN(daptor_given_logical, 7, logical)
  GIVEN_LIST(given_list_default, 1, integer)
  GIVEN_LIST(given_list_long, 2, integer(c_int64_t))
  GIVEN_LIST(given_logicals, 7, logical)

  function daptor_given_text(text) result(given)
    character(*), intent(in), optional, target :: text
    type(daptor_argument) :: given

    if (present(text)) given = daptor_argument(8, len(text), c_loc(text))
  end function daptor_given_text

  pure function flag(given) result(number)
    logical, intent(in), optional :: given
    integer(c_int32_t) :: number

    number = 0
    if (present(given)) number = merge(1, 0, given)
  end function flag

  ! -- Dimensions and layouts --------------------------------------------------------------------
  !
  ! Global sizes and bounds are default or 64-bit integers.

#define INTEGER_KIND kind(0)
#define OF_KIND(NAME) NAME/**/_default
#include "integers.inc.F90"

#define INTEGER_KIND c_int64_t
#define OF_KIND(NAME) NAME/**/_long
#include "integers.inc.F90"

  !> Encodes an absent argument as -1; any other negative width is refused.
  pure function width(given) result(number)
    integer, intent(in) :: given
    integer(c_int64_t) :: number

    number = given
    if (given == -1) number = -2
  end function width

#ifdef DAPTOR_MPI_F08
  subroutine create_f08(self, dimensions, comm, stat, errmsg)
    class(daptor_layout), intent(inout) :: self
    type(daptor_dimension), intent(in) :: dimensions(:)
    type(MPI_Comm), intent(in) :: comm
    ENDING

    call create_handle(self, dimensions, comm%mpi_val, stat, errmsg)
  end subroutine create_f08
#endif

  subroutine create_handle(self, dimensions, comm, stat, errmsg)
    class(daptor_layout), intent(inout) :: self
    type(daptor_dimension), intent(in) :: dimensions(:)
    integer, intent(in) :: comm
    ENDING

    call daptor_conclude(c_layout_create(dimensions, size(dimensions, kind=c_int64_t), comm, &
                                         self%object), stat, errmsg)
  end subroutine create_handle

  subroutine layout_on_process(self, whole, process, stat, errmsg)
    class(daptor_layout), intent(inout) :: self
    type(daptor_layout), intent(in) :: whole
    integer, intent(in) :: process
    ENDING

    call daptor_conclude(c_layout_on_process(whole%object, int(process, c_int64_t), self%object), &
                         stat, errmsg)
  end subroutine layout_on_process

  subroutine process_grid(self, grid, position, stat, errmsg)
    class(daptor_layout), intent(in) :: self
    integer, intent(out) :: grid(:), position(:)
    ENDING

    grid = 0
    position = 0
    call daptor_conclude(c_layout_grid(self%object, grid, position), stat, errmsg)
  end subroutine process_grid

  function layout_rank(self) result(ndim)
    class(daptor_layout), intent(in) :: self
    integer :: ndim

    ndim = int(c_layout_ndim(self%object))
  end function layout_rank

  ! -- Arrays ------------------------------------------------------------------------------------

  WITHOUT_ARGUMENTS(modified_array, daptor_array, c_modified(self%object))

  subroutine describe_array(self, values, layout, stat, errmsg)
    class(daptor_array), intent(inout) :: self
    type(*), intent(inout), target :: values(..)
    class(daptor_layout), intent(in) :: layout
    ENDING

    call conclude_describe(c_is_text(values), &
                           c_describe(values, values, layout%object, 0, self%object), stat, errmsg)
  end subroutine describe_array

  subroutine describe_readonly(self, values, layout, stat, errmsg)
    class(daptor_array), intent(inout) :: self
    type(*), intent(in), target :: values(..)
    class(daptor_layout), intent(in) :: layout
    ENDING

    call conclude_describe(c_is_text(values), &
                           c_describe(values, values, layout%object, 1, self%object), stat, errmsg)
  end subroutine describe_readonly

  subroutine describe_component(self, cells, component, layout, stat, errmsg)
    class(daptor_array), intent(inout) :: self
    type(*), intent(inout), target :: cells(..), component(..)
    class(daptor_layout), intent(in) :: layout
    ENDING

    call conclude_describe(max(c_is_text(cells), c_is_text(component)), &
                           c_describe(cells, component, layout%object, 0, self%object), stat, &
                           errmsg)
  end subroutine describe_component

  !> Characters are refused. gfortran 12 passes their length even to a type(*) argument, in the
  !> place of the length of errmsg. That length is then unknown, so errmsg is not set.
  subroutine conclude_describe(is_text, code, stat, errmsg)
    integer(c_int32_t), intent(in) :: is_text
    integer(c_int), intent(in) :: code
    ENDING

    if (is_text == 0) then
      call daptor_conclude(code, stat, errmsg)
    else
      call daptor_conclude(code, stat)
    end if
  end subroutine conclude_describe

  subroutine validate_array(self, conforms, report, VALIDATE_ARGUMENTS, stat, errmsg)
    class(daptor_array), intent(in) :: self
    logical, intent(out), optional :: conforms
    character(:), allocatable, intent(inout), optional :: report
    DECLARE_VALIDATE
    ENDING
    integer(c_int32_t) :: verdict
    integer(c_int) :: code

    verdict = 0
    code = c_validate(self%object, GIVEN_VALIDATE, merge(0, 1, present(conforms)), verdict)
    if (present(conforms)) conforms = verdict == 1
    if (present(report)) report = message()
    call daptor_conclude(code, stat, errmsg)
  end subroutine validate_array

  subroutine without_padding(self, inside, stat, errmsg)
    class(daptor_array), intent(in) :: self
    class(daptor_array), intent(inout) :: inside
    ENDING
    integer(c_int64_t) :: handle
    integer(c_int) :: code

    handle = 0
    code = c_without_padding(self%object, handle)
    if (code == 0) call inside%adopt(handle)
    call daptor_conclude(code, stat, errmsg)
  end subroutine without_padding

  subroutine get_layout(self, layout, stat, errmsg)
    class(daptor_array), intent(in) :: self
    type(daptor_layout), intent(inout) :: layout
    ENDING

    call daptor_conclude(c_array_layout(self%object, layout%object), stat, errmsg)
  end subroutine get_layout

  subroutine to_abi(self, struct, stat, errmsg)
    class(daptor_array), intent(in) :: self
    type(abi_array), intent(inout) :: struct
    ENDING

    call daptor_conclude(c_to_abi(self%object, struct), stat, errmsg)
  end subroutine to_abi

  subroutine from_abi_handle(self, struct, comm, stat, errmsg)
    class(daptor_array), intent(inout) :: self
    type(abi_array), intent(inout) :: struct
    integer, intent(in) :: comm
    ENDING

    call daptor_conclude(c_from_abi(struct, comm, self%object), stat, errmsg)
  end subroutine from_abi_handle

#ifdef DAPTOR_MPI_F08
  subroutine from_abi_f08(self, struct, comm, stat, errmsg)
    class(daptor_array), intent(inout) :: self
    type(abi_array), intent(inout) :: struct
    type(MPI_Comm), intent(in) :: comm
    ENDING

    call from_abi_handle(self, struct, comm%mpi_val, stat, errmsg)
  end subroutine from_abi_f08
#endif

  pure function array_handle(self) result(handle)
    class(daptor_array), intent(in) :: self
    integer(c_int64_t) :: handle

    handle = self%object
  end function array_handle

  subroutine adopt_array(self, handle)
    class(daptor_array), intent(inout) :: self
    integer(c_int64_t), intent(in) :: handle

    if (handle == self%object) return
    call c_free(self%object)
    self%object = handle
  end subroutine adopt_array

  ! -- Reductions --------------------------------------------------------------------------------

  !> `wanted` is a number of the C function's.
  subroutine reduce(self, wanted, value, other, ddof, mask, stat, errmsg)
    class(daptor_array), intent(in) :: self
    integer, intent(in) :: wanted
    class(*), intent(inout), target :: value
    class(daptor_array), intent(in), optional :: other
    real(c_double), intent(in), optional :: ddof
    class(daptor_array), intent(in), optional :: mask
    ENDING
    type(daptor_argument) :: variable
    real(c_double) :: less

    select type (value)
    type is (integer(c_int32_t)); variable = daptor_given_integer(value)
    type is (integer(c_int64_t)); variable = daptor_given_long(value)
    type is (real(c_float)); variable = given_single(value)
    type is (real(c_double)); variable = daptor_given_real(value)
    type is (complex(c_float_complex)); variable = given_single_complex(value)
    type is (complex(c_double_complex)); variable = given_double_complex(value)
    end select
    less = 0
    if (present(ddof)) less = ddof
    call daptor_conclude(c_reduce(self%object, object_of(other), object_of(mask), wanted, less, &
                                  variable), stat, errmsg)
  end subroutine reduce

  !> 0 if the argument is absent. An empty array has no object either, and is refused as one.
  function object_of(given) result(object)
    class(daptor_array), intent(in), optional :: given
    integer(c_int64_t) :: object

    object = 0
    if (.not. present(given)) return
    object = given%object
    if (object == 0) object = -1
  end function object_of

#define REDUCTION(NAME, WANTED) \
  subroutine NAME (self, value, mask, stat, errmsg); class(daptor_array), intent(in) :: self; \
  class(*), intent(inout), target :: value; class(daptor_array), intent(in), optional :: mask; \
  ENDING; call reduce(self, WANTED, value, mask=mask, stat=stat, errmsg=errmsg); \
  end subroutine NAME
#define QUESTION(NAME, WANTED) \
  subroutine NAME (self, yes, mask, stat, errmsg); class(daptor_array), intent(in) :: self; \
  logical, intent(out) :: yes; class(daptor_array), intent(in), optional :: mask; ENDING; \
  integer(c_int32_t), target :: number; number = 0; \
  call reduce(self, WANTED, number, mask=mask, stat=stat, errmsg=errmsg); yes = number /= 0; \
  end subroutine NAME

  REDUCTION(sum_array, 0)
  REDUCTION(mean_array, 1)
  REDUCTION(minval_array, 3)
  REDUCTION(maxval_array, 4)
  REDUCTION(norm2_array, 6)
  REDUCTION(count_array, 7)
  QUESTION(any_array, 8)
  QUESTION(all_array, 9)

  subroutine var_array(self, value, ddof, mask, stat, errmsg)
    class(daptor_array), intent(in) :: self
    class(*), intent(inout), target :: value
    real(c_double), intent(in), optional :: ddof
    class(daptor_array), intent(in), optional :: mask
    ENDING

    call reduce(self, 2, value, mask=mask, ddof=ddof, stat=stat, errmsg=errmsg)
  end subroutine var_array

  subroutine dot_product_array(self, other, value, mask, stat, errmsg)
    class(daptor_array), intent(in) :: self, other
    class(*), intent(inout), target :: value
    class(daptor_array), intent(in), optional :: mask
    ENDING

    call reduce(self, 5, value, other=other, mask=mask, stat=stat, errmsg=errmsg)
  end subroutine dot_product_array

  subroutine gather_array(self, whole, process, everywhere, stat, errmsg)
    class(daptor_array), intent(in) :: self
    type(*), intent(inout), target :: whole(..)
    integer, intent(in), optional :: process
    logical, intent(in), optional :: everywhere
    ENDING
    integer(c_int64_t) :: receiver

    receiver = 0
    if (present(process)) receiver = merge(int(process, c_int64_t), -2_c_int64_t, process >= 0)
    if (flag(everywhere) == 1) receiver = -1
    call conclude_describe(c_is_text(whole), c_gather(self%object, whole, receiver), stat, errmsg)
  end subroutine gather_array

  ! -- Halo exchange -----------------------------------------------------------------------------

  subroutine create_halo(self, array, HALO_ARGUMENTS, stat, errmsg)
    class(daptor_halo), intent(inout) :: self
    class(daptor_array), intent(in) :: array
    DECLARE_HALO
    ENDING

    call daptor_conclude(c_halo_create([array%object], 1_c_int64_t, GIVEN_HALO, self%object), &
                         stat, errmsg)
  end subroutine create_halo

  subroutine create_halo_batch(self, arrays, HALO_ARGUMENTS, stat, errmsg)
    class(daptor_halo), intent(inout) :: self
    type(daptor_array), intent(in) :: arrays(:)
    DECLARE_HALO
    ENDING

    call daptor_conclude(c_halo_create(arrays%object, size(arrays, kind=c_int64_t), GIVEN_HALO, &
                                       self%object), stat, errmsg)
  end subroutine create_halo_batch

#define ACCUMULATION(NAME, WHOLE) \
  subroutine NAME (self, how, stat, errmsg); class(daptor_halo), intent(in) :: self; \
  integer, intent(in), optional :: how; ENDING; \
  call daptor_conclude(c_halo_begin(self%object, combination(how), WHOLE), stat, errmsg); \
  end subroutine NAME

  WITHOUT_ARGUMENTS(update_halo, daptor_halo, c_halo_begin(self%object, -1, 1))
  WITHOUT_ARGUMENTS(begin_halo, daptor_halo, c_halo_begin(self%object, -1, 0))
  WITHOUT_ARGUMENTS(finish_halo, daptor_halo, c_halo_end(self%object))
  ACCUMULATION(accumulate_halo, 1)
  ACCUMULATION(begin_accumulate_halo, 0)

  !> In the C function a negative number means an update, so a negative number of the caller is not
  !> passed on.
  pure function combination(how) result(number)
    integer, intent(in), optional :: how
    integer(c_int32_t) :: number

    number = daptor_sum
    if (present(how)) number = merge(int(how, c_int32_t), huge(number), how >= 0)
  end function combination

  subroutine rebind_halo(self, array, stat, errmsg)
    class(daptor_halo), intent(in) :: self
    class(daptor_array), intent(in) :: array
    ENDING

    call daptor_conclude(c_halo_rebind(self%object, [array%object], 1_c_int64_t), stat, errmsg)
  end subroutine rebind_halo

  subroutine rebind_halo_batch(self, arrays, stat, errmsg)
    class(daptor_halo), intent(in) :: self
    type(daptor_array), intent(in) :: arrays(:)
    ENDING

    call daptor_conclude(c_halo_rebind(self%object, arrays%object, size(arrays, kind=c_int64_t)), &
                         stat, errmsg)
  end subroutine rebind_halo_batch

  !> call daptor_update_ghosts(array [, star, through_host, stat, errmsg]): fills the ghost cells
  !> once. Collective. To fill them repeatedly, make a daptor_halo.
  subroutine daptor_update_ghosts(array, HALO_ARGUMENTS, stat, errmsg)
    class(daptor_array), intent(in) :: array
    DECLARE_HALO
    ENDING

    call daptor_conclude(c_update_ghosts(array%object, GIVEN_HALO), stat, errmsg)
  end subroutine daptor_update_ghosts

  ! -- Redistribution ----------------------------------------------------------------------------

  subroutine create_redistribution(self, source, target, COPY_ARGUMENTS, stat, errmsg)
    class(daptor_redistribution), intent(inout) :: self
    class(daptor_array), intent(in) :: source, target
    DECLARE_COPY
    ENDING

    call daptor_conclude(c_redistribution_create([source%object], 1_c_int64_t, [target%object], &
                                                 1_c_int64_t, GIVEN_COPY, self%object), stat, &
                         errmsg)
  end subroutine create_redistribution

  subroutine create_redistribution_batch(self, sources, targets, COPY_ARGUMENTS, stat, errmsg)
    class(daptor_redistribution), intent(inout) :: self
    type(daptor_array), intent(in) :: sources(:), targets(:)
    DECLARE_COPY
    ENDING

    call daptor_conclude(c_redistribution_create(sources%object, size(sources, kind=c_int64_t), &
                                                 targets%object, size(targets, kind=c_int64_t), &
                                                 GIVEN_COPY, self%object), stat, errmsg)
  end subroutine create_redistribution_batch

#define COPYING(NAME, BACK, WHOLE) \
  subroutine NAME (self, TRANSFORM_ARGUMENTS, stat, errmsg); \
  class(daptor_redistribution), intent(in) :: self; DECLARE_TRANSFORM; ENDING; \
  call daptor_conclude(c_redistribution_begin(self%object, BACK, GIVEN_TRANSFORM, WHOLE), stat, \
  errmsg); end subroutine NAME

  COPYING(run_redistribution, 0, 1)
  COPYING(run_back_redistribution, 1, 1)
  COPYING(begin_redistribution, 0, 0)
  COPYING(begin_back_redistribution, 1, 0)
  WITHOUT_ARGUMENTS(finish_redistribution, daptor_redistribution, c_redistribution_end(self%object))

  !> call daptor_redistribute(source, target [, fill_ghosts, convert, read_from_any, through_host,
  !>                          stat, errmsg]): copies once. Collective. To copy repeatedly, make a
  !> daptor_redistribution.
  subroutine redistribute_once(source, target, COPY_ONCE_ARGUMENTS, stat, errmsg)
    class(daptor_array), intent(in) :: source, target
    DECLARE_COPY_ONCE
    ENDING

    call daptor_conclude(c_redistribute(source%object, target%object, GIVEN_COPY_ONCE), stat, &
                         errmsg)
  end subroutine redistribute_once

  ! -- Copies and ends of variables --------------------------------------------------------------
  !
  ! The finalizers are for scalars only, because with elemental ones gfortran 12 crashes if a type
  ! has an array of these types as a component.

  function share(of, instead_of) result(object)
    integer(c_int64_t), intent(in) :: of, instead_of
    integer(c_int64_t) :: object, old

    object = c_share(of)
    old = instead_of
    call c_free(old)
  end function share

  ! A space before NAME would become a part of it.
#define OBJECT(TYPE, NAME) \
  impure elemental subroutine copy_/**/NAME (to, from); class(TYPE), intent(inout) :: to; \
  type(TYPE), intent(in) :: from; to%object = share(from%object, to%object); end subroutine; \
  subroutine finalize_/**/NAME (self); type(TYPE), intent(inout) :: self; \
  call c_free(self%object); end subroutine; \
  impure elemental subroutine free_/**/NAME (self); class(TYPE), intent(inout) :: self; \
  call c_free(self%object); end subroutine; \
  elemental function NAME/**/_is_empty(self) result(empty); class(TYPE), intent(in) :: self; \
  logical :: empty; empty = self%object == 0; end function

  OBJECT(daptor_layout,layout)
  OBJECT(daptor_array,array)
  OBJECT(daptor_halo,halo)
  OBJECT(daptor_redistribution,redistribution)

end module daptor
