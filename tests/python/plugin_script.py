# SPDX-License-Identifier: BSD-3-Clause
"""A Poisson problem on a DMDA with PETSc's CG, MueLu's multigrid and NumPy's memory.

    mpirun -n N python3 plugin_script.py
"""

import daptor
import numpy
import petsc4py
from mpi4py import MPI

petsc4py.init(["-dll_append", daptor.petsc_plugin()])
from petsc4py import PETSc  # noqa: E402

comm = MPI.COMM_WORLD
m, n = 20 * comm.size, 30
solution = numpy.zeros((20, n))
right = numpy.ones((20, n))
x = daptor.block(solution, comm, shape=(m, n), grid=(comm.size, 1))
b = daptor.block(right, comm, shape=(m, n), grid=(comm.size, 1))

with x.to_dmda(no_dof=True, stencil_width=0) as grid:
    first, last = grid.global_vec.getOwnershipRange()
    matrix = PETSc.Mat().createAIJ(((last - first, m * n), (last - first, m * n)), nnz=5, comm=comm)
    for row in range(first, last):
        i, j = divmod(row, n)
        matrix.setValue(row, row, 4.0)
        for k, inside in ((row - n, i > 0), (row + n, i < m - 1), (row - 1, j > 0),
                          (row + 1, j < n - 1)):
            if inside:
                matrix.setValue(row, k, -1.0)
    matrix.assemble()
    rhs = b.to_petsc(flat=True)
    ksp = PETSc.KSP().create(comm)
    ksp.setOperators(matrix)
    ksp.setType("cg")
    ksp.setTolerances(rtol=1e-10)
    ksp.pc.setType("muelu")
    ksp.solve(rhs, grid.global_vec)
    assert ksp.getConvergedReason() > 0 and ksp.getIterationNumber() < 30
    residual = rhs.duplicate()
    matrix.mult(grid.global_vec, residual)
    residual.axpy(-1.0, rhs)
    assert residual.norm() < 1e-8 * rhs.norm()
    for thing in (ksp, matrix, rhs, residual):
        thing.destroy()
x.modified()
assert solution.min() > 0
