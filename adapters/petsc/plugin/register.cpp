// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The function that PETSc calls in `libdaptor_pc.so` (option `-dll_append`).

#include "register.hpp"

#include <string>
#include <vector>

#include "daptor/petsc/adapter/callback.hpp"
#include "doctor/doctor.hpp"
#include "doctor/trace.hpp"
#include "running_petsc.hpp"

namespace daptor::petsc::plugin {
namespace {

std::vector<void (*)()>& additions() {
  static std::vector<void (*)()> list;
  return list;
}

/// @param caller  an address in the PETSc that loads the plug-in
PetscErrorCode register_with(const void* caller) {
  const RunningPetsc petsc(caller);
  const std::string why = petsc.difference();
  if (!why.empty()) return petsc.raise(why);
  doctor::begin_if_asked();
  doctor::begin_trace_if_asked();
  for (void (*const add)() : additions()) add();
  return PetscErrorCode{};
}

}  // namespace

bool at_load(void (*add)()) {
  additions().push_back(add);
  return true;
}

}  // namespace daptor::petsc::plugin

PETSC_EXTERN PETSC_VISIBILITY_PUBLIC PetscErrorCode PetscDLLibraryRegister_daptor_pc();

/// Called by PETSc when it has loaded the library, in every session.
PetscErrorCode PetscDLLibraryRegister_daptor_pc() {
  using namespace daptor::petsc;
  try {
    return plugin::register_with(__builtin_return_address(0));
  } catch (...) {
    return detail::raise(PETSC_COMM_SELF, detail::current_text("PetscDLLibraryRegister_daptor_pc"));
  }
}
