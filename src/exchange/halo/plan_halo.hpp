// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "daptor/global_index_map.hpp"
#include "daptor/halo_exchange.hpp"
#include "exchange/sharing.hpp"

namespace daptor::detail {

/// Who has copies of whose elements: `wanted` are copies, `own` those that a process has of its own
/// elements.
struct HaloPlans {
  Sharing update;
  /// The same without the owners' boundary padding, on the way back: copies are sent to the owners.
  Sharing accumulate;
};

/// Collective. `boundary`: any process has boundary padding; the same on all ranks.
HaloPlans plan_halo(const DistArray& array, const GlobalIndexMap& map, const HaloOptions& options,
                    bool boundary, const Comm& comm);

}  // namespace daptor::detail
