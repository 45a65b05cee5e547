// SPDX-License-Identifier: BSD-3-Clause
#include <Ifpack2_Factory.hpp>
#include <Tpetra_CrsMatrix.hpp>

#include "support.hpp"

namespace daptor::test {
namespace {

using Row = Tpetra::RowMatrix<double>;

/// Trilinos multiplies by the matrix and applies the preconditioner, and PETSc iterates.
TEST(Ifpack2, gmresConvergesOverTwoShells) {
  const OwnMat a = laplacian(40);
  const auto copy = solvers::copy_matrix(a);
  const auto ilut = Ifpack2::Factory::create<Row>("ILUT", Teuchos::RCP<const Row>(copy));
  Teuchos::ParameterList parameters;
  parameters.set("fact: ilut level-of-fill", 2.0);
  ilut->setParameters(parameters);
  ilut->initialize();
  ilut->compute();

  const solvers::OwnedMat mat = solvers::operator_as_mat(copy, PETSC_COMM_WORLD);
  OwnKsp ksp;
  KSPCreate(PETSC_COMM_WORLD, ksp.address());
  KSPSetOperators(ksp, mat.get(), mat.get());
  KSPSetType(ksp, KSPGMRES);
  KSPSetTolerances(ksp, 1e-9, PETSC_DEFAULT, PETSC_DEFAULT, 300);
  PC pc = nullptr;
  KSPGetPC(ksp, &pc);
  solvers::operator_as_pc(ilut, pc);

  const Vectors vectors = vectors_of(mat.get());
  OwnVec x;
  VecDuplicate(vectors.right, x.address());
  MatMult(a, vectors.right, vectors.left);
  DAPTOR_EXPECT_OK(KSPSolve(ksp, vectors.left, x));
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  KSPGetConvergedReason(ksp, &reason);
  EXPECT_GT(reason, 0);
  EXPECT_LT(distance(x, vectors.right), 1e-5);
}

}  // namespace
}  // namespace daptor::test
