// SPDX-License-Identifier: BSD-3-Clause
// Every element holds its global index: after an update, each copy has the value of its owner.

#include <gtest/gtest.h>

#include <functional>

#include "effort.hpp"
#include "halo_oracle.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

class Oracle : public ::testing::Test {
 protected:
  void SetUp() override { MPI_Comm_size(MPI_COMM_WORLD, &ranks); }

  /// All ways to place the ranks on a grid of that many dimensions.
  std::vector<std::vector<Index>> grids(int ndim) const {
    std::vector<std::vector<Index>> all;
    std::vector<Index> grid;
    const std::function<void(Index)> descend = [&](Index left) {
      if (static_cast<int>(grid.size()) == ndim - 1) {
        grid.push_back(left);
        all.push_back(grid);
        grid.pop_back();
        return;
      }
      for (Index p = 1; p <= left; ++p) {
        if (left % p != 0) continue;
        grid.push_back(p);
        descend(left / p);
        grid.pop_back();
      }
    };
    descend(ranks);
    return all;
  }

  static std::vector<bool> flags(int mask, int count) {
    std::vector<bool> all;
    for (int d = 0; d < count; ++d) all.push_back((mask >> d & 1) != 0);
    return all;
  }

  void check(const Draw& draw, Stencil stencil) {
    std::mt19937 random(5);
    const PaddedModel model = draw_model(draw, random);
    check_update(model, stencil, MPI_COMM_WORLD);
    check_accumulate(model, stencil, MPI_COMM_WORLD);
  }

  void check_all(int ndim, const std::vector<Padding>& widths) {
    for (const auto& grid : grids(ndim))
      for (int mask = 0; mask < 1 << ndim; ++mask)
        for (const Padding width : widths)
          for (const Stencil stencil : {Stencil::box, Stencil::star}) {
            Draw draw;
            draw.grid = grid;
            draw.periodic = flags(mask, ndim);
            draw.size_per_process = 3;
            draw.width = width;
            draw.memory = static_cast<Memory>((mask + width.lower + width.upper) % 3);
            check(draw, stencil);
          }
  }

  int ranks = 1;
};

TEST_F(Oracle, OneDimension) {
  std::vector<Padding> widths;
  for (Index lower = 0; lower <= 3; ++lower)
    for (Index upper = 0; upper <= 3; ++upper) widths.push_back({lower, upper});
  check_all(1, widths);
}

TEST_F(Oracle, TwoDimensions) {
  check_all(2, {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {1, 2}, {3, 0}, {0, 2}});
}

TEST_F(Oracle, ThreeDimensions) {
  check_all(3, {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {3, 1}, {0, 2}});
}

TEST_F(Oracle, EveryOrderOfMemory) {
  for (const auto& grid : grids(2))
    for (const Memory memory : {Memory::c, Memory::fortran, Memory::strided}) {
      Draw draw;
      draw.grid = grid;
      draw.periodic = {true, false};
      draw.width = {2, 1};
      draw.memory = memory;
      draw.boundary = 1;
      check(draw, Stencil::box);
    }
}

/// Unequal blocks, some of them empty; widths that differ on each rank and may exceed the
/// neighbours' sections; boundary padding.
TEST_F(Oracle, RandomBlocks) {
  std::mt19937 random(2026);
  for (int round = 0; round < rounds(120); ++round) {
    const int ndim = 1 + static_cast<int>(random() % 3);
    const auto all = grids(ndim);
    Draw draw;
    draw.grid = all[random() % all.size()];
    draw.periodic = flags(static_cast<int>(random() % 8), ndim);
    draw.size_per_process = 1 + static_cast<Index>(random() % 3);
    draw.width = {static_cast<Index>(random() % 5), static_cast<Index>(random() % 5)};
    draw.vary = random() % 2 == 0;
    draw.irregular = random() % 4 != 0;
    draw.boundary = static_cast<Index>(random() % 3);
    draw.memory = static_cast<Memory>(random() % 3);
    const Stencil stencil = random() % 2 == 0 ? Stencil::box : Stencil::star;
    const PaddedModel model = draw_model(draw, random);
    check_update(model, stencil, MPI_COMM_WORLD);
    check_accumulate(model, stencil, MPI_COMM_WORLD);
  }
}

}  // namespace
