// SPDX-License-Identifier: BSD-3-Clause
// Unstructured arrays: copies of indices that another process owns, and how the owner is stated.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>

#include <daptor/daptor.hpp>

#include "effort.hpp"
#include "everywhere.hpp"

namespace {

using namespace daptor;
using daptor::test::expect_refused;
using daptor::test::expect_refused_everywhere;
using daptor::test::Faults;

/// The lists of each rank.
struct Lists {
  std::vector<std::vector<Index>> ranks;
  std::vector<OwnedPart> owned;
  Index size = 0;

  bool owns(std::size_t rank, std::size_t position) const {
    return owned[rank].contains(static_cast<Index>(position));
  }
  /// The rank that owns an index.
  int owner(Index global) const {
    for (std::size_t r = 0; r < ranks.size(); ++r)
      for (std::size_t i = 0; i < ranks[r].size(); ++i)
        if (ranks[r][i] == global && owns(r, i)) return static_cast<int>(r);
    return -1;
  }
};

/// Each index is owned by one process and is a ghost on some, in any order.
Lists draw_lists(int ranks, std::mt19937& random) {
  Lists lists;
  lists.ranks.resize(static_cast<std::size_t>(ranks));
  lists.owned.resize(lists.ranks.size(), 0);
  lists.size = 1 + static_cast<Index>(random() % 30);
  std::vector<std::vector<Index>> ghosts(lists.ranks.size());
  for (Index global = 0; global < lists.size; ++global) {
    const std::size_t owner = random() % lists.ranks.size();
    for (std::size_t r = 0; r < lists.ranks.size(); ++r)
      if (r == owner)
        lists.ranks[r].push_back(global);
      else if (random() % 3 == 0)
        ghosts[r].push_back(global);
  }
  for (std::size_t r = 0; r < lists.ranks.size(); ++r) {
    auto& list = lists.ranks[r];
    lists.owned[r] = OwnedPart(static_cast<Index>(list.size()));
    std::shuffle(list.begin(), list.end(), random);
    std::shuffle(ghosts[r].begin(), ghosts[r].end(), random);
    list.insert(list.end(), ghosts[r].begin(), ghosts[r].end());
  }
  return lists;
}

/// The same with ghosts anywhere in the lists, some of which are copies of own indices.
Lists draw_mixed_lists(int ranks, std::mt19937& random) {
  Lists lists = draw_lists(ranks, random);
  for (std::size_t r = 0; r < lists.ranks.size(); ++r) {
    auto& list = lists.ranks[r];
    std::vector<std::pair<Index, bool>> entries;
    for (std::size_t i = 0; i < list.size(); ++i) {
      entries.emplace_back(list[i], lists.owns(r, i));
      if (random() % 4 == 0) entries.emplace_back(list[i], false);
    }
    std::shuffle(entries.begin(), entries.end(), random);
    std::vector<bool> mask;
    list.clear();
    for (const auto& [index, owned] : entries) {
      list.push_back(index);
      mask.push_back(owned);
    }
    lists.owned[r] = OwnedPart::where(mask);
  }
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
    return unstructured(lists.size, {ranks, rank}, IndexList(mine(lists)),
                        lists.owned[static_cast<std::size_t>(rank)]);
  }

  /// There are `inner` elements for each index.
  void check_update(const Lists& lists, Index inner) {
    const auto& indices = mine(lists);
    std::vector<std::int64_t> u(indices.size() * static_cast<std::size_t>(inner) + 1, -1);
    const auto value = [&](std::size_t i, Index k) { return 10 * indices[i] + k; };
    const auto at = [&](std::size_t i, Index k) -> std::int64_t& {
      return u[i * static_cast<std::size_t>(inner) + static_cast<std::size_t>(k)];
    };
    for (std::size_t i = 0; i < indices.size(); ++i)
      for (Index k = 0; k < inner; ++k)
        if (lists.owns(static_cast<std::size_t>(rank), i)) at(i, k) = value(i, k);
    const auto a = describe(u.data(), {dimension(lists), undistributed(inner)}).on(MPI_COMM_WORLD);
    HaloExchange(a).update();
    for (std::size_t i = 0; i < indices.size(); ++i)
      for (Index k = 0; k < inner; ++k) EXPECT_EQ(at(i, k), value(i, k)) << "index " << indices[i];
    EXPECT_EQ(u.back(), -1);
  }

