// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "exchange/sharing.hpp"

namespace daptor::detail {

/// Adds the region in parts of at most so many elements, in its order. The parts depend on the
/// region's counts and order alone: both sides of a transfer make the same ones.
void split(const Region& region, Index most, std::vector<Region>& parts);

}  // namespace daptor::detail
