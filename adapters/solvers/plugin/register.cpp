// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The types of PC that the plug-in adds to PETSc.

#include "petsc/plugin/register.hpp"

#include "daptor/error.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "petsc/plugin/program_option.hpp"
#include "trilinos_pc.hpp"

namespace daptor::solvers::plugin {
namespace {

/// Whether MueLu is to be the type `ml`: where PETSc has none, or the option asks for it.
bool takes_ml() {
  if (const auto what = petsc::plugin::program_option("-daptor_ml")) {
    if (*what != "muelu") throw InvalidArgument("-daptor_ml", *what, "muelu");
    return true;
  }
  void (*found)() = nullptr;
  petsc::detail::check(PetscFunctionListFind(PCList, PCML, &found), "PetscFunctionListFind");
  return found == nullptr;
}

/// Adds `muelu`, `ifpack2`, and `ml` where `takes_ml` says so.
void register_types() {
  using petsc::detail::call;
  call("PCRegister", PCRegister, "muelu", create_muelu);
  call("PCRegister", PCRegister, "ifpack2", create_ifpack2);
  if (takes_ml()) call("PCRegister", PCRegister, PCML, create_ml);
}

const bool registered = petsc::plugin::at_load(register_types);

}  // namespace
}  // namespace daptor::solvers::plugin
