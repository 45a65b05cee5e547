// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/solvers/register_pcs.hpp"

#include <petscpc.h>

#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/plugin.hpp"

namespace daptor::solvers {

void register_pcs() {
  petsc::load_plugin();
  Call call(Comm(PETSC_COMM_WORLD), "solvers::register_pcs");
  call.check([] {
    void (*found)() = nullptr;
    petsc::detail::check(PetscFunctionListFind(PCList, "muelu", &found), "PetscFunctionListFind");
    if (found == nullptr)
      throw NotRepresentable(adapter::reason("tpetra.scalar", "no preconditioners in the plug-in",
                                             "a Tpetra with objects of PETSc's scalar type",
                                             "Use a Trilinos that is instantiated for it."));
  });
}

}  // namespace daptor::solvers
