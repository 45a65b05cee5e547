// SPDX-License-Identifier: BSD-3-Clause
#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "calls/options.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/redistribute.hpp"

namespace daptor::python {
namespace {

/// Sources, targets, and the communicator on which they meet.
struct Meeting {
  std::vector<Array> sources, targets;
  HeldComm comm;
  /// Whether that was passed, and may have more processes than a side.
  bool common;

  /// Refuses a side without arrays on this rank, which may be only if a communicator was passed.
  void require_both_sides() const {
    if (common || (!sources.empty() && !targets.empty())) return;
    adapter::refuse_argument("redistribute.comm", "no arrays on one side", "arrays on both sides",
                             "Pass a communicator that contains both sides as `comm`.");
  }
};

/// Reads both sides. An error is kept in `failure`.
Meeting read_sides(const py::object& sources, const py::object& targets, const py::object& comm,
                   adapter::FirstFailure& failure) {
  std::vector<Array> from = arrays_of("sources", sources, failure);
  std::vector<Array> to = arrays_of("targets", targets, failure);
  HeldComm common = communicator_of_call(comm, {&from, &to}, failure);
  Meeting meeting{std::move(from), std::move(to), std::move(common), !comm.is_none()};
  failure.attempt([&] { meeting.require_both_sides(); });
  return meeting;
}

/// A Redistribution whose destructor waits, without the GIL, for a copy that has begun.
struct Redistributing {
  Redistribution redistribution;

