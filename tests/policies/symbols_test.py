# SPDX-License-Identifier: BSD-3-Clause
"""Symbols of the libraries: those that others see have Daptor's names, and of the calls that end a
process only those are used that docs/errors.md lists.

    symbols_test.py NM LIBRARY...
"""

import re
import subprocess
import sys
import unittest
from pathlib import Path

NM, LIBRARIES = sys.argv[1], [Path(path) for path in sys.argv[2:]]
del sys.argv[1:]

ENDING = {"abort", "exit", "_exit", "_Exit", "quick_exit", "raise", "kill", "pthread_kill",
          "std::terminate()", "MPI_Abort", "PMPI_Abort", "__assert_fail", "PetscAbort",
          "_gfortran_stop_numeric", "_gfortran_stop_string", "_gfortran_error_stop_numeric",
          "_gfortran_error_stop_string", "err", "errx", "_Unwind_Resume_or_Rethrow"}
# Fortran's std::exit and the child process of the conformance kit are those of one library alone.
# Compilers call std::terminate where a function that must not throw does.
ALLOWED = {"": {"std::terminate()"}, "core": {"abort", "MPI_Abort"},
           "conformance": {"_exit", "kill"},
           "fortran": {"exit", "MPI_Abort"}}


def component(library):
    return re.match(r"libdaptor_(\w+)\.", library.name).group(1)


def symbols(library, option):
    """Pairs of type and demangled name."""
    text = subprocess.run([NM, "-D", "-C", option, str(library)], text=True, check=True,
                          stdout=subprocess.PIPE).stdout
    for line in text.splitlines():
        found = re.match(r"(?:[0-9a-f]+)? *(\w) (.*?)(?:@+[\w.]+)?$", line)
        if found:
            yield found.group(1), found.group(2)


class Symbols(unittest.TestCase):
    def test_what_ends_a_process_is_listed(self):
        for library in LIBRARIES:
            allowed = ALLOWED[""] | ALLOWED.get(component(library), set())
            used = {name for _, name in symbols(library, "--undefined-only")} & ENDING
            self.assertLessEqual(used, allowed, f"{library.name}: docs/errors.md lists what ends a "
                                                "process; another call does, too")

    def test_names_are_those_of_daptor(self):
        """Templates of the standard library are weak, and the same in every program."""
        # Of the linker, and the common blocks that each Fortran program has of MPI.
        others = re.compile(r"__bss_start|_edata|_end|mpi_fortran_\w+")
        own = re.compile(r"(?:typeinfo (?:name )?for |vtable for |VTT for |guard variable for |"
                         r"(?:non-)?virtual thunk to |construction vtable for )?"
                         r"(?:\w[\w:<>&*,\[\] ]* )?\**(?:decltype ?\(.*\) )?(?:__)?[dD]aptor")
        for library in LIBRARIES:
            foreign = [name for kind, name in symbols(library, "--defined-only")
                       if kind in "TDBRG" and not own.match(name) and not others.fullmatch(name)]
            self.assertEqual(foreign, [], library.name)


if __name__ == "__main__":
    unittest.main()
