// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "exchange/sharing.hpp"

namespace daptor::detail {

/// How regions are divided, the same on both sides of a transfer.
struct Split {
  /// Elements of the largest part.
  Index most;
  /// Large parts are short along the fastest dimension, too, because one side has another order of
  /// memory: it then finds a part on few pages.
  bool crossed = false;
};

/// Divides the selection into parts of `each` indices; the last part has the rest.
std::vector<Selection> cut(const Selection& selection, Index each);

/// Divides the region into parts, and appends them; if not crossed, in the region's order. The
/// parts depend only on the region's counts and order, so both sides of a transfer get the same
/// parts.
void split(const Region& region, const Split& how, std::vector<Region>& parts);

}  // namespace daptor::detail
