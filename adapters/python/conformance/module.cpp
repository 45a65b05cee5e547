// SPDX-License-Identifier: BSD-3-Clause
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "collective.hpp"
#include "producer.hpp"
#ifdef DAPTOR_WITH_REPORTS
#include "report/writers.hpp"
#endif
#ifdef DAPTOR_WITH_PICTURES
#include "json/recorded.hpp"
#include "show/show.hpp"
#endif

namespace daptor::python {
namespace {

Report check(const py::object& make, const py::object& comm_object, const py::object& given_labels,
             const py::object& label, const py::object& given_strict) {
  Collective call(communicator_of(comm_object), "check");
  bool labels = false;
  conformance::Options options;
  call.check([&] {
    labels = flag_of("labels", given_labels);
    if (flag_of("strict", given_strict)) options.profile = Profile::strict;
    call.same("labels", labels);
    call.same("label", !label.is_none());
    call.same("strict", options.profile == Profile::strict);
  });
  const conformance::Subject subject = subject_of(make, labels, label);
  const Unlocked unlocked;
  return conformance::check(subject, call.comm().ranks, options);
}

#ifdef DAPTOR_WITH_REPORTS
using Entries = std::vector<std::tuple<std::string, std::int64_t, Report>>;

std::tuple<std::string, int> document(const Entries& entries, const std::string& format,
                                      bool strict, bool color) {
  report::Document document;
  document.profile = strict ? Profile::strict : Profile::recommended;
  for (const auto& [subject, ranks, findings] : entries)
    document.outcomes.push_back({subject, {}, ranks, ranks, true, findings});
  std::ostringstream out;
  if (format == "json") {
    report::write_json(out, document);
  } else if (format == "junit") {
    report::write_junit(out, document);
  } else {
    report::write_text(out, document, color);
  }
  return {out.str(), static_cast<int>(document.status())};
}
#endif

#ifdef DAPTOR_WITH_PICTURES
/// Draws the array that `recorded`, a text in the JSON format, describes. Same output as the
/// command.
std::string picture(const std::string& recorded_text,
                    const std::vector<std::pair<int, Index>>& cuts, std::optional<int> rank,
                    bool svg, int width, bool unicode, bool color) {
  std::istringstream in(recorded_text);
  show::Options options;
  for (const auto& [dimension, index] : cuts) options.slices.push_back({dimension, index});
  options.rank = rank;
  const show::Picture drawn = show::make_picture(read_recorded(in), options);
  std::ostringstream out;
  if (svg) {
    show::write_svg(drawn, out);
  } else {
    show::TerminalOptions form;
    form.width = width;
    form.unicode = unicode;
    form.color = color;
    show::write_terminal(drawn, out, form);
  }
  return out.str();
}
#endif

}  // namespace
}  // namespace daptor::python

PYBIND11_MODULE(_conformance, module) {
  using namespace daptor::python;
  module.doc() = "The compiled part of daptor that tries producers out.";
  pybind11::module_::import("daptor._daptor");  // the classes Array and Report
  module.def("check", check, pybind11::arg("make"), pybind11::arg("comm"), pybind11::kw_only(),
             pybind11::arg("labels") = false, pybind11::arg("label") = pybind11::none(),
             pybind11::arg("strict") = false);
#ifdef DAPTOR_WITH_REPORTS
  module.def("document", document, pybind11::arg("entries"), pybind11::arg("format"),
             pybind11::arg("strict"), pybind11::arg("color"));
#endif
#ifdef DAPTOR_WITH_PICTURES
  module.def("picture", picture, pybind11::arg("recorded"), pybind11::arg("slices"),
             pybind11::arg("rank"), pybind11::arg("svg"), pybind11::arg("width"),
             pybind11::arg("unicode"), pybind11::arg("color"));
#endif
}
