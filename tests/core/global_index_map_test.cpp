// SPDX-License-Identifier: BSD-3-Clause
// GlobalIndexMap on simulated ranks: every small case, many ranks, few calls.

#include "daptor/global_index_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "counting_communicator.hpp"
#include "daptor/simulated.hpp"
#include "effort.hpp"
#include "global_map_checks.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

/// Every rank of one run checks all layouts.
void check_all(int ranks, const std::vector<Layout>& layouts) {
  run_simulated(ranks, [&](const Comm& comm) {
    for (std::size_t i = 0; i < layouts.size(); ++i) {
      SCOPED_TRACE("layout " + std::to_string(i));
      check_layout(comm, layouts[i]);
      if (::testing::Test::HasFatalFailure()) return;
    }
  });
}

std::vector<Index> shuffled_seats(Index count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Index> seats(static_cast<std::size_t>(count));
  std::iota(seats.begin(), seats.end(), Index{0});
  std::shuffle(seats.begin(), seats.end(), random);
  return seats;
}

TEST(GlobalIndexMap, EvenBlocksOfEverySmallSize) {
  for (int ranks = 1; ranks <= 7; ++ranks) {
    std::vector<Layout> layouts;
    for (Index size = 0; size <= 40; ++size) layouts.push_back({{even_axis(size, ranks)}, {}});
    check_all(ranks, layouts);
    ASSERT_FALSE(HasFatalFailure());
  }
}

TEST(GlobalIndexMap, EveryPartitionIntoBlocks) {
  for (int ranks = 1; ranks <= 4; ++ranks) {
    std::vector<Layout> layouts;
    for (Index size = 0; size <= 7; ++size) {
      for (const auto& lengths : partitions(size, ranks))
        layouts.push_back({{block_axis(lengths)}, {}});
    }
    check_all(ranks, layouts);
    ASSERT_FALSE(HasFatalFailure());
  }
}

TEST(GlobalIndexMap, CyclicOfEverySmallSizeBlockSizeAndOrigin) {
  int number = 0;
  for (int ranks = 1; ranks <= 7; ++ranks) {
    std::vector<Layout> layouts;
    for (Index size = 0; size <= 40; size += ranks < 4 ? 1 : 4) {
      for (Index block_size = 1; block_size <= size + 1; ++block_size) {
        for (Index origin = 0; origin < ranks; ++origin)
          if (tried(number++, 11))
            layouts.push_back({{cyclic_axis(size, ranks, block_size, origin)}, {}});
      }
    }
    // If no process owns anything, no start shows the origin.
    check_all(ranks, layouts);
    ASSERT_FALSE(HasFatalFailure());
  }
}

TEST(GlobalIndexMap, ASurplusStartCarriesNoOrigin) {
  // 3 elements on 5 processes: the starts are 0, 1, 2, and from there on not clipped to the size
  // (A23).
  run_simulated(5, [](const Comm& comm) {
    const Index rank = comm.rank();
    const Section array =
        describe(DataType::of<double>(), nullptr, {Dimension(3, Cyclic{{5, rank}, rank, 1})});
    const GlobalIndexMap map(array.on(comm));
    EXPECT_EQ(map.dimension(0).origin(), 0);
    EXPECT_EQ(map.dimension(0).owned_count(4), 0);
    EXPECT_EQ(map.contiguous_offset(), std::min<Index>(rank, 3));
  });
}

TEST(GlobalIndexMap, UnstructuredListsInAnyOrderOfRanks) {
  for (int ranks = 1; ranks <= 7; ++ranks) {
    std::vector<Layout> layouts;
    for (unsigned seed = 0; seed < 20; ++seed) {
      layouts.push_back({{shuffled_axis(seed * 2, ranks, seed)}, {}});
      layouts.push_back({{shuffled_axis(seed, ranks, seed)}, shuffled_seats(ranks, seed)});
      layouts.push_back({{ghosted_axis(seed, ranks, seed)}, shuffled_seats(ranks, seed)});
    }
    check_all(ranks, layouts);
    ASSERT_FALSE(HasFatalFailure());
  }
}

TEST(GlobalIndexMap, OverlappingListsNameTheLowestGridRank) {
  check_all(3, {{{unstructured_axis(6, {{5, 1, -1}, {1, 2, 5, 8}, {0, 1, 2, 3, 4, 5}})}, {}},
                {{unstructured_axis(6, {{}, {7}, {7, -1, 3}})}, {2, 0, 1}}});
}

