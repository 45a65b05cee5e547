// SPDX-License-Identifier: BSD-3-Clause
#include "moving/owners.hpp"

#include <string>
#include <utility>

#include <pybind11/stl.h>

#include "calls/arguments.hpp"
#include "daptor/error.hpp"

namespace daptor::python {
namespace {

constexpr const char* wanted =
    "the number of indices at the front of this rank's list that it owns, or a list of the indices "
    "it owns";

/// The dimension that is divided by index lists; if several have index lists, the one with more
/// than one process.
const Dimension& listed_dimension(const Section& array) {
  const Dimension* found = nullptr;
  for (const Dimension& dimension : array.dimensions()) {
    if (dimension.as<Unstructured>() == nullptr) continue;
    if (found == nullptr || dimension.grid().size > 1) found = &dimension;
  }
  if (found == nullptr)
    throw InvalidArgument("owned", "an array without index lists", "an unstructured array");
  return *found;
}

std::vector<Index> first_of(const IndexList& indices, Index count) {
  if (count < 0 || count > indices.size())
    throw InvalidArgument("owned", std::to_string(count),
                          "0 or more, and at most " + std::to_string(indices.size()) +
                              ", the number of this rank's indices");
  std::vector<Index> result;
  for (Index i = 0; i < count; ++i) result.push_back(indices[i]);
  return result;
}

/// The integer value of an object; `nullopt` if it has none. A NumPy array also passes
/// PyIndex_Check, but its conversion raises.
std::optional<Index> count_of(py::handle object) {
  if (PyIndex_Check(object.ptr()) == 0 || PyBool_Check(object.ptr()) != 0) return std::nullopt;
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
  if (!number) {
    PyErr_Clear();
    return std::nullopt;
  }
  return value_of<Index>("owned", number, wanted);
}

}  // namespace

std::optional<Dimension> owners_of(const std::vector<Array>& arrays, py::handle owned) {
  if (owned.is_none()) return std::nullopt;
  if (arrays.empty()) throw InvalidArgument("owned", "no array", wanted);
  const Dimension& dimension = listed_dimension(arrays.front().array);
  std::vector<Index> mine;
  if (const auto count = count_of(owned)) {
    mine = first_of(dimension.as<Unstructured>()->indices, *count);
  } else {
    if (PySequence_Check(owned.ptr()) == 0 || PyUnicode_Check(owned.ptr()) != 0)
      throw InvalidArgument("owned", type_text(owned), wanted);
    mine = value_of<std::vector<Index>>("owned", owned, wanted);
  }
  const Comm& ranks = *arrays.front().comm;
  return unstructured(dimension.global_size(), {ranks.size(), ranks.rank()},
                      IndexList(std::move(mine)), true);
}

}  // namespace daptor::python
