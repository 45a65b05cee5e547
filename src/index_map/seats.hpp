// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "index_map/ask.hpp"

namespace daptor::detail {

/// Collective. The rank that sits at each of the grid coordinates that `seats()` gives by their
/// row-major numbers, whatever the order of the ranks: the rank of that number keeps the answer,
/// here `rank_here`.
template <class Seats>
std::vector<int> ranks_of_seats(const Comm& comm, int rank_here, const Seats& seats) {
  return ask<int>(
      comm, seats, [](Index seat) { return static_cast<int>(seat); },
      [rank_here](Index) { return rank_here; });
}

}  // namespace daptor::detail
