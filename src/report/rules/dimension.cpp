// SPDX-License-Identifier: BSD-3-Clause
#include "report/rules/table.hpp"

namespace daptor::rule_table {

std::vector<Rule> dimension_rules() {
  return {
      requirement("D01", "dist_type", "Every dictionary names its distribution.",
                  where_dictionaries)
          .stated(Scope::process)
          .found(error)
          .remedy("Add 'dist_type': 'n', 'b', 'c' or 'u'."),
      requirement("D02", "dist_type", "The distribution is named by a string.", where_dictionaries)
          .stated(Scope::process)
          .found(error)
          .remedy("Write 'n', 'b', 'c' or 'u'."),
      requirement("D03", "dist_type", "The distribution is one of 'n', 'b', 'c', 'u'.",
                  where_required)
          .stated(Scope::process)
          .found(error)
          .reported_as("D04")
          .remedy("Write 'n', 'b', 'c' or 'u'."),
      requirement("D04", "dist_type",
                  "Later versions may add distributions: one that a consumer does not know "
                  "makes the array unsupported, not malformed.",
                  where_dictionaries)
          .permitted(Scope::process)
          .found(error)
          .remedy("Describe the dimension as 'u', which can express any mapping, or use a "
                  "newer consumer."),
      requirement("D05", "dist_type", "A dimension has the same distribution on all processes.",
                  where_dictionaries)
          .implied(Scope::all_processes)
          .found(error)
          .remedy("If the distributions really differ, describe the dimension as 'u' on all "
                  "ranks."),
      requirement("D06", "size",
                  "Every dictionary has a size, including that of an undistributed "
                  "dimension.",
                  where_required)
          .stated(Scope::process)
          .found(error)
          .remedy("Add 'size', the number of global elements along the dimension."),
      requirement("D07", "size", "The size is an integer; True, 10.0 and '10' are not (A04).",
                  where_required)
          .stated(Scope::process)
          .found(error)
          .remedy("Write an integer of at most 64 bits."),
      requirement("D08", "size", "The size is zero or more.", where_required)
          .stated(Scope::process)
          .found(error)
          .remedy("Write the number of global elements along the dimension."),
      requirement("D09", "size",
                  "The size counts the global elements along the dimension, including "
                  "boundary padding and excluding communication padding. Which rule a wrong "
                  "size breaks depends on the distribution.",
                  where_required)
          .stated(Scope::all_processes)
          .found(error)
          .reported_as("B08, B11, N04, C12, U11")
          .remedy("Give the size of the whole array, not of the section."),
      requirement("D10", "size", "A dimension has the same size on all processes.", where_required)
          .implied(Scope::all_processes)
          .found(error)
          .remedy("Give the size of the whole array on every rank."),
      requirement("D11", "",
                  "Each distribution has its required keys: dist_type and size for all; "
                  "proc_grid_size and proc_grid_rank for 'b', 'c' and 'u'; start and stop "
                  "for 'b'; start for 'c'; indices for 'u'. Each key has its own rule.",
                  where_dictionaries)
          .stated(Scope::process)
          .found(error)
          .reported_as("D01, D06, D12, D16, B01, B03, C01, U01")
          .remedy("Add the missing key."),
      requirement("D22", "",
                  "Processes with the same grid rank in a dimension have the same "
                  "dictionary for it, because each section is the Cartesian product of its "
                  "dimensions (A20). Padding is judged by A21.",
                  where_required)
          .implied(Scope::all_processes)
          .found(error)
          .remedy("Divide the array along whole lines of the process grid."),
      requirement("D23", "periodic", "The flag periodic may be absent; if present it is a bool.",
                  where_optional)
          .stated(Scope::process)
          .found(error)
          .remedy("Write True or False, not 1 or 0."),
      definition("D24", "periodic", "A dimension without the flag is not periodic.", where_optional)
          .stated(Scope::process),
      requirement("D25", "periodic", "A dimension is periodic on all processes or on none.",
                  where_optional)
          .implied(Scope::all_processes)
          .found(error)
          .remedy("Set the flag to the same value on all ranks."),
      requirement("D26", "proc_grid_size, proc_grid_rank",
                  "An undistributed dimension needs no position on the process grid; if it "
                  "has one, that is grid rank 0 of a grid size of 1.",
                  where_required)
          .implied(Scope::process)
          .found(Severity::warning)
          .remedy("Leave the two keys out."),
      advice("D27", "",
             "Keys that have no meaning for the distribution are allowed: Daptor "
             "ignores them and adds a note, or a warning if a key is misspelt.",
             where_dictionaries)
          .advisory(Scope::process)
          .found(note)
          .remedy("Check the spelling of the key, or leave it out if nobody reads it."),
  };
}

}  // namespace daptor::rule_table
