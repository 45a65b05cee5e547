// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "arrays/buffer_protocol.hpp"
#include "arrays/edges.hpp"
#include "calls/communicator.hpp"
#include "calls/held.hpp"
#include "calls/signatures.hpp"
#include "daptor/dist_array.hpp"

namespace daptor::python {

/// `daptor.Array`: an array, and its communicator as Python has it.
struct Array {
  DistArray array;
  HeldComm comm;
  /// Owner of the memory if that is a Python buffer; the garbage collector asks for it to find
  /// cycles.
  std::weak_ptr<const Kept> kept = {};
  /// Empty if the array has no boundary padding, and for an array that was described on this
  /// process alone.
  std::optional<Edges> edges = std::nullopt;
  /// Names of dimensions and coordinates, for the package's part in Python; null if it has none.
  std::shared_ptr<const Held> labels = {};
};

inline TupleOf<Index> tuple_of(const std::vector<Index>& values) {
  TupleOf<Index> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) result[i] = py::int_(values[i]);
  return result;
}

/// The section's memory, in the section's shape; that of its buffer may have one dimension.
Buffer shaped_buffer(const Section& array);

/// Adds `Array` to the module.
void bind_array(py::module_& module);

/// The Array behind a Python object; null for any other object, and for an Array that was made
/// without calling `__init__`.
inline const Array* array_behind(PyObject* object) {
  if (!is_a<Array>(object)) return nullptr;
  auto* const instance = reinterpret_cast<py::detail::instance*>(object);
  if (!instance->get_value_and_holder().holder_constructed()) return nullptr;
  return py::cast<const Array*>(py::handle(object));
}

}  // namespace daptor::python
