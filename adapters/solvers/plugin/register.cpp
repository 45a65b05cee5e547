// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The function that PETSc calls in `libdaptor_pc.so` (option `-dll_append`).

#include "doctor/doctor.hpp"
#include "running_petsc.hpp"
#include "solvers/src/petsc_error.hpp"
#include "trilinos_pc.hpp"

namespace daptor::solvers::plugin {
namespace {

PetscErrorCode register_types() {
  const PetscErrorCode code = PCRegister("muelu", create_muelu);
  return static_cast<int>(code) != 0 ? code : PCRegister("ifpack2", create_ifpack2);
}

/// @param caller  an address in the PETSc that loads the plug-in
PetscErrorCode register_with(const void* caller) {
  const RunningPetsc petsc(caller);
  const std::string why = petsc.difference();
  if (!why.empty()) return petsc.raise(why);
  doctor::begin_if_asked();
  return register_types();
}

}  // namespace
}  // namespace daptor::solvers::plugin

PETSC_EXTERN PETSC_VISIBILITY_PUBLIC PetscErrorCode PetscDLLibraryRegister_daptor_pc();

/// Called by PETSc when it has loaded the library, in every session. Adds `muelu` and `ifpack2`.
PetscErrorCode PetscDLLibraryRegister_daptor_pc() {
  using namespace daptor::solvers;
  try {
    return plugin::register_with(__builtin_return_address(0));
  } catch (...) {
    return raise(PETSC_COMM_SELF, current_text("PetscDLLibraryRegister_daptor_pc"));
  }
}
