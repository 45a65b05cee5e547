# SPDX-License-Identifier: BSD-3-Clause
"""`__partitioned__`, the dictionary by which Heat, Modin and others hand out distributed data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Dict, List, NoReturn, Tuple

from .. import _daptor
from .._arrays.builders import _integers, array_in, builder, type_text
from .._bindings import method_of
from .._daptor import Array
from .._errors import NotRepresentable
from .boxes import Box, Grid, boxes_of, refuse, require_cover, runs_along
from .shards import digest, gathered, imported, parts_of, section_of

_NAMES = ("__partitioned__", "__partitioned_interface__")


def _refuse(found: str, expected: str, remedy: str = "") -> NoReturn:
    _daptor._invalid_argument("__partitioned__", found, expected, remedy)


def _dictionary(obj: Any) -> Mapping[Any, Any]:
    """The dictionary of an object, which has it as an attribute or returns it; or `obj` itself."""
    given = obj
    if not isinstance(given, Mapping):
        given = next((getattr(obj, name) for name in _NAMES if hasattr(obj, name)), None)
        given = given() if callable(given) else given
    if not isinstance(given, Mapping):
        _refuse(type_text(obj), "an object with __partitioned__, or its dictionary")
    for key in ("shape", "partitions"):
        if key not in given:
            _refuse(f"a dictionary without {key!r}", "the keys 'shape' and 'partitions'")
    if not isinstance(given["partitions"], Mapping) or not given["partitions"]:
        _refuse("'partitions' without entries", "a partition for each position")
    return given


def _entry(partition: Any, position: Any, key: str, ndim: int) -> List[int]:
    """`start` or `shape` of a partition: a number, a tuple, a torch.Size or an array of them."""
    values = partition.get(key)
    if values is None:
        _refuse(f"a partition {position} without {key!r}", f"{key!r} for each partition")
    numbers = _integers(key, values.tolist() if hasattr(values, "tolist") else values)
    if len(numbers) != ndim:
        _refuse(f"{len(numbers)} numbers as {key!r} of the partition {position}",
                f"one for each of {ndim} dimensions")
    return numbers


def _own_positions(given: Mapping[Any, Any], rank: int) -> List[Any]:
    """The positions of this rank's partitions: 'locals', or those whose location is its number."""
    partitions = given["partitions"]
    if given.get("locals") is not None:
        unknown = [position for position in given["locals"] if position not in partitions]
        if unknown:
            _refuse(f"the position {unknown[0]} in 'locals' and not in 'partitions'",
                    "positions of partitions")
        return list(given["locals"])
    own = []
    for position, partition in partitions.items():
        where = partition.get("location", ())
        where = [where] if isinstance(where, (int, str)) or not isinstance(where, Iterable) else [
            *where]
        if not where or not all(hasattr(type(each), "__index__") for each in where):
            _refuse(f"the location {where!r} of the partition {position}",
                    "ranks, or 'locals': the positions of this rank's partitions",
                    "Bring each partition to a rank of the communicator, and pass a dictionary "
                    "with 'locals'.")
        if rank in map(int, where):
            own.append(position)
    return own


def _read(obj: Any, rank: int) -> Tuple[List[int], List[Tuple[Any, Box]], List[Box], Any]:
    """Global extents, all boxes by position, this rank's, and its data."""
    given = _dictionary(obj)
    shape = given["shape"]
    extents = _integers("shape", shape.tolist() if hasattr(shape, "tolist") else shape)
    boxes: Dict[Any, Box] = {}
    for position, partition in given["partitions"].items():
        starts = _entry(partition, position, "start", len(extents))
        sizes = _entry(partition, position, "shape", len(extents))
        boxes[position] = tuple((start, start + size) for start, size in zip(starts, sizes))
    own = _own_positions(given, rank)
    if len(own) > 1:
        refuse(NotRepresentable, "partitioned.several", f"{len(own)} partitions on one rank",
               "one partition on each rank, on memory of its own",
               "Join them in one array, and pass that to daptor.from_shards.")
    data = given["partitions"][own[0]].get("data") if own else None
    if data is not None and callable(given.get("get")):
        data = given["get"](data)
    if own and data is None:
        _refuse(f"None as 'data' of this rank's partition {own[0]}", "this rank's elements")
    return extents, list(boxes.items()), [boxes[each] for each in own], data


