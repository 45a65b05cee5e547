// SPDX-License-Identifier: BSD-3-Clause
#include "rules/table.hpp"

namespace daptor::rule_table {
namespace {

/// Five elements on two processes: the first lists [3, 0, 4], the second the other two.
Object scattered(int rank) {
  return unstructured(5, 2, rank, rank == 0 ? "[3, 0, 4]" : "[2, 1]");
}
std::string five(const Object& first) {
  return file({section("[3]", {first}), section("[2]", {scattered(1)})});
}
std::string five() {
  return five(scattered(0));
}

/// Two lists that share index 2.
std::string overlapping(int size, const char* one_to_one) {
  const Object first = unstructured(size, 2, 0, "[0, 1, 2]").with("one_to_one", one_to_one);
  const Object second = unstructured(size, 2, 1, "[2, 3, 4]").with("one_to_one", one_to_one);
  return file({section("[3]", {first}), section("[3]", {second})});
}

/// A 4 x 4 array on a 2 x 2 grid: rows unstructured, columns in blocks.
Object tile(int row, int column, const std::string& indices) {
  return section("[2, 2]", {unstructured(4, 2, row, indices).with("one_to_one", "true"),
                            block(4, 2, column, 2 * column, 2 * column + 2)});
}
std::string tiles(const std::string& second_of_first_row) {
  return file({tile(0, 0, "[0, 2]"), tile(0, 1, second_of_first_row), tile(1, 0, "[3, 1]"),
               tile(1, 1, "[3, 1]")});
}

}  // namespace

std::vector<Rule> unstructured_rules() {
  return {
      requirement("U01", "indices", "An unstructured dimension lists its indices.",
                  where_unstructured)
          .stated(Scope::process)
          .found(error)
          .remedy("Add 'indices', the global index of each local element.")
          .conforms(five())
          .breaks(five(scattered(0).without("indices"))),
      requirement("U02", "indices",
                  "The indices are a buffer of integers. A plain list is accepted with a warning "
                  "(A10).",
                  where_unstructured)
          .stated(Scope::process)
          .found(error)
          .remedy("Pass an integer array, for example of NumPy's int64.")
          .conforms(five())
          .breaks(five(unstructured(5, 2, 0, "[3, 0.5, 4]"))),
      requirement("U03", "indices", "The indices are a one-dimensional buffer.", where_unstructured)
          .implied(Scope::process)
          .found(error)
          .remedy("Flatten the list.")
          .conforms(five())
          .breaks(five(unstructured(5, 2, 0, "[[3, 0, 4]]"))),
      requirement("U04", "indices", "No index appears twice in the list of one process.",
                  where_unstructured)
          .stated(Scope::process_indices)
          .found(error)
          .remedy("Store each element once on each process.")
          .conforms(five())
          .breaks(file({section("[3]", {unstructured(4, 2, 0, "[3, 0, 3]")}),
                        section("[2]", {unstructured(4, 2, 1, "[2, 1]")})})),
      permission("U05", "indices",
                 "Apart from that, indices are free: they may be negative, equal to size "
                 "or greater, in any order, with gaps.",
                 where_unstructured)
          .permitted(Scope::process)
          .conforms(single("[4]", unstructured(4, 1, 0, "[12, -3, 100, 7]")),
                    "rank 0, dimension 0: owns {12, -3, 100, 7} of 4, extent 4\n"),
      requirement("U06", "buffer",
                  "Along an unstructured dimension the buffer has one element for each index, in "
                  "the order of the list.",
                  where_unstructured)
          .implied(Scope::process)
          .found(error)
          .remedy("List all indices of this process, including ghosts.")
          .conforms(five())
          .breaks(file({section("[4]", {scattered(0)}), section("[2]", {scattered(1)})})),
      requirement("U07", "one_to_one",
                  "The flag one_to_one may be absent, which means False; if present it is a bool.",
                  where_unstructured)
          .stated(Scope::process)
          .found(error)
          .remedy("Write True or False, not 1 or 0.")
          .conforms(five())
          .breaks(five(scattered(0).with("one_to_one", 1))),
      permission("U08", "one_to_one",
                 "Without one_to_one an index may be on two or more processes.", where_unstructured)
          .permitted(Scope::all_processes)
          .conforms(overlapping(5, "false"),
                    "rank 0, dimension 0: owns {0, 1, 2} of 5, extent 3\n"
                    "rank 1, dimension 0: owns {2, 3, 4} of 5, extent 3\n"),
      requirement("U09", "one_to_one",
                  "If one_to_one is True, every index is on exactly one process of the "
                  "dimension (U13).",
                  where_unstructured)
          .stated(Scope::all_processes_indices)
          .found(error)
          .remedy("Leave the flag out if processes share indices.")
          .conforms(file({section("[3]", {scattered(0).with("one_to_one", "true")}),
                          section("[2]", {scattered(1).with("one_to_one", "true")})}))
          .breaks(overlapping(5, "true")),
      requirement("U10", "one_to_one", "The flag one_to_one is the same on all processes.",
                  where_unstructured)
          .implied(Scope::all_processes)
          .found(error)
          .remedy("Set the flag to the same value on all ranks.")
          .conforms(five())
          .breaks(five(scattered(0).with("one_to_one", "true"))),
      requirement("U11", "size",
                  "The size is the number of distinct indices on all processes (A11).",
                  where_unstructured)
          .implied(Scope::all_processes_indices)
          .found(Severity::warning)
          .remedy("Set size to the number of different indices on all processes together.")
          .conforms(overlapping(5, "false"))
          .breaks(overlapping(6, "false")),
      requirement("U12", "indices",
                  "In an array of several dimensions, processes with the same grid rank in the "
                  "unstructured one list the same indices in the same order.",
                  where_unstructured)
          .implied(Scope::all_processes_indices)
          .found(error)
          .remedy("List the indices in the same order on all ranks that share them.")
          .conforms(tiles("[0, 2]"))
          .breaks(tiles("[2, 0]")),
      definition("U13", "one_to_one",
                 "That an index is on exactly one process is meant along its dimension: in "
                 "an array of several dimensions, all processes with the same grid rank "
                 "list it, because their sections share it.",
                 where_unstructured)
          .implied(Scope::all_processes)
          .conforms(tiles("[0, 2]"),
                    "rank 0, dimension 0: owns {0, 2} of 4, extent 2\n"
                    "rank 0, dimension 1: owns [0, 2) of 4, extent 2\n"
                    "rank 1, dimension 0: owns {0, 2} of 4, extent 2\n"
                    "rank 1, dimension 1: owns [2, 4) of 4, extent 2\n"
                    "rank 2, dimension 0: owns {3, 1} of 4, extent 2\n"
                    "rank 2, dimension 1: owns [0, 2) of 4, extent 2\n"
                    "rank 3, dimension 0: owns {3, 1} of 4, extent 2\n"
                    "rank 3, dimension 1: owns [2, 4) of 4, extent 2\n"),
  };
}

}  // namespace daptor::rule_table
