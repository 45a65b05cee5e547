// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "show/line.hpp"

namespace daptor::show {

/// Consecutive global indices that the same grid ranks own.
struct Segment {
  IndexRange globals;
  Holders holders;
};

/// Global indices that one grid rank owns.
struct Owned {
  IndexRange globals;
  Index grid_rank = 0;
};

/// Who owns what, in order and without overlap; what nobody owns is left out. O(n log n) in the
/// number of ranges.
std::vector<Segment> segments_of(std::vector<Owned> owned);

}  // namespace daptor::show
