// SPDX-License-Identifier: BSD-3-Clause
#include "report/rules/table.hpp"

namespace daptor::rule_table {

std::vector<Rule> top_level_rules() {
  return {
      requirement("T01", "",
                  "A producer has a method __distarray__, which a consumer calls without "
                  "arguments (in C and C++: an exporting function).",
                  where_exporting)
          .stated(Scope::process)
          .found(error)
          .reported_as("producer")
          .remedy("Add the method, and let it return instead of raising an exception."),
      requirement("T02", "", "The call returns a dictionary (in C: the filled struct).",
                  where_exporting)
          .stated(Scope::process)
          .found(error)
          .remedy("Return one dictionary with the keys __version__, buffer and dim_data."),
      requirement("T03", "__version__, buffer, dim_data", "All three keys are present.",
                  where_exporting)
          .stated(Scope::process)
          .found(error)
          .remedy("Add the missing key."),
      requirement("T04", "",
                  "There are exactly three keys. Daptor ignores other keys and adds a note "
                  "(A01).",
                  where_exporting)
          .stated(Scope::process)
          .found(note)
          .strict(error)
          .remedy("Leave other keys out, or pass their content outside the description."),
      requirement("T05", "__version__", "The version is a string.", where_exporting)
          .stated(Scope::process)
          .found(error)
          .remedy("Write '0.9.0', not 0.9 or (0, 9, 0)."),
      requirement("T06", "__version__",
                  "The version has the form 'major.minor.patch': three numbers joined by "
                  "dots.",
                  where_exporting)
          .stated(Scope::process)
          .found(error)
          .remedy("Write all three parts: '0.9.0'."),
      requirement("T07", "__version__",
                  "A consumer decides by the version whether it can read the description. "
                  "Daptor reads 0.9.x and 0.10.x; any other version is unsupported, and its "
                  "meaning is not guessed (A02).",
                  where_exporting)
          .stated(Scope::process)
          .found(error)
          .remedy("Describe the array in version 0.9.0 or 0.10.0."),
      requirement("T08", "__version__",
                  "The version is the same on every process of an array. Daptor compares "
                  "the major and the minor number, which decide the rules.",
                  where_exporting)
          .implied(Scope::all_processes)
          .found(error)
          .remedy("Run the same release of the producer on all ranks."),
      requirement("T09", "buffer",
                  "The buffer follows PEP 3118: it has an element type, a shape, byte "
                  "strides and a pointer.",
                  where_exporting)
          .stated(Scope::process)
          .found(error)
          .remedy("Pass an object with the buffer protocol, such as a NumPy array."),
      requirement("T10", "buffer",
                  "The buffer holds the section of this process: as many elements as the "
                  "dimension dictionaries say. If the wrong extent can be named, the rule "
                  "of that dimension is reported (N04, P13, C12, U06, E02, E04).",
                  where_exporting)
          .stated(Scope::process)
          .found(error)
          .remedy("Pass the memory of exactly one section, including its padding."),
      requirement("T11", "dim_data",
                  "The dimension dictionaries come in a tuple. A list is accepted with a "
                  "warning; in JSON every array counts as a tuple.",
                  where_exporting)
          .stated(Scope::process)
          .found(error)
          .remedy("Write ({...}, {...}), with a comma even after a single dictionary."),
      requirement("T12", "dim_data", "Every element of dim_data is a dictionary.", where_exporting)
          .stated(Scope::process)
          .found(error)
          .remedy("Describe each dimension by a dictionary, even if it is not distributed."),
      requirement("T13", "dim_data",
                  "There is one dictionary for each dimension, in order, whether or not "
                  "that dimension is distributed.",
                  where_exporting)
          .stated(Scope::process)
          .found(error)
          .remedy("Add {'dist_type': 'n', 'size': ...} for each dimension that is not "
                  "distributed."),
      requirement("T14", "dim_data", "All processes describe the same number of dimensions.",
                  where_exporting)
          .implied(Scope::all_processes)
          .found(error)
          .remedy("Describe all dimensions of the whole array on every rank."),
      requirement("T15", "buffer, dim_data",
                  "The buffer has as many dimensions as there are dictionaries. Under 0.9.x "
                  "a flat buffer is accepted if at most one extent differs from one (A03); "
                  "0.10.x states the rule without exception.",
                  "Examples, block and no-distribution")
          .implied(Scope::process)
          .found(error)
          .remedy("Reshape the buffer to the shape of the section; this needs no copy."),
      requirement("T16", "buffer",
                  "Elements have the same type, size and byte order on every process.",
                  where_exporting)
          .implied(Scope::all_processes)
          .found(error)
          .remedy("Allocate the array with one element type on all ranks."),
      advice("T17", "",
             "The protocol is process-local: an export does not communicate, so a "
             "consumer may ask a single rank.",
             where_overview)
          .advisory(Scope::behaviour)
          .found(warning)
          .remedy("Gather what the description needs when the array is made, not when it is "
                  "exported."),
      requirement("T18", "buffer",
                  "Data is never copied: the producer sees what a consumer writes through "
                  "the buffer, and the other way round.",
                  where_overview)
          .stated(Scope::behaviour)
          .found(error)
          .remedy("Export the memory in which the producer itself works."),
      definition("T19", "dim_data",
                 "The dictionaries contain everything about a dimension; the only other "
                 "thing a consumer needs is the communicator (A18).",
                 where_exporting)
          .stated(Scope::process),
  };
}

}  // namespace daptor::rule_table
