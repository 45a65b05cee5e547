// SPDX-License-Identifier: BSD-3-Clause
// A rule across ranks is judged in one place: whoever comes upon a breach says the same about it.

#include "one_proof.hpp"

namespace daptor::test {
namespace {

DistArray even(const DistArray& like) {
  std::vector<Dimension> dimensions{
      block(like.dimension(0).global_size(), {world_size(), world_rank()})};
  for (int d = 1; d < like.ndim(); ++d)
    dimensions.push_back(undistributed(like.dimension(d).global_size()));
  return allocate<double>(dimensions).on(like.comm());
}

const CallOnArray consistent{"require_consistent",
                             [](const DistArray& a) { require_consistent(a); }};
const CallOnArray index_map{"GlobalIndexMap", [](const DistArray& a) { GlobalIndexMap map(a); }};
const CallOnArray halo_exchange{"HaloExchange", [](const DistArray& a) { HaloExchange halo(a); }};
const CallOnArray from_it{"Redistribution from it",
                          [](const DistArray& a) { Redistribution copy(a, even(a)); }};
const CallOnArray to_it{"Redistribution to it",
                        [](const DistArray& a) { Redistribution copy(even(a), a); }};

TEST(OneProof, EveryCallBlamesTheSameRankInTheSameWords) {
  expect_one_error<double>({consistent, index_map, halo_exchange, from_it, to_it});
}

/// Imports and maps do not look into lists; who comes upon one that cannot be right does.
TEST(OneProof, ListsAreBlamedInTheSameWords) {
  for (int at_fault = 1; at_fault < world_size(); ++at_fault) {
    const BrokenLists<double> lists(at_fault);
    for (const auto& more : {std::vector<Dimension>{}, std::vector<Dimension>{undistributed(2)}}) {
      expect_one_error(lists.owned_twice(more), at_fault, {halo_exchange, from_it});
      expect_one_error(lists.owned_by_nobody(more), at_fault, {halo_exchange, from_it});
    }
    expect_one_error(lists.far_ghost(), at_fault, {halo_exchange});
    expect_one_error(lists.another_order(), at_fault, {halo_exchange, from_it});
    expect_one_error(lists.another_length(), at_fault,
                     {consistent, index_map, halo_exchange, from_it, to_it});
  }
}

TEST(OneProof, ABadStartIsTheUpperRanks) {
  if (world_size() < 3) GTEST_SKIP() << "needs a rank between others";
  const DistArray broken = broken_on<double>(2).front().array;
  const auto thrown = error_of([&] { GlobalIndexMap map(broken); });
  ASSERT_TRUE(thrown);
  EXPECT_EQ(thrown->ranks, std::vector<int>{2});
  EXPECT_EQ(thrown->key, "start");
  EXPECT_EQ(thrown->found, "owned [7, 9) after [3, 6) on rank 1");
}

}  // namespace
}  // namespace daptor::test
