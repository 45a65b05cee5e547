// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include <Teuchos_ParameterList.hpp>
#include <Tpetra_CrsMatrix.hpp>

#include "limited.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

using solvers::copy_matrix;
using solvers::copy_values;
using solvers::CrsMatrix;
using Map = Tpetra::Map<>;

/// Compares every row of `copy`, in global numbers, with MatGetValues.
void expect_same_entries(const CrsMatrix& copy, Mat original) {
  PetscInt first = 0;
  PetscInt last = 0;
  PetscInt columns = 0;
  MatGetOwnershipRange(original, &first, &last);
  MatGetSize(original, nullptr, &columns);
  const auto local = copy.getLocalMatrixHost();
  ASSERT_EQ(local.numRows(), last - first);
  for (PetscInt row = first; row < last; ++row) {
    std::vector<double> expected(static_cast<std::size_t>(columns));
    for (PetscInt c = 0; c < columns; ++c) {
      PetscScalar value = 0;
      MatGetValues(original, 1, &row, 1, &c, &value);
      expected[static_cast<std::size_t>(c)] = value;
    }
    std::vector<double> found(static_cast<std::size_t>(columns));
    for (auto e = local.graph.row_map(row - first); e < local.graph.row_map(row - first + 1); ++e) {
      const auto c = copy.getColMap()->getGlobalElement(local.graph.entries(e));
      ASSERT_GE(c, 0);
      ASSERT_LT(c, columns);
      found[static_cast<std::size_t>(c)] += local.values(e);
    }
    EXPECT_EQ(found, expected) << "row " << row;
  }
}

TEST(CopyMatrix, ofASquareMatrixHasOneMapAndNoOtherEntries) {
  for (const Counts& rows : row_layouts(23)) {
    const OwnMat a = scattered_matrix(rows, rows);
    const auto copy = copy_matrix(a);
    ASSERT_TRUE(copy->isFillComplete());
    EXPECT_EQ(copy->getRowMap(), copy->getDomainMap());
    EXPECT_EQ(copy->getRowMap(), copy->getRangeMap());
    MatInfo info;
    MatGetInfo(a, MAT_GLOBAL_SUM, &info);
    EXPECT_EQ(copy->getGlobalNumEntries(), static_cast<Tpetra::global_size_t>(info.nz_used));
  }
}

TEST(CopyMatrix, ofAMatrixWithoutRowsOrEntries) {
  const Counts none(static_cast<std::size_t>(world_size()), 0);
  EXPECT_EQ(copy_matrix(scattered_matrix(none, none))->getGlobalNumRows(), 0U);
  OwnMat empty;
  const Counts some(static_cast<std::size_t>(world_size()), 2);
  MatCreateAIJ(PETSC_COMM_WORLD, 2, 2, PETSC_DETERMINE, PETSC_DETERMINE, 0, nullptr, 0, nullptr,
               empty.address());
  MatAssemblyBegin(empty, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(empty, MAT_FINAL_ASSEMBLY);
  EXPECT_EQ(copy_matrix(empty)->getGlobalNumEntries(), 0U);
}

TEST(CopyMatrix, ofASequentialMatrix) {
  OwnMat a;
  MatCreateSeqAIJ(PETSC_COMM_SELF, 3, 4, 4, nullptr, a.address());
  for (PetscInt r = 0; r < 3; ++r)
    for (PetscInt c = 0; c < 4; ++c) MatSetValue(a, r, c, 10.0 * r + c, INSERT_VALUES);
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  const auto copy = copy_matrix(a);
  EXPECT_EQ(copy->getComm()->getSize(), 1);
  expect_same_entries(*copy, a);
}

/// As a Mat made on lists of another library may have them.
TEST(CopyMatrix, ofRowsInAnyOrder) {
  std::vector<PetscInt> starts{0, 3, 4}, columns{2, 0, 1, 1};
  std::vector<PetscScalar> values{1, 2, 3, 4};
  OwnMat a;
  DAPTOR_EXPECT_OK(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, 2, 3, starts.data(), columns.data(),
                                             values.data(), a.address()));
  const auto copy = copy_matrix(a);
  const auto local = copy->getLocalMatrixHost();
  const std::vector<int> sorted{0, 1, 2, 1};
  EXPECT_TRUE(std::equal(sorted.begin(), sorted.end(), local.graph.entries.data()));
  const auto expect = [&](const std::vector<double>& expected) {
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), local.values.data()));
  };
  expect({2, 3, 1, 4});
  values = {5, 6, 7, 8};
  copy_values(a, *copy);
  expect({6, 7, 5, 8});
}

