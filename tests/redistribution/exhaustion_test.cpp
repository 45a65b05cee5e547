// SPDX-License-Identifier: BSD-3-Clause
// Memory that runs out on one rank, at any allocation, is an error of all ranks.

#include "../support/exhausted_memory.hpp"

#include "held.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

/// Makes, runs and runs back a redistribution between the layouts.
template <class To = double>
void expect_agreed(const Layout& from, const Layout& to, const RedistributionOptions& options = {},
                   const Transform& transform = {}) {
  Held<double> source(from, MPI_COMM_WORLD);
  Held<To> target(to, MPI_COMM_WORLD);
  source.number();
  EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) {
              Redistribution move(source.array().on(comm), target.array().on(comm), options);
              move.run();
              if (!options.fill_padding) move.run_back();
            }),
            0);
  EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) {
              redistribute(source.array().on(comm), target.array().on(comm), options, transform);
            }),
            0);
  EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) {
              bytes_to_redistribute(source.array().on(comm), target.array().on(comm), options);
            }),
            0);
  EXPECT_EQ(source.wrong(), 0);
}

Layout line(const Axis& axis) {
  return {{axis}, {}};
}

TEST(RedistributionExhaustion, BetweenBlocksAndCyclicBlocks) {
  expect_agreed(line(even_axis(11, world_size())), line(cyclic_axis(11, world_size(), 2)));
}

TEST(RedistributionExhaustion, ToAList) {
  expect_agreed(line(even_axis(11, world_size())), line(shuffled_axis(11, world_size(), 3)));
}

TEST(RedistributionExhaustion, FromAListAskedByBlocks) {
  expect_agreed(line(shuffled_axis(11, world_size(), 3)), line(even_axis(11, world_size())));
}

TEST(RedistributionExhaustion, BetweenLists) {
  expect_agreed(line(shuffled_axis(11, world_size(), 3)), line(shuffled_axis(11, world_size(), 7)));
}

TEST(RedistributionExhaustion, OfSeveralDimensions) {
  const Index ranks = world_size();
  const Layout rows{{even_axis(5, ranks), undistributed_axis(4)}, {}};
  const Layout columns{{undistributed_axis(5), cyclic_axis(4, ranks, 1)}, {}};
  expect_agreed(rows, columns);
  expect_agreed(rows, {{undistributed_axis(5), shuffled_axis(4, ranks, 3)}, {}});
}

TEST(RedistributionExhaustion, BetweenShapes) {
  const Layout rows{{even_axis(5, world_size()), undistributed_axis(4)}, {}};
  expect_agreed(rows, line(even_axis(20, world_size())));
  expect_agreed(line(even_axis(20, world_size())), rows);
}

TEST(RedistributionExhaustion, IntoPadding) {
  RedistributionOptions options;
  options.fill_padding = true;
  expect_agreed(line(cyclic_axis(11, world_size(), 2)),
                line(even_axis(11, world_size(), BlockPadding({1, 1}, {}, true))), options);
}

TEST(RedistributionExhaustion, ToAnotherType) {
  RedistributionOptions options;
  options.convert = true;
  expect_agreed<float>(line(even_axis(11, world_size())), line(cyclic_axis(11, world_size(), 2)),
                       options);
}

TEST(RedistributionExhaustion, WithATransform) {
  Transform twice;
  twice.scale = 2;
  expect_agreed(line(even_axis(11, world_size())), line(cyclic_axis(11, world_size(), 2)), {},
                twice);
}

}  // namespace
