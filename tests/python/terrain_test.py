# SPDX-License-Identifier: BSD-3-Clause
"""The example on real elevations against the exact result: the matrix's eigenvectors are cosines.

    mpirun -n N python3 terrain_test.py FOLDER_OF_THE_EXAMPLE
"""

import importlib.util
import os
import sys
import tempfile

import numpy
from mpi4py import MPI

import daptor


def cosines(count):
    """Orthonormal eigenvectors, as rows, of the second difference without flow; eigenvalues."""
    mode, place = numpy.arange(count)[:, None], numpy.arange(count)
    vectors = numpy.cos(numpy.pi * mode * (place + 0.5) / count) * numpy.sqrt(2.0 / count)
    vectors[0] /= numpy.sqrt(2.0)
    return vectors, 2.0 - 2.0 * numpy.cos(numpy.pi * mode[:, 0] / count)


def exactly(heights, strength):
    """Computes one implicit step without ranks, matrix or solver."""
    (rows, of_rows), (columns, of_columns) = map(cosines, heights.shape)
    modes = rows @ heights @ columns.T
    modes /= 1.0 + strength * (of_rows[:, None] + of_columns)
    return rows.T @ modes @ columns


def gathered(comm, part, shape):
    parts = comm.gather(numpy.array(part))
    return numpy.concatenate(parts).reshape(shape) if parts else None


path = os.path.join(sys.argv[1], "terrain.py")
spec = importlib.util.spec_from_file_location("terrain", path)
terrain = importlib.util.module_from_spec(spec)
sys.dont_write_bytecode = True
spec.loader.exec_module(terrain)
daptor.end_job_on_exception()

comm = MPI.COMM_WORLD
heights, shape = terrain.load(comm, None)
original = heights.copy()
before, after, iterations, residual = terrain.smooth(comm, heights, shape)
assert shape == (344, 403)
assert numpy.shares_memory(numpy.asarray(before), heights) and (heights == original).all()
assert 0 < iterations < 30 and residual < 1e-10

whole, smoothed = gathered(comm, heights, shape), gathered(comm, after, shape)
if comm.rank == 0:
    error = abs(smoothed - exactly(whole, terrain.STRENGTH)).max()
    assert error < 1e-6, f"{error} m"  # the same result on any number of ranks
    assert whole.min() < smoothed.min() and smoothed.max() < whole.max()
    print(f"{iterations} iterations, at most {error:.1e} m from the exact answer")

with tempfile.TemporaryDirectory() as folder:
    picture = os.path.join(folder, "terrain.png")
    terrain.draw(before, after, picture)
    assert comm.rank != 0 or os.path.getsize(picture) > 10000
    comm.Barrier()
