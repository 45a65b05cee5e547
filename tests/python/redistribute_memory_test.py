# SPDX-License-Identifier: BSD-3-Clause
"""Redistributions keep the arrays as long as they need them, and leave no memory behind."""

import gc
import sys
import weakref

import numpy

import daptor
from daptor import layout
from redistribute_support import Raising, rows
from support import Section, raised, resident


def test_memory_is_freed(comm, size):
    u, v = (numpy.zeros(4).view(Section) for _ in range(2))
    alive = weakref.ref(u), weakref.ref(v)
    way = daptor.Redistribution(daptor.block(u, comm), daptor.block(v, comm))
    del u, v
    gc.collect()
    assert all(reference() is not None for reference in alive)  # the arrays are kept
    way.run()
    way.run_back()
    del way
    gc.collect()
    assert all(reference() is None for reference in alive)


def test_references_are_back_at_their_start(comm):
    u, v = numpy.zeros(4), numpy.zeros(4)
    a, b = daptor.block(u, comm), daptor.block(v, comm)
    before = [sys.getrefcount(item) for item in (u, v, a, b, comm)]
    for _ in range(30):
        way = daptor.Redistribution([a], [b], comm=comm)
        way.run()
        way.rebind(a, b)
        daptor.redistribute(a, b)
        c = a.redistributed(layout.natural())
        raised(lambda: daptor.Redistribution(a, 3))
        raised(lambda: daptor.Redistribution(a, Raising()))
        del way, c
    gc.collect()
    assert [sys.getrefcount(item) for item in (u, v, a, b, comm)] == before


def test_the_memory_of_copies_goes_with_its_last_view(comm, size):
    a = rows(comm, (1 << 10, 128))  # 1 MiB
    copy = a.redistributed(layout.slab(1))
    view = numpy.asarray(copy)[:1]
    view[...] = 5.0
    del copy
    gc.collect()
    assert (view == 5.0).all()  # the view keeps it
    del view

    def rounds(count):
        for _ in range(count):
            numpy.asarray(a.redistributed(layout.slab(1)))[...] = 1.0
            way = daptor.Redistribution(a, a.like(layout.natural()))
            way.run()

    rounds(5)
    before = resident()
    rounds(60)
    assert resident() - before < 16 * 1024
