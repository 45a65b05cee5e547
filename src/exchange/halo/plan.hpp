// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "daptor/global_index_map.hpp"
#include "daptor/halo_exchange.hpp"
#include "exchange/ask_owners.hpp"

namespace daptor::detail {

/// Where the copies of an exchange are (`wanted`) and who owns them. `own` are copies that a
/// process has of its own elements.
using HaloPlan = Sharing;

struct HaloPlans {
  HaloPlan update;
  /// The same without the owners' boundary padding.
  HaloPlan accumulate;
};

/// Collective. `boundary`: any process has boundary padding; the same on all ranks.
HaloPlans plan_halo(const DistArray& array, const GlobalIndexMap& map, const HaloOptions& options,
                    bool boundary, const std::shared_ptr<const Communicator>& comm);

}  // namespace daptor::detail
