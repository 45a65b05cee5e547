# SPDX-License-Identifier: BSD-3-Clause
"""Objects of xarray and pandas: their memory, and what they call its dimensions and positions."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Dict, Mapping, Optional, Sequence, Tuple

from .. import _daptor

Coordinates = Dict[str, Tuple[Tuple[str, ...], Any]]


@dataclass(frozen=True)
class Labels:
    """Names of the dimensions of a section, and coordinates along them.

    dims    a name for each dimension
    coords  by name, their dimensions and their values, in the extents of the section
    """
    dims: Tuple[str, ...]
    coords: Coordinates = field(default_factory=dict)
    name: Optional[str] = None
    attrs: Dict[str, Any] = field(default_factory=dict)


def _class_of(value: Any) -> str:
    """`xarray.DataArray`, ...: the class that an object is of, if xarray or pandas has it."""
    for package, names in (("xarray", ("DataArray", "Variable", "Dataset")),
                           ("pandas", ("Series", "DataFrame", "Index"))):
        module = sys.modules.get(package)
        for name in names if module is not None else ():
            if isinstance(value, getattr(module, name)):
                return f"{package}.{name}"
    return ""


def values_of(key: str, value: Any) -> Any:
    """The NumPy array behind an object of xarray or pandas; None for any other object.

    Raises InvalidArgument if there is none, so that a copy would be made each time.
    """
    kind = _class_of(value)
    if not kind:
        return None
    import numpy
    if kind == "xarray.Dataset":
        _daptor._invalid_argument(key, "a value of type xarray.Dataset",
                                  "an array whose memory can be shared",
                                  "Pass one of its variables, x['name'].")
    values = None if _is_dask(value) else value.values
    if not isinstance(values, numpy.ndarray) or (
            values.size and not numpy.may_share_memory(values, value.values)):
        lazy = kind.startswith("xarray")
        _daptor._invalid_argument(
            key, f"a value of type {kind} that does not have its values in one NumPy array",
            "an array whose memory can be shared",
            "Compute it on this rank, and pass x.compute()." if lazy else
            "Copy it, u = x.to_numpy(dtype=float), and pass u, which is then the memory that is "
            "shared.")
    return values


def _is_dask(value: Any) -> bool:
    return type(getattr(value, "data", None)).__module__.partition(".")[0] == "dask"


def labels_of(value: Any) -> Optional[Labels]:
    """What an object of xarray or pandas calls its dimensions and positions, if it is one."""
    kind = _class_of(value)
    if kind == "xarray.DataArray":
        coords = {str(name): (tuple(map(str, coord.dims)), coord.values)
                  for name, coord in value.coords.items()}
        return Labels(tuple(map(str, value.dims)), coords,
                      None if value.name is None else str(value.name), dict(value.attrs))
    if kind == "xarray.Variable":
        return Labels(tuple(map(str, value.dims)), attrs=dict(value.attrs))
    if kind == "pandas.Series":
        dim = str(value.index.name or "index")
        return Labels((dim,), {dim: ((dim,), value.index.values)},
                      None if value.name is None else str(value.name))
    if kind == "pandas.DataFrame":
        dims = (str(value.index.name or "index"), str(value.columns.name or "columns"))
        axes = (value.index, value.columns)
        return Labels(dims, {dim: ((dim,), axis.values) for dim, axis in zip(dims, axes)})
    return None


def text_of(labels: Optional[Labels]) -> str:
    return "none" if labels is None else "(" + ", ".join(labels.dims) + ")"


def dims(self: "_daptor.Array") -> Tuple[str, ...]:
    """Names of the dimensions: those of the object of xarray or pandas that block() was given,
    otherwise `dim_0`, `dim_1`, ... as xarray has them. Process-local."""
    labels: Optional[Labels] = self._labels
    return labels.dims if labels else tuple(f"dim_{d}" for d in range(self.ndim))


def _coordinates(array: "_daptor.Array") -> Coordinates:
    labels: Optional[Labels] = array._labels
    if labels is None:
        return {}
    inner = dict(zip(labels.dims, array._interior_picks))
    return {name: (of, values[tuple(inner[dim] for dim in of)])
            for name, (of, values) in labels.coords.items()}


def coords(self: "_daptor.Array") -> Dict[str, Any]:
    """Coordinates of this rank's interior, by name: NumPy arrays. Process-local.

    Those of the object of xarray or pandas that block() was given; empty for any other array.
    """
    return {name: values for name, (_, values) in _coordinates(self).items()}


def to_xarray(self: "_daptor.Array", *, dims: Optional[Sequence[str]] = None,
              coords: Optional[Mapping[str, Any]] = None, name: Optional[str] = None) -> Any:
    """This rank's interior as an xarray.DataArray on the array's memory. Process-local.

    dims    a name for each dimension; None: a.dims
    coords  coordinates of this rank's interior, as xarray takes them; None: those that block() was
            given, if dims is None too
    name    None: that of the object that block() was given

    A write through it is seen as one through a.interior. The whole array is
    xarray.DataArray(daptor.gather(a), dims=a.dims) on rank 0.

        T.to_xarray(dims=("y", "x"), coords={"y": y[T.global_slices[0]]})

    Raises ImportError without xarray, and ValueError as xarray.
    """
    labels: Labels = self._labels or Labels(self.dims)
    return import_module("xarray").DataArray(
        self.interior, dims=tuple(dims) if dims is not None else labels.dims,
        coords=coords if coords is not None else {} if dims is not None else _coordinates(self),
        name=name if name is not None else labels.name, attrs=labels.attrs)
