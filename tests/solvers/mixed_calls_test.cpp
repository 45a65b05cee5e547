// SPDX-License-Identifier: BSD-3-Clause
// Different collective calls between the two libraries at the same time.

#include <Teuchos_ParameterList.hpp>

#include "../support/mixed_calls.hpp"
#include "crs.hpp"
#include "daptor/petsc/csr.hpp"
#include "daptor/solvers.hpp"
#include "daptor/tpetra/csr.hpp"

namespace daptor::test {
namespace {

/// The unit matrix with two rows on each process.
class UnitMatrix {
 public:
  UnitMatrix() {
    MatCreateAIJ(PETSC_COMM_WORLD, 2, 2, PETSC_DETERMINE, PETSC_DETERMINE, 1, nullptr, 0, nullptr,
                 &mat_);
    PetscInt first = 0, last = 0;
    MatGetOwnershipRange(mat_, &first, &last);
    for (PetscInt i = first; i < last; ++i) MatSetValue(mat_, i, i, 1.0, INSERT_VALUES);
    MatAssemblyBegin(mat_, MAT_FINAL_ASSEMBLY);
    MatAssemblyEnd(mat_, MAT_FINAL_ASSEMBLY);
  }
  UnitMatrix(const UnitMatrix&) = delete;
  UnitMatrix& operator=(const UnitMatrix&) = delete;
  ~UnitMatrix() { MatDestroy(&mat_); }
  Mat get() const { return mat_; }

 private:
  Mat mat_ = nullptr;
};

TEST(MixedCalls, OfAMatrixOfPetsc) {
  const UnitMatrix unit;
  Mat mat = unit.get();
  const auto again = solvers::mat_as_operator(mat);
  expect_no_mixing({{"solvers::copy_matrix", [&] { solvers::copy_matrix(mat); }},
                    {"petsc::copy_csr", [&] { petsc::copy_csr(mat); }},
                    {"solvers::share_matrix", [&] { solvers::share_matrix(mat); }},
                    {"solvers::petsc_preconditioner",
                     [&] { solvers::petsc_preconditioner(mat, "-pc_type jacobi"); }},
                    {"solvers::muelu_preconditioner",
                     [&] { solvers::muelu_preconditioner(mat, Teuchos::ParameterList()); }},
                    {"solvers::as_operator", [&] { solvers::mat_as_operator(mat); }},
                    {"solvers::set_up_again", [&] { solvers::set_up_again(*again); }}});
}

TEST(MixedCalls, OfAMatrixOfTpetra) {
  const UnitMatrix unit;
  const auto matrix = solvers::copy_matrix(unit.get());
  const Teuchos::RCP<const Crs> constant = matrix;
  expect_no_mixing({{"solvers::copy_matrix", [&] { solvers::copy_matrix(*matrix); }},
                    {"solvers::share_matrix", [&] { solvers::share_matrix(matrix); }},
                    {"solvers::petsc_preconditioner",
                     [&] { solvers::petsc_preconditioner(constant, "-pc_type jacobi"); }},
                    {"solvers::petsc_solver",
                     [&] { solvers::petsc_solver(constant, "-ksp_type cg -pc_type jacobi"); }},
                    {"tpetra::copy_csr", [&] { tpetra::copy_csr(*matrix); }}});
}

}  // namespace
}  // namespace daptor::test
