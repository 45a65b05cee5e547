# SPDX-License-Identifier: BSD-3-Clause
"""Times daptor.sum and others beside the same with NumPy and mpi4py by hand, and prints a Markdown
table.

    mpirun -n 2 python3 benchmarks/python_reductions.py [--quick]

Both are measured in turn, in the same run. The time of a reduction is that of its slowest rank.
"""

import argparse
import statistics

import daptor
import numpy
from mpi4py import MPI

COMM = MPI.COMM_WORLD
GOAL = 1.2


def timed(call):
    COMM.Barrier()
    start = MPI.Wtime()
    call()
    return COMM.allreduce(MPI.Wtime() - start, MPI.MAX)


def pairs(ours, theirs, count):
    """Seconds of both, taken in turn; the order within a pair alternates."""
    times = ([], [])
    for i in range(count + 5):
        order = (0, 1) if i % 2 == 0 else (1, 0)
        for which in order:
            seconds = timed((ours, theirs)[which])
            if i >= 5:
                times[which].append(seconds)
    return times


def text(values, unit=1.0, digits=1):
    lower, median, upper = (round(unit * value, digits) for value in
                            statistics.quantiles(values, n=4))
    return f"{median} [{lower}, {upper}]"


def verdict(ratios):
    lower, median, _ = statistics.quantiles(ratios, n=4)
    return "met" if median <= GOAL else "undecided" if lower <= GOAL else "missed"


def cases(a, b):
    """For each reduction ours, and by hand."""
    u, v = a.interior, b.interior
    return {
        "sum": (lambda: daptor.sum(a), lambda: COMM.allreduce(u.sum())),
        "max": (lambda: daptor.max(a), lambda: COMM.allreduce(u.max(), MPI.MAX)),
        "dot": (lambda: daptor.dot(a, b),
                lambda: COMM.allreduce(numpy.dot(u.ravel(), v.ravel()))),
        "norm": (lambda: daptor.norm(a),
                 lambda: COMM.allreduce(numpy.linalg.norm(u.ravel()) ** 2) ** 0.5),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="few repetitions, for tests")
    quick = parser.parse_args().quick
    if COMM.rank == 0:
        print(f"daptor.sum and others on {COMM.size} ranks, microseconds\n\n"
              "| elements of a rank | reduction | Daptor | by hand | ratio | at most "
              f"{GOAL} |\n| ---: | --- | ---: | ---: | ---: | --- |")
    for ghosts, name in ((0, ""), (1, ", with ghost cells")):
        for count in (1000,) if quick else (1000, 1000000):
            shape = (COMM.size * count // 100, 100)
            a, b = (daptor.ones(shape, COMM, grid=(COMM.size, 1), ghosts=ghosts)
                    for _ in range(2))
            for reduction, both in cases(a, b).items():
                ours, theirs = pairs(*both, 5 if quick else 201)
                ratios = [x / y for x, y in zip(ours, theirs)]
                if COMM.rank == 0:
                    print(f"| {count}{name} | {reduction} | {text(ours, 1e6)} | "
                          f"{text(theirs, 1e6)} | {text(ratios, digits=2)} | "
                          f"{verdict(ratios) if count >= 1000000 else ''} |", flush=True)


main()
