// SPDX-License-Identifier: BSD-3-Clause
// Sparse matrices as three arrays: in Tpetra and back on the same values, or copied.

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>

#include <Tpetra_CrsMatrix.hpp>
#include <daptor/csr_rows.hpp>

#include "../support/csr_example.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

using tpetra::copy_csr;
using tpetra::export_csr;
using tpetra::import_csr;
using Matrix = Tpetra::CrsMatrix<double>;

constexpr double example_rows[5][5] = {
    {0, 0, 1, 3, 0}, {2, 0, 0, 0, 5}, {0, 7, 0, 9, 0}, {3, 0, 4, 0, 5}, {0, 2, 0, 0, 6}};

void expect_example(const Matrix& matrix, double scale = 1) {
  ASSERT_TRUE(matrix.isFillComplete());
  EXPECT_EQ(matrix.getGlobalNumEntries(), 11U);
  const auto local = matrix.getLocalMatrixHost();
  for (int r = 0; r < local.numRows(); ++r) {
    std::vector<double> found(5);
    const auto row = static_cast<std::size_t>(matrix.getRowMap()->getGlobalElement(r));
    for (auto e = local.graph.row_map(static_cast<std::size_t>(r));
         e < local.graph.row_map(static_cast<std::size_t>(r) + 1); ++e)
      found[static_cast<std::size_t>(
          matrix.getColMap()->getGlobalElement(local.graph.entries(e)))] += local.values(e);
    for (std::size_t c = 0; c < 5; ++c) EXPECT_EQ(found[c], scale * example_rows[row][c]);
  }
  // Checked by a product, which goes through Tpetra's own communication.
  Vector x(matrix.getDomainMap());
  Vector y(matrix.getRangeMap());
  for (const Teuchos::ETransp mode : {Teuchos::NO_TRANS, Teuchos::TRANS}) {
    {
      const auto data = x.getDataNonConst();
      for (int i = 0; i < data.size(); ++i)
        data[i] = static_cast<double>(1 + x.getMap()->getGlobalElement(i));
    }
    matrix.apply(x, y, mode);
    const auto data = y.getData();
    for (int i = 0; i < data.size(); ++i) {
      const auto row = static_cast<std::size_t>(y.getMap()->getGlobalElement(i));
      double expected = 0;
      for (std::size_t c = 0; c < 5; ++c)
        expected += scale * static_cast<double>(c + 1) *
                    (mode == Teuchos::NO_TRANS ? example_rows[row][c] : example_rows[c][row]);
      EXPECT_EQ(data[i], expected);
    }
  }
}

template <class T>
void expect_shared_and_copied() {
  for (const Index base : {0, 1}) {
    CsrExample<T> example(line(), base);
    const CsrArrays arrays = example.arrays();
    const auto shared = import_csr<double>(arrays);
    const auto copied = copy_csr<double>(arrays);
    expect_example(*shared);
    expect_example(*copied);
    if (!example.values.empty()) {
      EXPECT_EQ(shared->getLocalMatrixHost().values.data(), example.values.data());
      EXPECT_NE(copied->getLocalMatrixHost().values.data(), example.values.data());
    }
  }
}

TEST(CsrToTpetra, theExampleOfGlobalArraysOnItsOwnValuesOnAnyNumberOfRanks) {
  expect_shared_and_copied<std::int32_t>();
  expect_shared_and_copied<std::int64_t>();
  expect_shared_and_copied<std::uint32_t>();
  expect_shared_and_copied<std::uint64_t>();
}

TEST(CsrToTpetra, writesAreSeenOnBothSides) {
  CsrExample<std::int32_t> example(line(), 1);
  const CsrArrays arrays = example.arrays();
  const auto shared = import_csr<double>(arrays);
  const auto copied = copy_csr<double>(arrays);
  const double norm = shared->getFrobeniusNorm();
  for (double& value : example.values) value *= 2;
  arrays.values.modified();
  EXPECT_DOUBLE_EQ(shared->getFrobeniusNorm(), 2 * norm);
  EXPECT_DOUBLE_EQ(copied->getFrobeniusNorm(), norm);
  expect_example(*shared, 2);
  shared->resumeFill();
  shared->scale(3.0);
  shared->fillComplete(shared->getDomainMap(), shared->getRangeMap());
  double sum = 0;
  for (const double value : example.values) sum += value * value;
  EXPECT_DOUBLE_EQ(std::sqrt(world_sum(sum)), 6 * norm);
  expect_example(*shared, 6);
}

