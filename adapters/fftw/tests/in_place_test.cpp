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
    const Guarded section(complex128, layout, shape);
    const Whole before = field(shape, false);
    fill(section.array, before);
    TransformOptions options;
    options.scale = Scale::backward;
    Transform transform(section.array, section.array, options);
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
      Transform transform(both.real.on(world), both.spectrum.on(world), options);
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
  const DistArray rows =
      daptor::describe(memory.data(), 36,
                       {block(6, {world_size(), world_rank()}), undistributed(6)},
                       std::vector<Index>{96, 16})
          .on(world);
  const DistArray columns =
      daptor::describe(memory.data(), 36,
                       {undistributed(6), block(6, {world_size(), world_rank()})},
                       std::vector<Index>{96, 16})
          .on(world);
  if (world_size() == 1) return;
  // Not one layout: neither may be written where the other is read.
  expect_refused_everywhere<InvalidArgument>("fft.memory", [&] { Transform(rows, columns); });
}

/// There and back between arrays that share no element.
void expect_transform(const DistArray& in, const DistArray& out, int halved) {
  const Whole before = field(in.global_shape(), halved >= 0);
  fill(in, before);
  TransformOptions options;
  options.scale = Scale::backward;
  Transform transform(in, out, options);
  transform.forward();
  expect_values(out, transformed(before, {0, 1}, halved));
  expect_values(in, before);
  fill(in, Whole(in.global_shape()));
  transform.backward();
  expect_values(in, before);
}

/// Three rows of two columns on each rank.
std::vector<Dimension> three_rows() {
  return {block(3 * world_size(), {world_size(), world_rank()}), undistributed(2)};
}

TEST(InPlace, ArraysThatInterleaveAreApart) {
  std::vector<Complex> memory(64);
  Complex* const first = memory.data();
  const auto at = [](Complex* start, const std::vector<Index>& strides) {
    return daptor::describe(start, three_rows(), strides).on(world);
  };
  expect_transform(at(first, {64, 32}), at(first + 1, {64, 32}), -1);  // every second number
  expect_transform(at(first, {64, 16}), at(first + 2, {64, 16}), -1);  // the columns of others
  expect_transform(at(first, {64, 32}), at(first + 1, {128, 32}), -1);
  // The second number of one row is the first one of another.
  expect_refused_everywhere<InvalidArgument>("fft.memory", [&] {
    Transform(at(first, {64, 16}), at(first + 1, {64, 48}));
  });
}

TEST(InPlace, FieldsOfARecordAreApart) {
  struct Record {
    double value, other, real, imaginary;
  };
  std::vector<Record> records(6);
  const std::vector<Index> strides{2 * sizeof(Record), sizeof(Record)};
  expect_transform(daptor::describe(&records[0].value, three_rows(), strides).on(world),
                   daptor::describe(complex128, &records[0].real, three_rows(), strides).on(world),
                   1);
}

TEST(InPlace, ElementsBetweenOthersOfTheirArrayAreApart) {
  // Numbers 0, 2, 4 of memory are one column, 3, 5, 7 the other.
  std::vector<Complex> memory(8);
  const DistArray a =
      daptor::describe(memory.data(), three_rows(), std::vector<Index>{32, 48}).on(world);
  const DistArray b = allocate<Complex>(three_rows()).on(world);
  expect_transform(a, b, -1);
  expect_transform(b, a, -1);
}

TEST(InPlace, OverlapIsRefused) {
  std::vector<Complex> memory(100);
  const std::vector<Dimension> dimensions{block(4 * world_size(), {world_size(), world_rank()}),
                                          undistributed(8)};
  const DistArray first = daptor::describe(memory.data(), 32, dimensions).on(world);
  const DistArray second = daptor::describe(memory.data() + 16, 32, dimensions).on(world);
  expect_refused_everywhere<InvalidArgument>("fft.memory", [&] { Transform(first, second); });
  // In one memory on one rank only.
  if (world_size() == 1) return;
  const DistArray other =
      daptor::describe(world_rank() == 0 ? memory.data() : memory.data() + 40, 32, dimensions)
          .on(world);
  expect_refused_everywhere<InvalidArgument>("fft.memory", [&] { Transform(first, other); });
}

}  // namespace
}  // namespace daptor::fft::test
