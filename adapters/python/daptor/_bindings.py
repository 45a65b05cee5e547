# SPDX-License-Identifier: BSD-3-Clause
"""Compiled modules and libraries of the other adapters, any of which may be absent.

A compiled module is loaded at its first use, a library by explain(). Both then add their targets to
those that explain() asks.
"""

from __future__ import annotations

import ctypes
import os
from importlib import import_module
from types import ModuleType
from typing import Any, Callable, List, Optional, Tuple, TypeVar

from . import _adapters, _daptor

F = TypeVar("F", bound=Callable[..., Any])
_FOLDER = os.path.dirname(os.path.abspath(__file__))


PYTEST_PLUGINS: List[str] = []  # modules of adapters, with fixtures
# What daptor.check() looks at beside PETSc's objects: whether it is one, and what is wrong with it.
CHECKS: List[Tuple[Callable[[Any], bool], Callable[[Any], Any]]] = []


def method_of(kind: type) -> Callable[[F], F]:
    """A decorator: the function, without an underscore before its name, is a method of the class.

    So an adapter adds what the package by itself does not have.
    """
    def added(function: F) -> F:
        setattr(kind, function.__name__.lstrip("_"), function)
        return function

    return added


def binding(name: str) -> Optional[ModuleType]:
    """The module `daptor.<name>`; None if it was not built. Process-local."""
    try:
        return import_module("." + name, __package__)
    except ModuleNotFoundError:
        return None


def _library(path: str) -> Optional[ctypes.CDLL]:
    """An adapter's library, by its path from this folder; None if it is not installed.

    Process-local. Never closed: targets are registered for good.
    """
    path = os.path.normpath(os.path.join(_FOLDER, path))
    return ctypes.CDLL(path) if os.path.exists(path) else None


def library(adapter: str) -> ctypes.CDLL:
    """The library of a built adapter, for functions that are called through ctypes. Process-local.

    Raises ImportError if it is not installed.
    """
    loaded = _library(_adapters.LIBRARIES[adapter])
    if loaded is None:
        raise ImportError(f"the library of the {adapter} adapter is not installed")
    return loaded


def modules_everywhere(array: Any, *names: str) -> List[Optional[ModuleType]]:
    """Modules `daptor.<name>`, None for one that was not built. Collective over the array's ranks.

    Raises on all ranks: ImportError for a module that only some ranks have, ProducerFailed for one
    that cannot be loaded.
    """
    modules: List[Optional[ModuleType]] = _daptor._loaded_everywhere(
        array, lambda: [binding(name) for name in names])
    return modules


def load(array: Any) -> None:
    """Loads all modules and libraries that have targets. Collective over the array's communicator.

    Raises as modules_everywhere().
    """
    _daptor._loaded_everywhere(
        array, lambda: [*(binding(name) for name in _adapters.MODULES),
                        *(_library(path) for path in _adapters.LIBRARIES.values())])
