# SPDX-License-Identifier: BSD-3-Clause
"""Index spaces in boxes: whether boxes cover a shape, each index once, and which dimensions of the
protocol say what each rank has. Process-local, and without memory."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import prod
from typing import Any, Dict, List, NoReturn, Optional, Sequence, Tuple, Type

from .. import _daptor
from .._errors import Error, Malformed, NotRepresentable

Range = Tuple[int, int]  # half-open
Box = Tuple[Range, ...]  # a range along each dimension
Runs = Tuple[Range, ...]  # of one dimension, in increasing order, which do not touch
Part = Tuple[int, Box]  # of a rank


def finding(rule: str, found: str, expected: str, remedy: str = "", *, ranks: Sequence[int] = (),
            dimension: int = -1, key: str = "") -> "_daptor.Finding":
    """An error with these fields."""
    made: _daptor.Finding = _daptor._finding(rule, 2, sorted(ranks)[:8], len(ranks), dimension, key,
                                             found, expected, remedy, "", [], "")
    return made


def refuse(kind: Type[Error], rule: str, found: str, expected: str, remedy: str = "",
           **where: Any) -> NoReturn:
    """Raises the error with one finding."""
    made = finding(rule, found, expected, remedy, **where)
    raise kind(str(made), _daptor.Report([made]))


def text_of(box: Box) -> str:
    return " x ".join(f"[{start}, {stop})" for start, stop in box) or "the only element"


def volume(box: Box) -> int:
    return prod(stop - start for start, stop in box)


def _first_fault(extents: Sequence[int], parts: Sequence[Tuple[Any, Box]], copies: bool,
                 d: int = 0) -> Optional[Tuple[Box, Tuple[Any, ...]]]:
    """A range of indices in no box, or in two boxes, with the names of these two.

    Cuts the index space at the bounds of the boxes, dimension after dimension, and keeps those
    that reach over the present piece: N boxes in a grid of n dimensions cost N n steps.
    """
    if not parts:
        return tuple((0, extent) for extent in extents[d:]), ()
    if d == len(extents):
        other = next((part for part in parts[1:] if not copies or part[1] != parts[0][1]), None)
        return None if other is None else ((), (parts[0][0], other[0]))
    cuts = sorted({0, extents[d], *(cut for _, box in parts for cut in box[d])})
    waiting = sorted(parts, key=lambda part: part[1][d][0], reverse=True)
    here: List[Tuple[Any, Box]] = []
    for start, stop in zip(cuts, cuts[1:]):
        here = [part for part in here if part[1][d][1] > start]
        while waiting and waiting[-1][1][d][0] <= start:
            here.append(waiting.pop())
        fault = _first_fault(extents, here, copies, d + 1)
        if fault is not None:
            return ((start, stop), *fault[0]), fault[1]
    return None


def require_cover(extents: Sequence[int], parts: Sequence[Tuple[Any, Box]], what: str = "shard",
                  of: str = "of rank", copies: bool = True) -> None:
    """Raises Malformed unless every index is in one box, or in boxes that are equal.

    parts     boxes with the ranks that have them, or with other names
    what, of  the words for one of them, and before its rank or name
    copies    whether there may be equal boxes
    """
    def ranks_of(names: Sequence[Any]) -> List[int]:
        return sorted(set(names)) if of == "of rank" else []

    for name, box in parts:
        outside = [d for d, (pair, extent) in enumerate(zip(box, extents))
                   if not 0 <= pair[0] <= pair[1] <= extent]
        if outside:
            refuse(Malformed, "shards.range", f"the indices {text_of(box)} in the {what} {of} "
                   f"{name}", f"indices within {text_of(tuple((0, n) for n in extents))}",
                   ranks=ranks_of([name]), dimension=outside[0])
    fault = None if 0 in extents else _first_fault(
        extents, [part for part in parts if volume(part[1]) > 0], copies)
    if fault is None:
        return
    where, names = fault
    if not names:
        refuse(Malformed, "shards.gap", f"indices {text_of(where)} in no {what}",
               f"each index in a {what}")
    refuse(Malformed, "shards.overlap", f"indices {text_of(where)} in two {what}s, {of} "
           f"{names[0]} and {of} {names[1]}", f"each index in one {what}"
           + (f", or in {what}s that are equal" if copies else ""), ranks=ranks_of(names))


def runs_of(ranges: Sequence[Range]) -> Runs:
    """The same indices in increasing order, ranges that touch joined."""
    joined: List[Range] = []
    for start, stop in sorted(set(ranges)):
        if joined and joined[-1][1] == start:
            joined[-1] = (joined[-1][0], stop)
        elif stop > start:
            joined.append((start, stop))
    return tuple(joined)


def length(runs: Runs) -> int:
    return sum(stop - start for start, stop in runs)


def runs_along(extents: Sequence[int], parts: Sequence[Part],
               ranks: int) -> List[Optional[Tuple[Runs, ...]]]:
    """What each rank has along each dimension; None for a rank without elements.

    Raises NotRepresentable if the boxes of a rank, which overlap nowhere, are not all
    combinations of such indices.
    """
    boxes: Dict[int, List[Box]] = {}
    for rank, box in dict.fromkeys(parts):
        if volume(box) > 0:
            boxes.setdefault(rank, []).append(box)
    held: List[Optional[Tuple[Runs, ...]]] = [None] * ranks
    for rank, own in boxes.items():
        along = tuple(runs_of([box[d] for box in own]) for d in range(len(extents)))
        if prod(map(length, along)) != sum(map(volume, own)):
            refuse(NotRepresentable, "shards.grid",
                   f"shards {' and '.join(map(text_of, own[:2]))} of one rank",
                   "the shards of a rank as all combinations of ranges along the dimensions",
                   "Describe each of them as an array of its own.", ranks=[rank])
        held[rank] = along
    return held


def _no_grid(found: str) -> NoReturn:
    refuse(NotRepresentable, "shards.grid", found, "shards in a grid: all combinations of ranges "
           "along the dimensions, with as many ranks for each",
           "Flatten the array, or copy it to such shards; leave ranks without a shard out of the "
           "communicator: comm.Split.")


def _block_size(parts: Sequence[Runs], extent: int) -> int:
    """The block size, if the parts of a dimension are blocks dealt in turn; else 0."""
    width = parts[0][0][1] - parts[0][0][0]
    for k, runs in enumerate(parts):
        dealt = tuple((start, min(start + width, extent))
                      for start in range(k * width, extent, len(parts) * width))
        if runs != dealt:
            return 0
    return width


class Grid:
    """A process grid on which the ranks have what they have.

    extents  global extents
    held     for each rank what it has along each dimension; None if it has no element

    Ranks with equal parts have copies: the first of them owns, and one dimension is divided by
    lists. Ranks without elements are at the end of a dimension. Raises NotRepresentable.

    Rows [0, 3) on ranks 0 and 1 and [3, 5) on ranks 2 and 3: dimension 0 has a grid of 4, with the
    lists 0 1 2, 0 1 2, 3 4, 3 4, of which ranks 0 and 2 own theirs.
    """

    def __init__(self, extents: Sequence[int],
                 held: Sequence[Optional[Tuple[Runs, ...]]]) -> None:
        self.extents, self.held = tuple(extents), list(held)
        ndim, ranks = len(self.extents), len(self.held)
        cells = [cell for cell in self.held if cell is not None]
        self.parts = [sorted({cell[d] for cell in cells}) for d in range(ndim)]
        self.sizes = [max(1, len(parts)) for parts in self.parts]
        self.copied = self.extended = -1
        self.copies = 1
        if 0 in self.extents:
            self.extended = self.extents.index(0)
            self.sizes[self.extended] = ranks
            return
        counts = Counter(cells)
        self.copies = len(cells) // prod(self.sizes)
        if set(counts.values()) != {self.copies} or any(
                sum(map(length, parts)) != extent
                for parts, extent in zip(self.parts, self.extents)):
            _no_grid("shards that are no grid, or not as many copies of each")
        if ndim == 0 and ranks > 1:
            _no_grid(f"an array without dimensions on {ranks} ranks")
        if self.copies > 1:
            self.copied = min(range(ndim), key=lambda d: self.extents[d] // self.sizes[d])
            self.sizes[self.copied] *= self.copies
        empty = ranks - len(cells)
        if empty:
            fits = [d for d in range(ndim) if empty * self.sizes[d] % prod(self.sizes) == 0]
            if not fits:
                _no_grid(f"{empty} of {ranks} ranks without a shard of "
                         f"{' x '.join(map(str, self.sizes))}")
            self.extended = max(fits, key=lambda d: self.sizes[d])
            self.sizes[self.extended] += empty * self.sizes[self.extended] // prod(self.sizes)

    def _position(self, rank: int) -> List[int]:
        """Coordinates of a rank on the grid."""
        cell = self.held[rank]
        before = sum(other == cell for other in self.held[:rank])
        if cell is not None:
            position = [parts.index(runs) for parts, runs in zip(self.parts, cell)]
            if self.copied >= 0:
                position[self.copied] = position[self.copied] * self.copies + before
            return position
        position = [0] * len(self.sizes)
        for d in reversed(range(len(self.sizes))):
            if d != self.extended:
                before, position[d] = divmod(before, self.sizes[d])
        taken = len(self.parts[self.extended]) * (self.copies if self.extended == self.copied
                                                  else 1)
        position[self.extended] = taken + before
        return position

    def dimensions(self, rank: int) -> Tuple[Tuple[Dict[str, Any], ...], Tuple[int, ...]]:
        """The dictionaries of a rank's dimensions, and its local shape."""
        dictionaries, shape = [], []
        for d, (size, at, extent) in enumerate(zip(self.sizes, self._position(rank),
                                                   self.extents)):
            copies = self.copies if d == self.copied else 1
            first = at % copies == 0
            parts = self.parts[d] or [((0, extent),)] * (size == 1)
            runs = parts[at // copies] if at // copies < len(parts) else ()
            shape.append(length(runs))
            on = {"size": extent, "proc_grid_size": size, "proc_grid_rank": at}
            dictionaries.append(self._dimension(d, on, runs, copies, first))
        return tuple(dictionaries), tuple(shape)

    def _dimension(self, d: int, on: Dict[str, Any], runs: Runs, copies: int,
                   first: bool) -> Dict[str, Any]:
        import numpy
        extent = self.extents[d]
        if on["proc_grid_size"] == 1 and (d > 0 or len(self.held) == 1 or max(self.sizes) > 1):
            return {"dist_type": "n", "size": extent}
        if copies == 1 and all(len(each) == 1 for each in self.parts[d]):
            start, stop = runs[0] if runs else (extent, extent)
            return {"dist_type": "b", **on, "start": start, "stop": stop}
        width = _block_size(self.parts[d], extent)
        if copies == 1 and d != self.extended and width:
            return {"dist_type": "c", **on, "start": runs[0][0], "block_size": width}
        lists = [numpy.arange(start, stop) for start, stop in runs]
        indices = numpy.concatenate(lists) if lists else numpy.zeros(0, "int64")
        owned = {"owned": len(indices) if first else 0} if copies > 1 else {"one_to_one": True}
        return {"dist_type": "u", **on, "indices": indices, **owned}


def boxes_of(array: "_daptor.Array") -> List[Tuple[Box, Tuple[slice, ...]]]:
    """The boxes of what this rank owns of the interior, each with where it is in the section."""
    import numpy
    along: List[List[Tuple[Range, slice]]] = []
    for held, pick, extent in zip(array._held, array._interior_picks, array.local_shape):
        if isinstance(held, tuple) and isinstance(pick, slice):
            start, stop = held
            along.append([((start, stop), slice(pick.start, pick.start + stop - start))]
                         if stop > start else [])
            continue
        numbers = numpy.arange(*held) if isinstance(held, tuple) else held
        places = numpy.arange(extent)[pick]
        apart = (numpy.diff(numbers) != 1) | (numpy.diff(places) != 1)
        firsts = [0, *(numpy.flatnonzero(apart) + 1).tolist()] if len(numbers) else []
        lasts = [*firsts[1:], len(numbers)]
        along.append([((int(numbers[i]), int(numbers[i]) + j - i),
                       slice(int(places[i]), int(places[i]) + j - i))
                      for i, j in zip(firsts, lasts)])
    return [(tuple(pair for pair, _ in each), tuple(where for _, where in each))
            for each in product(*along)]
