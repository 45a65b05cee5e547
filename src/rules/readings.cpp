// SPDX-License-Identifier: BSD-3-Clause
#include "rules/table.hpp"

namespace daptor::rule_table {
namespace {

std::string with_first_section(const Object& first) {
  return file({first, section("[5]", {half(1)})});
}

std::string rows(const std::string& shape) {
  return file({section(shape, {block(2, 2, 0, 0, 1), none(10)}),
               section(shape, {block(2, 2, 1, 1, 2), none(10)})});
}

std::string versioned(const char* version) {
  return file({section("[5]", {half(0)}).with("__version__", version),
               section("[5]", {half(1)}).with("__version__", version)});
}

}  // namespace

std::vector<Rule> reading_rules() {
  return {
      reading("A01", "",
              "May the top level have other keys? Daptor ignores them and adds a note; "
              "the strict profile refuses them.",
              where_exporting)
          .implied(Scope::process)
          .found(note)
          .strict(error)
          .reported_as("T04")
          .remedy("Leave other keys out.")
          .conforms(halves())
          .breaks(with_first_section(section("[5]", {half(0)}).with("comment", "\"mesh 7\""))),
      reading("A02", "__version__",
              "Which versions can be read? Those whose meaning is known: 0.9.x by the "
              "rules of 0.9.0, and 0.10.x by those of 0.10.0. All others are "
              "unsupported, because versions differ in the meaning of padding.",
              where_exporting)
          .implied(Scope::process)
          .found(error)
          .reported_as("T07")
          .remedy("Describe the array in version 0.9.0 or 0.10.0.")
          .conforms(versioned("\"0.9.3\""),
                    "rank 0, dimension 0: owns [0, 5) of 10, extent 5\n"
                    "rank 1, dimension 0: owns [5, 10) of 10, extent 5\n")
          .breaks(versioned("\"1.0.0\""), Verdict::unsupported, {"T07"}),
      reading("A03", "buffer",
              "May the buffer be flat, as in the specification's first example? Under "
              "0.9.x yes, with a warning, if at most one extent of the section differs "
              "from one, so that the order of the elements is unambiguous. Otherwise, "
              "and under 0.10.x, T15 is reported.",
              "Examples, block and no-distribution")
          .implied(Scope::process)
          .found(warning)
          .not_in_0_10()
          .remedy("Reshape the buffer to the shape of the section; this needs no copy.")
          .conforms(rows("[1, 10]"))
          .breaks(rows("[10]")),
      reading("A04", "",
              "What is an integer? Any whole number that fits in 64 bits; a bool is not "
              "an integer. Narrower integer types of a target are checked when the "
              "target is made.",
              where_required)
          .implied(Scope::process)
          .found(error)
          .reported_as("D07")
          .remedy("Write a number.")
          .conforms(halves())
          .breaks(halves(half(0).with("size", "true"), half(1))),
      reading("A05", "proc_grid_rank",
              "Must ranks be placed on the grid in row-major order? No: any order with "
              "one process at each position is accepted with a warning, and the "
              "coordinates decide; the strict profile refuses it.",
              where_required)
          .implied(Scope::process_and_grid)
          .found(warning)
          .reported_as("D20")
          .remedy("Order the communicator by grid position.")
          .conforms(halves())
          .breaks(halves(half(1), half(0))),
      reading("A06", "padding",
              "Which kind of padding does an undistributed dimension have? The general "
              "rule holds: its ends are external edges, so it is boundary padding, or "
              "communication padding if the dimension is periodic.",
              where_undistributed)
          .implied(Scope::process)
          .conforms(single("[10]", none(10).with("padding", "[1, 2]")),
                    "rank 0, dimension 0: owns [0, 10) of 10, boundary padding (1, 2), extent 10\n")
          .conforms(single("[14]", none(10).with("periodic", "true").with("padding", "[2, 2]")),
                    "rank 0, dimension 0: owns [0, 10) of 10, communication padding (2, 2) copies "
                    "{8, 9} and {0, 1}, periodic, extent 14\n"),
      reading("A07", "stop",
              "May a block that does not start at size be empty? Yes, with a warning "
              "under 0.9.x; 0.10.x states it.",
              where_constraints)
          .implied(Scope::process)
          .found(warning)
          .not_in_0_10()
          .reported_as("B06")
          .remedy("Let empty sections start at size if their order on the grid permits.")
          .conforms(file({section("[10]", {block(10, 2, 0, 0, 10)}),
                          section("[0]", {block(10, 2, 1, 10, 10)})}))
          .breaks(file({section("[5]", {block(10, 3, 0, 0, 5)}),
                        section("[0]", {block(10, 3, 1, 5, 5)}),
                        section("[5]", {block(10, 3, 2, 5, 10)})})),
      reading("A08", "padding",
              "May padding be a list? A list of two entries is accepted with a warning. "
              "JSON has no tuples, so a JSON array counts as a tuple.",
              where_padding)
          .implied(Scope::process)
          .found(warning)
          .remedy("Write a tuple.")
          .conforms(padded_pair(),
                    "rank 0, dimension 0: owns [0, 9) of 18, boundary padding (1, 0), "
                    "communication padding (0, 1) copies {9}, extent 10\n"
                    "rank 1, dimension 0: owns [9, 18) of 18, boundary padding (0, 1), "
                    "communication padding (1, 0) copies {8}, extent 10\n"),
      reading("A09", "start",
              "May a process other than the first own the first block, like ScaLAPACK's "
              "source process? Yes, with a warning, if the starts are a rotation (C11).",
              where_cyclic)
          .implied(Scope::all_processes)
          .found(warning)
          .reported_as("C10")
          .remedy("Count grid ranks from the process that owns the first block.")
          .conforms(
              file({section("[3]", {cyclic(8, 3, 0, 0)}), section("[3]", {cyclic(8, 3, 1, 1)}),
                    section("[2]", {cyclic(8, 3, 2, 2)})}))
          .breaks(file({section("[2]", {cyclic(8, 3, 0, 2)}), section("[3]", {cyclic(8, 3, 1, 0)}),
                        section("[3]", {cyclic(8, 3, 2, 1)})})),
      reading("A10", "indices",
              "May indices be a plain list, as in the specification's third example? "
              "Yes, with a warning: the indices are copied, the elements of the array "
              "are not.",
              where_unstructured)
          .implied(Scope::process)
          .found(warning)
          .remedy("Pass an integer array.")
          .conforms(single("[3]", unstructured(3, 1, 0, "[2, 0, 1]")))
          .breaks(single("[3]", unstructured(3, 1, 0, "[]").with("indices", "[2, 0, 1]"))),
      reading("A11", "size",
              "What does size mean if indices repeat or leave gaps? The number of "
              "distinct indices along the dimension; any other number is reported as a "
              "warning. Indices need not be below size.",
              where_unstructured)
          .implied(Scope::all_processes_indices)
          .found(warning)
          .reported_as("U11")
          .remedy("Set size to the number of different indices on all processes together.")
          .conforms(single("[3]", unstructured(3, 1, 0, "[20, 0, 10]")))
          .breaks(single("[3]", unstructured(21, 1, 0, "[20, 0, 10]"))),
      reading("A12", "padding",
              "Does an empty section keep its padding? No: its buffer is empty, and "
              "padding other than (0, 0) is reported as a warning.",
              where_constraints)
          .implied(Scope::process)
          .found(warning)
          .remedy("Write (0, 0) on empty sections.")
          .conforms(file({section("[10]", {block(10, 2, 0, 0, 10).with("padding", "[1, 0]")}),
                          section("[0]", {block(10, 2, 1, 10, 10).with("padding", "[0, 0]")})}))
          .breaks(file({section("[10]", {block(10, 2, 0, 0, 10).with("padding", "[1, 0]")}),
                        section("[0]", {block(10, 2, 1, 10, 10).with("padding", "[1, 0]")})})),
      reading("A13", "padding",
              "May communication padding be wider than the range that the neighbour "
              "owns? Under 0.9.x yes, with a warning: the rest is copied from the "
              "processes beyond.",
              where_padding)
          .implied(Scope::all_processes)
          .found(warning)
          .found_in_0_10(error)
          .reported_as("P15")
          .remedy("Give each process at least as many indices as the padding is wide.")
          .conforms(padded_pair())
          .breaks(file({section("[5]", {block(8, 3, 0, 0, 3).with("padding", "[0, 2]")}),
                        section("[5]", {block(8, 3, 1, 3, 4).with("padding", "[2, 2]")}),
                        section("[6]", {block(8, 3, 2, 4, 8).with("padding", "[2, 0]")})})),
  };
}

}  // namespace daptor::rule_table
