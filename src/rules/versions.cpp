// SPDX-License-Identifier: BSD-3-Clause
#include "rules/table.hpp"

namespace daptor::rule_table {
namespace {

constexpr const char* halves_meaning =
    "rank 0, dimension 0: owns [0, 5) of 10, extent 5\n"
    "rank 1, dimension 0: owns [5, 10) of 10, extent 5\n";
constexpr const char* padded_meaning =
    "rank 0, dimension 0: owns [0, 9) of 18, boundary padding (1, 0), communication padding (0, 1) "
    "copies {9}, extent 10\n"
    "rank 1, dimension 0: owns [9, 18) of 18, boundary padding (0, 1), communication padding "
    "(1, 0) copies {8}, extent 10\n";

std::string whole(const std::string& shape, const Object& dimension) {
  return single(shape, dimension);
}

std::string rows() {
  return file({section("[1, 10]", {block(2, 2, 0, 0, 1), block(10, 1, 0, 0, 10)}),
               section("[1, 10]", {block(2, 2, 1, 1, 2), block(10, 1, 0, 0, 10)})});
}
constexpr const char* rows_meaning =
    "rank 0, dimension 0: owns [0, 1) of 2, extent 1\n"
    "rank 0, dimension 1: owns [0, 10) of 10, extent 10\n"
    "rank 1, dimension 0: owns [1, 2) of 2, extent 1\n"
    "rank 1, dimension 1: owns [0, 10) of 10, extent 10\n";

std::string empty_first() {
  return file({section("[0]", {block(10, 2, 0, 0, 0)}), section("[10]", {block(10, 2, 1, 0, 10)})});
}
constexpr const char* empty_first_meaning =
    "rank 0, dimension 0: owns nothing of 10, extent 0\n"
    "rank 1, dimension 0: owns [0, 10) of 10, extent 10\n";

std::string empty_last() {
  return file(
      {section("[10]", {block(10, 2, 0, 0, 10)}), section("[0]", {block(10, 2, 1, 10, 10)})});
}
constexpr const char* empty_last_meaning =
    "rank 0, dimension 0: owns [0, 10) of 10, extent 10\n"
    "rank 1, dimension 0: owns nothing of 10, extent 0\n";

/// Periodic, padded, sections of six elements.
std::string ring() {
  const auto part = [](int rank) {
    return block(10, 2, rank, 4 * rank, 4 * rank + 6)
        .with("periodic", "true")
        .with("padding", "[1, 1]");
  };
  return file({section("[6]", {part(0)}), section("[6]", {part(1)})});
}

std::string self_ring(const std::string& shape) {
  return whole(shape, block(10, 1, 0, 0, 10).with("periodic", "true").with("padding", "[2, 2]"));
}

std::string unequal_widths() {
  return file({section("[7]", {half(0).with("padding", "[0, 2]")}),
               section("[6]", {half(1).with("padding", "[1, 0]")})});
}
std::string unequal_widths_0_10() {
  return file({section("[7]", {block(10, 2, 0, 0, 7).with("padding", "[0, 2]")}),
               section("[6]", {block(10, 2, 1, 4, 10).with("padding", "[1, 0]")})});
}

std::string periodic_cyclic() {
  return file({section("[4]", {cyclic(8, 2, 0, 0).with("periodic", "true")}),
               section("[4]", {cyclic(8, 2, 1, 1).with("periodic", "true")})});
}
constexpr const char* periodic_cyclic_meaning =
    "rank 0, dimension 0: owns {0, 2, 4, 6} of 8, periodic, extent 4\n"
    "rank 1, dimension 0: owns {1, 3, 5, 7} of 8, periodic, extent 4\n";

std::string flat() {
  return file({section("[10]", {block(2, 2, 0, 0, 1), block(10, 1, 0, 0, 10)}),
               section("[10]", {block(2, 2, 1, 1, 2), block(10, 1, 0, 0, 10)})});
}

std::string short_last_block() {
  return file({section("[4]", {cyclic(7, 2, 0, 0).with("block_size", 2)}),
               section("[3]", {cyclic(7, 2, 1, 2).with("block_size", 2)})});
}
constexpr const char* short_last_block_meaning =
    "rank 0, dimension 0: owns {0, 1, 4, 5} of 7, extent 4\n"
    "rank 1, dimension 0: owns {2, 3, 6} of 7, extent 3\n";

/// A 4 x 4 array on a 2 x 2 grid whose first process alone has boundary padding.
std::string one_padded_corner() {
  const auto tile = [](int row, int column) {
    return section("[2, 2]", {block(4, 2, row, 2 * row, 2 * row + 2)
                                  .with("padding", row + column == 0 ? "[1, 0]" : "[0, 0]"),
                              block(4, 2, column, 2 * column, 2 * column + 2)});
  };
  return file({tile(0, 0), tile(0, 1), tile(1, 0), tile(1, 1)});
}
constexpr const char* one_padded_corner_meaning =
    "rank 0, dimension 0: owns [0, 2) of 4, boundary padding (1, 0), extent 2\n"
    "rank 0, dimension 1: owns [0, 2) of 4, extent 2\n"
    "rank 1, dimension 0: owns [0, 2) of 4, extent 2\n"
    "rank 1, dimension 1: owns [2, 4) of 4, extent 2\n"
    "rank 2, dimension 0: owns [2, 4) of 4, extent 2\n"
    "rank 2, dimension 1: owns [0, 2) of 4, extent 2\n"
    "rank 3, dimension 0: owns [2, 4) of 4, extent 2\n"
    "rank 3, dimension 1: owns [2, 4) of 4, extent 2\n";

std::string listed() {
  return single("[3]", unstructured(3, 1, 0, "[]").with("indices", "[2, 0, 1]"));
}
constexpr const char* listed_meaning = "rank 0, dimension 0: owns {2, 0, 1} of 3, extent 3\n";

}  // namespace

std::vector<Rule> version_rules() {
  const std::string undistributed = whole("[10]", none(10));
  const std::string alias = whole("[10]", Object({}));
  const std::string one_edge = halves(half(0).with("padding", "[1, 0]"), half(1));
  const std::string one_edge_meaning =
      "rank 0, dimension 0: owns [0, 5) of 10, boundary padding (1, 0), extent 5\n"
      "rank 1, dimension 0: owns [5, 10) of 10, extent 5\n";
  const char* const undistributed_meaning = "rank 0, dimension 0: owns [0, 10) of 10, extent 10\n";
  return {
      difference("V01", "dist_type",
                 "0.9.x writes an undistributed dimension as 'n' with a size. 0.10.x has "
                 "no 'n' (Daptor accepts it with a warning): such a dimension is an empty "
                 "dictionary, whose size is the buffer's extent, or a block on one "
                 "process.")
          .stated(Scope::process)
          .found_in_0_10(warning)
          .remedy("Under 0.10.x write {}, or 'b' with proc_grid_size 1.")
          .under_0_9(undistributed, undistributed_meaning)
          .under_0_10(undistributed, undistributed_meaning, {"V01"})
          .refused_by_0_9(alias, {"D01", "D06"})
          .under_0_10(alias, undistributed_meaning),
      difference("V02", "proc_grid_size",
                 "0.9.x multiplies the grid sizes of the distributed dimensions, 0.10.x "
                 "those of all dimensions; an undistributed dimension counts as 1, so both "
                 "give the same number (D14).")
          .stated(Scope::process_and_grid)
          .under_0_9(rows(), rows_meaning)
          .under_0_10(rows(), rows_meaning),
      difference("V03", "proc_grid_rank",
                 "0.10.x states that the grid rank is in [0, proc_grid_size); Daptor "
                 "requires it under both (D18).")
          .stated(Scope::process)
          .found(error)
          .reported_as("D18")
          .remedy("Count grid ranks from 0, in each dimension separately.")
          .refused_by_0_9(halves(half(0), half(1).with("proc_grid_rank", 2)), {"D18"})
          .refused_by_0_10(halves(half(0), half(1).with("proc_grid_rank", 2)), {"D18"}),
      difference("V04", "proc_grid_rank",
                 "0.9.x refers to MPI for the order of the ranks on the grid, 0.10.x "
                 "states row-major order; both mean the same (D20).")
          .stated(Scope::process_and_grid)
          .found(warning)
          .reported_as("D20")
          .remedy("Order the communicator by grid position.")
          .under_0_9(halves(half(1), half(0)),
                     "rank 0, dimension 0: owns [5, 10) of 10, extent 5\n"
                     "rank 1, dimension 0: owns [0, 5) of 10, extent 5\n",
                     {"D20"})
          .under_0_10(halves(half(1), half(0)),
                      "rank 0, dimension 0: owns [5, 10) of 10, extent 5\n"
                      "rank 1, dimension 0: owns [0, 5) of 10, extent 5\n",
                      {"D20"}),
      difference("V05", "start, stop",
                 "The range [start, stop) excludes communication padding under 0.9.x. "
                 "Under 0.10.x it includes it, and its length is the buffer's extent.")
          .stated(Scope::process)
          .found_in_0_10(error)
          .remedy("Under 0.10.x subtract the lower communication padding from start, and "
                  "add the upper one to stop.")
          .under_0_9(padded_pair(), padded_meaning)
          .refused_by_0_10(padded_pair(), {"P13"})
          .refused_by_0_10(file({section("[2]", {block(3, 2, 0, 0, 2).with("padding", "[0, 3]")}),
                                 section("[1]", {block(3, 2, 1, 2, 3).with("padding", "[0, 0]")})}),
                           {"V05"}),
      difference("V06", "start, stop",
                 "Under 0.9.x the ranges of neighbours are adjacent. Under 0.10.x they "
                 "overlap by the communication padding.")
          .stated(Scope::all_processes)
          .refused_by_0_9(
              file({section("[10]", {padded_0_10(0)}), section("[10]", {padded_0_10(1)})}), {"P13"})
          .under_0_10(padded_pair_0_10(), padded_meaning),
      difference("V07", "stop",
                 "0.10.x states that stop is at most size, and that a block may be empty "
                 "anywhere; under 0.9.x the latter is a warning (B06).")
          .stated(Scope::process)
          .found(warning)
          .not_in_0_10()
          .reported_as("B06")
          .remedy("Let empty sections start at size if their order on the grid permits.")
          .under_0_9(empty_first(), empty_first_meaning, {"B06"})
          .under_0_10(empty_first(), empty_first_meaning),
      difference("V08", "padding",
                 "Under 0.9.x either all processes have the padding key or none (P06). "
                 "Under 0.10.x a missing key means (0, 0) on that process.")
          .stated(Scope::all_processes)
          .found(error)
          .not_in_0_10()
          .reported_as("P06")
          .remedy("Under 0.9.x write (0, 0) on processes without padding.")
          .refused_by_0_9(one_edge, {"P06"})
          .under_0_10(one_edge, one_edge_meaning),
      difference("V09", "padding",
                 "Under 0.9.x the padding of a periodic dimension is communication padding "
                 "on every edge. Under 0.10.x it is boundary padding on an external edge, "
                 "inside size, whatever periodic says; Daptor warns about it.")
          .stated(Scope::process)
          .found_in_0_10(warning)
          .remedy("Describe a periodic halo in version 0.9.0.")
          .refused_by_0_9(ring(), {"P13"})
          .under_0_10(ring(),
                      "rank 0, dimension 0: owns [0, 5) of 10, boundary padding (1, 0), "
                      "communication padding (0, 1) copies {5}, periodic, extent 6\n"
                      "rank 1, dimension 0: owns [5, 10) of 10, boundary padding (0, 1), "
                      "communication padding (1, 0) copies {4}, periodic, extent 6\n",
                      {"V09"}),
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
                  "version 0.9.0.")
          .under_0_9(unequal_widths(),
                     "rank 0, dimension 0: owns [0, 5) of 10, communication padding (0, 2) copies "
                     "{5, 6}, extent 7\n"
                     "rank 1, dimension 0: owns [5, 10) of 10, communication padding (1, 0) copies "
                     "{4}, extent 6\n",
                     {"P16"})
          .refused_by_0_10(unequal_widths_0_10(), {"P16"}),
      difference("V11", "periodic",
                 "Under 0.9.x any dimension may have the flag, under 0.10.x only a block. "
                 "Where it has no effect Daptor adds a note (C15).")
          .stated(Scope::process)
          .found(note)
          .reported_as("C15")
          .remedy("Leave the key out.")
          .under_0_9(periodic_cyclic(), periodic_cyclic_meaning, {"C15"})
          .under_0_10(periodic_cyclic(), periodic_cyclic_meaning, {"C15"}),
      difference("V12", "dim_data",
                 "0.10.x states that there are as many dictionaries as the buffer has "
                 "dimensions; under 0.9.x a flat buffer is accepted where it is "
                 "unambiguous (A03).")
          .stated(Scope::process)
          .found(warning)
          .found_in_0_10(error)
          .reported_as("A03, T15")
          .remedy("Reshape the buffer to the shape of the section; this needs no copy.")
          .under_0_9(flat(), rows_meaning, {"A03"})
          .refused_by_0_10(flat(), {"T15"}),
      difference("V13", "size",
                 "0.10.x defines size as the sum of what the processes own, but the "
                 "program in its text miscounts a short last cyclic block. Daptor follows "
                 "the text, under both versions.")
          .stated(Scope::all_processes)
          .under_0_9(short_last_block(), short_last_block_meaning)
          .under_0_10(short_last_block(), short_last_block_meaning),
      difference("V14", "",
                 "0.10.x states that processes with the same grid rank have the same "
                 "dictionary, except for padding. 0.9.x means the same (D22), but "
                 "different padding is a warning there (A21).")
          .stated(Scope::all_processes)
          .found(warning)
          .not_in_0_10()
          .reported_as("A21")
          .remedy("Use the same width along each line of the grid.")
          .under_0_9(one_padded_corner(), one_padded_corner_meaning, {"A21"})
          .under_0_10(one_padded_corner(), one_padded_corner_meaning),
      difference("V15", "",
                 "0.9.x calls a section empty that starts at size. 0.10.x lists all cases: "
                 "size 0, start equal to size, start equal to stop, no indices.")
          .stated(Scope::process)
          .under_0_9(empty_last(), empty_last_meaning)
          .under_0_10(empty_last(), empty_last_meaning),
      difference("V16", "indices",
                 "0.9.x requires a buffer but shows a list, 0.10.x shows arrays. Under "
                 "both Daptor accepts a list with a warning (A10).")
          .stated(Scope::process)
          .found(warning)
          .reported_as("A10")
          .remedy("Pass an integer array.")
          .under_0_9(listed(), listed_meaning, {"A10"})
          .under_0_10(listed(), listed_meaning, {"A10"}),
      difference("V17", "",
                 "A process is an MPI process under 0.9.x, and any process numbered from 0 "
                 "under 0.10.x. Daptor reads both as the ranks of a communicator.")
          .stated(Scope::process_and_grid)
          .under_0_9(halves(), halves_meaning)
          .under_0_10(halves(), halves_meaning),
      difference("V18", "periodic",
                 "Communication padding on an external edge, as a periodic dimension of "
                 "0.9.x has it, cannot be expressed in 0.10.x: the conversion is refused.")
          .implied(Scope::process)
          .remedy("Keep the array in version 0.9.0.")
          .under_0_9(self_ring("[14]"),
                     "rank 0, dimension 0: owns [0, 10) of 10, communication padding (2, 2) copies "
                     "{8, 9} and {0, 1}, periodic, extent 14\n")
          .refused_by_0_10(self_ring("[14]"), {"P13", "V09"})
          .refused_by_0_9(self_ring("[10]"), {"P13"})
          .under_0_10(self_ring("[10]"),
                      "rank 0, dimension 0: owns [0, 10) of 10, boundary padding (2, 2), periodic, "
                      "extent 10\n",
                      {"V09"}),
  };
}

}  // namespace daptor::rule_table
