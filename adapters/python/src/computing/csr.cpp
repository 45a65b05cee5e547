// SPDX-License-Identifier: BSD-3-Clause
#include "computing/csr.hpp"

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "arrays/place.hpp"
#include "calls/call.hpp"
#include "daptor/csr_product.hpp"
#include "daptor/csr_rows.hpp"

namespace daptor::python {
namespace {

/// The fields of an object, which should be a CsrArrays.
GivenCsr fields_of(const py::object& matrix) {
  const auto field = [&](const char* name) -> py::object {
    return py::getattr(matrix, name, py::none());
  };
  return {field("values"), field("columns"), field("offsets"), field("global_columns"),
          field("index_base")};
}

/// The communicator of the matrix or, if nothing in it is an Array, of `other`.
const HeldComm& comm_of(const GivenCsr& matrix, const py::object& other) {
  const bool has_array =
      is_a<Array>(matrix.values) || is_a<Array>(matrix.columns) || is_a<Array>(matrix.offsets);
  return !has_array && is_a<Array>(other) ? py::cast<const Array&>(other).comm : matrix.comm();
}

/// Values, columns and offsets, as `CsrArrays` of Python takes them.
py::tuple to_python(const CsrArrays& matrix, const HeldComm& comm) {
  return py::make_tuple(Array{matrix.values, comm}, Array{matrix.columns, comm},
                        Array{matrix.offsets, comm}, matrix.global_columns, matrix.index_base);
}

/// Collective. Only the offsets are new: values and columns stay the objects that they were.
Array offsets_from_rows(const py::object& values, const py::object& columns,
                        const py::object& row_lengths, const py::object& global_columns,
                        const py::object& index_base) {
  const HeldComm comm = GivenCsr{values, columns, row_lengths, {}, {}}.comm();
  Call call = python_call(comm, "csr_from_rows");
  Index column_count = 0, base = 0;
  std::optional<std::array<DistArray, 3>> arrays;
  call.check([&] {
    column_count = integer_of("global_columns", global_columns);
    base = integer_of("index_base", index_base);
    arrays = {array_of("values", values).array, array_of("columns", columns).array,
              array_of("row_lengths", row_lengths).array};
  });
  const Unlocked unlocked;
  const auto& [entries, their_columns, lengths] = *arrays;
  return {csr_from_rows(entries, their_columns, lengths, column_count, base).offsets, comm};
}

/// Process-local. Both are contiguous buffers of int64.
py::object global_columns(const py::buffer& local, const py::buffer& indices) {
  const py::buffer_info numbers = local.request(), list = indices.request();
  const auto columns = daptor::detail::global_columns_of(
      {DataType::of<Index>(),
       daptor::detail::memory_of(static_cast<const Index*>(numbers.ptr), Index{numbers.size})},
      IndexList(nullptr, static_cast<const Index*>(list.ptr), Index{list.size}));
  return numpy_of(*columns);
}

py::tuple aligned(const py::object& matrix) {
  const GivenCsr given = fields_of(matrix);
  Call call = python_call(given.comm(), "align_rows");
  const CsrArrays arrays = call.check([&] { return given.read(); });
  std::optional<CsrArrays> result;
  {
    const Unlocked unlocked;
    result = align_rows(arrays);
  }
  return to_python(*result, given.comm());
}

void mark_row_starts(const py::object& matrix, const py::object& mask) {
  const GivenCsr given = fields_of(matrix);
  Call call = python_call(comm_of(given, mask), "row_starts");
  std::optional<CsrArrays> arrays;
  DistArray written;
  call.check([&] {
    arrays = given.read();
    written = array_of("mask", mask).array;
  });
  const Unlocked unlocked;
  row_starts(*arrays, written);
}

/// Collective. Reads the arguments of a product and calls `use` with them, without the GIL.
template <class Use>
void with_operands(const char* name, const py::object& matrix, const py::object& x,
                   const py::object& y, const Use& use) {
  const GivenCsr given = fields_of(matrix);
  const HeldComm& comm = comm_of(given, is_a<Array>(x) ? x : y);
  Call call = python_call(comm, name);
  std::optional<CsrArrays> arrays;
  DistArray from, to;
  call.check([&] {
    arrays = given.read();
    from = array_of("x", x).array;
    to = array_of("y", y).array;
  });
  const Unlocked unlocked;
  use(*arrays, from, to, comm);
}

/// A product with the communicator of its calls. Its destructor may wait, without the GIL, for
/// elements that have been asked for.
struct Product {
  HeldComm comm;
  CsrProduct product;

