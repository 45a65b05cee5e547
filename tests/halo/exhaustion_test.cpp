// SPDX-License-Identifier: BSD-3-Clause
// Memory that runs out on one rank, at any allocation, is an error of all ranks.

#include "../support/exhausted_memory.hpp"

#include "../redistribution/held.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

/// Makes an exchange of the layout, and fills copies and adds contributions once.
void expect_agreed(const Layout& layout, const HaloOptions& options = {}) {
  Held<double> held(layout, MPI_COMM_WORLD);
  held.number();
  const Section& array = held.array();
  EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) {
              HaloExchange halo(array.on(comm), options);
              halo.update();
              halo.accumulate(Combine::max);
            }),
            0);
  EXPECT_GT(
      expect_exhaustion_agreed([&](const Comm& comm) { update_padding(array.on(comm), options); }),
      0);
  EXPECT_EQ(held.wrong(), 0);
}

Layout line(const Axis& axis) {
  return {{axis}, {}};
}

TEST(HaloExhaustion, OfBlocks) {
  const Index ranks = world_size();
  expect_agreed(line(even_axis(11 * ranks, ranks, BlockPadding({1, 1}, {}, true))));
  expect_agreed(line(even_axis(11 * ranks, ranks, BlockPadding({2, 1}, {1, 1}))));
}

TEST(HaloExhaustion, OfBlocksOfOtherSizes) {
  std::vector<Index> lengths;
  for (Index r = 0; r < world_size(); ++r) lengths.push_back(3 + r % 3);
  expect_agreed(line(block_axis(lengths, BlockPadding({1, 1}))));
}

TEST(HaloExhaustion, OfSeveralDimensions) {
  const Index ranks = world_size();
  const BlockPadding padding({1, 1}, {}, true);
  HaloOptions star;
  star.stencil = Stencil::star;
  for (const HaloOptions& options : {HaloOptions(), star})
    expect_agreed({{even_axis(4 * ranks, ranks, padding), even_axis(5, 1, padding)}, {}}, options);
}

TEST(HaloExhaustion, OfAListWithOwners) {
  const Index ranks = world_size();
  const Index each = 4;
  std::vector<Index> indices;
  for (Index i = 0; i < each + 1; ++i)
    indices.push_back((world_rank() * each + i) % (each * ranks));
  const Index count = ranks == 1 ? each : each + 1;
  indices.resize(static_cast<std::size_t>(count));
  std::vector<double> memory(indices.size(), 1.0);
  const Section array = describe(
      memory, {owned_then_ghosts(each * ranks, {ranks, world_rank()}, IndexList(indices), each)});
  EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) {
              HaloExchange halo(array.on(comm));
              halo.update();
              halo.accumulate(Combine::max);
            }),
            0);
}

}  // namespace
