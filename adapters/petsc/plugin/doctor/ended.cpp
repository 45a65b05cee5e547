// SPDX-License-Identifier: BSD-3-Clause
#include "ended.hpp"

#include <petscts.h>

#include "daptor/petsc/adapter/call.hpp"
#include "object.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

using How = Ended::How;

Ended ended_ksp(KSP ksp) {
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  Ended end;
  detail::call("KSPGetConvergedReason", KSPGetConvergedReason, ksp, &reason);
  detail::call("KSPGetSolution", KSPGetSolution, ksp, &end.result);
  end.reason = KSPConvergedReasons[reason];
  end.how = reason >= 0                       ? How::well
            : reason == KSP_DIVERGED_NANORINF ? How::by_not_finite
                                              : How::badly;
  return end;
}

/// Whether the line search has met NaN or Inf in all steps that it has tried.
bool searched_in_vain(SNES snes) {
  SNESLineSearch search = nullptr;
  SNESLineSearchReason reason = SNES_LINESEARCH_SUCCEEDED;
  detail::call("SNESGetLineSearch", SNESGetLineSearch, snes, &search);
  detail::call("SNESLineSearchGetReason", SNESLineSearchGetReason, search, &reason);
  return reason == SNES_LINESEARCH_FAILED_NANORINF;
}

Ended ended_snes(SNES snes) {
  SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
  Ended end;
  detail::call("SNESGetConvergedReason", SNESGetConvergedReason, snes, &reason);
  detail::call("SNESGetSolution", SNESGetSolution, snes, &end.result);
  end.reason = SNESConvergedReasons[reason];
  const bool not_finite = reason == SNES_DIVERGED_FNORM_NAN ||
                          (reason == SNES_DIVERGED_LINE_SEARCH && searched_in_vain(snes));
  end.how = reason >= 0 ? How::well : not_finite ? How::by_not_finite : How::badly;
  return end;
}

Ended ended_ts(TS ts) {
  TSConvergedReason reason = TS_CONVERGED_ITERATING;
  Ended end;
  detail::call("TSGetConvergedReason", TSGetConvergedReason, ts, &reason);
  detail::call("TSGetSolution", TSGetSolution, ts, &end.result);
  end.reason = TSConvergedReasons[reason];
  end.how = reason >= 0 ? How::well : How::badly;
  return end;
}

}  // namespace

Ended ended(PetscObject solver) {
  const PetscClassId id = class_of(solver);
  if (id == KSP_CLASSID) return ended_ksp(as<KSP>(solver));
  if (id == SNES_CLASSID) return ended_snes(as<SNES>(solver));
  if (id == TS_CLASSID) return ended_ts(as<TS>(solver));
  return {};
}

}  // namespace daptor::petsc::plugin::doctor
