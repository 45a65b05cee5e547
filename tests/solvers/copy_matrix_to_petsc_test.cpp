// SPDX-License-Identifier: BSD-3-Clause
#include <Teuchos_ParameterList.hpp>

#include "crs.hpp"
#include "limited.hpp"

namespace daptor::test {
namespace {

using solvers::copy_matrix;
using solvers::copy_values;
using solvers::OwnedMat;

bool same(Mat a, Mat b) {
  PetscBool equal = PETSC_FALSE;
  DAPTOR_EXPECT_OK(MatEqual(a, b, &equal));
  return equal == PETSC_TRUE;
}

TEST(CopyMatrixToPetsc, isUsableAsAnyMatrix) {
  for (const Counts& rows : row_layouts(17)) {
    const OwnMat original = scattered_matrix(rows, rows);
    OwnMat duplicate;
    OwnMat transposed;
    OwnMat transpose_of_original;
    {
      const OwnedMat copy = copy_matrix(*crs_matrix(rows, rows, Ids::dealt, Ids::dealt));
      MatType type = nullptr;
      MatGetType(copy.get(), &type);
      EXPECT_STREQ(type, world_size() == 1 ? MATSEQAIJ : MATMPIAIJ);
      DAPTOR_EXPECT_OK(MatDuplicate(copy.get(), MAT_COPY_VALUES, duplicate.address()));
      DAPTOR_EXPECT_OK(MatTranspose(copy.get(), MAT_INITIAL_MATRIX, transposed.address()));
    }
    EXPECT_TRUE(same(duplicate, original));
    MatTranspose(original, MAT_INITIAL_MATRIX, transpose_of_original.address());
    EXPECT_TRUE(same(transposed, transpose_of_original));
  }
}

TEST(CopyMatrixToPetsc, blocksOutliveTheMatrix) {
  const Counts rows(static_cast<std::size_t>(world_size()), 5);
  OwnedMat copy = copy_matrix(*crs_matrix(rows, rows, Ids::contiguous, Ids::contiguous));
  OwnMat block;
  MatGetDiagonalBlock(copy.get(), block.address());
  PetscObjectReference(reinterpret_cast<PetscObject>(block.object));
  PetscReal before = 0;
  MatNorm(block, NORM_FROBENIUS, &before);
  copy.close();
  PetscReal after = 0;
  MatNorm(block, NORM_FROBENIUS, &after);
  EXPECT_EQ(before, after);
}

TEST(CopyMatrixToPetsc, ofAMatrixWithoutRowsOrEntries) {
  const Counts none(static_cast<std::size_t>(world_size()), 0);
  const OwnedMat nothing = copy_matrix(*crs_matrix(none, none, Ids::contiguous, Ids::contiguous));
  PetscInt rows = -1;
  MatGetSize(nothing.get(), &rows, nullptr);
  EXPECT_EQ(rows, 0);
  const Counts some(static_cast<std::size_t>(world_size()), 2);
  const auto map = crs_map(some, Ids::contiguous);
  Crs empty(map, 0);
  empty.fillComplete();
  const OwnedMat copy = copy_matrix(empty);
  MatInfo info;
  MatGetInfo(copy.get(), MAT_GLOBAL_SUM, &info);
  EXPECT_EQ(info.nz_used, 0.0);
}

TEST(CopyMatrixToPetsc, renewedValuesAreANewState) {
  const Counts rows = row_layouts(21).front();
  const auto matrix = crs_matrix(rows, rows, Ids::dealt, Ids::dealt);
  const OwnedMat copy = copy_matrix(*matrix);
  const PetscObjectState before = state_of(copy.get());
  copy_values(*matrix, copy.get());
  EXPECT_GT(state_of(copy.get()), before);
}

TEST(CopyMatrixToPetsc, valuesOfOtherEntriesAreRefused) {
  const Counts rows(static_cast<std::size_t>(world_size()), 4);
  const Counts others(static_cast<std::size_t>(world_size()), 5);
  const auto matrix = crs_matrix(rows, rows, Ids::contiguous, Ids::contiguous);
  const OwnedMat copy = copy_matrix(*matrix);
  const auto refused = [&](const Crs& source, Mat target) {
    expect_refused<InvalidArgument>("matrix.pattern", [&] { copy_values(source, target); });
  };
  refused(*crs_matrix(others, others, Ids::contiguous, Ids::contiguous), copy.get());
  refused(*matrix, scattered_matrix(rows, rows));
  Crs diagonal(matrix->getRowMap(), matrix->getColMap(), 1);
  const double one = 1;
  for (int row = 0; row < 4; ++row) diagonal.insertLocalValues(row, 1, &one, &row);
  diagonal.fillComplete();
  refused(diagonal, copy.get());
}

/// As many entries as before, one of them twice and in the place of another.
TEST(CopyMatrixToPetsc, anEntryThatCameTwiceIsRefused) {
  const auto map = crs_map(Counts(static_cast<std::size_t>(world_size()), 4), Ids::contiguous);
  const auto matrix = [&](const std::vector<int>& columns) {
    const Crs::local_matrix_device_type::row_map_type::non_const_type starts("starts", 5);
    const Crs::local_matrix_device_type::index_type entries("columns", 4 * columns.size());
    const Crs::local_matrix_device_type::values_type values("values", 4 * columns.size());
    for (std::size_t e = 0; e < entries.extent(0); ++e) {
      entries(e) = columns[e % columns.size()];
      values(e) = 1.0 + static_cast<double>(e);
    }
    for (std::size_t row = 0; row < 5; ++row) starts(row) = row * columns.size();
    const auto parameters = Teuchos::parameterList();
    parameters->set("sorted", false);
    return Teuchos::rcp(new Crs(
        Crs::local_matrix_device_type("m", 4, 4, entries.extent(0), values, starts, entries), map,
        map, map, map, parameters));
  };
  const OwnedMat copy = copy_matrix(*matrix({0, 1, 3}));
  copy_values(*matrix({3, 0, 1}), copy.get());
  for (const std::vector<int>& columns :
       {std::vector<int>{0, 0, 3}, {0, 1, 1}, {3, 3, 0}, {1, 0, 1}, {0, 3, 3}})
    expect_refused<InvalidArgument>("matrix.pattern",
                                    [&] { copy_values(*matrix(columns), copy.get()); });
}

TEST(CopyMatrixToPetsc, refusesMoreThanPetscCounts) {
  const Counts rows(static_cast<std::size_t>(world_size()), 6);
  const auto matrix = crs_matrix(rows, rows, Ids::contiguous, Ids::contiguous);
  const Limited limited(1000, world_rank() == world_size() - 1 ? 4 : 1000);
  expect_refused_everywhere<NotRepresentable>("matrix.index-range", [&] { copy_matrix(*matrix); });
}

TEST(CopyMatrixToPetsc, refusesWhatIsNotReady) {
  const Counts rows(static_cast<std::size_t>(world_size()), 3);
  const Crs open(crs_map(rows, Ids::contiguous), 1);
  expect_refused_everywhere<InvalidArgument>("matrix.unassembled", [&] { copy_matrix(open); });
}

TEST(CopyMatrixToPetsc, refusesMapsThatPetscHasNot) {
  if (world_size() == 1) {
    // On one process: two Maps of the same elements in different orders.
    const Counts rows{4};
    Crs turned(crs_map(rows, Ids::contiguous), 1);
    turned.fillComplete(crs_map(rows, Ids::contiguous), crs_map(rows, Ids::backwards));
    expect_refused_everywhere<NotRepresentable>("matrix.maps", [&] { copy_matrix(turned); });
    return;
  }
  // Every rank has row 0 here; in the range only rank 0 has it.
  const Global list[] = {0, world_rank() + 1};
  const auto overlapping = Teuchos::rcp(
      new CrsMap(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
                 Teuchos::ArrayView<const Global>(list, 2), 0, Tpetra::getDefaultComm()));
  const auto unique = Tpetra::createOneToOne(Teuchos::RCP<const CrsMap>(overlapping));
  const auto filled = [&](const Teuchos::RCP<const CrsMap>& range) {
    const auto matrix = Teuchos::rcp(new Crs(overlapping, 1));
    const double one = 1;
    for (const Global row : list) matrix->insertGlobalValues(row, 1, &one, &row);
    matrix->fillComplete(unique, range);
    return matrix;
  };
  expect_refused_everywhere<NotRepresentable>("matrix.maps", [&] { copy_matrix(*filled(unique)); });
  expect_refused_everywhere<NotRepresentable>("matrix.maps",
                                              [&] { copy_matrix(*filled(overlapping)); });
}

TEST(CopyMatrixToPetsc, aFaultOnOneRankIsThrownOnAll) {
  const Counts rows(static_cast<std::size_t>(world_size()), 3);
  for (const Ids ids : {Ids::contiguous, Ids::backwards}) {
    const auto matrix = crs_matrix(rows, rows, ids, ids);
    Faults().expect_agreed([&] { copy_matrix(*matrix); });
  }
}

}  // namespace
}  // namespace daptor::test
