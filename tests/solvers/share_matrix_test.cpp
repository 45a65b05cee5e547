// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "crs.hpp"

namespace daptor::test {
namespace {

using solvers::modified;
using solvers::OwnedMat;
using solvers::share_matrix;

/// Each process has entries only in its own columns, and another number of rows; one process has
/// none.
Counts block_rows() {
  Counts rows(static_cast<std::size_t>(world_size()), 4);
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = r == 1 ? 0 : PetscInt(3 + r % 3);
  return rows;
}

bool has_block_entry(PetscInt r, PetscInt c) {
  return r == c || scattered(r, c) > 0;
}

OwnMat block_diagonal() {
  const Counts rows = block_rows();
  OwnMat a;
  MatCreateAIJ(PETSC_COMM_WORLD, mine(rows), mine(rows), PETSC_DETERMINE, PETSC_DETERMINE, 8,
               nullptr, 0, nullptr, a.address());
  PetscInt first = 0;
  PetscInt last = 0;
  MatGetOwnershipRange(a, &first, &last);
  for (PetscInt r = first; r < last; ++r)
    for (PetscInt c = first; c < last; ++c)
      if (has_block_entry(r, c)) MatSetValue(a, r, c, 2.0 + scattered(r, c), INSERT_VALUES);
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  return a;
}

Mat block_of(Mat mat) {
  Mat block = mat;
  if (world_size() > 1) MatMPIAIJGetSeqAIJ(mat, &block, nullptr, nullptr);
  return block;
}

const PetscScalar* values_of(Mat mat) {
  const PetscScalar* values = nullptr;
  MatSeqAIJGetArrayRead(block_of(mat), &values);
  const PetscScalar* const memory = values;
  MatSeqAIJRestoreArrayRead(block_of(mat), &values);
  return memory;
}

PetscReal norm_of(Mat mat) {
  PetscReal norm = 0;
  DAPTOR_EXPECT_OK(MatNorm(mat, NORM_FROBENIUS, &norm));
  return norm;
}

void expect_one_matrix(Mat a, Crs& b) {
  const OwnedMat wrapped = solvers::operator_as_mat(Teuchos::rcpFromRef(b), PETSC_COMM_WORLD);
  expect_same_product(a, wrapped.get());
}

TEST(ShareMatrix, aMatInTpetra) {
  const OwnMat a = block_diagonal();
  const PetscObjectState before = state_of(a);
  const auto shared = share_matrix(a);
  EXPECT_EQ(state_of(a), before);
  ASSERT_TRUE(shared->isFillComplete());
  if (mine(block_rows()) > 0) {
    EXPECT_EQ(shared->getLocalMatrixHost().values.data(), values_of(a));
  }
  expect_one_matrix(a, *shared);

  const double norm = shared->getFrobeniusNorm();
  EXPECT_NEAR(norm, norm_of(a), 1e-12);
  MatScale(a, 2.0);
  modified(*shared);
  EXPECT_NEAR(shared->getFrobeniusNorm(), 2 * norm, 1e-12);
  scale(*shared, 3.0);
  modified(a);
  EXPECT_GT(state_of(a), before);
  EXPECT_NEAR(norm_of(a), 6 * norm, 1e-11);
  expect_one_matrix(a, *shared);
  if (mine(block_rows()) > 0) {
    EXPECT_EQ(shared->getLocalMatrixHost().values.data(), values_of(a));
  }
}

TEST(ShareMatrix, aCrsMatrixInPetsc) {
  const auto b = solvers::copy_matrix(block_diagonal());
  const OwnedMat shared = share_matrix(b);
  if (mine(block_rows()) > 0) {
    EXPECT_EQ(b->getLocalMatrixHost().values.data(), values_of(shared.get()));
  }
  expect_one_matrix(shared.get(), *b);
  const double norm = b->getFrobeniusNorm();
  const PetscObjectState before = state_of(shared.get());
  scale(*b, 2.0);
  modified(shared.get());
  EXPECT_GT(state_of(shared.get()), before);
  EXPECT_NEAR(norm_of(shared.get()), 2 * norm, 1e-12);
  MatScale(shared.get(), 3.0);
  modified(*b);
  EXPECT_NEAR(b->getFrobeniusNorm(), 6 * norm, 1e-11);
  expect_one_matrix(shared.get(), *b);
}

/// MatZeroRows would remove entries, and so move the rest of columns and values.
TEST(ShareMatrix, zeroedRowsKeepTheirEntries) {
  const auto b = solvers::copy_matrix(block_diagonal());
  const auto other = Teuchos::rcp(new Crs(*b, Teuchos::Copy));
  const OwnMat unshared = block_diagonal();
  const OwnMat a = block_diagonal();
  const auto of_a = share_matrix(a);
  const OwnedMat of_b = share_matrix(b);
  PetscInt first = 0;
  PetscInt last = 0;
  MatGetOwnershipRange(a, &first, &last);
  std::vector<PetscInt> rows;
  for (PetscInt row = first + 1; row < last; row += 2) rows.push_back(row);
  for (Mat mat : {Mat(a), of_b.get(), Mat(unshared)})
    DAPTOR_EXPECT_OK(
        MatZeroRows(mat, static_cast<PetscInt>(rows.size()), rows.data(), 7.0, nullptr, nullptr));
  modified(*of_a);
  modified(*b);
  expect_one_matrix(unshared, *of_a);
  expect_one_matrix(a, *of_a);
  expect_one_matrix(unshared, *b);
  expect_one_matrix(of_b.get(), *b);
  expect_one_matrix(block_diagonal(), *other);
}

TEST(ShareMatrix, valuesThatPetscHasFreedAreStale) {
  if (world_size() > 1) return;  // PETSc makes other blocks then, and leaves the shared one
  const OwnMat a = block_diagonal();
  const auto shared = share_matrix(a);
  const PetscScalar* const before = values_of(a);
  // Another pattern, for which PETSc makes another matrix.
  OwnMat diagonal;
  const PetscInt rows = mine(block_rows());
  MatCreateAIJ(PETSC_COMM_WORLD, rows, rows, PETSC_DETERMINE, PETSC_DETERMINE, 1, nullptr, 1,
               nullptr, diagonal.address());
  PetscInt first = 0;
  PetscInt last = 0;
  MatGetOwnershipRange(diagonal, &first, &last);
  for (PetscInt row = first; row < last; ++row)
    MatSetValue(diagonal, row, last - 1 - (row - first), 1.0, INSERT_VALUES);
  MatAssemblyBegin(diagonal, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(diagonal, MAT_FINAL_ASSEMBLY);
  DAPTOR_EXPECT_OK(MatAXPY(a, 1.0, diagonal, DIFFERENT_NONZERO_PATTERN));
  ASSERT_NE(values_of(a), before);
  try {
    modified(*shared);
    ADD_FAILURE() << "not refused";
  } catch (const Stale& error) {
    EXPECT_EQ(error.rule(), "stale");
  }
}

TEST(ShareMatrix, whateverTheMapsNumber) {
  if (world_size() > 1) return;
  for (const Ids ids : {Ids::contiguous, Ids::from_one, Ids::backwards, Ids::dealt}) {
    const auto b = solvers::copy_matrix(scattered_matrix({7}, {7}));
    const auto turned =
        Teuchos::rcp(new Crs(b->getLocalMatrixDevice(), crs_map({7}, ids), crs_map({7}, ids),
                             crs_map({7}, ids), crs_map({7}, ids)));
    const OwnedMat shared = share_matrix(turned);
    EXPECT_NEAR(norm_of(shared.get()), b->getFrobeniusNorm(), 1e-12);
  }
}

TEST(ShareMatrix, inverseDiagonalsOfOldValuesAreVoid) {
  const auto b = solvers::copy_matrix(block_diagonal());
  const OwnedMat shared = share_matrix(b);
  const Vectors vectors = vectors_of(shared.get());
  const auto relaxed = [&] {
    MatSOR(shared.get(), vectors.right, 1.0,
           static_cast<MatSORType>(SOR_LOCAL_FORWARD_SWEEP | SOR_ZERO_INITIAL_GUESS), 0.0, 1, 1,
           vectors.left);
    PetscReal norm = 0;
    VecNorm(vectors.left, NORM_2, &norm);
    return norm;
  };
  const PetscReal before = relaxed();
  scale(*b, 4.0);
  modified(shared.get());
  EXPECT_NEAR(relaxed(), before / 4, 1e-12 * before);
}

TEST(ShareMatrix, eitherMayGoFirst) {
  Teuchos::RCP<Crs> b;
  double norm = 0;
  {
    const OwnMat a = block_diagonal();
    norm = norm_of(a);
    b = share_matrix(a);
  }
  EXPECT_NEAR(b->getFrobeniusNorm(), norm, 1e-12);
  auto graph = b->getCrsGraph();
  b = Teuchos::null;
  EXPECT_EQ(graph->getGlobalNumRows(), static_cast<Tpetra::global_size_t>(sum(block_rows())));

  b = solvers::copy_matrix(block_diagonal());
  OwnedMat shared = share_matrix(b);
  b = Teuchos::null;
  EXPECT_NEAR(norm_of(shared.get()), norm, 1e-12);
  OwnMat block(block_of(shared.get()));
  PetscObjectReference(reinterpret_cast<PetscObject>(block.object));
  const PetscReal here = norm_of(block);
  shared.close();
  EXPECT_EQ(norm_of(block), here);
}

TEST(ShareMatrix, newEntriesWouldMoveTheValuesAndAreRefused) {
  const OwnMat a = block_diagonal();
  const auto shared = share_matrix(a);
  PetscInt first = 0;
  PetscInt last = 0;
  MatGetOwnershipRange(a, &first, &last);
  const Silence silence;
  for (PetscInt r = first; r < last; ++r)
    for (PetscInt c = first; c < last; ++c)
      if (!has_block_entry(r, c)) {
        EXPECT_NE(static_cast<int>(MatSetValue(a, r, c, 1.0, INSERT_VALUES)), 0);
      }
}

TEST(ShareMatrix, refusals) {
  const Counts rows(static_cast<std::size_t>(world_size()), 4);
  const OwnMat a = laplacian(6);
  const auto b = solvers::copy_matrix(a);
  if (world_size() > 1) {
    expect_refused_everywhere<NotRepresentable>("matrix.split", [&] { share_matrix(a); });
    expect_refused_everywhere<NotRepresentable>("matrix.split", [&] { share_matrix(b); });
  } else {
    EXPECT_NO_THROW(share_matrix(a));
    EXPECT_NO_THROW(share_matrix(b));
  }
  OwnMat blocks;
  DAPTOR_EXPECT_OK(MatConvert(a, MATBAIJ, MAT_INITIAL_MATRIX, blocks.address()));
  expect_refused_everywhere<NotRepresentable>("matrix.type", [&] { share_matrix(blocks); });
  const auto open = Teuchos::rcp(new Crs(crs_map(rows, Ids::contiguous), 1));
  expect_refused_everywhere<InvalidArgument>("matrix.unassembled", [&] { share_matrix(open); });
  EXPECT_THROW(share_matrix(Teuchos::RCP<Crs>()), InvalidArgument);
  EXPECT_THROW(share_matrix(Mat(nullptr)), InvalidArgument);
}

TEST(ShareMatrix, unsortedRowsOrGapsOnOneRankAreRefusedOnAll) {
  using Rows = Crs::local_matrix_device_type;
  const auto map = crs_map(Counts(static_cast<std::size_t>(world_size()), 2), Ids::contiguous);
  for (int victim = 0; victim < world_size(); ++victim) {
    const bool sorted = world_rank() != victim;
    const Rows::row_map_type::non_const_type starts("starts", 3);
    const Rows::index_type columns("columns", 4);
    const Rows::values_type values("values", 4);
    for (std::size_t e = 0; e < 4; ++e) {
      columns(e) = static_cast<int>(sorted ? e % 2 : 1 - e % 2);
      values(e) = 1.0 + static_cast<double>(e);
    }
    for (std::size_t row = 0; row < 3; ++row) starts(row) = 2 * row;
    const auto as_given = Teuchos::parameterList();
    as_given->set("sorted", sorted);
    const auto unsorted = Teuchos::rcp(
        new Crs(Rows("m", 2, 2, 4, values, starts, columns), map, map, map, map, as_given));
    expect_refused_everywhere<NotRepresentable>(
        "matrix.storage", [&] { share_matrix(unsorted); }, victim);

    const auto gaps = Teuchos::rcp(new Crs(map, map, 2));
    const double one = 1;
    for (int row = 0; row < 2; ++row) gaps->insertLocalValues(row, 1, &one, &row);
    const auto as_it_is = Teuchos::parameterList();
    as_it_is->set("Optimize Storage", sorted);
    gaps->fillComplete(map, map, as_it_is);
    expect_refused_everywhere<NotRepresentable>(
        "matrix.storage", [&] { share_matrix(gaps); }, victim);
  }
}

TEST(ShareMatrix, aFaultOnOneRankIsThrownOnAll) {
  const OwnMat a = block_diagonal();
  const auto b = solvers::copy_matrix(a);
  Faults().expect_agreed([&] { share_matrix(a); });
  Faults().expect_agreed([&] { share_matrix(b); });
}

}  // namespace
}  // namespace daptor::test
