// SPDX-License-Identifier: BSD-3-Clause
// fftMPI's statements on tiles.

#include "arrays.hpp"
#include "daptor/block_dimensions.hpp"

namespace daptor::fft::test {
namespace {

void refuse_tile(const std::string& rule, const Section& a) {
  SCOPED_TRACE(rule);
  expect_refused_everywhere<NotRepresentable>(rule, [&] { tile(a.on(world)); });
}

TEST(FftMpiTiles, RowMajorArraysHaveTheLastDimensionFast) {
  const DistArray a = of_layout(layout::slab(0), {100, 20, 30});
  const Tile found = tile(a);
  EXPECT_EQ(found.dimensions, (Ints{2, 1, 0}));
  EXPECT_EQ(found.sizes, (Ints{30, 20, 100}));
  const IndexRange rows = even_block(100, line());
  EXPECT_EQ(found.lower, (Ints{0, 0, static_cast<int>(rows.start)}));
  EXPECT_EQ(found.upper, (Ints{29, 19, static_cast<int>(rows.stop) - 1}));
  const Tile fortran = found.one_based();
  EXPECT_EQ(fortran.lower[2], found.lower[2] + 1);
  EXPECT_EQ(fortran.upper[0], 30);
}

TEST(FftMpiTiles, ColumnMajorArraysHaveTheFirstDimensionFast) {
  const Tile found = tile(of_layout(layout::slab(1, Order::fortran), {30, 20}));
  EXPECT_EQ(found.dimensions, (Ints{0, 1}));
  EXPECT_EQ(found.sizes, (Ints{30, 20}));
}

TEST(FftMpiTiles, ThreeDimensionsHaveSixOrders) {
  Ints order{0, 1, 2};
  do {
    // Two or more indices in each dimension, on every rank.
    const Shape extents{2, 3, 4};
    std::vector<Index> strides(3);
    Index step = 16;
    for (const int d : order) {
      strides[static_cast<std::size_t>(d)] = step;
      step *= extents[static_cast<std::size_t>(d)];
    }
    std::vector<Complex> memory(24);
    const Section a = daptor::describe(
        memory.data(), 24, {block(2 * world_size(), line()), undistributed(3), undistributed(4)},
        strides);
    EXPECT_EQ(tile(a.on(world)).dimensions, order);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(FftMpiTiles, ProcessesThatCannotTellTheOrderTakeThatOfOthers) {
  // Only rank 0 has more than one row; the others' strides say nothing of rows and columns.
  const Index ranks = world_size();
  const IndexRange rows{world_rank() == 0 ? 0 : 4 + world_rank() - 1, 4 + world_rank()};
  const Section a =
      allocate<Complex>({block(3 + ranks, line(), rows), undistributed(5)}, Order::fortran);
  EXPECT_EQ(tile(a.on(world)).dimensions, (Ints{0, 1}));
}

TEST(FftMpiTiles, ProcessesMayOwnNothingWithIloAboveIhi) {
  const Tile found = tile(of_layout(layout::slab(0), {2, 5}));
  if (world_rank() < 2) return;
  EXPECT_TRUE(found.empty());
  EXPECT_EQ(found.upper[1], found.lower[1] - 1);
  EXPECT_TRUE(box(found).empty());
}

TEST(FftMpiTiles, PermuteChangesWhatVariesFastest) {
  const Tile t{{2, 1, 0}, {30, 20, 10}, {1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(t.permuted(0).dimensions, (Ints{2, 1, 0}));
  // Mid becomes fast, slow becomes mid, fast becomes slow.
  EXPECT_EQ(t.permuted(1).dimensions, (Ints{1, 0, 2}));
  EXPECT_EQ(t.permuted(1).lower, (Ints{2, 3, 1}));
  // Slow becomes fast, fast becomes mid, mid becomes slow.
  EXPECT_EQ(t.permuted(2).sizes, (Ints{10, 30, 20}));
  EXPECT_EQ(box(t.permuted(2)).strides, (Shape{1, 16, 4}));
  expect_refused<InvalidArgument>("fft.permute", [&] { t.permuted(3); });
  const Tile flat{{1, 0}, {30, 20}, {0, 0}, {29, 19}};
  EXPECT_EQ(flat.permuted(1).dimensions, (Ints{0, 1}));
  expect_refused<InvalidArgument>("fft.permute", [&] { flat.permuted(2); });
}

TEST(FftMpiTiles, PairsInALastOrADoubledDimensionAreComplexNumbers) {
  // double grid[100][200][300][2], and double grid[100][200][600].
  const Section pairs = allocate<double>(
      {block(2 * world_size(), line()), undistributed(3), undistributed(4), undistributed(2)});
  const Section doubled =
      allocate<double>({block(2 * world_size(), line()), undistributed(3), undistributed(8)});
  for (const Section& a : {pairs, doubled})
    EXPECT_EQ(tile(complex_view(a).on(world)).sizes, (Ints{4, 3, 2 * world_size()}));
  refuse_tile("fft.type", doubled);
}

TEST(FftMpiTiles, GapsAndOtherNumbersOfDimensionsAreRefused) {
  const Index ranks = world_size();
  refuse_tile("fft.ndim", of_layout(layout::slab(0), {ranks, 2, 2, 2}));
  BlockOptions options;
  options.grid = {ranks, 1};
  options.communication = {{1, 1}, {1, 1}};
  options.periodic = {true, true};
  refuse_tile("fft.gaps", allocate<Complex>(block_dimensions({2 * ranks, 6}, world, options)));
  std::vector<Complex> memory(200);
  refuse_tile("fft.gaps",
              daptor::describe(memory.data(), 200, {block(2 * ranks, line()), undistributed(4)},
                               std::vector<Index>{128, 32}));
}

TEST(FftMpiTiles, TheOrderIsTheSameOnAllProcesses) {
  const Index ranks = world_size();
  if (ranks == 1) return;
  refuse_tile("fft.order", of_layout(layout::slab(0, world_rank() == 1 ? Order::fortran : Order::c),
                                     {2 * ranks, 4}));
}

}  // namespace
}  // namespace daptor::fft::test
