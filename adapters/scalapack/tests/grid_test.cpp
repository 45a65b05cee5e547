// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/scalapack/grid.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <vector>

#include "daptor/block_dimensions.hpp"
#include "daptor/builders.hpp"
#include "everywhere.hpp"
#include "scalapack.hpp"

namespace daptor::scalapack {
namespace {

using test::expect_different;
using test::expect_refused_everywhere;
using test::Faults;
using test::world_rank;
using test::world_size;

const MPI_Comm world = MPI_COMM_WORLD;
/// Made in turn: more than MPI has communicators for, at few ranks.
int many() {
  return world_size() <= 2 ? 10000 : 400;
}

/// What the BLACS say of the context is what the grid says.
void expect_in_blacs(const Grid& grid) {
  int rows = 0, columns = 0, row = 0, column = 0;
  Cblacs_gridinfo(grid.context(), &rows, &columns, &row, &column);
  EXPECT_EQ(row, grid.row());
  EXPECT_EQ(column, grid.column());
  if (!grid.inside()) return;
  EXPECT_EQ(rows, grid.rows());
  EXPECT_EQ(columns, grid.columns());
}

DistArray array_at(Index row, Index rows, Index column, Index columns) {
  return allocate<double>({cyclic(7, {rows, row}, 2), cyclic(5, {columns, column}, 2)},
                          Order::fortran)
      .on(world);
}

TEST(Grid, IsNearlySquareByDefault) {
  const Grid grid(world);
  EXPECT_EQ(grid.rows() * grid.columns(), world_size());
  EXPECT_GE(grid.rows(), grid.columns());
  EXPECT_TRUE(grid.inside());
  EXPECT_EQ(grid.row(), world_rank() / grid.columns());
  EXPECT_EQ(grid.column(), world_rank() % grid.columns());
  EXPECT_EQ(grid.inside_comm(), Comm(world));
  expect_in_blacs(grid);
}

TEST(Grid, OfEveryShapeAndOrder) {
  for (const GridOrder order : {GridOrder::row, GridOrder::column})
    for (int rows = 1; rows <= world_size(); ++rows)
      for (int columns = 1; rows * columns <= world_size(); ++columns) {
        const Grid grid(world, rows, columns, order);
        const int rank = world_rank();
        EXPECT_EQ(grid.rows(), rows);
        EXPECT_EQ(grid.columns(), columns);
        ASSERT_EQ(grid.inside(), rank < rows * columns);
        expect_in_blacs(grid);
        if (!grid.inside()) {
          EXPECT_EQ(grid.context(), -1);
          test::expect_refused("scalapack.grid.outside", [&] { grid.inside_comm(); });
          continue;
        }
        EXPECT_EQ(grid.row(), order == GridOrder::row ? rank / columns : rank % rows);
        EXPECT_EQ(grid.column(), order == GridOrder::row ? rank % columns : rank / rows);
        EXPECT_EQ(grid.inside_comm().size(), rows * columns);
        EXPECT_EQ(grid.inside_comm().rank(), rank);
      }
}

TEST(Grid, FillsInWhatIsLeftOpen) {
  const Grid two_rows(world, world_size() > 1 ? 2 : 1);
  EXPECT_EQ(two_rows.columns(), world_size() > 1 ? world_size() / 2 : 1);
  const Grid one_column(world, 0, 1);
  EXPECT_EQ(one_column.rows(), world_size());
}

TEST(Grid, IsMadeOnce) {
  const Grid grid(world, world_size(), 1);
  for (int i = 0; i < many(); ++i)
    ASSERT_EQ(Grid(world, world_size(), 1).context(), grid.context());
  if (world_size() > 1) {
    EXPECT_NE(Grid(world, 1, world_size()).context(), grid.context());
  }
}

TEST(Grid, GoesWithItsCommunicator) {
  int largest = 0;
  for (int i = 0; i < many(); ++i) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(world, &comm);
    largest = std::max(largest, Grid(comm).context());
    if (i % 2 == 0) Grid(comm, 1, 1);
    MPI_Comm_free(&comm);
  }
  EXPECT_LT(largest, 64);  // numbers of contexts are used again: nothing is left over
}

TEST(Grid, OutlivesItsCommunicator) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(world, &comm);
  const Grid grid(comm);
  MPI_Comm_free(&comm);
  expect_in_blacs(grid);
  EXPECT_TRUE(grid.inside());
}

TEST(Grid, OverRanksInAnotherOrder) {
  MPI_Comm reversed = MPI_COMM_NULL;
  MPI_Comm_split(world, 0, -world_rank(), &reversed);
  {
    const Grid grid(reversed);
    const int rank = world_size() - 1 - world_rank();
    EXPECT_EQ(grid.row(), rank / grid.columns());
    EXPECT_EQ(grid.column(), rank % grid.columns());
  }
  MPI_Comm_free(&reversed);
}

