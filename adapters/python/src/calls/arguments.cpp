// SPDX-License-Identifier: BSD-3-Clause
#include "calls/arguments.hpp"

namespace daptor::python {
namespace {

constexpr const char* wanted_arrays = "a daptor.Array or a sequence of them";

}  // namespace

std::vector<Array> arrays_of(const char* key, py::handle object) {
  if (object.is_none()) return {};
  if (is_a<Array>(object)) return {array_of(key, object, wanted_arrays)};
  if (PySequence_Check(object.ptr()) == 0)
    throw InvalidArgument(key, type_text(object), wanted_arrays);
  std::vector<Array> result;
  for (const py::handle item : py::reinterpret_borrow<py::iterable>(object))
    result.push_back(array_of(key, item, wanted_arrays));
  return result;
}

std::vector<DistArray> described(const std::vector<Array>& arrays) {
  std::vector<DistArray> result;
  result.reserve(arrays.size());
  for (const Array& array : arrays) result.push_back(array.array);
  return result;
}

}  // namespace daptor::python
