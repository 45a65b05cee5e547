// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "index_map/ask.hpp"

namespace daptor::detail {

/// Process-local. The row-major number of coordinates on a grid. Throws InvalidArgument for
/// coordinates that are not on it.
Index seat_of(const std::vector<Index>& grid, const std::vector<Index>& coordinates);

/// Collective. The ranks at the grid coordinates whose row-major numbers `seats()` returns, for
/// ranks in any order on the grid: the rank with that number knows the answer, which on this rank
/// is `rank_here`.
template <class Seats>
std::vector<int> ranks_of_seats(Call& call, int rank_here, const Seats& seats) {
  return ask<int>(
      call, seats, [](Index seat) { return static_cast<int>(seat); },
      [rank_here](Index) { return rank_here; });
}

}  // namespace daptor::detail
