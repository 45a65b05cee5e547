// SPDX-License-Identifier: BSD-3-Clause
#include "overlap.hpp"

namespace daptor::petsc::detail {

bool has_unstructured(const Section& array) {
  for (const Dimension& dimension : array.dimensions())
    if (dimension.as<Unstructured>() != nullptr) return true;
  return false;
}

}  // namespace daptor::petsc::detail
