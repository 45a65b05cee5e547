// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/section.hpp"

namespace daptor::detail {

/// Whether a process owns consecutive indices along the dimension.
inline bool in_blocks(const Dimension& dimension) {
  return dimension.as<Block>() != nullptr || dimension.as<Undistributed>() != nullptr;
}

/// Whether the owned elements of an array of one dimension are one after another in memory.
inline bool is_gapless_line(const Section& array) {
  return array.owned_count() <= 1 ||
         array.byte_strides().front() == static_cast<Index>(array.type().itemsize());
}

/// The global indices that this process owns of an array whose only dimension is in blocks or
/// undistributed.
inline IndexRange owned_line(const Section& array) {
  const Dimension& dimension = array.dimension(0);
  if (const auto* form = dimension.as<Block>()) return form->owned;
  return {0, dimension.global_size()};
}

}  // namespace daptor::detail
