# SPDX-License-Identifier: BSD-3-Clause
"""Planned redistributions: begun and ended, used again, of several arrays, and their bytes."""

import threading
import time

import numpy
import pytest

import daptor
from daptor import layout
from redistribute_support import labels, rows
from support import expected, owned, raised, same_on_all


def test_begin_and_end(comm):
    whole = labels((40, 30))
    a = rows(comm, (40, 30))
    owned(a)[...] = expected(a, whole)
    b = a.like(layout.slab(1))
    way = daptor.Redistribution(a, b)
    assert raised(way.end).rule == "redistribute.not-begun"
    for step in range(3):
        way.begin(scale=step + 1)
        assert way.in_flight
        computed = float(owned(a).sum())  # sources may be read meanwhile
        assert raised(way.begin).rule == "redistribute.begun"
        assert raised(lambda: way.rebind(a, b)).rule == "redistribute.begun"
        way.end()
        assert not way.in_flight and computed == expected(a, whole).sum()
        assert (owned(b) == (step + 1) * expected(b, whole)).all()
    way.begin_back(scale=1 / 3)
    way.end()
    assert numpy.allclose(owned(a), expected(a, whole))


def test_an_end_that_nobody_called(comm):
    whole = labels((12, 7))
    a = rows(comm, (12, 7))
    owned(a)[...] = expected(a, whole)
    b = a.like(layout.slab(1))
    way = daptor.Redistribution(a, b)
    way.begin()
    del way  # waits for it
    assert (owned(b) == expected(b, whole)).all()


def test_two_at_once(comm):
    whole = labels((12, 7))
    a = rows(comm, (12, 7))
    owned(a)[...] = expected(a, whole)
    b, c = a.like(layout.slab(1)), a.like(layout.block_cyclic((2, 2)))
    ways = [daptor.Redistribution(a, b), daptor.Redistribution(a, c)]
    for way in ways:
        way.begin()
    for way in ways:
        way.end()
    assert (owned(b) == expected(b, whole)).all() and (owned(c) == expected(c, whole)).all()


def test_other_arrays_of_the_same_layouts(comm, rank):
    whole = labels((12, 7))
    first = rows(comm, (12, 7)), rows(comm, (12, 7)).like(layout.slab(1))
    second = rows(comm, (12, 7)), rows(comm, (12, 7)).like(layout.slab(1))
    owned(second[0])[...] = expected(second[0], whole)
    way = daptor.Redistribution(*first)
    way.rebind(*second)
    way.run()
    assert (numpy.asarray(first[1]) == 0).all()
    assert (owned(second[1]) == expected(second[1], whole)).all()
    way.run_back()
    for wrong in ((first[0], [first[1]] * 2), (first[0], first[1].as_readonly()),
                  (rows(comm, (7, 12)), first[1]), (first[0], None)):
        with pytest.raises(daptor.InvalidArgument):
            way.rebind(*wrong)
    with pytest.raises(daptor.InvalidArgument):
        way.rebind(first[0], numpy.zeros(3))
    way.run()


def test_batches(comm):
    whole = labels((12, 7))
    sources = [rows(comm, (12, 7)) for _ in range(3)]
    targets = tuple(a.like(layout.slab(1)) for a in sources)
    for number, a in enumerate(sources):
        owned(a)[...] = expected(a, whole) + 100 * number
    single = daptor.Redistribution(sources[0], targets[0])
    way = daptor.Redistribution(sources, targets)
    way.run()
    for number, b in enumerate(targets):
        assert (owned(b) == expected(b, whole) + 100 * number).all()
    assert way.bytes_sent == 3 * single.bytes_sent
    assert way.bytes_copied == 3 * single.bytes_copied
    way.run_back(scale=2)
    assert (owned(sources[2]) == 2 * (expected(sources[2], whole) + 200)).all()


def test_bytes_are_counted(comm, rank, size):
    a = rows(comm, (4 * size, 4 * size))
    b = a.like(layout.slab(1))
    way = daptor.Redistribution(a, b, buffer_bytes=1 << 17)
    each = 16 * 8
    assert way.bytes_sent == way.bytes_received == (size - 1) * each
    assert way.bytes_copied == each and way.buffer_bytes >= 0
    moved = daptor.bytes_to_redistribute(a, b)
    assert moved == size * (size - 1) * each
    assert daptor.bytes_to_redistribute(a, a.like(layout.natural())) == 0
    error = raised(lambda: daptor.bytes_to_redistribute(a, rows(comm, (3, 3))))
    assert error.rule == "redistribute.shape" and same_on_all(comm, error)
    error = raised(lambda: daptor.bytes_to_redistribute([a, a], b))
    assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)


class Clock:
    """Counts in a thread of its own."""

    def __init__(self):
        self.counted = 0
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self.count)

    def count(self):
        while not self.stop.wait(0.001):
            self.counted += 1

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *arguments):
        self.stop.set()
        self.thread.join()


@pytest.mark.parametrize("finish", [lambda ways: ways[0].end(), list.clear],
                         ids=["end", "destructor"])
def test_the_interpreter_goes_on_while_mpi_waits(comm, rank, size, finish):
    """The last rank is late; meanwhile a thread of each other rank counts."""
    a = rows(comm, (4 * size, 4 * size))
    ways = [daptor.Redistribution(a, a.like(layout.slab(1)))]
    comm.Barrier()
    if rank == size - 1:
        time.sleep(0.3)
    with Clock() as clock:
        ways[0].begin()
        finish(ways)
    if size > 1 and rank != size - 1:
        assert clock.counted > 10