/// Set as PETSc asks: the upper triangle alone, of diagonal blocks too.
TEST(CopyMatrix, hasBothHalvesOfBlocksThatAreSetByHalf) {
  for (const PetscInt size : {2, 3}) {
    const PetscInt rows = 4 * size;
    OwnMat half;
    MatCreateSBAIJ(PETSC_COMM_WORLD, size, rows, rows, PETSC_DETERMINE, PETSC_DETERMINE, 3, nullptr,
                   3, nullptr, half.address());
    MatSetOption(half, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE);
    PetscInt first = 0;
    PetscInt last = 0;
    PetscInt all = 0;
    MatGetOwnershipRange(half, &first, &last);
    MatGetSize(half, &all, nullptr);
    for (PetscInt row = first; row < last; ++row)
      for (PetscInt column = row; column < std::min(all, row + size + 2); ++column)
        MatSetValue(half, row, column, 1.0 + std::sin(static_cast<double>(row + 3 * column)),
                    INSERT_VALUES);
    MatAssemblyBegin(half, MAT_FINAL_ASSEMBLY);
    MatAssemblyEnd(half, MAT_FINAL_ASSEMBLY);
    const auto matrix = copy_matrix(half);
    expect_refused<InvalidArgument>("matrix.pattern", [&] { copy_values(half, *matrix); });
    const auto copy = solvers::operator_as_mat(matrix, PETSC_COMM_WORLD);
    expect_same_product(half, copy.get());
  }
}

TEST(CopyMatrix, valuesAreRenewedInPlace) {
  const Counts rows = row_layouts(21).front();
  const OwnMat a = scattered_matrix(rows, rows);
  const auto copy = copy_matrix(a);
  const auto* const memory = copy->getLocalMatrixHost().values.data();
  const PetscReal norm = copy->getFrobeniusNorm();
  MatScale(a, 3.0);
  copy_values(a, *copy);
  EXPECT_EQ(copy->getLocalMatrixHost().values.data(), memory);
  EXPECT_DOUBLE_EQ(copy->getFrobeniusNorm(), 3 * norm);
}

