// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <exception>

#include <Trilinos_version.h>
#include <BelosLinearProblem.hpp>
#include <BelosPseudoBlockCGSolMgr.hpp>
#include <BelosPseudoBlockGmresSolMgr.hpp>
#include <BelosTpetraAdapter.hpp>
#include <Tpetra_CrsMatrix.hpp>

#include "probe.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

using solvers::Operator;
using solvers::petsc_preconditioner;
using Op = Teuchos::RCP<Operator>;
using Problem = Belos::LinearProblem<double, MultiVector, Operator>;
using Solver = Belos::SolverManager<double, MultiVector, Operator>;

constexpr double tolerance = 1e-8;
constexpr int restart = 60;

struct Result {
  int iterations = 0;
  bool converged = false;
  double error = 0;
};

Teuchos::RCP<Solver> solver(const Teuchos::RCP<Problem>& problem, bool gmres) {
  const auto list = Teuchos::parameterList();
  list->set("Convergence Tolerance", tolerance);
  list->set("Maximum Iterations", 300);
  if (!gmres)
    return Teuchos::rcp(
        new Belos::PseudoBlockCGSolMgr<double, MultiVector, Operator>(problem, list));
  list->set("Num Blocks", restart);
  return Teuchos::rcp(
      new Belos::PseudoBlockGmresSolMgr<double, MultiVector, Operator>(problem, list));
}

/// Solves A X = B by Belos for a known X, on vectors of its own.
Result belos(const Op& a, const Op& preconditioner, bool gmres = false, std::size_t columns = 1) {
  const auto exact = Teuchos::rcp(new MultiVector(a->getDomainMap(), columns));
  for (std::size_t j = 0; j < columns; ++j) {
    const auto x = exact->getDataNonConst(j);
    for (int i = 0; i < x.size(); ++i)
      x[i] = scattered(static_cast<PetscInt>(a->getDomainMap()->getGlobalElement(i)),
                       static_cast<PetscInt>(11 + j));
  }
  const auto x = Teuchos::rcp(new MultiVector(a->getDomainMap(), columns));
  const auto b = Teuchos::rcp(new MultiVector(a->getRangeMap(), columns));
  a->apply(*exact, *b);
  const auto problem = Teuchos::rcp(new Problem(a, x, b));
  problem->setRightPrec(preconditioner);
  problem->setProblem();
  const auto belos_solver = solver(problem, gmres);
  Result result;
  result.converged = belos_solver->solve() == Belos::Converged;
  result.iterations = belos_solver->getNumIters();
  x->update(-1.0, *exact, 1.0);
  for (std::size_t j = 0; j < columns; ++j)
    result.error = std::max(result.error, x->getVector(j)->normInf());
  return result;
}

/// The number of iterations if PETSc solves the same system alone.
int petsc_iterations(Mat a, const char* options, KSPType type) {
  OwnKsp ksp;
  KSPCreate(PETSC_COMM_WORLD, ksp.address());
  KSPSetOperators(ksp, a, a);
  KSPSetType(ksp, type);
  KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED);
  KSPSetTolerances(ksp, tolerance, PETSC_DEFAULT, PETSC_DEFAULT, 300);
  if (std::string(type) == KSPGMRES) {
    KSPSetPCSide(ksp, PC_RIGHT);
    KSPGMRESSetRestart(ksp, restart);
  }
  KSPSetOptionsPrefix(ksp, "native_");
  const std::string prefixed = [&] {
    std::string line = options;
    for (std::size_t at = 0; (at = line.find('-', at)) != std::string::npos; at += 8)
      line.replace(at, 1, "-native_");
    return line;
  }();
  PetscOptionsInsertString(nullptr, prefixed.c_str());
  KSPSetFromOptions(ksp);
  const Vectors vectors = vectors_of(a);
  OwnVec x;
  VecDuplicate(vectors.right, x.address());
  MatMult(a, vectors.right, vectors.left);
  DAPTOR_EXPECT_OK(KSPSolve(ksp, vectors.left, x));
  PetscOptionsClear(nullptr);
  PetscInt iterations = 0;
  KSPGetIterationNumber(ksp, &iterations);
  return static_cast<int>(iterations);
}

TEST(BelosWithPetsc, needsAsManyIterationsAsPetscItself) {
  const OwnMat a = laplacian(50);
  const auto copy = solvers::copy_matrix(a);
  int number = 0;
  for (const char* options :
       {"-pc_type gamg", "-pc_type gamg -pc_gamg_threshold 0.02", "-pc_type hypre",
        "-pc_type lu -pc_factor_mat_solver_type mumps", "-pc_type bjacobi -sub_pc_type icc"})
    for (const bool gmres : {false, true}) {
      if (!tried(number++, 3)) continue;
      const Op m = petsc_preconditioner(Teuchos::RCP<const solvers::CrsMatrix>(copy), options);
      const Result result = belos(copy, m, gmres);
      EXPECT_TRUE(result.converged) << options;
      EXPECT_LT(result.error, 1e-5) << options;
      EXPECT_EQ(result.iterations, petsc_iterations(a, options, gmres ? KSPGMRES : KSPCG))
          << options;
    }
}

