// SPDX-License-Identifier: BSD-3-Clause
#include "report/rules/table.hpp"

namespace daptor::rule_table {

std::vector<Rule> block_rules() {
  return {
      requirement("B01", "start", "A block has a start, an integer.", where_block)
          .stated(Scope::process)
          .found(error)
          .remedy("Add 'start', the first global index on this process."),
      requirement("B02", "start", "The start is a global index, counted from 0.", where_block)
          .stated(Scope::process)
          .found(error)
          .remedy("Exclude communication padding from start: under 0.9.x it lies before "
                  "start."),
      requirement("B03", "stop", "A block has a stop, an integer.", where_block)
          .stated(Scope::process)
          .found(error)
          .remedy("Add 'stop', one past the last global index on this process."),
      requirement("B04", "stop", "The stop is greater than the start.", where_block)
          .stated(Scope::process)
          .found(error)
          .remedy("Give the range as start and one past its end, not as start and length."),
      requirement("B05", "stop",
                  "A block that starts at size is empty, so its stop equals its start.",
                  where_constraints)
          .stated(Scope::process)
          .found(error)
          .reported_as("E03")
          .remedy("Set stop equal to start."),
      requirement("B06", "stop",
                  "A block that is empty elsewhere (start equal to stop, below size) is "
                  "forbidden by one clause and allowed by another: Daptor accepts it with a "
                  "warning (A07). 0.10.x allows it.",
                  where_constraints)
          .implied(Scope::process)
          .found(Severity::warning)
          .not_in_0_10()
          .remedy("Let empty sections start at size if their order on the grid permits."),
      definition("B07", "stop", "The stop is exclusive: the block has stop - start indices.",
                 where_block)
          .stated(Scope::process),
      requirement("B08", "stop", "The stop is at most size (stated in 0.10.x).", where_block)
          .implied(Scope::process)
          .found(error)
          .remedy("Exclude communication padding from stop: under 0.9.x it lies after stop."),
      requirement("B09", "start, stop",
                  "Neighbours on the grid own adjacent ranges: the stop of one is the start "
                  "of the next, without gap or overlap.",
                  where_block)
          .stated(Scope::all_processes)
          .found(error)
          .remedy("Let each block start where the one before it stops: correct this start or the "
                  "stop of the process before, and describe overlap as padding."),
      requirement("B10", "start", "The first process of a dimension starts at 0.", where_block)
          .implied(Scope::process)
          .found(error)
          .remedy("Count global indices from 0, including boundary padding."),
      requirement("B11", "stop", "The last process of a dimension stops at size.", where_block)
          .implied(Scope::process)
          .found(error)
          .remedy("Give the size of the whole array, including boundary padding."),
      permission("B12", "start, stop", "Blocks may have different sizes.", where_block)
          .permitted(Scope::process),
      requirement("B13", "size",
                  "The blocks of a dimension have size indices in total. This follows from "
                  "B09, B10 and B11.",
                  where_block)
          .implied(Scope::all_processes)
          .found(error)
          .reported_as("B09, B10, B11")
          .remedy("Let the ranges tile [0, size)."),
  };
}

}  // namespace daptor::rule_table
