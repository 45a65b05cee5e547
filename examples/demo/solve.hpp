// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscksp.h>

/// One solution of A x = b, starting from x = 0, and its costs.
struct Solve {
  double set_up_seconds = 0;
  double solve_seconds = 0;
  PetscInt iterations = 0;
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  double relative_residual = 0;  ///< computed afterwards from b - A x
};

/// Collective. Sets up `ksp`, which has its operators and preconditioner, and solves. Prints the
/// progress if that takes long.
Solve solve(KSP ksp, Vec b, Vec x);
