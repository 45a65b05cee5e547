// SPDX-License-Identifier: BSD-3-Clause
#include "rules/table.hpp"

namespace daptor::rule_table {
namespace {

constexpr const char* padded_meaning =
    "rank 0, dimension 0: owns [0, 9) of 18, boundary padding (1, 0), communication padding (0, 1) "
    "copies {9}, extent 10\n"
    "rank 1, dimension 0: owns [9, 18) of 18, boundary padding (0, 1), communication padding "
    "(1, 0) copies {8}, extent 10\n";

/// The two halves with these paddings, which are boundary padding.
std::string bounded(const std::string& first, const std::string& second) {
  return halves(half(0).with("padding", first), half(1).with("padding", second));
}

}  // namespace

std::vector<Rule> padding_rules() {
  return {
      permission("P01", "padding", "A dimension may have padding or not.", where_padding)
          .permitted(Scope::process)
          .conforms(halves(),
                    "rank 0, dimension 0: owns [0, 5) of 10, extent 5\n"
                    "rank 1, dimension 0: owns [5, 10) of 10, extent 5\n")
          .conforms(padded_pair(), padded_meaning),
      requirement("P02", "padding", "The padding is a tuple of two widths.", where_padding)
          .stated(Scope::process)
          .found(error)
          .remedy("Write (lower, upper), even if both widths are equal or one is 0.")
          .conforms(padded_pair())
          .breaks(bounded("1", "[0, 1]")),
      requirement("P03", "padding", "Both widths are integers of zero or more.", where_padding)
          .stated(Scope::process)
          .found(error)
          .remedy("Write 0 at an end without padding.")
          .conforms(padded_pair())
          .breaks(bounded("[-1, 0]", "[0, 1]")),
      definition("P04", "padding",
                 "The first width is at the lower end of the local indices, the second at "
                 "the upper end.",
                 where_padding)
          .stated(Scope::process)
          .conforms(file({section("[5]", {half(0).with("padding", "[2, 0]")}),
                          section("[5]", {half(1).with("padding", "[0, 1]")})}),
                    "rank 0, dimension 0: owns [0, 5) of 10, boundary padding (2, 0), extent 5\n"
                    "rank 1, dimension 0: owns [5, 10) of 10, boundary padding (0, 1), extent 5\n"),
      requirement("P05", "padding",
                  "If a process does not have the key, no process has padding in this "
                  "dimension.",
                  where_padding)
          .stated(Scope::all_processes)
          .found(error)
          .not_in_0_10()
          .reported_as("P06")
          .remedy("Write (0, 0) on processes without padding.")
          .conforms(halves())
          .breaks(halves(half(0).with("padding", "[1, 0]"), half(1))),
      requirement("P06", "padding",
                  "If one process has the key for a dimension, all processes have it. Under "
                  "0.10.x a missing key means (0, 0) on that process (V08).",
                  where_padding)
          .stated(Scope::all_processes)
          .found(error)
          .not_in_0_10()
          .remedy("Write (0, 0) on processes without padding.")
          .conforms(bounded("[1, 0]", "[0, 0]"))
          .breaks(halves(half(0).with("padding", "[0, 0]"), half(1))),
      permission("P07", "padding",
                 "Some processes may have padding (0, 0) while others have wider padding.",
                 where_padding)
          .permitted(Scope::all_processes)
          .conforms(bounded("[1, 0]", "[0, 0]"),
                    "rank 0, dimension 0: owns [0, 5) of 10, boundary padding (1, 0), extent 5\n"
                    "rank 1, dimension 0: owns [5, 10) of 10, extent 5\n"),
      definition("P08", "padding",
                 "Padding on an internal edge of the grid, or on any edge of a periodic "
                 "dimension, is communication padding: copies of elements that a neighbour "
                 "owns.",
                 where_padding)
          .stated(Scope::process)
          .conforms(
              file({section("[7]", {half(0).with("periodic", "true").with("padding", "[1, 1]")}),
                    section("[7]", {half(1).with("periodic", "true").with("padding", "[1, 1]")})}),
              "rank 0, dimension 0: owns [0, 5) of 10, communication padding (1, 1) copies "
              "{9} and {5}, periodic, extent 7\n"
              "rank 1, dimension 0: owns [5, 10) of 10, communication padding (1, 1) copies "
              "{4} and {0}, periodic, extent 7\n"),
      definition("P09", "padding",
                 "Padding on an external edge of a dimension that is not periodic is "
                 "boundary padding: elements of the array itself, used for boundary "
                 "conditions.",
                 where_padding)
          .stated(Scope::process)
          .conforms(padded_pair(), padded_meaning),
      requirement("P10", "size", "Communication padding is not counted in size.", where_padding)
          .stated(Scope::all_processes)
          .found(error)
          .reported_as("P13, B09")
          .remedy("Count each element once, on the process that owns it.")
          .conforms(padded_pair())
          .breaks(file({section("[10]", {block(20, 2, 0, 0, 10).with("padding", "[1, 1]")}),
                        section("[10]", {block(20, 2, 1, 10, 20).with("padding", "[1, 1]")})}),
                  {"P13"}),
  };
}

std::vector<Rule> padding_extent_rules() {
  return {
      requirement("P11", "size", "Boundary padding is counted in size.", where_definitions)
          .stated(Scope::all_processes)
          .found(error)
          .reported_as("P13, B09")
          .remedy("Count the elements at the boundary of the domain like all others.")
          .conforms(padded_pair())
          .breaks(file({section("[10]", {block(16, 2, 0, 0, 8).with("padding", "[1, 1]")}),
                        section("[10]", {block(16, 2, 1, 8, 16).with("padding", "[1, 1]")})}),
                  {"P13"}),
      definition("P12", "start, stop",
                 "Boundary padding lies inside [start, stop), communication padding "
                 "outside it (0.9.x; see V05 for 0.10.x).",
                 "Examples, block with padding")
          .implied(Scope::process)
          .conforms(padded_pair(), padded_meaning),
      requirement("P13", "buffer",
                  "Along a block dimension the buffer has stop - start elements plus the "
                  "communication padding (0.9.x), or exactly stop - start elements "
                  "(0.10.x).",
                  "Examples, block with padding")
          .implied(Scope::process)
          .found(error)
          .remedy("Describe the memory as it is: start and stop exclude communication "
                  "padding under 0.9.x and include it under 0.10.x.")
          .conforms(padded_pair())
          .breaks(file({section("[9]", {padded(0)}), section("[10]", {padded(1)})})),
      definition("P14", "padding",
                 "Communication padding copies elements that the neighbours own: at the "
                 "lower end the last indices of the preceding process, at the upper end "
                 "the first indices of the following process; a periodic dimension wraps "
                 "around.",
                 where_padding)
          .stated(Scope::all_processes)
          .conforms(file({section("[4]", {block(9, 3, 0, 0, 3).with("padding", "[0, 1]")}),
                          section("[6]", {block(9, 3, 1, 3, 6).with("padding", "[1, 2]")}),
                          section("[5]", {block(9, 3, 2, 6, 9).with("padding", "[2, 0]")})}),
                    "rank 0, dimension 0: owns [0, 3) of 9, communication padding (0, 1) copies "
                    "{3}, extent 4\n"
                    "rank 1, dimension 0: owns [3, 6) of 9, communication padding (1, 2) copies "
                    "{2} and {6, 7}, extent 6\n"
                    "rank 2, dimension 0: owns [6, 9) of 9, communication padding (2, 0) copies "
                    "{4, 5}, extent 5\n"),
      requirement("P15", "padding",
                  "Communication padding is at most as wide as the range that the neighbour "
                  "owns (stated in 0.10.x). Under 0.9.x wider padding is accepted with a "
                  "warning: its far end belongs to a process further away (A13).",
                  where_padding)
          .implied(Scope::all_processes)
          .found(Severity::warning)
          .found_in_0_10(error)
          .remedy("Give each process at least as many indices as the padding is wide.")
          .conforms(padded_pair())
          .breaks(file({section("[7]", {block(10, 3, 0, 0, 5).with("padding", "[0, 2]")}),
                        section("[4]", {block(10, 3, 1, 5, 6).with("padding", "[2, 1]")}),
                        section("[5]", {block(10, 3, 2, 6, 10).with("padding", "[1, 0]")})})),
      requirement("P16", "padding",
                  "Two neighbours have padding of the same width on their common edge "
                  "(stated in 0.10.x; under 0.9.x a difference is only noted).",
                  where_padding)
          .implied(Scope::all_processes)
          .found(Severity::note)
          .found_in_0_10(error)
          .remedy("Use the same width on both sides of an edge.")
          .conforms(padded_pair())
          .breaks(file({section("[7]", {half(0).with("padding", "[0, 2]")}),
                        section("[6]", {half(1).with("padding", "[1, 0]")})})),
      requirement("P17", "padding",
                  "Boundary padding is no wider than the section that contains it.", where_padding)
          .implied(Scope::process)
          .found(Severity::warning)
          .remedy("Give the first and the last process more indices.")
          .conforms(padded_pair())
          .breaks(file({section("[2]", {block(10, 2, 0, 0, 2).with("padding", "[3, 0]")}),
                        section("[8]", {block(10, 2, 1, 2, 10).with("padding", "[0, 0]")})})),
      requirement("P18", "padding",
                  "Cyclic and unstructured dimensions have no padding. A key with the value "
                  "(0, 0) is ignored with a warning.",
                  where_padding)
          .implied(Scope::process)
          .found(error)
          .remedy("Leave the key out; an unstructured dimension can list its ghosts among "
                  "its indices.")
          .conforms(
              file({section("[5]", {cyclic(10, 2, 0, 0)}), section("[5]", {cyclic(10, 2, 1, 1)})}))
          .breaks(file({section("[5]", {cyclic(10, 2, 0, 0).with("padding", "[1, 1]")}),
                        section("[5]", {cyclic(10, 2, 1, 1).with("padding", "[1, 1]")})})),
      requirement("P19", "size",
                  "The size is at most the sum of the extents of all sections. This follows from "
                  "the rules of each distribution.",
                  where_definitions)
          .stated(Scope::all_processes)
          .found(error)
          .reported_as("B09, B11, U11")
          .remedy("Give the size of the array; every element lies in at least one section.")
          .conforms(padded_pair())
          .breaks(halves(half(0).with("size", 12), half(1).with("size", 12)), {"B11"}),
      advice("P20", "padding",
             "Padding is room for copies: a consumer must not rely on the values there "
             "until it has updated them.",
             where_definitions)
          .advisory(Scope::process)
          .conforms(padded_pair()),
      definition("P21", "periodic",
                 "A periodic dimension on one process has communication padding at both "
                 "ends: each end copies elements from the opposite end.",
                 where_padding)
          .implied(Scope::process)
          .conforms(
              single("[12]",
                     block(10, 1, 0, 0, 10).with("periodic", "true").with("padding", "[1, 1]")),
              "rank 0, dimension 0: owns [0, 10) of 10, communication padding (1, 1) copies "
              "{9} and {0}, periodic, extent 12\n"),
  };
}

}  // namespace daptor::rule_table
