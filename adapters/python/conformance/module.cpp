// SPDX-License-Identifier: BSD-3-Clause
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "calls/call.hpp"
#include "calls/signatures.hpp"
#include "daptor/adapter/merged.hpp"
#include "producer.hpp"

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

}  // namespace
}  // namespace daptor::python

PYBIND11_MODULE(_conformance, module) {
  using namespace daptor::python;
  module.doc() = "The compiled part of daptor that tries producers out.";
  pybind11::module_::import("daptor._daptor");  // the classes Array and Report
  module.def("check", check, pybind11::arg("make"), pybind11::arg("comm"), pybind11::kw_only(),
             pybind11::arg("labels") = false, pybind11::arg("label") = pybind11::none(),
             pybind11::arg("ghosts") = false, pybind11::arg("strict") = false);
  module.def("merged", merged, pybind11::arg("comm"), pybind11::arg("find"),
             pybind11::arg("strict"));
  finish_signatures(module);
}
