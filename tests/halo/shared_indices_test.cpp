// Unstructured arrays: copies of what a process of a lower grid rank has.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include <daptor/daptor.hpp>

#include "effort.hpp"

namespace {

using namespace daptor;

struct Lists {
  std::vector<std::vector<Index>> ranks;
  Index size = 0;

  /// The rank that owns an index: the lowest that has it.
  int owner(Index global) const {
    for (std::size_t r = 0; r < ranks.size(); ++r)
      if (std::count(ranks[r].begin(), ranks[r].end(), global) != 0) return static_cast<int>(r);
    return -1;
  }
};

/// Each index on one process at least, some on several, in any order.
Lists draw_lists(int ranks, std::mt19937& random) {
  Lists lists;
  lists.ranks.resize(static_cast<std::size_t>(ranks));
  lists.size = 1 + static_cast<Index>(random() % 30);
  for (Index global = 0; global < lists.size; ++global) {
    const std::size_t first = random() % lists.ranks.size();
    for (std::size_t r = 0; r < lists.ranks.size(); ++r)
      if (r == first || random() % 3 == 0) lists.ranks[r].push_back(global);
  }
  for (auto& list : lists.ranks) std::shuffle(list.begin(), list.end(), random);
  return lists;
}

class SharedIndices : public ::testing::Test {
 protected:
  void SetUp() override {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  }
  const std::vector<Index>& mine(const Lists& lists) const {
    return lists.ranks[static_cast<std::size_t>(rank)];
  }
  Dimension dimension(const Lists& lists) const {
    return unstructured(lists.size, {ranks, rank}, IndexList(mine(lists)));
  }

  /// `inner` elements for each index.
  void check_update(const Lists& lists, Index inner) {
    const auto& indices = mine(lists);
    std::vector<std::int64_t> u(indices.size() * static_cast<std::size_t>(inner) + 1, -1);
    const auto value = [&](std::size_t i, Index k) { return 10 * indices[i] + k; };
    const auto at = [&](std::size_t i, Index k) -> std::int64_t& {
      return u[i * static_cast<std::size_t>(inner) + static_cast<std::size_t>(k)];
    };
    for (std::size_t i = 0; i < indices.size(); ++i)
      for (Index k = 0; k < inner; ++k)
        if (lists.owner(indices[i]) == rank) at(i, k) = value(i, k);
    const auto a = describe(u.data(), {dimension(lists), undistributed(inner)});
    HaloExchange(a, MPI_COMM_WORLD).update();
    for (std::size_t i = 0; i < indices.size(); ++i)
      for (Index k = 0; k < inner; ++k) EXPECT_EQ(at(i, k), value(i, k)) << "index " << indices[i];
    EXPECT_EQ(u.back(), -1);
  }

  void check_accumulate(const Lists& lists) {
    const auto& indices = mine(lists);
    const auto value = [](int on, Index global) { return 1000 * (on + 1) + global; };
    std::vector<std::int64_t> u;
    for (const Index global : indices) u.push_back(value(rank, global));
    const auto a = describe(u.data(), {dimension(lists)});
    HaloExchange halo(a, MPI_COMM_WORLD);
    halo.accumulate(Combine::sum);
    const auto total = [&](Index global) {
      std::int64_t sum = 0;
      for (int r = 0; r < ranks; ++r) {
        const auto& list = lists.ranks[static_cast<std::size_t>(r)];
        sum += std::count(list.begin(), list.end(), global) * value(r, global);
      }
      return sum;
    };
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const bool owned = lists.owner(indices[i]) == rank;
      EXPECT_EQ(u[i], owned ? total(indices[i]) : value(rank, indices[i]));
    }
    halo.update();
    for (std::size_t i = 0; i < indices.size(); ++i) EXPECT_EQ(u[i], total(indices[i]));
  }

  int rank = 0;
  int ranks = 1;
};

TEST_F(SharedIndices, RandomLists) {
  std::mt19937 random(7);
  for (int round = 0; round < daptor::test::rounds(60); ++round) {
    const Lists lists = draw_lists(ranks, random);
    check_update(lists, 1 + round % 3);
    check_accumulate(lists);
  }
}

TEST_F(SharedIndices, OneToOneHasNoCopies) {
  std::vector<Index> indices{rank, rank + ranks};
  std::array<double, 2> u{};
  const auto a =
      describe(u.data(), {unstructured(2 * ranks, {ranks, rank}, IndexList(indices), true)});
  const HaloExchange halo(a, MPI_COMM_WORLD);
  EXPECT_EQ(halo.bytes_sent() + halo.bytes_received() + halo.bytes_copied(), 0);
  EXPECT_TRUE(halo.sources().empty());
}

/// Shared columns of a periodic, padded block of rows: corners come from the owner of both.
TEST_F(SharedIndices, BesidesPaddedRows) {
  const std::vector<Index> columns{0, 1 + rank, 1 + ranks + rank};  // 0 is on all
  const Index rows = 3;
  std::vector<std::int64_t> u((rows + 2) * columns.size(), -1);
  const auto at = [&](Index row, std::size_t column) -> std::int64_t& {
    return u[static_cast<std::size_t>(row + 1) * columns.size() + column];
  };
  for (Index row = 0; row < rows; ++row)
    for (std::size_t column = rank == 0 ? 0 : 1; column < columns.size(); ++column)
      at(row, column) = 100 * row + columns[column];
  const auto a = describe(
      u.data(), {block(rows, {1, 0}, BlockPadding({1, 1}, {}, true)),
                 unstructured(1 + 2 * ranks, {ranks, rank}, IndexList(columns))});
  HaloExchange(a, MPI_COMM_WORLD).update();
  for (Index row = -1; row <= rows; ++row)
    for (std::size_t column = 0; column < columns.size(); ++column)
      EXPECT_EQ(at(row, column), 100 * ((row + rows) % rows) + columns[column])
          << row << ' ' << column;
}

}  // namespace
