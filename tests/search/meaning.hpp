// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/dist_array.hpp"
#include "daptor/local_index_map.hpp"

namespace daptor::search {

/// Whether both are the same part of the same dimension in any form: an undistributed dimension and
/// a block on one process have the same meaning.
inline bool same_meaning(const Dimension& a, const Dimension& b) {
  if (a.global_size() != b.global_size() || a.grid() != b.grid() || a.periodic() != b.periodic() ||
      a.communication_padding() != b.communication_padding() ||
      a.boundary_padding() != b.boundary_padding() || a.owned_count() != b.owned_count())
    return false;
  if (const auto* list = a.as<Unstructured>()) {
    const auto* other = b.as<Unstructured>();
    return other != nullptr && list->indices == other->indices &&
           list->one_to_one == other->one_to_one;
  }
  // The first and the last owned index determine the others.
  if (a.owned_count() == 0) return true;
  const LocalDimensionMap of_a(a), of_b(b);
  const Index first = of_a.owned_offset();
  const Index last = first + a.owned_count() - 1;
  return of_a.global_of(first) == of_b.global_of(first) &&
         of_a.global_of(last) == of_b.global_of(last);
}

inline bool same_meaning(const Section& a, const Section& b) {
  if (a.ndim() != b.ndim() || a.local_shape() != b.local_shape() || a.type() != b.type() ||
      a.data() != b.data() || a.readonly() != b.readonly())
    return false;
  for (int d = 0; d < a.ndim(); ++d)
    if (!same_meaning(a.dimension(d), b.dimension(d))) return false;
  return true;
}

}  // namespace daptor::search
