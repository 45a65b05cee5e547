// SPDX-License-Identifier: BSD-3-Clause
#include "report/rules/table.hpp"

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
          .remedy("Give the first global index on this process, or size if it owns none."),
      requirement("C03", "start",
                  "The start is at most size, and equal to size on a process that owns no "
                  "element. On such a process proc_grid_rank * block_size is accepted too, "
                  "with a warning (A23).",
                  where_constraints)
          .stated(Scope::process)
          .found(error)
          .remedy("Set start to size on a process without elements."),
      definition("C04", "block_size", "If block_size is absent, blocks have one element.",
                 where_cyclic)
          .stated(Scope::process),
      requirement("C05", "block_size", "The block size is an integer of one or more.", where_cyclic)
          .stated(Scope::process)
          .found(error)
          .remedy("Leave the key out if blocks have one element."),
      requirement("C06", "block_size", "All processes have the same block size.", where_cyclic)
          .implied(Scope::all_processes)
          .found(error)
          .remedy("Use the same block size on all processes; describe blocks of unequal "
                  "size as 'u'."),
      requirement("C07", "start",
                  "With a block size of one, a process owns the indices that Python's "
                  "slice(start, size, proc_grid_size) selects.",
                  where_cyclic)
          .stated(Scope::process)
          .found(error)
          .reported_as("C12")
          .remedy("Deal the elements in turn, one to each process."),
      requirement("C08", "start",
                  "Blocks are dealt in turn: block k belongs to grid rank (k + origin) mod "
                  "proc_grid_size, with the same origin on all processes.",
                  where_cyclic)
          .stated(Scope::all_processes)
          .found(error)
          .reported_as("C11")
          .remedy("Deal the blocks in the order of the grid ranks; describe any other "
                  "assignment as 'u'."),
      requirement("C09", "start",
                  "The start of a process that has elements is a multiple of block_size.",
                  where_cyclic)
          .implied(Scope::process)
          .found(error)
          .remedy("Let the first block begin at 0, and let each process start at the "
                  "beginning of a block."),
      requirement("C10", "start",
                  "The first block belongs to grid rank 0, so start is proc_grid_rank * "
                  "block_size, or size if that product is greater. Another owner of the "
                  "first block is accepted with a warning (A09).",
                  where_cyclic)
          .implied(Scope::process)
          .found(Severity::warning)
          .remedy("Count grid ranks from the process that owns the first block."),
      requirement("C11", "start",
                  "In the order of the grid ranks, the starts are a rotation of 0, b, 2b, "
                  "... (clipped to size), where b is the block size.",
                  where_cyclic)
          .implied(Scope::all_processes)
          .found(error)
          .remedy("Deal the blocks in the order of the grid ranks; describe any other "
                  "assignment as 'u'."),
      requirement("C12", "buffer",
                  "Along a cyclic dimension the buffer holds the elements of all blocks "
                  "that are dealt to the process; the last block may be shorter.",
                  where_cyclic)
          .implied(Scope::process)
          .found(error)
          .remedy("Count the elements of the blocks dealt to this process, as ScaLAPACK's "
                  "NUMROC does."),
      permission("C13", "block_size",
                 "Any block size of one or more is legal: 1 is purely cyclic, a larger one "
                 "is block-cyclic, and ceil(size / proc_grid_size) gives the same ranges "
                 "as even blocks.",
                 where_cyclic)
          .permitted(Scope::process),
      advice("C14", "stop",
             "A cyclic dimension has no stop: Daptor ignores the key and adds a note.",
             where_cyclic)
          .advisory(Scope::process)
          .found(note)
          .remedy("Leave the key out."),
      advice("C15", "periodic",
             "A cyclic or unstructured dimension may be marked periodic, but the flag "
             "has no effect without padding. 0.10.x defines it for blocks only (V11).",
             where_optional)
          .permitted(Scope::process)
          .found(note)
          .remedy("Leave the key out."),
  };
}

}  // namespace daptor::rule_table
