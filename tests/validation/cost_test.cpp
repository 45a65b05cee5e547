// SPDX-License-Identifier: BSD-3-Clause
// The cost of a validation, counted: the numbers of docs/validation.md, at any number of ranks.

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "counting_communicator.hpp"
#include "daptor/simulated.hpp"
#include "judge.hpp"

namespace daptor {
namespace {

using test::CountingCommunicator;
using test::described;
using test::Traffic;
using Describe = std::function<Section(int rank)>;

constexpr int word = 8;
const std::vector<int> rank_counts = {1, 2, 3, 5, 8, 12, 30, 60};

/// What each rank sends and receives in a call.
std::vector<Traffic> traffic_of(int ranks, const std::function<void(const Comm&)>& call) {
  std::vector<Traffic> traffic(static_cast<std::size_t>(ranks));
  run_simulated(ranks, [&](const Comm& comm) {
    const CountingCommunicator counting(comm);
    call(counting);
    traffic[static_cast<std::size_t>(comm.rank())] = counting.traffic;
  });
  return traffic;
}

/// The traffic of a validation that finds nothing.
std::vector<Traffic> traffic_of(int ranks, Level level, const Describe& describe) {
  return traffic_of(ranks, [&](const Comm& comm) {
    const Report report = validate(describe(comm.rank()), comm, {level});
    EXPECT_TRUE(report.findings().empty() || report.has("D20")) << report;
  });
}

/// The traffic of an import's validation, which looks for errors only.
std::vector<Traffic> import_traffic(int ranks, const Describe& describe) {
  return traffic_of(ranks,
                    [&](const Comm& comm) { require_consistent(describe(comm.rank()).on(comm)); });
}

/// A grid of `ranks` processes in two dimensions, as square as possible.
std::vector<Index> grid_of(int ranks) {
  Index rows = 1;
  for (Index i = 1; i * i <= ranks; ++i)
    if (ranks % i == 0) rows = i;
  return {rows, ranks / rows};
}

std::vector<GridPosition> position(int ranks, Index seat) {
  const std::vector<Index> grid = grid_of(ranks);
  const std::vector<Index> at = grid_coordinates(grid, seat);
  return {{grid[0], at[0]}, {grid[1], at[1]}};
}

int distributed(int ranks) {
  const std::vector<Index> grid = grid_of(ranks);
  return (grid[0] > 1 ? 1 : 0) + (grid[1] > 1 ? 1 : 0);
}

/// The bytes of one message between neighbours.
std::size_t edge_bytes(int ndim) {
  const auto bytes = word * (5 + 2 * ndim);
  return static_cast<std::size_t>(bytes);
}

Section padded(const std::vector<GridPosition>& at) {
  return described({block(100, at[0], even_block(100, at[0]), BlockPadding{{1, 1}, {1, 1}}),
                    block(90, at[1], even_block(90, at[1]), BlockPadding{{1, 1}, {1, 1}})});
}

// Without index lists, level full (the default) makes the same calls as level metadata.

TEST(Cost, ARegularArrayTakesOneReduction) {
  for (const int ranks : rank_counts)
    for (const Level level : {Level::metadata, ValidateOptions().level})
      for (const Traffic& mine : traffic_of(ranks, level, [&](int rank) {
             const auto at = position(ranks, rank);
             return described({block(100, at[0]), cyclic(90, at[1], 2), undistributed(3)});
           })) {
        EXPECT_EQ(mine.collectives(), 1);
        EXPECT_EQ(mine.allreduces, 1);
        EXPECT_EQ(mine.longest_reduction, 256U);
        EXPECT_EQ(mine.messages, 0);
      }
}

TEST(Cost, PaddingTakesOneMoreAndTwoMessagesADistributedDimension) {
  for (const int ranks : rank_counts)
    for (const Level level : {Level::metadata, ValidateOptions().level})
      for (const Traffic& mine :
           traffic_of(ranks, level, [&](int rank) { return padded(position(ranks, rank)); })) {
        EXPECT_EQ(mine.collectives(), 2);
        EXPECT_EQ(mine.allreduces, 2);
        EXPECT_LE(mine.longest_reduction, 256U);
        EXPECT_EQ(mine.messages, 2 * distributed(ranks));
        EXPECT_LE(mine.longest_message, edge_bytes(2));
      }
}

TEST(Cost, AnImportOfARegularArrayTakesOneReduction) {
  for (const int ranks : rank_counts)
    for (const Traffic& mine : import_traffic(ranks, [&](int rank) {
           const auto at = position(ranks, rank);
           return described({block(50, at[0]), cyclic(9, at[1], 3)});
         })) {
      EXPECT_EQ(mine.collectives(), 1);
      EXPECT_EQ(mine.messages, 0);
    }
}

TEST(Cost, AnImportOfIrregularBlocksTakesTwo) {
  for (const int ranks : rank_counts)
    for (const Traffic& mine : import_traffic(ranks, [&](int rank) {
           const auto at = position(ranks, rank);
           // The first process of the one dimension has all but one index of each other, the first
           // of the other dimension has none.
           const Index rows = 2 * at[0].size;
           const IndexRange mine = at[0].first() ? IndexRange{0, rows - (at[0].size - 1)}
                                                 : IndexRange{rows - at[0].size + at[0].rank,
                                                              rows - at[0].size + at[0].rank + 1};
           const Index columns = std::max<Index>(1, at[1].size - 1);
           const IndexRange theirs = at[1].size == 1 ? IndexRange{0, 1}
                                     : at[1].first() ? IndexRange{0, 0}
                                                     : IndexRange{at[1].rank - 1, at[1].rank};
           return described({block(rows, at[0], mine), block(columns, at[1], theirs)});
         })) {
      EXPECT_LE(mine.allreduces, 2);
      EXPECT_EQ(mine.broadcasts, 0);
      EXPECT_EQ(mine.exchanges, 0);
      EXPECT_LE(mine.sendrecvs, 2 * 2);
    }
}

TEST(Cost, OriginsTravelWithTheLastReduction) {
  for (const int ranks : rank_counts)
    for (const Traffic& mine : import_traffic(ranks, [&](int rank) {
           const auto at = position(ranks, rank);
           return described({cyclic(100, at[0], 3, at[0].size - 1), cyclic(2, at[1], 1)});
         })) {
      EXPECT_LE(mine.collectives(), 2);
      EXPECT_LE(mine.longest_reduction, 256U);
      EXPECT_LE(mine.messages, 2 * distributed(ranks));
    }
}

TEST(Cost, RanksInAnyOrderTakeTwoExchanges) {
  for (const int ranks : rank_counts) {
    if (ranks < 3) continue;
    const auto all = traffic_of(ranks, Level::metadata, [&](int rank) {
      return padded(position(ranks, ranks - 1 - rank));
    });
    for (const Traffic& mine : all) {
      EXPECT_LE(mine.allreduces, 4 + 10) << "the warning D20 is one entry of a report";
      EXPECT_EQ(mine.exchanges, 2);
      EXPECT_LE(mine.messages, 2 * distributed(ranks) + 2);
    }
    for (const Traffic& mine : import_traffic(
             ranks, [&](int rank) { return padded(position(ranks, ranks - 1 - rank)); })) {
      EXPECT_EQ(mine.collectives(), 4);
      EXPECT_LE(mine.messages, 2 * distributed(ranks) + 2);
    }
  }
}

/// However many ranks have one position, none of them is told by each of the others.
TEST(Cost, AllRanksAtOnePosition) {
  for (const int ranks : {60, 65, 100}) {
    SCOPED_TRACE(ranks);
    std::vector<Report> reports(static_cast<std::size_t>(ranks));
    const auto traffic = traffic_of(ranks, [&](const Comm& comm) {
      // All at the first position but the last two, which are at the next ones.
      const Index seat = std::max(0, comm.rank() - ranks + 3);
      reports[static_cast<std::size_t>(comm.rank())] =
          validate(padded(position(ranks, seat)), comm);
    });
    const Report& report = reports.front();
    ASSERT_EQ(report.findings().size(), 1U) << report;
    EXPECT_EQ(report.findings().front().rule, "D19");
    EXPECT_EQ(report.findings().front().rank_count, ranks - 2) << report;
    EXPECT_EQ(report.findings().front().found, "coordinates (0, 0), which rank 1 has too");
    for (const Report& each : reports) EXPECT_EQ(each.findings(), report.findings());
    if (ranks <= 64) continue;
    for (const Traffic& mine : traffic) EXPECT_LE(mine.received, 120);
  }
}

TEST(Cost, IndexListsTravelOnceAndInTheirShortestForm) {
  constexpr Index share = 1600;
  const auto list = [](int ranks, int rank, Index step) {
    // The identity with step 1; with another step that has no common divisor with the size, another
    // permutation.
    std::vector<Index> indices(share);
    for (Index i = 0; i < share; ++i)
      indices[static_cast<std::size_t>(i)] = (rank * share + i) * step % (ranks * share);
    return described({unstructured(ranks * share, {ranks, rank}, IndexList(indices), true)});
  };
  for (const int ranks : rank_counts) {
    for (const Traffic& mine :
         traffic_of(ranks, Level::full, [&](int rank) { return list(ranks, rank, 1); })) {
      EXPECT_LE(mine.collectives(), 12);
      EXPECT_LE(mine.message_bytes, 2 * 56 + 16) << "a run, and the edges";
    }
    for (const Traffic& mine :
         traffic_of(ranks, Level::full, [&](int rank) { return list(ranks, rank, 1009); })) {
      EXPECT_LE(mine.collectives(), 16);
      EXPECT_LE(mine.message_bytes, 2 * 56 + 4 * share + 12 * ranks) << "32 bits an index";
    }
  }
}

TEST(Cost, AnImportDoesNotCountTheIndicesOfLists) {
  for (const int ranks : rank_counts)
    for (const Traffic& mine : import_traffic(ranks, [&](int rank) {
           const std::vector<Index> indices{2 * rank, 2 * rank};  // U04, of level full
           return described({unstructured(2 * ranks, {ranks, rank}, IndexList(indices), true)});
         })) {
      EXPECT_LE(mine.collectives(), 2);
      EXPECT_LE(mine.message_bytes, 2 * 56);
    }
}

TEST(Cost, AReportTakesABoundedNumberOfReductionsAnEntry) {
  for (const int ranks : {2, 12, 60}) {
    const auto traffic = traffic_of(ranks, [&](const Comm& comm) {
      const GridPosition at{ranks, comm.rank()};
      // The first and the last block end at the right place; those between do not.
      const Index short_by = at.first() || at.last() ? 0 : 1;
      const auto wrong = described(
          {block(4 * ranks, at, {4 * at.rank, 4 * at.rank + 4 - short_by}), cyclic(4, {1, 0}, 2)});
      const Report report = validate(wrong, comm);
      EXPECT_EQ(report.findings().size(), ranks > 2 ? 1U : 0U) << report;
    });
    for (const Traffic& mine : traffic) {
      EXPECT_LE(mine.allreduces, 4 + 10);
      EXPECT_LE(mine.broadcasts, 1);
      EXPECT_LE(mine.messages, 2);
    }
  }
}

}  // namespace
}  // namespace daptor
