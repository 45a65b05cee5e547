// SPDX-License-Identifier: BSD-3-Clause
// Lists that do not say whether they share indices, which are therefore asked.

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <string>
#include <vector>

#include "daptor/daptor.hpp"
#include "everywhere.hpp"

namespace daptor {
namespace {

using test::expect_refused_everywhere;
using test::expect_same_everywhere;
using test::Faults;
using test::world_rank;
using test::world_size;

/// Indices dealt to the ranks in turn, in descending order.
std::vector<Index> dealt(Index size) {
  std::vector<Index> list;
  for (Index i = world_rank(); i < size; i += world_size()) list.push_back(i);
  std::reverse(list.begin(), list.end());
  return list;
}

DistArray made(std::vector<Dimension> dimensions) {
  return allocate<double>(std::move(dimensions)).on(MPI_COMM_WORLD);
}

DistArray listed(std::vector<Index> list, Index size, bool says_so = false) {
  return made(
      {unstructured(size, {world_size(), world_rank()}, IndexList(std::move(list)), says_so)});
}

TEST(OneToOne, IsSaidWhereItIsSo) {
  for (const Index size : {Index{0}, Index{1}, Index{40}}) {
    const DistArray a = listed(dealt(size), size);
    const OneToOne proof = prove_one_to_one(a);
    EXPECT_FALSE(proof.against);
    EXPECT_EQ(proof.array, listed(dealt(size), size, true).with_memory(a.mutable_data()));
    EXPECT_EQ(proof.array.data(), a.data());
    EXPECT_EQ(proof.array.buffer().state(), a.buffer().state());
  }
}

TEST(OneToOne, IndicesOnTwoProcessesAreNamed) {
  if (world_size() == 1) return;
  for (int victim = 0; victim < world_size(); ++victim) {
    auto list = dealt(40);
    const Index shared = (victim + 1) % world_size();
    if (world_rank() == victim) list.push_back(shared);
    const DistArray a = listed(list, 40);
    const OneToOne proof = prove_one_to_one(a);
    ASSERT_TRUE(proof.against);
    EXPECT_EQ(proof.against->rule, "U09");
    EXPECT_EQ(proof.against->rank_count, 2);
    expect_same_everywhere(to_string(*proof.against));
    EXPECT_NE(proof.against->found.str().find("index " + std::to_string(shared)),
              std::string::npos);
    EXPECT_EQ(proof.array, a);
  }
}

TEST(OneToOne, AnIndexTwiceOnAProcessIsNamed) {
  for (int victim = 0; victim < world_size(); ++victim) {
    auto list = dealt(40);
    if (world_rank() == victim) list.push_back(list.front());
    const DistArray a = listed(list, 40);
    const OneToOne proof = prove_one_to_one(a);
    ASSERT_TRUE(proof.against);
    EXPECT_EQ(proof.against->rule, "U04");
    EXPECT_EQ(proof.against->rank(), victim);
    expect_same_everywhere(to_string(*proof.against));
    EXPECT_EQ(proof.array, a);
  }
}

/// Arrays without a list that leaves it open.
TEST(OneToOne, OtherArraysAreReturnedAsTheyAre) {
  const GridPosition line{world_size(), world_rank()};
  const std::vector<Index> own = dealt(40);
  for (const DistArray& a : {made({block(40, line)}), made({cyclic(40, line)}),
                             listed(own, 40, true), made({owned_then_ghosts(40, line, own, {})})}) {
    const OneToOne proof = prove_one_to_one(a);
    EXPECT_FALSE(proof.against);
    EXPECT_EQ(proof.array, a);
  }
}

/// Lists along two dimensions of a grid, in which processes at the same place hold the same list.
TEST(OneToOne, OfListsInTwoDimensions) {
  if (world_size() % 2 != 0) return;
  const Index half = world_size() / 2;
  const GridPosition rows{2, world_rank() / half};
  const GridPosition columns{half, world_rank() % half};
  std::vector<Index> mine;
  for (Index i = columns.rank; i < 3 * half; i += half) mine.push_back(i);
  const auto with_list = [&](std::vector<Index> list) {
    return made({block(4, rows), unstructured(3 * half, columns, IndexList(list))});
  };
  const OneToOne proof = prove_one_to_one(with_list(mine));
  EXPECT_FALSE(proof.against);
  EXPECT_TRUE(proof.array.dimension(1).as<Unstructured>()->one_to_one);
  // One process has another list than the others at its place.
  auto other = mine;
  if (world_rank() == world_size() - 1) std::reverse(other.begin(), other.end());
  const OneToOne refused = prove_one_to_one(with_list(other));
  ASSERT_TRUE(refused.against);
  EXPECT_EQ(refused.against->rule, "U12");
}

/// An array that could not be described on one rank: all ranks throw, and none waits.
TEST(OneToOne, TheDefectOfOneRankIsThrownOnAll) {
  for (int victim = 0; victim < world_size(); ++victim) {
    const DistArray a =
        world_rank() == victim ? Section().on(MPI_COMM_WORLD) : listed(dealt(12), 12);
    expect_refused_everywhere<InvalidArgument>("array.empty", [&] { prove_one_to_one(a); });
  }
}

TEST(OneToOne, AFaultOnOneRankIsThrownOnAll) {
  const DistArray a = listed(dealt(12), 12);
  Faults().expect_agreed([&] { EXPECT_FALSE(prove_one_to_one(a).against); });
}

}  // namespace
}  // namespace daptor
