// SPDX-License-Identifier: BSD-3-Clause
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "bindings.hpp"
#include "calls/call.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "grid.hpp"

namespace daptor::python {
namespace {

/// The processes that make a call: all of a grid's communicator, or those of the grid.
HeldComm processes_of(const PythonGrid& grid, bool outside_too) {
  return outside_too ? grid.comm : *grid.inside;
}

/// What the routine takes (None where the table does not have it), and whether it has INFO.
py::tuple signature(const std::string& routine) {
  const auto known = scalapack::detail::arguments_of(routine);
  if (!known) return py::make_tuple(py::none(), true);
  return py::make_tuple(known->arguments, known->has_info);
}

/// Collective: runs `prepare`, which converts the arguments of this rank, and throws on all ranks
/// what it raises on one, before the routine is called on any. It returns the arguments, which this
/// returns, and a text that must be the same on all ranks.
py::object begin_call(const PythonGrid& grid, bool outside_too, const py::object& routine,
                      const std::string& positive, const py::function& prepare) {
  const HeldComm comm = processes_of(grid, outside_too);
  Call call = python_call(comm, "scalapack.call");
  py::object prepared;
  call.check([&] {
    const py::tuple said = prepare();
    prepared = said[0];
    call.same("routine", py::cast<std::string>(routine));
    call.same("positive", positive);
    call.same("arguments", py::cast<std::string>(said[1]));
  });
  return prepared;
}

scalapack::PositiveInfo positive_of(const std::string& positive) {
  return positive == "result" ? scalapack::PositiveInfo::result : scalapack::PositiveInfo::error;
}

/// Collective: `check_info`.
int end_call(const PythonGrid& grid, bool outside_too, const std::string& routine, int info,
             const std::string& positive) {
  const HeldComm comm = processes_of(grid, outside_too);
  const Unlocked unlocked;
  Call call(*comm, "scalapack.call");
  return scalapack::check_info(routine, info, *comm, positive_of(positive));
}

/// Process-local: for a call without a Matrix, whose processes are not known.
int end_call_alone(const std::string& routine, int info, const std::string& positive) {
  if (info < 0 || (info > 0 && positive != "result")) throw scalapack::info_error(routine, info);
  return info;
}

/// Throws InvalidArgument for grids that were made on different communicators.
void require_one_communicator(const PythonGrid& first, const PythonGrid& other) {
  if (first.comm.ranks == other.comm.ranks) return;
  throw InvalidArgument("arguments", "matrices on grids of different communicators",
                        "one communicator for all grids of a call");
}

using NamedObjects = std::vector<std::pair<std::string, py::object>>;

/// The communicator of the first argument that is an Array; empty if none is one.
std::optional<HeldComm> comm_of_first(const NamedObjects& arrays) {
  for (const auto& named : arrays)
    if (const Array* const array = array_behind(named.second.ptr())) return array->comm;
  return std::nullopt;
}

/// Collective over the communicator of the arrays. Throws on all ranks if an argument of one rank
/// is no Array, if the arrays are on other processes, or if `judge` raises there.
/// @param judge  returns a list of pairs of name and text, which must be the same on all ranks
void agree_on(const std::string& name, const NamedObjects& arrays, const py::function& judge) {
  adapter::FirstFailure failure;
  for (const auto& named : arrays)
    failure.attempt([&] { array_of(named.first.c_str(), named.second); });
  const std::optional<HeldComm> first = comm_of_first(arrays);
  const HeldComm comm = first ? *first : communicator_for_failure(failure.get());
  std::deque<std::string> names;  // which outlive the call
  Call call = python_call(comm, name.c_str(), failure);
  call.check([&] {
    for (const auto& named : arrays)
      call.require_same_processes(array_of(named.first.c_str(), named.second).array);
    for (const py::handle pair : py::list(judge())) {
      const auto [key, text] = py::cast<std::pair<std::string, std::string>>(pair);
      call.same(names.emplace_back(key).c_str(), text);
    }
  });
}

}  // namespace

void bind_calling(py::module_& module) {
  module.def("signature", signature, py::arg("routine"));
  module.def("begin_call", begin_call, py::arg("grid"), py::arg("outside_too"), py::arg("routine"),
             py::arg("positive"), py::arg("prepare"));
  module.def("end_call", end_call, py::arg("grid"), py::arg("outside_too"), py::arg("routine"),
             py::arg("info"), py::arg("positive"));
  module.def("end_call_alone", end_call_alone, py::arg("routine"), py::arg("info"),
             py::arg("positive"));
  module.def("agree_on", agree_on, py::arg("name"), py::arg("arrays"), py::arg("judge"));
  module.def("require_one_communicator", require_one_communicator, py::arg("first"),
             py::arg("other"));
}

}  // namespace daptor::python
