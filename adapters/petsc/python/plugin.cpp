// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include <petscsys.h>

#include "bindings.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "petsc4py.hpp"

namespace daptor::python {

void bind_plugin(py::module_& module) {
  // Process-local, for calls on a part of the ranks, which petsc::load_plugin is not. PETSc loads a
  // library of the same path once in a session.
  module.def(
      "load_plugin",
      [](const std::string& path) {
        require_petsc4py();
        petsc::detail::call("PetscDLLibraryAppend", PetscDLLibraryAppend, PETSC_COMM_SELF,
                            &PetscDLLibrariesLoaded, path.c_str());
      },
      py::arg("path"));
}

}  // namespace daptor::python
