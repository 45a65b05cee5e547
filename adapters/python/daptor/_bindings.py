"""The compiled modules of the adapters, of which any may be absent.

Each is loaded at its first use, and then adds its targets to those that explain() asks.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Optional

_ADAPTERS = ("_petsc", "_tpetra")


def binding(name: str) -> Optional[ModuleType]:
    """The module `daptor.<name>`; None where it was not built."""
    try:
        return import_module("." + name, __package__)
    except ModuleNotFoundError:
        return None


def load() -> None:
    """Loads those that were built."""
    for name in _ADAPTERS:
        binding(name)
