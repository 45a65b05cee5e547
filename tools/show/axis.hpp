// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "show/line.hpp"

/// \file
/// One dimension at the size that a picture has for it.

namespace daptor::show {

/// How an axis stands to the array.
enum class Scale {
  cells,    ///< each position is a cell of the same size
  shrunk,   ///< regions are to scale, as far as whole characters and a least size allow
  grouped,  ///< too many regions: several owners are taken together
  folded    ///< too many regions: those in the middle are left out
};

struct Axis {
  Scale scale = Scale::cells;
  std::vector<Stretch> regions;
};

/// How many regions there may be.
struct Most {
  std::size_t regions = 0;
  std::size_t groups = 0;    ///< where they are grouped
  std::size_t unfolded = 0;  ///< where some are folded; at most `regions`
};

/// All regions, or where there are too many of them a choice: groups of whole regions along an
/// ordered line, and the first and last regions of another. A scale of `cells` or `shrunk` is left
/// to the caller: the result has `cells`.
Axis regions_of(const Line& line, IndexRange positions, const Most& most);

/// What lies between two neighbouring regions.
enum class Border { none, jump, owner };
Border border_between(const Stretch& a, const Stretch& b);
/// Borders between regions that are not `none`.
std::size_t border_count(const std::vector<Stretch>& regions);

/// Positions a line where `extent` of them go into lines of at most `most`, all about as long.
inline Index evenly(Index extent, Index most) {
  const Index lines = (extent + most - 1) / most;
  return (extent + lines - 1) / lines;
}

/// Divides `total` among regions in proportion to `weights`; none gets less than its `least`.
/// `total` is at least the sum of those.
std::vector<int> share(int total, const std::vector<double>& weights,
                       const std::vector<int>& least);

}  // namespace daptor::show
