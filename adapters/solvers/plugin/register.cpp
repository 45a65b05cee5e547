// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The function that PETSc calls in `libdaptor_pc.so` (option `-dll_append`).

#include "daptor/error.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "doctor/doctor.hpp"
#include "options.hpp"
#include "running_petsc.hpp"
#include "solvers/src/petsc_error.hpp"
#include "trilinos_pc.hpp"

namespace daptor::solvers::plugin {
namespace {

/// Whether MueLu is to be the type `ml`: where PETSc has none, or the option asks for it.
bool takes_ml() {
  if (const auto what = program_option("-daptor_ml")) {
    if (*what != "muelu") throw InvalidArgument("-daptor_ml", *what, "muelu");
    return true;
  }
  void (*found)() = nullptr;
  petsc::detail::check(PetscFunctionListFind(PCList, PCML, &found), "PetscFunctionListFind");
  return found == nullptr;
}

void register_types() {
  using petsc::detail::call;
  call("PCRegister", PCRegister, "muelu", create_muelu);
  call("PCRegister", PCRegister, "ifpack2", create_ifpack2);
  if (takes_ml()) call("PCRegister", PCRegister, PCML, create_ml);
}

/// @param caller  an address in the PETSc that loads the plug-in
PetscErrorCode register_with(const void* caller) {
  const RunningPetsc petsc(caller);
  const std::string why = petsc.difference();
  if (!why.empty()) return petsc.raise(why);
  doctor::begin_if_asked();
  register_types();
  return PetscErrorCode{};
}

}  // namespace
}  // namespace daptor::solvers::plugin

PETSC_EXTERN PETSC_VISIBILITY_PUBLIC PetscErrorCode PetscDLLibraryRegister_daptor_pc();

/// Called by PETSc when it has loaded the library, in every session. Adds `muelu`,
/// `ifpack2`, and `ml` where `takes_ml` says so.
PetscErrorCode PetscDLLibraryRegister_daptor_pc() {
  using namespace daptor::solvers;
  try {
    return plugin::register_with(__builtin_return_address(0));
  } catch (...) {
    return raise(PETSC_COMM_SELF, current_text("PetscDLLibraryRegister_daptor_pc"));
  }
}