  void check_accumulate(const Lists& lists) {
    const auto& indices = mine(lists);
    const auto value = [](int on, Index global) { return 1000 * (on + 1) + global; };
    std::vector<std::int64_t> u;
    for (const Index global : indices) u.push_back(value(rank, global));
    const auto a = describe(u.data(), {dimension(lists)}).on(MPI_COMM_WORLD);
    HaloExchange halo(a);
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
      const bool owned = lists.owns(static_cast<std::size_t>(rank), i);
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
    const Lists lists =
        round % 2 == 0 ? draw_lists(ranks, random) : draw_mixed_lists(ranks, random);
    check_update(lists, 1 + round % 3);
    check_accumulate(lists);
  }
}

TEST_F(SharedIndices, OneToOneHasNoCopies) {
  std::vector<Index> indices{rank, rank + ranks};
  std::array<double, 2> u{};
  const auto a =
      describe(u.data(), {unstructured(2 * ranks, {ranks, rank}, IndexList(indices), true)})
          .on(MPI_COMM_WORLD);
  const HaloExchange halo(a);
  EXPECT_EQ(halo.bytes_sent() + halo.bytes_received() + halo.bytes_copied(), 0);
  EXPECT_TRUE(halo.sources().empty());
}

/// Blocks of a one-to-one division, and copies of any other indices.
TEST_F(SharedIndices, NamedOwners) {
  std::mt19937 random(3);
  for (int round = 0; round < daptor::test::rounds(40); ++round) {
    const Index size = ranks + static_cast<Index>(random() % 40);
    const IndexRange owned = even_block(size, {ranks, rank});
    std::vector<Index> indices(static_cast<std::size_t>(owned.size()));
    std::iota(indices.begin(), indices.end(), owned.start);
    std::mt19937 mine(static_cast<unsigned>(17 * round + rank));
    for (int copies = static_cast<int>(mine() % 12); copies > 0; --copies) {
      const auto copy = static_cast<Index>(mine() % static_cast<std::uint64_t>(size));
      if (std::count(indices.begin(), indices.end(), copy) == 0) indices.push_back(copy);
    }
    std::vector<std::int64_t> u(indices.size(), -1);
    for (std::size_t i = 0; i < static_cast<std::size_t>(owned.size()); ++i) u[i] = 7 * indices[i];
    const auto a = describe(u.data(), {unstructured(size, {ranks, rank}, IndexList(indices))})
                       .on(MPI_COMM_WORLD);
    HaloOptions options;
    options.owned = block(size, {ranks, rank});
    if (round % 2 == 1) {
      const std::vector<Index> list(indices.begin(), indices.begin() + owned.size());
      options.owned = unstructured(size, {ranks, rank}, IndexList(list), true);
    }
    HaloExchange halo(a, options);
    halo.update();
    for (std::size_t i = 0; i < indices.size(); ++i) EXPECT_EQ(u[i], 7 * indices[i]) << i;

    std::fill(u.begin(), u.end(), 1);
    halo.accumulate(Combine::sum);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(owned.size()); ++i) sum += u[i];
    auto elements = static_cast<std::int64_t>(u.size());
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &elements, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(sum, elements) << "each element counted once at its owner";
  }
}

