! SPDX-License-Identifier: BSD-3-Clause
!> Loads the plug-in, and makes one of its preconditioners.
program loads
#include <petsc/finclude/petscksp.h>
  use petscksp
  use daptor_petsc
  implicit none

  PetscErrorCode :: ierr
  PC :: pc
  PCType :: kind
  integer :: code
  character(len=200) :: message

  message = ''
  call daptor_load_plugin(code, message)
  if (code == 0) stop 'loaded before PetscInitialize'
  PetscCallA(PetscInitialize(ierr))
  call daptor_load_plugin()
  PetscCallA(PCCreate(PETSC_COMM_WORLD, pc, ierr))
  PetscCallA(PCSetType(pc, 'muelu', ierr))
  PetscCallA(PCGetType(pc, kind, ierr))
  PetscCallA(PetscPrintf(PETSC_COMM_WORLD, trim(message)//' / '//trim(kind)//new_line('a'), ierr))
  PetscCallA(PCDestroy(pc, ierr))
  PetscCallA(PetscFinalize(ierr))
end program loads
