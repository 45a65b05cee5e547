# SPDX-License-Identifier: BSD-3-Clause
"""Shards as numbers: (rank, slices), the form to which other libraries' descriptions come down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import prod
from typing import Any, Dict, List, Optional, Sequence, Tuple
from zlib import crc32

from .. import _daptor
from .._arrays.builders import (Extents, Section, _integers, builder, extents_of, integer,
                                memory_of, type_text)
from .._bindings import method_of
from .._daptor import Array
from .boxes import Box, Grid, Part, Range, boxes_of, require_cover, runs_along


def section_of(array: Any, shape: Tuple[int, ...]) -> Any:
    """The memory of a section; for a rank without elements an empty array of its shape."""
    memory = memory_of(array)
    if prod(shape) == 0 and extents_of(memory) != shape and prod(extents_of(memory)) == 0:
        import numpy
        return numpy.empty(shape, numpy.asarray(memory).dtype)
    return memory


def imported(placed: Tuple[Any, Tuple[Dict[str, Any], ...]], comm: Any) -> Array:
    """Collective. The Array of sections with the dimensions that each rank has placed them in."""
    array, dimensions = placed
    made: Array = _daptor._import_section(Section(array, lambda _: dimensions), comm)
    return made


def gathered(comm: Any, value: Any) -> List[Any]:
    """Collective. A value of each rank of a communicator of mpi4py or petsc4py."""
    values: List[Any] = (comm.tompi4py() if hasattr(comm, "tompi4py") else comm).allgather(value)
    return values


def _range(index: Any, extent: Optional[int], dimension: int) -> Range:
    if not isinstance(index, slice) or index.step not in (None, 1):
        _daptor._invalid_argument("shards", f"{index!r} for dimension {dimension}",
                                  "a slice with the step 1")
    start = 0 if index.start is None else integer("shards", index.start)
    if index.stop is None and extent is None:
        _daptor._invalid_argument("shape", "None beside a slice without an end",
                                  "the global extents")
    return start, extent or 0 if index.stop is None else integer("shards", index.stop)


def _rank_of(key: Any, ranks: int) -> int:
    """A rank, or that of a device of JAX: the number of its process."""
    number = integer("shards", getattr(key, "process_index", key), f"a rank, 0 to {ranks - 1}")
    if not 0 <= number < ranks:
        _daptor._invalid_argument("shards", f"a shard of rank {number}",
                                  f"a rank, 0 to {ranks - 1}")
    return number


def _read(shards: Any, shape: Optional[Extents], ranks: int) -> Tuple[List[int], List[Part]]:
    """Global extents and boxes. Process-local."""
    pairs = list(shards.items()) if isinstance(shards, Mapping) else (
        list(shards) if isinstance(shards, Iterable) else None)
    if not pairs or any(not isinstance(pair, tuple) or len(pair) != 2 for pair in pairs):
        _daptor._invalid_argument("shards", type_text(shards) if pairs is None else
                                  "no shard" if not pairs else "entries that are no pairs",
                                  "pairs (rank, slices)")
    indices = [index if isinstance(index, (tuple, list)) else (index,) for _, index in pairs]
    extents = None if shape is None else _integers("shape", shape)
    ndim = len(indices[0]) if extents is None else len(extents)
    wrong = next((index for index in indices if len(index) != ndim), None)
    if wrong is not None:
        _daptor._invalid_argument("shards", f"{len(wrong)} slices",
                                  f"a slice for each of {ndim} dimensions")
    parts = [(_rank_of(key, ranks), tuple(
        _range(one, extents[d] if extents else None, d) for d, one in enumerate(index)))
             for (key, _), index in zip(pairs, indices)]
    if extents is None:
        extents = [max(box[d][1] for _, box in parts) for d in range(ndim)]
    return extents, parts


def digest(value: Any) -> str:
    """A short text that differs where the value's does, for the comparison of ranks."""
    text = repr(value)
    return text if len(text) < 200 else f"{text[:80]} ... (checksum {crc32(text.encode()):08x})"


@builder
def from_shards(shards: Any, array: Any, comm: Any, *, shape: Optional[Extents] = None) -> Array:
    """An array of boxes, of which every rank knows who has them. Collective over `comm`; no copy.

    shards  pairs (rank, slices), the same on all ranks in any order, with a slice for each
            dimension; or a dictionary of them. In place of a rank there may be an object with
            `process_index`: what devices_indices_map(shape) of JAX returns can be passed
    array   this rank's section, as block() takes it. A rank with several shards, which are then all
            combinations of ranges along the dimensions, has them in one buffer, in increasing order
            of their indices; one without a shard passes any empty array of the same type
    comm    a communicator of mpi4py or petsc4py
    shape   global extents; None: those up to the last index of a shard

    Shards that are equal on several ranks are copies, owned by the lowest of these; an update of
    the padding takes its elements. Every rank holds the list, 8 bytes for each index of a dimension
    whose ranges are copies or neither blocks nor dealt in turn, and nothing else.

    Raises on all ranks: Malformed if an index is in no shard (`shards.gap`), in two that differ
    (`shards.overlap`) or outside (`shards.range`), or if a section has another shape;
    NotRepresentable if the shards are no grid (`shards.grid`); InvalidArgument for other arguments,
    and if they differ between ranks.

        rows = [(0, numpy.s_[0:3, :]), (1, numpy.s_[3:5, :])]
        a = daptor.from_shards(rows, u, comm, shape=(5, 7))
        a = daptor.from_shards(x.sharding.devices_indices_map(x.shape),
                               x.addressable_data(0), comm, shape=x.shape)
    """
    rank, ranks = _daptor._rank_and_size(comm)

    def local() -> Tuple[Any, List[Tuple[str, str]]]:
        extents, parts = _read(shards, shape, ranks)
        require_cover(extents, parts)
        dimensions, section = Grid(extents, runs_along(extents, parts, ranks)).dimensions(rank)
        return (section_of(array, section), dimensions), [
            ("shape", repr(tuple(extents))), ("shards", digest(sorted(parts)))]

    return imported(_daptor._same(comm, local), comm)


def parts_of(array: Array) -> List[Part]:
    """Collective. The boxes of all ranks, which cover the interior. Raises Malformed if lists name
    an index twice."""
    own: Sequence[Box] = _daptor.agreed(array.comm, lambda: [box for box, _ in boxes_of(array)])
    parts = [(rank, box) for rank, boxes in enumerate(array.comm.allgather(own)) for box in boxes]
    require_cover(array.shape, parts, copies=False)
    return parts


@method_of(Array)
def to_shards(self: Array) -> List[Tuple[int, Tuple[slice, ...]]]:
    """Which rank owns which part of the array: pairs (rank, slices). Collective.

    Returns the same list on all ranks, in the order of the ranks; whole[slices] are elements of the
    interior, as for a.global_slices. A rank has several pairs where its indices do not follow each
    other (dealt in turn, lists): for a list in no order as many as it has indices. Ghost cells,
    copies and boundary padding are left out.

    Raises Malformed on all ranks if an index has two owners or none (`shards.overlap`,
    `shards.gap`).

        daptor.from_shards(a.to_shards(), a.interior, a.comm)  # the same layout again
    """
    with _daptor._Call(self, "Array.to_shards"):
        return [(rank, tuple(slice(*pair) for pair in box)) for rank, box in parts_of(self)]
