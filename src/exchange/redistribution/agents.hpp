// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/call.hpp"

#include <vector>

#include "exchange/redistribution/demand.hpp"
#include "exchange/sharing.hpp"

namespace daptor::detail {

/// Processes without a section of the owners' array cannot divide their demands themselves.
/// Processes that have a section do it for them, as their agents.
struct Clients {
  std::vector<int> ranks;  ///< ranks in the common communicator
  std::vector<Demand> demands;
};

/// Collective over the common communicator. `agent` says whether this process can act for others.
/// Returns the processes for which it acts: itself first, if it is an agent, then others.
Clients gather_clients(const Demand& own, bool agent, Call& call);

/// Collective over the common communicator. Sends the clients their results, in which ranks are
/// those of the common communicator, and returns the result for this process.
std::vector<Wanted> return_to_clients(const Clients& clients,
                                      std::vector<std::vector<Wanted>> found, bool agent,
                                      Call& call);

}  // namespace daptor::detail
