# SPDX-License-Identifier: BSD-3-Clause
"""save() and load(), which lead to the adapter for files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional

from . import _bindings

if TYPE_CHECKING:
    from ._daptor import Array

__all__ = ["load", "save"]


def _hdf5() -> Any:
    """daptor.hdf5, which may be absent. Process-local, as an import is."""
    if _bindings.binding("_hdf5") is None:
        raise ImportError("this daptor was built without HDF5 (DAPTOR_HDF5)")
    from . import hdf5
    return hdf5


def save(array: "Array", path: Any, name: str, attrs: Optional[Mapping[str, Any]] = None,
         **options: Any) -> None:
    """Writes an array to an HDF5 file, as one dataset. Collective over the array's communicator.

    Arguments, options and errors are those of daptor.hdf5.save. Raises ImportError if this daptor
    was built without HDF5.

        daptor.save(a, "state.h5", "temperature", {"time": t})
    """
    _hdf5().save(array, path, name, attrs, **options)


def load(path: Any, name: str, comm: Any, **options: Any) -> "Array":
    """Reads a dataset of an HDF5 file into a new block array. Collective over `comm`.

    Arguments, options and errors are those of daptor.hdf5.load. Raises ImportError if this daptor
    was built without HDF5.

        b = daptor.load("state.h5", "temperature", comm, ghosts=1)
    """
    array: "Array" = _hdf5().load(path, name, comm, **options)
    return array
