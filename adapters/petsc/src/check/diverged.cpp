// SPDX-License-Identifier: BSD-3-Clause
#include "diverged.hpp"

#include <petsc/private/kspimpl.h>

#include <string>

#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "findings.hpp"

namespace daptor::petsc::detail {

namespace {

/// Whether somebody sees the reason or the residuals, or gets an error.
bool is_told(KSP ksp) {
  PetscBool viewed = PETSC_FALSE;
  call("PetscOptionsHasName", PetscOptionsHasName, object(ksp)->options, object(ksp)->prefix,
       "-ksp_converged_reason", &viewed);
  return viewed == PETSC_TRUE || ksp->errorifnotconverged == PETSC_TRUE ||
         ksp->numberreasonviews > 0 || ksp->numbermonitors > 0;
}

}  // namespace

std::optional<Report> diverged(KSP ksp) {
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  PetscInt steps = 0;
  call("KSPGetConvergedReason", KSPGetConvergedReason, ksp, &reason);
  call("KSPGetIterationNumber", KSPGetIterationNumber, ksp, &steps);
  if (reason >= KSP_CONVERGED_ITERATING || is_told(ksp)) return {};
  Findings findings = findings_about(object(ksp));
  findings.warning("check.ksp.diverged",
                   std::string("its last solve has ended by ") + KSPConvergedReasons[reason] +
                       " after " + counted(steps, "iteration", "iterations") +
                       ", and neither an error, a monitor nor a viewer of the reason was asked for",
                   "a solution, or a program that looks at the reason of each solve",
                   "Look at " + names::function("KSPGetConvergedReason") +
                       " behind each solve, or run with -ksp_error_if_not_converged or "
                       "-ksp_converged_reason.");
  return findings.report();
}

}  // namespace daptor::petsc::detail
