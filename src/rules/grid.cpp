// SPDX-License-Identifier: BSD-3-Clause
#include "rules/table.hpp"

namespace daptor::rule_table {
namespace {

/// A 4 x 4 array on a grid of rows x columns, even blocks.
Object tile(int rows, int row, int columns, int column) {
  const int height = 4 / rows;
  const int width = 4 / columns;
  return section("[" + std::to_string(height) + ", " + std::to_string(width) + "]",
                 {block(4, rows, row, row * height, (row + 1) * height),
                  block(4, columns, column, column * width, (column + 1) * width)});
}

}  // namespace

std::vector<Rule> grid_rules() {
  return {
      requirement("D12", "proc_grid_size", "Every distributed dimension gives the grid's size.",
                  where_required)
          .stated(Scope::process)
          .found(error)
          .remedy("Add 'proc_grid_size', the processes along this dimension.")
          .conforms(halves())
          .breaks(halves(half(0).without("proc_grid_size"), half(1))),
      requirement("D13", "proc_grid_size", "The grid's size is an integer of one or more.",
                  where_required)
          .stated(Scope::process)
          .found(error)
          .remedy("Count the processes along this dimension; at least this one is there.")
          .conforms(halves())
          .breaks(halves(half(0).with("proc_grid_size", 0), half(1))),
      requirement("D14", "proc_grid_size",
                  "The grid sizes of all distributed dimensions multiply to the number of "
                  "processes in the communicator (of none: to 1).",
                  where_required)
          .stated(Scope::process_and_grid)
          .found(error)
          .remedy("Pass the communicator that the array is distributed over.")
          .conforms(halves())
          .breaks(
              file({section("[4]", {block(8, 2, 0, 0, 4)}), section("[4]", {block(8, 2, 1, 4, 8)}),
                    section("[4]", {block(8, 2, 1, 4, 8)})})),
      requirement("D15", "proc_grid_size", "A dimension has the same grid size on all processes.",
                  where_required)
          .implied(Scope::all_processes)
          .found(error)
          .remedy("Describe one process grid on all ranks.")
          .conforms(file({tile(2, 0, 1, 0), tile(2, 1, 1, 0)}))
          .breaks(file({tile(2, 0, 1, 0), tile(1, 0, 2, 1)})),
      requirement("D16", "proc_grid_rank", "Every distributed dimension gives the grid rank.",
                  where_required)
          .stated(Scope::process)
          .found(error)
          .remedy("Add 'proc_grid_rank', this process's place along the dimension.")
          .conforms(halves())
          .breaks(halves(half(0).without("proc_grid_rank"), half(1))),
      requirement("D17", "proc_grid_rank", "The grid rank is an integer.", where_required)
          .stated(Scope::process)
          .found(error)
          .remedy("Write an integer of at most 64 bits.")
          .conforms(halves())
          .breaks(halves(half(0).with("proc_grid_rank", "\"0\""), half(1))),
      requirement("D18", "proc_grid_rank",
                  "The grid rank is from 0 to one below the grid's size (stated in 0.10.x).",
                  where_required)
          .implied(Scope::process)
          .found(error)
          .remedy("Count grid ranks from 0, along each dimension by itself.")
          .conforms(halves())
          .breaks(halves(half(0), half(1).with("proc_grid_rank", 2))),
      requirement("D19", "proc_grid_rank", "Each place on the grid belongs to exactly one process.",
                  where_required)
          .implied(Scope::all_processes)
          .found(error)
          .remedy("Give each rank its own coordinates, as MPI_Cart_coords does.")
          .conforms(halves())
          .breaks(halves(half(0), half(0))),
      requirement("D20", "proc_grid_rank",
                  "Ranks stand on the grid in row-major order, the last dimension fastest. Any "
                  "other order that gives each place one process is accepted with a warning (A05).",
                  where_required)
          .stated(Scope::process_and_grid)
          .found(Severity::warning)
          .remedy("Order the communicator by the grid, for example by MPI_Comm_split with the "
                  "row-major number as key.")
          .conforms(halves())
          .breaks(halves(half(1), half(0))),
      definition("D21", "proc_grid_rank",
                 "Neighbours along a dimension are the processes whose grid rank there is one "
                 "lower or higher, the other grid ranks equal; a periodic dimension wraps around.",
                 where_required)
          .stated(Scope::all_processes)
          .conforms(file({tile(2, 0, 2, 0), tile(2, 0, 2, 1), tile(2, 1, 2, 0), tile(2, 1, 2, 1)}),
                    "rank 0, dimension 0: owns [0, 2) of 4, extent 2\n"
                    "rank 0, dimension 1: owns [0, 2) of 4, extent 2\n"
                    "rank 1, dimension 0: owns [0, 2) of 4, extent 2\n"
                    "rank 1, dimension 1: owns [2, 4) of 4, extent 2\n"
                    "rank 2, dimension 0: owns [2, 4) of 4, extent 2\n"
                    "rank 2, dimension 1: owns [0, 2) of 4, extent 2\n"
                    "rank 3, dimension 0: owns [2, 4) of 4, extent 2\n"
                    "rank 3, dimension 1: owns [2, 4) of 4, extent 2\n"),
  };
}

}  // namespace daptor::rule_table
