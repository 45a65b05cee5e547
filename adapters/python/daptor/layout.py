# SPDX-License-Identifier: BSD-3-Clause
"""Layouts for Array.like and Array.redistributed.

A layout is a value: how an array of any shape is divided over the ranks of its communicator, and
which dimension varies fastest in memory (`order`, "C" or "F").

    columns = a.redistributed(daptor.layout.slab(1))
    pencils = a.like(daptor.layout.blocks((0, 0, 1)))
    tiles = a.redistributed(daptor.layout.block_cyclic((64, 64)))

The functions are process-local. They raise InvalidArgument for an order other than "C" and "F", and
for one number in place of a sequence; whether a layout fits a shape and a number of ranks is
checked when it is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Optional, Sequence

from . import _daptor
from ._daptor import Layout

__all__ = ["Layout", "block_cyclic", "blocks", "natural", "on_process", "slab"]


def _require_sequence(key: str, given: Any) -> None:
    if given is not None and (isinstance(given, (str, dict)) or not isinstance(given, Iterable)):
        _daptor._invalid_argument(key, repr(given), "a number for each dimension, in a sequence")


def natural() -> Layout:
    """Even blocks along dimension 0, in C order: rank after rank, row-major order."""
    return _daptor._natural()


def slab(dim: int, order: str = "C") -> Layout:
    """Even blocks along dimension `dim` only."""
    return _daptor._slab(dim, order)


def blocks(grid: Optional[Sequence[Optional[int]]] = None, order: str = "C") -> Layout:
    """Even blocks on a process grid.

    grid  number of processes along each dimension (0: chosen for you; None or 1: not divided);
          None: by MPI_Dims_create
    """
    _require_sequence("grid", grid)
    processes = grid if grid is None else [1 if each is None else each for each in grid]
    return _daptor._blocks(processes, order)


def block_cyclic(block_sizes: Sequence[int], grid: Optional[Sequence[int]] = None,
                 origin: Optional[Sequence[int]] = None, order: str = "F") -> Layout:
    """Blocks dealt in turn to the processes of each dimension, as in ScaLAPACK.

    block_sizes  number of indices in a block along each dimension (MB, NB)
    grid         as blocks()
    origin       grid rank along each dimension that owns the first block (RSRC, CSRC); None: 0
    """
    if block_sizes is None:
        _daptor._invalid_argument("block_sizes", "None", "a number for each dimension")
    for key, given in (("block_sizes", block_sizes), ("grid", grid), ("origin", origin)):
        _require_sequence(key, given)
    return _daptor._block_cyclic(block_sizes, grid, origin, order)


def on_process(rank: int, order: str = "C") -> Layout:
    """All elements on one rank; the others have empty sections."""
    return _daptor._on_process(rank, order)
