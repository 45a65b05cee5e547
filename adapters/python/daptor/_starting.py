# SPDX-License-Identifier: BSD-3-Clause
"""Importing petsc4py where its objects are asked for, which starts PETSc."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Callable, TypeVar

from ._daptor import Array, _invalid_argument, _offsets, _rank_and_size
from ._errors import InvalidArgument

_KEY = "petsc4py"
_T = TypeVar("_T")


def with_petsc4py(array: Array, function: Callable[[], _T]) -> _T:
    """What `function` returns, a collective call over the array's communicator.

    Where it refuses, on all ranks, as petsc4py was not imported, imports it and calls once more.
    """
    try:
        return function()
    except InvalidArgument as error:
        if error.finding is None or error.finding.key != _KEY:
            raise
        if not _start(array):
            raise
    return function()


def _start(array: Array) -> bool:
    """Imports petsc4py on all ranks; False where all have imported it already.

    Collective over the array's communicator. PETSc starts on all ranks of MPI.COMM_WORLD together.
    Raises, on all ranks, InvalidArgument where the array is on other ranks than these, or where
    some ranks have imported it and others have not; ImportError where it is not installed.
    """
    from mpi4py import MPI
    comm = array.comm
    _, ranks = _rank_and_size(comm)
    _, started = _offsets(comm, int("petsc4py.PETSc" in sys.modules))
    if started == ranks:
        return False
    if started > 0:
        _invalid_argument(_KEY, f"imported on {started} of {ranks} ranks",
                          "from petsc4py import PETSc on all ranks, which start PETSc together")
    if ranks != MPI.COMM_WORLD.size:
        _invalid_argument(_KEY, "a program that has not imported it",
                          "from petsc4py import PETSc on all ranks of MPI.COMM_WORLD, which start "
                          "PETSc together, before a call on some of them")
    _, present = _offsets(comm, int(find_spec("petsc4py") is not None))
    if present != ranks:
        raise ImportError(f"petsc4py can be imported on {present} of {ranks} ranks")
    import_module("petsc4py.PETSc")
    return True
