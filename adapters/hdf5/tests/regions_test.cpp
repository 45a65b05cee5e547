// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of what is written where, with numbers that no memory holds.

#include "../src/regions.hpp"

#include <gtest/gtest.h>

#include "daptor/dimension.hpp"

namespace daptor::hdf5::test {
namespace {

using detail::make_stages;
using detail::memory_region;
using detail::Stages;
using Shape = std::vector<Index>;

void expect_region(const Shape& shape, const Shape& strides, std::size_t itemsize,
                   const Shape& extent, const Shape& count, Index step = 1) {
  const auto region = memory_region(shape, strides, itemsize);
  ASSERT_TRUE(region.has_value());
  EXPECT_EQ(region->extent, extent);
  EXPECT_EQ(region->count, count);
  EXPECT_EQ(region->step, step);
}

TEST(MemoryRegion, IsWhatTheStridesSay) {
  expect_region({4}, {8}, 8, {4}, {4});
  expect_region({4}, {24}, 8, {10}, {4}, 3);
  expect_region({4, 3}, {40, 8}, 8, {4, 5}, {4, 3});
  expect_region({4, 3}, {80, 16}, 8, {4, 10}, {4, 3}, 2);
  expect_region({2, 4, 3}, {240, 40, 8}, 8, {2, 6, 5}, {2, 4, 3});
  // Strides of a single index mean nothing.
  expect_region({1, 3}, {7, 8}, 8, {3}, {3});
  expect_region({4, 1}, {24, 1}, 8, {10}, {4}, 3);
  expect_region({1, 1}, {0, -3}, 8, {1}, {1});
  expect_region({}, {}, 8, {1}, {1});
  expect_region({0, 3}, {24, 8}, 8, {0}, {0});
}

TEST(MemoryRegion, IsNoneForOtherOrders) {
  EXPECT_FALSE(memory_region({4, 3}, {8, 32}, 8));              // Fortran order
  EXPECT_FALSE(memory_region({4}, {-8}, 8));                    // backwards
  EXPECT_FALSE(memory_region({4}, {0}, 8));                     // one element for all
  EXPECT_FALSE(memory_region({4}, {12}, 8));                    // no whole elements
  EXPECT_FALSE(memory_region({4, 3}, {16, 8}, 8));              // rows that overlap
  EXPECT_FALSE(memory_region({2, 3}, {24, 16}, 8));             // rows that interleave
  EXPECT_FALSE(memory_region({2, 4, 3}, {100 * 8, 24, 8}, 8));  // no whole rows
}

TEST(MemoryRegion, OfMoreElementsThan32BitsCount) {
  const Index many = (Index{1} << 33) + 5;
  expect_region({many}, {1}, 1, {many}, {many});
  expect_region({3, many}, {2 * many, 1}, 1, {3, 2 * many}, {3, many});
  expect_region({many, 3}, {4 * 16, 16}, 16, {many, 4}, {many, 3});
}

/// All stages and the parts of all processes, one after the other, are the whole dimension.
void expect_complete(const Stages& stages, Index size) {
  EXPECT_EQ(stages.size, size);
  EXPECT_EQ(stages.stage(0).start, 0);
  for (Index number = 1; number < stages.count; ++number)
    ASSERT_EQ(stages.stage(number).start, stages.stage(number - 1).stop);
  EXPECT_EQ(stages.stage(stages.count - 1).stop, size);
}

TEST(Stages, FitTheMemory) {
  const Stages one = make_stages({100, 10}, 8, 4, 1 << 20);
  EXPECT_EQ(one.dimension, 0);
  EXPECT_EQ(one.count, 1);
  const Stages some = make_stages({100, 10}, 8, 4, 800);  // 10 rows on each of 4 processes
  EXPECT_EQ(some.count, 3);
  expect_complete(some, 100);
  const Stages least = make_stages({100, 10}, 8, 4, 1);
  EXPECT_EQ(least.stage_size, 4);
  expect_complete(least, 100);
}

TEST(Stages, DivideADimensionThatIsLongEnough) {
  EXPECT_EQ(make_stages({3, 100}, 8, 4, 1 << 20).dimension, 1);
  EXPECT_EQ(make_stages({3, 2}, 8, 4, 1 << 20).dimension, 0);
  EXPECT_EQ(make_stages({2, 3}, 8, 4, 1 << 20).dimension, 1);
  EXPECT_EQ(make_stages({}, 8, 1, 1 << 20).count, 1);
  EXPECT_EQ(make_stages({5, 0}, 8, 2, 1 << 20).count, 0);
}

TEST(Stages, OfMoreElementsThan32BitsCount) {
  const Index many = (Index{1} << 34) + 3;
  const Stages line = make_stages({many}, 8, 1000, Index{128} << 20);
  EXPECT_EQ(line.stage_size, std::min<Index>(many, (Index{16} << 20) * 1000));
  expect_complete(line, many);
  const IndexRange last = even_block(line.stage(line.count - 1).size(), {1000, 999});
  EXPECT_EQ(line.stage(line.count - 1).start + last.stop, many);
  const Stages plane = make_stages({many, many}, 16, 7, Index{128} << 20);
  EXPECT_EQ(plane.stage_size, 7);  // a row alone is larger than the memory
  EXPECT_EQ(plane.count, (many - 1) / 7 + 1);
  EXPECT_EQ(plane.stage(plane.count - 1).stop, many);
}

}  // namespace
}  // namespace daptor::hdf5::test
