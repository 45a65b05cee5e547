// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.hpp"
#include "calls/signatures.hpp"
#include "daptor/fft.hpp"
#include "daptor/fftw.hpp"

PYBIND11_MODULE(_fftw, module) {
  using namespace daptor::python;
  module.doc() = "The compiled part of daptor.fft.";
  py::module_::import("daptor._daptor");  // the class Array
  bind_transform(module);
  bind_tilings(module);
  daptor::fft::register_targets();
  daptor::fftw::register_targets();
  finish_signatures(module);
}
