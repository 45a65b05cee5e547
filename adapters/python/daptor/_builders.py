"""Distributed arrays from the sections that the ranks have: NumPy arrays and other buffers.

Each builder is a small producer, which import_ takes as any other: its description is judged by
the same rules, and what is wrong on one rank is the same error on all of them.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import (Any, Callable, Dict, List, Optional, Sequence, Tuple, TypeVar, Union,
                    cast)

from . import _daptor

Dimensions = Tuple[Dict[str, Any], ...]
Extents = Union[int, Sequence[int]]
Width = Union[int, Sequence[int]]
Widths = Union[Width, Sequence[Width]]


class _Section:
    """A producer: a buffer, and a function that describes its dimensions."""

    def __init__(self, array: Any, dimensions: Callable[[], Dimensions]) -> None:
        self.array = array
        self.dimensions = dimensions

    def __distarray__(self) -> Dict[str, Any]:
        return {"__version__": "0.9.0", "buffer": self.array, "dim_data": self.dimensions()}


def _shape(shape: Any) -> Tuple[int, ...]:
    return tuple(shape) if isinstance(shape, Iterable) else (shape,)


def _grid(grid: Any) -> List[int]:
    return [] if grid is None else list(_shape(grid))


def _extents(array: Any) -> Tuple[int, ...]:
    with memoryview(array) as view:
        return tuple(view.shape or ())


def _pair(key: str, width: Width) -> Tuple[int, int]:
    if not isinstance(width, Iterable):
        return (width, width)
    pair = tuple(width)
    if len(pair) != 2:
        _daptor._invalid_argument(key, repr(width), "a width, or a pair (lower, upper)")
    return (pair[0], pair[1])


def _pairs(key: str, widths: Widths, ndim: int) -> List[Tuple[int, int]]:
    """A width for all edges, or for each dimension one or a pair; empty where all are 0."""
    if not isinstance(widths, Iterable):
        return [(widths, widths)] * ndim if widths else []
    return [_pair(key, width) for width in _each(key, widths, ndim)]


def _each(key: str, values: Any, ndim: int) -> List[Any]:
    """One value for all dimensions, or a sequence with one for each."""
    if not isinstance(values, Iterable):
        return [values] * ndim
    values = list(values)
    if len(values) != ndim:
        _daptor._invalid_argument(key, f"{len(values)} entries",
                                  f"one for each of {ndim} dimensions")
    return values


_Builder = TypeVar("_Builder", bound=Callable[..., Any])


def _named(position: int) -> Callable[[_Builder], _Builder]:
    """Names a builder in an error about ranks that are in different collective calls.

    position  of the communicator among the arguments
    """
    def decorate(builder: _Builder) -> _Builder:
        @functools.wraps(builder)
        def build(*arguments: Any, **named: Any) -> Any:
            comm = arguments[position] if position < len(arguments) else named.get("comm")
            with _daptor._Call(comm, builder.__name__):
                return builder(*arguments, **named)
        return cast(_Builder, build)
    return decorate


@_named(1)
def block(array: Any, comm: Any, *, shape: Optional[Extents] = None,
          grid: Optional[Extents] = None, padding: Widths = 0, boundary: Widths = 0,
          periodic: Union[bool, Sequence[bool]] = False) -> "_daptor.Array":
    """An n-d block array of the ranks' sections. Collective over `comm`; no copy.

    array     this rank's section, all padding included: any buffer (PEP 3118)
    comm      a communicator of mpi4py or petsc4py; ranks are row-major on the grid
    shape     global extents (a number for one dimension), divided evenly, the remainder to the
              first ranks. None: sections lie one after another along dimension 0, each as long as
              it is
    grid      processes along each dimension, 0: to be chosen; None: as MPI_Dims_create divides them
    padding   communication padding: copies of what neighbours own, outside of `shape`. A width for
              all edges, or for each dimension a width or a pair (lower, upper). On internal edges,
              and on all edges of a periodic dimension
    boundary  boundary padding: part of `shape`, at external edges of dimensions not periodic
    periodic  of all dimensions, or of each

    Raises, on all ranks: Malformed (T10) where a section has another shape than its share;
    InvalidArgument for a grid that is not the communicator's, or a wrong number of entries.

        u = numpy.zeros((22, 17))  # on 4 ranks: 20 x 15 of 40 x 30, and copies around them
        a = daptor.block(u, comm, shape=(40, 30), padding=1, periodic=True)
    """
    if _same(comm, "shape", shape is None):
        return _stacked(array, comm, padding, boundary, periodic)

    def dimensions() -> Dimensions:
        extents = _shape(shape)
        ndim = len(extents)
        return _daptor._block_dimensions(
            extents, comm, _grid(grid), _pairs("padding", padding, ndim),
            _pairs("boundary", boundary, ndim), _each("periodic", periodic, ndim))

    return _daptor.import_(_Section(array, dimensions), comm)


def _same(comm: Any, key: str, absent: bool) -> bool:
    """Collective: whether an argument is absent, which is so on all ranks or on none."""
    return _daptor._same_truth(comm, key, absent)


def _stacked(array: Any, comm: Any, padding: Widths, boundary: Widths,
             periodic: Any) -> "_daptor.Array":
    def local() -> Tuple[int, ...]:
        if padding or boundary or periodic:
            _daptor._invalid_argument("shape", "None", "the global extents, where there is padding")
        extents = _extents(array)
        if not extents:
            _daptor._invalid_argument("array", "no dimension", "a dimension that is divided")
        return extents

    extents = _daptor.agreed(comm, local)
    start, size = _daptor._offsets(comm, extents[0])
    rank, ranks = _daptor._rank_and_size(comm)
    first = {"dist_type": "b", "size": size, "proc_grid_size": ranks, "proc_grid_rank": rank,
             "start": start, "stop": start + extents[0]}
    rest = tuple({"dist_type": "n", "size": extent} for extent in extents[1:])
    return _daptor.import_(_Section(array, lambda: (first, *rest)), comm)


@_named(1)
def cyclic(array: Any, comm: Any, *, shape: Extents, grid: Optional[Extents] = None,
           block_size: Union[int, Sequence[int]] = 1,
           origin: Union[int, Sequence[int]] = 0) -> "_daptor.Array":
    """A cyclic or block-cyclic array of the ranks' sections. Collective over `comm`; no copy.

    array       this rank's section: any buffer (PEP 3118)
    shape       global extents
    grid        as for block()
    block_size  indices that are dealt at a time, in all dimensions or each (ScaLAPACK's MB, NB)
    origin      grid rank that gets the first block, in all dimensions or each (RSRC, CSRC)

    Raises as block().
    """

    def dimensions() -> Dimensions:
        extents = _shape(shape)
        ndim = len(extents)
        return _daptor._cyclic_dimensions(extents, comm, _grid(grid),
                                          _each("block_size", block_size, ndim),
                                          _each("origin", origin, ndim))

    return _daptor.import_(_Section(array, dimensions), comm)


@_named(2)
def unstructured(array: Any, indices: Any, comm: Any, *, size: int,
                 one_to_one: bool = False) -> "_daptor.Array":
    """An array whose first dimension is divided by lists of global indices. Collective; no copy.

    array       this rank's section, as long as `indices` in its first dimension
    indices     this rank's global indices, in local order: a buffer of integers, of 64 bits and
                contiguous to be used in place
    size        global extent of the first dimension
    one_to_one  promises that no index is on two ranks; validate(a, level="full") proves it

    Raises, on all ranks, Malformed where the sections do not make one array.
    """

    def dimensions() -> Dimensions:
        rank, ranks = _daptor._rank_and_size(comm)
        first = {"dist_type": "u", "size": size, "proc_grid_size": ranks, "proc_grid_rank": rank,
                 "indices": indices}
        if one_to_one:
            first["one_to_one"] = True
        return (first, *({"dist_type": "n", "size": extent} for extent in _extents(array)[1:]))

    return _daptor.import_(_Section(array, dimensions), comm)
