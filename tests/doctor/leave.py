# SPDX-License-Identifier: BSD-3-Clause
"""The last rank comes to the end of the program, while the others want a norm of all ranks.

With -together all of them want it.
"""

import signal
import sys

import petsc4py

petsc4py.init(sys.argv)
from petsc4py import PETSc  # noqa: E402

comm = PETSc.COMM_WORLD
vec = PETSc.Vec().createMPI((10, None), comm=comm)
vec.setName("velocity")
vec.setRandom()
together = PETSc.Options().hasName("together")
if not together:
    signal.alarm(3)  # ends the ranks that would wait for ever
if together or comm.rank != comm.size - 1:
    vec.norm()
if comm.rank == 0:
    print("came to the end")
