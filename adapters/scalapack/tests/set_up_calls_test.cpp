// SPDX-License-Identifier: BSD-3-Clause
// How many collective calls grids, imports and exports make on Daptor's communicator.

#include "../../../tests/validation/set_up_calls.hpp"

#include "matrices.hpp"

namespace daptor::scalapack::test {
namespace {

using daptor::test::count_set_up;
using daptor::test::expect_rows;
using daptor::test::expect_set_up;

/// Columns behind the dimensions of the table of docs/costs.md.
struct Columns {
  Index ranks = world_size();
  GridPosition at{ranks, world_rank()};

  static DistArray of(Dimension rows) {
    return allocate<double>({std::move(rows), undistributed(3)}, Order::fortran).on(world);
  }
  DistArray even() const { return of(block(5 * ranks, at)); }
  DistArray padded() const { return of(block(5 * ranks, at, BlockPadding({1, 1}, {}, true))); }
  DistArray cyclic_from_rank_1() const { return of(cyclic(5 * ranks, at, 2, 1)); }
};

TEST(SetUpCalls, OfImportMatrix) {
  const Columns columns;
  const Grid grid(world, world_size(), 1);
  expect_rows("import_matrix",
              {{"even", columns.even(), {1, 0}, {1, 0}},
               {"padded", columns.padded(), {2, 2}, {1, 0}},
               {"cyclic", Columns::of(cyclic(5 * columns.ranks, columns.at, 2)), {1, 0}, {1, 0}},
               {"cyclic from rank 1", columns.cyclic_from_rank_1(), {2, 2}, {1, 0}}},
              [&](const Section& array) { import_matrix<double>(array.on(world), grid); });
}

TEST(SetUpCalls, OfExportMatrix) {
  const Grid grid(world, world_size(), 1);
  Part part({5 * world_size(), 3}, grid);
  const Descriptor desc = descriptor_of({5 * world_size(), 3}, grid, part.leading_dimension);
  const auto exported = [&] { export_matrix(desc.data(), part.values, world); };
  expect_set_up(count_set_up(exported), {2, 0}, "export_matrix");
  // Every export is another description, proven anew.
  expect_set_up(count_set_up(exported), {2, 0}, "export_matrix, again");
  Descriptor from_1 = desc;
  from_1[6] = 1;
  from_1[8] = 100;
  std::vector<double> memory(300);
  expect_set_up(count_set_up([&] { export_matrix(from_1.data(), memory, world); }), {3, 2},
                "export_matrix, from rank 1");
  // An import of what was exported proves nothing again.
  const DistArray array = export_matrix(desc.data(), part.values, world);
  expect_set_up(count_set_up([&] { import_matrix<double>(array, grid); }), {1, 0},
                "import_matrix after export_matrix");
}

TEST(SetUpCalls, OfGrid) {
  const Columns columns;
  const auto made = [] { Grid(world, 1, world_size(), GridOrder::column); };
  expect_set_up(count_set_up(made), {1, 0}, "Grid");  // the BLACS have their own
  expect_set_up(count_set_up(made), {1, 0}, "Grid, again");
  const DistArray array = columns.even();
  expect_set_up(count_set_up([&] { Grid::of(array); }), {2, 0}, "Grid::of");
  expect_set_up(count_set_up([&] { Grid::of(array); }), {2, 0}, "Grid::of, again");
}

}  // namespace
}  // namespace daptor::scalapack::test
