# SPDX-License-Identifier: BSD-3-Clause
"""Saving and loading beside a collective write and read of h5py, which has to be built with MPI (on
Debian python3-h5py-mpi).

    mpirun -n 2 python3 benchmarks/python_hdf5.py [rows [folder]]
"""

import os
import statistics
import sys

import daptor
import h5py
import numpy
from mpi4py import MPI

COMM = MPI.COMM_WORLD
PAIRS = 15


def timed(function):
    """Seconds of the slowest rank."""
    COMM.Barrier()
    begin = MPI.Wtime()
    function()
    return COMM.allreduce(MPI.Wtime() - begin, MPI.MAX)


def compared(what, ours, theirs):
    """Runs both in turn, and prints the medians and that of the ratios."""
    pairs = []
    for number in range(PAIRS + 1):
        both = [(ours, 0), (theirs, 1)][::-1 if number % 2 else 1]
        times = {index: timed(function) for function, index in both}
        if number > 0:
            pairs.append((times[0], times[1]))
    if COMM.rank == 0:
        mine, other = (statistics.median(pair[index] for pair in pairs) for index in (0, 1))
        ratio = statistics.median(pair[0] / pair[1] for pair in pairs)
        print(f"| {what} | {1e3 * mine:.1f} ms | {1e3 * other:.1f} ms | {ratio:.2f} |")


def main(rows=3000, folder="."):
    """Rows of a square array of doubles."""
    if not h5py.get_config().mpi:
        sys.exit("this h5py was built without MPI")
    size = int(rows)
    a = daptor.zeros((size, size), COMM, grid=(COMM.size, 1))
    mine = numpy.asarray(a)
    mine[...] = COMM.rank
    start = COMM.exscan(mine.shape[0]) or 0
    here = slice(start, start + mine.shape[0])
    ours, theirs = os.path.join(folder, "daptor.h5"), os.path.join(folder, "h5py.h5")

    def write():
        with h5py.File(theirs, "w", driver="mpio", comm=COMM) as file:
            dataset = file.create_dataset("u", (size, size), "f8")
            with dataset.collective:
                dataset[here] = mine

    def read():
        with h5py.File(theirs, "r", driver="mpio", comm=COMM) as file:
            with file["u"].collective:
                file["u"].read_direct(mine, numpy.s_[here])

    if COMM.rank == 0:
        print(f"{size} x {size} doubles, without fsync\n\n| | daptor | h5py | ratio |\n"
              "| --- | --- | --- | --- |")
    compared("write", lambda: daptor.save(a, ours, "u", overwrite=True, sync=False), write)
    compared("read", lambda: daptor.hdf5.load_into(a, ours, "u"), read)
    COMM.Barrier()
    if COMM.rank == 0:
        os.remove(ours)
        os.remove(theirs)


main(*sys.argv[1:])
