"""The compiled modules of the adapters, of which any may be absent.

Each is loaded at its first use, and then adds its targets to those that explain() asks.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any, Callable, List, Optional, TypeVar

from ._daptor import Array, _invalid_argument, _offsets, _rank_and_size, agreed

_ADAPTERS = ("_petsc", "_tpetra")
_T = TypeVar("_T")


def binding(name: str) -> Optional[ModuleType]:
    """The module `daptor.<name>`; None where it was not built. Process-local."""
    try:
        return import_module("." + name, __package__)
    except ModuleNotFoundError:
        return None


def agreed_over(array: Array, function: Callable[[], _T]) -> _T:
    """agreed() over the array's communicator.

    Without an agreement where the user has freed that communicator, which all ranks have.
    """
    comm = array.comm
    return agreed(comm, function) if comm else function()


def require_everywhere(comm: Any, name: str, module: Optional[ModuleType]) -> None:
    """Collective: raises ImportError on all ranks where some have the module and some do not."""
    _, ranks = _rank_and_size(comm)
    _, present = _offsets(comm, int(module is not None))
    if present not in (0, ranks):
        raise ImportError(f"daptor.{name} can be imported on {present} of {ranks} ranks")


def require_same(comm: Any, key: str, number: int) -> None:
    """Collective: raises InvalidArgument on all ranks where the number is not the same on all."""
    if not comm or comm.size == 1:
        return
    ranks = comm.size
    _, total = _offsets(comm, number)
    _, different = _offsets(comm, int(number * ranks != total))
    if different:
        _invalid_argument(key, "other values on other ranks", "the same on all ranks")


def load(array: Array) -> None:
    """Loads those that were built. Collective over the array's communicator.

    Raises, on all ranks, ImportError for one that some ranks lack, ProducerFailed for one that
    cannot be loaded.
    """
    def load_here() -> List[Optional[ModuleType]]:
        return [binding(name) for name in _ADAPTERS]

    comm = array.comm
    for name, module in zip(_ADAPTERS, agreed_over(array, load_here)):
        if comm:
            require_everywhere(comm, name, module)
