// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/global_index_map.hpp"
#include "daptor/halo_exchange.hpp"
#include "exchange/sharing.hpp"

namespace daptor::detail {

/// Which elements are copies, and who owns them: `wanted` are copies of other processes' elements,
/// `own` copies of elements of this process.
struct HaloPlans {
  Sharing update;
  /// The plan for the opposite direction, from the copies to the owners, without the owners'
  /// boundary padding.
  Sharing accumulate;
};

/// Collective. `boundary` says whether any process has boundary padding; it is the same on all
/// ranks.
HaloPlans plan_halo(const Section& array, const GlobalIndexMap& map, const HaloOptions& options,
                    bool boundary, Call& call);

}  // namespace daptor::detail