TEST(GlobalIndexMap, GridsOfSeveralDimensionsInAnyOrderOfRanks) {
  const BlockPadding ring{{1, 1}, {}, true};
  const BlockPadding halo{{2, 1}, {1, 1}, false};
  const auto layouts = [&](int orders) {
    std::vector<Layout> all;
    for (int order = 0; order < orders; ++order) {
      const auto seats = [&](Index count) {
        return order == 0 ? std::vector<Index>{}
                          : shuffled_seats(count, static_cast<unsigned>(order));
      };
      all.push_back({{even_axis(9, 3, halo), even_axis(7, 4, ring)}, seats(12)});
      all.push_back({{block_axis({4, 0, 1}), even_axis(2, 4, ring)}, seats(12)});
      all.push_back({{cyclic_axis(11, 2, 2, 1), block_axis({1, 5, 0, 0, 2, 1}, ring)}, seats(12)});
      all.push_back(
          {{block_axis({5, 2}, halo), cyclic_axis(7, 3, 2), block_axis({1, 3})}, seats(12)});
      all.push_back(
          {{undistributed_axis(3), shuffled_axis(9, 4, 7), block_axis({2, 2, 4})}, seats(12)});
      all.push_back({{ghosted_axis(9, 4, 7), block_axis({2, 2, 4})}, seats(12)});
      all.push_back(
          {{shuffled_axis(5, 3, 1), shuffled_axis(6, 2, 2), cyclic_axis(4, 2, 1, 1)}, seats(12)});
      all.push_back({{even_axis(3, 2), cyclic_axis(3, 2, 1, 1), undistributed_axis(2),
                      block_axis({1, 2, 1}, ring), undistributed_axis(1)},
                     seats(12)});
      all.push_back({{undistributed_axis(0), even_axis(5, 12)}, seats(12)});
    }
    return all;
  };
  check_all(12, layouts(6));
}

TEST(GlobalIndexMap, EveryOrderOfFourRanks) {
  std::vector<Layout> layouts;
  std::vector<Index> seats{0, 1, 2, 3};
  do {
    layouts.push_back({{even_axis(5, 2), block_axis({1, 3}, {{1, 1}, {}, true})}, seats});
  } while (std::next_permutation(seats.begin(), seats.end()));
  check_all(4, layouts);
}

TEST(GlobalIndexMap, ZeroDimensions) {
  check_all(1, {{{}, {}}});
}

TEST(GlobalIndexMap, AHundredRanks) {
  std::vector<Index> lengths;
  for (Index i = 0; i < 100; ++i) lengths.push_back(i * 37 % 11);
  check_all(100, {{{block_axis(lengths)}, {}},
                  {{block_axis(lengths, {{1, 1}, {}, true})}, shuffled_seats(100, 3)},
                  {{block_axis({3, 0, 2, 9}), cyclic_axis(70, 5, 3, 2), even_axis(13, 5)},
                   shuffled_seats(100, 4)},
                  {{shuffled_axis(500, 100, 5)}, {}}});
}

TEST(GlobalIndexMap, CopiesShareTheirTablesAndOutliveTheOriginal) {
  run_simulated(3, [](const Comm& comm) {
    const Layout layout{{block_axis({1, 4, 2})}, {}};
    const Layout lists{{shuffled_axis(20, 3, 9)}, {}};
    auto original = std::make_unique<GlobalIndexMap>(layout.array(comm.rank()).on(comm));
    const GlobalIndexMap copy = *original;
    original.reset();
    check_map(copy, layout, comm.rank());

    original = std::make_unique<GlobalIndexMap>(lists.array(comm.rank()).on(comm));
    const GlobalIndexMap directory = *original;
    check_map(*original, lists, comm.rank());
    original.reset();
    const CountingCommunicator counting(comm);
    check_map(directory, lists, comm.rank());
  });
}

/// What the ranks do to make the map of a layout.
Traffic traffic_of(const Comm& comm, const Layout& layout) {
  const CountingCommunicator counting(comm);
  const GlobalIndexMap map(layout.array(comm.rank()).on(counting));
  return counting.traffic;
}

