// SPDX-License-Identifier: BSD-3-Clause
#include "errors.hpp"

#include "failure.hpp"
#include "report.hpp"
#include "words.hpp"

namespace daptor::python {
namespace {

void set_error(const Error& error) {
  const py::object type = error_class(error.kind());
  const std::string text = in_python(to_string(in_python(error.finding())));
  const py::object exception = type(to_text(text), error.report());
  if (PyObject* const cause = take_cause(error.finding().found))
    PyException_SetCause(exception.ptr(), cause);
  PyErr_SetObject(type.ptr(), exception.ptr());
}

// pybind11 requires this signature.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
void translate(std::exception_ptr pointer) {
  try {
    if (pointer) std::rethrow_exception(pointer);
  } catch (const Error& error) {
    try {
      set_error(error);
    } catch (py::error_already_set& failure) {
      failure.restore();
    }
  }
}

}  // namespace

void bind_errors(py::module_&) {
  py::register_exception_translator(translate);
}

}  // namespace daptor::python
