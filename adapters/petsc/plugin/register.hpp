// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor::petsc::plugin {

/// What the plug-in adds to PETSc in each of its sessions, besides the doctor: for adapters that
/// are linked into it, in the initialization of a variable.
/// @param add  collective over PETSC_COMM_WORLD, in PetscInitialize; what it throws becomes an
/// error
///             of PETSc
/// @returns true
bool at_load(void (*add)());

}  // namespace daptor::petsc::plugin
