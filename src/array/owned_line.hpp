// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/dist_array.hpp"

namespace daptor::detail {

/// The global indices that this process owns of an array whose only dimension is in blocks or
/// undistributed.
inline IndexRange owned_line(const DistArray& array) {
  const Dimension& dimension = array.dimension(0);
  if (const auto* form = dimension.as<Block>()) return form->owned;
  return {0, dimension.global_size()};
}

}  // namespace daptor::detail
