// SPDX-License-Identifier: BSD-3-Clause
#include "report/rules/table.hpp"

namespace daptor::rule_table {

std::vector<Rule> empty_rules() {
  return {
      permission("E01", "", "A section may be empty; this is not an error.", where_constraints)
          .permitted(Scope::process),
      requirement("E02", "buffer",
                  "A block or cyclic section that starts at size has an empty buffer, with "
                  "or without padding (A12).",
                  where_constraints)
          .stated(Scope::process)
          .found(error)
          .remedy("Pass an empty buffer on that rank."),
      requirement("E03", "stop", "A block that starts at size also stops there.", where_constraints)
          .stated(Scope::process)
          .found(error)
          .remedy("Set stop equal to start."),
      requirement("E04", "buffer", "An unstructured section without indices has an empty buffer.",
                  where_constraints)
          .implied(Scope::process)
          .found(error)
          .remedy("Pass an empty buffer on that rank."),
      requirement("E05", "size",
                  "If size is 0, every section is empty. Reported as E03 or B08 for a "
                  "block, and as N04 or E02 for a buffer.",
                  where_constraints)
          .implied(Scope::process)
          .found(error)
          .remedy("Give the size of the whole array."),
      requirement("E06", "buffer",
                  "A section that is empty in one dimension has a buffer without elements; "
                  "its other extents should still be those of the section.",
                  where_constraints)
          .implied(Scope::process)
          .found(Severity::warning)
          .remedy("Keep the extents of the other dimensions."),
      advice("E07", "",
             "A process with an empty section takes part in every collective call, "
             "like all others.",
             where_constraints)
          .advisory(Scope::all_processes),
  };
}

}  // namespace daptor::rule_table
