# SPDX-License-Identifier: BSD-3-Clause
"""What releases of dolfinx name differently: 0.5 of Debian 12, and 0.9 of Debian 13."""

import dolfinx.fem.petsc  # noqa: F401
import ufl
from dolfinx import fem, la

OLD = not hasattr(fem, "functionspace")
MODES = la.ScatterMode if OLD else la.InsertMode


def function_space(domain, degree, size=1):
    if not OLD:
        return fem.functionspace(domain, ("Lagrange", degree, *([(size,)] if size > 1 else [])))
    if size > 1:
        return fem.VectorFunctionSpace(domain, ("Lagrange", degree), dim=size)
    return fem.FunctionSpace(domain, ("Lagrange", degree))


def mixed_space(domain):
    """Two quadratic unknowns and a linear one."""
    if OLD:
        cell = domain.ufl_cell()
        return fem.FunctionSpace(domain, ufl.MixedElement(
            ufl.VectorElement("Lagrange", cell, 2), ufl.FiniteElement("Lagrange", cell, 1)))
    from basix.ufl import element, mixed_element
    cell = domain.basix_cell()
    return fem.functionspace(domain, mixed_element([
        element("Lagrange", cell, 2, shape=(2,)), element("Lagrange", cell, 1)]))


def vec_of(u):
    """The Vec on a function's memory."""
    return u.vector if OLD else u.x.petsc_vec


def norm_of(x, kind):
    return x.norm(kind) if OLD else la.norm(x, kind)
