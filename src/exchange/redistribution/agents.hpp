// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "exchange/redistribution/demand.hpp"
#include "exchange/sharing.hpp"

namespace daptor::detail {

/// What processes without a part in the owners' array ask for is divided for them by processes that
/// have one: their agents.
struct Clients {
  std::vector<int> ranks;  ///< in the common communicator
  std::vector<Demand> demands;
};

/// Collective over the common communicator. `agent`: this process can act for others. Returns whom
/// it acts for: itself first, where it can, then others.
Clients gather_clients(const Demand& own, bool agent, const Comm& comm);

/// Collective over the common communicator. Gives the clients what has been found for them, by
/// ranks of the common communicator, and returns what was found for this process.
std::vector<Wanted> return_to_clients(const Clients& clients,
                                      std::vector<std::vector<Wanted>> found, bool agent,
                                      const Comm& comm);

}  // namespace daptor::detail
