// SPDX-License-Identifier: BSD-3-Clause
#include "rules/table.hpp"

namespace daptor::rule_table {
std::vector<Rule> undistributed_rules() {
  return {
      definition("N01", "dist_type",
                 "An undistributed dimension lies whole on the process, which has all "
                 "indices [0, size).",
                 where_dictionaries)
          .stated(Scope::process)
          .conforms(single("[10]", none(10)),
                    "rank 0, dimension 0: owns [0, 10) of 10, extent 10\n"),
      requirement("N02", "padding",
                  "An undistributed dimension may have padding, in the same form as a "
                  "block.",
                  where_undistributed)
          .stated(Scope::process)
          .found(error)
          .reported_as("P02, P03")
          .remedy("Write a tuple of two integers of zero or more.")
          .conforms(single("[10]", none(10).with("padding", "[1, 1]")))
          .breaks(single("[10]", none(10).with("padding", "[1]")), {"P02"}),
      definition("N03", "padding",
                 "Both ends of an undistributed dimension are external edges: its padding "
                 "is boundary padding inside size; if the dimension is periodic, it is "
                 "communication padding outside size, and the dimension is its own "
                 "neighbour (A06).",
                 where_padding)
          .implied(Scope::process)
          .conforms(file({section("[10, 12]",
                                  {none(10).with("padding", "[1, 1]"),
                                   none(10).with("periodic", "true").with("padding", "[1, 1]")})}),
                    "rank 0, dimension 0: owns [0, 10) of 10, boundary padding (1, 1), extent 10\n"
                    "rank 0, dimension 1: owns [0, 10) of 10, communication padding (1, 1) copies "
                    "{9} and {0}, periodic, extent 12\n"),
      requirement("N04", "buffer",
                  "Along an undistributed dimension the buffer has size elements, plus the "
                  "padding if the dimension is periodic.",
                  where_undistributed)
          .implied(Scope::process)
          .found(error)
          .remedy("Describe the memory as it is: its extent is made up of size and padding.")
          .conforms(single("[10]", none(10)))
          .breaks(single("[9]", none(10))),
      requirement("N05", "dist_type",
                  "An array without a distributed dimension lives on one process: on "
                  "several, each would hold a copy, which the protocol cannot express "
                  "(A19).",
                  where_required)
          .implied(Scope::process_and_grid)
          .found(error)
          .reported_as("D14")
          .remedy("Distribute a dimension, or describe the copies as 'u' with one_to_one "
                  "False.")
          .conforms(single("[10]", none(10)))
          .breaks(file({section("[10]", {none(10)}), section("[10]", {none(10)})})),
  };
}

}  // namespace daptor::rule_table
