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
  !> call daptor_redistribute(source, target [, fill_ghosts, convert, read_from_any, through_host,
  !>                          by_messages, stat, errmsg]): copies once. Collective. To copy
  !> repeatedly, make a daptor_redistribution.
  public :: daptor_redistribute
  !> call daptor_update_ghosts(array [, star, through_host, by_messages, stat, errmsg]): fills the
  !> ghost cells once. Collective. To fill them repeatedly, make a daptor_halo.
  public :: daptor_update_ghosts
  !> daptor_configuration(name): one fact about the library, as 'version', 'commit', 'compiler' or
  !> 'flags'; of length 0 for a name that is not there. daptor_configuration(): all of them, a line
  !> 'name: value' for each (daptor/about.hpp lists them). Process-local.
  public :: daptor_configuration
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

  !> Stands for an argument that is absent.
  integer(c_int64_t), parameter :: absent = -huge(0_c_int64_t)

  !> How one dimension is distributed, as this process sees it. Made by daptor_block,
  !> daptor_undistributed, daptor_cyclic or daptor_unstructured.
  type, bind(c) :: daptor_dimension
    private
    integer(c_int64_t) :: distribution = 0, size = 0, grid = absent, position = absent
    integer(c_int64_t) :: lower = absent, upper = absent, ghosts = absent, padding = absent
    integer(c_int64_t) :: boundary = absent, periodic = absent, block_size = 1, origin = 0
    integer(c_int64_t) :: indices = 0, owned = absent, one_to_one = 0, positions = 0, mask = absent
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
    generic :: block => block_f08_default, block_f08_long
    generic :: create => create_f08
    procedure, private :: block_f08_default, block_f08_long, create_f08
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
    !> call array%stale_padding(stale [, report, star, through_host, by_messages, stat, errmsg])
    !>
    !> Collective. `stale` is true on all processes if a ghost cell has not the value of its owner,
    !> as daptor_update_ghosts with the same arguments would give it; `report` says which, on which
    !> processes, and the largest difference. Nothing is written to the array.
    procedure :: stale_padding => stale_padding_array
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
    !> call halo%create(array [, star, through_host, by_messages, stat, errmsg]), or with a rank-1
    !> array of arrays of one layout, which then share one message to each neighbour. Collective.
    !> `star`: leave out edges and corners. `through_host`: copy memory of a device to the host and
    !> back, by the Device that C++ has registered. `by_messages`: also between processes of one
    !> node, which otherwise exchange elements without messages where that takes less time.
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
    !>               through_host, by_messages, stat, errmsg]), or with rank-1 arrays of sources and
    !> of targets. Collective. `through_host`, `by_messages`: as for a daptor_halo.
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

  ! The C functions, `contains`, and all procedures whose body is the call of one of these:
  ! interface.cpp writes them. A bound procedure named here that is not below is among them.
#include "daptor.inc"

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

  function daptor_configuration(name) result(value)
    character(*), intent(in), optional :: name
    character(:), allocatable :: value
    character(kind=c_char), allocatable, target :: c_name(:)
    character(kind=c_char), pointer :: letters(:)
    type(c_ptr) :: found
    integer :: i, length
    interface
      function c_configuration(name) bind(c, name='daptor_configuration') result(text)
        import :: c_ptr
        type(c_ptr), value :: name
        type(c_ptr) :: text
      end function c_configuration
      function c_length(text) bind(c, name='strlen') result(length)
        import :: c_ptr, c_size_t
        type(c_ptr), value :: text
        integer(c_size_t) :: length
      end function c_length
    end interface

    value = ''
    if (present(name)) then
      c_name = [(name(i:i), i=1, len_trim(name)), c_null_char]
      found = c_configuration(c_loc(c_name))
    else
      found = c_configuration(c_null_ptr)
    end if
    if (.not. c_associated(found)) return
    length = int(c_length(found))
    deallocate (value)
    allocate (character(length) :: value)
    call c_f_pointer(found, letters, [length])
    do i = 1, length
      value(i:i) = letters(i)
    end do
  end function daptor_configuration

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

  ! -- Dimensions and layouts --------------------------------------------------------------------
  !
  ! Global sizes and bounds are default or 64-bit integers.

