// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "daptor/redistribute.hpp"
#include "exchange/array_memory.hpp"
#include "exchange/redistribution/sides.hpp"
#include "exchange/sharing.hpp"

namespace daptor::detail {

/// Who gives what to whom.
struct RedistributionPlan {
  /// `owned` is what this process sends, `wanted` what it receives.
  Sharing sharing;
  /// Regions count row-major over a box of the section on this side; empty: along its dimensions.
  std::optional<FlatBox> source_box, target_box;
  /// The same plan the other way round is the plan of the way back.
  bool both_ways = false;
};

/// The way back.
RedistributionPlan turned(RedistributionPlan plan);

/// Collective over `sides.comm`, the same outlines and options on all ranks. Throws InvalidArgument
/// (`redistribute.shape`, `.missing`, `.overlap`) on all ranks.
RedistributionPlan plan_redistribution(const Sides& sides, const RedistributionOptions& options);

}  // namespace daptor::detail
