// SPDX-License-Identifier: BSD-3-Clause
#include "failures/report.hpp"

#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "calls/signatures.hpp"

namespace daptor::python {
namespace {

template <class T>
std::string words(const T& value) {
  if constexpr (std::is_same_v<T, Finding> || std::is_same_v<T, Report> ||
                std::is_same_v<T, Assessment> || std::is_same_v<T, Explanation>) {
    return to_string(value, in_python);
  } else {
    std::ostringstream out;
    out << value;
    return out.str();
  }
}

template <class T>
py::str text(const T& value) {
  return to_text(words(value));
}

/// One text of a finding.
template <Terms Finding::*field>
py::str text_of(const Finding& finding) {
  return to_text((finding.*field).in(in_python, finding.dimension));
}
py::str remedy_of(const Finding& finding) {
  return to_text(advice(finding).in(in_python, finding.dimension));
}

template <class T>
TupleOf<T> to_tuple(const std::vector<T>& items) {
  TupleOf<T> result(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) result[i] = py::cast(items[i]);
  return result;
}

/// The HTML that daptor._showing.html makes of an object.
template <const char* const& function>
py::object html(const py::object& self) {
  return py::module_::import("daptor._showing.html").attr(function)(self);
}
constexpr const char* report_html = "report";
constexpr const char* explanation_html = "explanation";

py::object dimension_of(const Finding& finding) {
  if (finding.dimension < 0) return py::none();
  return py::int_(finding.dimension);
}

/// Makes a finding of its fields, for unpickling.
Finding make_finding(const std::string& rule, int severity, const std::vector<int>& ranks,
                     std::int64_t rank_count, int dimension, const std::string& key,
                     const std::string& found, const std::string& expected,
                     const std::string& remedy, const std::string& function,
                     const std::vector<std::pair<std::string, std::string>>& options,
                     const std::string& call) {
  Finding finding{
      rule,  static_cast<Severity>(severity), ranks, rank_count, dimension, key, found, expected,
      remedy};
  if (!call.empty()) finding.copy = {function, options, terms::call(call, call)};
  return finding;
}

py::tuple reduced(const Finding& self, int) {
  const auto fields = py::make_tuple(
      to_text(self.rule), static_cast<int>(self.severity), self.ranks, self.rank_count,
      self.dimension, to_text(self.key), text_of<&Finding::found>(self),
      text_of<&Finding::expected>(self), text_of<&Finding::remedy>(self),
      to_text(self.copy.function), self.copy.options, to_text(self.copy.text.in(in_python)));
  return py::make_tuple(py::module_::import("daptor._pickling").attr("finding"), fields);
}

void bind_finding(py::module_& module) {
  py::class_<Finding>(module, "Finding", not_made_by_python(),
                      "One broken rule of the protocol, one reason why a target cannot hold an "
                      "array, or one fault of an object of PETSc.")
      .def_property_readonly(
          "rule", [](const Finding& self) { return to_text(self.rule); },
          "Id of the rule (`B09`, `check.vec.stale-norm`) or of a target's "
          "constraint (`petsc.vec.one-run`).")
      .def_property_readonly(
          "severity", [](const Finding& self) { return text(self.severity); },
          "'note', 'warning' or 'error'.")
      .def_property_readonly(
          "ranks", [](const Finding& self) { return to_tuple(self.ranks); },
          "The ranks at fault, lowest first, at most eight; empty: all ranks, or unknown.")
      .def_readonly("rank_count", &Finding::rank_count,
                    "Number of ranks at fault, including those that `ranks` leaves out.")
      .def_property_readonly(
          "dimension", dimension_of,
          "The array dimension; None if the finding is about the array as a whole.")
      .def_property_readonly(
          "key", [](const Finding& self) { return to_text(self.key); },
          "The dictionary key that the finding is about; may be empty.")
      .def_property_readonly("found", text_of<&Finding::found>, "What was found, with its values.")
      .def_property_readonly("expected", text_of<&Finding::expected>, "What the rule requires.")
      .def_property_readonly("remedy", remedy_of, "What to do about it; may be empty.")
      .def(
          "__eq__", [](const Finding& a, const Finding& b) { return a == b; }, py::is_operator())
      .def("__str__", text<Finding>)
      .def("__reduce_ex__", reduced)
      .def("__repr__",
           [](const Finding& self) { return to_text("<daptor.Finding " + words(self) + ">"); });
}

/// The call to recommend for a verdict.
std::string python_call(const Assessment& self) {
  return (self.representable ? self.call : self.copy.text).in(in_python);
}

Report make_report(const std::vector<Finding>& findings) {
  return Report(findings);
}

}  // namespace

py::str to_text(const std::string& bytes) {
  PyObject* const text =
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace");
  if (text == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(text);
}

void bind_report(py::module_& module) {
  bind_finding(module);
  module.def("_finding", make_finding);
  retype(module.attr("_finding"), "(*fields: object) -> daptor._daptor.Finding");
  py::class_<Report>(
      module, "Report",
      "All findings about one array or object, the same on every rank; true if none of "
      "them is an error.")
      .def(py::init([](const py::iterable& findings) {
             std::vector<Finding> list;
             for (const py::handle finding : findings) list.push_back(py::cast<Finding>(finding));
             return make_report(list);
           }),
           py::arg("findings") = py::tuple())
      .def_property_readonly(
          "findings", [](const Report& self) { return to_tuple(self.findings()); },
          "The findings, errors and others, in the order of the checklist.")
      .def_property_readonly(
          "verdict", [](const Report& self) { return text(self.verdict()); },
          "'conforms', 'malformed', 'unsupported' or 'producer failed'.")
      .def("__bool__", [](const Report& self) { return static_cast<bool>(self); })
      .def("__len__", [](const Report& self) { return self.findings().size(); })
      .def("__iter__", [](const Report& self) { return py::iter(to_tuple(self.findings())); })
      .def("__str__", text<Report>)
      .def("__reduce_ex__",
           [](const Report& self, int) {
             return py::make_tuple(py::type::of<Report>(),
                                   py::make_tuple(to_tuple(self.findings())));
           })
      .def("__repr__",
           [](const Report& self) {
             return "<daptor.Report: " + words(self.verdict()) + ", " +
                    std::to_string(self.findings().size()) + " findings>";
           })
      .def("_repr_html_", html<report_html>);

  auto use =
      py::class_<UseCost>(module, "UseCost", not_made_by_python(),
                          "What one use of a target moves: a Fourier transform, for example.")
          .def_readonly("name", &UseCost::name,
                        "What is done: 'a forward transform to its fitting output'.")
          .def_readonly("redistributions", &UseCost::redistributions,
                        "Number of redistributions that it makes.")
          .def_readonly("bytes_to_move", &UseCost::bytes_to_move,
                        "Bytes that they send between ranks, over all ranks together; None if "
                        "unknown.")
          .def("__str__", text<UseCost>);
  auto assessment =
      py::class_<Assessment>(module, "Assessment", not_made_by_python(),
                             "Whether one kind of native object can hold an array without a copy.")
          .def_readonly("target", &Assessment::target, "Name of the target: `petsc.vec`.")
          .def_property_readonly(
              "call", [](const Assessment& self) { return self.call.str(); },
              "The function of the C++ library that imports.")
          .def_readonly("representable", &Assessment::representable,
                        "Whether it can: the truth value of the Assessment.")
          .def_property_readonly(
              "reasons", [](const Assessment& self) { return to_tuple(self.reasons); },
              "Reasons against it: findings of the lowest rank that refuses; empty if it is "
              "representable.")
          .def_readonly(
              "bytes_per_index", &Assessment::bytes_per_index,
              "Bytes of index metadata for each local element that the target itself keeps.")
          .def_property_readonly(
              "copy_call", [](const Assessment& self) { return to_text(self.copy.text.str()); },
              "If the target cannot hold the array: the function of the C++ library that "
              "copies it to such an object; empty if there is none.")
          .def_property_readonly(
              "copy_condition",
              [](const Assessment& self) { return to_text(self.copy.condition().in(in_python)); },
              "What must be true before this copy; empty if nothing must. Ranks may have different "
              "copies of an index, and the copy then takes any of them.")
          .def_readonly("bytes_to_move", &Assessment::bytes_to_move,
                        "Bytes that this copy would send between ranks, over all ranks "
                        "together; None if unknown.")
          .def_property_readonly(
              "uses", [](const Assessment& self) { return to_tuple(self.uses); },
              "What using the object moves, if the target can hold the array: a UseCost for each "
              "use; empty if that is nothing.")
          .def_property_readonly(
              "padded_shape", [](const Assessment& self) { return to_tuple(self.padded_shape); },
              "Extents of the array, which those of the object or of its copy are, if boundary "
              "padding counts in them; otherwise empty.")
          .def_property_readonly(
              "interior_shape",
              [](const Assessment& self) { return to_tuple(self.interior_shape); },
              "The same without boundary padding, as of daptor.without_padding(a).")
          .def_property_readonly(
              "sizes", [](const Assessment& self) { return to_text(self.sizes().in(in_python)); },
              "Both as a sentence: '8 x 10 elements with boundary padding, 6 x 8 without: ...'.")
          .def_property_readonly(
              "python_call", python_call,
              "The call of this package that imports, or if the target cannot hold the array, that "
              "copies: 'a.to_petsc()', 'a.copy_to_petsc()'; empty if there is none. See "
              "copy_condition.")
          .def("__bool__", [](const Assessment& self) { return self.representable; })
          .def("__str__", text<Assessment>);
  auto explanation =
      py::class_<Explained>(module, "Explanation", not_made_by_python(),
                            "The verdict about each target, by name, the same on every rank.")
          .def("__len__", [](const Explained& self) { return self.entries.size(); })
          .def("__iter__", [](const Explained& self) { return py::iter(to_tuple(self.entries)); })
          .def("__contains__",
               [](const Explained& self, const std::string& name) {
                 for (const Assessment& entry : self.entries)
                   if (entry.target == name) return true;
                 return false;
               })
          .def("__getitem__",
               [](const Explained& self, const std::string& name) {
                 for (const Assessment& entry : self.entries)
                   if (entry.target == name) return entry;
                 throw py::key_error(name);
               })
          .def("__str__", [](const Explained& self) { return text(self.entries); })
          .def("_repr_html_", html<explanation_html>);
  refuse_pickling(use);
  refuse_pickling(assessment);
  refuse_pickling(explanation);
}

}  // namespace daptor::python
