// SPDX-License-Identifier: BSD-3-Clause
// A rule across ranks is judged in one place: whoever comes upon a breach says the same about it.

#include "one_proof.hpp"

namespace daptor::test {
namespace {

DistArray even(const DistArray& like) {
  std::vector<Dimension> dimensions;
  const GridPosition grid{world_size(), world_rank()};
  return allocate<double>({block(like.dimension(0).global_size(), grid), undistributed(2)});
}

TEST(OneProof, EveryCallBlamesTheSameRankInTheSameWords) {
  const Comm world(MPI_COMM_WORLD);
  expect_one_error<double>({
      {"require_consistent", [&](const DistArray& a) { require_consistent(a, world); }},
      {"GlobalIndexMap", [](const DistArray& a) { GlobalIndexMap map(a, MPI_COMM_WORLD); }},
      {"HaloExchange", [](const DistArray& a) { HaloExchange halo(a, MPI_COMM_WORLD); }},
      {"Redistribution from it",
       [](const DistArray& a) { Redistribution copy(a, even(a), MPI_COMM_WORLD); }},
      {"Redistribution to it",
       [](const DistArray& a) { Redistribution copy(even(a), a, MPI_COMM_WORLD); }},
  });
}

TEST(OneProof, ABadStartIsTheUpperRanks) {
  if (world_size() < 3) GTEST_SKIP() << "needs a rank between others";
  const DistArray broken = broken_on<double>(2).front().array;
  const auto thrown = error_of([&] { GlobalIndexMap map(broken, MPI_COMM_WORLD); });
  ASSERT_TRUE(thrown);
  EXPECT_EQ(thrown->ranks, std::vector<int>{2});
  EXPECT_EQ(thrown->key, "start");
  EXPECT_EQ(thrown->found, "owned [7, 9) after [3, 6) on rank 1");
}

}  // namespace
}  // namespace daptor::test
