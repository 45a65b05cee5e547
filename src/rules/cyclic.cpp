// SPDX-License-Identifier: BSD-3-Clause
#include "rules/table.hpp"

namespace daptor::rule_table {

std::vector<Rule> cyclic_rules() {
  return {
      requirement("C01", "start", "A cyclic dimension has a start, an integer.", where_cyclic)
          .stated(Scope::process)
          .found(error)
          .remedy("Add 'start', the first global index on this process."),
      requirement("C02", "start", "The start is a global index, counted from 0.", where_cyclic)
          .stated(Scope::process)
          .found(error)
          .remedy("Give the first global index on this process, or size where it has none."),
      requirement("C03", "start",
                  "The start is at most size; equal to size where the process has nothing. Of a "
                  "surplus process proc_grid_rank * block_size is accepted too, with a warning "
                  "(A23).",
                  where_constraints)
          .stated(Scope::process)
          .found(error)
          .remedy("Write size as the start of a process without elements."),
      definition("C04", "block_size", "Without a block_size the blocks have one element.",
                 where_cyclic)
          .stated(Scope::process),
      requirement("C05", "block_size", "The block size is an integer of one or more.", where_cyclic)
          .stated(Scope::process)
          .found(error)
          .remedy("Leave the key out for blocks of one element."),
      requirement("C06", "block_size", "All processes have the same block size.", where_cyclic)
          .implied(Scope::all_processes)
          .found(error)
          .remedy("Deal blocks of one size; describe unequal ones as 'u'."),
      requirement("C07", "start",
                  "With blocks of one element a process has what Python's slice(start, size, "
                  "proc_grid_size) picks.",
                  where_cyclic)
          .stated(Scope::process)
          .found(error)
          .reported_as("C12")
          .remedy("Deal the elements in turn, one to each process."),
      requirement("C08", "start",
                  "Blocks are dealt in turn: block k goes to the process (k + origin) mod "
                  "proc_grid_size, with one origin for all.",
                  where_cyclic)
          .stated(Scope::all_processes)
          .found(error)
          .reported_as("C11")
          .remedy(
              "Deal the blocks in the order of the grid ranks; describe any other deal as 'u'."),
      requirement("C09", "start",
                  "The start of a process that has elements is a multiple of block_size.",
                  where_cyclic)
          .implied(Scope::process)
          .found(error)
          .remedy("Let the first block begin at 0, and each process at the start of a block."),
      requirement("C10", "start",
                  "Without an origin the start is proc_grid_rank * block_size, or size where that "
                  "is greater. An origin other than process 0 is accepted with a warning (A09).",
                  where_cyclic)
          .implied(Scope::process)
          .found(Severity::warning)
          .remedy("Number the grid ranks from the process that has the first block."),
      requirement("C11", "start",
                  "In the order of the grid ranks the starts are a rotation of 0, b, 2b, ... for "
                  "the block size b (clipped to size).",
                  where_cyclic)
          .implied(Scope::all_processes)
          .found(error)
          .remedy(
              "Deal the blocks in the order of the grid ranks; describe any other deal as 'u'."),
      requirement("C12", "buffer",
                  "Along a cyclic dimension the buffer has the elements of the blocks that the "
                  "process is dealt, the last block perhaps short.",
                  where_cyclic)
          .implied(Scope::process)
          .found(error)
          .remedy("Count the blocks dealt to this process; ScaLAPACK's NUMROC does."),
      permission("C13", "block_size",
                 "Any block size of one or more is legal: 1 is true cyclic, a larger one "
                 "block-cyclic, and ceil(size / proc_grid_size) the same as an even block.",
                 where_cyclic)
          .permitted(Scope::process),
      advice("C14", "stop", "A cyclic dimension has no stop: Daptor ignores one and notes it.",
             where_cyclic)
          .advisory(Scope::process)
          .found(note)
          .remedy("Leave the key out."),
      advice("C15", "periodic",
             "A cyclic or unstructured dimension may be called periodic; without padding that "
             "means nothing. 0.10.x has the flag for blocks only (V11).",
             where_optional)
          .permitted(Scope::process)
          .found(note)
          .remedy("Leave the key out."),
  };
}

}  // namespace daptor::rule_table