/// Only in the divided dimension do other processes own elements.
TEST_F(SharedIndices, NamedOwnersBesideAList) {
  const std::vector<Index> here{rank, (rank + 1) % ranks};
  const std::vector<Index> three{7, 5, 6};
  std::vector<std::int64_t> u(ranks == 1 ? 3 : 6, -1);
  for (std::size_t k = 0; k < 3; ++k) u[k] = 10 * rank + static_cast<std::int64_t>(k);
  const std::vector<Index> mine(here.begin(), here.begin() + (ranks == 1 ? 1 : 2));
  const auto a = describe(u.data(), {unstructured(ranks, {ranks, rank}, IndexList(mine)),
                                     unstructured(8, {1, 0}, IndexList(three), true)})
                     .on(MPI_COMM_WORLD);
  HaloOptions options;
  options.owned = block(ranks, {ranks, rank});
  if (ranks == 1) return;  // there are two lists, and none of them is divided
  HaloExchange(a, options).update();
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_EQ(u[3 + k], 10 * here[1] + static_cast<std::int64_t>(k));
}

/// Processes with the same grid rank must have the same list (U12): another list is refused, and
/// nothing is written.
TEST_F(SharedIndices, ListsThatDifferBetweenGridLines) {
  if (ranks != 4) return;
  const int line = rank / 2;
  const int column = rank % 2;
  std::vector<Index> columns{2 * column, 2 * column + 1, 4};
  if (line == 1) std::swap(columns[0], columns[1]);
  std::vector<double> u(3, rank);
  const Index owned = column == 0 ? 3 : 2;
  const auto a = describe(u, {block(2, {2, line}),
                              owned_then_ghosts(5, {2, column}, IndexList(columns), owned)})
                     .on(MPI_COMM_WORLD);
  expect_refused_everywhere("U12", [&] { HaloExchange{a}; });
  EXPECT_EQ(u, std::vector<double>(3, rank));
}

TEST_F(SharedIndices, OwnersThatCannotBe) {
  if (ranks == 1) return;
  const auto refused = [&](const std::vector<Index>& indices, const Dimension& owned) {
    std::vector<double> u(indices.size());
    HaloOptions options;
    options.owned = owned;
    const auto a = describe(u.data(), {unstructured(2 * ranks, {ranks, rank}, IndexList(indices))})
                       .on(MPI_COMM_WORLD);
    try {
      HaloExchange halo(a, options);
    } catch (const InvalidArgument& error) {
      return error.rule();
    }
    return std::string("nothing");
  };
  const std::vector<Index> two{2 * rank, 2 * rank + 1};
  const Dimension blocks = block(2 * ranks, {ranks, rank});
  // Rank 0 does not have the indices that it owns.
  const std::vector<Index> others = rank == 0 ? std::vector<Index>{1, 2} : std::vector<Index>{0};
  EXPECT_EQ(refused(others, blocks), "halo.owned");
  // No process owns the last index.
  EXPECT_EQ(refused(two, block(2 * ranks - 1, {ranks, rank})), "halo.owned");
  EXPECT_EQ(refused(two, undistributed(2 * ranks)), "halo.owned");
}

TEST_F(SharedIndices, AnOwnerWithoutItsIndexIsNamed) {
  for (int culprit = 0; culprit < ranks && ranks > 1; ++culprit) {
    const int owner = (culprit + 1) % ranks;
    std::vector<Index> indices{2 * rank, 2 * rank + 1};
    if (rank == owner) indices.pop_back();
    if (rank == culprit) indices.push_back(2 * owner + 1);
    std::vector<double> u(indices.size(), rank);
    const auto a = describe(u, {unstructured(2 * ranks, {ranks, rank}, IndexList(indices))})
                       .on(MPI_COMM_WORLD);
    HaloOptions options;
    options.owned = block(2 * ranks, {ranks, rank});
    const std::string text = expect_refused_everywhere(
        "halo.owned", [&] { HaloExchange(a, options); }, culprit);
    EXPECT_NE(text.find("index " + std::to_string(2 * owner + 1) +
                        ", missing in the section of its owner, rank " + std::to_string(owner)),
              std::string::npos)
        << text;
    EXPECT_EQ(u, std::vector<double>(indices.size(), rank));
  }
}

