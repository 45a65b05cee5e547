// SPDX-License-Identifier: BSD-3-Clause
#include <exception>
#include <string>

#include <petscsys.h>

#include "bindings.hpp"
#include "daptor/error.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/raised.hpp"
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
  // What is behind an error of petsc4py. The first call forgets what is behind a former one.
  module.def("forget_error", [] { petsc::detail::take_raised(); });
  module.def(
      "raise_error",
      [](const std::string& text) {
        if (const std::exception_ptr error = petsc::detail::take_raised())
          std::rethrow_exception(error);
        throw LibraryFailed(error_finding("library.petsc", -1, "", text, ""));
      },
      py::arg("text"));
}

}  // namespace daptor::python
