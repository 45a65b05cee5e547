// SPDX-License-Identifier: BSD-3-Clause
// Times the way from an assembled PETSc matrix to the solution: `-pc_type muelu` beside PETSc's own
// multigrids.

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <petscksp.h>
#include <Tpetra_CrsMatrix.hpp>
#include <daptor/solvers.hpp>

#include "groups.hpp"
#include "laplacian.hpp"
#include "support/pairs.hpp"

namespace bench {
namespace {

struct Times {
  double set_up = 0;
  double solve = 0;
  PetscInt iterations = 0;
  double total() const { return set_up + solve; }
};

double slowest(MPI_Comm comm, double seconds) {
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm);
  return seconds;
}

/// Solves by CG to 1e-8 with a new PC, like a program that solves once.
Times solve_once(Mat A, Vec b, Vec x, const char* type) {
  const MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(A));
  KSP ksp = nullptr;
  PC pc = nullptr;
  PetscCallAbort(comm, KSPCreate(comm, &ksp));
  PetscCallAbort(comm, KSPSetOperators(ksp, A, A));
  PetscCallAbort(comm, KSPSetType(ksp, KSPCG));
  PetscCallAbort(comm, KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
  PetscCallAbort(comm, KSPSetTolerances(ksp, 1e-8, 1e-50, 1e5, 200));
  PetscCallAbort(comm, KSPGetPC(ksp, &pc));
  PetscCallAbort(comm, PCSetType(pc, type));
  PetscCallAbort(comm, KSPSetFromOptions(ksp));
  PetscCallAbort(comm, VecSet(x, 0.0));

  Times times;
  MPI_Barrier(comm);
  double start = MPI_Wtime();
  PetscCallAbort(comm, KSPSetUp(ksp));
  times.set_up = slowest(comm, MPI_Wtime() - start);
  start = MPI_Wtime();
  PetscCallAbort(comm, KSPSolve(ksp, b, x));
  times.solve = slowest(comm, MPI_Wtime() - start);
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  PetscCallAbort(comm, KSPGetConvergedReason(ksp, &reason));
  PetscCallAbort(comm, KSPGetIterationNumber(ksp, &times.iterations));
  if (reason < 0) times.iterations = -times.iterations;
  PetscCallAbort(comm, KSPDestroy(&ksp));
  return times;
}

double hand_over(Mat A) {
  const MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(A));
  MPI_Barrier(comm);
  const double start = MPI_Wtime();
  const auto copy = daptor::solvers::copy_matrix(A);
  return slowest(comm, MPI_Wtime() - start);
}

constexpr std::array<const char*, 3> types{"muelu", "gamg", "hypre"};
/// Of the ratio of muelu's time to theirs.
constexpr std::array<double, 3> goals{0, 0.7, 1};

Quartiles of(const std::vector<Times>& runs, const std::function<double(const Times&)>& part) {
  std::vector<double> values;
  values.reserve(runs.size());
  for (const Times& run : runs) values.push_back(part(run));
  return quartiles(std::move(values));
}

Quartiles ratio(const std::vector<Times>& ours, const std::vector<Times>& theirs) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < ours.size(); ++i)
    ratios.push_back(ours[i].total() / theirs[i].total());
  return quartiles(std::move(ratios));
}

void one_size(MPI_Comm comm, PetscInt m, int rounds, const Table& table) {
  Mat A = make_laplacian(comm, m);
  Vec b = nullptr;
  Vec x = nullptr;
  PetscCallAbort(comm, MatCreateVecs(A, &x, &b));
  PetscCallAbort(comm, VecSet(b, 1.0));
  std::array<std::vector<Times>, types.size()> runs;
  std::vector<double> hand_overs;
  for (int round = -1; round < rounds; ++round) {
    const double copying = hand_over(A);
    if (round >= 0) hand_overs.push_back(copying);
    for (std::size_t i = 0; i < types.size(); ++i) {
      const std::size_t t = (i + static_cast<std::size_t>(round + 1)) % types.size();
      const Times times = solve_once(A, b, x, types[t]);
      if (round >= 0) runs[t].push_back(times);
    }
  }
  for (std::size_t t = 1; t < types.size(); ++t) {
    Pairs pairs;
    for (const Times& run : runs[0]) pairs.ours.push_back(run.total());
    for (const Times& run : runs[t]) pairs.theirs.push_back(run.total());
    keep(comm, {"solution", "CG with MueLu", std::to_string(m * m) + " rows", types[t], goals[t]},
         pairs);
  }
  for (std::size_t t = 0; t < types.size(); ++t) {
    const bool ours = t == 0;
    table.row({std::to_string(m * m), types[t], std::to_string(runs[t].front().iterations),
               ours ? time_text(quartiles(hand_overs)) : "",
               time_text(of(runs[t], [](const Times& run) { return run.set_up; })),
               time_text(of(runs[t], [](const Times& run) { return run.solve; })),
               time_text(of(runs[t], [](const Times& run) { return run.total(); })),
               ours ? "" : ratio_text(ratio(runs[0], runs[t]))});
  }
  PetscCallAbort(comm, VecDestroy(&x));
  PetscCallAbort(comm, VecDestroy(&b));
  PetscCallAbort(comm, MatDestroy(&A));
}

}  // namespace

void time_to_solution(MPI_Comm comm, bool quick) {
  PetscCallAbort(comm, PetscDLLibraryAppend(comm, &PetscDLLibrariesLoaded, DAPTOR_PLUGIN));
  const Table table(
      comm, "From a matrix to the solution: CG to 1e-8, 2-d Laplacian",
      {"rows", "-pc_type", "iterations", "hand-over of the matrix", "set-up (hand-over included)",
       "solve", "total", "ratio of muelu's total to this one"});
  one_size(comm, quick ? 100 : 500, quick ? 3 : 15, table);
  if (!quick) one_size(comm, 1000, 9, table);
}

}  // namespace bench
