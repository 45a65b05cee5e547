// SPDX-License-Identifier: BSD-3-Clause
// GlobalIndexMap and the consistency proof over MPI, at the job's number of ranks.

#include <algorithm>

#include <gtest/gtest.h>

#include "daptor/consistent.hpp"
#include "global_map_checks.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

class Mpi : public ::testing::Test {
 protected:
  const Comm comm{MPI_COMM_WORLD};
  const int rank = comm.rank();
  const Index ranks = comm.size();

  void check(const Layout& layout) {
    check_layout(comm, layout);
    check_contiguous(GlobalIndexMap(layout.array(rank).on(comm)), layout);
  }
  /// The array cannot be proven consistent and has no map, for the same reason on all ranks.
  void expect_malformed(const std::string& rule, const std::vector<Dimension>& dimensions,
                        int named) const {
    const DistArray array = describe(DataType::of<double>(), nullptr, dimensions).on(comm);
    EXPECT_EQ(expect_rule(comm, rule, [&] { GlobalIndexMap map(array); }), named);
    EXPECT_EQ(expect_rule(comm, rule, [&] { require_consistent(array); }), named);
  }
  /// All ways to write the number of ranks as a x b.
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
  check_map(GlobalIndexMap(layout.array(rank).on(MPI_COMM_WORLD)), layout, rank);
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

TEST_F(Mpi, DifferentNumbersOfDimensionsOnEachRankInTurn) {
  for (int culprit = 1; culprit < ranks; ++culprit) {
    std::vector<Dimension> dimensions{block(8, {ranks, rank})};
    if (rank == culprit) dimensions.assign(40, undistributed(1));
    expect_malformed("T14", dimensions, culprit);
  }
}

TEST_F(Mpi, AnotherGridThanTheCommunicator) {
  expect_malformed("D14", {block(8, {ranks + 1, rank})}, ranks == 1 ? 0 : -1);
}

}  // namespace
