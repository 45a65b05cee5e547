# SPDX-License-Identifier: BSD-3-Clause
"""Producers for the tests of the conformance kit and the command: some behave, some do not."""

import sys
import time

import numpy
from mpi4py import MPI

import daptor
from support import Producer, block, share


def good(comm):
    """A block array in pure Python; each element holds its global number."""
    start, stop = share(4 * comm.size, comm.size, comm.rank)
    return Producer(numpy.arange(start, stop, dtype=float),
                    [block(4 * comm.size, comm.size, comm.rank)])


def grid(comm):
    """An array of Daptor's, with padding."""
    return daptor.block(numpy.zeros((6, 4)), comm, shape=(4 * comm.size, 2), grid=(comm.size, 1),
                        padding=1, periodic=True)


def gap(comm):
    """The last rank starts too late."""
    keys = block(4 * comm.size, comm.size, comm.rank)
    if comm.rank == comm.size - 1:
        keys["start"] += 1
    return Producer(numpy.zeros(keys["stop"] - keys["start"]), [keys])


class Copies(Producer):
    """Every export is a copy."""

    def __distarray__(self):
        return {**super().__distarray__(), "buffer": self.buffer.copy()}


def copies(comm):
    sound = good(comm)
    return Copies(sound.buffer, sound.dim_data)


class GivesBack(Producer):
    """Its memory is another's once it is gone."""

    def __init__(self, comm):
        sound = good(comm)
        super().__init__(sound.buffer, sound.dim_data)

    def __del__(self):
        self.buffer[...] = -1


class Talks(Producer):
    """Communicates when it is asked for a description."""

    def __init__(self, comm):
        sound = good(comm)
        super().__init__(sound.buffer, sound.dim_data)
        self.comm = comm

    def __distarray__(self):
        self.comm.Barrier()
        return super().__distarray__()


class TalksByDaptor(Talks):
    """Does so by a collective call of Daptor."""

    def __distarray__(self):
        return daptor.block(self.buffer, self.comm).__distarray__()


def backwards(comm):
    """The global numbers in reverse, on the same memory each time."""
    sound = good(comm)
    sound.buffer = sound.buffer[::-1]
    return sound


def wrong_values(comm):
    sound = good(comm)
    sound.buffer[-1] += 1
    return sound


def masked(comm):
    """An array with a mask on the last rank."""
    sound = good(comm)
    if comm.rank == comm.size - 1:
        sound.buffer = numpy.ma.masked_equal(sound.buffer, 1.0)
    return sound


def raises(comm):
    if comm.rank == comm.size - 1:
        raise KeyboardInterrupt("on the last rank")
    return good(comm)


def exits(comm):
    if comm.rank == 0:
        sys.exit(0)
    return good(comm)


def waits(comm):
    comm.recv(source=comm.rank)


class Late(Producer):
    """Waits for ever on the last rank when it is asked for a description."""

    def __init__(self, comm):
        sound = good(comm)
        super().__init__(sound.buffer, sound.dim_data)
        self.comm = comm

    def __distarray__(self):
        if self.comm.rank == self.comm.size - 1:
            self.comm.recv(source=self.comm.rank)
        return super().__distarray__()


waits_on_last = Late


class Fails(Late):
    """Fails on the last rank when it is asked, with a text that would colour a terminal."""

    def __distarray__(self):
        if self.comm.rank == self.comm.size - 1:
            raise ZeroDivisionError("\x1b[31m, no value")
        return Producer.__distarray__(self)


fails = Fails


def lists(comm):
    """Every rank has each size-th index."""
    return daptor.unstructured(numpy.zeros(3), numpy.arange(comm.rank, 3 * comm.size, comm.size),
                               comm, size=3 * comm.size, one_to_one=True)


def raises_alone(comm):
    """One rank raises while the others wait for it."""
    if comm.rank == 1:
        raise ValueError("while others wait")
    comm.Barrier()
    return good(comm)


def slow(comm):
    time.sleep(0.3)
    return good(comm)


def alone():
    """Takes no communicator."""
    return good(MPI.COMM_WORLD)


ready = good(MPI.COMM_WORLD)
