#include "exchange.hpp"

#include <string>
#include <vector>

#include "array.hpp"
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

HaloExchange make(const Array& self, const std::string& stencil) {
  const py::gil_scoped_release unlocked;
  HaloOptions options;
  options.stencil = agreed(*self.comm, [&] { return stencil_of(stencil); });
  return HaloExchange(std::vector<DistArray>{self.array}, self.comm.ranks, options);
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

Made once for an array, used any number of times. `begin` and `end` bracket computation that reads
no padding and writes nothing that neighbours copy.)")
      .def(py::init(&make), py::arg("array"), py::kw_only(), py::arg("stencil") = "box",
           R"(Collective over the array's communicator.

stencil  "box", all padding, or "star", without what lies beyond the section in two directions

Raises InvalidArgument on all ranks for a read-only array or one without memory.)")
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
      .def_property_readonly("in_flight", &HaloExchange::in_flight)
      .def_property_readonly("bytes_sent", &HaloExchange::bytes_sent,
                             "Bytes that this rank sends in an update.")
      .def_property_readonly("bytes_received", &HaloExchange::bytes_received);
}

}  // namespace daptor::python