  Product(HeldComm held, CsrProduct made) : comm(std::move(held)), product(std::move(made)) {}
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;
  ~Product() {
    const Unlocked unlocked;
    const CsrProduct last = std::move(product);
  }
};

std::unique_ptr<Product> plan(const py::object& matrix, const py::object& x, const py::object& y) {
  std::unique_ptr<Product> made;
  with_operands("CsrProduct", matrix, x, y,
                [&](const CsrArrays& arrays, const DistArray& from, const DistArray& to,
                    const HeldComm& comm) {
                  made = std::make_unique<Product>(comm, CsrProduct(arrays, from, to));
                });
  return made;
}

void run_with(Product& self, const py::object& x, const py::object& y) {
  Call call = python_call(self.comm, "CsrProduct.__call__");
  DistArray from, to;
  call.check([&] {
    from = array_of("x", x).array;
    to = array_of("y", y).array;
  });
  const Unlocked unlocked;
  self.product(from, to);
}

void bind_product(py::module_& module) {
  auto type = py::class_<Product>(module, "CsrProduct", R"(The product y = A x, planned once.

The matrix is a CsrArrays, whose rows may lie on several ranks; x and y are Arrays of one dimension
in any layout. Values of the matrix are read anew in each run. Made for a matrix and two vectors,
and used any number of times:

    product = daptor.CsrProduct(A, x, y)   # collective
    product.run()                          # y = A x
    product(u, v)                          # v = A u, for vectors of the same layouts)");
  refuse_pickling(type);
  type.def(py::init(&plan), py::arg("matrix"), py::arg("x"), py::arg("y"),
           R"(Collective over the communicator of the matrix.

matrix  a CsrArrays; columns may be in any order within a row
x, y    one element for each column and each row; y is writable, in memory of its own

Raises on all ranks: Malformed if the matrix or a vector is none (`csr.monotone`, `csr.first`,
`csr.last`, `csr.column-range`, ...); InvalidArgument for vectors of another size or type
(`csr.vector`, `csr.type`), and for y in the memory of x or the matrix (`csr.memory`).)")
      .def(
          "run", [](Product& self) { self.product.run(); }, py::call_guard<Unlocked>(),
          "Writes A x to y: begin() and end().")
      .def("__call__", run_with, py::arg("x"), py::arg("y"),
           R"(Writes A x to y for other vectors of the same layouts, which then stay. Collective.

Raises on all ranks, before y is written: InvalidArgument (`csr.layout`, `csr.memory`,
`csr.begun`, `lease.readonly`), Stale.)")
      .def(
          "begin", [](Product& self) { self.product.begin(); }, py::call_guard<Unlocked>(),
          R"(Starts to gather elements of x.

Until end(), x and the matrix may be read but not written, and y neither. Raises on the calling rank
alone: InvalidArgument (`csr.begun`), Stale.)")
      .def(
          "end", [](Product& self) { self.product.end(); }, py::call_guard<Unlocked>(),
          R"(Completes the product, and notifies all native views of y.

Raises InvalidArgument (`csr.not-begun`) if none was begun.)")
      .def_property_readonly(
          "in_flight", [](const Product& self) { return self.product.in_flight(); },
          "Whether a product was begun and has not ended.")
      .def_property_readonly(
          "gathered_count", [](const Product& self) { return self.product.gathered_count(); },
          "Number of elements of x that this rank gathers in a run, each counted once.");
}

}  // namespace

void bind_csr(py::module_& module) {
  module.def("_global_columns", global_columns);
  module.def("_csr_offsets", offsets_from_rows, py::arg("values"), py::arg("columns"),
             py::arg("row_lengths"), py::arg("global_columns"), py::arg("index_base"));
  module.def("_align_rows", aligned, py::arg("matrix"));
  module.def("row_starts", mark_row_starts, py::arg("matrix"), py::arg("mask"),
             R"(Writes 1 to `mask` where an entry is the first of its row, else 0. Collective.

matrix  a CsrArrays, whose rows may lie on several ranks
mask    an Array of integers, divided like matrix.values; writable

Raises on all ranks: Malformed (`csr.empty-row`, ...) for a row without entries, which such a mask
cannot show; InvalidArgument (`csr.mask`, `csr.memory`). `mask` is then unchanged.)");
  module.def(
      "multiply",
      [](const py::object& matrix, const py::object& x, const py::object& y) {
        with_operands("multiply", matrix, x, y,
                      [](const CsrArrays& arrays, const DistArray& from, const DistArray& to,
                         const HeldComm&) { multiply(arrays, from, to); });
      },
      py::arg("matrix"), py::arg("x"), py::arg("y"),
      R"(Writes A x to y, for a matrix of type CsrArrays. Collective.

Arguments and errors are those of CsrProduct, which is to be made for repeated products.)");
  bind_product(module);
}

}  // namespace daptor::python
