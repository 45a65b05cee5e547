// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include "bindings.hpp"
#include "daptor/fft.hpp"
#include "daptor/fftw.hpp"

PYBIND11_MODULE(_fftw, module) {
  using namespace daptor::python;
  module.doc() = "The compiled part of daptor.fft.";
  const auto core = py::module_::import("daptor._daptor");  // the class Array
  bind_transform(module);
  bind_tilings(module);
  // Here and not in fft.py, because `explain` loads this module and no other.
  const auto add_call = core.attr("_add_python_call");
  for (const std::string name : {"box", "tile", "slab"})
    add_call("fft." + name, "daptor.fft." + name + "(a)");
  add_call("fftw.transform", "daptor.fft.Transform(a)");
  daptor::fft::register_targets();
  daptor::fftw::register_targets();
}
