! SPDX-License-Identifier: BSD-3-Clause
!> A type(daptor_array) as a PETSc Vec on the same memory, and a Vec as a type(daptor_array).
!>
!>     call daptor_import_vec(a, x)        ! a Vec on the memory of the array that a describes
!>     call KSPSolve(ksp, b, x, ierr)      ! writes into that array
!>     call VecDestroy(x, ierr)
!>
!> `stat` and `errmsg` are as in the module daptor.
module daptor_petsc
#include <petsc/finclude/petscvec.h>
  use, intrinsic :: iso_c_binding
  use petscvec, only: tVec
  use daptor
  implicit none
  private

  !> call daptor_import_vec(array, x [, flat, readonly, trust_readonly, allow_overlap,
  !>                        local_to_global, ghosts, interior, stat, errmsg])
  !>
  !> Collective. The owned elements of the array as a Vec, which keeps the description alive: the
  !> Vec may outlive `array`, but not the memory. The caller owns the Vec and calls VecDestroy. Its
  !> numbering is PETSc's own: process after process, on each process in memory order.
  !>
  !> The owned elements must be one contiguous run on each process: no ghost cells except in the
  !> last dimension. If an array has ghost cells on all sides, copy it by daptor_redistribute to an
  !> array without them (from array%without_padding, if they are outside the copy), or import it
  !> including them by daptor_import_local_vec.
  !>
  !> Block size is the extent of a first dimension made by daptor_undistributed, unless `flat`. After
  !> a write to the memory from outside of PETSc call array%modified() on all processes: PETSc caches
  !> norms.
  !>
  !> `ghosts`: a ghosted Vec, of an array that lists its owned indices and then its ghosts
  !> (daptor_unstructured with `owned`). VecGhostUpdateBegin and End then work in the array's own
  !> memory, all of which VecGhostGetLocalForm gives.
  !>
  !> `interior`: without the ghost cells at the edges of the whole array, which otherwise count in
  !> the size of the Vec; as of array%without_padding.
  public :: daptor_import_vec

  !> call daptor_import_local_vec(array, x [, flat, readonly, trust_readonly, stat, errmsg])
  !>
  !> Collective. All elements in this process's memory, ghost cells included, as a sequential Vec.
  public :: daptor_import_local_vec

  !> call daptor_load_plugin([stat, errmsg])
  !>
  !> Collective over PETSC_COMM_WORLD, after PetscInitialize. Loads Daptor's plug-in into PETSc, as
  !> the option -dll_append does: then there are the PC types muelu, ifpack2 and, where PETSc has
  !> none of its own, ml, if Daptor was built with Trilinos, and -daptor_check is obeyed.
  !>
  !>     call daptor_load_plugin()
  !>     call PCSetType(pc, 'muelu', ierr)
  public :: daptor_load_plugin

  public :: daptor_export_vec

  ! The C functions, `contains`, and the other procedures: interface.cpp writes them.
#include "daptor_petsc.inc"

  !> call daptor_export_vec(x, array [, ghosts, readonly, stat, errmsg])
  !>
  !> Collective over the processes of x, which become those of the array. Describes the Vec's own
  !> memory. Holds a reference to the Vec until `array` and every object made from it are freed; the
  !> last release of a Vec is collective in PETSc, so call array%free() on all processes. A Vec of
  !> block size b > 1 is described as an array of b x blocks, any other Vec by one dimension.
  !> `ghosts`: describes the ghost values of a ghosted Vec too, as an unstructured array in the
  !> Vec's global numbering.
  subroutine daptor_export_vec(x, array, EXPORT_ARGUMENTS, stat, errmsg)
    type(tVec), intent(in) :: x
    class(daptor_array), intent(inout) :: array
    DECLARE_EXPORT
    ENDING
    integer(c_int64_t) :: handle
    integer(c_int) :: code

    handle = 0
    code = c_export_vec(int(x%v, c_int64_t), GIVEN_EXPORT, handle)
    if (code == 0) call array%adopt(handle)
    call daptor_conclude(code, stat, errmsg)
  end subroutine daptor_export_vec

end module daptor_petsc