/// Shared columns of a periodic, padded block of rows: corners come from the owner of both.
TEST_F(SharedIndices, BesidesPaddedRows) {
  // Index 0 is on all processes, and the last one owns it.
  const std::vector<Index> columns{1 + rank, 1 + ranks + rank, 0};
  const Index owned = rank + 1 == ranks ? 3 : 2;
  const Index rows = 3;
  std::vector<std::int64_t> u((rows + 2) * columns.size(), -1);
  const auto at = [&](Index row, std::size_t column) -> std::int64_t& {
    return u[static_cast<std::size_t>(row + 1) * columns.size() + column];
  };
  for (Index row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < static_cast<std::size_t>(owned); ++column)
      at(row, column) = 100 * row + columns[column];
  const auto a =
      describe(u, {block(rows, {1, 0}, BlockPadding({1, 1}, {}, true)),
                   owned_then_ghosts(1 + 2 * ranks, {ranks, rank}, IndexList(columns), owned)})
          .on(MPI_COMM_WORLD);
  HaloExchange(a).update();
  for (Index row = -1; row <= rows; ++row)
    for (std::size_t column = 0; column < columns.size(); ++column)
      EXPECT_EQ(at(row, column), 100 * ((row + rows) % rows) + columns[column])
          << row << ' ' << column;
}

/// An index on two processes without a stated owner is refused, since no copy may be overwritten.
TEST_F(SharedIndices, WithoutAnOwnerAreRefused) {
  for (int culprit = 1; culprit < ranks; ++culprit) {
    std::vector<Index> indices{2 * rank, 2 * rank + 1};
    if (rank == culprit) indices.push_back(2 * rank - 1);
    std::vector<double> u(indices.size(), rank);
    const auto a = describe(u, {unstructured(2 * ranks, {ranks, rank}, IndexList(indices))})
                       .on(MPI_COMM_WORLD);
    expect_refused_everywhere("halo.shared", [&] { HaloExchange{a}; });
    const std::string text = expect_refused("halo.shared", [&] { update_padding(a); });
    EXPECT_NE(text.find("index " + std::to_string(2 * culprit - 1)), std::string::npos) << text;
    EXPECT_NE(text.find("owned_then_ghosts"), std::string::npos) << text;
    EXPECT_EQ(u, std::vector<double>(indices.size(), rank));
    HaloOptions options;
    options.owned = block(2 * ranks, {ranks, rank});
    HaloExchange(a, options).update();
    if (rank == culprit) {
      EXPECT_EQ(u.back(), rank - 1);
    }
  }
}

/// The same if the lists are columns of a grid with several rows.
TEST_F(SharedIndices, WithoutAnOwnerAreRefusedOnEachGridLine) {
  if (ranks != 4) return;
  const int line = rank / 2;
  const int column = rank % 2;
  std::vector<double> u(3, rank);
  const auto a =
      describe(u, {block(2, {2, line}),
                   unstructured(5, {2, column}, IndexList({2 * column, 2 * column + 1, 4}))})
          .on(MPI_COMM_WORLD);
  expect_refused_everywhere("halo.shared", [&] { HaloExchange{a}; });
}

