// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bindings.hpp"
#include "calls/call.hpp"
#include "calls/held.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "daptor/value.hpp"
#include "grid.hpp"

namespace daptor::python {
namespace {

using scalapack::Descriptor;
using scalapack::Submatrix;

/// As many integers as the result has, of a sequence of Python.
template <class Numbers>
Numbers numbers_of(const char* key, const py::object& object, int bits, const char* expected) {
  if (PySequence_Check(object.ptr()) == 0 || PyUnicode_Check(object.ptr()))
    throw InvalidArgument(key, type_text(object), expected);
  const auto list = py::reinterpret_borrow<py::sequence>(object);
  Numbers numbers{};
  if (list.size() != numbers.size())
    throw InvalidArgument(key, "a sequence of " + std::to_string(list.size()), expected);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] =
        static_cast<typename Numbers::value_type>(integer_of(key, py::object(list[i]), bits));
  return numbers;
}

std::optional<Submatrix> part_of(const py::object& object) {
  if (object.is_none()) return std::nullopt;
  const auto numbers = numbers_of<std::array<Index, 4>>(
      "part", object, 64, "four integers: IA, JA, and the numbers of rows and columns");
  return Submatrix{numbers[0], numbers[1], numbers[2], numbers[3]};
}

/// The element type of a buffer, if ScaLAPACK has it.
DataType type_of(const Py_buffer& view) {
  const auto type = DataType::from_format(view.format != nullptr ? view.format : "B");
  for (const DataType& known :
       {DataType::of<double>(), DataType::of<float>(), DataType::of<std::complex<double>>(),
        DataType::of<std::complex<float>>(), DataType::of<int>()})
    if (type == known) return known;
  throw NotRepresentable(adapter::reason(
      "scalapack.matrix.type", "elements of " + (type ? type->name() : std::string(view.format)),
      "float32, float64, complex64, complex128 or int32 in this machine's byte order",
      "Pass memory of such elements."));
}

/// The memory of a buffer: one run, or columns LLD_ apart.
daptor::detail::Memory memory_in(const Py_buffer& view, Index leading_dimension) {
  constexpr const char* expected =
      "one dimension without gaps, or rows and columns in Fortran order, LLD_ apart";
  const auto refuse = [&](const Terms& found) { throw InvalidArgument("memory", found, expected); };
  if (view.ndim != 1 && view.ndim != 2) refuse(std::to_string(view.ndim) + " dimensions");
  daptor::detail::Memory memory{view.buf, Index{0}, view.readonly != 0};
  const Index rows = view.shape[0];
  const Index columns = view.ndim == 2 ? view.shape[1] : 1;
  if (rows == 0 || columns == 0) return memory;
  if (rows > 1 && view.strides[0] != view.itemsize)
    refuse("elements of a column " + std::to_string(view.strides[0]) + " bytes apart");
  if (columns > 1 && view.strides[1] != view.itemsize * leading_dimension)
    refuse("columns " + std::to_string(view.strides[1]) +
           " bytes apart, with LLD_ = " + std::to_string(leading_dimension) + " elements of " +
           std::to_string(view.itemsize) + " bytes");
  memory.length = (columns - 1) * leading_dimension + rows;
  return memory;
}

Array export_matrix(const py::object& given_desc, const py::object& given_memory,
                    const py::object& comm_object, const py::object& given_part) {
  HeldComm comm = communicator_of(comm_object);
  Call call = python_call(
      comm, given_part.is_none() ? "scalapack.export_matrix" : "scalapack.export_submatrix");
  const auto kept = std::make_shared<Kept>();
  Descriptor desc{};
  DataType type = DataType::of<double>();
  daptor::detail::Memory memory;
  std::optional<Submatrix> part;
  call.check([&] {
    desc = numbers_of<Descriptor>("desc", given_desc, 32, "nine integers of 32 bits");
    part = part_of(given_part);
    if (is_masked(given_memory.ptr()))
      throw InvalidArgument(Report(
          {error_finding("argument", -1, "memory", "an array of numpy.ma, whose mask would be lost",
                         "a NumPy array without a mask", daptor::detail::masked_remedy)}));
    if (!kept->buffer.take(given_memory.ptr())) {
      PyErr_Clear();
      throw InvalidArgument("memory", type_text(given_memory), "a NumPy array, or another buffer");
    }
    type = type_of(kept->buffer.view());
    memory = memory_in(kept->buffer.view(), desc[8]);
  });
  const Unlocked unlocked;
  DistArray array = scalapack::detail::export_memory(desc.data(), type, memory, part, *comm, kept);
  return {std::move(array), std::move(comm), kept};
}

}  // namespace

void bind_exporting_matrix(py::module_& module) {
  module.def("export_matrix", export_matrix, py::arg("desc"), py::arg("memory"), py::arg("comm"),
             py::kw_only(), py::arg("part"));
}

}  // namespace daptor::python