TEST(GlobalIndexMap, RegularArraysOfSeveralDimensionsTakeFewCalls) {
  run_simulated(12, [](const Comm& comm) {
    const Traffic regular = traffic_of(comm, {{even_axis(9, 3), cyclic_axis(50, 4, 3)}, {}});
    EXPECT_EQ(regular.allreduces, 1);
    EXPECT_EQ(regular.collectives(), 1);
    EXPECT_EQ(regular.sendrecvs, 0);
    // Padding, on ranks of which most have no elements.
    const Traffic padded =
        traffic_of(comm, {{undistributed_axis(5), even_axis(2, 12, {{1, 1}, {}, true})}, {}});
    EXPECT_EQ(padded.allreduces, 2);
    EXPECT_EQ(padded.collectives(), 2);
    EXPECT_EQ(padded.sendrecvs, 2);
  });
}

TEST(GlobalIndexMap, BoundsOfIrregularBlocksTravelAlongTheirLines) {
  run_simulated(12, [](const Comm& comm) {
    const auto blocks = [&](const std::vector<Index>& seats) {
      return traffic_of(comm, {{even_axis(9, 4), block_axis({9, 1, 1})}, seats});
    };
    // Two messages between neighbours along each dimension, and along the irregular one as many as
    // log2 of its processes, rounded up.
    const Traffic rows = blocks({});
    EXPECT_EQ(rows.allreduces, 3);
    EXPECT_EQ(rows.collectives(), 3);
    EXPECT_EQ(rows.sendrecvs, 4 + 2);
    // Another order of ranks: two exchanges instead of the messages between neighbours, and two
    // more messages for each doubling of the distance.
    const Traffic any_order = blocks(shuffled_seats(12, 1));
    EXPECT_EQ(any_order.allreduces, 3);
    EXPECT_EQ(any_order.collectives(), 3 + 2);
    EXPECT_EQ(any_order.exchanges, 2);
    EXPECT_EQ(any_order.sendrecvs, 2 + 2);
  });
}

TEST(GlobalIndexMap, TheDirectoryIsBuiltOnce) {
  run_simulated(4, [](const Comm& comm) {
    const Layout layout{{shuffled_axis(50, 4, 1)}, {}};
    const CountingCommunicator counting(comm);
    const GlobalIndexMap map(layout.array(comm.rank()).on(counting));
    const GlobalIndexMap copy = map;
    const int before = counting.traffic.exchanges;
    map.owners_of_unstructured(0, {1});
    EXPECT_EQ(counting.traffic.exchanges - before, 3);
    copy.owners_of_unstructured(0, {2});
    EXPECT_EQ(counting.traffic.exchanges - before, 5);
  });
}

TEST(GlobalIndexMap, NoPatternOfIndicesOverloadsOneRankOfTheDirectory) {
  constexpr int ranks = 16;
  constexpr Index each = 1000;
  // Multiples of the number of ranks and of a large power of two, runs, and negative indices.
  for (const Index stride : {Index{1}, Index{ranks}, Index{1} << 32, Index{-ranks}}) {
    run_simulated(ranks, [&](const Comm& comm) {
      std::vector<Index> indices;
      for (Index i = 0; i < each; ++i) indices.push_back((comm.rank() * each + i) * stride);
      const Section array =
          describe(DataType::of<float>(), nullptr,
                   {unstructured(ranks * each, {ranks, comm.rank()}, IndexList(indices))});
      const CountingCommunicator weighing(comm);
      const GlobalIndexMap map(array.on(weighing));
      const auto owners = map.owners_of_unstructured(0, indices);
      for (Index i = 0; i < each; ++i)
        ASSERT_TRUE(owners[static_cast<std::size_t>(i)] == (OwnerAlong{comm.rank(), i}));
      EXPECT_LT(weighing.traffic.heaviest_exchange, static_cast<std::size_t>(each) * 24 * 3 / 2);
    });
  }
}

TEST(GlobalIndexMap, OneProcessOfEachGridRankSpeaksForItsList) {
  run_simulated(12, [](const Comm& comm) {
    const Layout layout{{even_axis(5, 3), shuffled_axis(100, 2, 1), even_axis(4, 2)}, {}};
    const CountingCommunicator weighing(comm);
    const GlobalIndexMap map(layout.array(comm.rank()).on(weighing));
    EXPECT_EQ(map.owners_of_unstructured(1, {}).size(), 0u);
    auto kept = static_cast<std::int64_t>(weighing.traffic.heaviest_exchange);
    comm->allreduce(&kept, 1, Reduction::sum);
    EXPECT_EQ(kept, 100 * 24);
  });
}

