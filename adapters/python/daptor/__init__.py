# SPDX-License-Identifier: BSD-3-Clause
"""Distributed arrays shared between libraries without a copy.

    import daptor
    a = daptor.import_(producer, comm)     # whatever has __distarray__
    a = daptor.block(u, comm, shape=(40, 30), ghosts=1)   # your own sections
    numpy.asarray(a)                       # this rank's section, on the producer's memory
    a.interior, whole[a.global_slices]     # its elements without ghost cells, and where they are
    daptor.sum(a), daptor.gather(a)        # of all ranks
    report = daptor.validate(producer, comm)
    daptor.update_padding(a)               # halo exchange, in the producer's buffer
    x = a.to_petsc()                       # a petsc4py Vec on the same memory
    report = daptor.check(x)               # of any petsc4py object: what PETSc does not look at

    daptor.save(a, "state.h5", "u")        # and daptor.load: other layouts, other ranks
    daptor.redistribute(a, b)              # the same array in another layout: this copies

Only functions whose names say so copy elements (redistribute, redistributed, copy_to_...).
Functions that are collective say so, and return on all ranks or raise on all ranks: the same class
with the same first finding. Communicators are those of mpi4py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List

from ._job import watch as _watch

_watch.load_for_tests()  # before _daptor, whose calls of MPI are then seen too

from . import _adapters, _bindings, _daptor, layout
from ._added import *
from ._arrays import allocating as _allocating
from ._arrays import labels as _labels
from ._arrays import moving as _moving
from ._arrays.allocating import (copy, empty, empty_like, from_function, full, full_like,
                                 local_shape, ones, ones_like, zeros, zeros_like)
from ._arrays.builders import block, cyclic, owned_then_ghosts, unstructured
from ._arrays.csr import CsrArrays, align_rows, csr, csr_from_rows
from ._arrays.moving import gather, scatter, without_padding
from ._daptor import (Array, Assessment, CsrProduct, Explanation, Finding, HaloExchange,
                      Redistribution, Report, UseCost, __version__, agreed,
                      bytes_to_redistribute, copy_to_device, copy_to_host, enumerate, import_,
                      multiply, pack, packed, redistribute, register_device, row_starts, scan,
                      scan_add, scan_copy, unpack, validate)
from ._errors import (Error, Finalized, InvalidArgument, LibraryFailed, Malformed,
                      NotRepresentable, ProducerFailed, Stale, Unsupported)
from ._job.exceptions import end_job_on_exception
from ._job.notes import log_notes as _log_notes
from ._numeric import in_numpy as _in_numpy
from ._numeric import reductions as _reductions
from ._numeric.reductions import (all, allclose, any, argmax, argmin, count_nonzero, dot, max,
                                  mean, min, norm, std, sum, var, vdot)
from ._numeric.tracing import Fingerprint, fingerprint, trace, tracing
from ._shards.partitioned import from_partitioned
from ._shards.shards import from_shards
from ._showing import help as _help
from ._showing import hints as _hints
from ._showing import html as _html
from ._showing import signatures as _signatures
from ._showing import text as _text
from ._showing.configuration import show_config
from ._showing.plot import plot
from ._with_torch import checking as _checking  # noqa: F401
from ._with_torch.dtensors import from_dtensor

# Without all, any, enumerate, max, min and sum, in place of which programs have Python's own.
__all__ = [
    "Array", "Assessment", "CsrArrays", "CsrProduct", "Error", "Explanation", "Finalized",
    "Finding", "Fingerprint", "HaloExchange", "InvalidArgument", "LibraryFailed", "Malformed",
    "NotRepresentable", "Preconditioner", "ProducerFailed", "Redistribution", "Report", "Stale",
    "Unsupported", "UseCost", "ValueWatch", "agreed", "align_rows", "allclose", "argmax", "argmin",
    "block", "bytes_to_redistribute", "check", "check_ghosts", "copy", "copy_to_device",
    "copy_to_host", "count_nonzero", "csr", "csr_from_rows", "cyclic", "dot", "empty",
    "empty_like", "end_job_on_exception", "explain", "export", "export_csr", "fingerprint",
    "from_dtensor", "from_function", "from_partitioned", "from_petsc", "from_shards", "full",
    "full_like", "gather", "ifpack2", "import_", "layout", "load", "local_shape", "mean", "muelu",
    "multiply", "norm", "ones", "ones_like", "owned_then_ghosts", "pack", "packed", "petsc_plugin",
    "plot", "redistribute", "register_device", "row_starts", "save", "scan", "scan_add",
    "scan_copy", "scatter", "show_config", "stale_padding", "std", "trace", "tracing", "unpack",
    "unstructured", "update_padding", "validate", "var", "vdot", "without_padding", "zeros",
    "zeros_like"
]

if not TYPE_CHECKING:  # for a type checker, every name would exist
    def __getattr__(name: str) -> Any:
        return _hints.attribute_of_module(name)


def __dir__() -> List[str]:
    """What a completion offers: public names, and modules that are loaded at their first use."""
    builtins_too = ["all", "any", "enumerate", "max", "min", "sum"]
    return sorted({*__all__, *builtins_too, *_hints.MODULES, "__version__", "__doc__", "__all__"})


def explain(array: Array) -> Explanation:
    """Says which native objects can hold `array` without a copy, and why others cannot.

    Collective over the array's communicator. Asks the targets of all adapters with which this
    daptor was built. Raises ImportError on all ranks if an adapter is installed on some ranks only.
    """
    with _daptor._Call(array, "explain"):
        _bindings.load(array)  # each adds its targets
        return _daptor._explain(array)


@_signatures.passes_options("_daptor.HaloExchange.__init__")
def update_padding(array: Array, **options: Any) -> None:
    """Fills the communication padding from its owners, in the producer's buffer. Collective.

    Takes the options of HaloExchange, which is to be made for repeated updates. Raises the same
    errors.
    """
    _daptor._update_padding(array, **options)


@_signatures.passes_options("_daptor.HaloExchange.__init__")
def stale_padding(array: Array, **options: Any) -> Report:
    """Finds copies of elements that have not the values of their owners. Collective.

        report = daptor.stale_padding(a)
        assert report, report           # was the update_padding left out?

    Compares what `update_padding` would write with what is there, and writes nothing. Takes the
    options of HaloExchange: those of the exchange that the program makes. Costs such an exchange
    and memory for the local section.

    Returns the same Report on all ranks: true if every copy equals its owner, otherwise with one
    finding, `check.ghosts.stale`, which names the ranks with such copies, the first one with both
    values, how many there are, and the largest difference of all ranks. Raises the errors of
    HaloExchange, except for read-only arrays.
    """
    report: Report = _daptor._stale_padding(array, **options)
    return report


@_signatures.passes_options("_daptor.validate")
def _validate(self: Array, **options: Any) -> Report:
    """daptor.validate(a, ...). Collective."""
    return validate(self, **options)


def _deep_copy(self: Array, _: Any) -> Array:
    return copy(self)


_log_notes()

# Methods written in Python.
_in_numpy.teach(Array)
_hints.teach()
_text.teach()
# Functions of one array that ask, draw or change it alone are methods too.
for _function in (*_reductions.REDUCTIONS, gather, copy, explain, plot, stale_padding,
                  update_padding, without_padding):
    setattr(Array, _function.__name__, _function)
setattr(Array, "sample", _moving.sample)
setattr(Array, "astype", _allocating.astype)
setattr(Array, "__copy__", copy)
setattr(Array, "__deepcopy__", _deep_copy)
setattr(Array, "validate", _validate)
setattr(Array, "dims", property(_labels.dims))
setattr(Array, "coords", property(_labels.coords))
setattr(Array, "to_xarray", _labels.to_xarray)
setattr(Array, "_repr_html_", _html.array)
_help.teach(Array)
