// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <utility>

#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/one_to_one.hpp"

/// \file
/// Index lists that several processes may share.

namespace daptor::petsc::detail {

bool has_unstructured(const Section& array);

/// Collective. Proves that no index of the array is on two processes, unless the array states this
/// itself. The sections must form one array. If there is such an index, throws `reasons()` on all
/// ranks, with the index.
template <class F>
void require_one_to_one(const DistArray& array, F&& reasons) {
  if (!adapter::may_share_indices(array)) return;
  const OneToOne proof = prove_one_to_one(array);
  const std::optional<Finding>& shared = proof.shared();
  if (!shared) return;
  adapter::Reasons found = std::forward<F>(reasons)();
  for (Finding& finding : found) {
    finding.found = shared->found;
    finding.ranks = shared->ranks;
    finding.rank_count = shared->rank_count;
    finding.dimension = shared->dimension;
  }
  adapter::require_none(std::move(found));
}

}  // namespace daptor::petsc::detail
