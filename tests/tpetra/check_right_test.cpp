// SPDX-License-Identifier: BSD-3-Clause
// Objects of Tpetra in which check() must find nothing, and that it leaves as they are.

#include <TpetraExt_MatrixMatrix.hpp>
#include <Tpetra_RowMatrixTransposer.hpp>

#include <daptor/tpetra/gtest.hpp>

#include "checked.hpp"

namespace daptor::test {
namespace {

using tpetra::check;
using tpetra::MapUse;

TEST(TpetraCheckRight, Maps) {
  for (const auto& [name, layout] : plain_layouts()) {
    SCOPED_TRACE(name);
    const DistArray array = labelled(layout);
    for (const auto numbering : {Numbering::natural, Numbering::contiguous}) {
      MapOptions options;
      options.numbering = numbering;
      expect_nothing(check(tpetra::import_map(array, options), MapUse::owned));
    }
  }
  const auto comm = Tpetra::getDefaultComm();
  const auto replicated = Teuchos::rcp(new Map(7, 0, comm, Tpetra::LocallyReplicated));
  expect_nothing(check(replicated));
  expect_nothing(check(replicated, MapUse::owned));
  const auto from_one =
      Teuchos::rcp(new Map(static_cast<Tpetra::global_size_t>(3 * ranks()), 1, comm));
  expect_nothing(check(from_one, MapUse::owned));
  expect_nothing(check(map_of(with_neighbours())));
}

/// Padding that reaches around a periodic array of one rank repeats its indices there.
TEST(TpetraCheckRight, MapOfAPeriodicArray) {
  const GridPosition grid{world_size(), world_rank()};
  const DistArray array =
      allocate<double>({block(4 * world_size(), grid, BlockPadding({1, 1}, {}, true))})
          .on(MPI_COMM_WORLD);
  MapOptions options;
  options.part = Part::overlap;
  expect_nothing(check(tpetra::import_map(array, options)));
}

TEST(TpetraCheckRight, ImportsAndExports) {
  const auto owned = five_each(), overlap = map_of(with_neighbours());
  const auto import = Teuchos::rcp(new Tpetra::Import<>(owned, overlap));
  const auto exporter = Teuchos::rcp(new Tpetra::Export<>(overlap, owned));
  expect_nothing(check(import));
  expect_nothing(check(exporter));
  expect_nothing(check(exporter, Tpetra::ADD));
  expect_nothing(check(Teuchos::rcp(new Tpetra::Import<>(*exporter))));
  expect_nothing(check(Teuchos::rcp(new Tpetra::Export<>(*import))));
  // To the ranks in reverse, of which some get nothing, and everything to rank 0.
  std::vector<Global> reversed, gathered;
  for (const Global index : owned_indices()) reversed.push_back(each * ranks() - 1 - index);
  for (Global i = 0; rank() == 0 && i < each * ranks(); ++i) gathered.push_back(i);
  for (const auto& indices : {reversed, gathered}) {
    const auto map = map_of(indices);
    expect_nothing(check(Teuchos::rcp(new Tpetra::Import<>(owned, map))));
    expect_nothing(check(Teuchos::rcp(new Tpetra::Export<>(owned, map)), Tpetra::INSERT));
  }
}

/// An interpolation from every second of the indices.
Teuchos::RCP<Matrix> interpolation(const MapRcp& coarse) {
  const auto matrix = Teuchos::rcp(new Matrix(five_each(), 2));
  for (const Global row : owned_indices()) {
    const Global left = row / 2;
    if (static_cast<Tpetra::global_size_t>(left) < coarse->getGlobalNumElements())
      matrix->insertGlobalValues(row, Teuchos::tuple(left), Teuchos::tuple(1.0));
  }
  matrix->fillComplete(coarse, five_each());
  return matrix;
}

TEST(TpetraCheckRight, Matrices) {
  const auto matrix = laplacian();
  expect_nothing(check(matrix));
  expect_nothing(check(Teuchos::RCP<const Matrix>(matrix)));
  expect_nothing(check(matrix->getCrsGraph()));
  const auto unfilled = unfilled_laplacian();
  expect_nothing(check(unfilled, unfilled->getRowMap(), unfilled->getRowMap()));
  // Rectangular, with fewer columns than ranks have each, and the products with it.
  const auto coarse = Teuchos::rcp(
      new Map(static_cast<Tpetra::global_size_t>(2 * ranks() + 1), 0, Tpetra::getDefaultComm()));
  const auto rectangle = interpolation(coarse);
  expect_nothing(check(rectangle));
  const auto transposed = Tpetra::RowMatrixTransposer<double>(rectangle).createTranspose();
  expect_nothing(check(transposed));
  const auto product = Teuchos::rcp(new Matrix(five_each(), 0));
  Tpetra::MatrixMatrix::Multiply(*matrix, false, *rectangle, false, *product);
  EXPECT_TRUE(check(product)) << check(product);
  const auto square = Teuchos::rcp(new Matrix(five_each(), 0));
  Tpetra::MatrixMatrix::Multiply(*matrix, false, *matrix, false, *square);
  expect_nothing(check(square));
}

/// Rows of elements, which ranks share and add up.
TEST(TpetraCheckRight, OverlappingRows) {
  const auto rows = map_of(with_neighbours());
  const auto matrix = Teuchos::rcp(new Matrix(rows, 1));
  for (const Global row : with_neighbours())
    matrix->insertGlobalValues(row, Teuchos::tuple(row), Teuchos::tuple(1.0));
  matrix->fillComplete(five_each(), five_each());
  expect_nothing(check(matrix));
}

TEST(TpetraCheckRight, EmptyRanks) {
  std::vector<Global> indices;
  for (Global i = 0; rank() + 1 == ranks() && i < 6; ++i) indices.push_back(i);
  const auto rows = map_of(indices);
  const auto matrix = Teuchos::rcp(new Matrix(rows, 1));
  for (const Global row : indices)
    matrix->insertGlobalValues(row, Teuchos::tuple(row), Teuchos::tuple(1.0));
  matrix->fillComplete();
  expect_nothing(check(rows, MapUse::owned));
  expect_nothing(check(matrix));
}

TEST(TpetraCheckRight, OnOneRankEach) {
  const auto self = Teuchos::rcp(new Teuchos::MpiComm<int>(MPI_COMM_SELF));
  const auto rows = Teuchos::rcp(new Map(4, 0, self));
  const auto matrix = Teuchos::rcp(new Matrix(rows, 1));
  for (Global row = 0; row < 4; ++row)
    matrix->insertGlobalValues(row, Teuchos::tuple(row), Teuchos::tuple(1.0));
  matrix->fillComplete();
  if (world_rank() == 0) expect_nothing(check(matrix));
}

TEST(TpetraCheckRight, ChangesNothing) {
  const auto matrix = laplacian();
  const auto graph = matrix->getCrsGraph();
  const double norm = matrix->getFrobeniusNorm();
  const auto* const values = matrix->getLocalMatrixHost().values.data();
  const auto* const columns = graph->getLocalGraphHost().entries.data();
  expect_nothing(check(matrix));
  EXPECT_TRUE(matrix->isFillComplete());
  EXPECT_EQ(matrix->getLocalMatrixHost().values.data(), values);
  EXPECT_EQ(graph->getLocalGraphHost().entries.data(), columns);
  EXPECT_EQ(matrix->getFrobeniusNorm(), norm);
  // It can still be filled as before.
  const auto unfilled = unfilled_laplacian();
  check(unfilled);
  check(unfilled, unfilled->getRowMap(), unfilled->getRowMap());
  EXPECT_FALSE(unfilled->isFillComplete() || unfilled->hasColMap());
  unfilled->fillComplete();
  EXPECT_EQ(unfilled->getFrobeniusNorm(), norm);
}

TEST(TpetraSound, Assertions) {
  DAPTOR_ASSERT_SOUND(five_each(), MapUse::owned);
  DAPTOR_EXPECT_SOUND(laplacian());
}

}  // namespace
}  // namespace daptor::test
