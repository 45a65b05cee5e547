// SPDX-License-Identifier: BSD-3-Clause
// Arrays of several dimensions, each distributed in another way: after an update every element of a
// section holds its global number, also where lists with ghosts and padded blocks are mixed.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "../redistribution/held.hpp"
#include "effort.hpp"
#include "everywhere.hpp"
#include "for_each_index.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

class Mixtures : public ::testing::Test {
 protected:
  std::mt19937 random{17};

  Index below(Index n) { return static_cast<Index>(random() % static_cast<std::uint64_t>(n)); }

  Axis draw_axis(Index processes) {
    const Index size = 2 * processes + below(7);  // at least as wide as the padding
    const Padding width{below(3), below(3)};
    switch (below(6)) {
      case 0:
        return mixed_axis(size, processes, static_cast<unsigned>(below(100)));
      case 1:
        return ghosted_axis(size, processes, static_cast<unsigned>(below(100)));
      case 2:
        return even_axis(size, processes, BlockPadding(width, {below(2), below(2)}));
      case 3:
        return even_axis(size, processes, BlockPadding(width, {}, true));
      case 4:
        return cyclic_axis(size, processes, 1 + below(3), below(processes));
      default:
        return processes == 1 ? undistributed_axis(size) : even_axis(size, processes);
    }
  }

  Layout draw_layout() {
    const auto ways = grids(world_size(), 1 + static_cast<int>(below(3)));
    Layout layout;
    const Index way = below(static_cast<Index>(ways.size()));
    for (const Index processes : ways[static_cast<std::size_t>(way)])
      layout.axes.push_back(draw_axis(processes));
    if (below(3) == 0) layout.seats = reversed_seats(world_size());
    return layout;
  }
};

TEST_F(Mixtures, UpdateGivesEachElementItsNumber) {
  for (int round = 0; round < rounds(150); ++round) {
    const Layout layout = draw_layout();
    Placement placement;
    placement.order = below(2) == 0 ? Order::c : Order::fortran;
    placement.spacing = 1 + below(2);
    placement.backwards = below(2) == 0;
    Held<std::int64_t> held(layout, MPI_COMM_WORLD, placement);
    held.number();
    HaloExchange halo(held.array());
    halo.update();
    EXPECT_EQ(held.wrong(), 0) << "owned, round " << round << '\n' << held.array();
    EXPECT_EQ(held.wrong_with_padding(), 0) << "copies, round " << round << '\n' << held.array();
    EXPECT_TRUE(held.rest_untouched(true));
  }
}

/// Each element is counted once at its owner, however many copies there are.
TEST_F(Mixtures, AccumulateBringsEveryCopyToItsOwner) {
  for (int round = 0; round < rounds(60); ++round) {
    const Layout layout = draw_layout();
    const auto dimensions = layout.dimensions(world_rank());
    std::vector<std::int64_t> u(static_cast<std::size_t>(local_count(dimensions)), 1);
    const DistArray a = describe(u, dimensions).on(MPI_COMM_WORLD);
    bool boundary = false;
    for (const Axis& axis : layout.axes)
      for (Index p = 0; p < axis.processes; ++p)
        boundary = boundary || axis.make({axis.processes, p}).boundary_padding() != Padding{};
    HaloExchange(a).accumulate(Combine::sum);
    std::int64_t sums[2] = {0, static_cast<std::int64_t>(u.size())};
    const LocalIndexMap map(a);
    std::size_t position = 0;
    for_each_index(a.local_shape(), [&](const std::vector<Index>& at) {
      bool owned = true;
      for (int d = 0; d < a.ndim(); ++d)
        owned = owned && map.dimension(d).is_owned(at[static_cast<std::size_t>(d)]);
      if (owned) sums[0] += u[position];
      ++position;
    });
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    // Contributions to a neighbour's boundary padding are dropped.
    if (boundary) {
      EXPECT_LE(sums[0], sums[1]);
    } else {
      EXPECT_EQ(sums[0], sums[1]) << "round " << round << '\n' << a;
    }
  }
}

}  // namespace
