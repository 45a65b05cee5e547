// SPDX-License-Identifier: BSD-3-Clause
// Times CG with a MueLu preconditioner: PETSc's CG with MueLu in a shell, beside Trilinos alone.

#include <cmath>
#include <string>
#include <utility>

#include <petscksp.h>
#include <BelosPseudoBlockCGSolMgr.hpp>
#include <BelosTpetraAdapter.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>
#include <daptor/solvers.hpp>

#include "groups.hpp"
#include "problem.hpp"
#include "support/pairs.hpp"

namespace bench {
namespace {

using MultiVector = Tpetra::MultiVector<PetscScalar>;

struct Run {
  double seconds = 0;
  int iterations = 0;
};

Run solve_belos(MPI_Comm comm, const Teuchos::RCP<const Operator>& A,
                const Teuchos::RCP<const Operator>& M) {
  const auto b = Teuchos::rcp(new MultiVector(A->getRangeMap(), 1));
  const auto x = Teuchos::rcp(new MultiVector(A->getDomainMap(), 1));
  b->putScalar(1.0);
  const auto problem =
      Teuchos::rcp(new Belos::LinearProblem<PetscScalar, MultiVector, Operator>(A, x, b));
  problem->setLeftPrec(M);
  problem->setProblem();
  const auto parameters = Teuchos::rcp(new Teuchos::ParameterList);
  parameters->set("Convergence Tolerance", 1e-8);
  parameters->set("Maximum Iterations", 200);
  Belos::PseudoBlockCGSolMgr<PetscScalar, MultiVector, Operator> solver(problem, parameters);
  MPI_Barrier(comm);
  const double start = MPI_Wtime();
  solver.solve();
  return {MPI_Wtime() - start, solver.getNumIters()};
}

std::string percent(double part) {
  const double rounded = std::round(part * 1e4) / 1e2;
  std::string text = std::to_string(rounded);
  return text.substr(0, text.find('.') + 3) + " %";
}

void one_size(MPI_Comm comm, PetscInt m, bool quick, const Table& table) {
  const Problem problem(comm, m);
  const Teuchos::RCP<const Operator> B = daptor::solvers::copy_matrix(problem.A);
  const auto timed = Teuchos::rcp(new Timed(problem.M));
  Cg petsc(problem);
  daptor::solvers::operator_as_pc(timed, petsc.pc());

  Run belos;
  const Effort effort{quick ? 5 : 25, 1, 2};
  const Pairs pairs = alternate_timed(
      comm, effort, [&] { return petsc.solve(); },
      [&] {
        belos = solve_belos(comm, B, problem.M);
        return belos.seconds / belos.iterations;
      });

  // Time of an application beyond the operator's own: what PETSc's PCApply and Daptor take.
  constexpr int applications = 50;
  std::vector<double> beyond;
  for (int sample = 0; sample < effort.pairs; ++sample) {
    timed->seconds = 0;
    const double start = MPI_Wtime();
    for (int i = 0; i < applications; ++i)
      PetscCallAbort(comm, PCApply(petsc.pc(), problem.b, problem.x));
    beyond.push_back((MPI_Wtime() - start - timed->seconds) / applications);
  }
  const Quartiles adapting = quartiles(std::move(beyond));
  const double iteration = quartiles(pairs.ours).median;
  table.row({std::to_string(m * m), std::to_string(petsc.iterations),
             std::to_string(belos.iterations), time_text(quartiles(pairs.ours)),
             time_text(quartiles(pairs.theirs)), ratio_text(pairs.ratio()), time_text(adapting),
             percent(adapting.median / iteration) + ", " +
                 judged({adapting.lower / iteration, adapting.median / iteration,
                         adapting.upper / iteration},
                        0.02)});
}

}  // namespace

void solve(MPI_Comm comm, bool quick) {
  const Table table(
      comm, "CG to 1e-8 with MueLu on a 2-d Laplacian: PETSc's CG through a shell, and Belos' CG",
      {"rows", "iterations", "Belos' iterations", "time per iteration", "Belos' time per iteration",
       "ratio", "beyond the operator's own time, per application",
       "share of an iteration (goal: at most 2 %)"});
  one_size(comm, quick ? 100 : 500, quick, table);
  if (!quick) one_size(comm, 1000, quick, table);
}

}  // namespace bench
