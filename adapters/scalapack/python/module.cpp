// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.hpp"
#include "calls/signatures.hpp"
#include "daptor/scalapack.hpp"

PYBIND11_MODULE(_scalapack, module) {
  using namespace daptor::python;
  module.doc() = "The compiled part of daptor.scalapack.";
  py::module_::import("daptor._daptor");  // the class Array
  bind_grid(module);
  bind_importing_matrix(module);
  bind_exporting_matrix(module);
  bind_copying_matrix(module);
  bind_calling(module);
  daptor::scalapack::register_targets();
  finish_signatures(module);
}
