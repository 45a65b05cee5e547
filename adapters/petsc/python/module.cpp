// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.hpp"
#include "calls/signatures.hpp"
#include "daptor/petsc.hpp"

PYBIND11_MODULE(_petsc, module) {
  using namespace daptor::python;
  module.doc() = "The compiled part of daptor that knows PETSc, through petsc4py.";
  py::module_::import("daptor._daptor");  // registers Array and Report
  bind_checking(module);
  bind_exporting(module);
  bind_importing_petsc(module);
  bind_matrices(module);
  bind_plugin(module);
  daptor::petsc::register_targets();
  finish_signatures(module);
}
