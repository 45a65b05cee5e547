// SPDX-License-Identifier: BSD-3-Clause
#include "overlap.hpp"

namespace daptor::petsc::detail {

int overlapping_dimension(const DistArray& array) {
  for (int d = 0; d < array.ndim(); ++d)
    if (leaves_open_who_owns(array.dimension(d)) && array.dimension(d).grid().size > 1) return d;
  return -1;
}

bool has_unstructured(const DistArray& array) {
  for (const Dimension& dimension : array.dimensions())
    if (dimension.as<Unstructured>() != nullptr) return true;
  return false;
}

}  // namespace daptor::petsc::detail