/// U04 on each rank in turn, however the owners are stated: the result would depend on which of the
/// elements is taken for the index.
TEST_F(SharedIndices, AnIndexTwiceOnAProcessIsRefused) {
  for (int culprit = 0; culprit < ranks; ++culprit) {
    std::vector<Index> indices{2 * rank, 2 * rank + 1};
    if (rank == culprit) indices.push_back(2 * rank);
    const auto size = static_cast<Index>(indices.size());
    std::vector<double> u(indices.size(), rank);
    HaloOptions named;
    named.owned = block(2 * ranks, {ranks, rank});
    const auto refused = [&](const Dimension& dimension, const HaloOptions& options) {
      const auto a = describe(u, {dimension}).on(MPI_COMM_WORLD);
      expect_refused_everywhere("U04", [&] { HaloExchange(a, options); });
    };
    refused(unstructured(2 * ranks, {ranks, rank}, IndexList(indices)), {});
    refused(unstructured(2 * ranks, {ranks, rank}, IndexList(indices), true), {});
    refused(unstructured(2 * ranks, {ranks, rank}, IndexList(indices)), named);
    const auto twice =
        describe(u, {owned_then_ghosts(2 * ranks, {ranks, rank}, IndexList(indices), size)})
            .on(MPI_COMM_WORLD);
    expect_refused_everywhere("owned.twice", [&] { HaloExchange{twice}; });
    EXPECT_EQ(u, std::vector<double>(indices.size(), rank));
  }
}

/// On each rank in turn: positions that are not in the list, or twice.
TEST_F(SharedIndices, WrongPositionsAreRefused) {
  for (int culprit = 0; culprit < ranks; ++culprit)
    for (const std::vector<Index>& wrong : {std::vector<Index>{1, 4}, {-1, 2}, {1, 1, 3}}) {
      const IndexList list({2 * rank, 2 * rank + 1, 2 * rank, 0});
      std::vector<double> u(4, rank);
      const OwnedPart part = OwnedPart::at(rank == culprit ? wrong : std::vector<Index>{1, 2});
      const auto a =
          describe(u, {unstructured(2 * ranks, {ranks, rank}, list, part)}).on(MPI_COMM_WORLD);
      expect_refused_everywhere("owned.positions", [&] { HaloExchange{a}; });
      EXPECT_EQ(u, std::vector<double>(4, rank));
    }
}

/// A program that reads the owned elements as a box of the section would read ghosts.
TEST_F(SharedIndices, ABoxOfOwnedElementsThatIsNone) {
  std::vector<double> u(3);
  const auto list = [&](OwnedPart part) {
    return describe(u, {unstructured(2 * ranks, {ranks, rank},
                                     IndexList({2 * rank, 2 * rank, 2 * rank + 1}), part)});
  };
  const Section apart = list(OwnedPart::at({0, 2})), behind = list(OwnedPart::at({2, 1}));
  EXPECT_TRUE(apart.owned_apart());
  EXPECT_EQ(apart.owned_count(), 2);
  expect_refused("owned.apart", [&] { static_cast<void>(apart.owned_data()); });
  expect_refused("owned.apart", [&] { static_cast<void>(apart.owned_offset()); });
  expect_refused("owned.apart", [&] { static_cast<void>(apart.interior_data()); });
  expect_refused("owned.apart", [&] { static_cast<void>(apart.interior_offset()); });
  EXPECT_FALSE(behind.owned_apart());
  EXPECT_EQ(behind.owned_data(), u.data() + 1);
  EXPECT_EQ(behind.owned_offset(), std::vector<Index>{1});
}

TEST_F(SharedIndices, AnIndexWithTwoOwnersIsRefused) {
  for (int culprit = 1; culprit < ranks; ++culprit) {
    std::vector<Index> indices{2 * rank, 2 * rank + 1};
    if (rank == culprit) indices.push_back(0);
    std::vector<double> u(indices.size(), rank);
    const auto a = describe(u, {owned_then_ghosts(2 * ranks, {ranks, rank}, IndexList(indices),
                                                  static_cast<Index>(indices.size()))})
                       .on(MPI_COMM_WORLD);
    expect_refused_everywhere("owned.twice", [&] { HaloExchange{a}; });
    EXPECT_EQ(u, std::vector<double>(indices.size(), rank));
  }
}

