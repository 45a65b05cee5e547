// SPDX-License-Identifier: BSD-3-Clause
// Compares every way of counting the indices of all lists with a table.

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "counting_communicator.hpp"
#include "daptor/daptor.hpp"
#include "daptor/simulated.hpp"
#include "proof/index_census.hpp"
#include "proof/index_counts.hpp"
#include "ranks/crossing.hpp"

namespace {

using daptor::Index;
using daptor::proof::Census;
using daptor::proof::Counted;
using Lists = std::vector<std::vector<Index>>;

Census tabled(const Lists& lists) {
  std::map<Index, int> holders;
  for (const auto& list : lists)
    for (const Index index : list) ++holders[index];
  Census census;
  for (const auto& [index, count] : holders) {
    ++census.distinct;
    if (count == 1) continue;
    ++census.duplicated;
    if (!census.lowest_twice) census.lowest_twice = index;
  }
  return census;
}

std::optional<Index> repeated_in(const std::vector<Index>& list) {
  std::set<Index> seen, twice;
  for (const Index index : list)
    if (!seen.insert(index).second) twice.insert(index);
  return twice.empty() ? std::nullopt : std::optional<Index>(*twice.begin());
}

void expect_counted(const Lists& lists, Index global_size) {
  std::vector<Counted> counted(lists.size());
  daptor::run_simulated(static_cast<int>(lists.size()), [&](const daptor::Comm& comm) {
    const auto rank = static_cast<std::size_t>(comm.rank());
    daptor::Call call(comm, "census");
    counted[rank] = daptor::proof::count_indices(daptor::IndexList(lists[rank]), global_size, call);
  });
  const bool any = std::any_of(lists.begin(), lists.end(),
                               [](const auto& list) { return repeated_in(list).has_value(); });
  const Census expected = tabled(lists);
  for (std::size_t rank = 0; rank < lists.size(); ++rank) {
    SCOPED_TRACE("rank " + std::to_string(rank) + " of " + std::to_string(lists.size()));
    EXPECT_EQ(counted[rank].repeated, repeated_in(lists[rank]));
    ASSERT_EQ(counted[rank].census.has_value(), !any);
    if (any) continue;
    EXPECT_EQ(counted[rank].census->distinct, expected.distinct);
    EXPECT_EQ(counted[rank].census->duplicated, expected.duplicated);
    EXPECT_EQ(counted[rank].census->lowest_twice, expected.lowest_twice);
  }
}

/// `count` indices drawn without replacement from [0, range), dealt to the ranks.
Lists drawn(std::size_t ranks, std::size_t count, std::size_t range, std::mt19937_64& random) {
  std::vector<Index> all(range);
  std::iota(all.begin(), all.end(), 0);
  std::shuffle(all.begin(), all.end(), random);
  Lists lists(ranks);
  for (std::size_t i = 0; i < count; ++i) lists[random() % ranks].push_back(all[i]);
  return lists;
}

/// Counts the lists unchanged, with indices on two ranks, with an index twice on a rank, and with
/// indices outside the range.
void expect_counted_when_spoilt(const Lists& lists, Index global_size, std::mt19937_64& random) {
  expect_counted(lists, global_size);
  const auto any_list = [&] { return random() % lists.size(); };
  const auto any_index = [&]() -> Index {
    for (const auto& list : lists)
      if (!list.empty()) return list[random() % list.size()];
    return 0;
  };
  Lists shared = lists;
  for (int i = 0; i < 3; ++i) {
    auto& list = shared[any_list()];
    const Index index = any_index();
    if (std::find(list.begin(), list.end(), index) == list.end()) list.push_back(index);
  }
  expect_counted(shared, global_size);
  Lists repeated = lists;
  const std::size_t victim = any_list();
  repeated[victim].insert(repeated[victim].end(), 2, any_index());
  expect_counted(repeated, global_size);
  Lists outside = shared;
  for (const Index index : {Index{-1}, global_size, std::numeric_limits<Index>::max(),
                            std::numeric_limits<Index>::min()})
    outside[any_list()].push_back(index);
  outside[any_list()].push_back(-7);
  expect_counted(outside, global_size);
}

TEST(IndexCensus, ListsThatFillTheirRange) {
  std::mt19937_64 random(1);
  for (std::size_t ranks = 1; ranks <= 8; ++ranks)
    for (const std::size_t size : {0U, 1U, 63U, 64U, 65U, 509U, 4096U}) {
      SCOPED_TRACE(size);
      expect_counted_when_spoilt(drawn(ranks, size, size, random), static_cast<Index>(size),
                                 random);
      expect_counted_when_spoilt(drawn(ranks, size / 2, size, random), static_cast<Index>(size),
                                 random);
    }
}

TEST(IndexCensus, ListsThatLeaveMostOfItOut) {
  std::mt19937_64 random(2);
  for (std::size_t ranks = 1; ranks <= 12; ++ranks) {
    SCOPED_TRACE(ranks);
    expect_counted_when_spoilt(drawn(ranks, 100, 12000, random), 12000, random);
    expect_counted_when_spoilt(drawn(ranks, 100, 12000, random), Index{1} << 50, random);
    expect_counted_when_spoilt(drawn(ranks, 3, 12000, random), 12000, random);
  }
}

TEST(IndexCensus, RunsWithGapsAndOverlaps) {
  std::mt19937_64 random(3);
  for (std::size_t ranks = 1; ranks <= 7; ++ranks)
    for (const Index global_size : {Index{5000}, Index{1} << 61}) {
      SCOPED_TRACE(ranks);
      Lists lists(ranks);
      for (std::size_t rank = 0; rank < ranks; ++rank)
        for (int run = 0; run < 2; ++run) {
          const auto start = static_cast<Index>(random() % 4000) + run * (global_size / 2 - 2500);
          for (Index i = 0; i < 900; ++i) lists[rank].push_back(start + i);
        }
      expect_counted(lists, global_size);
    }
}

/// Lists that would make one rank receive all indices.
TEST(IndexCensus, AllInOnePart) {
  std::mt19937_64 random(4);
  for (const std::size_t ranks : {5U, 12U}) {
    Lists lists(ranks);
    for (auto& list : lists) {
      for (Index i = 0; i < 40; ++i) list.push_back(3 * i);
      std::shuffle(list.begin(), list.end(), random);
    }
    expect_counted_when_spoilt(lists, static_cast<Index>(ranks) * 120, random);
    expect_counted_when_spoilt(lists, static_cast<Index>(ranks) * 2000, random);
  }
}

/// All ranks list the same indices, which a few ranks would keep: a hash distributes them.
TEST(IndexCensus, ListsThatOverlapOnAllRanks) {
  std::mt19937_64 random(5);
  Lists lists(100);
  for (auto& list : lists) {
    for (Index i = 0; i < 20; ++i) list.push_back(2 * i);
    std::shuffle(list.begin(), list.end(), random);
  }
  constexpr Index size = 700;
  std::vector<int> counted_by_part(lists.size(), -1);
  daptor::run_simulated(static_cast<int>(lists.size()), [&](const daptor::Comm& comm) {
    const auto rank = static_cast<std::size_t>(comm.rank());
    const daptor::IndexList list(lists[rank]);
    daptor::Call call(comm, "census");
    counted_by_part[rank] = daptor::proof::count_offsets(list, size, call) ? 1 : 0;
  });
  EXPECT_EQ(counted_by_part, std::vector<int>(lists.size(), 0));
  expect_counted(lists, size);
  lists[70].push_back(1);
  lists[30].push_back(-5);
  expect_counted(lists, size);
}

TEST(Crossing, TakesFewMessagesOfEachRank) {
  for (const int ranks : {65, 66, 72, 73, 81, 100, 101, 255, 256, 300}) {
    SCOPED_TRACE(ranks);
    int width = 1;
    while (width * width < ranks) ++width;
    const daptor::detail::Crossing crossing(ranks);
    std::vector<std::set<int>> first(static_cast<std::size_t>(ranks)), last = first, to = first;
    for (int from = 0; from < ranks; ++from)
      for (int target = 0; target < ranks; ++target) {
        const int between = crossing.between(from, target);
        ASSERT_TRUE(0 <= between && between < ranks) << from << " to " << target;
        to[static_cast<std::size_t>(from)].insert(between);
        first[static_cast<std::size_t>(between)].insert(from);
        last[static_cast<std::size_t>(target)].insert(between);
      }
    for (std::size_t rank = 0; rank < to.size(); ++rank) {
      EXPECT_LE(to[rank].size(), 2U * static_cast<unsigned>(width));
      EXPECT_LE(first[rank].size(), 2U * static_cast<unsigned>(width));
      EXPECT_LE(last[rank].size(), 2U * static_cast<unsigned>(width));
    }
  }
}

/// More than 64 ranks send through ranks between. 65 and 72 do not fill their last row.
TEST(IndexCensus, ManyRanks) {
  std::mt19937_64 random(6);
  for (const std::size_t ranks : {65U, 72U, 81U, 100U}) {
    SCOPED_TRACE(ranks);
    expect_counted_when_spoilt(drawn(ranks, 3000, 3000, random), 3000, random);
    expect_counted_when_spoilt(drawn(ranks, 300, 9000, random), Index{1} << 50, random);
    Lists same(ranks, {0, 2, 4, 1000});
    expect_counted_when_spoilt(same, 100000, random);
  }
}

TEST(IndexCensus, RunsOfManyRanks) {
  std::mt19937_64 random(7);
  constexpr std::size_t ranks = 72;
  for (const Index global_size : {Index{100000}, Index{1} << 61}) {
    Lists lists(ranks);
    for (auto& list : lists) {
      const auto start = static_cast<Index>(random() % 90000);
      for (Index i = 0; i < 2500; ++i) list.push_back(start + i);
    }
    expect_counted(lists, global_size);
  }
}

/// However popular an index is, no rank gets messages from all others.
TEST(IndexCensus, NoRankAnswersAllOthers) {
  constexpr int ranks = 100;
  std::vector<std::int64_t> received(ranks);
  daptor::run_simulated(ranks, [&](const daptor::Comm& comm) {
    const daptor::test::CountingCommunicator counting(comm);
    const daptor::Comm counted_comm = counting;
    daptor::Call call(counted_comm, "census");
    const std::vector<Index> mine{0, 1000 + comm.rank()};
    const Counted counted = daptor::proof::count_indices(daptor::IndexList(mine), 1000000, call);
    EXPECT_EQ(counted.census->distinct, ranks + 1);
    EXPECT_EQ(counted.census->duplicated, 1);
    received[static_cast<std::size_t>(comm.rank())] = counting.traffic.received;
  });
  // Ten rows of ten: along a row, and along a column.
  EXPECT_LE(*std::max_element(received.begin(), received.end()), 20);
}

}  // namespace
