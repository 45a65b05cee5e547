# SPDX-License-Identifier: BSD-3-Clause
"""to_petsc() starts PETSc if the program has not: mpirun python3 start_script.py"""

import sys

import numpy
from mpi4py import MPI

import daptor

comm = MPI.COMM_WORLD
part = comm.Split(comm.rank % 2)
a = daptor.block(numpy.ones(4), part)
if comm.size > 1:  # starting PETSc is collective, and not all ranks call this
    try:
        a.to_petsc()
    except daptor.InvalidArgument as error:
        assert "petsc4py" in str(error) and "COMM_WORLD" in str(error), error
    else:
        raise AssertionError("PETSc was started on some ranks")
assert "petsc4py.PETSc" not in sys.modules

duplicate = comm.Dup()
b = daptor.block(numpy.ones(4), duplicate)
duplicate.Free()  # the array has one of its own
x = b.to_petsc()
assert abs(x.norm() ** 2 - 4 * comm.size) < 1e-12
x.destroy()
with daptor.zeros((4 * comm.size, 3), comm, ghosts=1).to_dmda() as grid:
    assert grid.dm.getDim() == 2
y = a.to_petsc()  # works now that PETSc runs
y.destroy()
