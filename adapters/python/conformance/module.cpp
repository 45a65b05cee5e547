// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "calls/call.hpp"
#include "calls/signatures.hpp"
#include "daptor/adapter/merged.hpp"
#include "producer.hpp"
#ifdef DAPTOR_WITH_TOOLS
#include "json/recorded.hpp"
#include "report/explanation.hpp"
#include "report/writers.hpp"
#include "show/show.hpp"
#endif

namespace daptor::python {
namespace {

Report check(const py::object& make, const py::object& comm_object, const py::object& given_labels,
             const py::object& label, const py::object& given_ghosts,
             const py::object& given_strict) {
  const HeldComm comm = communicator_of(comm_object);
  Call call = python_call(comm, "conformance.check");
  bool labels = false;
  bool ghosts = false;
  conformance::Options options;
  call.check([&] {
    labels = flag_of("labels", given_labels);
    ghosts = flag_of("ghosts", given_ghosts);
    if (flag_of("strict", given_strict)) options.profile = Profile::strict;
    call.same("labels", labels);
    call.same("label", !label.is_none());
    call.same("ghosts", ghosts);
    call.same("strict", options.profile == Profile::strict);
  });
  const conformance::Subject subject = subject_of(make, labels, label, ghosts);
  const Unlocked unlocked;
  return conformance::check(subject, *comm, options);
}

/// Collective. The lowest rank whose text is not empty, and the first 127 bytes of it; (-1, "") if
/// there is none. The text is ASCII.
std::tuple<int, std::string> first_text(const py::object& comm_object, const std::string& mine) {
  const HeldComm held = communicator_of(comm_object);
  const Comm& comm = *held;
  Call call = python_call(held, "conformance.check");
  const std::int64_t none = comm.size();
  Agreed<std::int64_t> least;
  call.check([&] { least = call.least(mine.empty() ? none : comm.rank()); });
  if (least == none) return {-1, ""};
  std::array<char, 128> text = {};
  mine.copy(text.data(), text.size() - 1);
  {
    const Unlocked unlocked;
    comm->broadcast(text.data(), text.size(), static_cast<int>(least));
  }
  return {static_cast<int>(least), text.data()};
}

/// Collective. What the ranks have found, merged to one report. An exception that `find` raises on
/// one rank is raised on all ranks, as an error of the package.
Report merged(const py::object& comm_object, const py::object& find,
              const py::object& given_strict) {
  const HeldComm comm = communicator_of(comm_object);
  Call call = python_call(comm, "conformance.check");
  std::vector<Finding> findings;
  call.check([&] {
    call.same("strict", flag_of("strict", given_strict));
    for (const py::handle finding : find()) findings.push_back(py::cast<Finding>(finding));
  });
  const Unlocked unlocked;
  return adapter::merged(call, [&] { return Report(std::move(findings)); });
}

#ifdef DAPTOR_WITH_TOOLS
using Entries = std::vector<std::tuple<std::string, std::int64_t, Report>>;

/// The text of the reports, and the exit status that follows from them.
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

std::string text_of(const py::object& object, const char* attribute) {
  return py::cast<std::string>(object.attr(attribute));
}

/// A verdict with the texts that its Python object has, and with the calls of the package.
report::TargetVerdict in_words_of_python(const py::object& object) {
  report::TargetVerdict verdict{py::cast<Assessment>(object), text_of(object, "copy_condition"),
                                text_of(object, "sizes")};
  Assessment& assessment = verdict.assessment;
  const std::string call = text_of(object, "python_call");
  if (!call.empty()) (assessment.representable ? assessment.call : assessment.copy.text) = call;
  const py::tuple reasons = object.attr("reasons");
  for (std::size_t i = 0; i < assessment.reasons.size(); ++i) {
    assessment.reasons[i].found = text_of(reasons[i], "found");
    assessment.reasons[i].expected = text_of(reasons[i], "expected");
    assessment.reasons[i].remedy = text_of(reasons[i], "remedy");
  }
  return verdict;
}

/// What the verdicts of `daptor.explain` say, as text or as JSON.
std::string explained(const std::string& subject, const std::vector<py::object>& objects, bool json,
                      bool color) {
  std::vector<report::TargetVerdict> verdicts;
  for (const py::object& object : objects) verdicts.push_back(in_words_of_python(object));
  std::ostringstream out;
  if (json) {
    report::write_explanation_json(out, subject, verdicts, {});
  } else {
    report::write_explanation(out, verdicts, {}, color);
  }
  return out.str();
}

/// This rank's description, valid or not, as `_daptor._read` returns it.
std::string section(const Submission& description) {
  return rank_text(recorded_rank(description));
}

/// The file of the sections of all ranks, and whether the producer failed on any of them.
std::tuple<std::string, bool> recording(const std::string& name,
                                        const std::vector<std::string>& sections) {
  const Recorded recorded = join_ranks(name, sections);
  std::ostringstream out;
  write_recorded(out, recorded);
  return {out.str(), recorded.failed()};
}

/// Draws the array of these sections. Same output as the command.
std::string picture(const std::string& name, const std::vector<std::string>& sections,
                    const std::vector<std::pair<int, Index>>& cuts, std::optional<int> rank,
                    bool svg, int width, bool unicode, bool color) {
  show::Options options;
  for (const auto& [dimension, index] : cuts) options.slices.push_back({dimension, index});
  options.rank = rank;
  const show::Picture drawn = show::make_picture(join_ranks(name, sections), options);
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
             pybind11::arg("ghosts") = false, pybind11::arg("strict") = false);
  module.def("first_text", first_text, pybind11::arg("comm"), pybind11::arg("mine"));
  module.def("merged", merged, pybind11::arg("comm"), pybind11::arg("find"),
             pybind11::arg("strict"));
#ifdef DAPTOR_WITH_TOOLS
  module.def("document", document, pybind11::arg("entries"), pybind11::arg("format"),
             pybind11::arg("strict"), pybind11::arg("color"));
  module.def("explained", explained, pybind11::arg("subject"), pybind11::arg("verdicts"),
             pybind11::arg("json"), pybind11::arg("color"));
  module.def("section", section, pybind11::arg("description"));
  module.def("recording", recording, pybind11::arg("name"), pybind11::arg("sections"));
  module.def("picture", picture, pybind11::arg("name"), pybind11::arg("sections"),
             pybind11::arg("slices"), pybind11::arg("rank"), pybind11::arg("svg"),
             pybind11::arg("width"), pybind11::arg("unicode"), pybind11::arg("color"));
#endif
  finish_signatures(module);
}
