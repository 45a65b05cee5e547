// SPDX-License-Identifier: BSD-3-Clause
#include "report/rules/table.hpp"

namespace daptor::rule_table {

std::vector<Rule> reading_rules() {
  return {reading("A01", "",
                  "May the top level have other keys? Daptor ignores them and adds a note; "
                  "the strict profile refuses them.",
                  where_exporting)
              .implied(Scope::process)
              .found(note)
              .strict(error)
              .reported_as("T04")
              .remedy("Leave other keys out."),
          reading("A02", "__version__",
                  "Which versions can be read? Those whose meaning is known: 0.9.x by the "
                  "rules of 0.9.0, and 0.10.x by those of 0.10.0. All others are "
                  "unsupported, because versions differ in the meaning of padding.",
                  where_exporting)
              .implied(Scope::process)
              .found(error)
              .reported_as("T07")
              .remedy("Describe the array in version 0.9.0 or 0.10.0."),
          reading("A03", "buffer",
                  "May the buffer be flat, as in the specification's first example? Under "
                  "0.9.x yes, with a warning, if at most one extent of the section differs "
                  "from one, so that the order of the elements is unambiguous. Otherwise, "
                  "and under 0.10.x, T15 is reported.",
                  "Examples, block and no-distribution")
              .implied(Scope::process)
              .found(warning)
              .not_in_0_10()
              .remedy("Reshape the buffer to the shape of the section; this needs no copy."),
          reading("A04", "",
                  "What is an integer? Any whole number that fits in 64 bits; a bool is not "
                  "an integer. Narrower integer types of a target are checked when the "
                  "target is made.",
                  where_required)
              .implied(Scope::process)
              .found(error)
              .reported_as("D07")
              .remedy("Write a number."),
          reading("A05", "proc_grid_rank",
                  "Must ranks be placed on the grid in row-major order? No: any order with "
                  "one process at each position is accepted with a warning, and the "
                  "coordinates decide; the strict profile refuses it.",
                  where_required)
              .implied(Scope::process_and_grid)
              .found(warning)
              .reported_as("D20")
              .remedy("Order the communicator by grid position."),
          reading("A06", "padding",
                  "Which kind of padding does an undistributed dimension have? The general "
                  "rule holds: its ends are external edges, so it is boundary padding, or "
                  "communication padding if the dimension is periodic.",
                  where_undistributed)
              .implied(Scope::process),
          reading("A07", "stop",
                  "May a block that does not start at size be empty? Yes, with a warning "
                  "under 0.9.x; 0.10.x states it.",
                  where_constraints)
              .implied(Scope::process)
              .found(warning)
              .not_in_0_10()
              .reported_as("B06")
              .remedy("Let empty sections start at size if their order on the grid permits."),
          reading("A08", "padding",
                  "May padding be a list? A list of two entries is accepted with a warning. "
                  "JSON has no tuples, so a JSON array counts as a tuple.",
                  where_padding)
              .implied(Scope::process)
              .found(warning)
              .remedy("Write a tuple."),
          reading("A09", "start",
                  "May a process other than the first own the first block, like ScaLAPACK's "
                  "source process? Yes, with a warning, if the starts are a rotation (C11).",
                  where_cyclic)
              .implied(Scope::all_processes)
              .found(warning)
              .reported_as("C10")
              .remedy("Count grid ranks from the process that owns the first block."),
          reading("A10", "indices",
                  "May indices be a plain list, as in the specification's third example? "
                  "Yes, with a warning: the indices are copied, the elements of the array "
                  "are not.",
                  where_unstructured)
              .implied(Scope::process)
              .found(warning)
              .remedy("Pass an integer array."),
          reading("A11", "size",
                  "What does size mean if indices repeat or leave gaps? The number of "
                  "distinct indices along the dimension; any other number is reported as a "
                  "warning. Indices need not be below size.",
                  where_unstructured)
              .implied(Scope::all_processes_indices)
              .found(warning)
              .reported_as("U11")
              .remedy("Set size to the number of different indices on all processes together."),
          reading("A12", "padding",
                  "Does an empty section keep its padding? No: its buffer is empty, and "
                  "padding other than (0, 0) is reported as a warning.",
                  where_constraints)
              .implied(Scope::process)
              .found(warning)
              .remedy("Write (0, 0) on empty sections."),
          reading("A13", "padding",
                  "May communication padding be wider than the range that the neighbour "
                  "owns? Under 0.9.x yes, with a warning: the rest is copied from the "
                  "processes beyond.",
                  where_padding)
              .implied(Scope::all_processes)
              .found(warning)
              .found_in_0_10(error)
              .reported_as("P15")
              .remedy("Give each process at least as many indices as the padding is wide."),
          reading("A14", "periodic",
                  "Who are the neighbours in a periodic dimension of two processes? The "
                  "other process, on both sides: it counts as two neighbours, and lower and "
                  "upper padding are updated separately. A dimension on one process is its "
                  "own neighbour.",
                  where_padding)
              .implied(Scope::all_processes),
          reading("A15", "padding",
                  "What do the corners contain, where the padding of two dimensions meets? "
                  "The memory exists; whether an update fills it is the consumer's choice "
                  "(box or star stencil).",
                  where_padding)
              .implied(Scope::process),
          reading("A16", "buffer",
                  "In which order are the elements stored in memory? As the buffer's "
                  "strides say; row-major if it has none.",
                  where_exporting)
              .implied(Scope::process),
          reading("A17", "buffer",
                  "May the buffer be strided, reversed or read-only? Everything that PEP "
                  "3118 allows conforms; a target that cannot hold it without a copy "
                  "refuses it.",
                  where_exporting)
              .implied(Scope::process),
          reading("A18", "",
                  "Which communicator belongs to an array? It is not in the dictionary, but "
                  "passed beside it. A sub-communicator is allowed; a rank outside the "
                  "process grid is an error.",
                  where_required)
              .implied(Scope::process_and_grid)
              .found(error)
              .reported_as("D14")
              .remedy("Pass the communicator that the array is distributed over."),
          reading("A19", "one_to_one",
                  "Can an array be replicated? Only as an unstructured array without "
                  "one_to_one.",
                  where_unstructured)
              .implied(Scope::all_processes),
          reading("A20", "",
                  "Must processes with the same grid rank in a dimension describe it in the "
                  "same way under 0.9.x too? Yes: otherwise the sections would not tile the "
                  "array.",
                  where_required)
              .implied(Scope::all_processes)
              .found(error)
              .reported_as("D22")
              .remedy("Divide the array along whole lines of the process grid."),
          reading("A21", "padding",
                  "May padding differ between processes with the same grid rank? 0.10.x "
                  "allows it; under 0.9.x it is a warning.",
                  where_padding)
              .implied(Scope::all_processes)
              .found(warning)
              .not_in_0_10()
              .remedy("Use the same width along each line of the grid."),
          reading("A22", "one_to_one",
                  "May an array with an index on several processes be a solver's vector? It "
                  "conforms, and can be sent and received; but a norm would count an "
                  "element twice, so solvers refuse it.",
                  where_unstructured)
              .implied(Scope::all_processes),
          reading("A23", "start",
                  "Where does a cyclic process start that owns no element? At size. The "
                  "value that it would have if there were more elements, proc_grid_rank * "
                  "block_size, is accepted with a warning if it is above size.",
                  where_cyclic)
              .implied(Scope::process)
              .found(warning)
              .reported_as("C03")
              .remedy("Set start to size on a process without elements."),
          reading("A24", "__version__",
                  "Which strings are versions? Three numbers joined by dots; a suffix as in "
                  "PEP 440 is a warning, fewer parts are an error (T06).",
                  where_exporting)
              .implied(Scope::process)
              .found(warning)
              .remedy("Write only the three numbers."),
          reading("A25", "buffer",
                  "How long does the buffer live? As long as anybody holds the description "
                  "or an object made from it: in Python by its buffer lock, in C and C++ by "
                  "the handle that comes with the description.",
                  where_exporting)
              .implied(Scope::process),
          reading("A26", "buffer",
                  "Which element types are allowed? PEP 3118 also has text, objects, "
                  "pointers and records, and the protocol excludes none of them. Daptor "
                  "holds booleans, integers, floating and complex numbers; an array of any "
                  "other type is unsupported, not malformed. A string that is no element "
                  "type at all breaks T09.",
                  where_exporting)
              .implied(Scope::process)
              .found(error)
              .remedy("Export numbers: each field of a record can be an array of its own, with "
                      "the size of the record as its stride.")};
}

}  // namespace daptor::rule_table
