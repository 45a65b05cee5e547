// SPDX-License-Identifier: BSD-3-Clause
// oneMKL's statements on data distribution: what it allows is transformed in its memory, what it
// forbids is refused on all ranks.

#include "daptor/block_dimensions.hpp"
#include "daptor/redistribute.hpp"
#include "statements.hpp"

namespace daptor::fft::test {
namespace {

/// "The first Y % p processes each own (Y/p+1)*X elements and the remaining processes each own
/// (Y/p)*X elements."
IndexRange with_remainder_first(Index size) {
  const Index p = world_size(), rank = world_rank();
  const Index each = size / p, longer = size % p;
  const Index start = rank < longer ? rank * (each + 1) : longer + rank * each;
  return {start, start + each + (rank < longer ? 1 : 0)};
}

Box slab_box(const Shape& shape, int dimension, Index last_extent_of_row = 0) {
  Box box{shape, Shape(shape.size()), shape, {}};
  const auto d = static_cast<std::size_t>(dimension);
  const IndexRange owned = with_remainder_first(shape[d]);
  box.lower[d] = owned.start;
  box.upper[d] = owned.stop;
  if (last_extent_of_row == 0) return box;
  box.strides.assign(shape.size(), 1);
  Index step = last_extent_of_row;
  for (std::size_t e = shape.size() - 1; e-- > 0;) {
    box.strides[e] = step;
    step *= std::max<Index>(1, box.upper[e] - box.lower[e]);
  }
  return box;
}

Guarded packed(const DataType& type, const Box& box) {
  return Guarded(type, box, box.count());
}

Shape halved(Shape shape) {
  shape.back() = shape.back() / 2 + 1;
  return shape;
}

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> shapes{{10, 7}, {3, 2}, {7, 10, 3}, {2, 3, 4}};
  return shapes;
}

TEST(OneMklSlabs, ForwardAndBackwardDomainAreDividedAlongDimensionsOfTheirOwn) {
  for (const Shape& shape : shapes())
    for (int forward = 0; forward < static_cast<int>(shape.size()); ++forward)
      for (int backward = 0; backward < static_cast<int>(shape.size()); ++backward) {
        const Guarded in = packed(complex128, slab_box(shape, forward));
        const Guarded out = packed(complex128, slab_box(shape, backward));
        if (world_size() > 1) {
          EXPECT_EQ(slab(in.array).dimension, forward);
          EXPECT_EQ(slab(out.array).dimension, backward);
        }
        expect_transform(in, out);
      }
}

TEST(OneMklSlabs, TheSpectrumOfRealNumbersIsDividedByItsOwnSize) {
  for (const Shape& shape : {Shape{6, 10}, Shape{6, 9}, Shape{4, 3, 6}, Shape{4, 3, 7}})
    for (int forward = 0; forward < static_cast<int>(shape.size()); ++forward)
      for (int backward = 0; backward < static_cast<int>(shape.size()); ++backward) {
        const Shape spectrum = halved(shape);
        const Guarded in = packed(float64, slab_box(shape, forward));
        const Guarded out = packed(complex128, slab_box(spectrum, backward));
        expect_transform(in, out);
        const Slab found = slab(out.array);
        EXPECT_EQ(found.count,
                  with_remainder_first(spectrum[static_cast<std::size_t>(found.dimension)]).size());
      }
}

TEST(OneMklSlabs, RealRowsOutOfPlaceArePaddedOrPacked) {
  for (const Index last : {6, 7}) {
    const Shape shape{5, 3, last};
    for (const Index row : {last, 2 * (last / 2 + 1)}) {
      const Box box = slab_box(shape, 0, row);
      const Guarded in(float64, box, box.count() / last * row);
      EXPECT_EQ(slab(in.array).row_pitch, row);
      expect_transform(in, packed(complex128, slab_box(halved(shape), 1)));
    }
  }
}

TEST(OneMklSlabs, RealRowsInPlaceThatAreNotPaddedAreRefused) {
  // Real numbers that are packed, and their spectrum at the same address.
  for (const Index last : {6, 7}) {
    const Shape shape{2 * world_size(), last};
    const Box rows = slab_box(shape, 0), spectrum = slab_box(halved(shape), 0);
    std::vector<Complex> memory(100, {-7, -7});
    const DistArray in = fft::describe(float64, memory.data(), 200, rows, world);
    const DistArray out = fft::describe(memory.data(), 100, spectrum, world);
    expect_refused_everywhere<InvalidArgument>("fft.memory",
                                               [&] { Transform(in, out, estimated()); });
    EXPECT_EQ(memory, std::vector<Complex>(100, {-7, -7}));
    // The remedy that the error names.
    fill(in, field(shape, true));
    Transform transform(in, fitting_output(in), estimated());
    transform.forward();
    expect_values(transform.output(), transformed(field(shape, true), {0, 1}, 1));
  }
}

TEST(OneMklSlabs, RealRowsInPlaceNeedRoomForTheSpectrumToTheLastElement) {
  for (const Index last : {6, 7}) {
    const Shape shape{5, 3, last};
    const std::vector<Dimension> dimensions = of_layout(layout::slab(0), shape);
    const Index count = real_and_spectrum_count(dimensions);
    EXPECT_EQ(count, with_remainder_first(5).size() * 3 * 2 * (last / 2 + 1));
    std::vector<double> memory(static_cast<std::size_t>(count) + 8, -7);
    for (int culprit = 0; culprit < world_size(); ++culprit) {
      const bool here = world_rank() == culprit && count > 0;
      const RealAndSpectrum both =
          real_and_spectrum(memory.data() + 4, here ? count - 1 : count, dimensions);
      if (culprit < std::min(5, world_size()))
        expect_refused_everywhere<InvalidArgument>("fft.capacity", [&] {
          Transform(both.real.on(world), both.spectrum.on(world), estimated());
        });
    }
    const RealAndSpectrum both = real_and_spectrum(memory.data() + 4, count, dimensions);
    const Whole before = field(shape, true);
    fill(both.real, before);
    TransformOptions options = estimated();
    options.scale = Scale::backward;
    Transform transform(both.real.on(world), both.spectrum.on(world), options);
    transform.forward();
    expect_values(both.spectrum, transformed(before, {0, 1, 2}, 2));
    transform.backward();
    expect_values(both.real, before);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(memory[i], -7);
      EXPECT_EQ(memory[memory.size() - 1 - i], -7);
    }
  }
}

