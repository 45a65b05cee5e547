#include "exchange.hpp"

#include <string>
#include <vector>

#include "arguments.hpp"
#include "daptor/agreement.hpp"
#include "daptor/halo_exchange.hpp"

namespace daptor::python {
namespace {

Stencil stencil_of(const std::string& name) {
  if (name == "box") return Stencil::box;
  if (name == "star") return Stencil::star;
  throw InvalidArgument("stencil", '"' + name + '"', "\"box\" or \"star\"");
}

Combine combine_of(const std::string& name) {
  if (name == "sum") return Combine::sum;
  if (name == "min") return Combine::min;
  if (name == "max") return Combine::max;
  if (name == "insert") return Combine::insert;
  throw InvalidArgument("how", '"' + name + '"', "\"sum\", \"min\", \"max\" or \"insert\"");
}

/// One array, or a batch: a sequence of arrays. Holds the Python objects by nothing but the arrays.
std::vector<Array> batch_of(const py::object& arrays) {
  if (py::isinstance<Array>(arrays)) return {py::cast<Array>(arrays)};
  std::vector<Array> result;
  for (const py::handle array : py::reinterpret_borrow<py::iterable>(arrays)) {
    if (!py::isinstance<Array>(array))
      throw py::type_error("arrays must be a daptor.Array or a sequence of them");
    result.push_back(py::cast<Array>(array));
  }
  return result;
}

/// On the communicator of all arrays: one that users have has one duplicate.
HaloExchange make(const py::object& arrays, const std::string& stencil) {
  const std::vector<Array> batch = batch_of(arrays);
  if (batch.empty()) throw InvalidArgument("arrays", "no array", "one array or more");
  const Comm comm = batch.front().comm;
  const py::gil_scoped_release unlocked;
  HaloOptions options;
  options.stencil = agreed(*comm, [&] {
    for (const Array& array : batch) {
      if (array.comm.ranks->mpi() != comm.ranks->mpi())
        throw InvalidArgument("arrays", "arrays on several communicators", "one for all");
    }
    return stencil_of(stencil);
  });
  return HaloExchange(described(batch), comm.ranks, options);
}

void rebind(HaloExchange& self, const py::object& arrays) {
  const std::vector<Array> batch = batch_of(arrays);
  self.rebind(described(batch));
}

template <void (HaloExchange::*call)()>
void unlocked(HaloExchange& self) {
  const py::gil_scoped_release released;
  (self.*call)();
}

}  // namespace

void bind_exchange(py::module_& module) {
  py::class_<HaloExchange>(module, "HaloExchange",
                           R"(Fills communication padding from its owners, in the producer's buffer.

Made once for an array, or for a batch of one layout whose padding travels in one message for each
neighbour; used any number of times, also for other arrays (`rebind`). `begin` and `end` bracket
computation that reads no padding and writes nothing that neighbours copy.)")
      .def(py::init(&make), py::arg("arrays"), py::kw_only(), py::arg("stencil") = "box",
           R"(Collective over the communicator of the arrays.

arrays   an Array, or a sequence of them: of one layout and on one communicator
stencil  "box", all padding, or "star", without what lies beyond the section in two directions

Raises InvalidArgument on all ranks for a read-only array or one without memory, and for a batch
whose layouts, communicators or numbers differ; on this rank alone for an empty batch.)")
      .def("update", unlocked<&HaloExchange::update>, "begin() and end().")
      .def("begin", unlocked<&HaloExchange::begin>,
           "Starts to fill the padding. Collective over ranks that share elements.")
      .def("end", unlocked<&HaloExchange::end>,
           "Waits for the padding, and tells all native views of the array.")
      .def(
          "accumulate",
          [](HaloExchange& self, const std::string& how) {
            const Combine combine = combine_of(how);
            const py::gil_scoped_release released;
            self.accumulate(combine);
          },
          py::arg("how") = "sum",
          "Brings what the padding holds back to its owners: 'sum', 'min', 'max' or 'insert'.")
      .def("rebind", rebind, py::arg("arrays"),
           R"(Exchanges the padding of other arrays of the same layout from now on. Process-local.

Raises InvalidArgument before any message, and changes nothing, where layout or number differ, for
read-only arrays and those without memory, and between begin() and end().)")
      .def_property_readonly("in_flight", &HaloExchange::in_flight)
      .def_property_readonly("bytes_sent", &HaloExchange::bytes_sent,
                             "Bytes that this rank sends in an update.")
      .def_property_readonly("bytes_received", &HaloExchange::bytes_received);
}

}  // namespace daptor::python
