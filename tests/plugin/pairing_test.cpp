// SPDX-License-Identifier: BSD-3-Clause
// The plug-in is compared with Trilinos alone, and gets matrices and vectors that Trilinos changes.

#include <BelosPseudoBlockCGSolMgr.hpp>
#include <BelosTpetraAdapter.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <daptor/petsc.hpp>
#include <daptor/solvers.hpp>
#include <daptor/tpetra.hpp>

#include "../../examples/demo/allocations.hpp"
#include "../solvers/limited.hpp"
#include "singular.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

using Operator = solvers::Operator;
using MultiVector = Tpetra::MultiVector<PetscScalar>;

PetscInt iterations_of_belos(const Teuchos::RCP<const Operator>& A,
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
  EXPECT_EQ(solver.solve(), Belos::Converged);
  return solver.getNumIters();
}

/// A pressure problem, whose right-hand side has solutions.
TEST(Pairing, belosTakesASingularProblem) {
  const OwnMat a = neumann(60);
  set_null_space(a);
  Teuchos::ParameterList list;
  list.set("coarse: max size", 200);
  const auto A = solvers::copy_matrix(a);
  const auto M = solvers::muelu_preconditioner(a, list);
  const auto exact = Teuchos::rcp(new MultiVector(A->getDomainMap(), 1));
  const auto b = Teuchos::rcp(new MultiVector(A->getRangeMap(), 1));
  const auto x = Teuchos::rcp(new MultiVector(A->getDomainMap(), 1));
  exact->randomize();
  A->apply(*exact, *b);
  const auto problem =
      Teuchos::rcp(new Belos::LinearProblem<PetscScalar, MultiVector, Operator>(A, x, b));
  problem->setLeftPrec(M);
  problem->setProblem();
  const auto parameters = Teuchos::rcp(new Teuchos::ParameterList);
  parameters->set("Convergence Tolerance", 1e-8);
  parameters->set("Maximum Iterations", 100);
  Belos::PseudoBlockCGSolMgr<PetscScalar, MultiVector, Operator> solver(problem, parameters);
  EXPECT_EQ(solver.solve(), Belos::Converged);
  EXPECT_LE(solver.getNumIters(), 10);
  MultiVector image(A->getRangeMap(), 1);
  A->apply(*x, image);
  image.update(-1.0, *b, 1.0);
  EXPECT_LT(image.getVector(0)->norm2(), 1e-6 * b->getVector(0)->norm2());
}

PetscInt iterations_of_petsc(Mat a) {
  const OwnKsp ksp = ksp_of(a, "muelu");
  KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED);
  const Vectors vectors = vectors_of(a);
  VecSet(vectors.left, 1.0);
  DAPTOR_EXPECT_OK(KSPSolve(ksp, vectors.left, vectors.right));
  PetscInt iterations = 0;
  KSPGetIterationNumber(ksp, &iterations);
  return iterations;
}

TEST(Pairing, asManyIterationsAsTrilinosAlone) {
  for (const PetscInt m : {60, 113}) {
    const OwnMat a = laplacian(m);
    const auto A = solvers::copy_matrix(a);
    const auto M = solvers::muelu_preconditioner(a, Teuchos::ParameterList());
    EXPECT_EQ(iterations_of_petsc(a), iterations_of_belos(A, M)) << m << " x " << m;
  }
}

TEST(Pairing, asManyIterationsOnAnyNumberOfRanks) {
  const PetscInt iterations = iterations_of_petsc(laplacian(150));
  EXPECT_GE(iterations, 7);
  EXPECT_LE(iterations, 10);
}

double norm(Vec x) {
  PetscReal value = 0;
  VecNorm(x, NORM_2, &value);
  return value;
}

/// Solves, lets Trilinos change the right-hand side and the matrix, and solves again.
TEST(Pairing, solvesAgainWhatTrilinosChanged) {
  const auto A = solvers::copy_matrix(laplacian(70));
  const solvers::OwnedMat a = solvers::copy_matrix(*A);
  const OwnKsp ksp = ksp_of(a.get(), "muelu");
  const Vectors vectors = vectors_of(a.get());
  VecSet(vectors.left, 1.0);
  DAPTOR_EXPECT_OK(KSPSolve(ksp, vectors.left, vectors.right));
  const double right_side = norm(vectors.left);
  const double solution = norm(vectors.right);

  const DistArray described = petsc::export_vec(vectors.left);
  {
    const auto B = tpetra::import_multivector<PetscScalar>(described);
    B.get()->scale(8.0);
    described.modified();
  }
  EXPECT_NEAR(norm(vectors.left), 8.0 * right_side, 1e-10 * right_side);

  A->resumeFill();
  A->scale(2.0);
  A->fillComplete(A->getDomainMap(), A->getRangeMap());
  solvers::copy_values(*A, a.get());
  DAPTOR_EXPECT_OK(KSPSolve(ksp, vectors.left, vectors.right));
  EXPECT_NEAR(norm(vectors.right), 4.0 * solution, 1e-6 * solution);
}

