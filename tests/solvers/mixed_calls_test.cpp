// SPDX-License-Identifier: BSD-3-Clause
// Different collective calls at once, between the two libraries.

#include "../support/mixed_calls.hpp"
#include "crs.hpp"
#include "daptor/petsc/csr.hpp"
#include "daptor/solvers.hpp"
#include "daptor/tpetra/csr.hpp"

namespace daptor::test {
namespace {

TEST(MixedCalls, OfAMatrixOfPetsc) {
  Mat mat = nullptr;
  MatCreateAIJ(PETSC_COMM_WORLD, 2, 2, PETSC_DETERMINE, PETSC_DETERMINE, 1, nullptr, 0, nullptr,
               &mat);
  PetscInt first = 0, last = 0;
  MatGetOwnershipRange(mat, &first, &last);
  for (PetscInt i = first; i < last; ++i) MatSetValue(mat, i, i, 1.0, INSERT_VALUES);
  MatAssemblyBegin(mat, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(mat, MAT_FINAL_ASSEMBLY);
  const auto again = solvers::mat_as_operator(mat);
  expect_no_mixing({{"solvers::copy_matrix", [&] { solvers::copy_matrix(mat); }},
                    {"petsc::copy_csr", [&] { petsc::copy_csr(mat); }},
                    {"solvers::share_matrix", [&] { solvers::share_matrix(mat); }},
                    {"solvers::petsc_preconditioner",
                     [&] { solvers::petsc_preconditioner(mat, "-pc_type jacobi"); }},
                    {"solvers::as_operator", [&] { solvers::mat_as_operator(mat); }},
                    {"solvers::set_up_again", [&] { solvers::set_up_again(*again); }}});
  MatDestroy(&mat);
}

TEST(MixedCalls, OfAMatrixOfTpetra) {
  Mat mat = nullptr;
  MatCreateAIJ(PETSC_COMM_WORLD, 2, 2, PETSC_DETERMINE, PETSC_DETERMINE, 1, nullptr, 0, nullptr,
               &mat);
  PetscInt first = 0, last = 0;
  MatGetOwnershipRange(mat, &first, &last);
  for (PetscInt i = first; i < last; ++i) MatSetValue(mat, i, i, 1.0, INSERT_VALUES);
  MatAssemblyBegin(mat, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(mat, MAT_FINAL_ASSEMBLY);
  const auto matrix = solvers::copy_matrix(mat);
  expect_no_mixing({{"solvers::copy_matrix", [&] { solvers::copy_matrix(*matrix); }},
                    {"solvers::share_matrix", [&] { solvers::share_matrix(matrix); }},
                    {"tpetra::copy_csr", [&] { tpetra::copy_csr(*matrix); }}});
  MatDestroy(&mat);
}

}  // namespace
}  // namespace daptor::test
