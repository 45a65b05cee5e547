# SPDX-License-Identifier: BSD-3-Clause
"""Distributed arrays in HDF5 files: any layout out, any layout and any number of ranks in.

    import daptor
    daptor.save(a, "state.h5", "temperature", {"time": t})
    b = daptor.load("state.h5", "temperature", comm, ghosts=1)

    from daptor import hdf5
    hdf5.append(a, "run.h5", "temperature", {"time": t})      # one more step
    hdf5.load_into(c, "state.h5", "temperature")   # c: any daptor.Array of that global shape
    hdf5.inspect("state.h5", "temperature", comm).attrs["time"]

The dataset has the array's global shape, in the order of the global indices, without ghost cells;
h5py reads it without daptor.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Tuple, Union

from . import _hdf5
from ._arrays.allocating import zeros
from ._daptor import Array
from ._showing.signatures import passes_options

__all__ = ["Dataset", "append", "inspect", "load", "load_into", "save", "save_all",
           "write_xdmf"]

Path = Union[str, "os.PathLike[str]"]
Progress = Union[bool, Callable[[int, int], Any]]


@dataclass(frozen=True)
class Dataset:
    """A dataset in a file, without its elements; the same on all ranks.

    shape  extents of the array in the file
    dtype  NumPy's name of the element type, as "<f8"; None if daptor has none like it
    attrs  its attributes that are numbers, bools (as 0 and 1), texts or lists of these; daptor's
           own begin with daptor_
    steps  the numbers that append() was given with the steps: lists with one for each, by name
    elements
           what an element is, in words, also without a dtype: "float64", "text"
    left_out
           the other attributes, and what they are: {"matrix": "numbers in 2 dimensions"}

    The shape of a dataset of steps counts those that are complete.
    """
    shape: Tuple[int, ...]
    dtype: Optional[str]
    attrs: Dict[str, Any]
    steps: Dict[str, Any] = field(default_factory=dict)
    elements: str = ""
    left_out: Dict[str, str] = field(default_factory=dict)


@passes_options("_hdf5.save")
def save(array: Array, path: Path, name: str, attrs: Optional[Mapping[str, Any]] = None, *,
         progress: Progress = False, **options: Any) -> None:
    """Writes an array as one dataset. Collective over the array's communicator.

    path           the file, which all ranks see; it appears, or is replaced, whole or not at all.
                   A file that exists is copied first, if other datasets are in it
    name           of the dataset, with its groups, which are made: "run/temperature"
    attrs          a dict of attributes: numbers, bools, texts, lists of these
    {options}
    progress       True: rank 0 draws a bar on stderr. A function is called with the number of bytes
                   that have been moved and that of all, on the ranks that pass one; what it raises
                   ends the call on all ranks with ProducerFailed, and is its cause

    All other arguments are the same on all ranks. Nothing is copied if each rank owns a box in C
    order; anything else is redistributed to slabs. Raises on all ranks, and the file is unchanged:
    InvalidArgument (hdf5.taken, hdf5.busy, hdf5.directory, hdf5.access, ...), LibraryFailed
    (hdf5.space, hdf5.io, library.hdf5).
    """
    _hdf5.save(array, path, name, attrs=_as_dict(attrs), progress=_function(progress, array),
               **options)


@passes_options("_hdf5.save_all")
def save_all(arrays: Mapping[str, Array], path: Path, attrs: Optional[Mapping[str, Any]] = None,
             *, progress: Progress = False, **options: Any) -> None:
    """Writes several arrays in one go. Collective over their communicator.

    arrays  a dict with the arrays by the names of their datasets, on the same ranks, in the same
            order on all ranks
    attrs   those of each dataset

    All of them are in the file, or none is, and what was there before is copied once. The other
    arguments and the errors are those of save().

        hdf5.save_all({"temperature": t, "velocity/x": u}, "state.h5", {"time": 0.5})
    """
    _hdf5.save_all(dict(arrays), path, attrs=_as_dict(attrs),
                   progress=_function(progress, *list(arrays.values())[:1]), **options)


@passes_options("_hdf5.append")
def append(array: Array, path: Path, name: str, numbers: Optional[Mapping[str, Any]] = None, *,
           progress: Progress = False, **options: Any) -> int:
    """Adds an array as the next step to a dataset of one dimension more. Collective.

    numbers  of this step, such as {"time": t}, of the same names with each step; they are in
             datasets beside, as temperature_time
    {options}

    The first dimension of the dataset counts the steps, and is unlimited. A step counts when it is
    complete; what is in the file before stays whole whenever a process is killed. Returns the
    number of the step, from 0. The other arguments are those of save(). Raises on all ranks
    InvalidArgument (hdf5.series, hdf5.step, hdf5.shape, hdf5.type, ...), LibraryFailed, and the
    steps that were there are unchanged.

        hdf5.append(a, "run.h5", "temperature", {"time": t})
        b = hdf5.load("run.h5", "temperature", comm, step=-1)
    """
    return _hdf5.append(array, path, name, numbers=_as_dict(numbers),
                        progress=_function(progress, array), **options)


def _as_dict(given: Any) -> Any:
    return dict(given) if isinstance(given, Mapping) else given


def _function(progress: Any, array: Any = None) -> Any:
    """The function for the compiled part; for True a bar on the first rank of the array."""
    if progress is True:
        comm = getattr(array, "comm", None)
        return _bar if comm is None or comm.rank == 0 else None
    return None if progress is False else progress


def _bar(done: int, total: int) -> None:
    """Draws `[######......]  50 %  1.0 of 2.0 GB`."""
    share = done / total if total else 1.0
    filled = int(40 * share)
    sys.stderr.write(f"\r[{'#' * filled}{'.' * (40 - filled)}] {share:4.0%}  "
                     f"{done / 1e9:.1f} of {total / 1e9:.1f} GB" + ("\n" if done == total else ""))
    sys.stderr.flush()


@passes_options("_hdf5.load_into")
def load_into(array: Array, path: Path, name: str, *, progress: Progress = False,
              **options: Any) -> None:
    """Reads a dataset into an array of its global shape. Collective over the array's communicator.

    {options}
    progress  as for save()

    Whatever the layout and the number of ranks with which it was saved, and whichever program wrote
    it. Raises on all ranks InvalidArgument (hdf5.missing, hdf5.dataset, hdf5.shape, hdf5.type, ...)
    before the array is written, LibraryFailed (hdf5.io, library.hdf5) and InvalidArgument
    (hdf5.changed) when its values are no longer known.
    """
    _hdf5.load_into(array, path, name, progress=_function(progress, array), **options)


def load(path: Path, name: str, comm: Any, *, ghosts: Union[int, Sequence[int]] = 0,
         grid: Optional[Sequence[int]] = None,
         periodic: Optional[Union[bool, Sequence[bool]]] = None, dtype: Any = None,
         convert: bool = False, memory_bytes: int = 0, numbering: Optional[str] = None,
         step: Optional[int] = None, progress: Progress = False) -> Array:
    """Reads a dataset into a new block array. Collective over `comm`.

    ghosts    width of the ghost cells on all sides, as for block(); those of a boundary are 0
    grid, periodic
              as for block()
    dtype     element type, with convert=True; None: that of the dataset in this machine's byte
              order
    convert, memory_bytes, numbering, step, progress
              as for load_into()

    Raises as load_into(); also, on several ranks, InvalidArgument (hdf5.shape) for one number
    without dimensions.
    """
    import numpy
    found = Dataset(*_hdf5.inspect(path, name, comm, step is not None))
    if dtype is None:
        dtype = numpy.dtype(found.dtype).newbyteorder("=")
    shape = found.shape if step is None else found.shape[1:]
    array = zeros(shape, comm, dtype=dtype, grid=grid, ghosts=ghosts, periodic=periodic)
    load_into(array, path, name, convert=convert, memory_bytes=memory_bytes, numbering=numbering,
              step=step, progress=progress)
    return array


def inspect(path: Path, name: str, comm: Any) -> Dataset:
    """Looks at a dataset; reads no element. Collective over `comm`.

    Raises on all ranks InvalidArgument: hdf5.missing, hdf5.access, hdf5.foreign, hdf5.damaged,
    hdf5.dataset, hdf5.format.
    """
    return Dataset(*_hdf5.inspect(path, name, comm))


def write_xdmf(path: Path, names: Union[str, Sequence[str]], comm: Any, *,
               spacing: Sequence[float], origin: Optional[Sequence[float]] = None,
               cells: bool = False) -> str:
    """Writes an XDMF file beside an HDF5 file, which ParaView opens. Collective over `comm`.

    names    of a dataset, or of several of the same shape
    spacing  distance from one point to the next, greater than 0, for each of three dimensions,
             z, y, x, or of two
    origin   place of the first point. None: at 0
    cells    the values belong to the cells between the points

    On a grid of three dimensions a dataset may have one more of size 3 for vectors. Datasets of
    steps are shown at the times that append() was given as "time"; write the file again after more
    of them. Returns the path of the file: "state.xdmf" of "state.h5". Raises on all ranks as
    load(), and InvalidArgument (hdf5.xdmf).

        hdf5.write_xdmf("state.h5", "temperature", comm, spacing=(0.5, 0.5))
    """
    return _hdf5.write_xdmf(path, names, comm, spacing=spacing, origin=origin, cells=cells)
