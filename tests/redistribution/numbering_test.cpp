// SPDX-License-Identifier: BSD-3-Clause
// Copies between an array and a one-dimensional array that numbers its elements in row-major order.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "effort.hpp"
#include "held.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

using Numbered = Held<std::int64_t>;

class Numbering : public ::testing::Test {
 protected:
  const Comm comm = MPI_COMM_WORLD;
  const int rank = comm.rank();
  const Index ranks = comm.size();

  void check(const Layout& from, const Layout& to, Placement at_source, Placement at_target) {
    Numbered source(from, comm, at_source);
    Numbered target(to, comm, at_target);
    source.number();
    Redistribution move(source.array(), target.array());
    move.run();
    EXPECT_EQ(target.wrong(), 0);
    EXPECT_TRUE(target.rest_untouched());
    source.forget();
    move.run_back();
    EXPECT_EQ(source.wrong(), 0);
    EXPECT_TRUE(source.rest_untouched());
  }
};

TEST_F(Numbering, EveryLineAndEveryPlane) {
  int turn = 0;
  for (const auto& grid : grids(ranks, 2))
    for (const Axis& rows : every_axis(5, grid[0]))
      for (const Axis& columns : every_axis(7, grid[1])) {
        if (rows.make({grid[0], 0}).as<Unstructured>() ||
            columns.make({grid[1], 0}).as<Unstructured>())
          continue;
        for (const Axis& line : every_axis(35, ranks)) {
          if (!tried(++turn, 5)) continue;
          const Placement plane_at{turn % 2 == 0 ? Order::c : Order::fortran,
                                   turn % 3 == 0 ? 2 : 1};
          check({{rows, columns}, {}}, {{line}, {}}, plane_at, {});
          check({{line}, {}}, {{rows, columns}, {}}, {}, plane_at);
        }
      }
}

TEST_F(Numbering, BoxesOfMoreDimensions) {
  std::mt19937 random(7);
  for (const auto& grid : grids(ranks, 3))
    for (int round = 0; round < rounds(10); ++round) {
      Layout box{{}, {}};
      for (std::size_t d = 0; d < 3; ++d) {
        const auto axes = every_axis(static_cast<Index>(3 + d), grid[d]);
        const auto chosen = random() % axes.size();
        const bool listed = axes[chosen].make({grid[d], 0}).as<Unstructured>() != nullptr;
        box.axes.push_back(listed ? axes[0] : axes[chosen]);
      }
      const auto lines = every_axis(60, ranks);
      const Layout line{{lines[random() % lines.size()]}, {}};
      check(box, line, {Order::fortran, 1}, {});
      check(line, box, {}, {});
    }
}

/// One side has lists of rows, so the owners of the other side must follow from arithmetic.
TEST_F(Numbering, ListedRows) {
  const Layout rows{{shuffled_axis(6, ranks, 5), undistributed_axis(4)}, {}};
  const Layout line{{even_axis(24, ranks)}, {}};
  check(rows, line, {}, {});
  check(line, rows, {}, {});
}

/// Copies of elements that several processes need, as on the overlap Map of a solver.
TEST_F(Numbering, OverlappingTarget) {
  const Layout plane{{even_axis(6, ranks), undistributed_axis(4)}, {}};
  std::vector<std::vector<Index>> lists;
  for (Index p = 0; p < ranks; ++p) {
    lists.emplace_back();
    for (Index i = 0; i < 24; i += p + 1) lists.back().push_back(23 - i);
  }
  Numbered source(plane, comm);
  Numbered target({{unstructured_axis(24, lists)}, {}}, comm);
  source.number();
  Redistribution move(source.array(), target.array());
  move.run();
  EXPECT_EQ(target.wrong(), 0);
}

}  // namespace
