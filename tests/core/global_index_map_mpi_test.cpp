// SPDX-License-Identifier: BSD-3-Clause
// GlobalIndexMap and the consistency proof over MPI, at the job's number of ranks.

#include <algorithm>

#include <gtest/gtest.h>

#include "daptor/agreement.hpp"
#include "global_map_checks.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

class Mpi : public ::testing::Test {
 protected:
  const Comm comm{MPI_COMM_WORLD};
  const int rank = comm.rank();
  const Index ranks = comm.size();

  void check(const Layout& layout) { check_layout(comm, layout); }
  DistArray describe_one(const Dimension& dimension) const {
    return describe(DataType::of<double>(), nullptr, {dimension});
  }
  /// Building the map fails on all ranks, and says the same on all.
  void expect_malformed(const std::string& rule, const DistArray& array, int named) const {
    EXPECT_EQ(expect_rule(comm, rule, [&] { GlobalIndexMap map(array, comm); }), named);
  }
  /// Ways to write the number of ranks as a x b.
  std::vector<std::pair<Index, Index>> grids() const {
    std::vector<std::pair<Index, Index>> all;
    for (Index a = 1; a <= ranks; ++a) {
      if (ranks % a == 0) all.emplace_back(a, ranks / a);
    }
    return all;
  }
  std::vector<std::vector<Index>> orders() const {
    std::vector<Index> reversed;
    for (Index seat = ranks; seat-- > 0;) reversed.push_back(seat);
    std::vector<Index> shuffled = reversed;
    std::mt19937 random(11);
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    return {{}, reversed, shuffled};
  }
  std::vector<Index> lengths(Index processes, Index seed) const {
    std::vector<Index> result;
    for (Index i = 0; i < processes; ++i) result.push_back((i * 5 + seed) % 4);
    return result;
  }
};

TEST_F(Mpi, OverTheCallersCommunicator) {
  const Layout layout{{even_axis(20, ranks)}, {}};
  check_map(GlobalIndexMap(layout.array(rank), MPI_COMM_WORLD), layout, rank);
}

TEST_F(Mpi, LinesOfEveryDistribution) {
  const BlockPadding ring{{1, 2}, {}, true};
  for (const auto& order : orders()) {
    for (const Index size : {0, 1, 7, 23}) {
      check({{even_axis(size, ranks, ring)}, order});
      check({{cyclic_axis(size, ranks, 2, ranks - 1)}, order});
      check({{shuffled_axis(size, ranks, static_cast<unsigned>(size))}, order});
    }
    for (Index seed = 0; seed < 4; ++seed) check({{block_axis(lengths(ranks, seed), ring)}, order});
  }
}

TEST_F(Mpi, GridsInEveryOrder) {
  for (const auto& order : orders()) {
    for (const auto& [a, b] : grids()) {
      check({{even_axis(9, a, {{1, 1}, {}, true}), even_axis(4, b)}, order});
      check({{block_axis(lengths(a, 1)), block_axis(lengths(b, 2), {{1, 1}, {}, true})}, order});
      check(
          {{cyclic_axis(11, a, 2, a - 1), undistributed_axis(3), shuffled_axis(12, b, 5)}, order});
    }
  }
}

TEST_F(Mpi, GapsAndOverlapsOnEachRankInTurn) {
  for (int culprit = 0; culprit + 1 < ranks; ++culprit) {
    for (const Index shift : {-1, 1}) {
      IndexRange owned{rank * Index{3}, rank * Index{3} + 3};
      if (rank == culprit) owned.stop += shift;
      expect_malformed("B09", describe_one(block(3 * ranks, {ranks, rank}, owned)), culprit + 1);
    }
  }
}

TEST_F(Mpi, TwoRanksAtOneCoordinate) {
  if (ranks == 1) return check({{even_axis(3, 1)}, {}});  // one rank has a seat of its own
  const Layout layout{{even_axis(20, ranks)}, {}};
  for (int culprit = 0; culprit < ranks; ++culprit) {
    const int place = (culprit + 1) % static_cast<int>(ranks);
    // What is wrong with every rank is said of none.
    expect_malformed("D19", layout.array(rank == culprit ? place : rank),
                     ranks == 2 ? -1 : std::min(culprit, place));
  }
}

TEST_F(Mpi, OriginsThatDisagree) {
  for (int culprit = 0; culprit < ranks; ++culprit) {
    const Index start = rank == culprit ? 2 * ranks : rank;  // owns nothing although it should
    expect_malformed("C11", describe_one(Dimension(2 * ranks, Cyclic{{ranks, rank}, start, 1})),
                     culprit);
    if (ranks == 1) continue;
    const Index other = rank == culprit ? (rank + 1) % ranks : rank;
    expect_malformed("C11", describe_one(Dimension(2 * ranks, Cyclic{{ranks, rank}, other, 1})),
                     culprit);
  }
}

TEST_F(Mpi, DifferentNumbersOfDimensionsOnEachRankInTurn) {
  for (int culprit = 1; culprit < ranks; ++culprit) {
    std::vector<Dimension> dimensions{block(8, {ranks, rank})};
    if (rank == culprit) dimensions.assign(40, undistributed(1));
    const DistArray array = describe(DataType::of<double>(), nullptr, dimensions);
    expect_malformed("T14", array, culprit);
    EXPECT_EQ(expect_rule(comm, "T14", [&] { require_consistent(array, comm); }), culprit);
  }
}

TEST_F(Mpi, AnotherGridThanTheCommunicator) {
  const DistArray array = describe_one(block(8, {ranks + 1, rank}));
  expect_malformed("D14", array, ranks == 1 ? 0 : -1);
  expect_rule(comm, "D14", [&] { require_consistent(array, comm); });
}

TEST_F(Mpi, MissingElements) {
  require_consistent(describe_one(block(3 * ranks, {ranks, rank})), comm);
  for (int culprit = 0; culprit + 1 < ranks; ++culprit) {
    IndexRange owned{rank * Index{3}, rank * Index{3} + 3};
    if (rank == culprit) --owned.stop;
    const DistArray array = describe_one(block(3 * ranks, {ranks, rank}, owned));
    expect_rule(comm, "B09", [&] { require_consistent(array, comm); });
  }
}

}  // namespace
