// SPDX-License-Identifier: BSD-3-Clause
#include "rules/table.hpp"

namespace daptor::rule_table {
namespace {

/// Ten elements on three processes, cut at 3 and 7: blocks of three, four and three elements.
std::string thirds() {
  return file({section("[3]", {block(10, 3, 0, 0, 3)}), section("[4]", {block(10, 3, 1, 3, 7)}),
               section("[3]", {block(10, 3, 2, 7, 10)})});
}

/// Ten elements on two processes, of which the second starts at `start`.
std::string from(int start) {
  return file({section("[5]", {half(0)}),
               section("[" + std::to_string(10 - start) + "]", {block(10, 2, 1, start, 10)})});
}

}  // namespace

std::vector<Rule> block_rules() {
  return {
      requirement("B01", "start", "A block has a start, an integer.", where_block)
          .stated(Scope::process)
          .found(error)
          .remedy("Add 'start', the first global index on this process.")
          .conforms(halves())
          .breaks(halves(half(0).without("start"), half(1))),
      requirement("B02", "start", "The start is a global index, counted from 0.", where_block)
          .stated(Scope::process)
          .found(error)
          .remedy("Exclude communication padding from start: under 0.9.x it lies before "
                  "start.")
          .conforms(halves())
          .breaks(halves(half(0).with("start", -1), half(1))),
      requirement("B03", "stop", "A block has a stop, an integer.", where_block)
          .stated(Scope::process)
          .found(error)
          .remedy("Add 'stop', one past the last global index on this process.")
          .conforms(halves())
          .breaks(halves(half(0).without("stop"), half(1))),
      requirement("B04", "stop", "The stop is greater than the start.", where_block)
          .stated(Scope::process)
          .found(error)
          .remedy("Give the range as start and one past its end, not as start and length.")
          .conforms(halves())
          .breaks(halves(half(0), half(1).with("start", 7).with("stop", 3))),
      requirement("B05", "stop",
                  "A block that starts at size is empty, so its stop equals its start.",
                  where_constraints)
          .stated(Scope::process)
          .found(error)
          .reported_as("E03")
          .remedy("Set stop equal to start.")
          .conforms(file({section("[10]", {block(10, 2, 0, 0, 10)}),
                          section("[0]", {block(10, 2, 1, 10, 10)})}))
          .breaks(file({section("[10]", {block(10, 2, 0, 0, 10)}),
                        section("[0]", {block(10, 2, 1, 10, 9)})})),
      requirement("B06", "stop",
                  "A block that is empty elsewhere (start equal to stop, below size) is "
                  "forbidden by one clause and allowed by another: Daptor accepts it with a "
                  "warning (A07). 0.10.x allows it.",
                  where_constraints)
          .implied(Scope::process)
          .found(Severity::warning)
          .not_in_0_10()
          .remedy("Let empty sections start at size if their order on the grid permits.")
          .conforms(file({section("[10]", {block(10, 2, 0, 0, 10)}),
                          section("[0]", {block(10, 2, 1, 10, 10)})}))
          .breaks(file({section("[0]", {block(10, 2, 0, 0, 0)}),
                        section("[10]", {block(10, 2, 1, 0, 10)})})),
      definition("B07", "stop", "The stop is exclusive: the block has stop - start indices.",
                 where_block)
          .stated(Scope::process)
          .conforms(halves(),
                    "rank 0, dimension 0: owns [0, 5) of 10, extent 5\n"
                    "rank 1, dimension 0: owns [5, 10) of 10, extent 5\n"),
      requirement("B08", "stop", "The stop is at most size (stated in 0.10.x).", where_block)
          .implied(Scope::process)
          .found(error)
          .remedy("Exclude communication padding from stop: under 0.9.x it lies after stop.")
          .conforms(halves())
          .breaks(file({section("[5]", {half(0)}), section("[6]", {block(10, 2, 1, 5, 11)})})),
      requirement("B09", "start, stop",
                  "Neighbours on the grid own adjacent ranges: the stop of one is the start "
                  "of the next, without gap or overlap.",
                  where_block)
          .stated(Scope::all_processes)
          .found(error)
          .remedy("Set every stop to the start of the next process, and describe overlap as "
                  "padding.")
          .conforms(halves())
          .breaks(from(6)),
      requirement("B10", "start", "The first process of a dimension starts at 0.", where_block)
          .implied(Scope::process)
          .found(error)
          .remedy("Count global indices from 0, including boundary padding.")
          .conforms(halves())
          .breaks(file({section("[4]", {block(10, 2, 0, 1, 5)}), section("[5]", {half(1)})})),
      requirement("B11", "stop", "The last process of a dimension stops at size.", where_block)
          .implied(Scope::process)
          .found(error)
          .remedy("Give the size of the whole array, including boundary padding.")
          .conforms(halves())
          .breaks(file({section("[5]", {half(0)}), section("[4]", {block(10, 2, 1, 5, 9)})})),
      permission("B12", "start, stop", "Blocks may have different sizes.", where_block)
          .permitted(Scope::process)
          .conforms(thirds(),
                    "rank 0, dimension 0: owns [0, 3) of 10, extent 3\n"
                    "rank 1, dimension 0: owns [3, 7) of 10, extent 4\n"
                    "rank 2, dimension 0: owns [7, 10) of 10, extent 3\n"),
      requirement("B13", "size",
                  "The blocks of a dimension have size indices in total. This follows from "
                  "B09, B10 and B11.",
                  where_block)
          .implied(Scope::all_processes)
          .found(error)
          .reported_as("B09, B10, B11")
          .remedy("Let the ranges tile [0, size).")
          .conforms(thirds())
          .breaks(from(4), {"B09"}),
  };
}

}  // namespace daptor::rule_table
