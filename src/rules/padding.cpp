// SPDX-License-Identifier: BSD-3-Clause
#include "rules/table.hpp"

namespace daptor::rule_table {

std::vector<Rule> padding_rules() {
  return {
      permission("P01", "padding", "A dimension may have padding or not.", where_padding)
          .permitted(Scope::process),
      requirement("P02", "padding", "Padding is a tuple of two.", where_padding)
          .stated(Scope::process)
          .found(error)
          .remedy("Write (lower, upper), also where both are equal or one is 0."),
      requirement("P03", "padding", "Both widths are integers of zero or more.", where_padding)
          .stated(Scope::process)
          .found(error)
          .remedy("Write 0 at an end that has no padding."),
      definition("P04", "padding",
                 "The first width is that at the lower end of the local indices, the second that "
                 "at the upper end.",
                 where_padding)
          .stated(Scope::process),
      requirement("P05", "padding",
                  "A process without the key says that no process is padded in this dimension.",
                  where_padding)
          .stated(Scope::all_processes)
          .found(error)
          .not_in_0_10()
          .reported_as("P06")
          .remedy("Write (0, 0) on processes without padding."),
      requirement("P06", "padding",
                  "If one process has the key for a dimension, all have it. Under 0.10.x a missing "
                  "key means (0, 0) on that process (V08).",
                  where_padding)
          .stated(Scope::all_processes)
          .found(error)
          .not_in_0_10()
          .remedy("Write (0, 0) on processes without padding."),
      permission("P07", "padding",
                 "Some processes may have padding (0, 0) while others are padded.", where_padding)
          .permitted(Scope::all_processes),
      definition("P08", "padding",
                 "A width on an internal edge of the grid, or on any edge of a periodic dimension, "
                 "is communication padding: copies of what a neighbour owns.",
                 where_padding)
          .stated(Scope::process),
      definition("P09", "padding",
                 "A width on an external edge of a dimension that is not periodic is boundary "
                 "padding: elements of the array itself, which boundary conditions use.",
                 where_padding)
          .stated(Scope::process),
      requirement("P10", "size", "Communication padding does not count in size.", where_padding)
          .stated(Scope::all_processes)
          .found(error)
          .reported_as("P13, B09")
          .remedy("Count each element once, on the process that owns it."),
      requirement("P11", "size", "Boundary padding counts in size.", where_definitions)
          .stated(Scope::all_processes)
          .found(error)
          .reported_as("P13, B09")
          .remedy("Count the elements at the boundary of the domain with the others."),
      definition("P12", "start, stop",
                 "Boundary padding lies inside the range from start to stop, communication padding "
                 "outside it (0.9.x; see V05 for 0.10.x).",
                 "Examples, block with padding")
          .implied(Scope::process),
      requirement("P13", "buffer",
                  "Along a block the buffer has stop - start elements and the communication "
                  "padding (0.9.x), or stop - start elements (0.10.x).",
                  "Examples, block with padding")
          .implied(Scope::process)
          .found(error)
          .remedy("Describe the memory as it is; under 0.9.x start and stop leave communication "
                  "padding out, under 0.10.x they include it."),
      definition("P14", "padding",
                 "Communication padding copies what the neighbours own: at the lower end the last "
                 "indices of the process before, at the upper end the first of the process after, "
                 "around the end where the dimension is periodic.",
                 where_padding)
          .stated(Scope::all_processes),
      requirement("P15", "padding",
                  "Communication padding is at most as wide as what the neighbour owns (stated in "
                  "0.10.x). Under 0.9.x a wider one is accepted with a warning: its far end "
                  "belongs to a process further away (A13).",
                  where_padding)
          .implied(Scope::all_processes)
          .found(Severity::warning)
          .found_in_0_10(error)
          .remedy("Give each process at least as many indices as the padding is wide."),
      requirement("P16", "padding",
                  "Two neighbours have the same width on their common edge (stated in 0.10.x; "
                  "under 0.9.x only noted).",
                  where_padding)
          .implied(Scope::all_processes)
          .found(Severity::note)
          .found_in_0_10(error)
          .remedy("Use one width on both sides of an edge."),
      requirement("P17", "padding", "Boundary padding is no wider than the section it lies in.",
                  where_padding)
          .implied(Scope::process)
          .found(Severity::warning)
          .remedy("Give the first and the last process more indices."),
      requirement("P18", "padding",
                  "Cyclic and unstructured dimensions have no padding. A key of (0, 0) is ignored "
                  "with a warning.",
                  where_padding)
          .implied(Scope::process)
          .found(error)
          .remedy("Leave the key out; an unstructured dimension can list its ghosts as indices."),
      requirement("P19", "size",
                  "The size is at most the sum of the extents of all sections. This follows from "
                  "the rules of each distribution.",
                  where_definitions)
          .stated(Scope::all_processes)
          .found(error)
          .reported_as("B09, B11, U11")
          .remedy("Give the size of the array; every element lies in some section."),
      advice("P20", "padding",
             "Padding is room for copies: a consumer must not rely on their values before it has "
             "updated them.",
             where_definitions)
          .advisory(Scope::process),
      definition("P21", "periodic",
                 "A periodic dimension on one process has communication padding at both ends: "
                 "copies of its own other end.",
                 where_padding)
          .implied(Scope::process)};
}

}  // namespace daptor::rule_table
