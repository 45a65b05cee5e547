// SPDX-License-Identifier: BSD-3-Clause
#include "rules/table.hpp"

namespace daptor::rule_table {
namespace {

/// A file with two sections of one cyclic dimension each; the shapes are JSON.
std::string dealt(const std::string& first_shape, const Object& first,
                  const std::string& second_shape, const Object& second) {
  return file({section(first_shape, {first}), section(second_shape, {second})});
}

/// Eight elements on two processes, dealt one by one.
Object odd_or_even(int rank) {
  return cyclic(8, 2, rank, rank);
}
std::string eight() {
  return dealt("[4]", odd_or_even(0), "[4]", odd_or_even(1));
}
std::string eight(const Object& first) {
  return dealt("[4]", first, "[4]", odd_or_even(1));
}

/// Seven elements on two processes in blocks of two: four and three.
std::string seven(const std::string& second_shape) {
  return dealt("[4]", cyclic(7, 2, 0, 0).with("block_size", 2), second_shape,
               cyclic(7, 2, 1, 2).with("block_size", 2));
}

std::string nine(int second_start, int third_start) {
  return file({section("[3]", {cyclic(9, 3, 0, 0)}),
               section("[3]", {cyclic(9, 3, 1, second_start)}),
               section("[3]", {cyclic(9, 3, 2, third_start)})});
}

}  // namespace

std::vector<Rule> cyclic_rules() {
  return {
      requirement("C01", "start", "A cyclic dimension has a start, an integer.", where_cyclic)
          .stated(Scope::process)
          .found(error)
          .remedy("Add 'start', the first global index on this process.")
          .conforms(eight())
          .breaks(eight(odd_or_even(0).without("start"))),
      requirement("C02", "start", "The start is a global index, counted from 0.", where_cyclic)
          .stated(Scope::process)
          .found(error)
          .remedy("Give the first global index on this process, or size if it owns none.")
          .conforms(eight())
          .breaks(eight(odd_or_even(0).with("start", -2))),
      requirement("C03", "start",
                  "The start is at most size, and equal to size on a process that owns no "
                  "element. On such a process proc_grid_rank * block_size is accepted too, "
                  "with a warning (A23).",
                  where_constraints)
          .stated(Scope::process)
          .found(error)
          .remedy("Set start to size on a process without elements.")
          .conforms(dealt("[1]", cyclic(1, 2, 0, 0), "[0]", cyclic(1, 2, 1, 1)))
          .breaks(eight(odd_or_even(0).with("start", 9))),
      definition("C04", "block_size", "If block_size is absent, blocks have one element.",
                 where_cyclic)
          .stated(Scope::process)
          .conforms(dealt("[4]", odd_or_even(0), "[4]", odd_or_even(1).with("block_size", 1)),
                    "rank 0, dimension 0: owns {0, 2, 4, 6} of 8, extent 4\n"
                    "rank 1, dimension 0: owns {1, 3, 5, 7} of 8, extent 4\n"),
      requirement("C05", "block_size", "The block size is an integer of one or more.", where_cyclic)
          .stated(Scope::process)
          .found(error)
          .remedy("Leave the key out if blocks have one element.")
          .conforms(seven("[3]"))
          .breaks(eight(odd_or_even(0).with("block_size", 0))),
      requirement("C06", "block_size", "All processes have the same block size.", where_cyclic)
          .implied(Scope::all_processes)
          .found(error)
          .remedy("Use the same block size on all processes; describe blocks of unequal "
                  "size as 'u'.")
          .conforms(seven("[3]"))
          .breaks(dealt("[4]", odd_or_even(0), "[4]", cyclic(8, 2, 1, 2).with("block_size", 2))),
      requirement("C07", "start",
                  "With a block size of one, a process owns the indices that Python's "
                  "slice(start, size, proc_grid_size) selects.",
                  where_cyclic)
          .stated(Scope::process)
          .found(error)
          .reported_as("C12")
          .remedy("Deal the elements in turn, one to each process.")
          .conforms(dealt("[4]", cyclic(7, 2, 0, 0), "[3]", cyclic(7, 2, 1, 1)))
          .breaks(dealt("[4]", cyclic(7, 2, 0, 0), "[4]", cyclic(7, 2, 1, 1))),
      requirement("C08", "start",
                  "Blocks are dealt in turn: block k belongs to grid rank (k + origin) mod "
                  "proc_grid_size, with the same origin on all processes.",
                  where_cyclic)
          .stated(Scope::all_processes)
          .found(error)
          .reported_as("C11")
          .remedy("Deal the blocks in the order of the grid ranks; describe any other "
                  "assignment as 'u'.")
          .conforms(seven("[3]"))
          .breaks(dealt("[4]", odd_or_even(0), "[4]", odd_or_even(1).with("start", 0)),
                  {"C10", "C11"}),
      requirement("C09", "start",
                  "The start of a process that has elements is a multiple of block_size.",
                  where_cyclic)
          .implied(Scope::process)
          .found(error)
          .remedy("Let the first block begin at 0, and let each process start at the "
                  "beginning of a block.")
          .conforms(seven("[3]"))
          .breaks(eight(odd_or_even(0).with("start", 1).with("block_size", 2))),
      requirement("C10", "start",
                  "The first block belongs to grid rank 0, so start is proc_grid_rank * "
                  "block_size, or size if that product is greater. Another owner of the "
                  "first block is accepted with a warning (A09).",
                  where_cyclic)
          .implied(Scope::process)
          .found(Severity::warning)
          .remedy("Count grid ranks from the process that owns the first block.")
          .conforms(seven("[3]"))
          .breaks(dealt("[4]", odd_or_even(0).with("start", 1), "[4]",
                        odd_or_even(1).with("start", 0))),
      requirement("C11", "start",
                  "In the order of the grid ranks, the starts are a rotation of 0, b, 2b, "
                  "... (clipped to size), where b is the block size.",
                  where_cyclic)
          .implied(Scope::all_processes)
          .found(error)
          .remedy("Deal the blocks in the order of the grid ranks; describe any other "
                  "assignment as 'u'.")
          .conforms(nine(1, 2))
          .breaks(nine(2, 1), {"C10", "C11"}),
      requirement("C12", "buffer",
                  "Along a cyclic dimension the buffer holds the elements of all blocks "
                  "that are dealt to the process; the last block may be shorter.",
                  where_cyclic)
          .implied(Scope::process)
          .found(error)
          .remedy("Count the elements of the blocks dealt to this process, as ScaLAPACK's "
                  "NUMROC does.")
          .conforms(seven("[3]"))
          .breaks(seven("[4]")),
      permission("C13", "block_size",
                 "Any block size of one or more is legal: 1 is purely cyclic, a larger one "
                 "is block-cyclic, and ceil(size / proc_grid_size) gives the same ranges "
                 "as even blocks.",
                 where_cyclic)
          .permitted(Scope::process)
          .conforms(dealt("[5]", cyclic(9, 2, 0, 0).with("block_size", 5), "[4]",
                          cyclic(9, 2, 1, 5).with("block_size", 5)),
                    "rank 0, dimension 0: owns {0, 1, 2, 3, 4} of 9, extent 5\n"
                    "rank 1, dimension 0: owns {5, 6, 7, 8} of 9, extent 4\n"),
      advice("C14", "stop",
             "A cyclic dimension has no stop: Daptor ignores the key and adds a note.",
             where_cyclic)
          .advisory(Scope::process)
          .found(note)
          .remedy("Leave the key out.")
          .conforms(eight())
          .breaks(eight(odd_or_even(0).with("stop", 8))),
      advice("C15", "periodic",
             "A cyclic or unstructured dimension may be marked periodic, but the flag "
             "has no effect without padding. 0.10.x defines it for blocks only (V11).",
             where_optional)
          .permitted(Scope::process)
          .found(note)
          .remedy("Leave the key out.")
          .conforms(eight())
          .breaks(dealt("[4]", odd_or_even(0).with("periodic", "true"), "[4]",
                        odd_or_even(1).with("periodic", "true"))),
  };
}

}  // namespace daptor::rule_table
