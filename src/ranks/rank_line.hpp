// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include "daptor/adapter/communicator.hpp"
#include "daptor/dimension.hpp"

namespace daptor::detail {

/// The ranks in a line: in the order in which they own the indices of a one-dimensional array, or
/// in that of their numbers.
struct RankLine {
  GridPosition grid;
  int below = -1;  ///< rank at the position before this one; -1 on the first
  int above = -1;  ///< rank at the position after this one; -1 on the last
  int step = 1;    ///< from a rank to the one at the next position: 1, -1, or 0 if it varies

  /// All ranks by number, increasing (`step` 1) or decreasing (-1).
  static RankLine of_ranks(const Comm& comm, int step);
};

/// Collective. The combination of the items of all positions before this one, from the first to the
/// one before; `nullopt` on the first.
///
/// The number of positions that an item covers doubles in every step: a rank sends the combination
/// of the last `distance` positions, its own included, to the rank `distance` further, and receives
/// as much from the rank `distance` before. Ranks that are not in the order of their numbers also
/// pass on where they found each other. With 4 positions and the items a, b, c, d:
///
///     distance 1   position 3 receives c, position 2 receives b, position 1 receives a
///     distance 2   position 3 receives ab, position 2 receives a
///
/// so that position 3 has ab and c.
/// @param join  `join(earlier, later)` combines items; must not throw
template <class Item, class Join>
std::optional<Item> before_this(const RankLine& line, const Comm& comm, const Item& own,
                                const Join& join) {
  static_assert(std::is_trivially_copyable_v<Item>);
  struct Sent {
    Item item;
    int below;
  };
  std::optional<Item> before;
  Item window = own;
  int below = line.below, above = line.above;
  for (Index distance = 1; distance < line.grid.size; distance *= 2) {
    const Sent sent{window, below};
    Sent received{window, -1};
    comm->sendrecv(above, &sent, sizeof sent, below, &received, sizeof received);
    if (below >= 0) {
      before = before ? join(received.item, *before) : received.item;
      window = join(received.item, window);
    }
    int further = -1;
    if (line.step != 0) {
      further = line.grid.rank + 2 * distance < line.grid.size
                    ? static_cast<int>(comm.rank() + line.step * 2 * distance)
                    : -1;
    } else {
      comm->sendrecv(below, &above, sizeof above, above, &further, sizeof further);
    }
    above = further;
    below = received.below;
  }
  return before;
}

}  // namespace daptor::detail
