// SPDX-License-Identifier: BSD-3-Clause
// The block-cyclic mapping: the figures of its definition, and ScaLAPACK's own functions as
// oracles.

#include "daptor/scalapack/block_cyclic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <vector>

#include "daptor/local_index_map.hpp"
#include "everywhere.hpp"
#include "scalapack.hpp"

namespace daptor::scalapack {
namespace {

using test::expect_refused;
using Indices = std::vector<Index>;

constexpr auto turns = BlockNumbering::turns;
constexpr auto stored = BlockNumbering::stored;

/// The process and the local index of each global one.
std::pair<Indices, Indices> processes_and_locals(const BlockCyclic& map) {
  std::pair<Indices, Indices> found;
  for (Index m = 0; m < map.size(); ++m) {
    found.first.push_back(map.process_of(m));
    found.second.push_back(map.local_of(m));
  }
  return found;
}

/// The global indices of a process in the order of its memory.
Indices indices_of(const BlockCyclic& map, Index process) {
  Indices list;
  for (Index local = 0; local < map.local_count(process); ++local)
    list.push_back(
        map.global_of({process, local / map.block_size(), local % map.block_size()}, stored));
  return list;
}

void for_each_map(Index largest, const std::function<void(const BlockCyclic&)>& visit) {
  for (Index size = 0; size <= largest; ++size)
    for (Index block = 1; block <= 9; ++block)
      for (Index processes = 1; processes <= 5; ++processes)
        for (Index source = 0; source < processes; ++source)
          visit({size, block, processes, source});
}

TEST(BlockCyclicMap, IsOneToOneAndOnto) {
  for_each_map(40, [](const BlockCyclic& map) {
    std::set<std::tuple<Index, Index, Index>> seen;
    for (Index m = 0; m < map.size(); ++m) {
      const BlockPlace place = map.place_of(m, turns);
      ASSERT_TRUE(seen.insert({place.process, place.block, place.index}).second);
      ASSERT_EQ(map.global_of(place, turns), m);
      ASSERT_EQ(map.global_of(map.place_of(m, stored), stored), m);
    }
    Index total = 0;
    for (Index p = 0; p < map.processes(); ++p) total += map.local_count(p);
    ASSERT_EQ(total, map.size());
  });
}

TEST(BlockCyclicMap, OneBlockForEachProcess) {
  const auto ten = processes_and_locals(BlockCyclic::blocks(10, 3));
  EXPECT_EQ(ten.first, (Indices{0, 0, 0, 0, 1, 1, 1, 1, 2, 2}));
  EXPECT_EQ(ten.second, (Indices{0, 1, 2, 3, 0, 1, 2, 3, 0, 1}));
  const BlockCyclic five = BlockCyclic::blocks(5, 4);
  Indices counts;
  for (Index p = 0; p < 4; ++p) counts.push_back(five.local_count(p));
  EXPECT_EQ(counts, (Indices{2, 2, 1, 0}));
  EXPECT_EQ(BlockCyclic::blocks(0, 3).local_count(2), 0);
}

TEST(BlockCyclicMap, Cyclic) {
  const auto ten = processes_and_locals({10, 1, 3});
  EXPECT_EQ(ten.first, (Indices{0, 1, 2, 0, 1, 2, 0, 1, 2, 0}));
  EXPECT_EQ(ten.second, (Indices{0, 0, 0, 1, 1, 1, 2, 2, 2, 3}));
}

TEST(BlockCyclicMap, FollowsItsFormula) {
  for_each_map(40, [](const BlockCyclic& map) {
    const Index r = map.block_size();
    const Index turn = r * map.processes();
    for (Index m = 0; m < map.size(); ++m) {
      const Index moved = m + r * map.source();
      const BlockPlace expected{(moved % turn) / r, moved / turn, moved % r};
      ASSERT_EQ(map.place_of(m, turns), expected);
      // The way back: the number of the block among all.
      const Index block = expected.process - map.source() + expected.block * map.processes();
      ASSERT_EQ(block * r + expected.index, m);
      const bool cyclic = r == 1;
      ASSERT_TRUE(!cyclic || expected.index == 0);
      const bool one_block = r == BlockCyclic::blocks(map.size(), map.processes()).block_size();
      ASSERT_TRUE(!one_block || map.source() > 0 || expected.block == 0);
    }
  });
}

TEST(BlockCyclicMap, BlocksOfTwoOnThreeProcesses) {
  const BlockCyclic map(23, 2, 3);
  EXPECT_EQ(map.place_of(0, turns), (BlockPlace{0, 0, 0}));
  EXPECT_EQ(map.place_of(1, turns), (BlockPlace{0, 0, 1}));
  EXPECT_EQ(map.place_of(2, turns), (BlockPlace{1, 0, 0}));
  EXPECT_EQ(map.place_of(5, turns), (BlockPlace{2, 0, 1}));
  EXPECT_EQ(map.place_of(6, turns), (BlockPlace{0, 1, 0}));
  EXPECT_EQ(map.place_of(19, turns), (BlockPlace{0, 3, 1}));
  EXPECT_EQ(map.place_of(20, turns), (BlockPlace{1, 3, 0}));
  EXPECT_EQ(map.place_of(22, turns), (BlockPlace{2, 3, 0}));
  EXPECT_EQ(indices_of(map, 0), (Indices{0, 1, 6, 7, 12, 13, 18, 19}));
  EXPECT_EQ(indices_of(map, 1), (Indices{2, 3, 8, 9, 14, 15, 20, 21}));
  EXPECT_EQ(indices_of(map, 2), (Indices{4, 5, 10, 11, 16, 17, 22}));
}

TEST(BlockCyclicMap, DealtFromAnotherProcessOn) {
  const BlockCyclic one(23, 2, 3, 1);
  EXPECT_EQ(one.place_of(0, turns), (BlockPlace{1, 0, 0}));
  EXPECT_EQ(one.place_of(2, turns), (BlockPlace{2, 0, 0}));
  EXPECT_EQ(one.place_of(4, turns), (BlockPlace{0, 1, 0}));
  EXPECT_EQ(one.place_of(6, turns), (BlockPlace{1, 1, 0}));
  EXPECT_EQ(one.place_of(22, turns), (BlockPlace{0, 4, 0}));
  EXPECT_EQ(indices_of(one, 0), (Indices{4, 5, 10, 11, 16, 17, 22}));
  EXPECT_EQ(indices_of(one, 1), (Indices{0, 1, 6, 7, 12, 13, 18, 19}));
  EXPECT_EQ(indices_of(one, 2), (Indices{2, 3, 8, 9, 14, 15, 20, 21}));
  const BlockCyclic two(23, 2, 3, 2);
  EXPECT_EQ(two.place_of(0, turns), (BlockPlace{2, 0, 0}));
  EXPECT_EQ(two.place_of(2, turns), (BlockPlace{0, 1, 0}));
  EXPECT_EQ(two.place_of(4, turns), (BlockPlace{1, 1, 0}));
  EXPECT_EQ(two.place_of(6, turns), (BlockPlace{2, 1, 0}));
  EXPECT_EQ(two.local_count(0), 8);
  EXPECT_EQ(two.local_count(1), 7);
  EXPECT_EQ(two.local_count(2), 8);
}

TEST(BlockCyclicMap, BothNumberingsOfBlocks) {
  const BlockCyclic map(23, 2, 3, 1);
  EXPECT_EQ(map.place_of(4, turns), (BlockPlace{0, 1, 0}));
  EXPECT_EQ(map.place_of(4, stored), (BlockPlace{0, 0, 0}));
  EXPECT_EQ(map.place_of(6, turns), map.place_of(6, stored));
  EXPECT_EQ(map.global_of({0, 0, 0}, stored), 4);
  const std::string text = expect_refused("scalapack.block-place", [&] {
    map.global_of({0, 0, 0}, turns);
  });
  EXPECT_NE(text.find("block 0 of process 0"), std::string::npos) << text;
  for_each_map(25, [](const BlockCyclic& each) {
    for (Index m = 0; m < each.size(); ++m) {
      const BlockPlace place = each.place_of(m, turns);
      const Index block = place.block - (place.process < each.source() ? 1 : 0);
      ASSERT_EQ(each.local_of(m), block * each.block_size() + place.index);
    }
  });
}

TEST(BlockCyclicMap, RowsAndColumnsAreIndependent) {
  struct Case {
    BlockCyclic rows, columns;
  };
  const Case cases[] = {{{10, 3, 2}, {7, 2, 2}},
                        {{23, 2, 2}, {17, 3, 3}},
                        {{23, 2, 2, 1}, {17, 3, 3, 2}},
                        {BlockCyclic::blocks(23, 6), {17, 17, 1}},  // blocks of rows
                        {{23, 23, 1}, BlockCyclic::blocks(17, 6)},  // blocks of columns
                        {{23, 1, 6}, {17, 17, 1}}};                 // cyclic rows
  for (const Case& each : cases) {
    Index seen = 0;
    for (Index p = 0; p < each.rows.processes(); ++p)
      for (Index q = 0; q < each.columns.processes(); ++q) {
        const LocalIndexMap map({each.rows.dimension(p), each.columns.dimension(q)});
        seen += map.owned_count();
        for (Index i = 0; i < each.rows.local_count(p); ++i)
          for (Index j = 0; j < each.columns.local_count(q); ++j) {
            const Indices global = map.global_of({i, j});
            ASSERT_EQ(each.rows.process_of(global[0]), p);
            ASSERT_EQ(each.rows.local_of(global[0]), i);
            ASSERT_EQ(each.columns.process_of(global[1]), q);
            ASSERT_EQ(each.columns.local_of(global[1]), j);
          }
      }
    EXPECT_EQ(seen, each.rows.size() * each.columns.size());
  }
}

TEST(BlockCyclicMap, AsScalapackCounts) {
  for_each_map(39, [](const BlockCyclic& map) {
    const int size = static_cast<int>(map.size());
    const int block = static_cast<int>(map.block_size());
    const int processes = static_cast<int>(map.processes());
    const int source = static_cast<int>(map.source());
    for (int p = 0; p < processes; ++p)
      ASSERT_EQ(map.local_count(p), numroc_(&size, &block, &p, &source, &processes));
    for (Index m = 0; m < map.size(); ++m) {
      const int one_based = static_cast<int>(m) + 1;
      const int p = indxg2p_(&one_based, &block, nullptr, &source, &processes);
      const int local = indxg2l_(&one_based, &block, nullptr, &source, &processes);
      ASSERT_EQ(map.process_of(m), p);
      ASSERT_EQ(map.local_of(m), local - 1);
      ASSERT_EQ(indxl2g_(&local, &block, &p, &source, &processes), one_based);
    }
  });
}

TEST(BlockCyclicMap, RefusesWhatIsNoMapping) {
  const std::string rule = "scalapack.block-cyclic";
  expect_refused(rule, [] { BlockCyclic(-1, 2, 3); });
  expect_refused(rule, [] { BlockCyclic(5, 0, 3); });
  expect_refused(rule, [] { BlockCyclic(5, 2, 0); });
  expect_refused(rule, [] { BlockCyclic::blocks(5, 0); });
  expect_refused(rule, [] { BlockCyclic::blocks(-5, 2); });
  expect_refused(rule, [] { BlockCyclic(5, 2, 3, 3); });
  expect_refused(rule, [] { BlockCyclic(5, 2, 3, -1); });
  expect_refused(rule, [] { BlockCyclic(5, 2, Index{1} << 31); });
}

TEST(BlockCyclicMap, RefusesPlacesThatAreNone) {
  const std::string rule = "scalapack.block-place";
  const BlockCyclic map(23, 2, 3);
  expect_refused(rule, [&] { map.place_of(-1, turns); });
  expect_refused(rule, [&] { map.place_of(23, stored); });
  expect_refused(rule, [&] { map.global_of({3, 0, 0}, stored); });
  expect_refused(rule, [&] { map.global_of({-1, 0, 0}, stored); });
  expect_refused(rule, [&] { map.global_of({0, -1, 0}, stored); });
  expect_refused(rule, [&] { map.global_of({0, 0, 2}, stored); });
  expect_refused(rule, [&] { map.global_of({2, 3, 1}, turns); });  // 23
  expect_refused(rule, [&] { map.local_count(3); });
}

TEST(BlockCyclicMap, CountsIn64Bits) {
  constexpr Index most = std::numeric_limits<Index>::max();
  const BlockCyclic map(most, 1, 2, 1);
  EXPECT_EQ(map.place_of(most - 1, turns), (BlockPlace{1, most / 2, 0}));
  EXPECT_EQ(map.global_of({1, most / 2, 0}, turns), most - 1);
  expect_refused("scalapack.block-place", [&] { map.global_of({1, most, 0}, turns); });
  expect_refused("scalapack.block-place", [&] {
    BlockCyclic(most, most, 2).global_of({1, 1, 0}, stored);
  });
}

}  // namespace
}  // namespace daptor::scalapack