TEST(CopyMatrix, valuesOfOtherEntriesAreRefused) {
  const Counts rows(static_cast<std::size_t>(world_size()), 4);
  const auto copy = copy_matrix(scattered_matrix(rows, rows));
  const Counts others(static_cast<std::size_t>(world_size()), 5);
  expect_refused<InvalidArgument>("matrix.pattern",
                                  [&] { copy_values(scattered_matrix(others, others), *copy); });
  OwnMat diagonal;
  MatCreateAIJ(PETSC_COMM_WORLD, 4, 4, PETSC_DETERMINE, PETSC_DETERMINE, 1, nullptr, 0, nullptr,
               diagonal.address());
  PetscInt first = 0;
  MatGetOwnershipRange(diagonal, &first, nullptr);
  for (PetscInt r = first; r < first + 4; ++r) MatSetValue(diagonal, r, r, 1.0, INSERT_VALUES);
  MatAssemblyBegin(diagonal, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(diagonal, MAT_FINAL_ASSEMBLY);
  expect_refused<InvalidArgument>("matrix.pattern", [&] { copy_values(diagonal, *copy); });
}

TEST(CopyMatrix, refusesMoreThanLocalOrdinalsCount) {
  const Counts rows(static_cast<std::size_t>(world_size()), 6);
  const OwnMat a = scattered_matrix(rows, rows);
  const Limited limited(world_rank() == 0 ? 5 : 1000, 1000);
  expect_refused_everywhere<NotRepresentable>("matrix.index-range", [&] { copy_matrix(a); });
}

TEST(CopyMatrix, multipliesAsTheOriginal) {
  for (const Counts& rows : row_layouts(29)) {
    const OwnMat a = scattered_matrix(rows, rows);
    const solvers::OwnedMat copy = solvers::operator_as_mat(copy_matrix(a), PETSC_COMM_WORLD);
    expect_same_product(a, copy.get(), 1e-13);
    const Vectors vectors = vectors_of(a);
    OwnVec other;
    VecDuplicate(vectors.left, other.address());
    DAPTOR_EXPECT_OK(MatMultTranspose(a, vectors.right, vectors.left));
    DAPTOR_EXPECT_OK(MatMultTranspose(copy.get(), vectors.right, other));
    EXPECT_LT(distance(vectors.left, other), 1e-13);
  }
}

TEST(CopyMatrix, isACopy) {
  const Counts rows(static_cast<std::size_t>(world_size()), 4);
  const OwnMat a = scattered_matrix(rows, rows);
  const auto copy = copy_matrix(a);
  const double before = copy->getFrobeniusNorm();
  MatScale(a, 3.0);
  EXPECT_EQ(copy->getFrobeniusNorm(), before);
}

TEST(CopyMatrix, outlivesTheOriginal) {
  Teuchos::RCP<CrsMatrix> copy;
  double expected = 0;
  {
    const OwnMat a = laplacian(9);
    MatNorm(a, NORM_FROBENIUS, &expected);
    copy = copy_matrix(a);
  }
  EXPECT_DOUBLE_EQ(copy->getFrobeniusNorm(), expected);
}

TEST(CopyMatrix, refusesOtherTypesAndSaysHowToConvert) {
  const Counts rows(static_cast<std::size_t>(world_size()), 4);
  OwnMat dense;
  MatCreateDense(PETSC_COMM_WORLD, 4, 4, PETSC_DETERMINE, PETSC_DETERMINE, nullptr,
                 dense.address());
  MatAssemblyBegin(dense, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(dense, MAT_FINAL_ASSEMBLY);
  expect_refused_everywhere<NotRepresentable>("matrix.type", [&] {
    try {
      copy_matrix(dense);
    } catch (const Error& error) {
      EXPECT_NE(error.finding().remedy.str().find("MatConvert(A, MATAIJ"), std::string::npos);
      throw;
    }
  });
  OwnMat converted;
  DAPTOR_EXPECT_OK(MatConvert(dense, MATAIJ, MAT_INITIAL_MATRIX, converted.address()));
  EXPECT_NO_THROW(copy_matrix(converted));
  const OwnMat a = scattered_matrix(rows, rows);
  const auto shell = solvers::operator_as_mat(copy_matrix(a), PETSC_COMM_WORLD);
  expect_refused_everywhere<NotRepresentable>("matrix.type", [&] { copy_matrix(shell.get()); });
}

TEST(CopyMatrix, refusesWhatIsNotReady) {
  OwnMat a;
  MatCreate(PETSC_COMM_WORLD, a.address());
  expect_refused_everywhere<InvalidArgument>("matrix.unassembled", [&] { copy_matrix(a); });
  MatSetSizes(a, 3, 3, PETSC_DETERMINE, PETSC_DETERMINE);
  MatSetType(a, MATAIJ);
  MatSetUp(a);
  expect_refused_everywhere<InvalidArgument>("matrix.unassembled", [&] { copy_matrix(a); });
  EXPECT_THROW(copy_matrix(nullptr), InvalidArgument);
}

TEST(CopyMatrix, refusesAFactoredMatrix) {
  OwnPc pc;
  OwnMat a;
  MatCreateSeqAIJ(PETSC_COMM_SELF, 2, 2, 2, nullptr, a.address());
  for (PetscInt r = 0; r < 2; ++r) MatSetValue(a, r, r, 2.0, INSERT_VALUES);
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  PCCreate(PETSC_COMM_SELF, pc.address());
  PCSetOperators(pc, a, a);
  PCSetType(pc, PCLU);
  PCSetUp(pc);
  Mat factor = nullptr;
  PCFactorGetMatrix(pc, &factor);
  expect_refused_everywhere<InvalidArgument>("matrix.factored", [&] { copy_matrix(factor); });
}

TEST(CopyMatrix, aFaultOnOneRankIsThrownOnAll) {
  const OwnMat a = laplacian(6);
  Faults().expect_agreed([&] { copy_matrix(a); });
}

}  // namespace
}  // namespace daptor::test
