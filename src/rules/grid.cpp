// SPDX-License-Identifier: BSD-3-Clause
#include "rules/table.hpp"

namespace daptor::rule_table {

std::vector<Rule> grid_rules() {
  return {
      requirement("D12", "proc_grid_size", "Every distributed dimension gives the grid's size.",
                  where_required)
          .stated(Scope::process)
          .found(error)
          .remedy("Add 'proc_grid_size', the processes along this dimension."),
      requirement("D13", "proc_grid_size", "The grid's size is an integer of one or more.",
                  where_required)
          .stated(Scope::process)
          .found(error)
          .remedy("Count the processes along this dimension; at least this one is there."),
      requirement("D14", "proc_grid_size",
                  "The grid sizes of all distributed dimensions multiply to the number of "
                  "processes in the communicator (of none: to 1).",
                  where_required)
          .stated(Scope::process_and_grid)
          .found(error)
          .remedy("Pass the communicator that the array is distributed over."),
      requirement("D15", "proc_grid_size", "A dimension has the same grid size on all processes.",
                  where_required)
          .implied(Scope::all_processes)
          .found(error)
          .remedy("Describe one process grid on all ranks."),
      requirement("D16", "proc_grid_rank", "Every distributed dimension gives the grid rank.",
                  where_required)
          .stated(Scope::process)
          .found(error)
          .remedy("Add 'proc_grid_rank', this process's place along the dimension."),
      requirement("D17", "proc_grid_rank", "The grid rank is an integer.", where_required)
          .stated(Scope::process)
          .found(error)
          .remedy("Write an integer of at most 64 bits."),
      requirement("D18", "proc_grid_rank",
                  "The grid rank is from 0 to one below the grid's size (stated in 0.10.x).",
                  where_required)
          .implied(Scope::process)
          .found(error)
          .remedy("Count grid ranks from 0, along each dimension by itself."),
      requirement("D19", "proc_grid_rank", "Each place on the grid belongs to exactly one process.",
                  where_required)
          .implied(Scope::all_processes)
          .found(error)
          .remedy("Give each rank its own coordinates, as MPI_Cart_coords does."),
      requirement("D20", "proc_grid_rank",
                  "Ranks stand on the grid in row-major order, the last dimension fastest. Any "
                  "other order that gives each place one process is accepted with a warning (A05).",
                  where_required)
          .stated(Scope::process_and_grid)
          .found(Severity::warning)
          .remedy("Order the communicator by the grid, for example by MPI_Comm_split with the "
                  "row-major number as key."),
      definition("D21", "proc_grid_rank",
                 "Neighbours along a dimension are the processes whose grid rank there is one "
                 "lower or higher, the other grid ranks equal; a periodic dimension wraps around.",
                 where_required)
          .stated(Scope::all_processes),
  };
}

}  // namespace daptor::rule_table
