// SPDX-License-Identifier: BSD-3-Clause
#include "solve.hpp"

#include "console.hpp"
#include "handle.hpp"

namespace {

/// Prints a line now and then, at most one per second.
PetscErrorCode show_progress(KSP, PetscInt iteration, PetscReal residual, void* context) {
  auto& last = *static_cast<double*>(context);
  if (MPI_Wtime() - last > 1) {
    say("    iteration {:4}, residual {:.2e}\n", iteration, residual);
    last = MPI_Wtime();
  }
  return PetscErrorCode{};
}

double relative_residual(KSP ksp, Vec b, Vec x) {
  Mat a = nullptr;
  ok(KSPGetOperators(ksp, &a, nullptr));
  VecHandle r;
  ok(VecDuplicate(b, r.out()));
  ok(MatMult(a, x, r));
  ok(VecAYPX(r, -1.0, b));
  PetscReal norm = 0;
  PetscReal norm_of_b = 0;
  ok(VecNorm(r, NORM_2, &norm));
  ok(VecNorm(b, NORM_2, &norm_of_b));
  return norm / norm_of_b;
}

}  // namespace

Solve solve(KSP ksp, Vec b, Vec x) {
  Solve result;
  double last_line = MPI_Wtime();
  ok(KSPMonitorSet(ksp, show_progress, &last_line, nullptr));
  double start = MPI_Wtime();
  ok(KSPSetUp(ksp));
  result.set_up_seconds = MPI_Wtime() - start;
  ok(VecSet(x, 0.0));
  start = MPI_Wtime();
  ok(KSPSolve(ksp, b, x));
  result.solve_seconds = MPI_Wtime() - start;
  ok(KSPMonitorCancel(ksp));
  ok(KSPGetIterationNumber(ksp, &result.iterations));
  ok(KSPGetConvergedReason(ksp, &result.reason));
  result.relative_residual = relative_residual(ksp, b, x);
  return result;
}