TEST(CsrToTpetra, theMatrixAndItsGraphKeepTheValuesAlive) {
  std::weak_ptr<std::vector<double>> watch;
  Teuchos::RCP<Matrix> matrix;
  {
    CsrExample<std::int32_t> example(line(), 1);
    CsrArrays arrays = example.arrays();
    const auto memory = std::make_shared<std::vector<double>>(example.values);
    memory->resize(memory->size() + 1);
    watch = memory;
    arrays.values =
        describe(memory->data(), arrays.values.dimensions(), Order::c, memory).on(MPI_COMM_WORLD);
    matrix = import_csr<double>(arrays);
  }
  EXPECT_FALSE(watch.expired());
  expect_example(*matrix);
  auto graph = matrix->getCrsGraph();
  matrix = Teuchos::null;
  EXPECT_FALSE(watch.expired());
  graph = Teuchos::null;
  EXPECT_TRUE(watch.expired());
}

TEST(CsrToTpetra, ofAMatrixWithoutEntriesAndARectangularOne) {
  double none = 0;
  std::int64_t zeros[8] = {};
  const CsrArrays empty{describe(&none, {block(0, line())}).on(MPI_COMM_WORLD),
                        describe(&zeros[0], {block(0, line())}).on(MPI_COMM_WORLD),
                        describe(&zeros[0], {block(5, line())}).on(MPI_COMM_WORLD),
                        4,
                        7,
                        0};
  for (const auto& matrix : {import_csr<double>(empty), copy_csr<double>(empty)}) {
    EXPECT_EQ(matrix->getGlobalNumEntries(), 0U);
    EXPECT_EQ(matrix->getDomainMap()->getGlobalNumElements(), 7U);
    EXPECT_EQ(matrix->getGlobalNumRows(), 4U);
  }
}

TEST(CsrToTpetra, refusals) {
  CsrExample<std::int32_t> example(line(), 1);
  CsrArrays arrays = example.arrays();
  arrays.values = arrays.values.as_readonly();
  expect_refused_everywhere<NotRepresentable>("csr.readonly", [&] { import_csr<double>(arrays); });
  EXPECT_NO_THROW(copy_csr<double>(arrays));
  arrays.values = arrays.columns;
  expect_refused_everywhere<NotRepresentable>("csr.type", [&] { import_csr<double>(arrays); });
  expect_refused_everywhere<NotRepresentable>("csr.type", [&] { copy_csr<double>(arrays); });
}

TEST(CsrToTpetra, misalignedValuesOfOneRankAreRefusedOnAllAndCopied) {
  CsrExample<std::int32_t> example(line(), 1);
  CsrArrays arrays = example.arrays();
  std::vector<double> memory(example.values.size() + 1);
  for (int victim = 0; victim < std::min(world_size(), 5); ++victim) {
    char* const begin = reinterpret_cast<char*>(memory.data()) + (world_rank() == victim ? 1 : 0);
    if (!example.values.empty())
      std::memcpy(begin, example.values.data(), example.values.size() * sizeof(double));
    arrays.values = arrays.values.with_memory(begin);
    expect_refused_everywhere<NotRepresentable>(
        "csr.alignment", [&] { import_csr<double>(arrays); }, victim);
    expect_example(*copy_csr<double>(arrays));
  }
}

TEST(CsrToTpetra, moreColumnsThanTpetraNumbersAreRefused) {
  double none = 0;
  std::int64_t zeros[8] = {};
  const CsrArrays arrays{describe(&none, {block(0, line())}).on(MPI_COMM_WORLD),
                         describe(&zeros[0], {block(0, line())}).on(MPI_COMM_WORLD),
                         describe(&zeros[0], {block(5, line())}).on(MPI_COMM_WORLD),
                         4,
                         std::numeric_limits<Index>::max(),
                         0};
  expect_refused_everywhere<NotRepresentable>(
      "csr.index-range", [&] { import_csr<double>(arrays); }, 0);
  expect_refused_everywhere<NotRepresentable>(
      "csr.index-range", [&] { copy_csr<double>(arrays); }, 0);
}

TEST(CsrToTpetra, columnsInAnyOrderAreSortedInACopyAndRefusedInAnImport) {
  for (const Index base : {0, 1}) {
    UnsortedRows<std::int32_t> rows(CsrExample<std::int32_t>(line(), base));
    const CsrArrays arrays =
        csr_from_rows(rows.values, rows.columns, rows.lengths, 5, MPI_COMM_WORLD, base);
    EXPECT_TRUE(validate(arrays));
    expect_example(*copy_csr<double>(arrays));
    expect_refused_everywhere<NotRepresentable>(
        "csr.column-order", [&] { import_csr<double>(arrays); }, 0);
  }
}

TEST(CsrToTpetra, malformedInputOnOneRankIsAnErrorOnAll) {
  for (int rank = 0; rank < std::min(world_size(), 5); ++rank) {
    CsrExample<std::int32_t> example(line(), 1);
    if (world_rank() == rank) example.columns.back() = 6;
    const CsrArrays arrays = example.arrays();
    expect_refused_everywhere<Malformed>("csr.column-range", [&] { import_csr<double>(arrays); });
    expect_refused_everywhere<Malformed>("csr.column-range", [&] { copy_csr<double>(arrays); });
  }
}

