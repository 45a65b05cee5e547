// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>

#include "daptor/adapter/communicator.hpp"
#include "daptor/comm.hpp"

namespace daptor::detail {

/// In place of a rank, in reductions to the minimum: no rank.
constexpr std::int64_t nobody = std::numeric_limits<std::int64_t>::max();

/// Collective. The lowest rank on which `mine` is true, or `nobody`.
inline std::int64_t lowest_rank(const Comm& comm, bool mine) {
  std::int64_t lowest = mine ? comm.rank() : nobody;
  comm->allreduce(&lowest, 1, Reduction::min);
  return lowest;
}

}  // namespace daptor::detail
