// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/trace.hpp"

#include <memory>
#include <string>
#include <utility>

#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include "arrays/place.hpp"
#include "bindings.hpp"
#include "calls/arguments.hpp"
#include "daptor/fingerprint.hpp"

namespace daptor::python {
namespace {

/// A number as NumPy has it: a float, or complex for complex elements.
py::object number_of(std::complex<double> number, bool complex) {
  return complex ? py::object(py::cast(number)) : py::object(py::float_(number.real()));
}

/// The value of an extreme, and its place in the interior.
py::object extreme_of(const Extreme& extreme, const Array& array) {
  if (extreme.place.empty() && !array.array.dimensions().empty()) return py::none();
  const Edges edges = edges_of(array);
  py::tuple place(extreme.place.size());
  for (std::size_t d = 0; d < extreme.place.size(); ++d)
    place[d] = py::int_(extreme.place[d] - edges[d].lower);
  return py::make_tuple(extreme.value, place);
}

/// Collective. The members of a Fingerprint of Python, by their names.
py::dict fingerprint_of(const py::object& given) {
  const Array& array = array_of("a", given);
  const Fingerprint print = [&] {
    const Unlocked unlocked;
    return fingerprint(array.array);
  }();
  const bool complex = array.array.type().kind() == Kind::complex;
  py::dict members;
  members["count"] = print.count;
  members["not_finite"] = print.not_finite;
  members["sum"] = number_of(print.sum, complex);
  members["magnitudes"] = print.magnitudes;
  members["norm"] = print.norm;
  members["mixed"] = number_of(print.mixed, complex);
  members["least"] = extreme_of(print.least, array);
  members["greatest"] = extreme_of(print.greatest, array);
  members["largest"] = extreme_of(print.largest, array);
  return members;
}

void trace_array(const py::object& given, const py::object& name) {
  const Array& array = array_of("a", given);
  Call call = python_call(array.comm, "trace");
  const std::string text = call.check([&] { return word_of("name", name); });
  const Unlocked unlocked;
  trace(array.array, text);
}

/// A trace that Python holds open.
struct OpenTrace {
  HeldComm comm;
  std::unique_ptr<Tracing> tracing = nullptr;

  explicit OpenTrace(HeldComm on) : comm(std::move(on)) {}
};

std::unique_ptr<OpenTrace> open_trace(const py::object& path, const py::object& comm) {
  auto open = std::make_unique<OpenTrace>(communicator_of(comm));
  Call call = python_call(open->comm, "tracing");
  const std::string text =
      call.check([&] { return word_of("path", py::module_::import("os").attr("fspath")(path)); });
  const Unlocked unlocked;
  open->tracing = std::make_unique<Tracing>(*open->comm, text);
  return open;
}

}  // namespace

void bind_tracing(py::module_& module) {
  module.def("_fingerprint", fingerprint_of);
  module.def("_trace", trace_array);
  py::class_<OpenTrace>(module, "_OpenTrace", not_made_by_python())
      .def("close", [](OpenTrace& self) { self.tracing.reset(); });
  module.def("_open_trace", open_trace);
}

}  // namespace daptor::python
