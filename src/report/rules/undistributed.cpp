// SPDX-License-Identifier: BSD-3-Clause
#include "report/rules/table.hpp"

namespace daptor::rule_table {

std::vector<Rule> undistributed_rules() {
  return {
      definition("N01", "dist_type",
                 "An undistributed dimension lies whole on the process, which has all "
                 "indices [0, size).",
                 where_dictionaries)
          .stated(Scope::process),
      requirement("N02", "padding",
                  "An undistributed dimension may have padding, in the same form as a "
                  "block.",
                  where_undistributed)
          .stated(Scope::process)
          .found(error)
          .reported_as("P02, P03")
          .remedy("Write a tuple of two integers of zero or more."),
      definition("N03", "padding",
                 "Both ends of an undistributed dimension are external edges: its padding "
                 "is boundary padding inside size; if the dimension is periodic, it is "
                 "communication padding outside size, and the dimension is its own "
                 "neighbour (A06).",
                 where_padding)
          .implied(Scope::process),
      requirement("N04", "buffer",
                  "Along an undistributed dimension the buffer has size elements, plus the "
                  "padding if the dimension is periodic.",
                  where_undistributed)
          .implied(Scope::process)
          .found(error)
          .remedy("Describe the memory as it is: its extent is made up of size and padding."),
      requirement("N05", "dist_type",
                  "An array without a distributed dimension lives on one process: on "
                  "several, each would hold a copy, which the protocol cannot express "
                  "(A19).",
                  where_required)
          .implied(Scope::process_and_grid)
          .found(error)
          .reported_as("D14")
          .remedy("Distribute a dimension, or describe the copies as 'u' with one_to_one "
                  "False."),
  };
}

}  // namespace daptor::rule_table
