// SPDX-License-Identifier: BSD-3-Clause
#include "report/rules/table.hpp"

namespace daptor::rule_table {

std::vector<Rule> padding_rules() {
  return {
      permission("P01", "padding", "A dimension may have padding or not.", where_padding)
          .permitted(Scope::process),
      requirement("P02", "padding", "The padding is a tuple of two widths.", where_padding)
          .stated(Scope::process)
          .found(error)
          .remedy("Write (lower, upper), even if both widths are equal or one is 0."),
      requirement("P03", "padding", "Both widths are integers of zero or more.", where_padding)
          .stated(Scope::process)
          .found(error)
          .remedy("Write 0 at an end without padding."),
      definition("P04", "padding",
                 "The first width is at the lower end of the local indices, the second at "
                 "the upper end.",
                 where_padding)
          .stated(Scope::process),
      requirement("P05", "padding",
                  "If a process does not have the key, no process has padding in this "
                  "dimension.",
                  where_padding)
          .stated(Scope::all_processes)
          .found(error)
          .not_in_0_10()
          .reported_as("P06")
          .remedy("Write (0, 0) on processes without padding."),
      requirement("P06", "padding",
                  "If one process has the key for a dimension, all processes have it. Under "
                  "0.10.x a missing key means (0, 0) on that process (V08).",
                  where_padding)
          .stated(Scope::all_processes)
          .found(error)
          .not_in_0_10()
          .remedy("Write (0, 0) on processes without padding."),
      permission("P07", "padding",
                 "Some processes may have padding (0, 0) while others have wider padding.",
                 where_padding)
          .permitted(Scope::all_processes),
      definition("P08", "padding",
                 "Padding on an internal edge of the grid, or on any edge of a periodic "
                 "dimension, is communication padding: copies of elements that a neighbour "
                 "owns.",
                 where_padding)
          .stated(Scope::process),
      definition("P09", "padding",
                 "Padding on an external edge of a dimension that is not periodic is "
                 "boundary padding: elements of the array itself, used for boundary "
                 "conditions.",
                 where_padding)
          .stated(Scope::process),
      requirement("P10", "size", "Communication padding is not counted in size.", where_padding)
          .stated(Scope::all_processes)
          .found(error)
          .reported_as("P13, B09")
          .remedy("Count each element once, on the process that owns it."),
      requirement("P11", "size", "Boundary padding is counted in size.", where_definitions)
          .stated(Scope::all_processes)
          .found(error)
          .reported_as("P13, B09")
          .remedy("Count the elements at the boundary of the domain like all others."),
      definition("P12", "start, stop",
                 "Boundary padding lies inside [start, stop), communication padding "
                 "outside it (0.9.x; see V05 for 0.10.x).",
                 "Examples, block with padding")
          .implied(Scope::process),
      requirement("P13", "buffer",
                  "Along a block dimension the buffer has stop - start elements plus the "
                  "communication padding (0.9.x), or exactly stop - start elements "
                  "(0.10.x).",
                  "Examples, block with padding")
          .implied(Scope::process)
          .found(error)
          .remedy("Describe the memory as it is: start and stop exclude communication "
                  "padding under 0.9.x and include it under 0.10.x."),
      definition("P14", "padding",
                 "Communication padding copies elements that the neighbours own: at the "
                 "lower end the last indices of the preceding process, at the upper end "
                 "the first indices of the following process; a periodic dimension wraps "
                 "around.",
                 where_padding)
          .stated(Scope::all_processes),
      requirement("P15", "padding",
                  "Communication padding is at most as wide as the range that the neighbour "
                  "owns (stated in 0.10.x). Under 0.9.x wider padding is accepted with a "
                  "warning: its far end belongs to a process further away (A13).",
                  where_padding)
          .implied(Scope::all_processes)
          .found(Severity::warning)
          .found_in_0_10(error)
          .remedy("Give each process at least as many indices as the padding is wide."),
      requirement("P16", "padding",
                  "Two neighbours have padding of the same width on their common edge "
                  "(stated in 0.10.x; under 0.9.x a difference is only noted).",
                  where_padding)
          .implied(Scope::all_processes)
          .found(Severity::note)
          .found_in_0_10(error)
          .remedy("Use the same width on both sides of an edge."),
      requirement("P17", "padding",
                  "Boundary padding is no wider than the section that contains it.", where_padding)
          .implied(Scope::process)
          .found(Severity::warning)
          .remedy("Give the first and the last process more indices."),
      requirement("P18", "padding",
                  "Cyclic and unstructured dimensions have no padding. A key with the value "
                  "(0, 0) is ignored with a warning.",
                  where_padding)
          .implied(Scope::process)
          .found(error)
          .remedy("Leave the key out; an unstructured dimension can list its ghosts among "
                  "its indices."),
      requirement("P19", "size",
                  "The size is at most the sum of the extents of all sections. This follows "
                  "from the rules of each distribution.",
                  where_definitions)
          .stated(Scope::all_processes)
          .found(error)
          .reported_as("B09, B11, U11")
          .remedy("Give the size of the array; every element lies in at least one section."),
      advice("P20", "padding",
             "Padding is room for copies: a consumer must not rely on the values there "
             "until it has updated them.",
             where_definitions)
          .advisory(Scope::process),
      definition("P21", "periodic",
                 "A periodic dimension on one process has communication padding at both "
                 "ends: each end copies elements from the opposite end.",
                 where_padding)
          .implied(Scope::process)};
}

}  // namespace daptor::rule_table
