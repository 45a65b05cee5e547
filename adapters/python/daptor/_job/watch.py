# SPDX-License-Identifier: BSD-3-Clause
"""Wrappers of MPI's functions, through which the conformance kit sees communication.

They intercept the calls of libraries that are loaded later, so they are loaded before everything
that calls MPI, and only when producers are tested. They record no call until the kit asks.
"""

from __future__ import annotations

import os
import sys
from typing import Any, List

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_LIBRARY = os.path.join(_PACKAGE, "libdaptor_watch.so")
_loaded: List[Any] = []


def load() -> None:
    """Loads the wrappers, unless mpi4py is loaded already. Process-local."""
    if not _loaded and "mpi4py.MPI" not in sys.modules and os.path.exists(_LIBRARY):
        import ctypes
        _loaded.append(ctypes.CDLL(_LIBRARY, mode=ctypes.RTLD_GLOBAL))


def load_for_tests() -> None:
    """The same in a session of pytest, and in `python3 -m daptor`."""
    command = sys.argv[:1] == ["-m"] and "daptor" in getattr(sys, "orig_argv", ())
    if command or "pytest" in sys.modules:
        load()
