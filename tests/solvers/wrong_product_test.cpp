// SPDX-License-Identifier: BSD-3-Clause
// An operator multiplies as its matrix does, whatever the type of the matrix, or is refused: some
// releases of PETSc compute some products wrongly (docs/install.md), and other releases are made to
// do the same here.

#include <dlfcn.h>

#include <memory>

#include "petsc_operators.hpp"

namespace daptor::test {
namespace {

/// Whether PETSc says of each parallel matrix of type SELL that its ghosts are 0, 1, ..., as those
/// of a matrix converted by PETSc 3.22 are.
bool ghosts_from_zero = false;
/// Whether the product with a parallel matrix of type SBAIJ contains the product before it, as in
/// PETSc 3.22 where a process has rows, but no entries in columns of its own.
bool products_add_up = false;
std::unique_ptr<OwnVec> product_before;

bool is_type(Mat mat, const char* type) {
  PetscBool same = PETSC_FALSE;
  PetscObjectTypeCompare(reinterpret_cast<PetscObject>(mat), type, &same);
  return same == PETSC_TRUE;
}

template <class Function>
Function next(Function, const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace
}  // namespace daptor::test

// These take the place of PETSc's own.
PetscErrorCode MatGetGhosts(Mat mat, PetscInt* count, const PetscInt* ghosts[]) {
  using namespace daptor::test;
  static const auto real = next(&MatGetGhosts, "MatGetGhosts");
  const PetscErrorCode code = real(mat, count, ghosts);
  static std::vector<PetscInt> wrong;
  if (!ghosts_from_zero || !is_type(mat, MATMPISELL)) return code;
  wrong.resize(static_cast<std::size_t>(*count));
  for (std::size_t i = 0; i < wrong.size(); ++i) wrong[i] = static_cast<PetscInt>(i);
  *ghosts = wrong.data();
  return code;
}

PetscErrorCode MatMult(Mat mat, Vec x, Vec y) {
  using namespace daptor::test;
  static const auto real = next(&MatMult, "MatMult");
  const PetscErrorCode code = real(mat, x, y);
  if (!products_add_up || !is_type(mat, MATMPISBAIJ)) return code;
  if (product_before) VecAXPY(y, 1.0, *product_before);
  product_before = std::make_unique<OwnVec>();
  VecDuplicate(y, product_before->address());
  VecCopy(y, *product_before);
  return code;
}

namespace daptor::test {
namespace {

using solvers::mat_as_operator;

OwnMat converted(Mat a, MatType type) {
  OwnMat b;
  DAPTOR_EXPECT_OK(MatConvert(a, type, MAT_INITIAL_MATRIX, b.address()));
  return b;
}

Counts each(PetscInt rows) {
  return Counts(static_cast<std::size_t>(world_size()), rows);
}

/// A matrix that is assembled with type SELL, not converted to it. Three entries in each row.
OwnMat assembled_sell() {
  OwnMat a;
  MatCreate(PETSC_COMM_WORLD, a.address());
  MatSetSizes(a, 4, 4, PETSC_DETERMINE, PETSC_DETERMINE);
  MatSetType(a, MATSELL);
  MatSeqSELLSetPreallocation(a, 8, nullptr);
  MatMPISELLSetPreallocation(a, 8, nullptr, 8, nullptr);
  const PetscInt first = 4 * world_rank();
  for (PetscInt r = first; r < first + 4; ++r)
    for (const PetscInt k : {1, 6, 11})
      MatSetValue(a, r, (7 * r + k) % (4 * world_size()), PetscScalar(r + k), INSERT_VALUES);
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  return a;
}

/// Expects that an application of `op` gives what `right` gives.
void expect_applied(const Op& op, const solvers::CrsMatrix& right, Teuchos::ETransp mode) {
  const bool plain = mode == Teuchos::NO_TRANS;
  const auto X = columns_on(plain ? op->getDomainMap() : op->getRangeMap(), 1);
  MultiVector Y(plain ? op->getRangeMap() : op->getDomainMap(), 1);
  for (int repetition = 0; repetition < 2; ++repetition) {
    op->apply(X, Y, mode);
    EXPECT_LT(distance(Y, expected(right, X, Y, mode, 1, 0)), 1e-12);
  }
}

TEST(WrongProduct, everyTypeMultipliesRightlyOrIsRefused) {
  for (const PetscInt rows : {4, 9, 12})
    for (const MatType type : {MATAIJ, MATAIJPERM, MATAIJSELL, MATSELL, MATBAIJ, MATDENSE}) {
      const OwnMat a = scattered_matrix(each(rows), each(rows));
      const auto copy = solvers::copy_matrix(a);
      const OwnMat b = converted(a, type);
      Op op;
      try {
        op = mat_as_operator(b);
      } catch (const Error& error) {
        EXPECT_EQ(error.rule(), "operator.wrong-product") << error.what();
        EXPECT_STREQ(type, MATSELL) << error.what();
        continue;
      }
      SCOPED_TRACE(std::string(type) + ' ' + std::to_string(rows));
      expect_applied(op, *copy, Teuchos::NO_TRANS);
      if (op->hasTransposeApply()) expect_applied(op, *copy, Teuchos::TRANS);
    }
}

/// PETSc's transposed product with a matrix of type SELL is wrong beyond one slice of 8 rows.
TEST(WrongProduct, aWrongTransposeIsNone) {
  if (world_size() > 1) return;
  const OwnMat a = scattered_matrix({12}, {12});
  const OwnMat b = converted(a, MATSELL);
  const Op op = mat_as_operator(b);
  if (op->hasTransposeApply()) return;  // in a release that has it right
  MultiVector X(op->getRangeMap(), 1);
  MultiVector Y(op->getDomainMap(), 1);
  try {
    op->apply(X, Y, Teuchos::TRANS);
    ADD_FAILURE() << "applied";
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.rule(), "operator.transpose");
    EXPECT_NE(std::string(error.what()).find("by this transpose wrongly"), std::string::npos);
  }
}

TEST(WrongProduct, columnsThatPetscHasNumberedWronglyAreRefused) {
  if (world_size() == 1) return;
  const OwnMat a = scattered_matrix(each(4), each(4));
  const OwnMat b = converted(a, MATSELL);
  EXPECT_NO_THROW(mat_as_operator(assembled_sell()));
  ghosts_from_zero = true;
  const auto refused = [](const char* what, const std::function<void()>& call) {
    SCOPED_TRACE(what);
    expect_refused_everywhere<NotRepresentable>("operator.wrong-product", call);
  };
  refused("a Mat", [&] { mat_as_operator(b); });
  refused("a KSP", [&] { solvers::petsc_solver(b, "-pc_type none"); });
  const OwnMat assembled = assembled_sell();
  Mat blocks[] = {assembled.object, nullptr, nullptr, assembled.object};
  OwnMat nest;
  DAPTOR_EXPECT_OK(MatCreateNest(PETSC_COMM_WORLD, 2, nullptr, 2, nullptr, blocks, nest.address()));
  refused("a nest", [&] { mat_as_operator(nest); });
  ghosts_from_zero = false;
  for (const auto& call : std::vector<std::function<void()>>{[&] { solvers::copy_matrix(b); },
                                                             [&] { solvers::share_matrix(b); }}) {
    const std::string text = expect_refused_everywhere<NotRepresentable>("matrix.type", call);
    EXPECT_NE(text.find("pass that one"), std::string::npos) << text;
  }
}

/// Only the first process has entries in its own columns: where PETSc 3.22 is wrong.
TEST(WrongProduct, aSymmetricMatrixMultipliesRightlyOrIsRefused) {
  OwnMat a;
  MatCreateSBAIJ(PETSC_COMM_WORLD, 2, 4, 4, PETSC_DETERMINE, PETSC_DETERMINE, 2, nullptr,
                 2 * world_size(), nullptr, a.address());
  const PetscInt all = 4 * world_size();
  if (world_rank() == 0)
    for (PetscInt r = 0; r < 4; r += 2)
      for (PetscInt c = r; c < all; c += 2) {
        const PetscInt rows[] = {r, r + 1};
        const PetscInt columns[] = {c, c + 1};
        const PetscScalar block[] = {2.0, 1.0, 1.0, 3.0};
        MatSetValues(a, 2, rows, 2, columns, block, INSERT_VALUES);
      }
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  const auto copy = solvers::copy_matrix(a);
  try {
    expect_applied(mat_as_operator(a), *copy, Teuchos::NO_TRANS);
  } catch (const NotRepresentable& error) {
    EXPECT_EQ(error.rule(), "operator.wrong-product") << error.what();
  }
}

TEST(WrongProduct, aProductThatChangesWhenRepeatedIsRefused) {
  if (world_size() == 1) return;
  OwnMat a;
  MatCreateSBAIJ(PETSC_COMM_WORLD, 2, 4, 4, PETSC_DETERMINE, PETSC_DETERMINE, 2, nullptr,
                 2 * world_size(), nullptr, a.address());
  PetscInt first = 0;
  MatGetOwnershipRange(a, &first, nullptr);
  for (PetscInt r = first; r < first + 4; ++r) MatSetValue(a, r, r, 2.0, INSERT_VALUES);
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  EXPECT_NO_THROW(mat_as_operator(a));
  products_add_up = true;
  expect_refused_everywhere<NotRepresentable>("operator.wrong-product",
                                              [&] { mat_as_operator(a); });
  products_add_up = false;
  product_before.reset();
}

}  // namespace
}  // namespace daptor::test
