# SPDX-License-Identifier: BSD-3-Clause
"""Functions and classes that the tests of the Python package share."""

import numpy
from mpi4py import MPI

import daptor


class Section(numpy.ndarray):
    """An array that weak references can refer to."""


def address(array):
    """Returns the address of an object's memory."""
    return numpy.asarray(array).__array_interface__["data"][0]


def resident():
    """Returns the size of this process's memory in KiB."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def share(total, size, rank):
    """Returns the bounds of a rank's even block."""
    whole, rest = divmod(total, size)
    start = rank * whole + min(rank, rest)
    return start, start + whole + (1 if rank < rest else 0)


def indices_of(entry):
    """Returns the global indices that a rank owns along a dimension."""
    kind, size = entry["dist_type"], entry["size"]
    if kind == "n":
        return numpy.arange(size)
    if kind == "b":
        return numpy.arange(entry["start"], entry["stop"])
    if kind == "u":
        return numpy.asarray(entry["indices"])
    width = entry.get("block_size", 1)
    start, ranks = entry["start"], entry["proc_grid_size"]
    later = numpy.arange(start, size)
    return later[(later // width - start // width) % ranks == 0]


def owned(a):
    """Returns the owned part of an array."""
    return numpy.asarray(a)[a.owned_slices]


def expected(a, whole):
    """Returns the expected values of an array's owned part."""
    picks = [indices_of(entry) for entry in a.__distarray__()["dim_data"]]
    return whole[numpy.ix_(*picks)] if picks else whole


def process_grid(size):
    """Returns the two-dimensional grid that MPI chooses."""
    return tuple(MPI.Compute_dims(size, 2))


class Producer:
    """A producer in pure Python: a dictionary over any buffer, made anew for each call."""

    def __init__(self, buffer, dim_data, version="0.9.0"):
        self.buffer = buffer
        self.dim_data = tuple(dim_data)
        self.version = version
        self.calls = 0

    def __distarray__(self):
        self.calls += 1
        return {"__version__": self.version, "buffer": self.buffer, "dim_data": self.dim_data}


def block(total, size, rank, **more):
    start, stop = share(total, size, rank)
    return {"dist_type": "b", "size": total, "proc_grid_size": size, "proc_grid_rank": rank,
            "start": start, "stop": stop, **more}


def line(comm, buffer):
    """One block dimension; the same number of elements on each rank."""
    with memoryview(buffer) as view:
        count = view.shape[0]
    return Producer(buffer, [block(count * comm.size, comm.size, comm.rank)])


def raised(function):
    """Returns the error of Daptor that a call raises."""
    try:
        function()
    except daptor.Error as error:
        return error
    raise AssertionError("no error")


def same_on_all(comm, error):
    """True if every rank raised the same error: class, message and findings."""
    mine = (type(error).__name__, str(error), [str(f) for f in error.report.findings])
    return comm.allgather(mine) == [mine] * comm.size
