// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/view.hpp"

#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "daptor/builders.hpp"
#include "daptor/error.hpp"
#include "for_each_index.hpp"

namespace daptor::test {
namespace {

// Constness is in the type.
static_assert(std::is_same_v<decltype(std::declval<View<double, 1>>()(0)), double&>);
static_assert(std::is_same_v<decltype(std::declval<View<const double, 1>>()(0)), const double&>);
static_assert(std::is_same_v<decltype(std::declval<const View<double, 2>>()(0, 0)), double&>,
              "a const view of elements that are not const, as a pointer has it");
static_assert(std::is_assignable_v<decltype(std::declval<View<double, 1>>()(0)), double>);
static_assert(!std::is_assignable_v<decltype(std::declval<View<const double, 1>>()(0)), double>);
static_assert(std::is_convertible_v<View<double, 3>, View<const double, 3>>);
static_assert(!std::is_convertible_v<View<const double, 3>, View<double, 3>>);
static_assert(!std::is_convertible_v<View<double, 3>, View<double, 2>>);
static_assert(!std::is_convertible_v<View<double, 1>, View<float, 1>>);
static_assert(std::is_trivially_copyable_v<View<double, 2>>);
static_assert(View<float, 5>::rank() == 5);

template <class V, std::size_t... D>
const void* address(const V& view, const std::vector<Index>& index, std::index_sequence<D...>) {
  return &view(index[D]...);
}

/// Compares the address of every element with the address by strides and padding.
template <class T, int Rank>
void expect_addresses(const Section& array) {
  constexpr auto indices = std::make_index_sequence<static_cast<std::size_t>(Rank)>();
  const auto* base = static_cast<const char*>(array.data());
  const auto all = view<const T, Rank>(array);
  const auto owned = owned_view<const T, Rank>(array);
  Index visited = 0;
  for_each_index(array.local_shape(), [&](const std::vector<Index>& index) {
    Index offset = 0;
    for (std::size_t d = 0; d < index.size(); ++d) offset += index[d] * array.byte_strides()[d];
    EXPECT_EQ(address(all, index, indices), base + offset) << array;
    ++visited;
  });
  EXPECT_EQ(visited, array.local_count()) << array;
  EXPECT_EQ(all.size(), visited) << array;

  visited = 0;
  for_each_index(array.owned_shape(), [&](const std::vector<Index>& index) {
    std::vector<Index> local = index;
    for (std::size_t d = 0; d < index.size(); ++d)
      local[d] += array.dimensions()[d].communication_padding().lower;
    EXPECT_EQ(address(owned, index, indices), address(all, local, indices)) << array;
    ++visited;
  });
  EXPECT_EQ(visited, array.owned_count()) << array;
  for (int d = 0; d < Rank; ++d) {
    EXPECT_EQ(all.extent(d), array.local_shape()[static_cast<std::size_t>(d)]);
    EXPECT_EQ(owned.extent(d), array.owned_shape()[static_cast<std::size_t>(d)]);
    EXPECT_EQ(all.byte_stride(d), owned.byte_stride(d));
  }
}

TEST(View, FindsEveryElementInEitherOrder) {
  std::vector<double> memory(2 * 3 * 4 * 5 * 2);
  const Dimension b = block(11, {3, 1});
  for (const Order order : {Order::c, Order::fortran}) {
    expect_addresses<double, 1>(describe(memory.data(), {b}, order));
    expect_addresses<double, 2>(describe(memory.data(), {b, undistributed(5)}, order));
    expect_addresses<double, 3>(
        describe(memory.data(), {undistributed(3), b, undistributed(2)}, order));
    expect_addresses<double, 5>(describe(
        memory.data(),
        {undistributed(2), b, cyclic(7, {2, 0}, 2), undistributed(1), undistributed(2)}, order));
  }
}

TEST(View, FindsEveryElementOfEveryDistribution) {
  std::vector<float> memory(200);
  for (Index size = 1; size <= 4; ++size) {
    for (Index rank = 0; rank < size; ++rank) {
      const GridPosition grid{size, rank};
      const Padding width{size > 1 ? 2 : 0, size > 1 ? 1 : 0};
      expect_addresses<float, 1>(describe(memory.data(), {cyclic(13, grid, 2)}));
      expect_addresses<float, 1>(describe(
          memory.data(), {unstructured(9, grid, IndexList(std::vector<Index>{5, -2, 7}))}));
      expect_addresses<float, 1>(
          describe(memory.data(), {block(20, grid, BlockPadding{width, {1, 1}, false})}));
      expect_addresses<float, 2>(describe(
          memory.data(),
          {block(20, grid, BlockPadding{{2, 3}, {}, true}), block(6, {2, 1}, BlockPadding{})}));
      expect_addresses<float, 2>(describe(memory.data(),
                                          {block(8, grid, BlockPadding{{1, 1}, {}, true}),
                                           block(9, {3, 1}, BlockPadding{{2, 1}, {}, false})},
                                          Order::fortran));
    }
  }
}

TEST(View, FindsEveryElementAtAnyStride) {
  alignas(16) std::array<char, 4096> memory{};
  void* const middle = memory.data() + memory.size() / 2;
  const DataType type = DataType::of<double>();
  const Dimension padded = block(8, {2, 0}, BlockPadding{{1, 1}, {}, true});
  for (const std::vector<Index>& strides : {std::vector<Index>{24, 8},
                                            {8, 48},
                                            {-24, 8},
                                            {24, -8},
                                            {-64, -16},
                                            {0, 8},
                                            {56, 0},
                                            {-8, -48}}) {
    expect_addresses<double, 2>(describe(type, middle, {padded, undistributed(3)}, strides));
    expect_addresses<double, 2>(describe(type, middle, {undistributed(6), padded}, strides));
  }
}

TEST(View, HasNoDimensionsForAScalar) {
  double element = 2.5;
  const Section array = describe(&element, {});
  const auto scalar = view<double, 0>(array);
  EXPECT_EQ(&scalar(), &element);
  EXPECT_EQ(scalar.size(), 1);
  EXPECT_EQ((&owned_view<double, 0>(array)()), &element);
}

TEST(View, OfAnEmptySectionHasNoElements) {
  const Section array = describe(DataType::of<double>(), nullptr, {block(0, {1, 0})});
  EXPECT_EQ((view<double, 1>(array).size()), 0);
  EXPECT_EQ((owned_view<double, 1>(array).extent(0)), 0);
}

TEST(View, OfAFlatBufferHasTheArraysDimensions) {
  std::vector<double> row(10);
  const Section flat(protocol_0_9, Buffer(DataType::of<double>(), {10}, {8}, row.data()),
                     {block(2, {2, 0}), undistributed(10)});
  expect_addresses<double, 2>(flat);
}

TEST(View, WritesReachTheMemory) {
  std::vector<std::complex<double>> memory(6);
  const Section array = describe(memory.data(), {undistributed(2), undistributed(3)});
  const auto written = view<std::complex<double>, 2>(array);
  written(1, 2) = {1, -1};
  EXPECT_EQ(memory[5], std::complex<double>(1, -1));
  const View<const std::complex<double>, 2> read = written;
  EXPECT_EQ(&read(1, 2), &memory[5]);
}

TEST(View, TakesAnyIntegerAsIndex) {
  std::vector<int> memory = {1, 2, 3, 4, 5, 6};
  const Section array = describe(memory.data(), {undistributed(2), undistributed(3)});
  const auto matrix = view<int, 2>(array);
  EXPECT_EQ(matrix(short{1}, std::size_t{2}), 6);
  EXPECT_EQ(matrix(Index{0}, 1U), 2);
}

/// The rule that refuses `body`; empty if none does.
template <class F>
std::string refusal(F&& body) {
  try {
    body();
  } catch (const InvalidArgument& error) {
    EXPECT_FALSE(error.finding().found.empty());
    EXPECT_FALSE(error.finding().expected.empty());
    EXPECT_FALSE(error.finding().remedy.empty());
    return error.rule();
  }
  return {};
}

TEST(ViewRefuses, AnotherNumberOfDimensions) {
  std::vector<double> memory(6);
  const Section array = describe(memory.data(), {undistributed(2), undistributed(3)});
  EXPECT_EQ(refusal([&] { view<double, 1>(array); }), "view.rank");
  EXPECT_EQ(refusal([&] { view<double, 3>(array); }), "view.rank");
  EXPECT_EQ(refusal([&] { owned_view<double, 0>(array); }), "view.rank");
  EXPECT_EQ(refusal([&] { view<double, 2>(array); }), "");
}

TEST(ViewRefuses, AnotherElementType) {
  std::vector<std::int64_t> memory(6);
  const Section array = describe(memory.data(), {undistributed(6)});
  EXPECT_EQ(refusal([&] { view<double, 1>(array); }), "view.type");
  EXPECT_EQ(refusal([&] { view<std::uint64_t, 1>(array); }), "view.type");
  EXPECT_EQ(refusal([&] { view<const std::int32_t, 1>(array); }), "view.type");
  EXPECT_EQ(refusal([&] { view<std::complex<float>, 1>(array); }), "view.type");
  EXPECT_EQ(refusal([&] { view<long long, 1>(array); }), "") << "another spelling of 64 bits";
}

TEST(ViewRefuses, AnotherByteOrder) {
  std::vector<double> memory(6);
  const ByteOrder other =
      native_byte_order() == ByteOrder::little ? ByteOrder::big : ByteOrder::little;
  const DataType swapped(Kind::floating, 8, other);
  const Section array = describe(swapped, memory.data(), {undistributed(6)});
  EXPECT_EQ(refusal([&] { view<const double, 1>(array); }), "view.byte-order");
  EXPECT_EQ(refusal([&] { view<const float, 1>(array); }), "view.type");
  const DataType byte(Kind::unsigned_integer, 1, other);
  const Section bytes = describe(byte, memory.data(), {undistributed(6)});
  EXPECT_EQ(refusal([&] { view<unsigned char, 1>(bytes); }), "") << "one byte has no order";
}

TEST(ViewRefuses, ToWriteWhatIsReadOnly) {
  std::vector<double> memory(6);
  const Section array = describe(memory.data(), {undistributed(6)}).as_readonly();
  EXPECT_EQ(refusal([&] { view<double, 1>(array); }), "view.readonly");
  EXPECT_EQ(refusal([&] { owned_view<double, 1>(array); }), "view.readonly");
  EXPECT_EQ(refusal([&] { view<const double, 1>(array); }), "");
  const std::vector<double> constant(6);
  const Section described = describe(constant.data(), {undistributed(6)});
  EXPECT_EQ(refusal([&] { view<double, 1>(described); }), "view.readonly");
  EXPECT_EQ((view<const double, 1>(described).data()), constant.data());
}

TEST(ViewRefuses, ElementsThatAreNotAligned) {
  alignas(16) std::array<char, 256> memory{};
  const DataType type = DataType::of<double>();
  const auto refused = [&](std::ptrdiff_t offset, Index extent, Index stride) {
    const Section array =
        describe(type, memory.data() + offset, {undistributed(extent)}, std::vector<Index>{stride});
    return refusal([&] { view<const double, 1>(array); });
  };
  EXPECT_EQ(refused(0, 4, 16), "");
  EXPECT_EQ(refused(4, 4, 8), "view.alignment");
  EXPECT_EQ(refused(0, 4, 12), "view.alignment");
  EXPECT_EQ(refused(64, 4, -9), "view.alignment");
  EXPECT_EQ(refused(0, 1, 12), "") << "a stride that is never taken";
  EXPECT_EQ(refused(4, 0, 8), "") << "an element that is not there";
}

TEST(ViewRefuses, MemoryThatIsNotThere) {
  const Section array = describe(DataType::of<double>(), nullptr, {block(1, {1, 0})});
  EXPECT_EQ(refusal([&] { view<double, 1>(array); }), "view.memory");
}

TEST(ViewRefuses, MemoryThatTheHostCannotReach) {
  std::vector<double> memory(6);
  const Buffer buffer(DataType::of<double>(), {6}, {8}, memory.data(), false, nullptr,
                      MemorySpace{2, 0});
  const Section array(protocol_0_9, buffer, {undistributed(6)});
  EXPECT_EQ(refusal([&] { view<const double, 1>(array); }), "view.device");
}

#if defined(__cpp_lib_mdspan)
TEST(View, IsAnMdspan) {
  std::vector<double> memory(24);
  const Section array =
      describe(memory.data(), {undistributed(4), undistributed(6)}, Order::fortran);
  const auto matrix = view<double, 2>(array);
  const auto span = matrix.mdspan();
  EXPECT_EQ((&span[1, 2]), &matrix(1, 2));
}
#endif

}  // namespace
}  // namespace daptor::test
