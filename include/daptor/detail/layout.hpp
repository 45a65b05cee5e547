// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/types.hpp"

namespace daptor::detail {

/// Whether elements of this shape and these byte strides are one run without gaps, in the given
/// order. Strides of dimensions of extent 1, and dimensions before `first`, do not matter.
inline bool gapless(const std::vector<Index>& shape, const std::vector<Index>& byte_strides,
                    std::size_t itemsize, Order order, std::size_t first = 0) {
  for (std::size_t d = first; d < shape.size(); ++d)
    if (shape[d] == 0) return true;
  Index expected = static_cast<Index>(itemsize);
  for (std::size_t k = first; k < shape.size(); ++k) {
    const std::size_t d = order == Order::c ? shape.size() - 1 - (k - first) : k;
    if (shape[d] != 1 && byte_strides[d] != expected) return false;
    expected *= shape[d];
  }
  return true;
}

}  // namespace daptor::detail
