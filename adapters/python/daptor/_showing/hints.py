# SPDX-License-Identifier: BSD-3-Clause
"""Names that users of other libraries look for: an AttributeError says what to write."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Dict, NoReturn

from .. import _adapters
from .._daptor import Array, HaloExchange

# Modules of the package that are loaded at their first use, and what they are built with.
MODULES = {"checkpoint": "PyTorch", "conformance": "", **_adapters.PUBLIC}

OF_MODULE: Dict[str, str] = {
    "arange": "daptor.from_function(lambda i: i, n, comm)",
    "array": "daptor.block(u, comm)  # u: this rank's section; or daptor.scatter(whole, like=a)",
    "fromfunction": "daptor.from_function(f, shape, comm)",
    "import_array": "daptor.import_(producer, comm)  # an object with __distarray__",
    "DistArray": "daptor.Array",
    "linspace": "daptor.from_function(lambda i: start + i * (stop - start) / (n - 1), n, comm)",
    "update_halo": "daptor.update_padding(a)  # fills the ghost cells",
    "median": "u = daptor.gather(a)  # on rank 0, which has all of it: numpy.median takes u there",
    "Grid": "daptor.zeros(shape, comm, grid=(2, 0))  # processes in each dimension; 0: any",
}
OF_MODULE["exchange"] = OF_MODULE["update_ghosts"] = OF_MODULE["update_halo"]
OF_MODULE["asarray"] = OF_MODULE["from_numpy"] = OF_MODULE["array"]

OF_ARRAY: Dict[str, str] = {
    "local": "a.interior  # this rank's elements; numpy.asarray(a) has its ghost cells too",
    "bounds": "a.global_slices  # where this rank's elements are",
    "rank": "a.comm.rank  # of the communicator",
    "T": "a.interior.T  # of this rank's elements; or daptor.gather(a).T on rank 0",
    "fill": "with a.write(): a.interior[...] = value  # on all ranks",
    "halo": "daptor.HaloExchange(a)",
    "reshape": "a.interior.reshape(...)  # of this rank's elements",
    "flatten": "a.interior.ravel()  # of this rank's elements; or on rank 0 "
               "daptor.gather(a).ravel()",
    "tolist": "a.interior.tolist()  # of this rank's elements; or on rank 0 "
              "daptor.gather(a).tolist()",
    "clip": "with a.write(): numpy.clip(a.interior, low, high, out=a.interior)  # on all ranks",
    "round": "with a.write(): numpy.round(a.interior, 2, out=a.interior)  # on all ranks",
    "prod": "numpy.prod(a.comm.allgather(a.interior.prod()))  # on all ranks",
    "nbytes": "a.size * a.dtype.itemsize  # of all ranks; numpy.asarray(a).nbytes: of this rank's "
              "section",
    "itemsize": "a.dtype.itemsize  # bytes",
    "strides": "a.byte_strides  # of this rank's section",
    "save": "daptor.save(a, 'state.h5', 'u')  # on all ranks",
    "update_halo": "a.update_padding()  # fills the ghost cells; repeatedly: "
                   "daptor.HaloExchange(a)",
    "ghosts": "numpy.asarray(a)  # this rank's section with its ghost cells, around "
              "a.interior_slices; a.update_padding() fills them",
    "global_shape": "a.shape  # of all ranks; with ghost cells at the outer edges: a.padded_shape",
    "to_pandas": "pandas.Series(a.interior)  # of this rank's elements",
}
_OF_EXCHANGE: Dict[str, str] = {
    "exchange": "halo.update()  # or halo.begin(), work that needs no ghost cells, halo.end()",
}
OF_ARRAY["ravel"] = OF_ARRAY["flatten"]
OF_ARRAY["tofile"] = OF_ARRAY["save"]
OF_ARRAY["gshape"] = OF_ARRAY["global_shape"]
for _name in ("exchange", "update_ghosts", "halo_exchange", "sync", "communicate"):
    OF_ARRAY[_name] = OF_ARRAY["update_halo"]
for _name in ("data", "numpy", "to_numpy", "values"):
    OF_ARRAY[_name] = OF_ARRAY["local"]
for _name in ("offset", "start", "starts"):
    OF_ARRAY[_name] = OF_ARRAY["bounds"]


def _instead(names: Dict[str, str], name: str) -> str:
    return f". Write: {names[name]}" if name in names else ""


def attribute_of_module(name: str) -> Any:
    """A module of the package that was not loaded yet; AttributeError for anything else."""
    if name in MODULES:
        try:
            return import_module("daptor." + name)
        except ModuleNotFoundError as error:
            why = (f"this daptor was built without {MODULES[name]}"
                   if (error.name or "").startswith("daptor") else
                   f"{MODULES[name]} is not installed, or too old")
            raise AttributeError(
                f"module 'daptor' has no attribute {name!r}: {why}") from error
    raise AttributeError(
        f"module 'daptor' has no attribute {name!r}{_instead(OF_MODULE, name)}")


def _hints(kind: Any, names: Dict[str, str]) -> None:
    def refuse(_: Any, name: str) -> NoReturn:
        raise AttributeError(f"'daptor.{kind.__name__}' object has no attribute {name!r}"
                             f"{_instead(names, name)}")

    setattr(kind, "__getattr__", refuse)


def teach() -> None:
    """Gives the classes of the package the hints."""
    _hints(Array, OF_ARRAY)
    _hints(HaloExchange, _OF_EXCHANGE)
