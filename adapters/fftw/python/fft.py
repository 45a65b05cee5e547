# SPDX-License-Identifier: BSD-3-Clause
"""Fourier transforms of distributed arrays where they lie, and the tilings of FFT libraries.

    from daptor import fft
    t = fft.Transform(a)               # a: any daptor.Array, with padding too
    t.forward()                        # t.output is in the layout that costs least
    k = t.frequencies(0)
    t.backward()                       # into a

    fft.box(a)                         # corners and strides: oneMKL, cuFFTMp, heFFTe
    fft.tile(a)                        # bounds, fast, mid, slow: fftMPI
    fft.slab(a)                        # one divided dimension: oneMKL, FFTW-MPI
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Tuple

from . import _fftw
from ._daptor import Array
from ._fftw import Transform

__all__ = ["Box", "Slab", "Tile", "Transform", "box", "complex_view", "fitting_output", "slab",
           "tile"]


def _represented(self: Transform) -> str:
    return (f"<daptor.fft.Transform of {self.input!r}: {self.redistributions} redistributions, "
            f"{self.bytes_sent} bytes sent by this rank>")


setattr(Transform, "__repr__", _represented)


@dataclass(frozen=True)
class Box:
    """The part of a grid that a process owns. One entry for each dimension of the array.

    shape    of the whole grid
    lower    first index of this process
    upper    one past its last index
    strides  from one index to the next, in elements
    order    dimensions from the one that varies fastest in memory to the slowest
    packed   whether the elements follow each other without gaps
    """
    shape: Tuple[int, ...]
    lower: Tuple[int, ...]
    upper: Tuple[int, ...]
    strides: Tuple[int, ...]
    order: Tuple[int, ...]
    packed: bool


@dataclass(frozen=True)
class Tile:
    """A tile in fftMPI's words: the dimension that varies fastest comes first.

    dimensions  of the array
    sizes       nfast, (nmid,) nslow
    lower       ilo, jlo(, klo), from 0
    upper       ihi, jhi(, khi), which belong to the tile; lower - 1 where it is empty
    """
    dimensions: Tuple[int, ...]
    sizes: Tuple[int, ...]
    lower: Tuple[int, ...]
    upper: Tuple[int, ...]


@dataclass(frozen=True)
class Slab:
    """A division along one dimension.

    dimension   the dimension that is divided
    start       first index of this process; the size if it has none
    count       number of indices of this process
    row_pitch   elements from one row of the last dimension to the next
    """
    dimension: int
    start: int
    count: int
    row_pitch: int


def box(array: Array) -> Box:
    """The box that this process owns of an array. Process-local.

    Raises NotRepresentable for indices that are no range (fft.division), and for strides that are
    no multiples of the element size (fft.strides).
    """
    shape, lower, upper, strides, order, packed = _fftw.box(array)
    return Box(tuple(shape), tuple(lower), tuple(upper), tuple(strides), tuple(order), packed)


def tile(array: Array) -> Tile:
    """The tile of each process, for fftMPI. Collective over the array's communicator.

    Raises NotRepresentable on all ranks for an array that is no packed tile of complex numbers in
    two or three dimensions, in the same memory order on all ranks.
    """
    return Tile(*(tuple(each) for each in _fftw.tile(array)))


def slab(array: Array, *, division: str = "even") -> Slab:
    """The slab of each process. Collective over the array's communicator.

    division  "even": the first processes have the remainder (oneMKL); "ceiling": ceil(size / n)
              each, and the last ones the rest (FFTW-MPI)

    Raises NotRepresentable on all ranks for an array that is no row-major slab in the order of the
    ranks.
    """
    return Slab(*_fftw.slab(array, division=division))


def complex_view(array: Array) -> Array:
    """Pairs of real numbers as complex numbers, on the same memory. Process-local.

    The pairs are the last, undistributed axis, of size 2, or lie along the axis that varies
    fastest. Raises InvalidArgument (fft.pairs), on this rank alone, for anything else.
    """
    return _fftw.complex_view(array)


def fitting_output(array: Array, *, axes: Any = None) -> Array:
    """A new array in the layout in which a transform costs least. Process-local.

    axes  as for Transform
    """
    return _fftw.fitting_output(array, axes=axes)
