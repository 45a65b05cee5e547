// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "exchange/sharing.hpp"

namespace daptor::detail {

/// Divides the region into parts of at most `most` elements, and appends them in the region's
/// order. The parts depend only on the region's counts and order, so both sides of a transfer get
/// the same parts.
void split(const Region& region, Index most, std::vector<Region>& parts);

}  // namespace daptor::detail
