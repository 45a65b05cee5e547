# SPDX-License-Identifier: BSD-3-Clause
"""A program of the same size on any number of ranks; -ghost leaves an update out, and -order
scales by a sum, which is another one on other ranks, but for rounding."""

import sys

import petsc4py

petsc4py.init(sys.argv)

import numpy as np  # noqa: E402
from petsc4py import PETSc  # noqa: E402

POINTS = 40
options = PETSc.Options()
comm = PETSc.COMM_WORLD


def smooth(height):
    """Returns the means of neighbours."""
    update = not options.hasName("ghost")
    if update:
        height.ghostUpdate()
    means = PETSc.Vec().createMPI(POINTS, comm=comm)
    means.setName("means")
    first, last = height.getOwnershipRange()
    with height.localForm() as local:
        values = local.array_r
        own, ghosts = values[:last - first], list(values[last - first:])
        before = ghosts.pop(0) if first > 0 else own[0]
        behind = ghosts.pop(0) if last < POINTS else own[-1]
        around = np.concatenate([[before], own, [behind]])
    means.array[:] = (around[:-2] + 2 * around[1:-1] + around[2:]) / 4
    return means


def main():
    layout = PETSc.Vec().createMPI(POINTS, comm=comm)
    first, last = layout.getOwnershipRange()
    ghosts = [i for i in (first - 1, last) if 0 <= i < POINTS]
    height = PETSc.Vec().createGhost(ghosts, (last - first, POINTS), comm=comm)
    height.setName("height")
    height.array[:] = [1 + 0.5 * ((i * 7) % 11) for i in range(first, last)]
    means = smooth(height)
    total = means.sum() if options.hasName("order") else None
    if total is not None:
        means.scale(1 / total)
    means.norm()

    matrix = PETSc.Mat().createAIJ([(last - first, POINTS)] * 2, nnz=3, comm=comm)
    matrix.setName("smoothing")
    for i in range(first, last):
        for j, value in ((i - 1, -1.0), (i, 2.5), (i + 1, -1.0)):
            if 0 <= j < POINTS:
                matrix[i, j] = value
    matrix.assemble()
    solution = means.duplicate()
    solution.array[:] = np.random.default_rng(1).random(POINTS)[first:last]
    solver = PETSc.KSP().create(comm)
    solver.setOperators(matrix)
    solver.setInitialGuessNonzero(True)
    solver.setFromOptions()
    solver.solve(means, solution)


main()
