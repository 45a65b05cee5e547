// SPDX-License-Identifier: BSD-3-Clause
#include "rules/table.hpp"

namespace daptor::rule_table {
namespace {

/// Two ranks with five elements each; `rank` replaces the description of the first.
std::string first_rank(const Object& rank) {
  return file({rank, section("[5]", {half(1)})});
}

Object sound() {
  return section("[5]", {half(0)});
}

}  // namespace

std::vector<Rule> top_level_rules() {
  return {
      requirement("T01", "",
                  "A producer has a method __distarray__, which a consumer calls without arguments "
                  "(in C and C++: an exporting function).",
                  where_exporting)
          .stated(Scope::process)
          .found(error)
          .reported_as("producer")
          .remedy("Add the method, and let it return instead of raising an exception.")
          .conforms(halves())
          .breaks("{\"ranks\": [\n    {\"error\": \"AttributeError: no attribute "
                  "'__distarray__'\"}]}",
                  Verdict::producer_failed, {"producer"}),
      requirement("T02", "", "The call returns a dictionary (in C: the filled struct).",
                  where_exporting)
          .stated(Scope::process)
          .found(error)
          .remedy("Return one dictionary with the keys __version__, buffer and dim_data.")
          .conforms(halves())
          .breaks("{\"ranks\": [\n    [\"0.9.0\", \"buffer\", \"dim_data\"]]}"),
      requirement("T03", "__version__, buffer, dim_data", "All three keys are present.",
                  where_exporting)
          .stated(Scope::process)
          .found(error)
          .remedy("Add the missing key.")
          .conforms(halves())
          .breaks(first_rank(sound().without("buffer"))),
      requirement("T04", "",
                  "There are exactly three keys. Daptor ignores other keys and adds a note "
                  "(A01).",
                  where_exporting)
          .stated(Scope::process)
          .found(note)
          .strict(error)
          .remedy("Leave other keys out, or pass their content outside the description.")
          .conforms(halves())
          .breaks(first_rank(sound().with("owner", "\"mesh\""))),
      requirement("T05", "__version__", "The version is a string.", where_exporting)
          .stated(Scope::process)
          .found(error)
          .remedy("Write '0.9.0', not 0.9 or (0, 9, 0).")
          .conforms(halves())
          .breaks(first_rank(sound().with("__version__", "0.9"))),
      requirement("T06", "__version__",
                  "The version has the form 'major.minor.patch': three numbers joined by dots.",
                  where_exporting)
          .stated(Scope::process)
          .found(error)
          .remedy("Write all three parts: '0.9.0'.")
          .conforms(halves())
          .breaks(first_rank(sound().with("__version__", "\"0.9\""))),
      requirement("T07", "__version__",
                  "A consumer decides by the version whether it can read the description. "
                  "Daptor reads 0.9.x and 0.10.x; any other version is unsupported, and its "
                  "meaning is not guessed (A02).",
                  where_exporting)
          .stated(Scope::process)
          .found(error)
          .remedy("Describe the array in version 0.9.0 or 0.10.0.")
          .conforms(halves())
          .breaks(first_rank(sound().with("__version__", "\"2.0.0\"")), Verdict::unsupported,
                  {"T07"}),
      requirement("T08", "__version__",
                  "The version is the same on every process of an array. Daptor compares "
                  "the major and the minor number, which decide the rules.",
                  where_exporting)
          .implied(Scope::all_processes)
          .found(error)
          .remedy("Run the same release of the producer on all ranks.")
          .conforms(halves())
          .breaks(first_rank(sound().with("__version__", "\"0.10.0\""))),
      requirement("T09", "buffer",
                  "The buffer follows PEP 3118: it has an element type, a shape, byte "
                  "strides and a pointer.",
                  where_exporting)
          .stated(Scope::process)
          .found(error)
          .remedy("Pass an object with the buffer protocol, such as a NumPy array.")
          .conforms(halves())
          .breaks(first_rank(sound().with("buffer", "\"0.2 0.6 0.9 0.6 0.8\""))),
      requirement("T10", "buffer",
                  "The buffer holds the section of this process: as many elements as the "
                  "dimension dictionaries say. If the wrong extent can be named, the rule "
                  "of that dimension is reported (N04, P13, C12, U06, E02, E04).",
                  where_exporting)
          .stated(Scope::process)
          .found(error)
          .remedy("Pass the memory of exactly one section, including its padding.")
          .conforms(file({section("[1, 10]", {block(2, 2, 0, 0, 1), none(10)}),
                          section("[1, 10]", {block(2, 2, 1, 1, 2), none(10)})}))
          .breaks(file({section("[9]", {block(2, 2, 0, 0, 1), none(10)}),
                        section("[1, 10]", {block(2, 2, 1, 1, 2), none(10)})})),
      requirement("T11", "dim_data",
                  "The dimension dictionaries come in a tuple. A list is accepted with a warning; "
                  "in JSON every array counts as a tuple.",
                  where_exporting)
          .stated(Scope::process)
          .found(error)
          .remedy("Write ({...}, {...}), with a comma even after a single dictionary.")
          .conforms(halves())
          .breaks(first_rank(sound().with("dim_data", half(0).text()))),
      requirement("T12", "dim_data", "Every element of dim_data is a dictionary.", where_exporting)
          .stated(Scope::process)
          .found(error)
          .remedy("Describe each dimension by a dictionary, even if it is not distributed.")
          .conforms(halves())
          .breaks(first_rank(sound().with("dim_data", "[\"b\"]"))),
      requirement("T13", "dim_data",
                  "There is one dictionary for each dimension, in order, whether or not that "
                  "dimension is distributed.",
                  where_exporting)
          .stated(Scope::process)
          .found(error)
          .remedy("Add {'dist_type': 'n', 'size': ...} for each dimension that is not distributed.")
          .conforms(file({section("[1, 10]", {block(2, 2, 0, 0, 1), none(10)}),
                          section("[1, 10]", {block(2, 2, 1, 1, 2), none(10)})}))
          .breaks(file({section("[1, 10]", {block(2, 2, 0, 0, 1)}),
                        section("[1, 10]", {block(2, 2, 1, 1, 2)})})),
      requirement("T14", "dim_data", "All processes describe the same number of dimensions.",
                  where_exporting)
          .implied(Scope::all_processes)
          .found(error)
          .remedy("Describe all dimensions of the whole array on every rank.")
          .conforms(halves())
          .breaks(file({sound(), section("[5, 1]", {half(1), none(1)})})),
      requirement("T15", "buffer, dim_data",
                  "The buffer has as many dimensions as there are dictionaries. Under 0.9.x "
                  "a flat buffer is accepted if at most one extent differs from one (A03); "
                  "0.10.x states the rule without exception.",
                  "Examples, block and no-distribution")
          .implied(Scope::process)
          .found(error)
          .remedy("Reshape the buffer to the shape of the section; this needs no copy.")
          .conforms(file({section("[1, 10]", {block(2, 2, 0, 0, 1), none(10)}),
                          section("[1, 10]", {block(2, 2, 1, 1, 2), none(10)})}))
          .breaks(file({section("[20]", {block(4, 2, 0, 0, 2), none(10)}),
                        section("[20]", {block(4, 2, 1, 2, 4), none(10)})})),
      requirement("T16", "buffer",
                  "Elements have the same type, size and byte order on every process.",
                  where_exporting)
          .implied(Scope::all_processes)
          .found(error)
          .remedy("Allocate the array with one element type on all ranks.")
          .conforms(halves())
          .breaks(first_rank(sound().with("buffer", "{\"dtype\": \"<f4\", \"shape\": [5]}"))),
      advice("T17", "",
             "The protocol is process-local: an export does not communicate, so a "
             "consumer may ask a single rank.",
             where_overview)
          .advisory(Scope::behaviour)
          .found(Severity::warning)
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
          .stated(Scope::process)
          .conforms(halves(),
                    "rank 0, dimension 0: owns [0, 5) of 10, extent 5\n"
                    "rank 1, dimension 0: owns [5, 10) of 10, extent 5\n"),
  };
}

}  // namespace daptor::rule_table
