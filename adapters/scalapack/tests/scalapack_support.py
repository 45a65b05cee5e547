# SPDX-License-Identifier: BSD-3-Clause
"""Matrices of ScaLAPACK in the memory of NumPy, for the tests."""

import numpy

import daptor
from support import Section, raised, same_on_all


def refused(comm, rule, function):
    """Every rank raises the same error, of this rule."""
    error = raised(function)
    assert error.rule == rule, str(error)
    assert same_on_all(comm, error)
    return error


def indices(size, block, process, processes, source=0):
    """The global indices of a process, in the order of its memory."""
    return [i for i in range(size) if (i // block + source) % processes == process]


def entry(i, j):
    return 1.0 / (1.0 + abs(i - j)) + (10.0 if i == j else 0.0)


class Part:
    """This rank's part of a matrix, in memory of NumPy with `gap` rows of guards."""

    def __init__(self, grid, rows, columns, block=2, of=entry, gap=0, dtype="f8"):
        self.i = indices(rows, block, grid.row, grid.rows)
        self.j = indices(columns, block, grid.column, grid.columns)
        local = len(self.i) + gap, len(self.j)
        self.memory = numpy.full(local, -7.5, dtype=dtype, order="F").view(Section)
        self.values = self.memory[:len(self.i)]
        for a, i in enumerate(self.i):
            for b, j in enumerate(self.j):
                self.values[a, b] = of(i, j)
        self.desc = [1, grid.context, rows, columns, block, block, 0, 0, max(1, local[0])]
        self.shape, self.block, self.grid = (rows, columns), block, grid

    def array(self, comm):
        return daptor.cyclic(numpy.asarray(self.values), comm, shape=self.shape,
                             grid=(self.grid.rows, self.grid.columns), block_size=self.block)

    def guards_intact(self):
        return bool((self.memory[len(self.i):] == -7.5).all())


def whole(comm, part):
    """The matrix on every rank."""
    result = numpy.zeros(part.shape, dtype=part.values.dtype)
    for i, j, values in comm.allgather((part.i, part.j, numpy.array(part.values))):
        result[numpy.ix_(i, j)] = values
    return result
