# SPDX-License-Identifier: BSD-3-Clause
"""Fingerprints of arrays, by which a run is compared with one on other ranks."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Optional, Tuple, Union

from .. import _daptor
from .._daptor import Array

_Number = Union[float, complex]
_Extreme = Optional[Tuple[float, Tuple[int, ...]]]


@dataclass(frozen=True)
class Fingerprint:
    """What an array holds, in numbers that do not depend on its distribution, but for rounding.

    Elements that are not finite are in no other number. Extremes are a value and its index in the
    whole array, of the first element that has it; None without elements. `mixed` is the sum of the
    elements times numbers between -1 and 1, which depend on the index alone.
    """

    count: int
    not_finite: int
    sum: _Number
    magnitudes: float
    norm: float
    mixed: _Number
    least: _Extreme
    greatest: _Extreme
    largest: _Extreme


def fingerprint(a: Array) -> Fingerprint:
    """The fingerprint of an array, the same on all ranks. Collective over its communicator.

    Elements count as in sums: each index of the interior once.
    """
    return Fingerprint(**_daptor._fingerprint(a))


def trace(a: Array, name: str) -> None:
    """Writes the fingerprint of an array to the open trace. Collective over its communicator.

    Does nothing if no trace is open.

    name  what the array is, the same in the runs that are compared
    """
    _daptor._trace(a, name)


class tracing:
    """Keeps a trace open, which `daptor compare` compares with that of another run.

        with daptor.tracing("three.json", comm):
            ...
            daptor.trace(a, "temperature")

    Entering is collective over comm, by default mpi4py's MPI.COMM_WORLD. Raises InvalidArgument on
    all ranks for a file that cannot be written (`trace.file`), and if a trace is open
    (`trace.open`).
    """

    def __init__(self, path: Union[str, "os.PathLike[str]"], comm: Any = None) -> None:
        self._path = path
        self._comm = comm
        self._open: Any = None

    def __enter__(self) -> "tracing":
        comm = self._comm
        if comm is None:
            from mpi4py import MPI
            comm = MPI.COMM_WORLD
        self._open = _daptor._open_trace(self._path, comm)
        return self

    def __exit__(self, *_: Any) -> None:
        self._open.close()
