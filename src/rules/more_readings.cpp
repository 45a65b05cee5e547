// SPDX-License-Identifier: BSD-3-Clause
#include "rules/table.hpp"

namespace daptor::rule_table {
namespace {

/// A 4 x 4 array on a 2 x 2 grid, every section with one row and one column of copies.
Object haloed(int row, int column) {
  const auto part = [](int rank) {
    return block(4, 2, rank, 2 * rank, 2 * rank + 2)
        .with("padding", rank == 0 ? "[0, 1]" : "[1, 0]");
  };
  return section("[3, 3]", {part(row), part(column)});
}

/// A 4 x 4 array on a 2 x 2 grid; `height` rows on the first row of the grid.
Object tile(int row, int column, int height) {
  const int start = row == 0 ? 0 : height;
  const int stop = row == 0 ? height : 4;
  return section("[" + std::to_string(stop - start) + ", 2]",
                 {block(4, 2, row, start, stop), block(4, 2, column, 2 * column, 2 * column + 2)});
}

Object edged(int row, int column, const std::string& padding) {
  return section("[2, 2]", {block(4, 2, row, 2 * row, 2 * row + 2).with("padding", padding),
                            block(4, 2, column, 2 * column, 2 * column + 2)});
}

/// Three elements on five processes.
std::string surplus(int last_start) {
  return file({section("[1]", {cyclic(3, 5, 0, 0)}), section("[1]", {cyclic(3, 5, 1, 1)}),
               section("[1]", {cyclic(3, 5, 2, 2)}), section("[0]", {cyclic(3, 5, 3, 3)}),
               section("[0]", {cyclic(3, 5, 4, last_start)})});
}

std::string versioned(const char* version) {
  return file({section("[5]", {half(0)}).with("__version__", version),
               section("[5]", {half(1)}).with("__version__", version)});
}

Object with_buffer(const char* buffer, const std::vector<Object>& dimensions) {
  return section("[]", dimensions).with("buffer", buffer);
}

constexpr const char* haloed_meaning =
    "rank 0, dimension 0: owns [0, 2) of 4, communication padding (0, 1) copies {2}, extent 3\n"
    "rank 0, dimension 1: owns [0, 2) of 4, communication padding (0, 1) copies {2}, extent 3\n"
    "rank 1, dimension 0: owns [0, 2) of 4, communication padding (0, 1) copies {2}, extent 3\n"
    "rank 1, dimension 1: owns [2, 4) of 4, communication padding (1, 0) copies {1}, extent 3\n"
    "rank 2, dimension 0: owns [2, 4) of 4, communication padding (1, 0) copies {1}, extent 3\n"
    "rank 2, dimension 1: owns [0, 2) of 4, communication padding (0, 1) copies {2}, extent 3\n"
    "rank 3, dimension 0: owns [2, 4) of 4, communication padding (1, 0) copies {1}, extent 3\n"
    "rank 3, dimension 1: owns [2, 4) of 4, communication padding (1, 0) copies {1}, extent 3\n";

}  // namespace

std::vector<Rule> more_reading_rules() {
  return {
      reading("A14", "periodic",
              "Who are the neighbours in a periodic dimension of two processes? The "
              "other process, on both sides: it counts as two neighbours, and lower and "
              "upper padding are updated separately. A dimension on one process is its "
              "own neighbour.",
              where_padding)
          .implied(Scope::all_processes)
          .conforms(
              file({section("[8]", {half(0).with("periodic", "true").with("padding", "[1, 2]")}),
                    section("[8]", {half(1).with("periodic", "true").with("padding", "[2, 1]")})}),
              "rank 0, dimension 0: owns [0, 5) of 10, communication padding (1, 2) copies "
              "{9} and {5, 6}, periodic, extent 8\n"
              "rank 1, dimension 0: owns [5, 10) of 10, communication padding (2, 1) copies "
              "{3, 4} and {0}, periodic, extent 8\n"),
      reading("A15", "padding",
              "What do the corners contain, where the padding of two dimensions meets? "
              "The memory exists; whether an update fills it is the consumer's choice "
              "(box or star stencil).",
              where_padding)
          .implied(Scope::process)
          .conforms(file({haloed(0, 0), haloed(0, 1), haloed(1, 0), haloed(1, 1)}), haloed_meaning),
      reading("A16", "buffer",
              "In which order are the elements stored in memory? As the buffer's "
              "strides say; row-major if it has none.",
              where_exporting)
          .implied(Scope::process)
          .conforms(file({with_buffer("{\"dtype\": \"<f8\", \"shape\": [2, 3], \"strides\": "
                                      "[8, 16]}",
                                      {none(2), none(3)})}),
                    "rank 0, dimension 0: owns [0, 2) of 2, extent 2\n"
                    "rank 0, dimension 1: owns [0, 3) of 3, extent 3\n"),
      reading("A17", "buffer",
              "May the buffer be strided, reversed or read-only? Everything that PEP "
              "3118 allows conforms; a target that cannot hold it without a copy "
              "refuses it.",
              where_exporting)
          .implied(Scope::process)
          .conforms(file({with_buffer("{\"dtype\": \"<f8\", \"shape\": [5], \"strides\": [-16], "
                                      "\"readonly\": true}",
                                      {none(5)})}),
                    "rank 0, dimension 0: owns [0, 5) of 5, extent 5\n"),
      reading("A18", "",
              "Which communicator belongs to an array? It is not in the dictionary, but "
              "passed beside it. A sub-communicator is allowed; a rank outside the "
              "process grid is an error.",
              where_required)
          .implied(Scope::process_and_grid)
          .found(error)
          .reported_as("D14")
          .remedy("Pass the communicator that the array is distributed over.")
          .conforms(halves())
          .breaks(file(
              {section("[5]", {half(0)}), section("[5]", {half(1)}), section("[5]", {half(0)})})),
      reading("A19", "one_to_one",
              "Can an array be replicated? Only as an unstructured array without "
              "one_to_one.",
              where_unstructured)
          .implied(Scope::all_processes)
          .conforms(file({section("[3]", {unstructured(3, 2, 0, "[0, 1, 2]")}),
                          section("[3]", {unstructured(3, 2, 1, "[0, 1, 2]")})}),
                    "rank 0, dimension 0: owns {0, 1, 2} of 3, extent 3\n"
                    "rank 1, dimension 0: owns {0, 1, 2} of 3, extent 3\n"),
      reading("A20", "",
              "Must processes with the same grid rank in a dimension describe it in the "
              "same way under 0.9.x too? Yes: otherwise the sections would not tile the "
              "array.",
              where_required)
          .implied(Scope::all_processes)
          .found(error)
          .reported_as("D22")
          .remedy("Divide the array along whole lines of the process grid.")
          .conforms(file({tile(0, 0, 1), tile(0, 1, 1), tile(1, 0, 1), tile(1, 1, 1)}))
          .breaks(file({tile(0, 0, 1), tile(0, 1, 2), tile(1, 0, 1), tile(1, 1, 2)})),
      reading("A21", "padding",
              "May padding differ between processes with the same grid rank? 0.10.x allows it; "
              "under 0.9.x it is a warning.",
              where_padding)
          .implied(Scope::all_processes)
          .found(warning)
          .not_in_0_10()
          .remedy("Use the same width along each line of the grid.")
          .conforms(file({edged(0, 0, "[1, 0]"), edged(0, 1, "[1, 0]"), edged(1, 0, "[0, 0]"),
                          edged(1, 1, "[0, 0]")}))
          .breaks(file({edged(0, 0, "[1, 0]"), edged(0, 1, "[0, 0]"), edged(1, 0, "[0, 0]"),
                        edged(1, 1, "[0, 0]")})),
      reading("A22", "one_to_one",
              "May an array with an index on several processes be a solver's vector? It "
              "conforms, and can be sent and received; but a norm would count an "
              "element twice, so solvers refuse it.",
              where_unstructured)
          .implied(Scope::all_processes)
          .conforms(file({section("[2]", {unstructured(3, 2, 0, "[0, 1]")}),
                          section("[2]", {unstructured(3, 2, 1, "[1, 2]")})}),
                    "rank 0, dimension 0: owns {0, 1} of 3, extent 2\n"
                    "rank 1, dimension 0: owns {1, 2} of 3, extent 2\n"),
      reading("A23", "start",
              "Where does a cyclic process start that owns no element? At size. The "
              "value that it would have if there were more elements, proc_grid_rank * "
              "block_size, is accepted with a warning if it is above size.",
              where_cyclic)
          .implied(Scope::process)
          .found(warning)
          .reported_as("C03")
          .remedy("Set start to size on a process without elements.")
          .conforms(surplus(3),
                    "rank 0, dimension 0: owns {0} of 3, extent 1\n"
                    "rank 1, dimension 0: owns {1} of 3, extent 1\n"
                    "rank 2, dimension 0: owns {2} of 3, extent 1\n"
                    "rank 3, dimension 0: owns nothing of 3, extent 0\n"
                    "rank 4, dimension 0: owns nothing of 3, extent 0\n")
          .breaks(surplus(4)),
      reading("A24", "__version__",
              "Which strings are versions? Three numbers joined by dots; a suffix as in "
              "PEP 440 is a warning, fewer parts are an error (T06).",
              where_exporting)
          .implied(Scope::process)
          .found(warning)
          .remedy("Write only the three numbers.")
          .conforms(halves())
          .breaks(versioned("\"0.9.0rc1\"")),
      reading("A25", "buffer",
              "How long does the buffer live? As long as anybody holds the description "
              "or an object made from it: in Python by its buffer lock, in C and C++ by "
              "the handle that comes with the description.",
              where_exporting)
          .implied(Scope::process)
          .conforms(halves(),
                    "rank 0, dimension 0: owns [0, 5) of 10, extent 5\n"
                    "rank 1, dimension 0: owns [5, 10) of 10, extent 5\n"),
      reading("A26", "buffer",
              "Which element types are allowed? PEP 3118 also has text, objects, "
              "pointers and records, and the protocol excludes none of them. Daptor "
              "holds booleans, integers, floating and complex numbers; an array of any "
              "other type is unsupported, not malformed. A string that is no element "
              "type at all breaks T09.",
              where_exporting)
          .implied(Scope::process)
          .found(error)
          .remedy("Export numbers: each field of a record can be an array of its own, with "
                  "the size of the record as its stride.")
          .conforms(halves())
          .breaks(file({with_buffer("{\"dtype\": \"<U4\", \"shape\": [5]}", {half(0)}),
                        section("[5]", {half(1)})}),
                  Verdict::unsupported, {"A26"}),
  };
}

}  // namespace daptor::rule_table
