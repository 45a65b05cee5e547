# SPDX-License-Identifier: BSD-3-Clause
"""The command `daptor` in Python's process: mpirun -n 4 python3 -m daptor check mymodule:make_array

Its options, its output and its exit status are those of tools/cli, which calls producers in Python
by daptor._command.producers.
"""

from __future__ import annotations

import os
import sys

from daptor._bindings import binding
from daptor._command import plain, producers


def main() -> int:
    """Runs the command. An error on one rank ends the command on all."""
    sys.path.insert(0, os.getcwd())
    tools = binding("_tools")
    if tools is None:
        return plain.run(sys.argv[1:])
    return int(tools.run(sys.argv[1:], producers))


if __name__ == "__main__":
    raise SystemExit(main())
