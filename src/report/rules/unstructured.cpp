// SPDX-License-Identifier: BSD-3-Clause
#include "report/rules/table.hpp"

namespace daptor::rule_table {

std::vector<Rule> unstructured_rules() {
  return {
      requirement("U01", "indices", "An unstructured dimension lists its indices.",
                  where_unstructured)
          .stated(Scope::process)
          .found(error)
          .remedy("Add 'indices', the global index of each local element."),
      requirement("U02", "indices",
                  "The indices are a buffer of integers. A plain list is accepted with a "
                  "warning (A10).",
                  where_unstructured)
          .stated(Scope::process)
          .found(error)
          .remedy("Pass an integer array, for example of NumPy's int64."),
      requirement("U03", "indices", "The indices are a one-dimensional buffer.", where_unstructured)
          .implied(Scope::process)
          .found(error)
          .remedy("Flatten the list."),
      requirement("U04", "indices",
                  "No index appears twice in the list of one process (a warning where the list "
                  "says which of its elements are owned, since the others are copies).",
                  where_unstructured)
          .stated(Scope::process_indices)
          .found(error)
          .remedy("Store each element once on each process."),
      permission("U05", "indices",
                 "Apart from that, indices are free: they may be negative, equal to size "
                 "or greater, in any order, with gaps.",
                 where_unstructured)
          .permitted(Scope::process),
      requirement("U06", "buffer",
                  "Along an unstructured dimension the buffer has one element for each "
                  "index, in the order of the list.",
                  where_unstructured)
          .implied(Scope::process)
          .found(error)
          .remedy("List all indices of this process, including ghosts."),
      requirement("U07", "one_to_one",
                  "The flag one_to_one may be absent, which means False; if present it is a "
                  "bool.",
                  where_unstructured)
          .stated(Scope::process)
          .found(error)
          .remedy("Write True or False, not 1 or 0."),
      permission("U08", "one_to_one",
                 "Without one_to_one an index may be on two or more processes.", where_unstructured)
          .permitted(Scope::all_processes),
      requirement("U09", "one_to_one",
                  "If one_to_one is True, every index is on exactly one process of the "
                  "dimension (U13).",
                  where_unstructured)
          .stated(Scope::all_processes_indices)
          .found(error)
          .remedy("Leave the flag out if processes share indices."),
      requirement("U10", "one_to_one", "The flag one_to_one is the same on all processes.",
                  where_unstructured)
          .implied(Scope::all_processes)
          .found(error)
          .remedy("Set the flag to the same value on all ranks."),
      requirement("U11", "size",
                  "The size is the number of distinct indices on all processes (A11).",
                  where_unstructured)
          .implied(Scope::all_processes_indices)
          .found(Severity::warning)
          .remedy("Set size to the number of different indices on all processes together."),
      requirement("U12", "indices",
                  "In an array of several dimensions, processes with the same grid rank in "
                  "the unstructured one list the same indices in the same order.",
                  where_unstructured)
          .implied(Scope::all_processes_indices)
          .found(error)
          .remedy("List the indices in the same order on all ranks that share them."),
      definition("U13", "one_to_one",
                 "That an index is on exactly one process is meant along its dimension: in "
                 "an array of several dimensions, all processes with the same grid rank "
                 "list it, because their sections share it.",
                 where_unstructured)
          .implied(Scope::all_processes),
  };
}

}  // namespace daptor::rule_table