#define INTEGER_KIND kind(0)
#define OF_KIND(NAME) NAME/**/_default
#include "integers.inc.F90"

#define INTEGER_KIND c_int64_t
#define OF_KIND(NAME) NAME/**/_long
#include "integers.inc.F90"

  function layout_rank(self) result(ndim)
    class(daptor_layout), intent(in) :: self
    integer :: ndim

    ndim = int(c_layout_ndim(self%object))
  end function layout_rank

  ! -- Arrays ------------------------------------------------------------------------------------

  !> Characters are refused. gfortran 12 passes their length even to a type(*) argument, in the
  !> place of the length of errmsg. That length is then unknown, so errmsg is not set.
  subroutine conclude_unless_text(is_text, code, stat, errmsg)
    integer(c_int32_t), intent(in) :: is_text(:)
    integer(c_int), intent(in) :: code
    ENDING

    if (all(is_text == 0)) then
      call daptor_conclude(code, stat, errmsg)
    else
      call daptor_conclude(code, stat)
    end if
  end subroutine conclude_unless_text

  subroutine validate_array(self, conforms, report, VALIDATE_ARGUMENTS, stat, errmsg)
    class(daptor_array), intent(in) :: self
    logical, intent(out), optional :: conforms
    character(:), allocatable, intent(inout), optional :: report
    DECLARE_VALIDATE
    ENDING
    integer(c_int32_t) :: verdict
    integer(c_int) :: code

    verdict = 0
    code = c_array_validate(self%object, GIVEN_VALIDATE, merge(0, 1, present(conforms)), verdict)
    if (present(conforms)) conforms = verdict == 1
    if (present(report)) report = message()
    call daptor_conclude(code, stat, errmsg)
  end subroutine validate_array

  subroutine stale_padding_array(self, stale, report, HALO_ARGUMENTS, stat, errmsg)
    class(daptor_array), intent(in) :: self
    logical, intent(out) :: stale
    character(:), allocatable, intent(inout), optional :: report
    DECLARE_HALO
    ENDING
    integer(c_int32_t) :: found
    integer(c_int) :: code

    found = 0
    code = c_array_stale_padding(self%object, GIVEN_HALO, found)
    stale = found == 1
    if (present(report)) report = message()
    call daptor_conclude(code, stat, errmsg)
  end subroutine stale_padding_array

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

  !> The variable that gets the result of a reduction.
  function given_variable(value) result(given)
    class(*), intent(in), target :: value
    type(daptor_argument) :: given

    select type (value)
    type is (integer(c_int32_t)); given = daptor_given_integer(value)
    type is (integer(c_int64_t)); given = daptor_given_long(value)
    type is (real(c_float)); given = given_single(value)
    type is (real(c_double)); given = daptor_given_real(value)
    type is (complex(c_float_complex)); given = given_single_complex(value)
    type is (complex(c_double_complex)); given = given_double_complex(value)
    end select
  end function given_variable

  !> 0 if the argument is absent. An empty array has no object either, and is refused as one.
  function object_of(given) result(object)
    class(daptor_array), intent(in), optional :: given
    integer(c_int64_t) :: object

    object = 0
    if (.not. present(given)) return
    object = given%object
    if (object == 0) object = -1
  end function object_of

  ! -- Copies and ends of variables --------------------------------------------------------------
  !
  ! The finalizers are for scalars only, because with elemental ones gfortran 12 crashes if a type
  ! has an array of these types as a component.

  ! A space before NAME would become a part of it.
#define OBJECT(TYPE, NAME) \
  impure elemental subroutine copy_/**/NAME (to, from); class(TYPE), intent(inout) :: to; \
  type(TYPE), intent(in) :: from; call c_share(from%object, to%object); end subroutine; \
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
