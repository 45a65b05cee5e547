# SPDX-License-Identifier: BSD-3-Clause
"""Runs the README's program in Python, completed by what it takes for granted.

    mpirun -n N python3 readme_test.py README.md
"""

import re
import sys

import numpy
from mpi4py import MPI
from petsc4py import PETSc

import daptor

COMM = MPI.COMM_WORLD
TIMES = 3.0


def solve(dm, x):
    """A system whose matrix is the identity divided by TIMES, on the grid of the DMDA."""
    matrix = dm.createMatrix()
    for i in range(*matrix.getOwnershipRange()):
        matrix.setValue(i, i, 1.0 / TIMES)
    matrix.assemble()
    solver = PETSc.KSP().create(COMM)
    solver.setOperators(matrix)
    solver.setTolerances(rtol=1e-12)
    right = x.copy()
    solver.solve(right, x)
    assert solver.getConvergedReason() > 0


with open(sys.argv[1], encoding="utf-8") as file:
    (program,) = re.findall(r"^```python\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)
u = numpy.full(daptor.local_shape((40, 30), COMM, ghosts=1), -1.0, dtype=PETSc.ScalarType)
inside = (slice(1, -1), slice(1, -1))
before = numpy.arange(u[inside].size).reshape(u[inside].shape) + COMM.rank
u[inside] = before
names = {"u": u, "comm": COMM, "solve": solve,
         "producer": daptor.zeros(3 * COMM.size, COMM, dtype=PETSc.ScalarType)}
exec(compile(program, "README", "exec"), names)
assert numpy.allclose(u[inside], TIMES * before, atol=1e-6)
assert names["x"].getSize() == 3 * COMM.size  # of the producer
