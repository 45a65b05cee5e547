# SPDX-License-Identifier: BSD-3-Clause
"""Arrays as objects of petsc4py and back, on the same memory, and what is wrong with such objects.

Functions that return PETSc objects import petsc4py if the program has not done so, which starts
PETSc: to pass options, import petsc4py first and call petsc4py.init. Without the compiled part they
raise ImportError.
"""

from .._bindings import PYTEST_PLUGINS
from .._showing.hints import OF_MODULE
from .checking import ValueWatch, check, check_ghosts
from .compiled import petsc_plugin
from .matrices import export_csr
from .vectors import export, from_petsc

__all__ = ["ValueWatch", "check", "check_ghosts", "export", "export_csr", "from_petsc",
           "petsc_plugin"]

OF_MODULE["import_petsc"] = "daptor.from_petsc(v)"
PYTEST_PLUGINS.append("daptor._with_petsc.testing")
