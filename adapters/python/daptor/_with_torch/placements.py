# SPDX-License-Identifier: BSD-3-Clause
"""Which indices a process of a device mesh has, by the placements of a DTensor. Process-local."""

from __future__ import annotations

from math import prod
from typing import List, NamedTuple, Optional, Sequence, Tuple

from .._errors import NotRepresentable
from .._shards.boxes import Runs, length, refuse, runs_of

Held = Optional[Tuple[Runs, ...]]  # along each dimension; None: nothing
# Of a mesh dimension: which dimension of the tensor it divides, and the number of strips that each
# process gets; None: copies.
Placement = Optional[Tuple[int, int]]


class Split(NamedTuple):
    """One mesh dimension that divides a dimension of the tensor.

    size    number of processes along the mesh dimension
    at      this process's coordinate
    strips  parts of which each process has one; 1: a process has one piece
    """
    size: int
    at: int
    strips: int = 1


def _taken(runs: Runs, start: int, stop: int) -> List[Tuple[int, int]]:
    """The indices at the positions [start, stop) among those of the runs."""
    found = []
    for first, last in runs:
        low, high = max(start, 0), min(stop, last - first)
        if low < high:
            found.append((first + low, first + high))
        start, stop = start - (last - first), stop - (last - first)
    return found


def _chunk(runs: Runs, split: Split) -> Runs:
    """What torch.chunk leaves to one process: pieces of equal size, the last ones shorter or
    empty, so that five indices on four processes are 2, 2, 1 and 0."""
    count = length(runs)
    pieces = split.size * split.strips
    width = -(-count // pieces)
    if split.strips > 1 and count % pieces:
        refuse(NotRepresentable, "dtensor.strided", f"{count} indices in {pieces} strips",
               "strips of equal size, of which torch says where they are")
    return runs_of([each for strip in range(split.strips)
                    for k in [strip * split.size + split.at]
                    for each in _taken(runs, k * width, (k + 1) * width)])


def _order(splits: Sequence[Split]) -> List[Split]:
    """The order in which splits of one dimension were made.

    They are in the order of the mesh. A strided one was made after those to its right that make as
    many parts as it has strips: FSDP divides what tensor parallelism has left to a process.
    """
    made: List[Split] = []
    for split in reversed(splits):
        before = next((n for n in range(len(made) + 1)
                       if prod(each.size for each in made[:n]) == split.strips), None)
        made.insert(before or 0, split if before is None else split._replace(strips=1))
    return made


def held(extents: Sequence[int], placements: Sequence[Placement], mesh: Sequence[int],
         coordinate: Sequence[int]) -> Held:
    """What the process at this coordinate of the mesh has."""
    along = []
    for d, extent in enumerate(extents):
        runs: Runs = ((0, extent),) if extent else ()
        for split in _order([Split(size, at, each[1])
                             for each, size, at in zip(placements, mesh, coordinate)
                             if each is not None and each[0] == d]):
            runs = _chunk(runs, split)
        along.append(runs)
    return tuple(along) if all(along) else None
