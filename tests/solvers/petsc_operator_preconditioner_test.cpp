// SPDX-License-Identifier: BSD-3-Clause
// PCs and KSPs as operators: applied as PETSc applies them, and set up again after their matrix
// changed.

#include "crs.hpp"
#include "petsc_operators.hpp"

namespace daptor::test {
namespace {

using solvers::ksp_as_operator;
using solvers::mat_as_operator;
using solvers::pc_as_operator;
using solvers::petsc_preconditioner;
using solvers::petsc_solver;

TEST(PetscOperator, knowsWhatIsBehindIt) {
  const OwnMat a = laplacian(4);
  const OwnPc pc = pc_of(a, PCJACOBI);
  const OwnKsp ksp = ksp_of(a, KSPCG, PCJACOBI);
  EXPECT_EQ(solvers::behind_mat(*mat_as_operator(a)), a.object);
  EXPECT_EQ(solvers::behind_pc(*mat_as_operator(a)), nullptr);
  EXPECT_EQ(solvers::behind_pc(*pc_as_operator(pc)), pc.object);
  EXPECT_EQ(solvers::behind_ksp(*ksp_as_operator(ksp)), ksp.object);
  EXPECT_NE(pc_as_operator(pc)->description().find("PC (jacobi)"), std::string::npos);
}

TEST(PetscOperator, aPcIsAppliedAsPetscAppliesIt) {
  const OwnMat a = laplacian(13);
  for (PCType type : {PCJACOBI, PCGAMG, PCHYPRE, PCBJACOBI, PCSOR}) {
    const OwnPc pc = pc_of(a, type);
    const Op op = pc_as_operator(pc);
    const MultiVector X = columns_on(op->getDomainMap(), 3);
    MultiVector Y(op->getRangeMap(), 3);
    op->apply(X, Y);
    const Vectors vectors = vectors_of(a);
    for (std::size_t j = 0; j < 3; ++j) {
      const auto x = X.getData(j);
      const auto y = Y.getData(j);
      VecPlaceArray(vectors.right, x.getRawPtr());
      DAPTOR_EXPECT_OK(PCApply(pc, vectors.right, vectors.left));
      VecResetArray(vectors.right);
      VecPlaceArray(vectors.right, y.getRawPtr());
      EXPECT_LT(distance(vectors.right, vectors.left), 1e-13) << type;
      VecResetArray(vectors.right);
    }
  }
}

TEST(PetscOperator, aFactorizationSolvesForManyColumnsAtOnce) {
  const OwnMat a = laplacian(11);
  const auto copy = solvers::copy_matrix(a);
  for (const bool through_ksp : {false, true}) {
    const std::string options = "-pc_type lu -pc_factor_mat_solver_type mumps";
    const Op op = through_ksp ? petsc_solver(a, "-ksp_type preonly " + options)
                              : petsc_preconditioner(a, options);
    for (const std::size_t count : {std::size_t{1}, std::size_t{5}, std::size_t{2}}) {
      const MultiVector X = columns_on(op->getRangeMap(), count);
      MultiVector B(op->getDomainMap(), count);
      copy->apply(X, B);
      const MultiVector before(B, Teuchos::Copy);
      MultiVector solution(op->getRangeMap(), count);
      op->apply(B, solution);
      EXPECT_LT(distance(solution, X), 1e-11);
      EXPECT_EQ(distance(B, before), 0.0);
      ASSERT_TRUE(op->hasTransposeApply());
      op->apply(B, solution, Teuchos::TRANS);
      EXPECT_LT(distance(solution, X), 1e-11);  // the matrix is symmetric
    }
    EXPECT_EQ(solvers::status(*op).columns, 16);
  }
}

TEST(PetscOperator, aKspIsAnInnerSolver) {
  const OwnMat a = laplacian(12);
  const auto copy = solvers::copy_matrix(a);
  const OwnKsp ksp = ksp_of(a, KSPCG, PCJACOBI);
  const Op op = ksp_as_operator(ksp);
  const MultiVector X = columns_on(op->getRangeMap(), 2);
  MultiVector B(op->getDomainMap(), 2);
  copy->apply(X, B);
  MultiVector solution(op->getRangeMap(), 2);
  solution.putScalar(nan_value);
  op->apply(B, solution);
  EXPECT_LT(distance(solution, X), 1e-8);
  solvers::OperatorStatus status = solvers::status(*op);
  EXPECT_EQ(status.columns, 2);
  EXPECT_EQ(status.failed, 0);
  EXPECT_GT(status.iterations, 10);
  EXPECT_GT(status.last_reason, 0);

  KSPSetInitialGuessNonzero(ksp, PETSC_TRUE);
  solution.putScalar(nan_value);
  op->apply(B, solution);
  EXPECT_LT(distance(solution, X), 1e-8);

  KSPSetTolerances(ksp, 1e-12, PETSC_DEFAULT, PETSC_DEFAULT, 2);
  op->apply(B, solution);
  status = solvers::status(*op);
  EXPECT_EQ(status.failed, 2);
  EXPECT_EQ(status.last_reason, KSP_DIVERGED_ITS);
  KSPSetErrorIfNotConverged(ksp, PETSC_TRUE);
  expect_refused_everywhere<LibraryFailed>("library.petsc", [&] { op->apply(B, solution); });
}

TEST(PetscOperator, aVectorThatIsNotANumberIsNotConvergedTo) {
  const OwnMat a = laplacian(8);
  const Op op = petsc_solver(a, "-ksp_type cg -pc_type jacobi");
  MultiVector B = columns_on(op->getDomainMap(), 1);
  if (world_rank() == 0) B.getDataNonConst(0)[0] = nan_value;
  MultiVector X(op->getRangeMap(), 1);
  op->apply(B, X);
  EXPECT_EQ(solvers::status(*op).failed, 1);
  EXPECT_EQ(solvers::status(*op).last_reason, KSP_DIVERGED_NANORINF);
}

TEST(PetscOperator, aPcFollowsItsMatrix) {
  const OwnMat a = laplacian(8);
  const Op op = petsc_preconditioner(a, "-pc_type jacobi");
  const MultiVector X = columns_on(op->getDomainMap(), 1);
  MultiVector Y(op->getRangeMap(), 1);
  op->apply(X, Y);
  MatScale(a, 2.0);
  const MultiVector before(Y, Teuchos::Copy);
  op->apply(X, Y);
  Y.scale(2.0);
  EXPECT_LT(distance(before, Y), 1e-14);
  solvers::set_up_again(*op);
  op->apply(X, Y, Teuchos::NO_TRANS, 2.0);
  EXPECT_LT(distance(before, Y), 1e-14);
}

/// On the matrix's own Maps, whatever their global indices, and after its values have changed.
TEST(PetscOperator, aTpetraMatrixIsPreconditionedOnItsOwnMaps) {
  const Counts rows = row_layouts(24)[2];
  for (const Ids ids : {Ids::contiguous, Ids::backwards, Ids::dealt}) {
    const auto map = crs_map(rows, ids);
    const auto a = Teuchos::rcp(new Crs(map, 2));
    PetscInt next = start(rows, world_rank());
    for (int i = 0; i < static_cast<int>(mine(rows)); ++i, ++next) {
      const Global id = map->getGlobalElement(i);
      const double value = 1.0 + next;
      a->insertGlobalValues(id, 1, &value, &id);
    }
    a->fillComplete();
    const Op op = petsc_preconditioner(a, "-pc_type jacobi");
    EXPECT_EQ(op->getDomainMap(), a->getRangeMap());
    EXPECT_EQ(op->getRangeMap(), a->getDomainMap());
    const MultiVector X = columns_on(map, 2);
    MultiVector B(map, 2);
    MultiVector Y(map, 2);
    for (int round = 0; round < 2; ++round) {
      a->apply(X, B);
      op->apply(B, Y);
      EXPECT_LT(distance(X, Y), 1e-13);
      a->resumeFill();
      a->scale(4.0);
      a->fillComplete();
      solvers::set_up_again(*op);
    }
    Faults().expect_agreed([&] { solvers::set_up_again(*op); });
    const Op inner = petsc_solver(a, "-ksp_type cg -pc_type jacobi -ksp_rtol 1e-12");
    a->apply(X, B);
    inner->apply(B, Y);
    EXPECT_LT(distance(X, Y), 1e-10);
  }
  EXPECT_THROW(petsc_preconditioner(Teuchos::RCP<const Crs>(), ""), InvalidArgument);
}

/// Handles may be destroyed in any order; PETSc's objects live as long as an operator needs them.
TEST(PetscOperator, outlivesTheHandlesOfItsObjects) {
  Op op;
  {
    const OwnMat a = laplacian(6);
    const OwnPc pc = pc_of(a, PCGAMG);
    op = pc_as_operator(pc);
  }
  const MultiVector X = columns_on(op->getDomainMap(), 1);
  MultiVector Y(op->getRangeMap(), 1);
  op->apply(X, Y);
  EXPECT_GT(Y.getVector(0)->norm2(), 0.0);
}

}  // namespace
}  // namespace daptor::test
