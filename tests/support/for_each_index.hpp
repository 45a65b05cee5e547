// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include <daptor/types.hpp>

namespace daptor::test {

/// Calls `visit` with every multi-index below `extents`, the last one fastest.
template <class F>
void for_each_index(const std::vector<Index>& extents, F&& visit) {
  for (const Index extent : extents)
    if (extent == 0) return;
  std::vector<Index> index(extents.size(), 0);
  while (true) {
    visit(static_cast<const std::vector<Index>&>(index));
    std::size_t d = extents.size();
    while (d > 0 && ++index[d - 1] == extents[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

}  // namespace daptor::test