@builder
def from_partitioned(obj: Any, comm: Any) -> Array:
    """An array of an object with `__partitioned__`. Collective over `comm`; no copy.

    obj   an object of Heat, Modin, ..., with the attribute or the method `__partitioned__`, or its
          dictionary: 'shape', 'partitions' with 'start', 'shape', 'data' and 'location' for each
          position, 'locals', 'get'
    comm  a communicator of mpi4py or petsc4py, whose ranks are those of the object

    Each rank's own partition is in its memory: the one in 'locals' or, without it, the one whose
    'location' has the rank. A partition that several ranks have (Heat: split=None) is copies, owned
    by the lowest of them. 'shape' and 'start' may be tuples, lists, sizes of torch or arrays, and a
    number in one dimension.

    Raises on all ranks: Malformed if partitions leave a gap or overlap (`shards.gap`,
    `shards.overlap`, `shards.range`), or data has another shape; NotRepresentable for several
    partitions on a rank (`partitioned.several`) and for partitions that are no grid
    (`shards.grid`); InvalidArgument for another object, for locations that are no ranks, and if the
    dictionaries differ between ranks.
    """
    rank, ranks = _daptor._rank_and_size(comm)

    def local() -> Tuple[Any, List[Tuple[str, str]]]:
        extents, parts, own, data = _read(obj, rank)
        require_cover(extents, parts, "partition", "at")
        kind = None if data is None else array_in("data", data).dtype.str
        return (extents, own, data, kind), [("shape", repr(tuple(extents))),
                                            ("partitions", digest(sorted(parts)))]

    extents, own, data, kind = _daptor._same(comm, local)
    kinds = gathered(comm, (own, kind))
    parts = [(other, box) for other, (boxes, _) in enumerate(kinds) for box in boxes]

    def placed() -> Tuple[Any, Any]:
        import numpy
        require_cover(extents, parts, "partition")
        dimensions, shape = Grid(extents, runs_along(extents, parts, ranks)).dimensions(rank)
        some = next((kind for _, kind in kinds if kind is not None), "<f8")
        return section_of(numpy.empty(0, some) if data is None else data, shape), dimensions

    return imported(_daptor.agreed(comm, placed), comm)


def _itself(handle: Any) -> Any:
    return handle


class Partitioned:
    """What Array.to_partitioned() returns.

    __partitioned__  the dictionary, whose data is on the array's memory
    """

    def __init__(self, dictionary: Dict[str, Any]) -> None:
        self.__partitioned__ = dictionary


@method_of(Array)
def to_partitioned(self: Array) -> Partitioned:
    """An object with `__partitioned__`, as Heat, Modin and others take it. Collective; no copy.

    Its dictionary has a partition for each part that is in one piece, with the ranks that have it
    as 'location', and as 'data' a NumPy array on this rank's memory, or None on other ranks.
    'locals' are this rank's positions. Ghost cells, boundary padding and copies are left out. An
    attribute of the Array itself would communicate when somebody looks whether it is there.

    Raises Malformed on all ranks if an index has two owners or none (`shards.overlap`,
    `shards.gap`).

        h = heat.from_partitioned(a.to_partitioned())
    """
    import numpy
    with _daptor._Call(self, "Array.to_partitioned"):
        parts = parts_of(self)
        mine = _daptor.agreed(self.comm, lambda: {
            box: numpy.asarray(self)[where] for box, where in boxes_of(self)})
        along = [sorted({box[d] for _, box in parts}) for d in range(self.ndim)]

        def position(box: Box) -> Tuple[int, ...]:
            return tuple(ranges.index(pair) for ranges, pair in zip(along, box))

        partitions = {position(box): {
            "start": tuple(start for start, _ in box),
            "shape": tuple(stop - start for start, stop in box),
            "data": mine.get(box), "location": [rank]} for rank, box in parts}
        return Partitioned({
            "shape": self.shape, "partition_tiling": tuple(map(len, along)),
            "partitions": partitions, "locals": [position(box) for box in mine], "get": _itself})
