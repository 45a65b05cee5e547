// SPDX-License-Identifier: BSD-3-Clause
#include "arrays.hpp"
#include "daptor/block_dimensions.hpp"

namespace daptor::fft::test {
namespace {

TEST(Box, HasCornersAndStridesOfBlocks) {
  // Rows 2 and 3 of 4 x 6 on the second of two processes, with a ghost cell on each side of a row.
  const Section a = daptor::describe(
      complex128, nullptr, {block(4, {2, 1}), block(6, {1, 0}, BlockPadding({1, 1}, {}, true))});
  const Box found = box(a);
  EXPECT_EQ(found, (Box{{4, 6}, {2, 0}, {4, 6}, {8, 1}}));
  EXPECT_EQ(found.extents(), (Shape{2, 6}));
  EXPECT_EQ(found.count(), 12);
  EXPECT_EQ(found.high(), (Shape{3, 5}));
  EXPECT_EQ(found.order(), (Ints{1, 0}));
  EXPECT_FALSE(found.packed());
}

TEST(Box, BeginsAtTheFirstOwnedElement) {
  BlockOptions options;
  options.communication = {{1, 1}, {2, 2}};
  const Section a = allocate<Complex>(block_dimensions({2 * world_size(), 6}, world, options));
  const Box found = box(a);
  EXPECT_EQ(found.extents(), a.owned_shape());
  const LocalIndexMap map(a);
  for (int d = 0; d < 2; ++d) {
    const auto i = static_cast<std::size_t>(d);
    EXPECT_EQ(found.lower[i], map.dimension(d).global_of(map.dimension(d).owned_offset()));
    EXPECT_EQ(found.strides[i] * 16, a.byte_strides()[i]);
  }
}

TEST(Box, OrderIsFromTheFastestDimension) {
  const auto order = [](const Shape& strides, const Shape& extents = {2, 3, 4}) {
    return Box{extents, {0, 0, 0}, extents, strides}.order();
  };
  EXPECT_EQ(order({12, 4, 1}), (Ints{2, 1, 0}));
  EXPECT_EQ(order({1, 2, 6}), (Ints{0, 1, 2}));
  EXPECT_EQ(order({3, 1, 6}), (Ints{1, 0, 2}));
  EXPECT_EQ(order({}), (Ints{2, 1, 0}));
  // A dimension of one index is where row-major order has it, whatever its stride is.
  EXPECT_EQ(order({7, 4, 1}, {1, 3, 4}), (Ints{2, 1, 0}));
  EXPECT_EQ(order({1, 99, 2}, {2, 1, 4}), (Ints{0, 1, 2}));
}

TEST(Box, PackedInAnyOrder) {
  const auto packed = [](const Shape& strides, const Shape& extents) {
    return Box{extents, Shape(extents.size()), extents, strides}.packed();
  };
  EXPECT_TRUE(packed({12, 4, 1}, {2, 3, 4}));
  EXPECT_TRUE(packed({1, 2, 6}, {2, 3, 4}));
  EXPECT_TRUE(packed({}, {2, 3}));
  EXPECT_TRUE(packed({99, 4, 1}, {1, 3, 4}));
  EXPECT_TRUE(packed({5, 5, 5}, {0, 3, 4}));
  EXPECT_FALSE(packed({15, 5, 1}, {2, 3, 4}));
  EXPECT_FALSE(packed({24, 8, 2}, {2, 3, 4}));
}

TEST(Box, OfOneBlockOfACyclicDimension) {
  // Whole blocks of FFTW-MPI's slabs: ceil(10 / 3) each.
  EXPECT_EQ(box(daptor::describe(complex128, nullptr, {cyclic(10, {3, 2}, 4)})).lower, Shape{8});
  EXPECT_EQ(box(daptor::describe(complex128, nullptr, {cyclic(10, {3, 2}, 4)})).upper, Shape{10});
  const Box none = box(daptor::describe(complex128, nullptr, {cyclic(10, {4, 3}, 4)}));
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.high(), Shape{9});
  EXPECT_EQ(box(daptor::describe(complex128, nullptr, {cyclic(10, {1, 0}, 2)})).upper, Shape{10});
}

TEST(Box, RefusesWhatIsNoRange) {
  expect_refused<NotRepresentable>("fft.division", [] {
    box(daptor::describe(complex128, nullptr, {undistributed(2), cyclic(10, {3, 0}, 2)}));
  });
  expect_refused<NotRepresentable>("fft.division", [] {
    box(daptor::describe(complex128, nullptr, {unstructured(3, {1, 0}, IndexList({0, 1, 2}))}));
  });
  std::vector<std::byte> memory(400);
  expect_refused<NotRepresentable>("fft.strides", [&] {
    box(daptor::describe(complex128, memory.data(), 20, {undistributed(2)}, {20}));
  });
  expect_refused("array.empty", [] { box(Section()); });
}

TEST(ComplexView, OfPairsInALastDimension) {
  std::vector<double> memory(static_cast<std::size_t>(2 * 3 * 2));
  const Section pairs = daptor::describe(
      memory, {block(2 * world_size(), line()), undistributed(3), undistributed(2)});
  const Section a = complex_view(pairs);
  ASSERT_TRUE(a.described());
  EXPECT_EQ(a.type(), complex128);
  EXPECT_EQ(a.global_shape(), (Shape{2 * world_size(), 3}));
  EXPECT_EQ(a.data(), memory.data());
  EXPECT_EQ(a.byte_strides(), (Shape{48, 16}));
  EXPECT_TRUE(validate(a, world));
  EXPECT_EQ(complex_view(a), a);
  EXPECT_TRUE(complex_view(pairs.as_readonly()).readonly());
}

TEST(ComplexView, OfPairsInTheFastestDimension) {
  // In C the last, in Fortran the first dimension is twice as long.
  for (const Order order : {Order::c, Order::fortran}) {
    const Dimension doubled =
        block(6 * world_size(), line(), {6 * world_rank(), 6 * world_rank() + 6});
    const std::vector<Dimension> dimensions =
        order == Order::c ? std::vector<Dimension>{undistributed(5), doubled}
                          : std::vector<Dimension>{doubled, undistributed(5)};
    const Section a = complex_view(allocate<double>(dimensions, order));
    ASSERT_TRUE(a.described());
    const std::size_t d = order == Order::c ? 1 : 0;
    EXPECT_EQ(a.global_shape()[d], 3 * world_size());
    EXPECT_EQ(a.byte_strides()[d], 16);
    EXPECT_EQ(a.byte_strides()[1 - d], 48);
    EXPECT_EQ(box(a).lower[d], 3 * world_rank());
    EXPECT_TRUE(validate(a, world));
  }
}

TEST(ComplexView, RefusesHalfAPair) {
  const auto refuse = [](const Section& a) {
    expect_refused<InvalidArgument>("fft.pairs", [&] { complex_view(a).defect().raise(); });
  };
  refuse(allocate<double>({undistributed(3), undistributed(5)}));
  refuse(daptor::describe(float64, nullptr, {undistributed(2), block(6, {2, 0}, {0, 3})}));
  refuse(allocate<int>({undistributed(4)}));
  refuse(allocate<double>({cyclic(8, {2, 0}, 2)}));
  // A list may have the two parts in another order.
  refuse(allocate<double>({undistributed(3), unstructured(2, {1, 0}, IndexList({1, 0}), true)}));
  std::vector<double> memory(100);
  refuse(daptor::describe(memory.data(), 100, {undistributed(4), undistributed(4)},
                          std::vector<Index>{80, 16}));
  // On one rank only: all ranks learn of it.
  if (world_size() == 1) return;
  const Index cut = world_rank() == 0 ? 0 : 2 * world_rank() + 1;
  const Index next = world_rank() + 1 == world_size() ? 2 * world_size() : 2 * world_rank() + 3;
  const DistArray a = allocate<double>({block(2 * world_size(), line(), {cut, next})}).on(world);
  expect_refused_everywhere<InvalidArgument>("fft.pairs", [&] { slab(complex_view(a)); });
}

TEST(RealAndSpectrum, ShareRowsWithRoomForTheSpectrum) {
  for (const Index last : {1, 4, 5}) {
    const std::vector<Dimension> dimensions{block(3 * world_size(), line()), undistributed(2),
                                            undistributed(last)};
    const Index pitch = 2 * (last / 2 + 1);
    EXPECT_EQ(real_and_spectrum_count(dimensions), 3 * 2 * pitch);
    const RealAndSpectrum both = allocate_real_and_spectrum<float>(dimensions);
    EXPECT_EQ(both.real.data(), both.spectrum.data());
    EXPECT_EQ(both.real.byte_strides(), (Shape{2 * pitch * 4, pitch * 4, 4}));
    EXPECT_EQ(both.spectrum.global_shape(), (Shape{3 * world_size(), 2, last / 2 + 1}));
    EXPECT_EQ(both.spectrum.byte_strides(), (Shape{2 * pitch * 4, pitch * 4, 8}));
    EXPECT_TRUE(validate(both.real, world));
    EXPECT_TRUE(validate(both.spectrum, world));
    EXPECT_EQ(slab(both.real.on(world)).row_pitch, last == 1 && pitch == 1 ? 1 : pitch);
  }
}

void refuse(const std::string& rule, const RealAndSpectrum& both) {
  expect_refused<InvalidArgument>(rule, [&] { both.real.defect().raise(); });
  expect_refused<InvalidArgument>(rule, [&] { both.spectrum.defect().raise(); });
}

TEST(RealAndSpectrum, TheLastDimensionIsUndividedInPlace) {
  std::vector<double> memory(100);
  const Dimension halves = block(4, {2, 0});
  refuse("fft.last", real_and_spectrum(memory.data(), 100, {undistributed(4), halves}));
  refuse("fft.last", real_and_spectrum(memory.data(), 100, {}));
  // Whatever the word for it, a dimension that one process has is whole.
  for (const Dimension& whole : {block(5, {1, 0}), cyclic(5, {1, 0}, 2)}) {
    const RealAndSpectrum both = real_and_spectrum(memory.data(), 100, {halves, whole});
    EXPECT_EQ(both.real.byte_strides()[0], 6 * 8);
    EXPECT_EQ(both.spectrum.local_shape(), (std::vector<Index>{2, 3}));
  }
  refuse("fft.last",
         real_and_spectrum(memory.data(), 100,
                           {undistributed(4), unstructured(2, {1, 0}, IndexList({1, 0}))}));
  // The remedy: other dimensions may be divided.
  EXPECT_TRUE(real_and_spectrum(memory.data(), 100, {halves, undistributed(4)}).real.described());
}

TEST(RealAndSpectrum, RefuseTooLittleMemoryAndPadding) {
  std::vector<double> memory(100);
  refuse("fft.capacity",
         real_and_spectrum(memory.data(), 23, {undistributed(4), undistributed(5)}));
  EXPECT_TRUE(
      real_and_spectrum(memory.data(), 24, {undistributed(4), undistributed(5)}).real.described());
  refuse("fft.gaps",
         real_and_spectrum(memory.data(), 100,
                           {block(4, {1, 0}, BlockPadding({1, 1}, {}, true)), undistributed(4)}));
  refuse("fft.type", real_and_spectrum(complex128, memory.data(), 100, {undistributed(4)}));
}

}  // namespace
}  // namespace daptor::fft::test
