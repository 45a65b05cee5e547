# SPDX-License-Identifier: BSD-3-Clause
"""Heat conduction in a plate, which is stopped in the middle and continued on fewer processes. In
the end every bit is as if it had not been stopped.

    mpirun -n 3 python3 heat.py
"""

import os
import sys

import daptor
import numpy
from daptor import hdf5
from mpi4py import MPI

SHAPE = (40, 30)
LAST_STEP = 200


def start(comm):
    """The plate, hot in one corner, with a ghost cell on all sides, where it is cold outside."""
    u = daptor.zeros(SHAPE, comm, ghosts=1)
    rows, columns = numpy.ogrid[u.global_slices]
    numpy.asarray(u)[u.interior_slices] = 100.0 * ((rows < 12) & (columns < 9))
    return u


def compute(comm, begin, end, stop):
    """Goes on from the file `begin`, or starts without one, and saves where it stops."""
    if begin is None:
        u, step = start(comm), 0
    else:
        u = daptor.load(begin, "temperature", comm, ghosts=1)
        step = hdf5.inspect(begin, "temperature", comm).attrs["step"]
    halo = daptor.HaloExchange(u)
    v = numpy.asarray(u)
    for step in range(step, stop):
        halo.update()
        v[1:-1, 1:-1] += 0.2 * (v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:]
                                - 4 * v[1:-1, 1:-1])
    daptor.save(u, end, "temperature", {"step": stop})


def main(comm):
    """Returns whether both ways give the same."""
    whole, stopped, continued = (f"python_heat_{name}.h5"
                                 for name in ("whole", "stopped", "continued"))
    if comm.rank == 0:
        for path in (whole, stopped, continued):
            if os.path.exists(path):
                os.remove(path)
    comm.Barrier()
    compute(comm, None, whole, LAST_STEP)
    compute(comm, None, stopped, LAST_STEP // 2)
    # A later job would have other processes; here it is a part of them.
    fewer = (comm.size + 1) // 2
    part = comm.Split(0 if comm.rank < fewer else MPI.UNDEFINED, comm.rank)
    if part != MPI.COMM_NULL:
        compute(part, stopped, continued, LAST_STEP)
        part.Free()
    comm.Barrier()
    one, other = (numpy.asarray(daptor.load(path, "temperature", comm))
                  for path in (whole, continued))
    same = comm.allreduce(bool((one == other).all() and one.any()), MPI.LAND)
    if comm.rank == 0:
        print(f"Stopped after {LAST_STEP // 2} steps on {comm.size} processes, continued on "
              f"{fewer}: {'every bit is the same.' if same else 'other values!'}")
    return same


if __name__ == "__main__":
    sys.exit(not main(MPI.COMM_WORLD))
