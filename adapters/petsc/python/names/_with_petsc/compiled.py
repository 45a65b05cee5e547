# SPDX-License-Identifier: BSD-3-Clause
"""The compiled part, which is loaded at the first use, and the plug-in."""

from __future__ import annotations

import os
from functools import partial
from types import ModuleType
from typing import Any

from .. import _daptor
from .._bindings import binding, modules_everywhere
from .._daptor import Array, _libraries
from .starting import with_petsc4py

_WITHOUT = "this daptor was built without PETSc or petsc4py"


def required() -> ModuleType:
    """The compiled part. Raises ImportError if it was not built. Process-local."""
    module = binding("_petsc")
    if module is None:
        raise ImportError(_WITHOUT)
    return module


def call(name: str, public: str, array: Any, *others: Any, **options: Any) -> Any:
    """Calls a function of the compiled part, which errors name `public`, as users know it.

    Collective over the array's communicator. Raises ImportError on all ranks if the compiled part
    is missing on any. The compiled part checks the arguments, and reports an invalid one on all
    ranks.
    """
    known = next((each for each in (array, *others) if isinstance(each, Array)), array)
    with _daptor._Call(known, public):
        (petsc,) = modules_everywhere(known, "_petsc")
        if petsc is None:
            raise ImportError(_WITHOUT)
        return with_petsc4py(known, partial(getattr(petsc, name), array, *others, **options))


def petsc_plugin() -> str:
    """The path of the plug-in that brings MueLu and Ifpack2 into PETSc. Process-local.

        petsc4py.init(sys.argv + ["-dll_append", daptor.petsc_plugin()])
        ksp.pc.setType("muelu")

    Raises FileNotFoundError if this daptor was built without PETSc or Trilinos.
    """
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for folder in (_libraries, os.path.join("..", "..", "lib")):  # installed, or in a build
        path = os.path.normpath(os.path.join(package, folder, "libdaptor_pc.so"))
        if os.path.exists(path):
            return path
    raise FileNotFoundError("this daptor was built without the PETSc plug-in, libdaptor_pc.so")
