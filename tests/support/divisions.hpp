// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Divisions of one-dimensional arrays into a block for each rank.

#include <algorithm>
#include <vector>

#include "daptor/dimension.hpp"
#include "world.hpp"

namespace daptor::test {

/// Where the blocks begin and end: one number more than there are ranks.
using Bounds = std::vector<Index>;

/// This rank's block, with the ranks in their order.
inline IndexRange part(const Bounds& bounds) {
  const auto rank = static_cast<std::size_t>(world_rank());
  return {bounds[rank], bounds[rank + 1]};
}

inline Bounds even_bounds(Index size) {
  Bounds bounds{0};
  for (int r = 0; r < world_size(); ++r) bounds.push_back(even_block(size, {world_size(), r}).stop);
  return bounds;
}

inline Bounds all_on(int rank, Index size) {
  Bounds bounds;
  for (int r = 0; r <= world_size(); ++r) bounds.push_back(r <= rank ? 0 : size);
  return bounds;
}

/// The same on all ranks if `random` is.
template <class Random>
Bounds random_bounds(Index size, Random& random) {
  if (random() % 4 == 0) return even_bounds(size);
  Bounds bounds{0};
  for (int r = 1; r < world_size(); ++r)
    bounds.push_back(static_cast<Index>(random() % static_cast<unsigned>(size + 1)));
  bounds.push_back(size);
  std::sort(bounds.begin(), bounds.end());
  return bounds;
}

}  // namespace daptor::test
