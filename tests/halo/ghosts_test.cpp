// SPDX-License-Identifier: BSD-3-Clause
// A stencil code with ghost cells on all sides of its memory: the same program on any number of
// processes, against one process that holds everything.

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include <daptor/daptor.hpp>

#include "effort.hpp"
#include "everywhere.hpp"
#include "for_each_index.hpp"

namespace {

using namespace daptor;
using daptor::test::for_each_index;
using daptor::test::world_rank;
using daptor::test::world_size;

/// What a cell of the interior holds; cells outside are those of a periodic dimension's other end,
/// or of the boundary.
double value_of(const std::vector<Index>& cell) {
  double value = 1;
  for (const Index index : cell) value = 101 * value + static_cast<double>(index);
  return value;
}

struct Case {
  std::vector<Index> shape;
  BlockOptions options;
};

Case draw(std::mt19937& random) {
  Case drawn;
  const std::size_t ndim = 1 + random() % 3;
  for (std::size_t d = 0; d < ndim; ++d) {
    drawn.shape.push_back(static_cast<Index>(random() % 9));
    drawn.options.periodic.push_back(random() % 3 == 0);
  }
  const std::size_t widths = random() % 2 == 0 ? 1 : ndim;
  for (std::size_t d = 0; d < widths; ++d)
    drawn.options.ghosts.push_back(static_cast<Index>(random() % 4));
  return drawn;
}

TEST(Ghosts, OfRandomGridsHoldWhatTheirCellsAre) {
  std::mt19937 random(5);
  constexpr double boundary = -7, unset = -1;
  for (int round = 0; round < test::rounds(150); ++round) {
    const Case drawn = draw(random);
    const auto dimensions = block_dimensions(drawn.shape, MPI_COMM_WORLD, drawn.options);
    std::vector<double> u(static_cast<std::size_t>(local_count(dimensions)), unset);
    const DistArray a = describe(u, dimensions).on(MPI_COMM_WORLD);
    ASSERT_TRUE(a.described()) << a;
    // The expected value at each local index.
    std::vector<double> expected;
    std::size_t position = 0;
    for_each_index(a.local_shape(), [&](const std::vector<Index>& at) {
      std::vector<Index> cell(at.size());
      bool owned = true, outside = false, copied = false;
      for (std::size_t d = 0; d < at.size(); ++d) {
        const Index width = drawn.options.ghosts[drawn.options.ghosts.size() == 1 ? 0 : d];
        const IndexRange inner = even_block(drawn.shape[d], dimensions[d].grid());
        cell[d] = inner.start + at[d] - width;
        owned = owned && inner.contains(cell[d]);
        if (drawn.options.periodic[d] && drawn.shape[d] > 0)
          cell[d] = (cell[d] % drawn.shape[d] + drawn.shape[d]) % drawn.shape[d];
        outside = outside || cell[d] < 0 || cell[d] >= drawn.shape[d];
        copied = copied ||
                 !dimensions[d].as<Block>()->owned.contains(dimensions[d].as<Block>()->owned.start +
                                                            at[d] - dimensions[d].owned_offset());
      }
      // The boundary's ghost cells are owned by the section at the edge, which sets their values.
      u[position] = owned ? value_of(cell) : outside && !copied ? boundary : unset;
      expected.push_back(outside ? boundary : value_of(cell));
      ++position;
    });
    HaloExchange(a).update();
    EXPECT_EQ(u, expected) << "round " << round << ", rank " << world_rank() << '\n' << a;
  }
}

/// The sections of all processes have the interior's extents plus twice the width, and the
/// descriptions conform.
TEST(Ghosts, TheDescriptionConforms) {
  for (const Index width : {1, 2, 5})
    for (const bool periodic : {false, true}) {
      BlockOptions options;
      options.ghosts = {width};
      options.periodic = {periodic, false};
      const Index cells = 8 * world_size();
      const DistArray a = allocate<float>(block_dimensions({cells, cells}, MPI_COMM_WORLD, options))
                              .on(MPI_COMM_WORLD);
      ValidateOptions full;
      full.level = Level::full;
      const Report report = validate(a, full);
      EXPECT_TRUE(report.findings().empty()) << report;
    }
}

/// Three steps of the heat equation: any number of processes gets bit for bit what one process
/// gets.
TEST(Ghosts, ThreeStepsOfAStencil) {
  const auto run = [](MPI_Comm comm) {
    BlockOptions options;
    options.ghosts = {1};
    DistArray now = allocate<double>(block_dimensions({13, 11}, comm, options)).on(comm);
    DistArray next = allocate<double>(now.dimensions()).on(comm);
    const Index first_row = now.dimension(0).interior()->start - 1;
    const Index first_column = now.dimension(1).interior()->start - 1;
    for (const Section* array : {&now, &next}) {
      const auto all = view<double, 2>(*array);
      for (Index i = 0; i < all.extent(0); ++i)
        for (Index j = 0; j < all.extent(1); ++j)
          all(i, j) = 0.1 * static_cast<double>((first_row + i) * (first_column + j));
    }
    for (int step = 0; step < 3; ++step) {
      update_padding(now);
      const auto u = interior_view<const double, 2>(now);
      const auto v = interior_view<double, 2>(next);
      for (Index i = 0; i < u.extent(0); ++i)
        for (Index j = 0; j < u.extent(1); ++j)
          v(i, j) =
              u(i, j) + 0.2 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4 * u(i, j));
      std::swap(now, next);
    }
    return now;
  };
  const DistArray parts = run(MPI_COMM_WORLD);
  const DistArray whole = run(MPI_COMM_SELF);
  const auto u = interior_view<const double, 2>(parts);
  const auto v = interior_view<const double, 2>(whole);
  const Index first_row = parts.dimension(0).interior()->start - 1;
  const Index first_column = parts.dimension(1).interior()->start - 1;
  for (Index i = 0; i < u.extent(0); ++i)
    for (Index j = 0; j < u.extent(1); ++j)
      EXPECT_EQ(u(i, j), v(first_row + i, first_column + j)) << i << ' ' << j;
}

}  // namespace
