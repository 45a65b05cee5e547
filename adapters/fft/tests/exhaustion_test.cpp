// SPDX-License-Identifier: BSD-3-Clause
// Memory that runs out on one rank, at any allocation, is an error of all ranks.

#include "exhausted_memory.hpp"

#include "arrays.hpp"

namespace daptor::fft::test {
namespace {

using daptor::test::expect_exhaustion_agreed;

TEST(Exhaustion, WhileBoxesAreDescribed) {
  const Box box = box_in(layout::blocks(), {6, 5});
  std::vector<double> memory(30);
  const auto count = box.count();
  EXPECT_GT(expect_exhaustion_agreed(
                [&](const Comm& comm) { fft::describe(memory.data(), count, box, comm); }),
            0);
  EXPECT_GT(expect_exhaustion_agreed(
                [&](const Comm& comm) { fft::describe_as_list(memory.data(), count, box, comm); }),
            0);
}

TEST(Exhaustion, WhileATilingIsRefused) {
  // Rank 0 has the left half, through which the others are divided.
  const Index ranks = world_size();
  const bool first = world_rank() == 0;
  const Index row = world_rank() - 1;
  const Box box = ranks == 1 ? Box{{4, 4}, {0, 0}, {4, 4}, {}}
                  : first    ? Box{{2 * (ranks - 1), 4}, {0, 0}, {2 * (ranks - 1), 2}, {}}
                             : Box{{2 * (ranks - 1), 4}, {2 * row, 2}, {2 * row + 2, 4}, {}};
  std::vector<double> memory(static_cast<std::size_t>(box.count()));
  const auto count = box.count();
  expect_exhaustion_agreed([&](const Comm& comm) {
    try {
      fft::describe(memory.data(), count, box, comm);
    } catch (const std::exception&) {
      // It is thrown anyway: what counts is that no rank waits for another.
    }
  });
}

TEST(Exhaustion, WhileSlabsAndTilesAreMade) {
  const DistArray a = of_layout(layout::slab(0), {6, 5});
  EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) { slab(a.on(comm)); }), 0);
  EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) { tile(a.on(comm)); }), 0);
  std::vector<Complex> memory(30);
  const Tile known = tile(a);
  EXPECT_GT(expect_exhaustion_agreed(
                [&](const Comm& comm) { fft::describe(memory.data(), 30, known, comm); }),
            0);
}

}  // namespace
}  // namespace daptor::fft::test
