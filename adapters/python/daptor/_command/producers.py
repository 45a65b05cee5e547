# SPDX-License-Identifier: BSD-3-Clause
"""Producers in Python, as the command asks for them: MODULE:NAME and FILE.py:NAME.

The argument `watched` of a function calls another one, watched(function, *arguments), and ends the
job if that raises on one rank and does not return on the others.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import os
import sys
import threading
from typing import Any, Callable

import daptor
from daptor import _bindings, conformance

Make = Callable[[Any], Any]
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def start() -> str:
    """Starts MPI. Returns why it cannot be started; empty if it is. Process-local."""
    try:
        import mpi4py.MPI  # noqa: F401
    except ImportError as error:
        return f"{sys.executable} has no mpi4py ({error})"
    return ""


def world() -> Any:
    """The communicator of all ranks."""
    from mpi4py import MPI
    return MPI.COMM_WORLD


def _takes_arguments(function: Callable[..., Any]) -> bool:
    import inspect
    try:
        return bool(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return True


def _module(name: str) -> Any:
    """A module by its name or, if that ends in .py, by its path."""
    if not name.endswith(".py"):
        return importlib.import_module(name)
    folder, file = os.path.split(os.path.abspath(name))
    sys.path.insert(0, folder)  # of modules that it imports
    specification = importlib.util.spec_from_file_location(file[:-len(".py")], name)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[module.__name__] = module
    specification.loader.exec_module(module)
    return module


def load(subject: str) -> Make:
    """The function behind MODULE:NAME that makes producers, given a communicator."""
    module, _, name = subject.partition(":")
    found: Any = _module(module)
    for part in name.split("."):
        found = getattr(found, part)
    if not isinstance(found, type) and (hasattr(found, "__distarray__")
                                        or hasattr(found, "__dlpack__")):
        return lambda comm: found
    make: Make = found if _takes_arguments(found) else lambda comm: found()
    return make


def maker(subject: str, watched: Callable[..., Any]) -> Make:
    """Collective: loads the function that makes the producer, and has its calls watched."""
    make = daptor.agreed(world(), functools.partial(watched, load, subject))

    def made(comm: Any) -> Any:
        try:
            return watched(make, comm)
        finally:
            sys.stdout.flush()  # the command writes to the same file by itself

    return made


def check(subject: str, watched: Callable[..., Any], labels: bool, dlpack: bool, strict: bool
          ) -> daptor.Report:
    """Collective: what is wrong with a producer, of arrays or of DLPack's tensors."""
    try:
        make = maker(subject, watched)
        if dlpack:
            return conformance.check_dlpack(make, world(), strict=strict)
        return conformance.check(make, world(), labels=labels, strict=strict)
    except daptor.ProducerFailed as error:
        return daptor.Report(error.report.findings)


def load_adapters() -> None:
    """Collective."""
    _bindings.load(world())


def whereabouts() -> str:
    """Whether the main thread is in the producer's code or has returned from it, as a phrase."""
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    if frame is None or os.path.abspath(frame.f_code.co_filename).startswith(_PACKAGE + os.sep):
        return "waits for the others"
    code = frame.f_code
    return (f"is in the producer ({os.path.basename(code.co_filename)}:{frame.f_lineno} in "
            f"{code.co_name})")
