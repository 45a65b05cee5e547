// SPDX-License-Identifier: BSD-3-Clause
#include "rules/table.hpp"

namespace daptor::rule_table {

std::vector<Rule> reading_rules() {
  return {
      reading("A01", "",
              "May the top level have other keys? Daptor ignores and notes them; the strict "
              "profile refuses them.",
              where_exporting)
          .implied(Scope::process)
          .found(note)
          .strict(error)
          .reported_as("T04")
          .remedy("Leave other keys out."),
      reading("A02", "__version__",
              "Which versions can be read? Those whose meaning is known: 0.9.x by the rules of "
              "0.9.0 and 0.10.x by those of 0.10.0. All others are unsupported, because versions "
              "differ in what padding means.",
              where_exporting)
          .implied(Scope::process)
          .found(error)
          .reported_as("T07")
          .remedy("Describe the array by 0.9.0 or 0.10.0."),
      reading("A03", "buffer",
              "May the buffer be flat, as in the specification's first example? Under 0.9.x, with "
              "a warning, where at most one extent of the section differs from one, so that its "
              "order cannot be mistaken. Otherwise, and under 0.10.x, T15 is reported.",
              "Examples, block and no-distribution")
          .implied(Scope::process)
          .found(warning)
          .not_in_0_10()
          .remedy("Reshape the buffer to the section's shape; that needs no copy."),
      reading("A04", "",
              "What is an integer? Any whole number that 64 bits hold; a bool is none. Narrower "
              "types of a target are checked when it is made.",
              where_required)
          .implied(Scope::process)
          .found(error)
          .reported_as("D07")
          .remedy("Write a number."),
      reading("A05", "proc_grid_rank",
              "Must ranks stand on the grid in row-major order? Any order that gives each place "
              "one process is accepted with a warning, and coordinates decide; the strict profile "
              "refuses it.",
              where_required)
          .implied(Scope::process_and_grid)
          .found(warning)
          .reported_as("D20")
          .remedy("Order the communicator by the grid."),
      reading("A06", "padding",
              "Of which kind is padding of an undistributed dimension? By the general rule: its "
              "ends are external edges, so boundary padding, and communication padding where it "
              "is periodic.",
              where_undistributed)
          .implied(Scope::process),
      reading("A07", "stop",
              "May a block be empty elsewhere than at size? Yes, with a warning under 0.9.x; "
              "0.10.x states it.",
              where_constraints)
          .implied(Scope::process)
          .found(warning)
          .not_in_0_10()
          .reported_as("B06")
          .remedy("Let empty sections start at size, if their order on the grid permits."),
      reading("A08", "padding",
              "May padding be a list? A list of two is accepted with a warning. JSON does not know "
              "tuples, so a JSON array counts as one.",
              where_padding)
          .implied(Scope::process)
          .found(warning)
          .remedy("Write a tuple."),
      reading("A09", "start",
              "May another process than the first have the first block, as ScaLAPACK's source "
              "process? Yes, with a warning, where the starts are a rotation (C11).",
              where_cyclic)
          .implied(Scope::all_processes)
          .found(warning)
          .reported_as("C10")
          .remedy("Number the grid ranks from the process that has the first block."),
      reading("A10", "indices",
              "May indices be a plain list, as in the specification's third example? Yes, with a "
              "warning: they are copied, the array's elements are not.",
              where_unstructured)
          .implied(Scope::process)
          .found(warning)
          .remedy("Pass an integer array."),
      reading("A11", "size",
              "What does size mean where indices repeat or leave gaps? The number of distinct "
              "indices along the dimension; another number is a warning. Indices need not be below "
              "size.",
              where_unstructured)
          .implied(Scope::all_processes_indices)
          .found(warning)
          .reported_as("U11")
          .remedy("Give as size the number of elements that really exist."),
      reading("A12", "padding",
              "Does an empty section keep its padding? No: its buffer is empty. Padding other than "
              "(0, 0) there is a warning.",
              where_constraints)
          .implied(Scope::process)
          .found(warning)
          .remedy("Write (0, 0) on empty sections."),
      reading("A13", "padding",
              "May communication padding be wider than what the neighbour owns? Under 0.9.x with a "
              "warning: the rest is copied from the processes beyond.",
              where_padding)
          .implied(Scope::all_processes)
          .found(warning)
          .found_in_0_10(error)
          .reported_as("P15")
          .remedy("Give each process at least as many indices as the padding is wide."),
      reading("A14", "periodic",
              "Who are the neighbours in a periodic dimension of two processes? The same process "
              "on both sides, as two neighbours: lower and upper are updated apart. With one "
              "process it is the process itself.",
              where_padding)
          .implied(Scope::all_processes),
      reading("A15", "padding",
              "What is in the corners, where padding of two dimensions meets? The memory is "
              "there; whether an update fills it is the consumer's choice (box or star).",
              where_padding)
          .implied(Scope::process),
      reading("A16", "buffer",
              "In which order do the elements lie in memory? As the buffer's strides say; without "
              "strides, row-major.",
              where_exporting)
          .implied(Scope::process),
      reading("A17", "buffer",
              "May the buffer be strided, reversed or read-only? All that PEP 3118 allows "
              "conforms; a target that cannot hold it without a copy refuses it.",
              where_exporting)
          .implied(Scope::process),
      reading("A18", "",
              "Which communicator belongs to an array? It is not in the dictionary and comes "
              "beside it. A sub-communicator will do; a rank outside the grid is an error.",
              where_required)
          .implied(Scope::process_and_grid)
          .found(error)
          .reported_as("D14")
          .remedy("Pass the communicator that the array is distributed over."),
      reading("A19", "one_to_one",
              "Can an array be replicated? Only as an unstructured one without one_to_one.",
              where_unstructured)
          .implied(Scope::all_processes),
      reading("A20", "",
              "Must processes with the same grid rank in a dimension describe it alike under "
              "0.9.x too? Yes: sections would not tile the array otherwise.",
              where_required)
          .implied(Scope::all_processes)
          .found(error)
          .reported_as("D22")
          .remedy("Cut the array along whole lines of the process grid."),
      reading("A21", "padding",
              "May padding differ between processes with the same grid rank? 0.10.x allows it; "
              "under 0.9.x it is a warning.",
              where_padding)
          .implied(Scope::all_processes)
          .found(warning)
          .not_in_0_10()
          .remedy("Use one width along each line of the grid."),
      reading("A22", "one_to_one",
              "May an array with an index on several processes be a solver's vector? It conforms, "
              "and serves to send and to receive; norms would count an element twice, so solvers "
              "refuse it.",
              where_unstructured)
          .implied(Scope::all_processes),
      reading("A23", "start",
              "Where does a cyclic process start that has nothing? At size. What it would be with "
              "more elements, proc_grid_rank * block_size, is accepted with a warning where it is "
              "above size.",
              where_cyclic)
          .implied(Scope::process)
          .found(warning)
          .reported_as("C03")
          .remedy("Write size as the start of a process without elements."),
      reading("A24", "__version__",
              "Which spellings are versions? Three numbers; a suffix as in PEP 440 is a warning, "
              "fewer parts are an error (T06).",
              where_exporting)
          .implied(Scope::process)
          .found(warning)
          .remedy("Write the three numbers alone."),
      reading("A25", "buffer",
              "How long does the buffer live? As long as anybody holds the description or what was "
              "made of it: Python's buffer lock, in C and C++ the handle that comes with the "
              "description.",
              where_exporting)
          .implied(Scope::process),
      reading("A26", "buffer",
              "Which element types? PEP 3118 knows text, objects, pointers and records too; the "
              "protocol excludes none of them. Daptor holds booleans, integers, floating and "
              "complex numbers; an array of any other type is unsupported, which is something else "
              "than malformed. A text that is no element type at all is T09.",
              where_exporting)
          .implied(Scope::process)
          .found(error)
          .remedy("Hand over numbers: each field of a record can be an array of its own, with the "
                  "record's length as its stride.")};
}

}  // namespace daptor::rule_table
