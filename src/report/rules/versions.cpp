// SPDX-License-Identifier: BSD-3-Clause
#include "report/rules/table.hpp"

namespace daptor::rule_table {

std::vector<Rule> version_rules() {
  return {
      difference("V01", "dist_type",
                 "0.9.x writes an undistributed dimension as 'n' with a size. 0.10.x has "
                 "no 'n' (Daptor accepts it with a warning): such a dimension is an empty "
                 "dictionary, whose size is the buffer's extent, or a block on one "
                 "process.")
          .stated(Scope::process)
          .found_in_0_10(warning)
          .remedy("Under 0.10.x write {}, or 'b' with proc_grid_size 1."),
      difference("V02", "proc_grid_size",
                 "0.9.x multiplies the grid sizes of the distributed dimensions, 0.10.x "
                 "those of all dimensions; an undistributed dimension counts as 1, so both "
                 "give the same number (D14).")
          .stated(Scope::process_and_grid),
      difference("V03", "proc_grid_rank",
                 "0.10.x states that the grid rank is in [0, proc_grid_size); Daptor "
                 "requires it under both (D18).")
          .stated(Scope::process)
          .found(error)
          .reported_as("D18")
          .remedy("Count grid ranks from 0, in each dimension separately."),
      difference("V04", "proc_grid_rank",
                 "0.9.x refers to MPI for the order of the ranks on the grid, 0.10.x "
                 "states row-major order; both mean the same (D20).")
          .stated(Scope::process_and_grid)
          .found(warning)
          .reported_as("D20")
          .remedy("Order the communicator by grid position."),
      difference("V05", "start, stop",
                 "The range [start, stop) excludes communication padding under 0.9.x. "
                 "Under 0.10.x it includes it, and its length is the buffer's extent.")
          .stated(Scope::process)
          .found_in_0_10(error)
          .remedy("Under 0.10.x subtract the lower communication padding from start, and "
                  "add the upper one to stop."),
      difference("V06", "start, stop",
                 "Under 0.9.x the ranges of neighbours are adjacent. Under 0.10.x they "
                 "overlap by the communication padding.")
          .stated(Scope::all_processes),
      difference("V07", "stop",
                 "0.10.x states that stop is at most size, and that a block may be empty "
                 "anywhere; under 0.9.x the latter is a warning (B06).")
          .stated(Scope::process)
          .found(warning)
          .not_in_0_10()
          .reported_as("B06")
          .remedy("Let empty sections start at size if their order on the grid permits."),
      difference("V08", "padding",
                 "Under 0.9.x either all processes have the padding key or none (P06). "
                 "Under 0.10.x a missing key means (0, 0) on that process.")
          .stated(Scope::all_processes)
          .found(error)
          .not_in_0_10()
          .reported_as("P06")
          .remedy("Under 0.9.x write (0, 0) on processes without padding."),
      difference("V09", "padding",
                 "Under 0.9.x the padding of a periodic dimension is communication padding "
                 "on every edge. Under 0.10.x it is boundary padding on an external edge, "
                 "inside size, whatever periodic says; Daptor warns about it.")
          .stated(Scope::process)
          .found_in_0_10(warning)
          .remedy("Describe a periodic halo in version 0.9.0."),
      difference("V10", "padding",
                 "Under 0.9.x the widths are free. Under 0.10.x communication padding is "
                 "at most as wide as the range that the neighbour owns (P15), and as wide "
                 "as the neighbour's padding on the same edge (P16). The examples show one "
                 "array in both versions.")
          .stated(Scope::all_processes)
          .found(note)
          .found_in_0_10(error)
          .reported_as("P15, P16")
          .remedy("Use the same width on both sides of an edge, or keep the array in "
                  "version 0.9.0."),
      difference("V11", "periodic",
                 "Under 0.9.x any dimension may have the flag, under 0.10.x only a block. "
                 "Where it has no effect Daptor adds a note (C15).")
          .stated(Scope::process)
          .found(note)
          .reported_as("C15")
          .remedy("Leave the key out."),
      difference("V12", "dim_data",
                 "0.10.x states that there are as many dictionaries as the buffer has "
                 "dimensions; under 0.9.x a flat buffer is accepted where it is "
                 "unambiguous (A03).")
          .stated(Scope::process)
          .found(warning)
          .found_in_0_10(error)
          .reported_as("A03, T15")
          .remedy("Reshape the buffer to the shape of the section; this needs no copy."),
      difference("V13", "size",
                 "0.10.x defines size as the sum of what the processes own, but the "
                 "program in its text miscounts a short last cyclic block. Daptor follows "
                 "the text, under both versions.")
          .stated(Scope::all_processes),
      difference("V14", "",
                 "0.10.x states that processes with the same grid rank have the same "
                 "dictionary, except for padding. 0.9.x means the same (D22), but "
                 "different padding is a warning there (A21).")
          .stated(Scope::all_processes)
          .found(warning)
          .not_in_0_10()
          .reported_as("A21")
          .remedy("Use the same width along each line of the grid."),
      difference("V15", "",
                 "0.9.x calls a section empty that starts at size. 0.10.x lists all cases: "
                 "size 0, start equal to size, start equal to stop, no indices.")
          .stated(Scope::process),
      difference("V16", "indices",
                 "0.9.x requires a buffer but shows a list, 0.10.x shows arrays. Under "
                 "both Daptor accepts a list with a warning (A10).")
          .stated(Scope::process)
          .found(warning)
          .reported_as("A10")
          .remedy("Pass an integer array."),
      difference("V17", "",
                 "A process is an MPI process under 0.9.x, and any process numbered from 0 "
                 "under 0.10.x. Daptor reads both as the ranks of a communicator.")
          .stated(Scope::process_and_grid),
      difference("V18", "periodic",
                 "Communication padding on an external edge, as a periodic dimension of "
                 "0.9.x has it, cannot be expressed in 0.10.x: the conversion is refused.")
          .implied(Scope::process)
          .remedy("Keep the array in version 0.9.0."),
  };
}

}  // namespace daptor::rule_table
