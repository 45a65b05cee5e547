# SPDX-License-Identifier: BSD-3-Clause
"""Times what import_ costs beyond the same import in C++, compared with petsc4py's createWithArray
on the same memory, and prints a Markdown table.

    mpirun -n 2 python3 benchmarks/python_import.py [--quick]

All ways are measured in turn, in the same run; objects are made and destroyed. The time of a batch
is that of its slowest rank.
"""

import argparse
import statistics

import daptor
import numpy
from _daptor_bench import import_seconds
from mpi4py import MPI
from petsc4py import PETSc


class Field:
    """A producer that makes a new dictionary for each call."""

    def __init__(self, comm, values):
        self.comm, self.values = comm, values

    def __distarray__(self):
        count, rank, size = len(self.values), self.comm.rank, self.comm.size
        return {"__version__": "0.9.0", "buffer": self.values,
                "dim_data": ({"dist_type": "b", "size": count * size, "proc_grid_size": size,
                              "proc_grid_rank": rank, "start": rank * count,
                              "stop": (rank + 1) * count},)}


def seconds(call, rounds):
    start = MPI.Wtime()
    for _ in range(rounds):
        call()
    return MPI.Wtime() - start


def ways(comm, values):
    """Maps each name to a function that takes a number of rounds and returns seconds."""
    field = Field(comm, values)
    described = daptor.import_(field, comm)

    def by_petsc4py():
        PETSc.Vec().createWithArray(values, comm=comm).destroy()

    def to_petsc():
        daptor.import_(field, comm).to_petsc().destroy()

    calls = {"`import_`": lambda: daptor.import_(field, comm), "`createWithArray`": by_petsc4py,
             "`import_`, `to_petsc`": to_petsc, "`validate`": lambda: daptor.validate(field, comm)}
    timed = {name: lambda rounds, call=call: seconds(call, rounds) for name, call in calls.items()}
    return {"C++ import": lambda rounds: import_seconds(described, rounds), **timed}


def measure(comm, timed, batches, rounds):
    """Maps each name to the microseconds per call of each batch."""
    times = {name: [] for name in timed}
    for _ in range(batches):
        for name, run in timed.items():
            comm.Barrier()
            times[name].append(comm.allreduce(run(rounds), MPI.MAX) / rounds * 1e6)
    return times


def quartiles(values, digits=1):
    lower, median, upper = (round(value, digits) for value in statistics.quantiles(values, n=4))
    return median, f"{median} [{lower}, {upper}]", lower


def row(count, times):
    """A line of the table. The goal: what Python adds takes less than one createWithArray."""
    added = [ours - theirs for ours, theirs in zip(times["`import_`"], times["C++ import"])]
    ratios = [ours / peer for ours, peer in zip(added, times["`createWithArray`"])]
    median, text, lower = quartiles(ratios, 2)
    verdict = "met" if median < 1 else "undecided" if lower < 1 else "missed"
    cells = {**times, "`import_` less the C++ import": added}
    return [str(count), *(quartiles(values)[1] for values in cells.values()), text, verdict], cells


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true", help="few rounds")
    quick = parser.parse_args().quick
    comm = MPI.COMM_WORLD
    rows = []
    cells = {}
    for count in (1000, 100000, 10000000):
        timed = ways(comm, numpy.zeros(count, dtype=PETSc.ScalarType))
        times = measure(comm, timed, *((5, 5) if quick else (40, 100)))
        line, cells = row(count, times)
        rows.append(line)
    if comm.rank == 0:
        headings = ["elements per rank", *cells, "ratio of that to `createWithArray`",
                    "goal: below 1"]
        print(f"### Time of an import in Python, on {comm.size} ranks, in microseconds\n")
        for line in (headings, ["---:"] * len(headings), *rows):
            print(f"| {' | '.join(line)} |")


main()
