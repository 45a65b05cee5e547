// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/lease.hpp"

#include <optional>

#include "arrays/array.hpp"
#include "arrays/lease.hpp"

namespace daptor::python {
namespace {

/// A lease as a `with` block. Opened by `__enter__`, closed by `__exit__` on every path.
template <class Lease>
struct Block {
  Array subject;
  std::optional<Lease> lease;
};

using ReadBlock = Block<ReadLease>;
using WriteBlock = Block<WriteLease>;

/// NumPy's view of the section.
py::object numpy_view(const Array& array) {
  return py::module_::import("numpy").attr("asarray")(py::cast(array));
}

py::object enter_read(ReadBlock& self) {
  self.lease.emplace(self.subject.array);
  return numpy_view({self.subject.array.as_readonly(), self.subject.comm});
}

py::object enter_write(WriteBlock& self) {
  py::object view = numpy_view(self.subject);
  self.lease.emplace(self.subject.array);
  return view;
}

template <class Lease>
void leave(Block<Lease>& self, const py::args&) {
  if (self.lease) self.lease->close();
  self.lease.reset();
}

}  // namespace

void bind_lease(py::module_& module) {
  auto reading =
      py::class_<ReadBlock>(module, "_ReadLease",
                            "A `with` block in which the section's memory is open for reading.")
          .def(py::init([](const Array& array) {
            return ReadBlock{array, std::nullopt};
          }))
          .def("__enter__", enter_read)
          .def("__exit__", leave<ReadLease>);
  auto writing =
      py::class_<WriteBlock>(module, "_WriteLease",
                             "A `with` block in which the section's memory is open for writing.")
          .def(py::init([](const Array& array) {
            return WriteBlock{array, std::nullopt};
          }))
          .def("__enter__", enter_write)
          .def("__exit__", leave<WriteLease>);
  refuse_pickling(reading);
  refuse_pickling(writing);
}

}  // namespace daptor::python
