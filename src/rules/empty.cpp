// SPDX-License-Identifier: BSD-3-Clause
#include "rules/table.hpp"

namespace daptor::rule_table {
namespace {

/// All ten elements on the first of two processes.
std::string all_on_first(const std::string& second_shape, int stop) {
  return file({section("[10]", {block(10, 2, 0, 0, 10)}),
               section(second_shape, {block(10, 2, 1, 10, stop)})});
}

constexpr const char* all_on_first_meaning =
    "rank 0, dimension 0: owns [0, 10) of 10, extent 10\n"
    "rank 1, dimension 0: owns nothing of 10, extent 0\n";

std::string columns(const std::string& second_shape) {
  return file({section("[4, 3]", {block(4, 2, 0, 0, 4), none(3)}),
               section(second_shape, {block(4, 2, 1, 4, 4), none(3)})});
}

}  // namespace

std::vector<Rule> empty_rules() {
  return {
      permission("E01", "", "A section may be empty; this is not an error.", where_constraints)
          .permitted(Scope::process)
          .conforms(all_on_first("[0]", 10), all_on_first_meaning),
      requirement("E02", "buffer",
                  "A block or cyclic section that starts at size has an empty buffer, with "
                  "or without padding (A12).",
                  where_constraints)
          .stated(Scope::process)
          .found(error)
          .remedy("Pass an empty buffer on that rank.")
          .conforms(all_on_first("[0]", 10))
          .breaks(all_on_first("[1]", 10)),
      requirement("E03", "stop", "A block that starts at size also stops there.", where_constraints)
          .stated(Scope::process)
          .found(error)
          .remedy("Set stop equal to start.")
          .conforms(all_on_first("[0]", 10))
          .breaks(all_on_first("[0]", 8)),
      requirement("E04", "buffer", "An unstructured section without indices has an empty buffer.",
                  where_constraints)
          .implied(Scope::process)
          .found(error)
          .remedy("Pass an empty buffer on that rank.")
          .conforms(file({section("[2]", {unstructured(2, 2, 0, "[1, 0]")}),
                          section("[0]", {unstructured(2, 2, 1, "[]")})}))
          .breaks(file({section("[2]", {unstructured(2, 2, 0, "[1, 0]")}),
                        section("[1]", {unstructured(2, 2, 1, "[]")})})),
      requirement("E05", "size",
                  "If size is 0, every section is empty. Reported as E03 or B08 for a "
                  "block, and as N04 or E02 for a buffer.",
                  where_constraints)
          .implied(Scope::process)
          .found(error)
          .remedy("Give the size of the whole array.")
          .conforms(file(
              {section("[0]", {block(0, 2, 0, 0, 0)}), section("[0]", {block(0, 2, 1, 0, 0)})}))
          .breaks(single("[2]", unstructured(0, 1, 0, "[1, 0]"))),
      requirement("E06", "buffer",
                  "A section that is empty in one dimension has a buffer without elements; "
                  "its other extents should still be those of the section.",
                  where_constraints)
          .implied(Scope::process)
          .found(Severity::warning)
          .remedy("Keep the extents of the other dimensions.")
          .conforms(columns("[0, 3]"))
          .breaks(columns("[0, 5]")),
      advice("E07", "",
             "A process with an empty section takes part in every collective call, "
             "like all others.",
             where_constraints)
          .advisory(Scope::all_processes)
          .conforms(all_on_first("[0]", 10), all_on_first_meaning),
  };
}

}  // namespace daptor::rule_table
