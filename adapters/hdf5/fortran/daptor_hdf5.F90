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

  !> call daptor_save(array, path, name [, time, step, overwrite, boundary, read_from_any, no_sync,
  !>                  deflate, stat, errmsg])
  !>
  !> Writes the array as the dataset `name`, which may have groups: 'run/temperature'. The file
  !> appears, or is replaced, whole or not at all. `time` and `step` are kept as attributes of the
  !> dataset. `overwrite` replaces a dataset of that name, `boundary` writes the ghost cells at the
  !> outer edges too, `no_sync` does not wait for the disk, `deflate` is a level of compression from 1
  !> to 9.
  public :: daptor_save

  !> call daptor_append(array, path, name [, time, number, at, steps, boundary, read_from_any,
  !>                    no_sync, deflate, stat, errmsg])
  !>
  !> Adds the array as the next step to a dataset with one dimension more, the last one in Fortran,
  !> which is unlimited. `time` is kept with each step or with none. `number` gets the number of the
  !> step, from 1. `at` is the number that it shall have: steps from there on are given up. `steps` is
  !> for how many steps the file shall have place.
  public :: daptor_append

  !> call daptor_load(array, path, name [, number, time, step, boundary, no_ghosts, convert, stat,
  !>                  errmsg])
  !>
  !> Reads a dataset of the shape of the array, whatever the layout and the number of processes with
  !> which it was written, and fills the ghost cells that other processes own. `number` reads that
  !> step of a dataset of steps, from 1; -1 is the last one. `time` and `step` get the attributes that
  !> daptor_save was given or, of a step, its time. `convert` allows elements of another type.
  public :: daptor_load

  ! The C functions, `contains`, and the procedures: interface.cpp writes them.
#include "daptor_hdf5.inc"

end module daptor_hdf5
