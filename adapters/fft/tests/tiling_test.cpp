// SPDX-License-Identifier: BSD-3-Clause
// From boxes and tiles to arrays, and the proof that they tile the grid.

#include <random>

#include "arrays.hpp"

namespace daptor::fft::test {
namespace {

/// Memory for a box, with the row-major number of each element in it.
std::vector<double> numbers(const Box& box) {
  std::vector<double> values;
  const Section grid = daptor::describe(float64, nullptr, [&] {
    std::vector<Dimension> dimensions;
    for (std::size_t d = 0; d < box.shape.size(); ++d)
      dimensions.push_back(undistributed(box.shape[d]));
    return dimensions;
  }());
  const LocalIndexMap map(grid);
  for (Index natural = 0; natural < map.global_count(); ++natural) {
    const std::vector<Index> at = map.global_of_natural(natural);
    bool inside = true;
    for (std::size_t d = 0; d < at.size(); ++d)
      inside = inside && box.lower[d] <= at[d] && at[d] < box.upper[d];
    if (inside) values.push_back(static_cast<double>(natural));
  }
  return values;
}

/// Whether copying the array to slabs puts every number where it belongs.
void expect_numbers(const DistArray& a, const Shape& shape) {
  const DistArray slabs = of_layout(layout::natural(), shape, float64);
  redistribute(a, slabs);
  const std::vector<Index> expected = LocalIndexMap(slabs).owned_natural();
  const auto* const values = static_cast<const double*>(slabs.owned_data());
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_EQ(values[i], static_cast<double>(expected[i]));
}

void round_trip(const TargetLayout& layout, const Shape& shape) {
  Box box = box_in(layout, shape);
  box.strides.clear();
  std::vector<double> memory = numbers(box);
  const auto count = static_cast<Index>(memory.size());
  const DistArray a = fft::describe(memory.data(), count, box, world);
  EXPECT_TRUE(validate(a));
  EXPECT_EQ(a.data(), memory.data());
  if (!box.empty()) {
    EXPECT_EQ(fft::box(a).lower, box.lower);
    EXPECT_EQ(fft::box(a).upper, box.upper);
  }
  expect_numbers(a, shape);
  const DistArray list = fft::describe_as_list(memory.data(), count, box, world);
  EXPECT_TRUE(validate(list));
  expect_numbers(list, shape);
}

TEST(Describe, RowsColumnsPlanesPencilsAndBricksAreTilings) {
  for (const Shape& shape :
       {Shape{10}, Shape{10, 7}, Shape{3, 5}, Shape{6, 5, 4}, Shape{2, 3, 2, 5}}) {
    for (int d = 0; d < static_cast<int>(shape.size()); ++d) round_trip(layout::slab(d), shape);
    round_trip(layout::blocks(), shape);
  }
}

TEST(Describe, SlabsOfMoreProcessesThanIndicesAreSlabsOfTheSameDimension) {
  for (const Shape& shape : {Shape{2, 3}, Shape{3, 2}, Shape{2, 2, 2}, Shape{3, 2, 5}})
    for (int d = 0; d < static_cast<int>(shape.size()); ++d) {
      Box box = box_in(layout::slab(d), shape);
      box.strides.clear();
      const Slab found = slab(fft::describe(complex128, nullptr, box.count(), box, world));
      EXPECT_EQ(found.dimension, world_size() == 1 ? 0 : d);
      const auto i = static_cast<std::size_t>(found.dimension);
      EXPECT_EQ(found.count, box.extents()[i]);
      EXPECT_EQ(found.start, box.empty() ? shape[i] : box.lower[i]);
    }
}

TEST(Describe, TilesInTheOrderOfTheirMemory) {
  for (const Order order : {Order::c, Order::fortran}) {
    const DistArray original = of_layout(layout::slab(1, order), {3, 2 * world_size(), 4});
    const Tile found = tile(original);
    const DistArray a =
        fft::describe(complex128, original.mutable_data(), original.local_count(), found, world);
    EXPECT_EQ(a.byte_strides(), original.byte_strides());
    EXPECT_EQ(a.owned_data(), original.owned_data());
    EXPECT_TRUE(validate(a));
    // The permuted tile is the same array in another memory order.
    const DistArray permuted = fft::describe(complex128, original.mutable_data(),
                                             original.local_count(), found.permuted(2), world);
    EXPECT_EQ(permuted.global_shape(), original.global_shape());
    EXPECT_EQ(tile(permuted).dimensions, found.permuted(2).dimensions);
  }
}

TEST(Describe, EverythingOnOneProcess) {
  for (int owner = 0; owner < world_size(); ++owner) {
    const bool mine = world_rank() == owner;
    const Box box{{4, 3}, {0, 0}, mine ? Shape{4, 3} : Shape{0, 0}, {}};
    std::vector<double> memory = numbers(box);
    const DistArray a = fft::describe(memory.data(), static_cast<Index>(memory.size()), box, world);
    EXPECT_TRUE(validate(a));
    expect_numbers(a, {4, 3});
  }
}

TEST(Describe, AGridOfNothing) {
  for (const Shape& shape : {Shape{0, 3}, Shape{3, 0}, Shape{Index{1} << 40, 0, Index{1} << 40}}) {
    const Box box{shape, Shape(shape.size()), Shape(shape.size()), {}};
    EXPECT_TRUE(validate(fft::describe(float64, nullptr, 0, box, world)));
    EXPECT_TRUE(validate(fft::describe_as_list(float64, nullptr, 0, box, world)));
  }
}

/// Recursive bisection of a grid among ranks [first, last), at positions that a seed decides.
Box bisected(const Shape& shape, Shape lower, Shape upper, int first, int last, unsigned seed) {
  if (last - first == 1) return {shape, lower, upper, {}};
  std::mt19937 random(seed);
  const std::size_t d = random() % shape.size();
  const Index cut =
      lower[d] + static_cast<Index>(random() % static_cast<unsigned long>(upper[d] - lower[d] + 1));
  const int middle = first + (last - first + 1) / 2;
  if (world_rank() < middle) {
    upper[d] = cut;
    return bisected(shape, lower, upper, first, middle, seed * 7 + 1);
  }
  lower[d] = cut;
  return bisected(shape, lower, upper, middle, last, seed * 7 + 2);
}

TEST(Describe, AnyTilingAsAList) {
  for (unsigned seed = 1; seed < 40; ++seed)
    for (const Shape& shape : {Shape{9, 8}, Shape{5, 4, 6}}) {
      const Box box = bisected(shape, Shape(shape.size()), shape, 0, world_size(), seed);
      std::vector<double> memory = numbers(box);
      const auto count = static_cast<Index>(memory.size());
      const DistArray list = fft::describe_as_list(memory.data(), count, box, world);
      EXPECT_TRUE(validate(list));
      expect_numbers(list, shape);
      // It is an array of the protocol, or it is refused: nothing between.
      try {
        const DistArray a = fft::describe(memory.data(), count, box, world);
        EXPECT_TRUE(validate(a));
        expect_numbers(a, shape);
      } catch (const NotRepresentable& error) {
        EXPECT_TRUE(error.rule() == "fft.product" || error.rule() == "fft.empty") << error.what();
      }
    }
}

TEST(Describe, AListInColumnMajorOrder) {
  Box box = box_in(layout::slab(0), {2 * world_size(), 3});
  box.strides = {1, 2};
  std::vector<double> memory(6);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) {
      const int natural = (2 * world_rank() + i) * 3 + j;
      memory[static_cast<std::size_t>(i) + 2 * static_cast<std::size_t>(j)] = natural;
    }
  expect_numbers(fft::describe_as_list(memory.data(), 6, box, world), box.shape);
  expect_numbers(fft::describe(memory.data(), 6, box, world), box.shape);
}

TEST(Describe, RefusesATilingThatIsNoProduct) {
  if (world_size() != 3) return;
  // The left half is one box, the right half is divided.
  const Box boxes[] = {
      {{4, 4}, {0, 0}, {4, 2}, {}}, {{4, 4}, {0, 2}, {2, 4}, {}}, {{4, 4}, {2, 2}, {4, 4}, {}}};
  const Box& box = boxes[world_rank()];
  std::vector<double> memory(8);
  try {
    fft::describe(memory.data(), 8, box, world);
    ADD_FAILURE();
  } catch (const NotRepresentable& error) {
    EXPECT_EQ(error.rule(), "fft.product");
    EXPECT_EQ(error.report().findings()[0].ranks, std::vector<int>{0});
    EXPECT_NE(std::string(error.what()).find("(0, 0) to (4, 2)"), std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("describe_as_list"), std::string::npos);
    daptor::test::expect_same_everywhere(error.what());
  }
}

TEST(Describe, NamesEveryRankWhoseBoxIsDividedByOthers) {
  if (world_size() < 4) return;
  // Two columns, divided at different rows. Of three boxes no more than one can be divided.
  const Box boxes[] = {{{4, 4}, {0, 0}, {1, 2}, {}},
                       {{4, 4}, {1, 0}, {4, 2}, {}},
                       {{4, 4}, {0, 2}, {2, 4}, {}},
                       {{4, 4}, {2, 2}, {4, 4}, {}}};
  const Box box = world_rank() < 4 ? boxes[world_rank()] : Box{{4, 4}, {0, 0}, {0, 0}, {}};
  std::vector<double> memory = numbers(box);
  try {
    fft::describe(memory.data(), static_cast<Index>(memory.size()), box, world);
    ADD_FAILURE();
  } catch (const NotRepresentable& error) {
    const Finding& finding = error.report().findings()[0];
    EXPECT_EQ(finding.rule, "fft.product");
    EXPECT_EQ(finding.ranks, (std::vector<int>{1, 2}));
    EXPECT_EQ(finding.rank_count, 2);
    EXPECT_NE(finding.found.str().find("(1, 0) to (4, 2)"), std::string::npos) << error.what();
    daptor::test::expect_same_everywhere(error.what());
  }
}

TEST(Describe, RefusesEmptyProcessesThatMakeNoGrid) {
  if (world_size() != 5) return;
  // 2 x 2 boxes, and one process more.
  const Index r = world_rank();
  const Box box = r < 4 ? Box{{4, 4}, {r / 2 * 2, r % 2 * 2}, {r / 2 * 2 + 2, r % 2 * 2 + 2}, {}}
                        : Box{{4, 4}, {0, 0}, {0, 0}, {}};
  std::vector<double> memory = numbers(box);
  const auto count = static_cast<Index>(memory.size());
  expect_refused_everywhere<NotRepresentable>(
      "fft.empty", [&] { fft::describe(memory.data(), count, box, world); });
  expect_numbers(fft::describe_as_list(memory.data(), count, box, world), {4, 4});
}

void refuse_tiling(const std::string& rule, const Box& box) {
  SCOPED_TRACE(rule);
  expect_refused_everywhere<InvalidArgument>(rule, [&] { require_tiling(box, world); });
}

TEST(Tiling, OverlapsGapsAndBothInEqualMeasureAreFound) {
  const Index ranks = world_size();
  Box box = box_in(layout::slab(0), {4 * ranks, 3});
  require_tiling(box, world);
  for (int culprit = 0; culprit < ranks; ++culprit) {
    const bool here = world_rank() == culprit;
    Box shorter = box;
    if (here) --shorter.upper[0];
    refuse_tiling("fft.coverage", shorter);
    if (ranks == 1) continue;
    Box longer = box;
    if (here && culprit > 0) --longer.lower[0];
    if (here && culprit == 0) ++longer.upper[0];
    refuse_tiling("fft.overlap", longer);
    // An overlap and a gap of as many elements: the number of elements is right.
    Box moved = box;
    const Index by = culprit == 0 ? 1 : -1;
    if (here) moved.lower[0] += by, moved.upper[0] += by;
    refuse_tiling("fft.overlap", moved);
  }
}

TEST(Tiling, TheRanksThatOverlapAreNamed) {
  if (world_size() < 3) return;
  Box box = box_in(layout::slab(1), {3, 2 * world_size()});
  if (world_rank() == 2) --box.lower[1];
  try {
    require_tiling(box, world);
    ADD_FAILURE();
  } catch (const InvalidArgument& error) {
    const Finding& finding = error.report().findings()[0];
    EXPECT_EQ(finding.ranks, (std::vector<int>{1, 2}));
    EXPECT_EQ(finding.found, "elements [0, 3) x [3, 4) in two boxes");
    daptor::test::expect_same_everywhere(error.what());
  }
}

TEST(Tiling, CornersAndGridsAreLookedAt) {
  const Box right = box_in(layout::slab(0), {4, 3});
  for (int culprit = 0; culprit < world_size(); ++culprit) {
    const auto wrong = [&](Box box) { return world_rank() == culprit ? box : right; };
    refuse_tiling("fft.corners", wrong({{4, 3}, {-1, 0}, {1, 3}, {}}));
    refuse_tiling("fft.corners", wrong({{4, 3}, {0, 0}, {4, 4}, {}}));
    refuse_tiling("fft.corners", wrong({{4, 3}, {3, 0}, {2, 3}, {}}));
    refuse_tiling("fft.shape", wrong({{4, 3}, {0}, {4}, {}}));
    refuse_tiling("fft.shape", wrong({{}, {}, {}, {}}));
    refuse_tiling("fft.shape", wrong({{Index{1} << 40, Index{1} << 40}, {0, 0}, {0, 0}, {}}));
    if (world_size() > 1)
      expect_different("shape", [&] {
        require_tiling(wrong({{5, 3}, {0, 0}, {0, 0}, {}}), world);
      });
  }
}

TEST(Tiling, MemoryMustFit) {
  const Box box = box_in(layout::slab(0), {2 * world_size(), 3});
  std::vector<double> memory(6);
  for (int culprit = 0; culprit < world_size(); ++culprit) {
    const bool here = world_rank() == culprit;
    expect_refused_everywhere<InvalidArgument>(
        "describe.length", [&] { fft::describe(memory.data(), here ? 5 : 6, box, world); });
    Box strided = box;
    if (here) strided.strides = {3};
    expect_refused_everywhere<InvalidArgument>(
        "fft.strides", [&] { fft::describe(memory.data(), 6, strided, world); });
    if (here) strided.strides = {4, 1};
    expect_refused_everywhere<InvalidArgument>(
        "fft.gaps", [&] { fft::describe_as_list(memory.data(), 6, strided, world); });
  }
}

TEST(Tiling, ListsLookAtStridesToo) {
  const Box box = box_in(layout::slab(0), {2 * world_size(), 3});
  std::vector<double> memory(10);
  Box strided = box;
  strided.strides = {3};
  expect_refused_everywhere<InvalidArgument>(
      "fft.strides", [&] { fft::describe_as_list(memory.data(), 6, strided, world); });
  // Memory may be longer than the box, as fftMPI's is.
  EXPECT_TRUE(validate(fft::describe_as_list(memory.data(), 10, box, world)));
}

TEST(Tiling, TilesThatEndMoreThanOneBeforeTheyBeginAreRefused) {
  const Tile right = tile(of_layout(layout::slab(0), {2 * world_size(), 3}));
  std::vector<Complex> memory(6);
  const auto refuse_it = [&](const Tile& wrong) {
    for (int culprit = 0; culprit < world_size(); ++culprit)
      expect_refused_everywhere<InvalidArgument>("fft.corners", [&] {
        fft::describe(memory.data(), 6, world_rank() == culprit ? wrong : right, world);
      });
  };
  Tile wrong = right;
  wrong.upper[1] = wrong.lower[1] - 2;
  refuse_it(wrong);
  wrong = right;
  wrong.dimensions = {0, 0};
  refuse_it(wrong);
  wrong = right;
  wrong.sizes.pop_back();
  refuse_it(wrong);
}

TEST(Tiling, AFaultOnOneRankIsEverybodys) {
  const Box box = box_in(layout::blocks(), {6, 5});
  std::vector<double> memory(30);
  const auto count = box.count();
  Faults().expect_agreed([&] { fft::describe(memory.data(), count, box, world); });
  Faults().expect_agreed([&] { fft::describe_as_list(memory.data(), count, box, world); });
  const DistArray a = of_layout(layout::slab(0), {6, 5});
  Faults().expect_agreed([&] { tile(a); });
  Faults().expect_agreed([&] { slab(a); });
}

}  // namespace
}  // namespace daptor::fft::test
