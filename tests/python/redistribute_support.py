# SPDX-License-Identifier: BSD-3-Clause
"""Arrays that the tests of redistributions share."""

import numpy

import daptor
from support import share


def labels(shape, dtype="f8"):
    """Returns the whole array, whose elements are numbered from 1."""
    return numpy.arange(1, numpy.prod(shape, dtype=int) + 1).reshape(shape).astype(dtype)


def rows(comm, shape, dtype="f8"):
    """Blocks of whole rows."""
    start, stop = share(shape[0], comm.size, comm.rank)
    u = numpy.zeros((stop - start, *shape[1:]), dtype=dtype)
    return daptor.block(u, comm, shape=shape, grid=(comm.size,) + (1,) * (len(shape) - 1))


class Raising:
    """A sequence that raises."""

    def __len__(self):
        return 1

    def __getitem__(self, index):
        raise KeyError("nothing here")
