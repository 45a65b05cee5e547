// SPDX-License-Identifier: BSD-3-Clause
#include <Ifpack2_Factory.hpp>
#include <Tpetra_BlockCrsMatrix.hpp>
#include <Tpetra_CrsMatrix.hpp>

#include "probe.hpp"
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

/// The diagonal blocks of a matrix of blocks are inverted, whatever is on its diagonal.
TEST(Ifpack2, ofAMatrixOfBlocks) {
  using Blocks = Tpetra::BlockCrsMatrix<double>;
  constexpr Map::local_ordinal_type size = 2;
  const auto nodes = map_of(3);
  const auto graph = Teuchos::rcp(new Tpetra::CrsGraph<>(nodes, 1));
  for (Map::local_ordinal_type n = 0; n < 3; ++n) {
    const Map::global_ordinal_type node = nodes->getGlobalElement(n);
    graph->insertGlobalIndices(node, Teuchos::arrayView(&node, 1));
  }
  graph->fillComplete();
  const auto blocks = Teuchos::rcp(new Blocks(*graph, size));
  const double values[] = {0, 2, 4, 0};
  for (Map::local_ordinal_type n = 0; n < 3; ++n) blocks->replaceLocalValues(n, &n, values, 1);
  const auto jacobi = Ifpack2::Factory::create<Row>("RELAXATION", Teuchos::RCP<const Row>(blocks));
  jacobi->initialize();
  jacobi->compute();
  const solvers::OwnedMat mat = solvers::operator_as_mat(jacobi, PETSC_COMM_WORLD);
  const Vectors vectors = vectors_of(mat.get());
  VecSet(vectors.right, 4.0);
  MatMult(mat.get(), vectors.right, vectors.left);
  PetscReal greatest = 0, least = 0;
  VecMax(vectors.left, nullptr, &greatest);
  VecMin(vectors.left, nullptr, &least);
  EXPECT_EQ(greatest, 2.0);
  EXPECT_EQ(least, 1.0);
}

}  // namespace
}  // namespace daptor::test
