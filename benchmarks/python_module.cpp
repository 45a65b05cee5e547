// SPDX-License-Identifier: BSD-3-Clause
// _daptor_bench: times what an import costs in C++ alone, within a Python program.

#include <pybind11/stl.h>

#include "array.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/consistent.hpp"
#include "daptor/parse.hpp"

namespace {

using namespace daptor;

/// Seconds that `rounds` imports of the description in `subject` take, on its communicator.
double import_seconds(const python::Array& subject, int rounds) {
  const Value description = to_value(subject.array, subject.array.version());
  const Comm comm = subject.array.comm();
  const python::Unlocked unlocked;
  const double start = MPI_Wtime();
  for (int i = 0; i < rounds; ++i) {
    const DistArray array =
        Call(comm, "parse").check([&] { return parse_or_throw(description); }).on(comm);
    require_consistent(array);
  }
  return MPI_Wtime() - start;
}

}  // namespace

PYBIND11_MODULE(_daptor_bench, module) {
  pybind11::module_::import("daptor._daptor");  // registers the class Array
  module.def("import_seconds", import_seconds);
}
