# SPDX-License-Identifier: BSD-3-Clause
"""Arrays on memory of their own, and how much a rank needs for one."""

from __future__ import annotations

from typing import Any, Callable, Literal, Optional, Sequence, Tuple, Union

from . import _daptor
from ._builders import (Bounds, Extents, Grid, Section, Widths, block_dimensions, named,
                        refuse_masked)

Order = Literal["C", "F"]
Ghosts = Union[int, Sequence[int]]
Periodic = Union[bool, Sequence[bool]]


@named(1)
def local_shape(shape: Extents, comm: Any, *, grid: Optional[Grid] = None, ghosts: Ghosts = 0,
                padding: Widths = 0, boundary: Widths = 0, periodic: Periodic = False,
                bounds: Optional[Bounds] = None) -> Tuple[int, ...]:
    """The shape of this rank's section, including all padding: allocate this for block().

    Collective over `comm`. Arguments as for block().

    Raises, on all ranks, InvalidArgument and Malformed as block().

        u = numpy.zeros(daptor.local_shape((40, 30), comm, ghosts=1))
        a = daptor.block(u, comm, shape=(40, 30), ghosts=1)
    """
    return _daptor.agreed(comm, lambda: block_dimensions(
        shape, comm, grid, padding, boundary, periodic, ghosts, bounds)).local_shape


def _allocated(make: Callable[[Tuple[int, ...]], Any], shape: Extents, comm: Any,
               **layout: Any) -> "_daptor.Array":
    section = Section(None, lambda _: block_dimensions(shape, comm, **layout), make)
    return _daptor._import_section(section, comm)


@named(1)
def zeros(shape: Extents, comm: Any, *, dtype: Any = float, order: Order = "C",
          grid: Optional[Grid] = None, ghosts: Ghosts = 0, padding: Widths = 0,
          boundary: Widths = 0, periodic: Periodic = False,
          bounds: Optional[Bounds] = None) -> "_daptor.Array":
    """A block array of zeros, each rank's section a new NumPy array. Collective over `comm`.

    shape  global extents, as for block()
    dtype  element type
    order  which dimension varies fastest in memory: "C", the last, or "F", the first
    grid, ghosts, padding, boundary, periodic, bounds
           as for block()

    numpy.asarray(a) is this rank's section, including padding; the memory lives as long as any
    object made from it.

        velocity = daptor.zeros((ny, nx, 2), comm, grid=(0, 0, None), ghosts=1)  # two components

    Raises, on all ranks, as block(), and ProducerFailed if NumPy has no such type or memory is
    exhausted.
    """
    import numpy
    return _allocated(lambda local: numpy.zeros(local, dtype, order), shape, comm, grid=grid,
                      ghosts=ghosts, padding=padding, boundary=boundary, periodic=periodic,
                      bounds=bounds)


@named(1)
def empty(shape: Extents, comm: Any, *, dtype: Any = float, order: Order = "C",
          grid: Optional[Grid] = None, ghosts: Ghosts = 0, padding: Widths = 0,
          boundary: Widths = 0, periodic: Periodic = False,
          bounds: Optional[Bounds] = None) -> "_daptor.Array":
    """As zeros(), but with uninitialized elements. Collective over `comm`."""
    import numpy
    return _allocated(lambda local: numpy.empty(local, dtype, order), shape, comm, grid=grid,
                      ghosts=ghosts, padding=padding, boundary=boundary, periodic=periodic,
                      bounds=bounds)


@named(2)
def full(shape: Extents, value: Any, comm: Any, *, dtype: Any = None, order: Order = "C",
         grid: Optional[Grid] = None, ghosts: Ghosts = 0, padding: Widths = 0,
         boundary: Widths = 0, periodic: Periodic = False,
         bounds: Optional[Bounds] = None) -> "_daptor.Array":
    """As zeros(), but with all elements set to `value`, including padding. Collective over `comm`.

    dtype  element type; None: the type of `value`
    """
    import numpy

    def make(local: Tuple[int, ...]) -> Any:
        refuse_masked("value", value)
        return numpy.full(local, value, dtype, order)

    return _allocated(make, shape, comm, grid=grid, ghosts=ghosts, padding=padding,
                      boundary=boundary, periodic=periodic, bounds=bounds)
