# SPDX-License-Identifier: BSD-3-Clause
"""Ends the whole job when one rank ends with an exception."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any, Callable, Optional, Type


def _try(function: Callable[..., Any], *arguments: Any) -> bool:
    try:
        function(*arguments)
    except BaseException:  # pylint: disable=broad-except
        return False
    return True


def _flush(stream: Any) -> None:
    stream.flush()


def _abort() -> None:
    mpi = sys.modules.get("mpi4py.MPI")
    if mpi is not None and mpi.Is_initialized() and not mpi.Is_finalized():
        mpi.COMM_WORLD.Abort(1)


def end_job_on_exception() -> None:
    """From now on, an uncaught exception on one rank ends all ranks. Process-local.

    Otherwise the other ranks wait for ever in their next collective call. `python -m mpi4py` has
    the same purpose, but fails if petsc4py is imported. The traceback is printed as before, then
    MPI.COMM_WORLD is aborted with status 1, even if printing failed. This applies neither to
    sys.exit() nor to an exception in a thread other than the main one, which does not end Python.
    """
    before = sys.excepthook

    def hook(kind: Type[BaseException], value: BaseException,
             trace: Optional[TracebackType]) -> None:
        try:
            if not _try(before, kind, value, trace):
                _try(sys.__excepthook__, kind, value, trace)
            for stream in (sys.stdout, sys.stderr):
                _try(_flush, stream)
        finally:
            _abort()

    sys.excepthook = hook
