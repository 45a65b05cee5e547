// SPDX-License-Identifier: BSD-3-Clause
// The house's one test of overlap, against the set of all bytes of every element.

#include <daptor/adapter/share_memory.hpp>
#include <daptor/daptor.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace {

using namespace daptor;
using adapter::elements_share_memory;
using adapter::SectionPart;
using adapter::share_memory;

constexpr int bytes_of_memory = 1 << 16;
std::byte pool[bytes_of_memory];

/// The bytes of all elements, each as often as elements have it.
std::multiset<Index> bytes_of(const Section& array) {
  std::vector<Index> starts{static_cast<const std::byte*>(array.data()) - pool};
  for (std::size_t d = 0; d < array.local_shape().size(); ++d) {
    std::vector<Index> next;
    for (const Index start : starts)
      for (Index i = 0; i < array.local_shape()[d]; ++i)
        next.push_back(start + i * array.byte_strides()[d]);
    starts = std::move(next);
  }
  std::multiset<Index> bytes;
  for (const Index start : starts)
    for (std::size_t i = 0; i < array.type().itemsize(); ++i)
      bytes.insert(start + static_cast<Index>(i));
  return bytes;
}

bool really_share(const Section& a, const Section& b) {
  const std::multiset<Index> of_a = bytes_of(a);
  for (const Index byte : bytes_of(b))
    if (of_a.count(byte) > 0) return true;
  return false;
}

bool really_overlaps_itself(const Section& array) {
  const std::multiset<Index> bytes = bytes_of(array);
  for (const Index byte : bytes)
    if (bytes.count(byte) > 1) return true;
  return false;
}

/// Up to three dimensions of up to four indices, with strides in both directions.
Section random_array(std::mt19937& random) {
  const auto below = [&](int end) {
    return static_cast<Index>(random() % static_cast<unsigned>(end));
  };
  const DataType types[] = {DataType::of<unsigned char>(), DataType::of<float>(),
                            DataType::of<double>(), DataType::of<std::complex<double>>()};
  const DataType type = types[below(4)];
  const auto item = static_cast<Index>(type.itemsize());
  std::vector<Dimension> dimensions;
  std::vector<Index> strides;
  Index step = item;
  for (Index d = below(4); d > 0; --d) {
    const Index size = below(30) == 0 ? 0 : 1 + below(4);
    dimensions.push_back(undistributed(size));
    // Often those of a part of an array, sometimes any.
    step *= 1 + below(3);
    const Index any = below(8) == 0 ? 0 : item + below(9) * item / 2;
    strides.push_back((below(4) == 0 ? any : step) * (below(4) == 0 ? -1 : 1));
    step *= size + (size == 0 ? 1 : 0);
  }
  return describe(type, pool + bytes_of_memory / 2 + below(12) * item / 2, dimensions, strides);
}

TEST(ShareMemory, IsExact) {
  std::mt19937 random(5);
  int sharing = 0, interleaved = 0;
  for (int i = 0; i < 6000; ++i) {
    const Section a = random_array(random), b = random_array(random);
    const bool share = really_share(a, b);
    ASSERT_EQ(share_memory(a, b), share) << i;
    ASSERT_EQ(share_memory(b, a), share) << i;
    ASSERT_EQ(elements_share_memory(a), really_overlaps_itself(a)) << i;
    sharing += share ? 1 : 0;
    if (share || a.local_count() == 0 || b.local_count() == 0) continue;
    const std::multiset<Index> of_a = bytes_of(a), of_b = bytes_of(b);
    interleaved += *of_a.begin() < *of_b.rbegin() && *of_b.begin() < *of_a.rbegin() ? 1 : 0;
  }
  // All kinds of pairs were among them.
  EXPECT_GT(sharing, 300);
  EXPECT_GT(interleaved, 300);
}

TEST(ShareMemory, OfOwnedElementsLeavesOutPadding) {
  const auto data = reinterpret_cast<double*>(pool);
  const auto padded = [&](double* start) {
    return describe(start, {block(4, {1, 0}, BlockPadding({1, 1}, {}, true))});
  };
  const Section a = padded(data), near = padded(data + 5), nearer = padded(data + 4),
                over = padded(data + 3);
  EXPECT_TRUE(share_memory(a, near));
  EXPECT_FALSE(share_memory(a, near, SectionPart::owned));
  EXPECT_FALSE(share_memory(a, nearer, SectionPart::owned));
  EXPECT_TRUE(share_memory(a, over, SectionPart::owned));
  // Rows whose padding is that of the next row.
  const std::vector<Dimension> dimensions{undistributed(3),
                                          block(4, {1, 0}, BlockPadding({1, 1}, {}, true))};
  const Section window = describe(data, dimensions, std::vector<Index>{32, 8});
  EXPECT_TRUE(elements_share_memory(window));
  EXPECT_FALSE(elements_share_memory(window, SectionPart::owned));
}

TEST(ShareMemory, OfLargeArraysIsFoundInTime) {
  // Even and odd numbers of matrices with a thousand million elements: nothing is looked at.
  const std::vector<Dimension> dimensions{undistributed(1 << 15), undistributed(1 << 15)};
  const std::vector<Index> strides{Index{16} << 15, 16};
  const auto data = reinterpret_cast<double*>(pool);
  const Section even = describe(data, dimensions, strides);
  EXPECT_FALSE(share_memory(even, describe(data + 1, dimensions, strides)));
  EXPECT_TRUE(share_memory(even, describe(data + 2, dimensions, strides)));
  EXPECT_FALSE(elements_share_memory(even));
}

}  // namespace
