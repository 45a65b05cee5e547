// SPDX-License-Identifier: BSD-3-Clause
// Packs, unpacks and copies random regions, and compares with a loop over their elements.

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "../support/effort.hpp"
#include "exchange/move.hpp"
#include "exchange/paired_loops.hpp"

namespace {

using namespace daptor;
using namespace daptor::detail;
using daptor::test::rounds;

constexpr std::size_t item_sizes[] = {1, 2, 3, 4, 8, 12, 16, 24, 32, 40};
constexpr auto canary = std::byte{0xA5};
constexpr Stores both_stores[] = {Stores::cached, Stores::streaming};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  Index upto(Index most) { return std::uniform_int_distribution<Index>(0, most)(engine_); }
  template <class T>
  void shuffle(std::vector<T>& list) {
    std::shuffle(list.begin(), list.end(), engine_);
  }

 private:
  std::mt19937_64 engine_;
};

/// Memory of an array of any order, with gaps and dimensions that run backwards.
struct Memory {
  Memory(const std::vector<Index>& extents, std::size_t itemsize, Random& random)
      : strides(extents.size()) {
    std::vector<std::size_t> order(extents.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    random.shuffle(order);
    auto next = static_cast<Index>(itemsize);
    for (const std::size_t d : order) {
      if (random.upto(4) == 0) next += static_cast<Index>(itemsize) * random.upto(3);
      const bool backwards = random.upto(7) == 0;
      strides[d] = backwards ? -next : next;
      if (backwards) first += next * (extents[d] - 1);
      next *= extents[d];
    }
    bytes.resize(static_cast<std::size_t>(next), canary);
  }
  std::byte* data() { return bytes.data() + first; }
  void fill(Random& random) {
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.upto(255));
  }

  std::vector<Index> strides;
  Index first = 0;
  std::vector<std::byte> bytes;
};

std::vector<Index> indices_of(const Selection& selection) {
  std::vector<Index> all;
  if (selection.is_range())
    for (Index i = 0; i < selection.count; ++i) all.push_back(selection.start + i);
  else
    selection.spans->for_each([&](IndexSpan span) {
      for (Index i = 0; i < span.count; ++i) all.push_back(span.start + i);
    });
  return all;
}

/// Byte offsets from the first element of the array to each element of the region, in its order.
std::vector<Index> offsets_of(const Region& region, const std::vector<Index>& strides) {
  std::vector<Index> offsets{0};
  for (const int d : region.order) {
    std::vector<Index> longer;
    for (const Index offset : offsets)
      for (const Index i : indices_of(region.along[static_cast<std::size_t>(d)]))
        longer.push_back(offset + i * strides[static_cast<std::size_t>(d)]);
    offsets = std::move(longer);
  }
  return offsets;
}

/// `count` of the indices [0, extent): a range, a few runs of indices, or single indices.
Selection some(Index extent, Index count, Random& random) {
  const Index way = random.upto(3);
  if (way < 2 || count == 0) return {random.upto(extent - count), count, nullptr};
  IndexSpans spans;
  Index spare = extent - count;
  Index next = 0;
  for (Index left = count; left > 0;) {
    const Index skipped = random.upto(std::min<Index>(spare, 3));
    const Index taken = way == 2 ? 1 + random.upto(std::min<Index>(left, 12) - 1) : 1;
    spans.add({next + skipped, taken});
    next += skipped + taken;
    spare -= skipped;
    left -= taken;
  }
  return Selection::of(std::move(spans));
}

/// A region of one array and one of another, with the same counts and order.
struct Case {
  Case(std::size_t size, Random& random) : itemsize(size) {
    const auto ndim = static_cast<std::size_t>(1 + random.upto(3));
    const Index most = ndim == 1 ? 300 : ndim == 2 ? 90 : 20;
    for (std::size_t d = 0; d < ndim; ++d) {
      const Index count = random.upto(9) == 0 ? 1 : 1 + random.upto(most - 1);
      extents.push_back({count + random.upto(9), count + random.upto(9)});
      one.along.push_back(some(extents[d].first, count, random));
      other.along.push_back(some(extents[d].second, count, random));
      one.order.push_back(static_cast<int>(d));
    }
    random.shuffle(one.order);
    other.order = one.order;
  }
  std::vector<Index> shape(std::size_t which) const {
    std::vector<Index> all;
    for (const auto& [first, second] : extents) all.push_back(which == 0 ? first : second);
    return all;
  }

  std::size_t itemsize;
  std::vector<std::pair<Index, Index>> extents;
  Region one, other;
};

TEST(Move, PacksAndUnpacksInTheOrderOfTheRegion) {
  Random random(1);
  for (const std::size_t size : item_sizes)
    for (int round = 0; round < rounds(100); ++round) {
      const Case of(size, random);
      Memory memory(of.shape(0), size, random);
      memory.fill(random);
      const auto offsets = offsets_of(of.one, memory.strides);
      std::vector<std::byte> expected, packed(offsets.size() * size + 1, canary);
      for (const Index offset : offsets)
        expected.insert(expected.end(), memory.data() + offset,
                        memory.data() + offset + static_cast<Index>(size));
      expected.push_back(canary);
      const MemoryRuns runs(of.one, memory.strides, size);
      EXPECT_EQ(pack(runs, memory.data(), packed.data()), &packed.back());
      ASSERT_EQ(packed, expected);

      const std::vector<std::byte> before = memory.bytes;
      for (const Stores stores : both_stores) {
        for (const Index offset : offsets)
          std::fill_n(memory.data() + offset, static_cast<Index>(size), canary);
        EXPECT_EQ(unpack(runs, packed.data(), memory.data(), stores), &packed.back());
        ASSERT_EQ(memory.bytes, before);
      }
    }
}