TEST_F(SharedIndices, AGhostOfNobodyIsRefused) {
  for (int culprit = 0; culprit < ranks; ++culprit) {
    std::vector<Index> indices{2 * rank, 2 * rank + 1};
    if (rank == culprit) indices.push_back(2 * ranks + 5);
    std::vector<double> u(indices.size(), rank);
    const auto a = describe(u, {owned_then_ghosts(2 * ranks, {ranks, rank}, IndexList(indices), 2)})
                       .on(MPI_COMM_WORLD);
    expect_refused_everywhere("owned.nobody", [&] { HaloExchange{a}; });
  }
}

TEST_F(SharedIndices, NumbersOfOwnedIndicesOnSomeRanksOnly) {
  for (int culprit = 0; culprit < ranks && ranks > 1; ++culprit) {
    std::vector<double> u(2);
    const IndexList list({2 * rank, 2 * rank + 1});
    const auto a =
        describe(u, {rank == culprit ? unstructured(2 * ranks, {ranks, rank}, list)
                                     : owned_then_ghosts(2 * ranks, {ranks, rank}, list, 2)})
            .on(MPI_COMM_WORLD);
    expect_refused_everywhere("owned.keys", [&] { HaloExchange{a}; });
  }
}

/// As in finite element codes: each rank has four elements, and the neighbours' next ones as
/// ghosts.
TEST_F(SharedIndices, OwnedElementsThenGhosts) {
  std::vector<Index> owned, ghosts;
  for (Index i = 0; i < 4; ++i) owned.push_back(4 * rank + i);
  for (const Index ghost : {4 * rank - 1, 4 * rank + 4})
    if (ghost >= 0 && ghost < 4 * ranks) ghosts.push_back(ghost);
  std::vector<double> u;
  for (const Index i : owned) u.push_back(100.0 + static_cast<double>(i));
  u.resize(owned.size() + ghosts.size(), -1);
  const auto check = [&](const Dimension& dimension) {
    std::fill(u.begin() + 4, u.end(), -1);
    HaloExchange halo(describe(u, {dimension}).on(MPI_COMM_WORLD));
    halo.update();
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(u[i], 100.0 + static_cast<double>(owned[i]));
    for (std::size_t i = 0; i < ghosts.size(); ++i)
      EXPECT_EQ(u[4 + i], 100.0 + static_cast<double>(ghosts[i]));
    EXPECT_EQ(halo.bytes_received(), static_cast<std::int64_t>(8 * ghosts.size()));
  };
  check(owned_then_ghosts(4 * ranks, {ranks, rank}, owned, ghosts));
  check(block_then_ghosts(4 * ranks, {ranks, rank}, ghosts));
  check(block_then_ghosts(4 * ranks, {ranks, rank}, {4 * rank, 4 * rank + 4}, ghosts));
}

/// A process may own no elements, and may have none at all.
TEST_F(SharedIndices, ProcessesThatOwnNothing) {
  std::vector<Index> owned, ghosts;
  if (rank == 0) owned = {7, 3, 5};
  if (rank == 1) ghosts = {5, 7};
  std::vector<int> u;
  for (const Index i : owned) u.push_back(static_cast<int>(i));
  u.resize(owned.size() + ghosts.size(), -1);
  const auto a =
      describe(u, {owned_then_ghosts(3, {ranks, rank}, owned, ghosts)}).on(MPI_COMM_WORLD);
  HaloExchange(a).update();
  if (rank == 0) {
    EXPECT_EQ(u, (std::vector<int>{7, 3, 5}));
  }
  if (rank == 1) {
    EXPECT_EQ(u, (std::vector<int>{5, 7}));
  }
}

TEST_F(SharedIndices, AFaultOnOneRankIsEverybodys) {
  std::mt19937 random(11);
  const Lists lists = draw_lists(ranks, random);
  std::vector<std::int64_t> u(mine(lists).size());
  const auto a = describe(u, {dimension(lists)}).on(MPI_COMM_WORLD);
  Faults().expect_agreed([&] { HaloExchange{a}; });
}

}  // namespace