  explicit Redistributing(Redistribution made) : redistribution(std::move(made)) {}
  Redistributing(const Redistributing&) = delete;
  Redistributing& operator=(const Redistributing&) = delete;
  ~Redistributing() {
    const Unlocked unlocked;
    const Redistribution last = std::move(redistribution);
  }
};

/// Collective over the communicator on which the sides meet. Reads further arguments with `read`,
/// and calls `make` with both sides and, if any rank has passed it, that communicator.
template <class Read, class Make>
auto meet(const Meeting& meeting, Call& call, const Read& read, const Make& make) {
  std::vector<DistArray> sources, targets;
  Agreed<bool> on_same;
  call.check([&] {
    read();
    sources = described(meeting.sources);
    targets = described(meeting.targets);
    on_same = call.all(!meeting.common);
  });
  const Unlocked unlocked;
  return on_same ? make(sources, targets) : make(sources, targets, meeting.comm.ranks);
}

std::unique_ptr<Redistributing> construct(const Given& given, const py::object& sources,
                                          const py::object& targets) {
  adapter::FirstFailure failure;
  const Meeting meeting = read_sides(sources, targets, given["comm"], failure);
  Call call = python_call(meeting.comm, "Redistribution", failure);
  RedistributionOptions options;
  return std::make_unique<Redistributing>(meet(
      meeting, call, [&] { options = given.read<RedistributionOptions>(); },
      [&](const auto&... sides) { return Redistribution(sides..., options); }));
}

void redistribute_once(const Given& given, const py::object& source, const py::object& target) {
  adapter::FirstFailure failure;
  const Meeting meeting = read_sides(source, target, given["comm"], failure);
  Call call = python_call(meeting.comm, "redistribute", failure);
  RedistributionOptions options;
  Transform transform;
  meet(
      meeting, call,
      [&] {
        options = given.read<RedistributionOptions>();
        transform = given.read<Transform>();
      },
      [&](const auto&... sides) { redistribute(sides..., options, transform); });
}

std::int64_t bytes_to_move(const Given& given, const py::object& source, const py::object& target) {
  adapter::FirstFailure failure;
  const Meeting meeting = read_sides(source, target, py::none(), failure);
  Call call = python_call(meeting.comm, "bytes_to_redistribute", failure);
  RedistributionOptions options;
  call.check([&] {
    options = given.read<RedistributionOptions>();
    if (meeting.sources.size() != 1 || meeting.targets.size() != 1)
      throw InvalidArgument("source", "several arrays", "one source and one target");
  });
  const Unlocked unlocked;
  return bytes_to_redistribute(meeting.sources.front().array, meeting.targets.front().array,
                               options);
}

using Step = void (Redistribution::*)(const Transform&);

template <Step step>
void transformed(const Given& given, Redistributing& self) {
  const auto transform = given.read<Transform>();
  const Unlocked unlocked;
  (self.redistribution.*step)(transform);
}

void rebind_sides(Redistributing& self, const py::object& sources, const py::object& targets) {
  self.redistribution.rebind(described(arrays_of("sources", sources)),
                             described(arrays_of("targets", targets)));
}

using RedistributionClass = py::class_<Redistributing>;

template <Step step>
void bind_step(RedistributionClass& type, const char* name, const char* doc) {
  define(type, name, Keywords().of<Transform>(), transformed<step>, doc);
}

template <std::int64_t (Redistribution::*count)() const>
std::int64_t counted(const Redistributing& self) {
  return (self.redistribution.*count)();
}

void bind_steps(RedistributionClass& type) {
  bind_step<&Redistribution::run>(type, "run", R"(Copies sources to targets: begin() and end().

Each element of a target becomes scale * source + keep * target, with the source
conjugated if `conjugate` is true; with `keep` 0 the target's old values are not read. Collective
over the ranks that share elements. Raises on the calling rank alone: InvalidArgument
(`redistribute.transform`) for factors that the element type cannot represent, Stale if the memory
is no longer the one that was described.)");
  bind_step<&Redistribution::begin>(type, "begin", R"(Starts to copy; arguments and errors as run().

Until end() the sources may be read but not written, and the targets neither. Raises InvalidArgument
(`redistribute.begun`) if a copy has begun already.)");
  bind_step<&Redistribution::run_back>(type, "run_back",
                                       R"(Copies targets to sources; arguments as run().

The first call of run_back() or begin_back() plans, collective over all ranks of the communicator,
and raises on all of them what the constructor would raise for that direction.)");
  bind_step<&Redistribution::begin_back>(type, "begin_back",
                                         "Starts to copy targets to sources, as begin().");
  type.def(
          "end", [](Redistributing& self) { self.redistribution.end(); },
          py::call_guard<Unlocked>(),
          R"(Completes the copy, and notifies all native views of the targets.

Raises InvalidArgument (`redistribute.not-begun`) if no copy has begun.)")
      .def("rebind", rebind_sides, py::arg("sources"), py::arg("targets"),
           R"(Copies between other arrays of the same layouts from now on. Process-local.

Raises InvalidArgument, before any message and without a change, if layouts or the number of arrays
differ, for arrays that the constructor would refuse on this rank, and between begin() and end().)");
}

void bind_numbers(RedistributionClass& type) {
  type.def_property_readonly(
          "in_flight", [](const Redistributing& self) { return self.redistribution.in_flight(); },
          "Whether a copy has begun and has not ended.")
      .def_property_readonly("bytes_sent", counted<&Redistribution::bytes_sent>,
                             "Bytes that this rank sends in run(), for all arrays together.")
      .def_property_readonly("bytes_received", counted<&Redistribution::bytes_received>,
                             "Bytes that this rank receives in run().")
      .def_property_readonly("bytes_copied", counted<&Redistribution::bytes_copied>,
                             "Bytes that run() copies within this rank.")
      .def_property_readonly("buffer_bytes", counted<&Redistribution::buffer_bytes>,
                             "Size of this rank's packing buffers in bytes.");
}

Keywords keywords() {
  return Keywords()
      .with("comm", "Any", "None",
            "a communicator that contains those of both sides, if these have different processes, "
            "or the same processes in another order; None: that of the arrays")
      .of<RedistributionOptions>();
}

void bind_constructor(RedistributionClass& type) {
  define_init(type, keywords(), construct, py::arg("sources"), py::arg("targets"),
              R"(Collective over `comm`, or the communicator of the arrays.

sources, targets  an Array or a sequence of Arrays each; all sources have one layout, and all
                  targets have one. None on a rank that has no part in them; `comm` is then needed
{options}

Raises on all ranks, whichever is at fault: InvalidArgument with a rule `redistribute.*` for shapes,
types, indices, layouts, memory or options that do not fit each other, `collective.comm` for sides
on different ranks without `comm`, `redistribute.comm` for a side on several communicators or of
which a rank is not in `comm` or passes nothing, `lease.readonly` for a read-only target, and for
arguments of a wrong type; Malformed if the sections of a side do not form one array.

Raises on this rank alone, while the other ranks wait: InvalidArgument if `comm` is not a
communicator, or if it is None, no argument on this rank is an Array, and the program has several
communicators of several ranks. The others also wait if the two sides have different communicators
of the same processes and a source on one rank is not an Array. Pass `comm` to avoid this.)");
}

void bind_functions(py::module_& module) {
  define(module, "redistribute", keywords().of<Transform>(), redistribute_once, py::arg("source"),
         py::arg("target"),
         R"(Copies `source` to `target` once. Collective.

Arguments as for Redistribution and its run(). To copy repeatedly, make a Redistribution. Raises the
errors of its constructor, and on all ranks InvalidArgument for factors that the element type cannot
represent (`redistribute.transform`) or that differ between ranks (`collective.different`).)");
  define(module, "bytes_to_redistribute",
         Keywords().of<RedistributionOptions>({"buffer_bytes", "through_host", "within_node"}),
         bytes_to_move, py::arg("source"), py::arg("target"),
         R"(Bytes that redistribute() would send from one rank to another, over all ranks together.

Collective over the communicator of the two Arrays. No element is copied, and neither Array needs
memory. Options and errors as for Redistribution, except those about memory.)");
}

}  // namespace

void bind_redistribution(py::module_& module) {
  RedistributionClass type(module, "Redistribution",
                           R"(Copies between two arrays of one global shape, whatever their layouts.

Made once for two layouts, used any number of times, in both directions, also for other arrays of
these layouts (`rebind`). Distributions, grids, orders, strides and padding may differ; one of the
two may be one-dimensional and number the other's elements in row-major order. It keeps the memory
of its arrays alive.

Two ranks, a 4 x 6 array by rows and by columns:
    columns = rows.like(daptor.layout.slab(1))
    transpose = daptor.Redistribution(rows, columns)
    transpose.run()       # rank 0 keeps the upper left quarter, sends the upper right one
    transpose.run_back())");
  refuse_pickling(type);
  bind_constructor(type);
  bind_steps(type);
  bind_numbers(type);
  bind_functions(module);
}

}  // namespace daptor::python