TEST(OneMklSlabs, ACopyOfAnArrayThatIsNotPackedIsASlab) {
  const Shape shape{2 * world_size() + 1, 2 * world_size() + 2};
  const auto take = [](const DistArray& a) { slab(a); };
  for (const Layout& layout : {padded(), column_major(slabs(0)), spread_out(slabs(0)), dealt()}) {
    SCOPED_TRACE(layout.name);
    const Guarded section(complex128, layout, shape);
    if (world_size() > 1 || layout.order == Order::fortran || layout.spread > 1) {
      const std::string rule = layout.order == Order::fortran ? "fft.order"
                               : layout.name == dealt().name  ? "fft.division"
                                                              : "fft.gaps";
      expect_refused_everywhere<NotRepresentable>(rule, [&] { take(section.array); });
    }
    expect_remedy(section.array, layout::slab(0), take);
    EXPECT_TRUE(section.guards_are_whole());
  }
}

/// Blocks of a grid with cuts that are not even: the first of each dimension has one index, the
/// last what is left.
Box uneven_block(const Shape& shape, const std::vector<Index>& grid) {
  const std::vector<Index> at = grid_coordinates(grid, world_rank());
  Box box{shape, shape, shape, {}};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto cut = [&](Index i) {
      return i == grid[d] ? shape[d] : std::min<Index>(i, shape[d]);
    };
    box.lower[d] = cut(at[d]);
    box.upper[d] = cut(at[d] + 1);
  }
  return box;
}

TEST(OneMklBoxes, AreGivenByLowerAndUpperCornerForEachDomain) {
  for (const Shape& shape : {Shape{9, 10}, Shape{6, 5, 4}}) {
    const std::vector<Index> grid = block_grid(static_cast<int>(shape.size()), world_size());
    std::vector<Index> line(shape.size(), 1);
    line.back() = world_size();
    const Box forward = uneven_block(shape, grid), backward = uneven_block(shape, line);
    const Guarded in = packed(complex128, forward);
    const Guarded out = packed(complex128, backward);
    if (!forward.empty()) {
      EXPECT_EQ(box(in.array).lower, forward.lower);
      EXPECT_EQ(box(in.array).upper, forward.upper);
    }
    expect_transform(in, out);
    expect_transform(in, in);
  }
}