TEST(GlobalIndexMap, EveryRankMayAskForTheSameIndexManyTimes) {
  run_simulated(10, [](const Comm& comm) {
    const Layout layout{{unstructured_axis(30, {{7}, {}, {}, {}, {}, {}, {}, {}, {}, {8, 7}})}, {}};
    const CountingCommunicator weighing(comm);
    const GlobalIndexMap map(layout.array(comm.rank()).on(weighing));
    const auto owners = map.owners_of_unstructured(0, std::vector<Index>(5000, 7));
    ASSERT_EQ(owners.size(), 5000u);
    for (const auto& owner : owners) ASSERT_TRUE(owner == (OwnerAlong{0, 0}));
    EXPECT_LE(weighing.traffic.heaviest_exchange, 10u * 16u);
  });
}

/// More than 64 ranks ask through ranks between, which pass each question on once.
TEST(GlobalIndexMap, ManyRanksAskThroughRanksBetween) {
  for (const int ranks : {65, 72, 100}) {
    SCOPED_TRACE(ranks);
    run_simulated(ranks, [&](const Comm& comm) {
      // Every third rank has index 0; the others of a list are its own.
      std::vector<Index> mine{1000 + 2 * comm.rank(), 1001 + 2 * comm.rank()};
      if (comm.rank() % 3 == 2) mine.push_back(0);
      const CountingCommunicator counting(comm);
      const GlobalIndexMap map(describe(DataType::of<float>(), nullptr,
                                        {unstructured(5000, {ranks, comm.rank()}, IndexList(mine))})
                                   .on(counting));
      const Index next = (comm.rank() + 1) % ranks;
      const auto owners =
          map.owners_of_unstructured(0, {0, 1001 + 2 * next, 7, 1000 + 2 * next, 0});
      ASSERT_EQ(owners.size(), 5U);
      EXPECT_TRUE(owners[0] == (OwnerAlong{2, 2}));
      EXPECT_TRUE(owners[1] == (OwnerAlong{next, 1}));
      EXPECT_FALSE(owners[2].has_value());
      EXPECT_TRUE(owners[3] == (OwnerAlong{next, 0}));
      EXPECT_TRUE(owners[4] == (OwnerAlong{2, 2}));
      EXPECT_FALSE(map.one_to_one(0));
      // At most ten in each of the six exchanges, and those of a row that is not full besides.
      EXPECT_LE(counting.traffic.received, 6 * 10 + 20);
    });
  }
}

TEST(GlobalIndexMap, WrongArguments) {
  run_simulated(4, [](const Comm& comm) {
    const Layout layout{{shuffled_axis(9, 2, 1), even_axis(4, 2)}, {}};
    const GlobalIndexMap map(layout.array(comm.rank()).on(comm));
    EXPECT_THROW(map.dimension(0).owner_of(1), InvalidArgument);
    EXPECT_THROW(map.dimension(0).owned_count(1), InvalidArgument);
    EXPECT_THROW(map.dimension(0).owned_before(1), InvalidArgument);
    EXPECT_THROW(map.dimension(0).owned_range(1), InvalidArgument);
    EXPECT_THROW(map.dimension(0).neighbour(0), InvalidArgument);
    EXPECT_THROW(map.dimension(1).owned_count(-1), InvalidArgument);
    EXPECT_THROW(map.dimension(1).owned_before(2), InvalidArgument);
    EXPECT_THROW(map.dimension(1).owned_range(2), InvalidArgument);
    EXPECT_THROW(map.neighbour(2, 1), InvalidArgument);
    EXPECT_THROW(map.neighbour(-1, 1), InvalidArgument);
    EXPECT_THROW(map.neighbour(0, 2), InvalidArgument);
    EXPECT_THROW(map.owner_of({0, 0}), InvalidArgument);
    EXPECT_THROW(map.owner_of({0}), InvalidArgument);
    EXPECT_THROW(map.rank_at({0, 2}), InvalidArgument);
    EXPECT_THROW(map.rank_at({0}), InvalidArgument);
    // All ranks throw for one rank's mistake.
    EXPECT_EQ(expect_rule(comm, "argument",
                          [&] {
                            map.ranks_at({{0, comm.rank() == 2 ? 5 : 1}});
                          }),
              2);
    expect_rule(comm, "argument", [&] { map.owners_of_unstructured(1, {}); });
    expect_rule(comm, "argument",
                [&] { map.owners_of_unstructured(comm.rank() == 3 ? 1 : 0, {}); });
    expect_rule(comm, "argument", [&] { map.owners_of_unstructured(-1, {}); });
    const Layout lists{{shuffled_axis(9, 2, 1), shuffled_axis(9, 2, 2)}, {}};
    const GlobalIndexMap both(lists.array(comm.rank()).on(comm));
    expect_rule(comm, "argument", [&] { both.owners_of_unstructured(comm.rank() / 3, {}); });
    // Queries that need row-major ranks, and a range that is invalid.
    const Layout other{{cyclic_axis(9, 4, 1)}, {3, 2, 1, 0}};
    const GlobalIndexMap reversed(other.array(comm.rank()).on(comm));
    EXPECT_THROW(reversed.rank_at({1}), InvalidArgument);
    EXPECT_THROW(reversed.owner_of({1}), InvalidArgument);
    EXPECT_THROW(reversed.dimension(0).owned_range(1), InvalidArgument);
  });
}

