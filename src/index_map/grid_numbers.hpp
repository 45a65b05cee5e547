// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "ranks/ask.hpp"

namespace daptor::detail {

/// Process-local. The row-major number of coordinates on a grid. Throws InvalidArgument for
/// coordinates that are not on it.
Index grid_number_of(const std::vector<Index>& grid, const std::vector<Index>& coordinates);

/// Collective. The ranks at the grid coordinates whose row-major numbers `numbers()` returns, for
/// ranks in any order on the grid: the rank with that number knows the answer, which on this rank
/// is `rank_here`.
template <class Numbers>
std::vector<int> ranks_at_grid_numbers(Call& call, int rank_here, const Numbers& numbers) {
  return ask<int>(
      call, numbers, [](Index number) { return static_cast<int>(number); },
      [rank_here](Index) { return rank_here; });
}

}  // namespace daptor::detail
