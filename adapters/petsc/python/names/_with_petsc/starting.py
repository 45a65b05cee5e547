# SPDX-License-Identifier: BSD-3-Clause
"""Imports petsc4py, which starts PETSc, when a call returns one of its objects."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Callable, TypeVar

from .._daptor import Array, _invalid_argument, _offsets, _rank_and_size
from .._errors import InvalidArgument

_KEY = "petsc4py"
_T = TypeVar("_T")


def with_petsc4py(array: Array, function: Callable[[], _T]) -> _T:
    """Returns what `function`, a collective call over the array's communicator, returns.

    If it raises on all ranks because petsc4py was not imported, imports that and calls it again.
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
    """Imports petsc4py on all ranks; returns False if all have imported it already.

    Collective over the array's communicator. PETSc starts on all ranks of MPI.COMM_WORLD together.
    Raises on all ranks: InvalidArgument if the array is not on all of these ranks, or if only some
    ranks have imported petsc4py; ImportError if it is not installed.
    """
    from mpi4py import MPI
    _, ranks = _rank_and_size(array)  # not array.comm, which the program may have freed
    _, started = _offsets(array, int("petsc4py.PETSc" in sys.modules))
    if started == ranks:
        return False
    if started > 0:
        _invalid_argument(_KEY, f"imported on {started} of {ranks} ranks",
                          "from petsc4py import PETSc on all ranks, which start PETSc together")
    if ranks != MPI.COMM_WORLD.size:
        _invalid_argument(_KEY, "a program that has not imported it",
                          "from petsc4py import PETSc on all ranks of MPI.COMM_WORLD, which start "
                          "PETSc together, before a call on some of them")
    _, present = _offsets(array, int(find_spec("petsc4py") is not None))
    if present != ranks:
        raise ImportError(f"petsc4py can be imported on {present} of {ranks} ranks")
    import_module("petsc4py.PETSc")
    return True
