! SPDX-License-Identifier: BSD-3-Clause
!> Heat conduction in a plate, computed by a code in Fortran, which is stopped in the middle and
!> continued on fewer processes. In the end every bit is as if it had not been stopped. The states on
!> the way are steps of one dataset.
!>
!>     mpirun -n 3 daptor_hdf5_fortran_heat
program heat
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi
  use daptor
  use daptor_hdf5
  implicit none

  character(*), parameter :: whole = 'fortran_heat_whole.h5', stopped = 'fortran_heat_stopped.h5', &
    continued = 'fortran_heat_continued.h5', states = 'fortran_heat_states.h5'
  integer, parameter :: n(2) = [40, 30], last_step = 200
  integer :: comm, ierr, processes, fewer, rank
  logical :: good

  call MPI_Init(ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, processes, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank == 0) call remove_files()
  call MPI_Barrier(MPI_COMM_WORLD, ierr)

  call compute(MPI_COMM_WORLD, '', whole, last_step)
  call compute(MPI_COMM_WORLD, '', stopped, last_step / 2)
  ! A later job would have other processes; here it is a part of them.
  fewer = (processes + 1) / 2
  call MPI_Comm_split(MPI_COMM_WORLD, merge(0, MPI_UNDEFINED, rank < fewer), rank, comm, ierr)
  if (comm /= MPI_COMM_NULL) then
    call compute(comm, stopped, continued, last_step)
    call MPI_Comm_free(comm, ierr)
  end if
  call MPI_Barrier(MPI_COMM_WORLD, ierr)

  good = are_same(whole, continued)
  if (rank == 0) print '(a, i0, a, i0, a, i0, 2a)', 'Stopped after ', last_step / 2, ' steps on ', &
    processes, ' processes, continued on ', fewer, ': ', &
    trim(merge('every bit is the same.', 'other values!         ', good))
  call MPI_Finalize(ierr)
  if (.not. good) error stop 1

contains

  !> Goes on from the file `from`, or begins if there is none, and saves to `to` where it stops.
  subroutine compute(comm, from, to, stop_at)
    integer, intent(in) :: comm, stop_at
    character(*), intent(in) :: from, to
    type(daptor_layout) :: grid
    type(daptor_array) :: u_array
    type(daptor_halo) :: halo
    real(real64), allocatable, target :: u(:, :)
    real(real64), allocatable :: v(:, :)
    integer :: lo(2), hi(2), first(2), last(2), i, j, step, number

    ! Blocks with a ghost cell on all sides, even outside the plate, where it is cold.
    call grid%block(n, comm, ghosts=[1, 1])
    call grid%owned_bounds(lo, hi)
    call grid%local_bounds(first, last)
    allocate (u(first(1):last(1), first(2):last(2)), v(lo(1):hi(1), lo(2):hi(2)))
    u = 0
    call u_array%describe(u, grid)
    call halo%create(u_array)

    step = 0
    if (from == '') then
      do j = lo(2), hi(2)
        do i = lo(1), hi(1)
          if (i < 12 .and. j < 9) u(i, j) = 100
        end do
      end do
    else
      call daptor_load(u_array, from, 'temperature', step=step)
    end if

    do while (step < stop_at)
      call halo%update()
      do j = lo(2), hi(2)
        do i = lo(1), hi(1)
          v(i, j) = u(i, j) + 0.2_real64 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + &
                                            u(i, j + 1) - 4 * u(i, j))
        end do
      end do
      u(lo(1):hi(1), lo(2):hi(2)) = v
      step = step + 1
      ! The states of a stopped run that are computed again take the place of those before.
      if (mod(step, 50) == 0) then
        call daptor_append(u_array, states, 'temperature', time=0.1_real64 * step, &
                           at=step / 50, number=number, no_sync=.true.)
        if (number /= step / 50) error stop 'the number of the state'
      end if
    end do
    call daptor_save(u_array, to, 'temperature', time=0.1_real64 * step, step=step)
    call halo%free()
  end subroutine compute

  !> Whether two files have the same temperature, to the last bit, and the states end with it.
  function are_same(one, other) result(same)
    character(*), intent(in) :: one, other
    type(daptor_layout) :: grid
    type(daptor_array) :: a, b, c
    real(real64), allocatable, target :: u(:, :), v(:, :), w(:, :)
    real(real64) :: time, state_time
    integer :: lo(2), hi(2), step
    logical :: same, here

    call grid%block(n, MPI_COMM_WORLD)
    call grid%owned_bounds(lo, hi)
    allocate (u(lo(1):hi(1), lo(2):hi(2)), v(lo(1):hi(1), lo(2):hi(2)), w(lo(1):hi(1), lo(2):hi(2)))
    call a%describe(u, grid)
    call b%describe(v, grid)
    call c%describe(w, grid)
    call daptor_load(a, one, 'temperature', time=time, step=step)
    call daptor_load(b, other, 'temperature')
    call daptor_load(c, states, 'temperature', number=-1, time=state_time)
    here = all(u == v) .and. all(u == w) .and. all(u > 0) .and. step == last_step .and. &
      abs(time - state_time) < 1e-12_real64
    call MPI_Allreduce(here, same, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, ierr)
  end function are_same

  !> Those of an earlier run.
  subroutine remove_files()
    character(32) :: files(4)
    integer :: i, unit

    files = [character(32) :: whole, stopped, continued, states]
    do i = 1, size(files)
      open (newunit=unit, file=trim(files(i)))
      close (unit, status='delete')
    end do
  end subroutine remove_files

end program heat
