// SPDX-License-Identifier: BSD-3-Clause
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "failures/failure.hpp"
#include "failures/report.hpp"

namespace daptor::python {
namespace {

/// What else to do about an error, by rule and key.
using Remedies = std::map<std::pair<std::string, std::string>, std::string>;
Remedies& remedies() {
  static Remedies list;
  return list;
}

/// With what else to do about the first finding.
Report with_remedies(const Report& report) {
  std::vector<Finding> findings = report.findings();
  Finding& first = findings.front();
  const auto more = remedies().find({first.rule, first.key});
  if (more == remedies().end()) return report;
  first.remedy += (first.remedy.empty() ? "" : " ") + more->second;
  return Report(std::move(findings));
}

void set_error(const Error& error) {
  const py::object type = error_class(error.kind());
  const Report report = with_remedies(error.report());
  const std::string text = to_string(report.findings().front(), in_python);
  const py::object exception = type(to_text(text), report);
  if (PyObject* const cause = take_cause(error.finding().found.str()))
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

void bind_errors(py::module_& module) {
  module.def(
      "_add_python_remedy",
      [](const std::string& rule, const std::string& key, std::string text) {
        remedies()[{rule, key}] = std::move(text);
      },
      py::arg("rule"), py::arg("key"), py::arg("text"));
  py::register_exception_translator(translate);
}

}  // namespace daptor::python
