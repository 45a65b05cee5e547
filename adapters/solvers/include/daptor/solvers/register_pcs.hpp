// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor::solvers {

/// Adds the types `muelu`, `ifpack2` and, where PETSc has none of its own, `ml` to those of PETSc's
/// PC: `PCSetType(pc, "muelu")` and `-pc_type muelu` then work in this program, with the options of
/// the plug-in (`-pc_muelu_...`) and without `-dll_append`. They start Kokkos if nobody has.
/// Collective over PETSC_COMM_WORLD, after PetscInitialize, once in each session of PETSc.
/// @throws what `petsc::load_plugin` throws; NotRepresentable (`tpetra.scalar`) if the installed
///   Tpetra has no objects of PETSc's scalar type
void register_pcs();

}  // namespace daptor::solvers
