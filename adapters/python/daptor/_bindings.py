# SPDX-License-Identifier: BSD-3-Clause
"""The compiled modules of the adapters, of which any may be absent.

Each is loaded at its first use, and then adds its targets to those that explain() asks.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any, List, Optional

from . import _daptor

_ADAPTERS = ("_petsc", "_tpetra")


def binding(name: str) -> Optional[ModuleType]:
    """The module `daptor.<name>`; None where it was not built. Process-local."""
    try:
        return import_module("." + name, __package__)
    except ModuleNotFoundError:
        return None


def modules_everywhere(array: Any, *names: str) -> List[Optional[ModuleType]]:
    """Modules `daptor.<name>`, None for one that was not built. Collective over the array's ranks.

    Raises, on all ranks, ImportError for one that only some ranks have, ProducerFailed for one that
    cannot be loaded.
    """
    modules: List[Optional[ModuleType]] = _daptor._modules_everywhere(
        array, lambda: [binding(name) for name in names])
    return modules


def load(array: Any) -> None:
    """Loads those that were built. Collective over the array's communicator; raises as above."""
    modules_everywhere(array, *_ADAPTERS)