TEST(GlobalIndexMap, SizesNearTheEndOfTheIntegers) {
  const Index largest = std::numeric_limits<Index>::max();
  for (const Index size : {(Index{1} << 31) - 1, Index{1} << 31, (Index{1} << 32) + 1,
                           (Index{1} << 62) + 3, largest}) {
    run_simulated(5, [&](const Comm& comm) {
      const GridPosition grid{5, comm.rank()};
      const auto map_of = [&](const Dimension& dimension) {
        return GlobalIndexMap(describe(DataType::of<signed char>(), nullptr, {dimension}).on(comm));
      };
      const GlobalIndexMap even = map_of(block(size, grid));
      EXPECT_EQ(even.owner_of({size - 1})->rank, 4);
      EXPECT_EQ(even.owner_of({size - 1})->owned_index[0], even.dimension(0).owned_count(4) - 1);
      EXPECT_EQ(even.contiguous_offset(), even_block(size, grid).start);

      // The middle process owns all but four.
      const Index starts[] = {0, 1, 2, size - 2, size - 1, size};
      const GlobalIndexMap middle =
          map_of(block(size, grid, IndexRange{starts[grid.rank], starts[grid.rank + 1]}));
      EXPECT_FALSE(middle.dimension(0).even());
      EXPECT_EQ(middle.owner_of({size - 3})->rank, 2);
      EXPECT_EQ(middle.owner_of({size - 2})->rank, 3);
      EXPECT_EQ(middle.contiguous_offset(), starts[grid.rank]);

      const GlobalIndexMap dealt = map_of(cyclic(size, grid, 1000, 3));
      Index before = 0;
      for (Index g = 0; g < 5; ++g) {
        EXPECT_EQ(dealt.dimension(0).owned_before(g), before);
        before += dealt.dimension(0).owned_count(g);
      }
      EXPECT_EQ(before, size);
      EXPECT_EQ(dealt.dimension(0).origin(), 3);
      const auto last = dealt.owner_of({size - 1});
      EXPECT_EQ(last->rank, ((size - 1) / 1000 + 3) % 5);
      EXPECT_EQ(last->owned_index[0], dealt.dimension(0).owned_count(last->rank) - 1);
    });
  }
}

TEST(GlobalIndexMap, MoreElementsThan64BitsNumber) {
  for (const bool permuted : {false, true}) {
    run_simulated(4, [&](const Comm& comm) {
      const Index huge = Index{1} << 32;
      const int seat = permuted ? 3 - comm.rank() : comm.rank();
      const DistArray array = describe(DataType::of<signed char>(), nullptr,
                                       {block(huge, {2, seat / 2}), block(huge, {2, seat % 2})})
                                  .on(comm);
      const GlobalIndexMap map(array);
      expect_rule(comm, "D09", [&] { map.contiguous_offset(); });
      expect_rule(comm, "D09", [&] { map.local_contiguous(); });
      EXPECT_EQ(map.dimension(1).owner_of(huge - 1)->grid_rank, 1);
    });
  }
}

}  // namespace
