// CG with a MueLu preconditioner: PETSc's CG with it in a shell, beside all-Trilinos.

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
#include "support/pairs.hpp"

namespace bench {
namespace {

using Operator = daptor::solvers::Operator;
using MultiVector = Tpetra::MultiVector<PetscScalar>;

/// Five-point Laplacian on m x m points, rows divided as PETSc divides them.
Mat make_laplacian(MPI_Comm comm, PetscInt m) {
  Mat A = nullptr;
  PetscInt first = 0;
  PetscInt last = 0;
  PetscCallAbort(comm, MatCreateAIJ(comm, PETSC_DECIDE, PETSC_DECIDE, m * m, m * m, 5, nullptr, 2,
                                    nullptr, &A));
  PetscCallAbort(comm, MatGetOwnershipRange(A, &first, &last));
  for (PetscInt row = first; row < last; ++row) {
    const PetscInt i = row / m;
    const PetscInt j = row % m;
    const auto set = [&](PetscInt column, PetscScalar value) {
      PetscCallAbort(comm, MatSetValue(A, row, column, value, INSERT_VALUES));
    };
    if (i > 0) set(row - m, -1.0);
    if (i < m - 1) set(row + m, -1.0);
    if (j > 0) set(row - 1, -1.0);
    if (j < m - 1) set(row + 1, -1.0);
    set(row, 4.0);
  }
  PetscCallAbort(comm, MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  PetscCallAbort(comm, MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  return A;
}

/// Adds up the time inside another operator.
class Timed final : public Operator {
 public:
  explicit Timed(Teuchos::RCP<const Operator> inner) : inner_(std::move(inner)) {}

  Teuchos::RCP<const Tpetra::Map<>> getDomainMap() const override { return inner_->getDomainMap(); }
  Teuchos::RCP<const Tpetra::Map<>> getRangeMap() const override { return inner_->getRangeMap(); }
  void apply(const MultiVector& X, MultiVector& Y, Teuchos::ETransp mode, PetscScalar alpha,
             PetscScalar beta) const override {
    const double start = MPI_Wtime();
    inner_->apply(X, Y, mode, alpha, beta);
    seconds += MPI_Wtime() - start;
  }

  mutable double seconds = 0;

 private:
  Teuchos::RCP<const Operator> inner_;
};

struct Run {
  double seconds = 0;
  int iterations = 0;
};

Run solve_petsc(MPI_Comm comm, KSP ksp, Vec b, Vec x) {
  PetscCallAbort(comm, VecSet(x, 0.0));
  MPI_Barrier(comm);
  const double start = MPI_Wtime();
  PetscCallAbort(comm, KSPSolve(ksp, b, x));
  const double seconds = MPI_Wtime() - start;
  PetscInt iterations = 0;
  PetscCallAbort(comm, KSPGetIterationNumber(ksp, &iterations));
  return {seconds, static_cast<int>(iterations)};
}

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
  Mat A = make_laplacian(comm, m);
  Vec b = nullptr;
  Vec x = nullptr;
  PetscCallAbort(comm, MatCreateVecs(A, &x, &b));
  PetscCallAbort(comm, VecSet(b, 1.0));
  const auto M = daptor::solvers::muelu_preconditioner(A, Teuchos::ParameterList());
  const Teuchos::RCP<const Operator> B = daptor::solvers::copy_matrix(A);
  const auto timed = Teuchos::rcp(new Timed(M));

  KSP ksp = nullptr;
  PC pc = nullptr;
  PetscCallAbort(comm, KSPCreate(comm, &ksp));
  PetscCallAbort(comm, KSPSetOperators(ksp, A, A));
  PetscCallAbort(comm, KSPSetType(ksp, KSPCG));
  PetscCallAbort(comm, KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
  PetscCallAbort(comm, KSPSetTolerances(ksp, 1e-8, 1e-50, 1e5, 200));
  PetscCallAbort(comm, KSPGetPC(ksp, &pc));
  daptor::solvers::operator_as_pc(timed, pc);

  Run petsc;
  Run belos;
  const Effort effort{quick ? 5 : 25, 1, 2};
  const Pairs pairs = alternate_timed(
      comm, effort,
      [&] {
        petsc = solve_petsc(comm, ksp, b, x);
        return petsc.seconds / petsc.iterations;
      },
      [&] {
        belos = solve_belos(comm, B, M);
        return belos.seconds / belos.iterations;
      });

  // What an application costs beyond the operator's own time: PETSc's PCApply and ours.
  constexpr int applications = 50;
  std::vector<double> beyond;
  for (int sample = 0; sample < effort.pairs; ++sample) {
    timed->seconds = 0;
    const double start = MPI_Wtime();
    for (int i = 0; i < applications; ++i) PetscCallAbort(comm, PCApply(pc, b, x));
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
  PetscCallAbort(comm, KSPDestroy(&ksp));
  PetscCallAbort(comm, VecDestroy(&x));
  PetscCallAbort(comm, VecDestroy(&b));
  PetscCallAbort(comm, MatDestroy(&A));
}

}  // namespace

void solve(MPI_Comm comm, bool quick) {
  const Table table(
      comm, "CG with MueLu, 2-d Laplacian, 1e-8: PETSc's CG through a shell, Belos' CG",
      {"rows", "iterations", "Belos' iterations", "an iteration", "Belos' iteration", "ratio",
       "beyond the operator's own time, an application", "of an iteration (goal: at most 2 %)"});
  one_size(comm, quick ? 100 : 500, quick, table);
  if (!quick) one_size(comm, 1000, quick, table);
}

}  // namespace bench
