// SPDX-License-Identifier: BSD-3-Clause
// From any layout into blocks and back.

#include <algorithm>
#include <cstdint>

#include "matrices.hpp"

namespace daptor::scalapack::test {
namespace {

/// Rows of a matrix, in C order, with their values.
struct Rows {
  Rows(Index rows, Index columns)
      : array(allocate<double>({block(rows, {world_size(), world_rank()}), undistributed(columns)})
                  .on(world)) {
    const LocalIndexMap map(array);
    auto* value = static_cast<double*>(array.mutable_data());
    for (Index i = 0; i < array.local_shape()[0]; ++i)
      for (Index j = 0; j < columns; ++j) *value++ = entry_at(map.global_of({i, 0})[0], j);
  }
  DistArray array;
};

bool same_values(const DistArray& a, const DistArray& b) {
  return std::equal(static_cast<const double*>(a.data()),
                    static_cast<const double*>(a.data()) + a.local_count(),
                    static_cast<const double*>(b.data()));
}

void expect_there_and_back(const Grid& grid, Index rows, Index columns, const Blocks& blocks) {
  const Rows source(rows, columns);
  const Matrix<double> matrix = copy_to_matrix<double>(source.array, grid, blocks);
  ASSERT_EQ(matrix.global_rows(), rows);
  ASSERT_EQ(matrix.global_columns(), columns);
  ASSERT_EQ(matrix.inside(), grid.inside());
  if (matrix.inside()) {
    const Shape shape{rows, columns, blocks.rows, blocks.columns};
    Part part(shape, grid);
    ASSERT_EQ(descriptor_of(matrix), descriptor_of(shape, grid, part.leading_dimension));
    ASSERT_TRUE(part.local_rows == 0 ||
                std::equal(part.values.begin(), part.values.end(), matrix.data()));
  }
  const Rows back(rows, columns);
  std::fill_n(static_cast<double*>(back.array.mutable_data()), back.array.local_count(), -1.0);
  copy_from_matrix(matrix, back.array);
  ASSERT_TRUE(same_values(source.array, back.array));
}

TEST(CopyToMatrix, ThereAndBack) {
  for (const GridOrder order : {GridOrder::row, GridOrder::column})
    for (int rows = 1; rows <= world_size(); ++rows) {
      const Grid grid(world, rows, 0, order);  // some processes may be outside
      expect_there_and_back(grid, 23, 17, {2, 3});
      expect_there_and_back(grid, 1, 1, {64, 64});
      expect_there_and_back(grid, 0, 4, {2, 2});
      expect_there_and_back(grid, 40, 1, {1, 1});
    }
  expect_there_and_back(Grid(world, 1, 1), 300, 5, {64, 64});
}

TEST(CopyToMatrix, OfAVector) {
  const DistArray vector = allocate<double>({block(11, {world_size(), world_rank()})}).on(world);
  auto* const values = static_cast<double*>(vector.mutable_data());
  const LocalIndexMap map(vector);
  for (Index i = 0; i < vector.local_count(); ++i)
    values[i] = static_cast<double>(map.global_of({i})[0]);
  const Grid grid(world);
  const Matrix<double> matrix = copy_to_matrix<double>(vector, grid, {2, 2});
  EXPECT_EQ(matrix.global_columns(), 1);
  const BlockCyclic rows(11, 2, grid.rows());
  for (Index i = 0; i < matrix.local_rows() * matrix.local_columns(); ++i)
    EXPECT_EQ(matrix.data()[i], static_cast<double>(rows.global_of(Part::place(grid.row(), i, rows),
                                                                   BlockNumbering::stored)));
  const DistArray back = allocate<double>({block(11, {world_size(), world_rank()})}).on(world);
  copy_from_matrix(matrix, back);
  EXPECT_TRUE(same_values(vector, back));
}

TEST(CopyToMatrix, Converts) {
  const DistArray integers =
      allocate<std::int32_t>({block(11, {world_size(), world_rank()}), undistributed(2)}).on(world);
  std::fill_n(static_cast<std::int32_t*>(integers.mutable_data()), integers.local_count(), 3);
  RedistributionOptions options;
  options.convert = true;
  const Matrix<double> matrix = copy_to_matrix<double>(integers, Grid(world), {}, options);
  for (Index i = 0; i < matrix.local_rows() * matrix.local_columns(); ++i)
    EXPECT_EQ(matrix.data()[i], 3.0);
  expect_refused_everywhere("redistribute.type",
                            [&] { copy_to_matrix<double>(integers, Grid(world)); });
}

TEST(CopyToMatrix, RefusesOnAllRanks) {
  const Rows source(11, 3);
  const Grid grid(world);
  for (int victim = 0; victim < world_size(); ++victim) {
    const bool mine = world_rank() == victim;
    expect_refused_everywhere("scalapack.blocks", [&] {
      copy_to_matrix<double>(source.array, grid, {mine ? 0 : 2, 2});
    });
    if (world_size() > 1) {
      expect_different("columns", [&] {
        copy_to_matrix<double>(source.array, grid, {2, mine ? 3 : 2});
      });
    }
  }
  const DistArray cube =
      allocate<double>({block(4, {world_size(), world_rank()}), undistributed(3), undistributed(2)})
          .on(world);
  expect_refused_everywhere("scalapack.matrix.dimensions",
                            [&] { copy_to_matrix<double>(cube, grid); });
  expect_refused_everywhere("scalapack.matrix.index-range", [&] {
    copy_to_matrix<double>(source.array, grid, {Index{1} << 31, 2});
  });
  Faults().expect_agreed([&] { copy_to_matrix<double>(source.array, grid); });
}

TEST(CopyToMatrix, RefusesArraysOnOtherProcesses) {
  if (world_size() == 1) return;
  MPI_Comm turned = MPI_COMM_NULL;
  MPI_Comm_split(world, 0, -world_rank(), &turned);
  const Rows source(11, 3);
  for (const Grid& grid : {Grid(world), Grid(world, 1, 1)}) {
    expect_refused_everywhere<InvalidArgument>(
        "collective.comm", [&] { copy_to_matrix<double>(source.array.on(turned), grid); });
    const Matrix<double> matrix = copy_to_matrix<double>(source.array, grid);
    expect_refused_everywhere<InvalidArgument>(
        "collective.comm", [&] { copy_from_matrix(matrix, source.array.on(turned)); });
  }
  MPI_Comm_free(&turned);
}

/// Copies the matrix over the elements of `rows`, through `to`, which may be another description of
/// the same memory. If this is refused, every element is as it was.
void copy_home_or_nothing(const Matrix<double>& matrix, const Rows& rows, const DistArray& to) {
  auto* const values = static_cast<double*>(rows.array.mutable_data());
  const Index count = rows.array.local_count();
  std::fill_n(values, count, -1.0);
  try {
    copy_from_matrix(matrix, to);
  } catch (...) {
    EXPECT_EQ(std::count(values, values + count, -1.0), count);
    throw;
  }
  EXPECT_EQ(std::count(values, values + count, -1.0), 0);
}

void expect_refusals_overwrite_nothing(const Grid& grid) {
  const Matrix<double> matrix = copy_to_matrix<double>(Rows(11, 3).array, grid, {2, 2});
  const Rows back(11, 3);
  const DistArray readonly = back.array.as_readonly();
  for (int victim = 0; victim < world_size(); ++victim) {
    const bool mine = world_rank() == victim;
    expect_refused_everywhere("lease.readonly", [&] {
      copy_home_or_nothing(matrix, back, mine ? readonly : back.array);
    });
  }
  const Rows wider(11, 4);
  expect_refused_everywhere("redistribute.shape",
                            [&] { copy_home_or_nothing(matrix, wider, wider.array); });
  // As many elements, but in which order?
  const DistArray line = allocate<double>({block(33, {world_size(), world_rank()})}).on(world);
  expect_refused_everywhere("redistribute.shape", [&] { copy_from_matrix(matrix, line); });
  if (world_size() > 1) {
    const Index rows = world_rank() == 0 ? 33 : 34;
    const DistArray malformed =
        allocate<double>({block(rows, {world_size(), world_rank()})}).on(world);
    expect_refused_everywhere<Malformed>("D10", [&] { copy_from_matrix(matrix, malformed); });
  }
  Faults().expect_agreed([&] { copy_home_or_nothing(matrix, back, back.array); });
}

/// Some processes would redistribute over the grid's communicator, and others over all.
TEST(CopyToMatrix, RefusesGridsThatDiffer) {
  if (world_size() == 1) return;
  const Rows source(13, 7);
  const Grid whole(world, world_size(), 1), part(world, world_size() - 1, 1);
  const auto in_whole = copy_to_matrix<double>(source.array, whole, {2, 2});
  const auto in_part = copy_to_matrix<double>(source.array, part, {2, 2});
  for (int victim = 0; victim < world_size(); ++victim) {
    const bool other = world_rank() == victim;
    expect_different("rows of the grid", [&] {
      copy_to_matrix<double>(source.array, other ? part : whole, {2, 2});
    });
    expect_different("rows of the grid",
                     [&] { copy_from_matrix(other ? in_part : in_whole, source.array); });
  }
}

TEST(CopyFromMatrix, OverwritesNothingWhereItIsRefused) {
  expect_refusals_overwrite_nothing(Grid(world));
  expect_refusals_overwrite_nothing(Grid(world, 1, 1));  // the other processes are outside
}

}  // namespace
}  // namespace daptor::scalapack::test
