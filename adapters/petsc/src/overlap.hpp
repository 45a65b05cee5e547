// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "daptor/adapter/reason.hpp"
#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/one_to_one.hpp"

/// \file
/// Index lists that several processes may share.

namespace daptor::petsc::detail {

/// A dimension that is unstructured and states neither that its indices are one-to-one nor which of
/// them are owned; -1 if there is none.
int overlapping_dimension(const DistArray& array);
bool has_unstructured(const DistArray& array);

/// Collective. Proves that no index of the array is on two processes, unless the array states this
/// itself. The sections must form one array. If there is such an index, throws `reasons()` on all
/// ranks, with the index.
template <class F>
void require_one_to_one(const DistArray& array, const Comm& comm, F&& reasons) {
  if (overlapping_dimension(array) < 0) return;
  const OneToOne proof = prove_one_to_one(array, comm);
  if (!proof.against) return;
  adapter::Reasons found = std::forward<F>(reasons)();
  for (Finding& finding : found) {
    finding.found = proof.against->found;
    finding.ranks = proof.against->ranks;
    finding.rank_count = proof.against->rank_count;
    finding.dimension = proof.against->dimension;
  }
  adapter::require_none(std::move(found));
}

}  // namespace daptor::petsc::detail
