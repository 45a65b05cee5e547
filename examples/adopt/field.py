# SPDX-License-Identifier: BSD-3-Clause
"""A code that has a field of 12 x 5 numbers, in blocks of rows, and imports nothing of Daptor.
`daptor check --labels field.py:make` checks it."""

import numpy
from mpi4py import MPI


# begin: what shares it
class Field:
    def __init__(self, comm):
        self.comm = comm
        self.first = 12 * comm.rank // comm.size
        self.last = 12 * (comm.rank + 1) // comm.size
        self.rows = numpy.arange(5.0 * self.first, 5.0 * self.last).reshape(-1, 5)

    def __distarray__(self):
        return {
            "__version__": "0.9.0",
            "buffer": self.rows,
            "dim_data": (
                {"dist_type": "b", "size": 12, "start": self.first, "stop": self.last,
                 "proc_grid_size": self.comm.size, "proc_grid_rank": self.comm.rank},
                {"dist_type": "n", "size": 5},
            ),
        }
# end


def make(comm=MPI.COMM_WORLD):
    return Field(comm)