TEST(BelosWithPetsc, aPetscMatrixAndPreconditionerSolveForManyColumns) {
  const OwnMat a = laplacian(24);
  const Op op = solvers::mat_as_operator(a);
  const Op m = petsc_preconditioner(a, "-pc_type gamg", {op->getRangeMap(), op->getDomainMap()});
  const Result one = belos(op, m);
  const Result many = belos(op, m, false, 4);
  EXPECT_TRUE(one.converged);
  EXPECT_TRUE(many.converged);
  EXPECT_LT(many.error, 1e-5);
  EXPECT_LE(many.iterations, one.iterations + 2);
}

TEST(BelosWithPetsc, aKspIsAnInnerSolver) {
  const OwnMat a = laplacian(24);
  const auto copy = solvers::copy_matrix(a);
  const Op inner = solvers::petsc_solver(Teuchos::RCP<const solvers::CrsMatrix>(copy),
                                         "-ksp_type cg -ksp_rtol 1e-10 -pc_type jacobi");
  const Result result = belos(copy, inner, true);
  EXPECT_TRUE(result.converged);
  EXPECT_LE(result.iterations, 2);
  EXPECT_EQ(solvers::status(*inner).failed, 0);
}

TEST(BelosWithPetsc, worksWithEmptyRanks) {
  Counts rows(static_cast<std::size_t>(world_size()), 0);
  rows.back() = 30 * 30;
  const OwnMat a = laplacian(30, rows);
  const auto copy = solvers::copy_matrix(a);
  const Op m = petsc_preconditioner(Teuchos::RCP<const solvers::CrsMatrix>(copy), "-pc_type gamg");
  const Result result = belos(copy, m);
  EXPECT_TRUE(result.converged);
  EXPECT_LT(result.error, 1e-5);
}

/// Trilinos changes its matrix: the old preconditioner still works, a new set-up works better.
TEST(BelosWithPetsc, solvesAgainAfterTheMatrixHasChanged) {
  const OwnMat a = laplacian(20);
  const auto copy = solvers::copy_matrix(a);
  const Op m = petsc_preconditioner(Teuchos::RCP<const solvers::CrsMatrix>(copy),
                                    "-pc_type lu -pc_factor_mat_solver_type mumps");
  EXPECT_EQ(belos(copy, m).iterations, 1);
  const auto diagonal = Teuchos::rcp(new Tpetra::Vector<double>(copy->getRowMap()));
  {
    const auto d = diagonal->getDataNonConst();
    for (int i = 0; i < d.size(); ++i)
      d[i] =
          1.5 + 0.5 * scattered(static_cast<PetscInt>(copy->getRowMap()->getGlobalElement(i)), 3);
  }
  copy->leftScale(*diagonal);
  const Result old = belos(copy, m, true);
  EXPECT_TRUE(old.converged);
  EXPECT_GT(old.iterations, 1);
  solvers::set_up_again(*m);
  EXPECT_EQ(belos(copy, m, true).iterations, 1);
}

enum class End { solved, unsolved, thrown };

End end_of(const Op& a, const Op& preconditioner) {
  try {
    return belos(a, preconditioner).converged ? End::solved : End::unsolved;
  } catch (const std::exception&) {
    return End::thrown;
  }
}

/// What Belos does when it meets NaN.
constexpr End end_at_nan = TRILINOS_MAJOR_MINOR_VERSION < 160000 ? End::thrown : End::unsolved;

/// One rank cannot hand over its vectors during a solve: Belos stops on all ranks.
TEST(BelosWithPetsc, aFaultOnOneRankStopsAll) {
  const OwnMat a = laplacian(12);
  const auto copy = solvers::copy_matrix(a);
  const Op m =
      petsc_preconditioner(Teuchos::RCP<const solvers::CrsMatrix>(copy), "-pc_type jacobi");
  MultiVector X(m->getDomainMap(), 1);
  MultiVector Y(m->getRangeMap(), 1);
  X.putScalar(1.0);
  const std::string opening = first_point_of([&] { m->apply(X, Y); });
  for (int rank = 0; rank < world_size(); ++rank) {
    const Fault fault(opening, rank);
    EXPECT_EQ(end_of(copy, m), end_at_nan);
  }
  EXPECT_TRUE(belos(copy, m).converged);
}

}  // namespace
}  // namespace daptor::test
