// SPDX-License-Identifier: BSD-3-Clause
// Memory that runs out on one rank, at any allocation, is an error of all ranks.

#include "exhausted_memory.hpp"

#include "daptor/call.hpp"
#include "daptor/global_index_map.hpp"
#include "daptor/validate.hpp"
#include "layouts.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

/// Numbers the elements of the layout, in a call of its own and within another one.
void expect_agreed(const Layout& layout) {
  const Section array = layout.array(world_rank());
  EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) {
              const GlobalIndexMap map(array.on(comm));
              map.local_contiguous();
            }),
            0);
  EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) {
              Call call(array, comm, "numbers");
              call.check();
              const GlobalIndexMap map(array, call.proof(0), call);
              map.local_contiguous(Order::fortran, call);
            }),
            0);
}

TEST(IndexMapExhaustion, OfContiguousNumbers) {
  const Index ranks = world_size();
  const BlockPadding ring({1, 1}, {}, true);
  std::vector<Index> backwards;
  for (Index i = ranks; i-- > 0;) backwards.push_back(i);
  expect_agreed({{even_axis(4 * ranks, ranks, ring), even_axis(3, 1, ring)}, {}});
  expect_agreed({{even_axis(4 * ranks, ranks, ring), even_axis(3, 1, ring)}, backwards});
  expect_agreed({{even_axis(4 * ranks, ranks)}, backwards});
  expect_agreed({{ghosted_axis(4 * ranks, ranks, 3)}, {}});
  expect_agreed({{mixed_axis(4 * ranks, ranks, 3)}, backwards});
}

// Every call on arrays opens like these, so each of their allocations is tried.
TEST(ProofExhaustion, OfEachAllocation) {
  const Layout layout{{even_axis(4 * world_size(), world_size())}, {}};
  const Section array = layout.array(world_rank());
  EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) { validate(array.on(comm)); }, 1), 0);
  EXPECT_GT(expect_exhaustion_agreed(
                [&](const Comm& comm) {
                  Call call(array, comm, "proof");
                  call.check();
                },
                1),
            0);
}

}  // namespace
