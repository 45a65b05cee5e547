# SPDX-License-Identifier: BSD-3-Clause
"""A program of the same size on any number of ranks. An option is a fault from which other numbers
on several ranks come: -ghost, -insert, -file, -duplicate, -boundary, -guess. With -order it scales
by a sum, which is another one on other ranks, but for rounding. -numbers FILE has one for each
point."""

import sys

import petsc4py

petsc4py.init(sys.argv)

import numpy as np  # noqa: E402
from petsc4py import PETSc  # noqa: E402

POINTS = 40
ADD, INSERT = PETSc.InsertMode.ADD_VALUES, PETSc.InsertMode.INSERT_VALUES
comm = PETSc.COMM_WORLD
is_fault = PETSc.Options().hasName


def coefficient(i):
    return 1 + 0.25 * ((i * 7) % 11)


def smooth(height):
    """Returns the means of neighbours."""
    if not is_fault("ghost"):
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


def add_load(load):
    """Each rank adds what its elements give to both of their ends."""
    first, last = load.getOwnershipRange()
    for i in range(first, last):
        load.setValue(i, coefficient(i), ADD)
        # The neighbour's value takes the place of a sum.
        if i + 1 < (last if is_fault("insert") else POINTS):
            load.setValue(i + 1, coefficient(i), ADD)
    load.assemble()


def add_numbers(load):
    first, last = load.getOwnershipRange()
    with open(PETSc.Options().getString("numbers"), encoding="ascii") as file:
        numbers = [float(line) for line in file]
    load.array[:] += numbers[:last - first] if is_fault("file") else numbers[first:last]


def make_matrix(first, last):
    """The matrix of elements between neighbours; a mapping has a rank's rows and the one before."""
    rows = list(range(max(first - 1, 0), last))
    if is_fault("duplicate") and comm.size > 2 and comm.rank == comm.size - 1:
        rows[0] = rows[1]
    matrix = PETSc.Mat().createAIJ([(last - first, POINTS)] * 2, nnz=3, comm=comm)
    matrix.setName("stiffness")
    matrix.setOption(PETSc.Mat.Option.NEW_NONZERO_ALLOCATION_ERR, False)
    mapping = PETSc.LGMap().create(rows, comm=comm)
    matrix.setLGMap(mapping, mapping)
    for local, i in enumerate(range(first, last), start=int(first > 0)):
        c = coefficient(i)
        matrix.setValueLocal(local, local, c + 1, ADD)
        if i > 0:
            for row, column, value in ((-1, -1, c), (0, -1, -c), (-1, 0, -c)):
                matrix.setValueLocal(local + row, local + column, value, ADD)
    matrix.assemble()
    return matrix


def fix(matrix, first, last):
    """Rows and columns of two points become those of the unit matrix."""
    for point in (POINTS // 2, POINTS // 3):
        owned = first <= point < last
        for row in range(max(first, point - 1), min(last, point + 2)):
            if owned or not is_fault("boundary"):
                matrix.setValue(row, point, float(row == point), INSERT)
        for column in (point - 1, point + 1) if owned else ():
            matrix.setValue(point, column, 0.0, INSERT)
    matrix.assemble()


def main():
    load = PETSc.Vec().createMPI(POINTS, comm=comm)
    load.setName("load")
    first, last = load.getOwnershipRange()
    ghosts = [i for i in (first - 1, last) if 0 <= i < POINTS]
    height = PETSc.Vec().createGhost(ghosts, (last - first, POINTS), comm=comm)
    height.setName("height")
    height.array[:] = [1 + 0.5 * ((i * 7) % 11) for i in range(first, last)]
    means = smooth(height)
    means.norm()  # the place of ghost
    add_load(load)
    add_numbers(load)
    if is_fault("order"):
        load.scale(1 / means.sum())
    load.norm()  # the place of file

    matrix = make_matrix(first, last)
    fix(matrix, first, last)
    solution = load.duplicate()
    seed, skipped = (comm.rank, 0) if is_fault("guess") else (0, first)
    numbers = np.random.default_rng(seed).random(POINTS)
    solution.array[:] = numbers[skipped:skipped + last - first]
    solver = PETSc.KSP().create(comm)
    solver.setOperators(matrix)
    solver.setInitialGuessNonzero(True)
    solver.setFromOptions()
    solver.solve(load, solution)


main()
