// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscpc.h>

namespace daptor::solvers {
namespace detail {
// PCGetFailedReasonRank became PCGetFailedReason in PETSc 3.22; the function of that name had
// told the reason of all ranks until then.
template <class P>
auto failed_reason(P pc, PCFailedReason* reason, int)
    -> decltype(PCGetFailedReasonRank(pc, reason)) {
  return PCGetFailedReasonRank(pc, reason);
}
template <class P>
auto failed_reason(P pc, PCFailedReason* reason, long) -> decltype(PCGetFailedReason(pc, reason)) {
  return PCGetFailedReason(pc, reason);
}
}  // namespace detail

/// The reason why a PC cannot be applied on this rank.
inline PetscErrorCode failed_reason(PC pc, PCFailedReason* reason) {
  return detail::failed_reason(pc, reason, 0);
}

}  // namespace daptor::solvers
