! SPDX-License-Identifier: BSD-3-Clause
!> Arrays in HDF5 files: any layout out, any layout and any number of processes in.
!>
!>     call daptor_save(a, 'state.h5', 'temperature', step=n)
!>     call daptor_load(b, 'state.h5', 'temperature', step=n)   ! b: another layout, other processes
!>
!> A dataset has the shape of the array without ghost cells, as HDF5's own interface for Fortran
!> shows it; in C and Python its dimensions come in the reverse order. `stat` and `errmsg` are as in
!> the module daptor. All procedures are collective, and all arguments are the same on all processes.
module daptor_hdf5
  use, intrinsic :: iso_c_binding
  use daptor
  implicit none
  private

  public :: daptor_save, daptor_append, daptor_load

  interface
    function c_save(array, path, name, flags, deflate, time, step) &
      bind(c, name='daptor_fortran_hdf5_save') result(code)
      import
      integer(c_int64_t), value :: array
      character(kind=c_char), intent(in) :: path(*), name(*)
      integer(c_int32_t), value :: flags, deflate
      type(c_ptr), value :: time, step
      integer(c_int) :: code
    end function c_save

    function c_append(array, path, name, flags, deflate, at, steps, time, number) &
      bind(c, name='daptor_fortran_hdf5_append') result(code)
      import
      integer(c_int64_t), value :: array
      character(kind=c_char), intent(in) :: path(*), name(*)
      integer(c_int32_t), value :: flags, deflate
      integer(c_int64_t), value :: at, steps
      type(c_ptr), value :: time
      integer(c_int64_t), intent(inout) :: number
      integer(c_int) :: code
    end function c_append

    function c_load(array, path, name, flags, number, time, step) &
      bind(c, name='daptor_fortran_hdf5_load') result(code)
      import
      integer(c_int64_t), value :: array
      character(kind=c_char), intent(in) :: path(*), name(*)
      integer(c_int32_t), value :: flags
      type(c_ptr), value :: number, time, step
      integer(c_int) :: code
    end function c_load
  end interface

contains

  pure function bit(given, value) result(number)
    logical, intent(in), optional :: given
    integer, intent(in) :: value
    integer(c_int32_t) :: number

    number = 0
    if (present(given)) number = merge(value, 0, given)
  end function bit

  pure function whole(given, default) result(number)
    integer, intent(in), optional :: given
    integer, intent(in) :: default
    integer(c_int64_t) :: number

    number = default
    if (present(given)) number = given
  end function whole

  !> call daptor_save(array, path, name [, time, step, overwrite, boundary, read_from_any, no_sync,
  !>                  deflate, stat, errmsg])
  !>
  !> Writes the array as the dataset `name`, which may have groups: 'run/temperature'. The file
  !> appears, or is replaced, whole or not at all. `time` and `step` are kept as attributes of the
  !> dataset. `overwrite` replaces a dataset of that name, `boundary` writes the ghost cells at the
  !> outer edges too, `no_sync` does not wait for the disk, `deflate` is a level of compression from 1
  !> to 9.
  subroutine daptor_save(array, path, name, time, step, overwrite, boundary, read_from_any, &
                         no_sync, deflate, stat, errmsg)
    class(daptor_array), intent(in) :: array
    character(*), intent(in) :: path, name
    real(c_double), intent(in), optional :: time
    integer, intent(in), optional :: step, deflate
    logical, intent(in), optional :: overwrite, boundary, read_from_any, no_sync
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(c_double), target :: time_value
    integer(c_int64_t), target :: step_value
    type(c_ptr) :: time_at, step_at

    time_at = c_null_ptr
    step_at = c_null_ptr
    if (present(time)) then
      time_value = time
      time_at = c_loc(time_value)
    end if
    if (present(step)) then
      step_value = step
      step_at = c_loc(step_value)
    end if
    call daptor_conclude(c_save(array%handle(), trim(path)//c_null_char, trim(name)//c_null_char, &
                                bit(overwrite, 1) + bit(boundary, 2) + bit(read_from_any, 4) + &
                                bit(no_sync, 8), int(whole(deflate, 0), c_int32_t), time_at, &
                                step_at), stat, errmsg)
  end subroutine daptor_save

  !> call daptor_append(array, path, name [, time, number, at, steps, boundary, read_from_any,
  !>                    no_sync, deflate, stat, errmsg])
  !>
  !> Adds the array as the next step to a dataset with one dimension more, the last one in Fortran,
  !> which is unlimited. `time` is kept with each step or with none. `number` gets the number of the
  !> step, from 1. `at` is the number that it shall have: steps from there on are given up. `steps` is
  !> for how many steps the file shall have place.
  subroutine daptor_append(array, path, name, time, number, at, steps, boundary, read_from_any, &
                           no_sync, deflate, stat, errmsg)
    class(daptor_array), intent(in) :: array
    character(*), intent(in) :: path, name
    real(c_double), intent(in), optional :: time
    integer, intent(out), optional :: number
    integer, intent(in), optional :: at, steps, deflate
    logical, intent(in), optional :: boundary, read_from_any, no_sync
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(c_double), target :: time_value
    integer(c_int64_t) :: step
    integer(c_int) :: code
    type(c_ptr) :: time_at

    time_at = c_null_ptr
    if (present(time)) then
      time_value = time
      time_at = c_loc(time_value)
    end if
    step = 0
    code = c_append(array%handle(), trim(path)//c_null_char, trim(name)//c_null_char, &
                    bit(boundary, 2) + bit(read_from_any, 4) + bit(no_sync, 8), &
                    int(whole(deflate, 0), c_int32_t), whole(at, 0) - 1, whole(steps, 0), time_at, &
                    step)
    if (present(number)) number = int(step + 1)
    call daptor_conclude(code, stat, errmsg)
  end subroutine daptor_append

  !> call daptor_load(array, path, name [, number, time, step, boundary, no_ghosts, convert, stat,
  !>                  errmsg])
  !>
  !> Reads a dataset of the shape of the array, whatever the layout and the number of processes with
  !> which it was written, and fills the ghost cells that other processes own. `number` reads that
  !> step of a dataset of steps, from 1; -1 is the last one. `time` and `step` get the attributes that
  !> daptor_save was given or, of a step, its time. `convert` allows elements of another type.
  subroutine daptor_load(array, path, name, number, time, step, boundary, no_ghosts, convert, &
                         stat, errmsg)
    class(daptor_array), intent(in) :: array
    character(*), intent(in) :: path, name
    integer, intent(in), optional :: number
    real(c_double), intent(out), optional :: time
    integer, intent(out), optional :: step
    logical, intent(in), optional :: boundary, no_ghosts, convert
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int64_t), target :: number_value, step_value
    real(c_double), target :: time_value
    type(c_ptr) :: number_at, time_at, step_at
    integer(c_int) :: code

    number_at = c_null_ptr
    time_at = c_null_ptr
    step_at = c_null_ptr
    if (present(number)) then
      number_value = number
      number_at = c_loc(number_value)
    end if
    time_value = 0
    step_value = 0
    if (present(time)) time_at = c_loc(time_value)
    if (present(step)) step_at = c_loc(step_value)
    code = c_load(array%handle(), trim(path)//c_null_char, trim(name)//c_null_char, &
                  bit(boundary, 2) + bit(no_ghosts, 4) + bit(convert, 8), number_at, time_at, &
                  step_at)
    if (present(time)) time = time_value
    if (present(step)) step = int(step_value)
    call daptor_conclude(code, stat, errmsg)
  end subroutine daptor_load

end module daptor_hdf5