TEST(SplitRowsToTpetra, areCopiedAndRefusedWithOtherValues) {
  const Index next = (world_rank() + 1) % world_size();
  const std::size_t others = world_size() > 1 ? 1 : 0;
  const std::vector<double> diagonal{2}, beside(others, 1.0);
  const std::vector<float> of_other_type(others, 1.0F);
  const std::vector<std::int32_t> zero{0}, zeros(others, 0), starts{0, 1},
      other_starts{0, static_cast<std::int32_t>(others)};
  const std::vector<Index> other_columns(others, next);
  const auto array = [](const auto& memory) {
    return describe(memory, {undistributed(static_cast<Index>(memory.size()))});
  };
  const Index row = world_rank(), all = world_size();
  SplitRows rows{MPI_COMM_WORLD,
                 {row, row + 1},
                 {row, row + 1},
                 all,
                 all,
                 {array(diagonal), array(zero), array(starts)},
                 {array(beside), array(zeros), array(other_starts)},
                 array(other_columns)};
  const auto matrix = copy_csr<double>(rows);
  const auto local = matrix->getLocalMatrixHost();
  ASSERT_EQ(local.values.extent(0), 1 + others);
  EXPECT_EQ(local.values(0), 2.0);
  EXPECT_EQ(matrix->getColMap()->getGlobalElement(local.graph.entries(0)), row);
  if (others > 0) {
    EXPECT_EQ(local.values(1), 1.0);
    EXPECT_EQ(matrix->getColMap()->getGlobalElement(local.graph.entries(1)), next);
  }
  rows.other.values = array(of_other_type);
  expect_refused_everywhere<NotRepresentable>("csr.type", [&] { copy_csr<double>(rows); });
}

TEST(CsrFromTpetra, sharesOnOneProcess) {
  CsrExample<std::int32_t> example(line(), 1);
  const auto matrix = copy_csr<double>(example.arrays());
  if (world_size() > 1) {
    expect_refused_everywhere<NotRepresentable>("csr.split", [&] { export_csr(matrix); });
    return;
  }
  const CsrArrays exported = export_csr(matrix);
  EXPECT_TRUE(validate(exported));
  EXPECT_EQ(exported.values.data(), matrix->getLocalMatrixHost().values.data());
  EXPECT_EQ(exported.columns.data(), matrix->getLocalMatrixHost().graph.entries.data());
  EXPECT_EQ(exported.offsets.data(), matrix->getLocalMatrixHost().graph.row_map.data());
  const double norm = matrix->getFrobeniusNorm();
  {
    WriteLease lease(exported.values);
    for (int e = 0; e < 11; ++e) static_cast<double*>(lease.data())[e] *= 2;
    lease.close();
  }
  EXPECT_DOUBLE_EQ(matrix->getFrobeniusNorm(), 2 * norm);
  expect_example(*import_csr<double>(exported), 2);
}

TEST(CsrFromTpetra, copiesAny) {
  CsrExample<std::int32_t> example(line(), 1);
  const auto matrix = copy_csr<double>(example.arrays());
  const CsrArrays copy = copy_csr(*matrix);
  EXPECT_TRUE(validate(copy));
  expect_example(*import_csr<double>(copy));
  expect_example(*copy_csr<double>(copy_csr(*import_csr<double>(copy))));
}

TEST(CsrFromTpetra, refusals) {
  const auto map = Teuchos::rcp(new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
                                        std::size_t{2}, 0, Tpetra::getDefaultComm()));
  const auto open = Teuchos::rcp(new Matrix(map, 1));
  expect_refused_everywhere<InvalidArgument>("csr.unassembled", [&] { copy_csr(*open); });
  expect_refused_everywhere<InvalidArgument>("csr.unassembled", [&] { export_csr(open); });
  EXPECT_THROW(export_csr(Teuchos::RCP<Matrix>()), InvalidArgument);
  // In reverse: no rank has a contiguous range of numbers.
  const Global list[] = {2 * (world_size() - world_rank()) - 1,
                         2 * (world_size() - world_rank()) - 2};
  const auto backwards =
      Teuchos::rcp(new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
                           Teuchos::ArrayView<const Global>(list, 2), 0, Tpetra::getDefaultComm()));
  Matrix turned(backwards, 1);
  turned.fillComplete();
  expect_refused_everywhere<NotRepresentable>("csr.maps", [&] { copy_csr(turned); });
}

TEST(Csr, aFaultOnOneRankIsThrownOnAll) {
  CsrExample<std::int32_t> example(line(), 1);
  const CsrArrays arrays = example.arrays();
  const auto matrix = copy_csr<double>(arrays);
  const auto sweep = [&](const std::function<void()>& call) {
    Faults().expect_agreed(call,
                           [&] { EXPECT_EQ(arrays.values.buffer().state()->view_count(), 0U); });
  };
  sweep([&] { import_csr<double>(arrays); });
  sweep([&] { copy_csr<double>(arrays); });
  sweep([&] { copy_csr(*matrix); });
}

}  // namespace
}  // namespace daptor::test
