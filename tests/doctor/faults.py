# SPDX-License-Identifier: BSD-3-Clause
"""A program of petsc4py with the faults that its options name, which -daptor_check finds.

    -duplicate  the last rank maps two local indices to one element
    -stale      the last rank writes to an array of NumPy that lives on
    -zero       a stencil divides 0 by 0 on the last rank, where the field is constant
"""

import sys

import numpy
import petsc4py

petsc4py.init(sys.argv)
from petsc4py import PETSc  # noqa: E402

COUNT = 10  # elements on each rank
COMM = PETSc.COMM_WORLD
LAST = COMM.rank == COMM.size - 1
FIRST = COUNT * COMM.rank
OPTIONS = PETSc.Options()


def vec(name):
    made = PETSc.Vec().createMPI((COUNT, None))
    made.setName(name)
    return made


def mapped():
    """A field with one ghost cell towards the rank before."""
    field = vec("pressure")
    indices = list(range(FIRST, FIRST + COUNT)) + [FIRST - 1] * (FIRST > 0)
    if LAST and OPTIONS.hasName("duplicate"):
        indices.append(indices[3])
    field.setLGMap(PETSc.LGMap().create(indices))
    field.array = 1.0
    return field


def direction():
    """The sign of the slope of a field that is constant on the last rank."""
    field = numpy.minimum(numpy.arange(FIRST - 1, FIRST + COUNT + 1.0), COUNT * (COMM.size - 1))
    slope = field[2:] - field[:-2]
    size = abs(slope) if OPTIONS.hasName("zero") else numpy.maximum(abs(slope), 1e-12)
    result = vec("direction")
    with numpy.errstate(invalid="ignore"):
        result.array = slope / size
    return result


pressure, velocity = mapped(), vec("velocity")
velocity.set(1.0)
pressure.norm()
velocity.dot(pressure)
u = velocity.array
if LAST:
    u[0] += 3.0
if not OPTIONS.hasName("stale"):
    del u  # gives the memory back to PETSc, which forgets the norm
energy = velocity.dot(pressure)
direction().norm()
PETSc.Sys.Print(f"norm of the solution {energy:.6e}")