TEST(Pairing, hundredIterationsAllocateNothingOfTheLengthOfAVector) {
  const OwnMat a = laplacian(150);
  const OwnKsp ksp = ksp_of(a, "ifpack2", KSPCG);
  KSPSetNormType(ksp, KSP_NORM_NONE);
  KSPSetTolerances(ksp, 1e-50, 1e-50, PETSC_DEFAULT, 100);
  const Vectors vectors = vectors_of(a);
  VecSet(vectors.left, 1.0);
  DAPTOR_EXPECT_OK(KSPSolve(ksp, vectors.left, vectors.right));
  PetscInt local = 0;
  VecGetLocalSize(vectors.right, &local);
  allocations::start(static_cast<std::size_t>(local) * sizeof(PetscScalar) / 2);
  KSPSolve(ksp, vectors.left, vectors.right);
  const allocations::Count seen = allocations::stop();
  PetscInt iterations = 0;
  KSPGetIterationNumber(ksp, &iterations);
  EXPECT_EQ(iterations, 100);
  EXPECT_EQ(seen.number, 0U) << seen;
}

/// Local ordinals are limited to small numbers.
TEST(Pairing, aMatrixBeyondTheLocalOrdinalsIsRefused) {
  const OwnMat a = laplacian(20);
  const OwnKsp ksp = ksp_of(a, "muelu");
  {
    const Limited limited(world_rank() == 0 ? 3 : 100000, 100000);
    expect_refused("matrix.index-range", [&] { return KSPSetUp(ksp); });
  }
  expect_solved(ksp, 10);
}

TEST(Pairing, blockMatricesAreTaken) {
  for (const char* format : {MATBAIJ, MATSBAIJ}) {
    OwnMat a = laplacian(60);
    OwnMat b;
    MatSetOption(a, MAT_SYMMETRIC, PETSC_TRUE);
    MatConvert(a, format, MAT_INITIAL_MATRIX, b.address());
    expect_solved(ksp_of(b, "muelu"), 10);
    expect_solved(ksp_of(b, "ifpack2", KSPGMRES), 200);
  }
}

/// Coarse levels represent the near-null space, so a wrong one shows in the number of iterations.
TEST(Pairing, theNearNullSpaceReachesMueLu) {
  const auto iterations_with = [](const std::function<PetscScalar(PetscInt)>& mode) {
    const OwnMat a = laplacian(100);
    const Vectors vectors = vectors_of(a);
    PetscInt first = 0;
    PetscInt last = 0;
    VecGetOwnershipRange(vectors.left, &first, &last);
    for (PetscInt r = first; r < last; ++r) VecSetValue(vectors.left, r, mode(r), INSERT_VALUES);
    VecAssemblyBegin(vectors.left);
    VecAssemblyEnd(vectors.left);
    VecNormalize(vectors.left, nullptr);
    MatNullSpace space = nullptr;
    Vec const modes[] = {vectors.left};
    MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_FALSE, 1, modes, &space);
    MatSetNearNullSpace(a, space);
    MatNullSpaceDestroy(&space);
    return iterations_of_petsc(a);
  };
  const PetscInt with_constant = iterations_with([](PetscInt) { return PetscScalar(1); });
  EXPECT_LE(with_constant, 10);
  EXPECT_GT(iterations_with([](PetscInt r) { return PetscScalar(r % 2 == 0 ? 1 : -1); }),
            2 * with_constant);
}

/// Dropping by distance needs the coordinates of the nodes.
TEST(Pairing, coordinatesReachMueLu) {
  const WithOptions with("-pc_muelu_set \"aggregation: drop scheme=distance laplacian\"");
  constexpr PetscInt m = 60;
  const OwnMat a = laplacian(m);
  PetscInt first = 0;
  PetscInt last = 0;
  MatGetOwnershipRange(a, &first, &last);
  std::vector<PetscReal> places;
  for (PetscInt r = first; r < last; ++r) {
    const PetscInt row = r / m;
    places.push_back(static_cast<PetscReal>(row));
    places.push_back(static_cast<PetscReal>(r % m));
  }
  const OwnKsp ksp = ksp_of(a, "muelu");
  PC pc = nullptr;
  KSPGetPC(ksp, &pc);
  DAPTOR_EXPECT_OK(PCSetCoordinates(pc, 2, last - first, places.data()));
  expect_solved(ksp, 12);
  const OwnKsp without = ksp_of(a, "muelu");
  expect_refused("Coordinates", [&] { return KSPSetUp(without); });
}

TEST(Pairing, thereAreNoSymmetricHalves) {
  const OwnMat a = laplacian(20);
  for (const char* type : {"muelu", "ifpack2"}) {
    const OwnKsp ksp = ksp_of(a, type, KSPGMRES);
    KSPSetPCSide(ksp, PC_SYMMETRIC);
    const Vectors vectors = vectors_of(a);
    expect_refused("left or right", [&] { return KSPSolve(ksp, vectors.left, vectors.right); });
  }
}

}  // namespace
}  // namespace daptor::test