TEST(Grid, OfAnArray) {
  const std::vector<Index> shape = block_grid(2, world_size());
  const Index rows = shape[0], columns = shape[1];
  const Index rank = world_rank();
  const Grid by_rows = Grid::of(array_at(rank / columns, rows, rank % columns, columns));
  EXPECT_EQ(by_rows.context(), Grid(world).context());
  const Grid by_columns = Grid::of(array_at(rank % rows, rows, rank / rows, columns));
  EXPECT_EQ(by_columns.row(), rank % rows);
  EXPECT_EQ(by_columns.column(), rank / rows);
  expect_in_blacs(by_columns);
  // The last rank is the first, in neither order.
  const Index turned = (rank + 1) % world_size();
  const DistArray array = array_at(turned / columns, rows, turned % columns, columns);
  const Grid mapped = Grid::of(array);
  EXPECT_EQ(mapped.row(), turned / columns);
  EXPECT_EQ(mapped.column(), turned % columns);
  expect_in_blacs(mapped);
  EXPECT_EQ(Grid::of(array).context(), mapped.context());
  const DistArray vector = allocate<double>({cyclic(7, {world_size(), world_rank()}, 2)}).on(world);
  EXPECT_EQ(Grid::of(vector).rows(), world_size());
}

TEST(Grid, IsMadeAgainWhereSomebodyEndedIt) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(world, &comm);
  const Grid first(comm);
  Cblacs_gridexit(first.context());
  const Grid second(comm);
  expect_in_blacs(second);
  EXPECT_EQ(second.row(), first.row());
  MPI_Comm_free(&comm);
}

TEST(Grid, SurvivesTheEndOfTheBlacs) {
  const Grid before(world);
  Cblacs_exit(1);  // 0 would end MPI
  const Grid after(world);
  expect_in_blacs(after);
  EXPECT_EQ(after.row(), before.row());
}

/// The program's own context has the number that Daptor's had.
TEST(Grid, AContextOfTheProgramIsNotItsOwn) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(world, &comm);
  const int ours = Grid(comm, world_size(), 1).context();
  Cblacs_exit(1);
  const int system = Csys2blacs_handle(world);
  std::vector<int> own;
  do {
    own.push_back(system);
    Cblacs_gridinit(&own.back(), "Row", world_size(), 1);
  } while (own.back() < ours);
  ASSERT_EQ(own.back(), ours) << "the case that is meant";
  EXPECT_NE(Grid(comm, world_size(), 1).context(), ours);
  MPI_Comm_free(&comm);
  for (const int context : own) {
    int rows = 0, columns = 0, row = 0, column = 0;
    Cblacs_gridinfo(context, &rows, &columns, &row, &column);
    EXPECT_EQ(rows, world_size());
    Cblacs_gridexit(context);
  }
  Cfree_blacs_system_handle(system);
}

TEST(Grid, RefusesWhatDoesNotFit) {
  const int processes = world_size();
  expect_refused_everywhere("scalapack.grid.shape", [&] { Grid(world, processes + 1, 1); });
  expect_refused_everywhere("scalapack.grid.shape", [&] { Grid(world, processes, 2); });
  expect_refused_everywhere("scalapack.grid.shape", [&] { Grid(world, -1, 0); });
  expect_refused_everywhere("scalapack.grid.shape", [&] { Grid(world, 0, Index{1} << 40); });
  const DistArray flat = allocate<double>({undistributed(3)}).on(world);
  if (processes > 1) {
    EXPECT_THROW(Grid::of(flat), Error);
  }
  const DistArray cube =
      allocate<double>({cyclic(3, {processes, world_rank()}), undistributed(3), undistributed(3)})
          .on(world);
  expect_refused_everywhere("scalapack.matrix.dimensions", [&] { Grid::of(cube); });
  for (int victim = 0; processes > 1 && victim < processes; ++victim) {
    const int rows = world_rank() == victim ? processes : 1;
    expect_different("rows", [&] { Grid(world, rows, 1); });
    const int many = world_rank() == victim ? processes + 1 : 1;
    expect_refused_everywhere("scalapack.grid.shape", [&] { Grid(world, many, 1); });
    const GridOrder order = world_rank() == victim ? GridOrder::row : GridOrder::column;
    expect_different("order", [&] { Grid(world, 1, 1, order); });
  }
}

TEST(Grid, AFaultOnOneRankIsEverybodys) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(world, &comm);
  {
    const Comm ranks(comm);
    Faults().expect_agreed([&] { Grid(ranks, 1, 1); });
    const Index turned = (world_rank() + 1) % world_size();
    Faults().expect_agreed([&] {
      // A new array, because the communicator would keep the proof of an old one.
      const DistArray array = allocate<double>({cyclic(7, {world_size(), turned}, 2)}).on(ranks);
      Grid::of(array);
    });
  }
  MPI_Comm_free(&comm);
}

}  // namespace
}  // namespace daptor::scalapack
