// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

/// \file
/// For adapters that join PETSc with another library, and for the plug-in: whether the PETSc that
/// this process has loaded is one that this library can use.

namespace daptor::petsc::detail {

/// What is wrong with the PETSc of this process, in two phrases for an error.
struct PetscMismatch {
  std::string found;     ///< empty where nothing is wrong
  std::string expected;  ///< what Daptor was built with
};

/// Compares the library, not its headers, with the headers that Daptor was built with: scalars,
/// index width, and the version without its last number. PETSc need not be initialised.
PetscMismatch petsc_mismatch();

/// Throws InvalidArgument (`petsc.build`) where there is a mismatch. Process-local.
void require_same_petsc();

/// Answers `daptor --version` and `daptor explain`.
void register_found_petsc();

}  // namespace daptor::petsc::detail