TEST(Move, CopiesFromOneArrayToAnother) {
  Random random(2);
  for (const std::size_t size : item_sizes)
    for (int round = 0; round < rounds(100); ++round) {
      const Case of(size, random);
      const Stores stores = both_stores[random.upto(1)];
      Memory from(of.shape(0), size, random), to(of.shape(1), size, random);
      from.fill(random);
      std::vector<std::byte> expected = to.bytes;
      const auto sources = offsets_of(of.one, from.strides);
      const auto targets = offsets_of(of.other, to.strides);
      for (std::size_t i = 0; i < sources.size(); ++i)
        std::memcpy(expected.data() + to.first + targets[i], from.data() + sources[i], size);
      const std::vector<std::byte> before = from.bytes;
      const PairedLoops loops(of.one, from.strides, of.other, to.strides, size);
      for (Index i = loops.portions(); i-- > 0;)
        loops.copy_portion(i, from.data(), to.data(), stores);
      ASSERT_EQ(to.bytes, expected);
      ASSERT_EQ(from.bytes, before);
    }
}

/// In many portions, whichever loop is divided, and with every column beginning elsewhere in a
/// cache line, or all of them at the same place in one.
template <class T>
void copies_large_arrays(Index n) {
  const auto size = static_cast<std::size_t>(n * n);
  const Index item = sizeof(T);
  std::vector<T> from(size), expected(size);
  for (std::size_t i = 0; i < size; ++i) from[i] = static_cast<T>(i + 1);
  const Region all{{{0, n, nullptr}, {0, n, nullptr}}, {0, 1}};
  const std::vector<Index> c{item * n, item}, fortran{item, item * n}, reversed{item * n, -item};
  const auto expect_copied = [&](const std::vector<Index>& strides, Index first) {
    const PairedLoops loops(all, c, all, strides, sizeof(T));
    EXPECT_GT(loops.portions(), 1);
    for (const Stores stores : both_stores)
      for (const Index shift : {0, 1, 3}) {
        std::vector<T> to(size + 8);
        loops.copy(reinterpret_cast<std::byte*>(from.data()),
                   reinterpret_cast<std::byte*>(to.data() + shift + first), stores);
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), to.begin() + shift));
        std::fill_n(to.begin() + shift, size, T());
        EXPECT_EQ(to, std::vector<T>(size + 8));
      }
  };
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      expected[static_cast<std::size_t>(j * n + i)] = from[static_cast<std::size_t>(i * n + j)];
  expect_copied(fortran, 0);
  for (Index i = 0; i < n; ++i)
    std::reverse_copy(from.begin() + i * n, from.begin() + (i + 1) * n, expected.begin() + i * n);
  expect_copied(reversed, n - 1);
}

TEST(Move, CopiesLargeArrays) {
  for (const Index n : {701, 768}) {
    copies_large_arrays<float>(n);
    copies_large_arrays<std::int64_t>(n);
    copies_large_arrays<std::complex<double>>(n);
  }
}

/// The last strip of rows has one row, which alone looks dense.
TEST(Move, CopiesOneRowBehindMany) {
  const Index rows = 257, columns = 40;
  std::vector<double> from(static_cast<std::size_t>(rows * columns));
  std::iota(from.begin(), from.end(), 1.0);
  const Region all{{{0, rows, nullptr}, {0, columns, nullptr}}, {0, 1}};
  for (const Index spacing : {1, 2, 3}) {
    std::vector<double> to(static_cast<std::size_t>(spacing * rows * columns + 1));
    const PairedLoops loops(all, {8 * columns, 8}, all, {8 * spacing, 8 * spacing * rows}, 8);
    loops.copy(reinterpret_cast<std::byte*>(from.data()),
               reinterpret_cast<std::byte*>(to.data() + 1), Stores::streaming);
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < columns; ++j)
        ASSERT_EQ(to[static_cast<std::size_t>(1 + spacing * (j * rows + i))],
                  from[static_cast<std::size_t>(i * columns + j)])
            << i << ' ' << j;
  }
}

TEST(Move, OneSelectionWithTwoStrides) {
  const Region every{{Selection::of({{0, 1}, {2, 2}, {5, 1}})}, {0}};
  const std::string from = "a.b.c.d.e.f.";
  std::string to(18, '-');
  const auto bytes = [](auto& text) { return reinterpret_cast<std::byte*>(text.data()); };
  PairedLoops(every, {2}, every, {3}, 1)
      .copy(reinterpret_cast<const std::byte*>(from.data()), bytes(to));
  EXPECT_EQ(to, "a-----c--d-----f--");
}

TEST(Move, NothingFromAnEmptyRegion) {
  const Region none{{{3, 0, nullptr}, {0, 5, nullptr}}, {0, 1}};
  std::byte from = canary, to{};
  PairedLoops(none, {8, 1}, none, {1, 8}, 1).copy(&from, &to);
  EXPECT_EQ(pack(MemoryRuns(none, {8, 1}, 1), &from, &to), &to);
  EXPECT_EQ(to, std::byte{});
}

}  // namespace
