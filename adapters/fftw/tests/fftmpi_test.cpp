// SPDX-License-Identifier: BSD-3-Clause
// fftMPI's statements on data layout: what it allows is transformed in its memory, what it forbids
// is refused on all ranks.

#include "daptor/block_dimensions.hpp"
#include "statements.hpp"

namespace daptor::fft::test {
namespace {

using Ints = std::vector<int>;

/// A tile by its half-open ranges, in the order of the dimensions of the grid.
/// @param order  the dimensions that vary fast, (mid,) slow
Tile tile_of(const Shape& shape, const std::vector<IndexRange>& ranges, const Ints& order) {
  Tile tile;
  tile.dimensions = order;
  for (const int dimension : order) {
    const auto d = static_cast<std::size_t>(dimension);
    tile.sizes.push_back(static_cast<int>(shape[d]));
    tile.lower.push_back(static_cast<int>(ranges[d].start));
    tile.upper.push_back(static_cast<int>(ranges[d].stop) - 1);
  }
  return tile;
}

Ints row_major(std::size_t ndim) {
  Ints order(ndim);
  std::iota(order.rbegin(), order.rend(), 0);
  return order;
}

/// The tile of this process on a grid of processes.
Tile on_grid(const Shape& shape, const std::vector<Index>& grid, const Ints& order) {
  const std::vector<Index> at = grid_coordinates(grid, world_rank());
  std::vector<IndexRange> ranges;
  for (std::size_t d = 0; d < shape.size(); ++d)
    ranges.push_back(even_block(shape[d], {grid[d], at[d]}));
  return tile_of(shape, ranges, order);
}
Tile on_grid(const Shape& shape, const std::vector<Index>& grid) {
  return on_grid(shape, grid, row_major(shape.size()));
}

/// All processes along one dimension: rows, columns or planes.
std::vector<Index> along(std::size_t ndim, std::size_t d) {
  std::vector<Index> grid(ndim, 1);
  grid[d] = world_size();
  return grid;
}
/// Pencils along dimension d: the others are divided.
std::vector<Index> pencils(std::size_t d) {
  const std::vector<Index> flat = block_grid(2, world_size());
  std::vector<Index> grid(3, 1);
  grid[(d + 1) % 3] = flat[0];
  grid[(d + 2) % 3] = flat[1];
  return grid;
}

Guarded memory_of(const Tile& tile) {
  return Guarded(complex128, tile, box(tile).count());
}

void expect_tiles(const Tile& in, const Tile& out) {
  expect_transform(memory_of(in), memory_of(out));
}

TEST(FftMpiLayouts, RowsOrColumnsAreReturnedInTheSameLayout) {
  for (const std::size_t d : {0U, 1U}) {
    const Tile tile = on_grid({9, 10}, along(2, d));
    expect_tiles(tile, tile);
  }
}

TEST(FftMpiLayouts, PlanesAreReturnedInTheSameLayout) {
  for (const std::size_t d : {0U, 1U, 2U}) {
    const Tile tile = on_grid({6, 5, 4}, along(3, d));
    expect_tiles(tile, tile);
  }
}

TEST(FftMpiLayouts, RowsAreReturnedAsColumns) {
  expect_tiles(on_grid({9, 10}, along(2, 0)), on_grid({9, 10}, along(2, 1)));
}

TEST(FftMpiLayouts, PlanesAndPencilsAreReturnedAsOthersInAnotherDimension) {
  const Shape shape{6, 5, 4};
  for (const std::size_t from : {0U, 1U, 2U})
    for (const std::size_t to : {0U, 1U, 2U}) {
      if (from == to) continue;
      expect_tiles(on_grid(shape, along(3, from)), on_grid(shape, along(3, to)));
      expect_tiles(on_grid(shape, pencils(from)), on_grid(shape, pencils(to)));
      expect_tiles(on_grid(shape, along(3, from)), on_grid(shape, pencils(to)));
      expect_tiles(on_grid(shape, pencils(from)), on_grid(shape, along(3, to)));
    }
}

TEST(FftMpiLayouts, RectanglesAndBricksAreReturnedInTheSameLayout) {
  for (const Shape& shape : {Shape{9, 10}, Shape{6, 5, 4}}) {
    const Tile tile = on_grid(shape, block_grid(static_cast<int>(shape.size()), world_size()));
    expect_tiles(tile, tile);
  }
}

TEST(FftMpiLayouts, RectanglesAreReturnedAsColumnsAndBricksAsPencils) {
  expect_tiles(on_grid({9, 10}, block_grid(2, world_size())), on_grid({9, 10}, along(2, 1)));
  for (const std::size_t d : {0U, 1U, 2U})
    expect_tiles(on_grid({6, 5, 4}, block_grid(3, world_size())), on_grid({6, 5, 4}, pencils(d)));
}

TEST(FftMpiLayouts, TheInputAndTheOutputPointerAreIdenticalInPlace) {
  for (const std::vector<Index>& grid :
       {along(3, 0), along(3, 2), pencils(1), block_grid(3, world_size())}) {
    const Guarded section = memory_of(on_grid({6, 5, 4}, grid));
    expect_transform(section, section);
  }
}

TEST(FftMpiLayouts, TilesAreOfAnySizeAndShape) {
  // The first has most of the rows, and the last but one has none.
  const Index ranks = world_size(), rank = world_rank();
  const Shape shape{ranks + 4, 6, 3};
  const auto cut = [&](Index i) {
    return i == 0       ? 0
           : i >= ranks ? shape[0]
                        : std::min<Index>(shape[0], 4 + (i + 1 == ranks ? i - 1 : i));
  };
  const Tile in = tile_of(shape, {{cut(rank), cut(rank + 1)}, {0, 6}, {0, 3}}, row_major(3));
  expect_tiles(in, on_grid(shape, along(3, 1)));
}

TEST(FftMpiLayouts, AProcessOwnsNothingOnInputOrOnOutput) {
  // More processes than rows; and all on the last process, none on the others.
  expect_tiles(on_grid({2, 5}, along(2, 0)), on_grid({2, 5}, along(2, 1)));
  const bool mine = world_rank() + 1 == world_size();
  const Shape shape{3, 4, 5};
  const Tile all = tile_of(shape, {{0, mine ? 3 : 0}, {0, 4}, {0, mine ? 5 : 0}}, row_major(3));
  EXPECT_EQ(all.empty(), !mine);
  expect_tiles(all, on_grid(shape, along(3, 0)));
  expect_tiles(on_grid(shape, along(3, 0)), all);
}

TEST(FftMpiLayouts, OneIndexVariesFastInTwoDimensions) {
  const std::vector<Index> grid = block_grid(2, world_size());
  for (const Ints& from : {Ints{0, 1}, Ints{1, 0}})
    for (const Ints& to : {Ints{0, 1}, Ints{1, 0}})
      expect_tiles(on_grid({9, 10}, grid, from), on_grid({9, 10}, grid, to));
}

TEST(FftMpiLayouts, SixOrdersInThreeDimensions) {
  const std::vector<Index> grid = block_grid(3, world_size());
  Ints order{0, 1, 2};
  do expect_tiles(on_grid({6, 5, 4}, grid, order), on_grid({6, 5, 4}, pencils(2), {1, 2, 0}));
  while (std::next_permutation(order.begin(), order.end()));
}

TEST(FftMpiLayouts, RealAndImaginaryPartLieSideBySide) {
  // A 4 x 8 tile of a 100 x 200 grid has 32 points, 64 double-precision numbers, 512 bytes.
  const Tile t{{0, 1}, {100, 200}, {8, 16}, {11, 23}};
  EXPECT_EQ(box(t).count(), 32);
  EXPECT_EQ(box(t).count() * static_cast<Index>(complex128.itemsize()), 512);
  // R(1,1), I(1,1), R(2,1), I(2,1), ..., row index fastest.
  const Shape shape{4 * world_size(), 8};
  std::vector<double> numbers(64);
  const Tile mine = tile_of(shape, {{4 * world_rank(), 4 * world_rank() + 4}, {0, 8}}, Ints{0, 1});
  const DistArray a = fft::describe(complex128, numbers.data(), 32, mine, world);
  const Whole before = field(shape, false);
  for (Index j = 0; j < 8; ++j)
    for (Index i = 0; i < 4; ++i) {
      const Complex value = before.values[static_cast<std::size_t>((4 * world_rank() + i) * 8 + j)];
      numbers[static_cast<std::size_t>(2 * (i + 4 * j))] = value.real();
      numbers[static_cast<std::size_t>(2 * (i + 4 * j) + 1)] = value.imag();
    }
  expect_values(a, before, 1, 1e-300);
  Transform transform(a, a, estimated());
  transform.forward();
  expect_values(a, transformed(before, {0, 1}));
}

TEST(FftMpiLayouts, PairsInALastOrADoubledDimensionAreTransformed) {
  // double grid[..][5][4][2], double grid[..][5][8], real(8) grid(2,4,5,..), grid(8,5,..).
  const Index rows = 2 * world_size();
  const Dimension divided = block(rows, {world_size(), world_rank()});
  const std::vector<DistArray> grids{
      allocate<double>({divided, undistributed(5), undistributed(4), undistributed(2)}).on(world),
      allocate<double>({divided, undistributed(5), undistributed(8)}).on(world),
      allocate<double>({undistributed(8), undistributed(5), divided}, Order::fortran).on(world)};
  for (const DistArray& grid : grids) {
    const DistArray a = complex_view(grid);
    EXPECT_EQ(a.owned_data(), grid.owned_data());
    EXPECT_EQ(tile(a).sizes, (Ints{4, 5, static_cast<int>(rows)}));
    const Whole before = field(a.global_shape(), false);
    fill(a, before);
    Transform transform(a, a, estimated());
    transform.forward();
    expect_values(a, transformed(before, {0, 1, 2}));
  }
}

TEST(FftMpiLayouts, ACopyOfAScatteredArrayIsATile) {
  const Shape shape{2 * world_size() + 1, 2 * world_size() + 1};
  const auto take = [](const DistArray& a) { tile(a); };
  for (const Layout& layout : {dealt(), reversed(), padded(), spread_out(bricks())}) {
    SCOPED_TRACE(layout.name);
    const Guarded section(complex128, layout, shape);
    const bool scattered = layout.name == dealt().name || layout.name == reversed().name;
    if (world_size() > 1 || layout.name == reversed().name || layout.spread > 1)
      expect_refused_everywhere<NotRepresentable>(scattered ? "fft.division" : "fft.gaps",
                                                  [&] { take(section.array); });
    expect_remedy(section.array, layout::blocks(), take);
    // No copy is needed for the transform itself.
    expect_transform(section, section);
  }
}

TEST(FftMpiLayouts, BoundsBeyondAnEmptyTileAreRefused) {
  const Shape shape{2 * world_size(), 3};
  const Tile right = on_grid(shape, along(2, 0));
  std::vector<Complex> memory(6, {-7, -7});
  for (int culprit = 0; culprit < world_size(); ++culprit)
    for (const int below : {2, 3}) {
      Tile wrong = right;
      wrong.upper[1] = wrong.lower[1] - below;
      expect_refused_everywhere<InvalidArgument>("fft.corners", [&] {
        fft::describe(memory.data(), 6, world_rank() == culprit ? wrong : right, world);
      });
    }
  EXPECT_EQ(memory, std::vector<Complex>(6, {-7, -7}));
}

TEST(FftMpiLayouts, TilesWithAnOverlapAndAGapOfOneSizeAreRefused) {
  if (world_size() == 1) return;
  const Shape shape{3 * world_size(), 4};
  std::vector<Complex> memory(12, {-7, -7});
  for (int culprit = 0; culprit < world_size(); ++culprit) {
    Tile tile = on_grid(shape, along(2, 0));
    const int by = culprit == 0 ? 1 : -1;
    if (world_rank() == culprit) tile.lower[1] += by, tile.upper[1] += by;
    expect_refused_everywhere<InvalidArgument>(
        "fft.overlap", [&] { fft::describe(memory.data(), 12, tile, world); });
  }
  EXPECT_EQ(memory, std::vector<Complex>(12, {-7, -7}));
}

TEST(FftMpiLayouts, MemoryOneElementShortIsRefusedOnEachProcess) {
  const Shape shape{2 * world_size(), 3};
  const Tile tile = on_grid(shape, along(2, 0));
  std::vector<Complex> memory(6);
  for (int culprit = 0; culprit < world_size(); ++culprit)
    expect_refused_everywhere<InvalidArgument>("describe.length", [&] {
      fft::describe(memory.data(), world_rank() == culprit ? 5 : 6, tile, world);
    });
}

/// The cyclic convolution by its definition.
Whole convolution(const Whole& a, const Whole& b) {
  const Index n0 = a.shape[0], n1 = a.shape[1], n2 = a.shape[2];
  const auto at = [&](Index i, Index j, Index k) {
    return static_cast<std::size_t>(((i + n0) % n0 * n1 + (j + n1) % n1) * n2 + (k + n2) % n2);
  };
  Whole sum(a.shape);
  for (Index i = 0; i < n0; ++i)
    for (Index j = 0; j < n1; ++j)
      for (Index k = 0; k < n2; ++k)
        for (Index x = 0; x < n0; ++x)
          for (Index y = 0; y < n1; ++y)
            for (Index z = 0; z < n2; ++z)
              sum.values[at(i, j, k)] += a.values[at(x, y, z)] * b.values[at(i - x, j - y, k - z)];
  return sum;
}

TEST(FftMpiLayouts, AConvolutionReturnsFromAPermutedLayoutToTheOriginalOne) {
  const Shape shape{4, 3, 5};
  const Whole first = field(shape, false);
  Whole second = first;
  for (Complex& value : second.values) value = value * value + 0.5;
  const Whole expected = convolution(first, second);
  for (const int permute : {0, 1, 2}) {
    SCOPED_TRACE(permute);
    // Planes of the slow dimension in; pencils of the slow dimension out, in another memory order.
    const Tile in = on_grid(shape, along(3, 0));
    const Tile out = on_grid(shape, pencils(0)).permuted(permute);
    const Guarded a = memory_of(in), b = memory_of(in);
    const Guarded fa = memory_of(out), fb = memory_of(out);
    fill(a.array, first);
    fill(b.array, second);
    TransformOptions options = estimated();
    options.scale = Scale::backward;
    Transform of_a(a.array, fa.array, options), of_b(b.array, fb.array, options);
    of_a.forward();
    of_b.forward();
    // The order of the memory is the same, so the product needs no indices.
    auto* const values = static_cast<Complex*>(fa.array.mutable_data());
    const auto* const factors = static_cast<const Complex*>(fb.array.data());
    for (Index i = 0; i < fa.array.owned_count(); ++i) values[i] *= factors[i];
    of_a.backward();
    expect_values(a.array, expected, 1, 1e-9);
    EXPECT_TRUE(a.guards_are_whole());
    EXPECT_TRUE(fa.guards_are_whole());
  }
}

TEST(FftMpiLayouts, TheWholeFastDimensionInAndTheWholeSlowOneOutTakeOneExchange) {
  const int some = world_size() > 1 ? 1 : 0;
  const Shape shape{8, 16};
  const Guarded rows = memory_of(on_grid(shape, along(2, 0)));
  const Guarded permuted = memory_of(on_grid(shape, along(2, 1)).permuted(1));
  EXPECT_EQ(Transform(rows.array, permuted.array, estimated()).redistributions(), some);
  EXPECT_EQ(Transform(rows.array, rows.array, estimated()).redistributions(), 2 * some);
  expect_transform(rows, permuted);
}

TEST(FftMpiLayouts, SizesWithOtherFactorsThanTwoThreeAndFiveAreTransformed) {
  for (const Shape& shape : {Shape{7, 11}, Shape{1, 13}, Shape{7, 1, 11}, Shape{14, 3, 1}}) {
    const Tile tile = on_grid(shape, along(shape.size(), 0));
    expect_tiles(tile, on_grid(shape, along(shape.size(), shape.size() - 1)));
  }
}

}  // namespace
}  // namespace daptor::fft::test
