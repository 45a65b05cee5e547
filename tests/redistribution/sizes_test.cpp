// SPDX-License-Identifier: BSD-3-Clause
// Nothing costs more than the elements and the processes that there are: not by the size of a
// dimension, of which a list may have a few indices, and not by the square of the number of arrays.
// What did would not end, or would find no memory.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "daptor/daptor.hpp"
#include "effort.hpp"
#include "everywhere.hpp"

namespace daptor {
namespace {

using test::expect_refused_everywhere;
using test::world_rank;
using test::world_size;

/// Two elements of a byte for each index can just be counted.
constexpr Index huge = Index{1} << 61;

const Comm& world() {
  static const Comm comm(MPI_COMM_WORLD);
  return comm;
}

GridPosition line() {
  return {world_size(), world_rank()};
}

/// Four indices of each process, far apart.
IndexList four_of(int rank) {
  const Index first = huge / world_size() * rank;
  return IndexList(std::vector<Index>{first, first + 1, first + 7, first + 1000});
}

DistArray list_by(std::vector<Dimension> others) {
  others.insert(others.begin(), unstructured(huge, line(), four_of(world_rank()), true));
  return allocate<std::int8_t>(others).on(world());
}

std::int64_t bytes_between(const DistArray& source, std::vector<Dimension> dimensions) {
  const Section target = describe(source.type(), nullptr, std::move(dimensions));
  return bytes_to_redistribute(source, target.on(world()));
}

TEST(HugeSizes, OfListsThatHaveFewIndices) {
  const DistArray a = list_by({undistributed(2)});
  EXPECT_TRUE(validate(a));
  EXPECT_TRUE(explain(a).empty());  // this program has no adapter
  EXPECT_NO_THROW(update_padding(a));
  EXPECT_NO_THROW(GlobalIndexMap(a).contiguous_offset());
  // A block of all indices wants more than the lists have.
  expect_refused_everywhere("redistribute.missing", [&] {
    bytes_between(a, {block(huge, line()), undistributed(2)});
  });
  expect_refused_everywhere("redistribute.missing", [&] {
    bytes_between(a, {undistributed(huge), block(2, line())});
  });
  expect_refused_everywhere("redistribute.missing",
                            [&] { bytes_between(list_by({}), {block(huge, line())}); });
  // Lists that have these indices on other processes do not.
  const DistArray turned =
      allocate<std::int8_t>(
          {unstructured(huge, line(), four_of((world_rank() + 1) % world_size()), true),
           undistributed(2)})
          .on(world());
  EXPECT_NO_THROW(redistribute(a, turned));
  // But there is nothing to want where another dimension has no index.
  const DistArray none = list_by({undistributed(0)});
  EXPECT_EQ(bytes_between(none, {block(huge, line()), undistributed(0)}), 0);
}

TEST(HugeSizes, OfArraysWithoutElements) {
  constexpr Index size = 2 * huge;
  const std::vector<std::vector<Dimension>> empty{{undistributed(0), cyclic(size, line(), 2)},
                                                  {undistributed(0), cyclic(size, line())},
                                                  {undistributed(0), block(size, line())},
                                                  {cyclic(0, line()), undistributed(size)},
                                                  {undistributed(0), undistributed(size)}};
  for (const auto& from : empty)
    for (const auto& to : empty) {
      if (from[0].grid().size * from[1].grid().size != world_size()) continue;
      if (to[0].grid().size * to[1].grid().size != world_size()) continue;
      const DistArray a = allocate<double>(from).on(world()), b = allocate<double>(to).on(world());
      EXPECT_TRUE(validate(a));
      EXPECT_NO_THROW(redistribute(a, b));
      EXPECT_NO_THROW(update_padding(a));
      EXPECT_EQ(bytes_to_redistribute(a, b), 0);
    }
}

/// Arrays of a batch that lie in one memory, `distance` elements apart.
std::vector<DistArray> batch_in(std::vector<double>& memory, Index count, Index distance,
                                Index stride) {
  std::vector<DistArray> arrays;
  for (Index k = 0; k < count; ++k)
    arrays.push_back(describe(memory.data() + k * distance, {block(3 * world_size(), line())},
                              std::vector<Index>{8 * stride})
                         .on(world()));
  return arrays;
}

TEST(LargeBatches, OfColumnsAreNotComparedInPairs) {
  const Index count = test::thinned() ? 5000 : 30000;
  std::vector<double> from(3 * count, 1), to(3 * count, 0);
  // Fields of a record on one side, columns on the other.
  redistribute(batch_in(from, count, 1, count), batch_in(to, count, 3, 1));
  EXPECT_EQ(to, from);
  EXPECT_NO_THROW(HaloExchange(batch_in(to, count, 1, count)));
}

TEST(LargeBatches, ThatShareMemoryAreRefused) {
  std::vector<double> from(100, 1), to(100, 0);
  const auto sources = batch_in(from, 4, 3, 1);
  const auto refuse = [&](const std::vector<DistArray>& targets) {
    expect_refused_everywhere("redistribute.memory", [&] { redistribute(sources, targets); });
    EXPECT_EQ(to, std::vector<double>(100, 0));
  };
  refuse(batch_in(to, 4, 2, 1));     // the end of each is the beginning of the next
  refuse(batch_in(to, 4, 0, 1));     // one array four times
  refuse(batch_in(to, 4, 4, 2));     // every other element, the last with the first of the next
  refuse(batch_in(from, 4, 20, 1));  // the first is the first source
  std::vector<DistArray> uneven = batch_in(to, 4, 3, 1);
  uneven[3] = uneven[1];
  refuse(uneven);
  // Every other element, one array in the gaps of another.
  EXPECT_NO_THROW(redistribute(batch_in(from, 2, 1, 2), batch_in(to, 2, 1, 2)));
}

}  // namespace
}  // namespace daptor
