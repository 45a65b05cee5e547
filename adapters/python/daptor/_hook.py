"""What becomes of the other ranks when one ends by an exception."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Optional, Type


def end_job_on_exception() -> None:
    """From now on an exception that nobody catches ends all ranks. Process-local.

    Without it the others wait for ever in their next collective call. `python -m mpi4py` has the
    same purpose, and fails where petsc4py is imported. The traceback is printed as before, then
    MPI.COMM_WORLD is aborted with status 1. sys.exit() is no such exception.
    """
    before = sys.excepthook

    def hook(kind: Type[BaseException], value: BaseException,
             trace: Optional[TracebackType]) -> None:
        before(kind, value, trace)
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        mpi = sys.modules.get("mpi4py.MPI")
        if mpi is not None and mpi.Is_initialized() and not mpi.Is_finalized():
            mpi.COMM_WORLD.Abort(1)

    sys.excepthook = hook
