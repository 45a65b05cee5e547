# SPDX-License-Identifier: BSD-3-Clause
"""Redistribution between arrays on different communicators."""

import gc

import numpy
import pytest
from mpi4py import MPI

import daptor
from daptor import layout
from redistribute_support import labels, rows
from support import expected, owned, raised, same_on_all


def test_communicators_of_the_same_processes(comm):
    duplicate = comm.Dup()
    whole = labels((12, 7))
    a = rows(comm, (12, 7))
    owned(a)[...] = expected(a, whole)
    b = rows(duplicate, (12, 7)).like(layout.slab(1))
    for common in (None, comm, duplicate, comm if comm.rank == 0 else None):
        numpy.asarray(b)[...] = 0
        daptor.redistribute(a, b, comm=common)
        assert (owned(b) == expected(b, whole)).all()
    del b
    gc.collect()
    duplicate.Free()


def test_a_communicator_that_was_freed(comm, size):
    duplicate = comm.Dup()
    a, b = rows(duplicate, (8, 6)), rows(comm, (8, 6))
    owned(a)[...] = 3.0
    duplicate.Free()
    daptor.redistribute(a, b)
    daptor.redistribute(a, b, comm=comm, keep=1)
    assert (owned(b) == 6.0).all()
    daptor.redistribute(a, a.like(layout.slab(1)), comm=comm)


def test_processes_in_another_order(comm, rank, size):
    turned = comm.Split(0, size - rank)
    whole = labels((12, 7))
    a = rows(comm, (12, 7))
    owned(a)[...] = expected(a, whole)
    b = rows(turned, (12, 7))
    if size > 1:
        error = raised(lambda: daptor.redistribute(a, b))
        assert error.rule == "collective.comm" and same_on_all(comm, error)
    daptor.redistribute(a, b, comm=comm)
    assert (owned(b) == expected(b, whole)).all()
    del b
    gc.collect()
    turned.Free()


def test_from_one_half_to_the_other(comm, rank, size):
    """The lower half has the source, the upper half the target; an odd rank has neither."""
    half = max(size // 2, 1)
    lower = comm.Split(0 if rank < half else MPI.UNDEFINED)
    upper = comm.Split(0 if rank >= size - half else MPI.UNDEFINED)
    whole = labels((12, 7))
    source = target = None
    if rank < half:
        source = rows(lower, (12, 7))
        owned(source)[...] = expected(source, whole)
    if rank >= size - half:
        target = rows(upper, (12, 7)).like(layout.slab(1, "F"))
    way = daptor.Redistribution(source, target, comm=comm)
    for step in range(2):
        way.run(scale=step + 1)
        if target is not None:
            assert (owned(target) == (step + 1) * expected(target, whole)).all()
    way.run_back()
    if source is not None:
        assert (owned(source) == 2 * expected(source, whole)).all()
    daptor.redistribute(source, target, comm=comm, keep=1)
    if target is not None:
        assert (owned(target) == 4 * expected(target, whole)).all()
    if rank == 0:  # it has no part of it
        error = raised(lambda: daptor.Redistribution(None, target, comm=comm))
    else:
        error = raised(lambda: daptor.Redistribution(source, target, comm=comm))
    assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
    del way, source, target
    gc.collect()
    for part in (lower, upper):
        if part != MPI.COMM_NULL:
            part.Free()


def test_what_is_no_communicator(comm):
    a, b = rows(comm, (8, 6)), rows(comm, (8, 6))
    for wrong in (MPI.COMM_NULL, "comm", 1.5):
        with pytest.raises(daptor.InvalidArgument):
            daptor.Redistribution(a, b, comm=wrong)
