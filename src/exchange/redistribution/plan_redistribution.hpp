// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "daptor/call.hpp"
#include "daptor/redistribute.hpp"
#include "exchange/array_memory.hpp"
#include "exchange/redistribution/sides.hpp"
#include "exchange/sharing.hpp"

namespace daptor::detail {

/// Which elements each process sends and receives.
struct RedistributionPlan {
  /// `owned` is what this process sends, `wanted` what it receives.
  Sharing sharing;
  /// If set, regions count row-major over this box of the section on this side; otherwise they have
  /// one index per dimension.
  std::optional<FlatBox> source_box, target_box;
  /// Whether the plan for the opposite direction is this plan, turned.
  bool both_ways = false;
};

/// The plan for the opposite direction.
RedistributionPlan turned(RedistributionPlan plan);

/// Collective over `sides.comm`, with the same outlines and options on all ranks. Throws
/// InvalidArgument (`redistribute.shape`, `.missing`, `.overlap`) on all ranks. If an index list
/// that it comes upon breaks a rule (U12, `owned.twice`, `owned.nobody`), throws Malformed with
/// what `validate` would report.
RedistributionPlan plan_redistribution(const Sides& sides, const RedistributionOptions& options,
                                       Call& call);

}  // namespace daptor::detail
