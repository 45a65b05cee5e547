# SPDX-License-Identifier: BSD-3-Clause
"""A Vec is written through an array of NumPy, and used in the line of the comment."""

import sys

import petsc4py

petsc4py.init(sys.argv)
from petsc4py import PETSc  # noqa: E402


def advance_velocity(vec):
    return vec.dot(vec)  # the place of velocity


velocity = PETSc.Vec().createMPI((10, None))
velocity.setName("velocity")
velocity.array = 1.0
values = velocity.array
velocity.norm()
values[0] = 7.0
advance_velocity(velocity)
