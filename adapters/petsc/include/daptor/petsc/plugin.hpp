// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor::petsc {

/// Loads Daptor's plug-in, which lies beside this library, into the running PETSc: what the option
/// `-dll_append $(daptor plugin)` does for a program that cannot be changed. Afterwards there are
/// the PC types `muelu`, `ifpack2` and, where PETSc has none of its own, `ml`, if Daptor was built
/// with Trilinos; and the option `-daptor_check` is obeyed.
///
/// Collective over PETSC_COMM_WORLD, between PetscInitialize and PetscFinalize, once in each
/// session of PETSc; a second call does nothing.
/// @throws InvalidArgument if PETSc is not initialized, or is another one than Daptor's;
///   LibraryFailed (`library.dl`) if the plug-in is not there, as in a Daptor of static
///   libraries, or cannot be loaded; LibraryFailed (`library.petsc`) if an option of the plug-in
///   is wrong
void load_plugin();

}  // namespace daptor::petsc
