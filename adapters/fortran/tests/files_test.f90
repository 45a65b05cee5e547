! SPDX-License-Identifier: BSD-3-Clause
!> What the module daptor_hdf5 says of files is in Fortran's terms, and names that a program gives come
!> back as they are, whatever they look like.
program files_test
  use, intrinsic :: iso_fortran_env
  use mpi_f08
  use daptor
  use daptor_hdf5
  use checking
  implicit none

  type(daptor_layout) :: grid
  type(daptor_array) :: a
  real(real64), allocatable, target :: u(:, :)
  integer :: lo(2), hi(2), stat, i
  real(real64) :: time
  character(errmsg_length) :: errmsg
  character(13) :: file
  character(:), allocatable :: odd
  !> Names are made of these: what messages say in other words in Fortran, and what is not plain.
  character(16), parameter :: pieces(*) = [character(16) :: 'dimension 2', '[0, 4)', 'index 3', &
    'import_vec', 'fft::run', '{}', '%s%n', 'step 7', 'VecOptions::flat', '\', '"', &
    achar(10), char(195) // char(164), char(226) // char(130) // char(172)]

  call start_checks()
  file = 'steps of ' // achar(iachar('0') + ranks) // '.h5'
  call grid%block([6, 4], MPI_COMM_WORLD)
  call grid%owned_bounds(lo, hi)
  allocate (u(lo(1):hi(1), lo(2):hi(2)), source=1.0_real64)
  call a%describe(u, grid)
  call remove(file)
  do i = 1, 3
    call daptor_append(a, file, 'u')
  end do

  call daptor_load(a, file, 'u', number=8, stat=stat, errmsg=errmsg)
  call check_stat(stat, daptor_invalid_argument, errmsg, 'hdf5.step', 'a step that is not there')
  call check(index(errmsg, 'found step 8;') > 0, 'steps count from 1: ' // trim(errmsg))
  call daptor_append(a, file, 'u', at=9, stat=stat, errmsg=errmsg)
  call check(index(errmsg, 'found step 9;') > 0, 'a step to write: ' // trim(errmsg))
  call daptor_load(a, file, 'u', stat=stat, errmsg=errmsg)
  call check_stat(stat, daptor_invalid_argument, errmsg, 'hdf5.shape', 'a dataset of steps')
  call check(index(errmsg, 'found a dataset of 6 x 4 x 3; expected 6 x 4, the global') > 0 .and. &
             index(errmsg, 'Pass number= to read a step') > 0, 'shapes and options: ' // trim(errmsg))
  if (my_rank == 0) then
    call daptor_load(a, file, 'u', number=1, time=time, stat=stat, errmsg=errmsg)
  else
    call daptor_load(a, file, 'u', number=1, stat=stat, errmsg=errmsg)
  end if
  call check_stat(stat, daptor_invalid_argument, errmsg, 'time', 'a time for one rank')
  call daptor_save(a, file, 'u', overwrite=my_rank == 0, stat=stat, errmsg=errmsg)
  call check(ranks == 1 .or. index(errmsg, 'ranks that call daptor_save') > 0, 'the call: ' // errmsg)
  do i = 1, 30
    odd = odd_name(i)
    call daptor_load(a, file, odd, stat=stat, errmsg=errmsg)
    call check(index(errmsg, "no dataset '" // odd // "'") > 0, 'a dataset: ' // trim(errmsg))
    call daptor_load(a, odd, 'u', stat=stat, errmsg=errmsg)
    call check(index(errmsg, "no file '" // odd // "'") > 0, 'a file: ' // trim(errmsg))
    call check(same_everywhere(errmsg), 'ranks have other messages: ' // trim(errmsg))
  end do
  deallocate (odd)
  call remove(file)
  call end_checks()

contains

  !> The same on all ranks: each piece, and then one to five of them in any order.
  function odd_name(number) result(name)
    integer, intent(in) :: number
    character(:), allocatable :: name
    integer :: n, seed

    name = trim(pieces(mod(number, size(pieces)) + 1))
    seed = 7919 * number
    do n = 1, merge(0, mod(number, 5), number <= size(pieces))
      seed = mod(seed * 1103 + 12345, 65536)
      name = name // ' ' // trim(pieces(mod(seed / 8, size(pieces)) + 1))
    end do
  end function odd_name

  subroutine remove(name)
    character(*), intent(in) :: name
    integer :: unit

    call MPI_Barrier(MPI_COMM_WORLD)
    if (my_rank == 0) then
      open (newunit=unit, file=name)
      close (unit, status='delete')
    end if
    call MPI_Barrier(MPI_COMM_WORLD)
  end subroutine remove

end program files_test
