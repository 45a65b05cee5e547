# SPDX-License-Identifier: BSD-3-Clause
"""Arrays that the tests with petsc4py share."""

import numpy
from petsc4py import PETSc

import daptor
from support import Section, share

SCALAR = PETSc.ScalarType


def where(vec):
    """Returns the address of a Vec's memory."""
    return vec.getArray(readonly=True).ctypes.data


def stacked(comm, count=4):
    """Returns an array with `count` elements per rank, all zero: its memory and its description."""
    values = numpy.zeros(count, dtype=SCALAR).view(Section)
    return values, daptor.block(values, comm)


def tiles(comm, dtype=SCALAR):
    """A block-cyclic 12 x 8 array that holds the row-major numbers of its elements."""
    whole = numpy.arange(96).astype(dtype)
    first, last = share(12, comm.size, comm.rank)
    rows = daptor.block(whole[8 * first:8 * last].reshape(-1, 8), comm, shape=(12, 8),
                        grid=(comm.size, 1))
    return rows.redistributed(daptor.layout.block_cyclic((2, 2))), whole
