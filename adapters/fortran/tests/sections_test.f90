! SPDX-License-Identifier: BSD-3-Clause
!> Strided memory of every shape, copies and ends of variables, and the C struct.
program sections_test
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env
  use mpi_f08
  use daptor
  use daptor_abi, only: abi_array => daptor_array, daptor_section, daptor_release
  use checking
  implicit none

  type :: cell
    real(real64) :: pressure = 0, temperature = 0
    integer(int32) :: material = 0
  end type cell

  call start_checks()
  call every_second_column()
  call backwards()
  call components_of_a_type()
  call copies_share()
  call bitwise_copies()
  call fields_grow()
  call struct_and_back()
  call memory_of_a_device()
  call end_checks()

contains

  !> Ghosts of u(:, ::2, 3): nothing between its columns is touched.
  subroutine every_second_column()
    integer, parameter :: n(2) = [6, 11]
    type(daptor_layout) :: layout
    type(daptor_array) :: a
    real(real64), allocatable, target :: u(:, :, :)
    integer :: lo(2), hi(2), first(2), last(2), i, j

    call layout%block(n, MPI_COMM_WORLD, grid=[1, 0], ghosts=[1, 1])
    call layout%owned_bounds(lo, hi)
    call layout%local_bounds(first, last)
    allocate (u(first(1):last(1), 2 * first(2):2 * last(2), 3), source=-7.0_real64)
    do j = lo(2), hi(2)
      u(lo(1):hi(1), 2 * j, 3) = [(10 * i + j, i=lo(1), hi(1))]
    end do
    call a%describe(u(:, 2 * first(2):2 * last(2):2, 3), layout)
    call a%validate()
    call daptor_update_ghosts(a)
    call check(all(u(:, :, :2) == -7), 'another plane was written')
    do j = first(2), last(2)
      if (j > first(2)) call check(all(u(:, 2 * j - 1, 3) == -7), 'a column between was written')
      do i = first(1), last(1)
        call check(u(i, 2 * j, 3) == merge(10 * i + j, -7, all([i, j] >= 1 .and. [i, j] <= n)), &
                   'a value of a strided section')
      end do
    end do
  end subroutine every_second_column

  subroutine backwards()
    integer, parameter :: n = 9
    type(daptor_layout) :: layout
    type(daptor_array) :: a
    integer(int32), allocatable, target :: u(:)
    integer :: first(1), last(1), lo(1), hi(1), i

    call layout%block([n], MPI_COMM_WORLD, ghosts=[1], periodic=[.true.])
    call layout%owned_bounds(lo, hi)
    call layout%local_bounds(first, last)
    ! Point i lies at -i.
    allocate (u(-last(1):-first(1)), source=0)
    do i = lo(1), hi(1)
      u(-i) = i
    end do
    call a%describe(u(-first(1):-last(1):-1), layout)
    call daptor_update_ghosts(a)
    do i = first(1), last(1)
      call check(u(-i) == modulo(i - 1, n) + 1, 'a value of a section that runs backwards')
    end do
  end subroutine backwards

  !> One component of an array of a derived type.
  subroutine components_of_a_type()
    integer, parameter :: n = 8
    type(daptor_layout) :: layout
    type(daptor_array) :: temperature, material
    type(cell), allocatable, target :: cells(:)
    type(cell), target :: nothing
    character(errmsg_length) :: errmsg
    integer :: stat, first(1), last(1), lo(1), hi(1), i

    call layout%block([n], MPI_COMM_WORLD, ghosts=[1])
    call layout%owned_bounds(lo, hi)
    call layout%local_bounds(first, last)
    allocate (cells(first(1):last(1)))
    do i = lo(1), hi(1)
      cells(i) = cell(1.0_real64, 2.0_real64 * i, -i)
    end do
    if (size(cells) == 0) then
      call temperature%describe_component(cells, nothing%temperature, layout)
      call material%describe_component(cells, nothing%material, layout)
    else
      call temperature%describe_component(cells, cells(first(1))%temperature, layout)
      call material%describe_component(cells, cells(first(1))%material, layout)
    end if
    call daptor_update_ghosts(temperature)
    call daptor_update_ghosts(material)
    do i = max(first(1), 1), min(last(1), n)
      call check(nint(cells(i)%temperature) == 2 * i .and. cells(i)%material == -i, 'a component')
    end do
    if (hi(1) < n) call check(cells(hi(1) + 1)%pressure == 0, 'another component was written')

    if (size(cells) < 2) return
    call temperature%describe_component(cells, cells(first(1) + 1)%temperature, layout, stat, &
                                        errmsg)
    call check(stat == daptor_invalid_argument .and. index(errmsg, 'fortran.component') > 0, &
               'a component of another element')
    ! Just behind the first element.
    call temperature%describe_component(cells, cells(first(1) + 1)%pressure, layout, stat, errmsg)
    call check(stat == daptor_invalid_argument .and. index(errmsg, 'fortran.component') > 0, &
               'the first component of another element')
  end subroutine components_of_a_type

  !> A copy stands for the same object, which lives until the last of them is gone.
  subroutine copies_share()
    type(daptor_layout) :: layout
    type(daptor_array) :: a, b
    type(daptor_halo) :: halo
    real(real64), allocatable, target :: u(:)
    integer :: first(1), last(1), stat

    call layout%block([12], MPI_COMM_WORLD, ghosts=[1], periodic=[.true.])
    call layout%local_bounds(first, last)
    allocate (u(first(1):last(1)), source=real(my_rank, real64))
    call a%describe(u, layout)
    b = a
    call a%free()
    call check(a%is_empty() .and. .not. b%is_empty(), 'the copy outlives the original')
    call a%free()
    call in_a_scope(b)
    b = b
    call halo%create(b)
    call b%free()
    call layout%free()
    call halo%update(stat)
    call check(stat == 0, 'an exchange keeps what it was made from')
    call check(nint(u(first(1))) == modulo(my_rank - 1, ranks), 'the ghost of a freed description')
  end subroutine copies_share

  !> A local variable is freed at the end of its procedure, and what it was copied from is not.
  subroutine in_a_scope(b)
    type(daptor_array), intent(in) :: b
    type(daptor_array) :: c

    c = b
    call check(.not. c%is_empty(), 'a copy of an argument')
  end subroutine in_a_scope

  !> What intrinsic copies do, which know of no assignment: no crash, and an error at the most.
  subroutine bitwise_copies()
    type(daptor_layout) :: layout
    type(daptor_array) :: a
    type(daptor_array), allocatable :: b
    real(real64), target :: u(20)
    integer :: first(1), last(1), stat

    call layout%block([5 * ranks], MPI_COMM_WORLD)
    call layout%local_bounds(first, last)
    u = 0
    call a%describe(u(:last(1) - first(1) + 1), layout)
    allocate (b, source=a)
    deallocate (b)
    call a%validate(stat=stat)
    call check(stat == 0 .or. stat == daptor_invalid_argument, 'a copy by source=')
  end subroutine bitwise_copies

  !> Components of types, and arrays that grow.
  subroutine fields_grow()
    type :: state
      type(daptor_array) :: fields(2)
    end type state
    type(daptor_layout) :: layout
    type(state) :: s, t
    type(daptor_array), allocatable :: list(:)
    real(real64), target :: u(5), v(5)

    call layout%block([5 * ranks], MPI_COMM_WORLD)
    u = 1
    v = 2
    call s%fields(1)%describe(u, layout)
    call s%fields(2)%describe(v, layout)
    t = s
    call s%fields%free()
    call check(all(s%fields%is_empty()) .and. .not. any(t%fields%is_empty()), 'arrays in a type')
    allocate (list(2))
    list = t%fields
    call daptor_redistribute(list(1), list(2))
    call check(all(v == 1), 'a copy between elements of a list')
    call list%free()
    call t%fields%free()
  end subroutine fields_grow

  !> To the struct that components without Daptor understand, and back.
  subroutine struct_and_back()
    type(daptor_layout) :: layout, same
    type(daptor_array) :: a, b
    type(abi_array) :: struct
    real(real64), allocatable, target :: u(:, :)
    real(c_double), pointer :: p(:, :)
    integer :: lo(2), hi(2), back_lo(2), back_hi(2), stat
    character(errmsg_length) :: errmsg

    call layout%block([4, 9], MPI_COMM_WORLD, grid=[1, 0], padding=[0, 1])
    call layout%local_bounds(lo, hi)
    allocate (u(lo(1):hi(1), lo(2):hi(2)), source=3.0_real64)
    call a%describe(u, layout)
    call a%to_abi(struct)
    call daptor_section(struct, p, stat)
    call check(stat == 0, 'the section of the struct')
    if (stat == 0) call check(associated(p, u), 'the struct describes other memory')
    call b%from_abi(struct, MPI_COMM_WORLD)
    call check(.not. c_associated(struct%release), 'the struct was not taken')
    call b%get_layout(same)
    call same%local_bounds(back_lo, back_hi)
    call check(all(back_lo == lo) .and. all(back_hi == hi), 'a layout that went through the struct')
    ! One rank's struct holds nothing: no rank's struct is taken.
    call b%to_abi(struct)
    if (my_rank == ranks - 1) call daptor_release(struct)
    call a%from_abi(struct, MPI_COMM_WORLD, stat, errmsg)
    call check_stat(stat, daptor_malformed, errmsg, 'abi.released', 'a struct that holds nothing')
    call check(c_associated(struct%release) .neqv. my_rank == ranks - 1, &
               'a struct that was refused')
    call daptor_release(struct)
  end subroutine struct_and_back

  !> Nobody has said how memory of that device is copied: every call fails before it touches it, and
  !> with the wish to go through the host says so.
  subroutine memory_of_a_device()
    integer(c_int32_t), parameter :: cuda = 2
    type(daptor_layout) :: layout
    type(daptor_array) :: a, b
    type(daptor_halo) :: halo
    type(daptor_redistribution) :: r
    type(abi_array) :: struct
    real(real64), allocatable, target :: u(:)
    integer :: lo(1), hi(1), stat
    character(errmsg_length) :: errmsg

    call layout%block([4 * ranks], MPI_COMM_WORLD, ghosts=[1])
    call layout%local_bounds(lo, hi)
    allocate (u(lo(1):hi(1)), source=3.0_real64)
    call b%describe(u, layout)
    call b%to_abi(struct)
    struct%device_type = cuda
    call a%from_abi(struct, MPI_COMM_WORLD)
    call daptor_update_ghosts(b, through_host=.true.)
    call daptor_update_ghosts(a, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'halo.device', 'ghosts of a device')
    call check(index(errmsg, 'through_host') > 0, 'what to do')
    call halo%create(a, through_host=.true., stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'halo.device', 'no device')
    call check(index(errmsg, 'register_device') > 0, 'through the host')
    call daptor_redistribute(a, b, stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'redistribute.device', 'a copy')
    call r%create(a, b, through_host=.true., stat=stat, errmsg=errmsg)
    call check_stat(stat, daptor_invalid_argument, errmsg, 'redistribute.device', 'no device')
    call check(index(errmsg, 'register_device') > 0, 'a copy through the host')
  end subroutine memory_of_a_device

end program sections_test
