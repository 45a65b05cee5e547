# SPDX-License-Identifier: BSD-3-Clause
"""Times daptor.fft beside mpi4py-fft, forward transforms of arrays of their own, and prints a
Markdown table. An array that is already distributed in blocks with ghost cells, which mpi4py-fft
cannot take, is timed alone.

    mpirun -n 2 python3 benchmarks/python_fft.py [--quick]

Both are measured in turn, in the same run. The time of a transform is that of its slowest rank.
"""

import argparse
import statistics

import daptor
import mpi4py_fft
import numpy
from daptor import fft
from mpi4py import MPI

COMM = MPI.COMM_WORLD


def timed(call):
    COMM.Barrier()
    start = MPI.Wtime()
    call()
    return COMM.allreduce(MPI.Wtime() - start, MPI.MAX)


def pairs(ours, theirs, count):
    """Seconds of both, taken in turn; the order within a pair alternates."""
    times = ([], [])
    for i in range(count + 2):
        order = (0, 1) if i % 2 == 0 else (1, 0)
        for which in order:
            seconds = timed((ours, theirs)[which])
            if i >= 2:
                times[which].append(seconds)
    return times


def text(values, unit=1.0, digits=1):
    lower, median, upper = (round(unit * value, digits) for value in
                            statistics.quantiles(values, n=4))
    return f"{median} [{lower}, {upper}]"


def verdict(ratios, goal):
    lower, median, _ = statistics.quantiles(ratios, n=4)
    return "met" if median <= goal else "undecided" if lower <= goal else "missed"


def beside(n, dtype, count):
    """One row: each library with the layouts that it chooses itself, plans by measurement."""
    peer = mpi4py_fft.PFFT(COMM, [n, n, n], dtype=dtype)
    theirs_in = mpi4py_fft.newDistArray(peer, False)
    theirs_out = mpi4py_fft.newDistArray(peer, True)
    theirs_in[:] = 0
    a = daptor.zeros((n, n, n), COMM, dtype=dtype, grid=(COMM.size, 1, 1))
    transform = fft.Transform(a, norm=None)
    ours, theirs = pairs(transform.forward,
                         lambda: peer.forward(theirs_in, theirs_out, normalize=False), count)
    ratios = [mine / other for mine, other in zip(ours, theirs)]
    return [str(n), numpy.dtype(dtype).name, text(ours, 1e3), text(theirs, 1e3), text(ratios, 1, 2),
            verdict(ratios, 1.0)]


def alone(n, count):
    a = daptor.zeros((n, n, n), COMM, ghosts=2, periodic=True)
    transform = fft.Transform(a, norm=None)
    seconds = [timed(transform.forward) for _ in range(count + 2)][2:]
    return [str(n), "float64, in blocks with two ghost cells", text(seconds, 1e3), "", "", ""]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true", help="few rounds")
    quick = parser.parse_args().quick
    rows = []
    for n in (32,) if quick else (128, 256):
        count = 5 if quick else 31 if n == 128 else 11
        rows += [beside(n, complex, count), beside(n, float, count), alone(n, count)]
    if COMM.rank == 0:
        headings = ["n", "elements", "daptor.fft", "mpi4py-fft", "ratio", "goal: at most 1"]
        print(f"### Forward transforms of n x n x n in Python, on {COMM.size} ranks, in ms\n")
        for line in (headings, ["---:"] * len(headings), *rows):
            print(f"| {' | '.join(line)} |")


main()
