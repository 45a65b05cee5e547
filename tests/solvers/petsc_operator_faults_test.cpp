// SPDX-License-Identifier: BSD-3-Clause
// What goes wrong on one rank, or in PETSc, while an operator is made or applied: an error of all
// ranks, or a result that is not a number, and no rank waits.

#include <cmath>
#include <string>

#include "petsc_operators.hpp"

namespace daptor::test {
namespace {

using solvers::mat_as_operator;
using solvers::petsc_preconditioner;
using solvers::petsc_solver;

/// A diagonal matrix with three rows per rank; each entry is `value` of its global row.
template <class F>
OwnMat diagonal(F&& value) {
  OwnMat a;
  MatCreateAIJ(PETSC_COMM_WORLD, 3, 3, PETSC_DETERMINE, PETSC_DETERMINE, 1, nullptr, 0, nullptr,
               a.address());
  PetscInt first = 0;
  PetscInt last = 0;
  MatGetOwnershipRange(a, &first, &last);
  for (PetscInt r = first; r < last; ++r) MatSetValue(a, r, r, value(r), INSERT_VALUES);
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  return a;
}

TEST(PetscOperator, aFaultOnOneRankIsThrownOnAll) {
  const OwnMat a = laplacian(6);
  Faults().expect_agreed([&] { petsc_preconditioner(a, "-pc_type jacobi"); });
  const Op op = mat_as_operator(a);
  // Several columns on a Map that the operator has not seen.
  Faults().expect_agreed([&] {
    MultiVector Y(op->getRangeMap(), 2);
    const MultiVector X = columns_on(map_of(static_cast<long long>(Y.getLocalLength())), 2);
    op->apply(X, Y);
  });
}

/// One rank cannot hand over its vectors: all ranks apply, the result is not a number, and no rank
/// waits.
TEST(PetscOperator, aFaultBeforeAnApplicationGivesNaNInsteadOfAHang) {
  const OwnMat a = laplacian(6);
  for (const char* kind : {"mat", "pc", "ksp"})
    for (int rank = 0; rank < world_size(); ++rank) {
      const Op op = kind[0] == 'm'   ? mat_as_operator(a)
                    : kind[0] == 'p' ? petsc_preconditioner(a, "-pc_type jacobi")
                                     : petsc_solver(a, "-ksp_type cg -pc_type jacobi");
      const MultiVector X = columns_on(op->getDomainMap(), 1);
      MultiVector Y(op->getRangeMap(), 1);
      {
        const Fault fault(first_point_of([&] { op->apply(X, Y); }), rank);
        op->apply(X, Y);
      }
      EXPECT_EQ(solvers::status(*op).not_handed_over, rank == world_rank() ? 1 : 0);
      EXPECT_TRUE(std::isnan(Y.getVector(0)->norm2()));
      op->apply(X, Y);
      EXPECT_FALSE(std::isnan(Y.getVector(0)->norm2())) << kind;
    }
}

TEST(PetscOperator, aPcThatCannotBeSetUpIsAnErrorOnAllRanks) {
  const OwnMat singular = diagonal([](PetscInt row) { return row == 1 ? 0.0 : 1.0; });
  const Silence silence;
  for (const char* options : {"-pc_type lu -pc_factor_mat_solver_type mumps",
                              "-pc_type bjacobi -sub_pc_type lu", "-pc_type no_such_type"})
    expect_refused_everywhere<LibraryFailed>("library.petsc",
                                             [&] { petsc_preconditioner(singular, options); });
  expect_refused_everywhere<LibraryFailed>("library.petsc", [&] {
    petsc_solver(singular, "-ksp_type preonly -pc_type lu -pc_factor_mat_solver_type mumps");
  });
}

/// PETSc 3.18 and 3.25 find out when the PC is applied, 3.22 (and, it is assumed, 3.23 and
/// 3.24) when it is set up.
TEST(PetscOperator, aPcWhoseInnerSolverFailsIsRefusedOrGivesNaN) {
  const OwnMat singular = diagonal([](PetscInt row) { return row == 1 ? 0.0 : 1.0; });
  Op op;
  const auto set_up = [&] { op = petsc_preconditioner(singular, "-pc_type redundant"); };
#if PETSC_VERSION_GE(3, 22, 0) && PETSC_VERSION_LT(3, 25, 0)
  expect_refused_everywhere<LibraryFailed>("library.petsc", set_up);
#else
  set_up();
  const MultiVector X = columns_on(op->getDomainMap(), 1);
  MultiVector Y(op->getRangeMap(), 1);
  op->apply(X, Y);
  EXPECT_FALSE(std::isfinite(Y.getVector(0)->norm2()));
  EXPECT_EQ(solvers::status(*op).failed, 1);
#endif
}

/// The PC has been set up, and fails when its matrix has become singular on one rank.
TEST(PetscOperator, aPcThatFailsLaterGivesNaN) {
  const OwnMat a = diagonal([](PetscInt row) { return 1.0 + row; });
  const Op op = petsc_preconditioner(a, "-pc_type bjacobi -sub_pc_type lu");
  const MultiVector X = columns_on(op->getDomainMap(), 1);
  MultiVector Y(op->getRangeMap(), 1);
  op->apply(X, Y);
  EXPECT_FALSE(std::isnan(Y.getVector(0)->norm2()));
  PetscInt first = 0;
  MatGetOwnershipRange(a, &first, nullptr);
  if (world_rank() == world_size() - 1) MatSetValue(a, first, first, 0.0, INSERT_VALUES);
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  op->apply(X, Y);
  EXPECT_FALSE(std::isfinite(Y.getVector(0)->norm2()));
  EXPECT_EQ(solvers::status(*op).failed, world_rank() == world_size() - 1 ? 1 : 0);
  expect_refused_everywhere<LibraryFailed>("library.petsc", [&] { solvers::set_up_again(*op); });
}

PetscErrorCode fail(Mat, Vec, Vec) {
  SETERRQ(PETSC_COMM_SELF, PETSC_ERR_USER, "the shell's own words");
}

TEST(PetscOperator, anErrorOfPetscIsThrownWithItsText) {
  Seen seen;
  const OwnMat shell = shell_of(seen, some_count());
  const Op op = mat_as_operator(shell);
  const MultiVector X = columns_on(op->getDomainMap(), 1);
  MultiVector Y(op->getRangeMap(), 1);
  MatShellSetOperation(shell, MATOP_MULT, reinterpret_cast<void (*)(void)>(fail));
  expect_refused_everywhere<LibraryFailed>("library.petsc", [&] {
    try {
      op->apply(X, Y);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("the shell's own words"), std::string::npos);
      throw;
    }
  });
  MatShellSetOperation(shell, MATOP_MULT, reinterpret_cast<void (*)(void)>(look));
  op->apply(X, Y);
  EXPECT_EQ(seen.x, memory_of(X));
}

}  // namespace
}  // namespace daptor::test
