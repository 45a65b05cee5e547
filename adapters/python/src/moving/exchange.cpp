// SPDX-License-Identifier: BSD-3-Clause
#include <optional>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "calls/options.hpp"
#include "daptor/halo_exchange.hpp"
#include "daptor/stale_padding.hpp"
#include "moving/owners.hpp"

namespace daptor::python {

/// What Python passes is made to a dimension by `owners_of`, which knows the array.
template <>
struct OptionValue<std::optional<Dimension>> {
  static std::string type() { return "Union[int, Sequence[int]]"; }
  static std::string shown(const std::optional<Dimension>&) { return "None"; }
  static std::string text() {
    return "for an unstructured array that does not say who owns the indices that ranks share "
           "(daptor.owned_then_ghosts does): the number of indices at the front of this rank's "
           "list that it owns, or a list of the indices that it owns; given on all ranks or on "
           "none";
  }
};

namespace {

/// The arrays and options of a call.
struct Batch {
  std::vector<Array> arrays;
  HaloOptions options;
};

/// Collective.
/// @param name  the call, as errors name it
Batch agreed_batch(const char* name, const Given& given, const py::object& arrays) {
  adapter::FirstFailure failure;
  Batch batch{arrays_of("arrays", arrays, failure), {}};
  if (batch.arrays.empty())
    failure.attempt([] { throw InvalidArgument("arrays", "no array", "one or more arrays"); });
  const HeldComm comm = communicator_of_call(given["comm"], {&batch.arrays}, failure);
  Call call = python_call(comm, name, failure);
  call.check([&] {
    for (const Array& array : batch.arrays) call.require_same_processes(array.array);
    batch.options = given.read<HaloOptions>();
    batch.options.owned = owners_of(batch.arrays, given["owned"]);
  });
  return batch;
}

HaloExchange make_within(const char* name, const Given& given, const py::object& arrays) {
  const Batch batch = agreed_batch(name, given, arrays);
  const Unlocked unlocked;
  return HaloExchange(described(batch.arrays), batch.options);
}

HaloExchange make(const Given& given, const py::object& arrays) {
  return make_within("HaloExchange", given, arrays);
}

void update_padding(const Given& given, const py::object& array) {
  HaloExchange once = make_within("update_padding", given, array);
  const Unlocked unlocked;
  once.update();
}

Report find_stale_padding(const Given& given, const py::object& array) {
  const Batch batch = agreed_batch("stale_padding", given, array);
  const Unlocked unlocked;
  return stale_padding(batch.arrays.front().array, batch.options);
}

void rebind(HaloExchange& self, const py::object& arrays) {
  const std::vector<Array> batch = arrays_of("arrays", arrays);
  self.rebind(described(batch));
}

}  // namespace

void bind_exchange(py::module_& module) {
  const auto keywords = Keywords().of<HaloOptions>().with(
      "comm", "Any", "None",
      "a communicator of the arrays' ranks, needed if `arrays` may be invalid on some "
      "rank; None: that of the first array");
  auto type = py::class_<HaloExchange>(
      module, "HaloExchange",
      R"(Fills communication padding from its owners, in the producer's buffer.

Made once for an array, or for a batch of one layout whose padding travels in one message for each
neighbour; used any number of times, also for other arrays (`rebind`). `begin` and `end` bracket
computation that reads no padding and writes nothing that neighbours copy.)");
  define_init(type, keywords, make, py::arg("arrays"),
              R"(Collective over the communicator of the arrays.

arrays  an Array, or a sequence of Arrays of one layout on the same ranks
{options}

Raises on all ranks: Malformed for an index that is twice in the list of a rank (U04);
InvalidArgument for shared indices whose owner is not named (halo.shared), for named owners that do
not have the index and for indices without an owner (halo.owned), for a read-only array or one
without memory, for a batch whose layouts or numbers of arrays differ, for arrays on different ranks
(collective.comm), and for a value in the batch that is not an Array. If the first value on this
rank is not an Array, and `comm` is not given, the other ranks are only told if the program has just
one communicator of several ranks; otherwise the error is raised on this rank alone.)");
  type.def("update", &HaloExchange::update, py::call_guard<Unlocked>(),
           "Fills the padding: begin() and end(). Collective over ranks that share elements.")
      .def("begin", &HaloExchange::begin, py::call_guard<Unlocked>(),
           "Starts to fill the padding. Collective over ranks that share elements.")
      .def("end", &HaloExchange::end, py::call_guard<Unlocked>(),
           "Waits for the padding, and notifies all native views of the array.")
      .def(
          "accumulate",
          [](HaloExchange& self, const py::str& how) {
            const auto combine = OptionValue<Combine>::read("how", how);
            const Unlocked released;
            self.accumulate(combine);
          },
          py::arg("how") = "sum",
          R"(Combines the values in the padding with the owners' values.

how  'sum', 'min', 'max' or 'insert', the same on all ranks

Collective over ranks that share elements. Raises InvalidArgument, on this rank alone, for another
word.)")
      .def("rebind", rebind, py::arg("arrays"),
           R"(Exchanges the padding of other arrays of one layout from now on. Process-local.

Raises InvalidArgument, before any message and without a change, if layouts or the number of arrays
differ, for read-only arrays and those without memory, and between begin() and end().)")
      .def_property_readonly("in_flight", &HaloExchange::in_flight,
                             "Whether an exchange has begun and has not ended.")
      .def_property_readonly("bytes_sent", &HaloExchange::bytes_sent,
                             "Bytes that this rank sends in an update.")
      .def_property_readonly("bytes_received", &HaloExchange::bytes_received,
                             "Bytes that this rank receives in an update.");
  refuse_pickling(type);
  define(module, "_update_padding", keywords, update_padding, py::arg("array"),
         "Fills the padding once.");
  define(module, "_stale_padding", keywords, find_stale_padding, py::arg("array"),
         "Compares the padding with its owners.");
}

}  // namespace daptor::python
