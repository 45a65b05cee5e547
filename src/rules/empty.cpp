// SPDX-License-Identifier: BSD-3-Clause
#include "rules/table.hpp"

namespace daptor::rule_table {

std::vector<Rule> empty_rules() {
  return {
      permission("E01", "", "A section may be empty; that is no error.", where_constraints)
          .permitted(Scope::process),
      requirement("E02", "buffer",
                  "A block or cyclic section that starts at size has an empty buffer, padding or "
                  "not (A12).",
                  where_constraints)
          .stated(Scope::process)
          .found(error)
          .remedy("Pass an empty buffer on that rank."),
      requirement("E03", "stop", "A block that starts at size stops there too.", where_constraints)
          .stated(Scope::process)
          .found(error)
          .remedy("Write stop equal to start."),
      requirement("E04", "buffer", "An unstructured section without indices has an empty buffer.",
                  where_constraints)
          .implied(Scope::process)
          .found(error)
          .remedy("Pass an empty buffer on that rank."),
      requirement("E05", "size",
                  "Where size is 0 every section is empty. Of a block E03 or B08 is reported, of "
                  "a buffer N04 or E02.",
                  where_constraints)
          .implied(Scope::process)
          .found(error)
          .remedy("Give the size of the whole array."),
      requirement("E06", "buffer",
                  "A section that is empty in one dimension has a buffer without elements; its "
                  "other extents should still be those of the section.",
                  where_constraints)
          .implied(Scope::process)
          .found(Severity::warning)
          .remedy("Keep the extents of the dimensions that are not empty."),
      advice("E07", "",
             "A process with an empty section takes part in everything collective, like all "
             "others.",
             where_constraints)
          .advisory(Scope::all_processes),
  };
}

}  // namespace daptor::rule_table
