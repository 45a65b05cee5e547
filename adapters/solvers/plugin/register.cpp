// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The function that PETSc calls in `libdaptor_pc.so` (option `-dll_append`).

#include <cstdio>
#include <string>

#include "daptor/petsc/adapter/found.hpp"
#include "solvers/src/petsc_error.hpp"
#include "trilinos_pc.hpp"

namespace daptor::solvers::plugin {
namespace {

/// How the running PETSc differs from the one with which this was compiled, as a sentence; empty if
/// it does not.
std::string difference() {
  const petsc::detail::PetscMismatch mismatch = petsc::detail::petsc_mismatch();
  if (mismatch.found.empty()) return {};
  return "the program runs " + mismatch.found + ", and this plug-in was built for " +
         mismatch.expected + "; build Daptor with the program's PETSc";
}

PetscErrorCode register_types() {
  const PetscErrorCode code = PCRegister("muelu", create_muelu);
  return static_cast<int>(code) != 0 ? code : PCRegister("ifpack2", create_ifpack2);
}

}  // namespace
}  // namespace daptor::solvers::plugin

PETSC_EXTERN PETSC_VISIBILITY_PUBLIC PetscErrorCode PetscDLLibraryRegister_daptor_pc();

/// Called by PETSc when it has loaded the library, in every session. Adds `muelu` and `ifpack2`.
PetscErrorCode PetscDLLibraryRegister_daptor_pc() {
  using namespace daptor::solvers;
  try {
    const std::string why = plugin::difference();
    if (!why.empty()) return raise(PETSC_COMM_WORLD, why, PETSC_ERR_SUP);
    return plugin::register_types();
  } catch (...) {
    return raise(PETSC_COMM_SELF, current_text("PetscDLLibraryRegister_daptor_pc"));
  }
}
