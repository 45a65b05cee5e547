// SPDX-License-Identifier: BSD-3-Clause
// Input and output in one memory.

#include "fields.hpp"

namespace daptor::fft::test {
namespace {

TEST(InPlace, OfComplexNumbers) {
  for (const Layout& layout : {slabs(0), slabs(1), bricks(), padded(), column_major(padded()),
                               uneven(1), dealt(), reversed(), on_the_last_rank()}) {
    SCOPED_TRACE(layout.name);
    const Shape shape{6, 5, 4};
    const Section section(complex128, layout, shape);
    const Whole before = field(shape, false);
    fill(section.array, before);
    TransformOptions options;
    options.scale = Scale::backward;
    Transform transform(section.array, section.array, world, options);
    transform.forward();
    expect_values(section.array, transformed(before, {0, 1, 2}));
    transform.backward();
    expect_values(section.array, before);
    EXPECT_TRUE(section.guards_are_whole());
    EXPECT_EQ(transform.output().owned_data(), section.array.owned_data());
  }
}

TEST(InPlace, OfRealNumbersWithRoomForTheSpectrum) {
  for (const Index last : {4, 5, 1})
    for (const int divided : {0, 1}) {
      const Shape shape{6, 5, last};
      std::vector<Dimension> dimensions = of_layout(layout::slab(divided), shape);
      const RealAndSpectrum both = allocate_real_and_spectrum<double>(dimensions);
      ASSERT_EQ(both.real.data(), both.spectrum.data());
      const Whole before = field(shape, true);
      fill(both.real, before);
      TransformOptions options;
      options.scale = Scale::both;
      Transform transform(both.real, both.spectrum, world, options);
      transform.forward();
      const double count = static_cast<double>(30 * last);
      expect_values(both.spectrum, transformed(before, {0, 1, 2}, 2), 1 / std::sqrt(count));
      transform.backward();
      expect_values(both.real, before);
    }
}

TEST(InPlace, BetweenTwoLayoutsOfOneMemory) {
  const Shape shape{6, 6};
  std::vector<Complex> memory(36);
  const auto rows = daptor::describe(memory.data(), 36,
                                     {block(6, {world_size(), world_rank()}), undistributed(6)},
                                     std::vector<Index>{96, 16});
  const auto columns = daptor::describe(memory.data(), 36,
                                        {undistributed(6), block(6, {world_size(), world_rank()})},
                                        std::vector<Index>{96, 16});
  if (world_size() == 1) return;
  // Not one layout: neither may be written where the other is read.
  expect_refused_everywhere<InvalidArgument>("fft.memory",
                                             [&] { Transform(rows, columns, world); });
}

TEST(InPlace, OverlapIsRefused) {
  std::vector<Complex> memory(100);
  const std::vector<Dimension> dimensions{block(4 * world_size(), {world_size(), world_rank()}),
                                          undistributed(8)};
  const auto first = daptor::describe(memory.data(), 32, dimensions);
  const auto second = daptor::describe(memory.data() + 16, 32, dimensions);
  expect_refused_everywhere<InvalidArgument>("fft.memory",
                                             [&] { Transform(first, second, world); });
  // In one memory on one rank only.
  if (world_size() == 1) return;
  const auto other =
      daptor::describe(world_rank() == 0 ? memory.data() : memory.data() + 40, 32, dimensions);
  expect_refused_everywhere<InvalidArgument>("fft.memory", [&] { Transform(first, other, world); });
}

}  // namespace
}  // namespace daptor::fft::test
