# SPDX-License-Identifier: BSD-3-Clause
"""What this package was built from and with."""

from __future__ import annotations

import importlib
from typing import Dict, Optional

from .. import _daptor


def show_config(mode: str = "stdout") -> Optional[Dict[str, str]]:
    """Prints what Daptor was built from and with, and the versions of what it finds. Process-local.

    That is the version, the commit, compiler and options, MPI, the libraries for which adapters
    were built, and the versions of Python's packages that it works with, as far as these are
    installed. It belongs in a report of a bug.

    mode  "stdout" prints it; "dicts" returns it as a dictionary of texts, as in numpy.show_config
    """
    if mode not in ("stdout", "dicts"):
        raise ValueError(f"mode must be 'stdout' or 'dicts', not {mode!r}")
    entries: Dict[str, str] = _daptor._configuration()
    for name in ("numpy", "mpi4py", "petsc4py"):
        try:
            entries["python." + name] = str(importlib.import_module(name).__version__)
        except ImportError:
            continue
    if mode == "dicts":
        return entries
    width = max(map(len, entries)) + 1
    for name, value in entries.items():
        print(f"{name + ':':{width}} {value}".rstrip())
    return None
