"""What import_ costs, beside petsc4py's createWithArray on the same memory, as a Markdown table.

    mpirun -n 2 python3 benchmarks/python_import.py [--rounds N]

Each time is the least of several batches, on the slowest rank. Both are measured in turn, in the
same run; objects are made and destroyed.
"""

import argparse

import daptor
import numpy
from mpi4py import MPI
from petsc4py import PETSc

BATCHES = 7


class Field:
    """A producer: a dictionary made anew for each call."""

    def __init__(self, comm, values):
        self.comm, self.values = comm, values

    def __distarray__(self):
        count, rank, size = len(self.values), self.comm.rank, self.comm.size
        return {"__version__": "0.9.0", "buffer": self.values,
                "dim_data": ({"dist_type": "b", "size": count * size, "proc_grid_size": size,
                              "proc_grid_rank": rank, "start": rank * count,
                              "stop": (rank + 1) * count},)}


def least(comm, rounds, calls):
    """Microseconds of each call, measured in turn."""
    best = [float("inf")] * len(calls)
    for _ in range(BATCHES):
        for number, call in enumerate(calls):
            comm.Barrier()
            start = MPI.Wtime()
            for _ in range(rounds):
                call()
            best[number] = min(best[number], MPI.Wtime() - start)
    return [comm.allreduce(seconds, MPI.MAX) / rounds * 1e6 for seconds in best]


def ways(comm, values):
    field = Field(comm, values)

    def by_petsc4py():
        PETSc.Vec().createWithArray(values, comm=comm).destroy()

    def to_petsc():
        daptor.import_(field, comm).to_petsc().destroy()

    return {"`import_`": lambda: daptor.import_(field, comm), "`createWithArray`": by_petsc4py,
            "`import_` and `to_petsc`": to_petsc, "`validate`": lambda: daptor.validate(field, comm)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=300, help="calls in a batch")
    rounds = parser.parse_args().rounds
    comm = MPI.COMM_WORLD
    rows = []
    for count in (1000, 100000, 10000000):
        calls = ways(comm, numpy.zeros(count, dtype=PETSc.ScalarType))
        times = least(comm, rounds, list(calls.values()))
        rows.append((f"{count}", *(f"{time:.1f}" for time in times)))
    if comm.rank == 0:
        print(f"Microseconds on {comm.size} ranks\n")
        for row in (("elements a rank", *calls), ["---:"] * (len(calls) + 1), *rows):
            print(f"| {' | '.join(row)} |")


main()