TEST(OneMklBoxes, HaveStridesOfAnyOrderAndGaps) {
  const Shape shape{6, 5, 4};
  const std::vector<Index> grid = block_grid(3, world_size());
  std::vector<std::size_t> order{0, 1, 2};
  do {
    Box box = uneven_block(shape, grid);
    box.strides.assign(3, 0);
    Index step = 2;  // a gap after every element, and after every row
    for (const std::size_t d : order) {
      box.strides[d] = step;
      step = step * std::max<Index>(1, box.upper[d] - box.lower[d]) + 1;
    }
    const Guarded in(complex128, box, step);
    if (!box.empty()) {
      EXPECT_EQ(fft::box(in.array).strides, box.strides);
    }
    expect_transform(in, packed(complex128, uneven_block(shape, grid)));
    expect_transform(in, in);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(OneMklBoxes, OnOneProcessAloneLeaveTheOthersEmpty) {
  for (int owner = 0; owner < world_size(); ++owner) {
    Box box{{4, 6}, {0, 0}, {4, 6}, {}};
    if (world_rank() != owner) box.upper = {0, 0};
    const Guarded in = packed(complex128, box);
    expect_transform(in, packed(complex128, slab_box({4, 6}, 1)));
  }
}

TEST(OneMklBoxes, ThatOverlapLeaveAGapOrBothAreRefusedAndNothingIsWritten) {
  const Shape shape{3 * world_size(), 4};
  const Box right = slab_box(shape, 0);
  std::vector<Complex> memory(40, {-7, -7});
  for (int culprit = 0; culprit < world_size(); ++culprit) {
    const auto expect = [&](const std::string& rule, Index lower, Index upper) {
      Box box = right;
      if (world_rank() == culprit) box.lower[0] += lower, box.upper[0] += upper;
      const std::string text = daptor::test::expect_refused<InvalidArgument>(
          rule, [&] { fft::describe(memory.data(), 40, box, world); });
      daptor::test::expect_same_everywhere(text);
    };
    expect("fft.coverage", 1, 0);
    expect("fft.coverage", 0, -1);
    if (world_size() == 1) continue;
    const Index towards = culprit == 0 ? 1 : -1;
    expect("fft.overlap", std::min<Index>(0, towards), std::max<Index>(0, towards));
    expect("fft.overlap", towards, towards);
  }
  EXPECT_EQ(memory, std::vector<Complex>(40, {-7, -7}));
}

TEST(OneMklBoxes, ThatAreNoProductAreTransformedByWayOfAList) {
  if (world_size() < 3) return;
  // Rank 0 has the left half, through which the others are divided.
  const Index others = world_size() - 1;
  const Shape shape{2 * others, 4};
  const Index row = 2 * (world_rank() - 1);
  const Box box = world_rank() == 0 ? Box{shape, {0, 0}, {shape[0], 2}, {}}
                                    : Box{shape, {row, 2}, {row + 2, 4}, {}};
  std::vector<Complex> memory(static_cast<std::size_t>(box.count()));
  const Whole before = field(shape, false);
  std::size_t n = 0;
  for (Index i = box.lower[0]; i < box.upper[0]; ++i)
    for (Index j = box.lower[1]; j < box.upper[1]; ++j)
      memory[n++] = before.values[static_cast<std::size_t>(4 * i + j)];
  std::string text;
  try {
    fft::describe(memory.data(), box.count(), box, world);
    ADD_FAILURE() << "nothing thrown";
  } catch (const NotRepresentable& error) {
    text = error.what();
    EXPECT_EQ(error.rule(), "fft.product");
    EXPECT_EQ(error.report().findings()[0].ranks, std::vector<int>{0});
  }
  daptor::test::expect_same_everywhere(text);
  EXPECT_NE(text.find("describe_as_list"), std::string::npos) << text;
  // The remedy that the error names.
  const DistArray list = describe_as_list(memory.data(), box.count(), box, world);
  const DistArray bricks = allocate<Complex>(of_layout(layout::blocks(), shape)).on(world);
  redistribute(list, bricks);
  Transform transform(bricks, bricks, estimated());
  transform.forward();
  expect_values(bricks, transformed(before, {0, 1}));
  redistribute(bricks, list);
  const Whole after = transformed(before, {0, 1});
  n = 0;
  for (Index i = box.lower[0]; i < box.upper[0]; ++i)
    for (Index j = box.lower[1]; j < box.upper[1]; ++j)
      EXPECT_LT(std::abs(memory[n++] - after.values[static_cast<std::size_t>(4 * i + j)]), 1e-10);
}

TEST(OneMklBatches, RunWithinTheirProcessWithTheRemainderOnTheFirst) {
  for (const Index batch : {2, 7, 8})
    for (const DataType& type : {complex128, float64}) {
      const Shape shape{batch, 4, 3};
      const Guarded in = packed(type, slab_box(shape, 0));
      const Guarded out = packed(complex128, slab_box(type == float64 ? halved(shape) : shape, 0));
      EXPECT_EQ(slab(in.array).count, with_remainder_first(batch).size());
      expect_transform(in, out, {1, 2});
      TransformOptions options = estimated();
      options.dimensions = {1, 2};
      const Transform transform(in.array, out.array, options);
      EXPECT_EQ(transform.redistributions(), 0);
      EXPECT_EQ(transform.bytes_sent(), 0);
    }
}

}  // namespace
}  // namespace daptor::fft::test
