// SPDX-License-Identifier: BSD-3-Clause
// A program whose PETSc is of another version on one rank, by its own word: calls that start from
// an object of PETSc refuse it on all ranks.

#include <Teuchos_ParameterList.hpp>

#include "../support/other_petsc.hpp"
#include "crs.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

OwnMat unit_matrix() {
  OwnMat mat;
  MatCreateAIJ(PETSC_COMM_WORLD, 2, 2, PETSC_DETERMINE, PETSC_DETERMINE, 1, nullptr, 0, nullptr,
               mat.address());
  PetscInt first = 0, last = 0;
  MatGetOwnershipRange(mat, &first, &last);
  for (PetscInt i = first; i < last; ++i) MatSetValue(mat, i, i, 1.0, INSERT_VALUES);
  MatAssemblyBegin(mat, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(mat, MAT_FINAL_ASSEMBLY);
  return mat;
}

void expect_refused_build(const std::function<void()>& call) {
  expect_refused_everywhere<InvalidArgument>("petsc.build", call);
}

TEST(OtherVersion, ofAMat) {
  const OwnMat mat = unit_matrix();
  expect_refused_build([&] { solvers::petsc_preconditioner(mat, "-pc_type jacobi"); });
  expect_refused_build([&] { solvers::petsc_solver(mat, "-ksp_type cg"); });
  expect_refused_build([&] { solvers::mat_as_operator(mat); });
  expect_refused_build([&] { solvers::copy_matrix(mat); });
  expect_refused_build([&] { solvers::share_matrix(mat); });
  expect_refused_build([&] { solvers::muelu_preconditioner(mat, Teuchos::ParameterList()); });
}

TEST(OtherVersion, ofASolver) {
  const OwnMat mat = unit_matrix();
  OwnKsp ksp;
  KSPCreate(PETSC_COMM_WORLD, ksp.address());
  KSPSetOperators(ksp, mat, mat);
  PC pc = nullptr;
  KSPGetPC(ksp, &pc);
  expect_refused_build([&] { solvers::ksp_as_operator(ksp); });
  expect_refused_build([&] { solvers::pc_as_operator(pc); });
  const auto map = Teuchos::rcp(new CrsMap(2 * world_size(), 0, Tpetra::getDefaultComm()));
  const auto matrix = Teuchos::rcp(new Crs(map, 1));
  matrix->fillComplete();
  expect_refused_build([&] { solvers::operator_as_pc(matrix, pc); });
  expect_refused_build([&] { solvers::operator_as_mat(matrix, MPI_COMM_WORLD); });
}

}  // namespace
}  // namespace daptor::test
