// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/lease.hpp"

#include <optional>

#include "arrays/array.hpp"
#include "bindings.hpp"

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
      py::class_<ReadBlock>(module, "_ReadLease", not_made_by_python(),
                            "A `with` block in which the section's memory is open for reading.")
          .def("__enter__", enter_read)
          .def("__exit__", leave<ReadLease>);
  auto writing =
      py::class_<WriteBlock>(module, "_WriteLease", not_made_by_python(),
                             "A `with` block in which the section's memory is open for writing.")
          .def("__enter__", enter_write)
          .def("__exit__", leave<WriteLease>);
  refuse_pickling(reading);
  refuse_pickling(writing);
  py::class_<Array>(module.attr("Array"))
      .def(
          "read",
          [](const Array& self) {
            return ReadBlock{self, std::nullopt};
          },
          R"(A `with` block that opens the section for reading, as a NumPy array. Process-local.

Raises Stale if the memory is no longer the one that was described.)")
      .def(
          "write",
          [](const Array& self) {
            return WriteBlock{self, std::nullopt};
          },
          R"(A `with` block that opens the section for writing, as a NumPy array, including padding.

Leaving the block is logically collective: every rank, even if it writes nothing, must enter and
leave one, because native objects on the memory then drop cached values (norms). Raises
InvalidArgument for a read-only array, Stale if the memory is no longer the one that was
described.)");
}

}  // namespace daptor::python
