# SPDX-License-Identifier: BSD-3-Clause
"""A dense system on NumPy memory, solved by ScaLAPACK.

    mpirun -n 4 python3 solve.py

Each rank has some rows of the matrix and of the right-hand side, as NumPy has them. They are copied
into blocks, which ScaLAPACK factors in the memory of NumPy, and the solution is copied home.
"""

import sys

import numpy
from mpi4py import MPI

import daptor
from daptor import scalapack

comm = MPI.COMM_WORLD
n, block = 120, 16

first, last = (n * rank // comm.size for rank in (comm.rank, comm.rank + 1))
rows, columns = numpy.arange(first, last)[:, None], numpy.arange(n)
# Large towards the other diagonal: without pivots the factors would be worthless.
matrix = 1.0 / (1.0 + abs(rows + columns - (n - 1)))
solution = 1.0 + columns % 7
right = matrix @ solution

a = daptor.block(matrix, comm)
b = daptor.block(right, comm)

grid = scalapack.Grid(comm)
A = scalapack.copy_to_matrix(a, grid, block)
B = scalapack.copy_to_matrix(b, grid, block)
pivots = numpy.zeros(A.local_shape[0] + block, "int32")
scalapack.call("pdgesv", n, 1, A, pivots, B)
scalapack.copy_from_matrix(B, b)  # `right` is the solution now

error = comm.allreduce(abs(right - solution[first:last]).max(initial=0.0), MPI.MAX)

# A matrix that is in blocks already is not copied: its eigenvalues, in the program's own memory.
mine = daptor.layout.block_cyclic((block, block), grid=(grid.rows, grid.columns))
S = scalapack.import_matrix(a.redistributed(mine), grid)
assert numpy.shares_memory(S.data, numpy.asarray(S.array))
Z = scalapack.import_matrix(S.array.like(mine), grid)
values, work = numpy.zeros(n), numpy.zeros(1)
scalapack.call("pdsyev", "V", "L", n, S, values, Z, work, -1)  # how much memory it wants
work = numpy.zeros(int(work[0]) + 1)
scalapack.call("pdsyev", "V", "L", n, S, values, Z, work, len(work))
# The sum of the eigenvalues is that of the diagonal.
trace = comm.allreduce(sum(matrix[i - first, i] for i in range(first, last)))
difference = abs(values.sum() - trace)

if comm.rank == 0:
    print(f"{n} unknowns: error {error:.1e}; eigenvalues: error of their sum {difference:.1e}")
sys.exit(0 if error < 1e-9 and difference < 1e-10 * n else 1)
