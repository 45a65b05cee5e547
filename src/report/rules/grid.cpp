// SPDX-License-Identifier: BSD-3-Clause
#include "report/rules/table.hpp"

namespace daptor::rule_table {

std::vector<Rule> grid_rules() {
  return {
      requirement("D12", "proc_grid_size",
                  "Every distributed dimension has a grid size, the number of processes "
                  "along it.",
                  where_required)
          .stated(Scope::process)
          .found(error)
          .remedy("Add 'proc_grid_size', the number of processes along this dimension."),
      requirement("D13", "proc_grid_size", "The grid's size is an integer of one or more.",
                  where_required)
          .stated(Scope::process)
          .found(error)
          .remedy("Count the processes along this dimension, including this one."),
      requirement("D14", "proc_grid_size",
                  "The product of the grid sizes of all distributed dimensions is the "
                  "number of processes in the communicator (1 if no dimension is "
                  "distributed).",
                  where_required)
          .stated(Scope::process_and_grid)
          .found(error)
          .remedy("Pass the communicator that the array is distributed over."),
      requirement("D15", "proc_grid_size", "A dimension has the same grid size on all processes.",
                  where_required)
          .implied(Scope::all_processes)
          .found(error)
          .remedy("Describe the same process grid on all ranks."),
      requirement("D16", "proc_grid_rank", "Every distributed dimension has a grid rank.",
                  where_required)
          .stated(Scope::process)
          .found(error)
          .remedy("Add 'proc_grid_rank', the position of this process along the dimension."),
      requirement("D17", "proc_grid_rank", "The grid rank is an integer.", where_required)
          .stated(Scope::process)
          .found(error)
          .remedy("Write an integer of at most 64 bits."),
      requirement("D18", "proc_grid_rank",
                  "The grid rank is in [0, proc_grid_size) (stated in 0.10.x).", where_required)
          .implied(Scope::process)
          .found(error)
          .remedy("Count grid ranks from 0, in each dimension separately."),
      requirement("D19", "proc_grid_rank",
                  "Each position on the process grid belongs to exactly one process.",
                  where_required)
          .implied(Scope::all_processes)
          .found(error)
          .remedy("Give each rank coordinates of its own, as MPI_Cart_coords does."),
      requirement("D20", "proc_grid_rank",
                  "Ranks are placed on the grid in row-major order, with the last dimension "
                  "varying fastest. Any other order with one process at each position is "
                  "accepted with a warning (A05).",
                  where_required)
          .stated(Scope::process_and_grid)
          .found(Severity::warning)
          .remedy("Order the communicator by grid position, for example with MPI_Comm_split "
                  "and the row-major number as key."),
      definition("D21", "proc_grid_rank",
                 "The neighbours of a process along a dimension are the processes whose "
                 "grid rank in this dimension is one lower or one higher and whose other "
                 "grid ranks are equal to its own; a periodic dimension wraps around.",
                 where_required)
          .stated(Scope::all_processes),
  };
}

}  // namespace daptor::rule_table
