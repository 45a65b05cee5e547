// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A program of PETSc that does not know Daptor: solves Poisson's equation in a cube of n^3 nodes
/// several times, and prints the seconds of the set-up and of each solve. `check.py` runs it.
///
///     daptor_bench_check [-n 100] [-solves 4] [-pairs 0] -ksp_type cg -pc_type gamg
///
/// -pairs: so many more solves twice, with PETSc's callbacks of events as they are and without
/// them, in turn; what memory looks like is then the same for both. PETSc before 3.20 has them in
/// two variables.

#include <petscdmda.h>
#include <petscksp.h>

namespace {

PetscErrorCode fill(DM grid, Mat matrix) {
  DMDALocalInfo info;
  PetscCall(DMDAGetLocalInfo(grid, &info));
  for (PetscInt k = info.zs; k < info.zs + info.zm; ++k)
    for (PetscInt j = info.ys; j < info.ys + info.ym; ++j)
      for (PetscInt i = info.xs; i < info.xs + info.xm; ++i) {
        const MatStencil row{k, j, i, 0};
        MatStencil columns[7] = {row, row, row, row, row, row, row};
        PetscScalar values[7] = {6.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0};
        PetscInt count = 1;
        if (i > 0) columns[count++].i = i - 1;
        if (i + 1 < info.mx) columns[count++].i = i + 1;
        if (j > 0) columns[count++].j = j - 1;
        if (j + 1 < info.my) columns[count++].j = j + 1;
        if (k > 0) columns[count++].k = k - 1;
        if (k + 1 < info.mz) columns[count++].k = k + 1;
        PetscCall(MatSetValuesStencil(matrix, 1, &row, count, columns, values, INSERT_VALUES));
      }
  PetscCall(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
  return PetscErrorCode{};
}

template <class F>
PetscErrorCode timed(const char* what, F&& work) {
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
  const double begin = MPI_Wtime();
  PetscCall(work());
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s %.9f\n", what, MPI_Wtime() - begin));
  return PetscErrorCode{};
}

/// While it lives no event calls anybody.
class WithoutCallbacks {
 public:
#if PETSC_VERSION_LT(3, 20, 0)
  WithoutCallbacks() : begin_(PetscLogPLB), end_(PetscLogPLE) {
    PetscLogPLB = nullptr;
    PetscLogPLE = nullptr;
  }
  ~WithoutCallbacks() {
    PetscLogPLB = begin_;
    PetscLogPLE = end_;
  }
  static constexpr bool possible = true;

 private:
  decltype(PetscLogPLB) begin_;
  decltype(PetscLogPLE) end_;
#else
  static constexpr bool possible = false;
#endif
};

PetscErrorCode solve_in_pairs(KSP solver, Vec b, Vec x, PetscInt pairs) {
  const auto with = [&] { return timed("with", [&] { return KSPSolve(solver, b, x); }); };
  const auto without = [&] {
    const WithoutCallbacks none;
    return timed("without", [&] { return KSPSolve(solver, b, x); });
  };
  for (PetscInt i = 0; i < pairs; ++i) {
    PetscCall(i % 2 == 0 ? with() : without());
    PetscCall(i % 2 == 0 ? without() : with());
  }
  return PetscErrorCode{};
}

PetscErrorCode run() {
  PetscInt n = 100;
  PetscInt solves = 4;
  PetscInt pairs = 0;
  PetscCall(PetscOptionsGetInt(nullptr, nullptr, "-n", &n, nullptr));
  PetscCall(PetscOptionsGetInt(nullptr, nullptr, "-solves", &solves, nullptr));
  PetscCall(PetscOptionsGetInt(nullptr, nullptr, "-pairs", &pairs, nullptr));
  DM grid = nullptr;
  Mat matrix = nullptr;
  Vec x = nullptr;
  Vec b = nullptr;
  KSP solver = nullptr;
  PetscCall(DMDACreate3d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE,
                         DMDA_STENCIL_STAR, n, n, n, PETSC_DECIDE, PETSC_DECIDE, PETSC_DECIDE, 1, 1,
                         nullptr, nullptr, nullptr, &grid));
  PetscCall(DMSetUp(grid));
  PetscCall(DMCreateMatrix(grid, &matrix));
  PetscCall(fill(grid, matrix));
  PetscCall(DMCreateGlobalVector(grid, &x));
  PetscCall(VecDuplicate(x, &b));
  PetscCall(VecSet(b, 1.0));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &solver));
  PetscCall(KSPSetOperators(solver, matrix, matrix));
  PetscCall(KSPSetFromOptions(solver));
  PetscCall(timed("setup", [&] { return KSPSetUp(solver); }));
  for (PetscInt i = 0; i < solves; ++i)
    PetscCall(timed("solve", [&] { return KSPSolve(solver, b, x); }));
  if (WithoutCallbacks::possible) PetscCall(solve_in_pairs(solver, b, x, pairs));
  PetscCall(KSPDestroy(&solver));
  PetscCall(VecDestroy(&b));
  PetscCall(VecDestroy(&x));
  PetscCall(MatDestroy(&matrix));
  PetscCall(DMDestroy(&grid));
  return PetscErrorCode{};
}

}  // namespace

int main(int argc, char** argv) {
  PetscCall(PetscInitialize(&argc, &argv, nullptr, nullptr));
  PetscCall(run());
  PetscCall(PetscFinalize());
  return 0;
}
