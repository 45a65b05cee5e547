// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <functional>
#include <optional>

#include "daptor/call.hpp"
#include "daptor/dimension.hpp"
#include "daptor/report.hpp"

/// \file
/// For authors of adapters: whether each index of the lists of all ranks is on one rank only.

namespace daptor::adapter {

/// Collective. Proves that no index is on two ranks, nor twice on one (`prove_one_to_one`).
/// @param list  makes this rank's unstructured dimension, of the same size on all ranks; may throw,
///              and must not communicate
/// @returns nothing if that is so; otherwise what speaks against it, with the rule `U09` for an
///   index on two ranks and `U04` for one that is twice on a rank
std::optional<Finding> shared_index(Call& call, const std::function<Dimension()>& list);

/// Whether that finding is about this rank, too. Process-local. It names the lowest ranks, or none
/// if all are at fault.
inline bool is_at_fault(const Finding& shared, int rank) {
  return shared.ranks.empty() ||
         std::find(shared.ranks.begin(), shared.ranks.end(), rank) != shared.ranks.end();
}

}  // namespace daptor::adapter
