# SPDX-License-Identifier: BSD-3-Clause
"""Enumerate, segmented scans, pack and unpack on sections of NumPy arrays."""

import builtins

import numpy
import pytest
from mpi4py import MPI

import daptor
from daptor import layout
from support import expected, owned, raised, same_on_all, share

MASK = [1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0]
SUMS = [1, 3, 6, 10, 15, 21, 7, 15, 9, 19, 30, 12, 25, 39, 15, 16, 33]
BEFORE = [0, 1, 3, 6, 10, 15, 0, 7, 0, 9, 19, 0, 12, 25, 0, 0, 16]


def part(comm, values, dtype="f8"):
    """This rank's block of a list that every rank has."""
    start, stop = share(len(values), comm.size, comm.rank)
    return daptor.block(numpy.array(values[start:stop], dtype=dtype), comm, shape=(len(values),))


def whole(comm, a):
    return numpy.concatenate(comm.allgather(numpy.asarray(a)))


class Section:
    """An object with __distarray__ that is no Array."""

    def __init__(self, a):
        self.a = a
        self.times_read = 0

    def __distarray__(self):
        self.times_read += 1
        return self.a.__distarray__()


def test_enumerate(comm):
    a = part(comm, [0] * 17, "i8")
    daptor.enumerate(a, 1, 1)
    assert whole(comm, a).tolist() == list(range(1, 18))
    daptor.enumerate(a, numpy.int64(7), 2, range=(4, 17))
    assert whole(comm, a).tolist() == [1, 2, 3, 4] + list(range(7, 33, 2))
    c = part(comm, [0] * 4, "c16")
    daptor.enumerate(c, 1 + 2j, numpy.complex64(1 - 1j))
    assert whole(comm, c).tolist() == [1 + 2j, 2 + 1j, 3, 4 - 1j]
    daptor.enumerate(c, numpy.array(1 + 2j), numpy.array(2))
    assert whole(comm, c).tolist() == [1 + 2j, 3 + 2j, 5 + 2j, 7 + 2j]
    f = part(comm, [0] * 3)
    daptor.enumerate(f, numpy.array(0.5), numpy.array(2))
    assert whole(comm, f).tolist() == [0.5, 2.5, 4.5]
    u = part(comm, [0] * 3, "u8")
    daptor.enumerate(u, 2**64 - 1, -1)
    assert whole(comm, u).tolist() == [2**64 - 1, 2**64 - 2, 2**64 - 3]


@pytest.mark.parametrize("target", [layout.block_cyclic([2]), layout.natural()])
def test_enumerate_in_each_layout(comm, target):
    a = part(comm, [0] * 17, "i8").like(target)
    daptor.enumerate(a, 5, 3)
    assert (owned(a) == expected(a, 5 + 3 * numpy.arange(17))).all()


def test_scans(comm):
    source, mask = part(comm, range(1, 18)), part(comm, MASK, "i4")
    target = part(comm, [-1.0] * 17)
    daptor.scan_add(source, target, mask)
    assert whole(comm, target).tolist() == SUMS
    daptor.scan_add(source, target, mask, exclusive=True)
    assert whole(comm, target).tolist() == BEFORE
    daptor.scan_copy(source, target, mask, range=(3, 8))
    assert whole(comm, target)[3:8].tolist() == [0, 0, 0, 7, 7]


@pytest.mark.parametrize("name, combine", [
    ("max", max), ("min", min), ("sum", lambda a, b: a + b), ("multiply", lambda a, b: a * b),
    ("copy", lambda a, b: a)])
def test_scans_by_name(comm, name, combine):
    values = [4, 7, 2, 9, 1, 3, 8, 2, 6, 5, 5, 9, 1, 2, 3, 2, 7]
    inclusive, running = [], None
    for value, starts in zip(values, MASK):
        running = value if starts else combine(running, value)
        inclusive.append(running)
    source, mask = part(comm, values), part(comm, MASK, "i4")
    target = part(comm, [-1.0] * 17)
    daptor.scan(source, target, mask, name)
    assert whole(comm, target).tolist() == inclusive
    assert whole(comm, source).tolist() == values
    daptor.scan(source, source, mask, name)
    assert whole(comm, source).tolist() == inclusive


@pytest.mark.parametrize("scan", [daptor.scan_copy, daptor.scan_add])
def test_before_the_first_segment(comm, scan):
    source, mask = part(comm, range(1, 18)), part(comm, [0] * 3 + [1] + [0] * 13, "i4")
    for before, first in (("keep", -1), ("zero", 0)):
        target = part(comm, [-1.0] * 17)
        scan(source, target, mask, before=before)
        assert whole(comm, target)[:4].tolist() == [first] * 3 + [4]
    target = part(comm, [-1.0] * 17)
    error = raised(lambda: scan(source, target, mask, before="refuse"))
    assert error.rule == "sparse.before" and same_on_all(comm, error)
    assert (whole(comm, target) == -1).all()
    scan(source, target, mask, range=(3, 17), before="refuse")
    assert whole(comm, target)[:4].tolist() == [-1] * 3 + [4]


def test_pack_and_unpack(comm):
    source, mask = part(comm, range(1, 18)), part(comm, MASK, "?")
    few = daptor.packed(source, mask)
    assert whole(comm, few).tolist() == [1, 7, 9, 12, 15, 16]
    target = part(comm, [0.0] * 17)
    assert daptor.pack(source, mask, target, range=(1, 12)) == 3
    assert whole(comm, target).tolist() == [7, 9, 12] + [0] * 14
    back = part(comm, [-1.0] * 17)
    assert daptor.unpack(few, mask, back) == 6
    expected = numpy.where(numpy.array(MASK) == 1, numpy.arange(1, 18), -1)
    assert whole(comm, back).tolist() == expected.tolist()


def test_objects_with_distarray(comm):
    source, mask = part(comm, range(1, 18)), part(comm, MASK, "i4")
    target = part(comm, [-1.0] * 17)
    daptor.scan_add(Section(source), Section(target), Section(mask), comm=comm)
    assert whole(comm, target).tolist() == SUMS
    daptor.scan_add(source, Section(target), mask, exclusive=True)
    assert whole(comm, target).tolist() == BEFORE
    read_once = Section(source)
    assert daptor.packed(read_once, mask).shape == (6,)
    assert read_once.times_read == 1


def test_refusals(comm):
    source, mask = part(comm, range(1, 18)), part(comm, MASK, "i4")
    target, few = part(comm, [-1.0] * 17), part(comm, [-1.0] * 5)
    calls = {
        "sparse.capacity": lambda: daptor.pack(source, mask, few),
        "sparse.range": lambda: daptor.scan_add(source, target, mask, range=(0, 18)),
        "sparse.mask": lambda: daptor.scan_add(source, target, source),
        "sparse.division": lambda: daptor.scan_add(source, few, mask),
        "sparse.type": lambda: daptor.scan_add(mask, target, mask),
        "sparse.number": lambda: daptor.enumerate(mask, 0.5, 1),
        "argument": lambda: daptor.scan(source, target, mask, "median"),
    }
    for rule, call in calls.items():
        error = raised(call)
        assert error.rule == rule and same_on_all(comm, error)
    tiles = source.redistributed(layout.block_cyclic([2]))
    error = raised(lambda: daptor.scan_add(tiles, target, mask))
    assert error.rule == "sparse.order" and same_on_all(comm, error)
    assert "source.redistributed(daptor.layout.natural())" in str(error)
    assert (whole(comm, target) == -1).all() and (whole(comm, few) == -1).all()
    assert whole(comm, mask).tolist() == MASK


def test_the_copy_that_a_refusal_names(comm):
    source, target = part(comm, range(1, 18)), part(comm, [-1.0] * 17)
    on_the_last = MASK if comm.rank == comm.size - 1 else []
    mask = daptor.block(numpy.array(on_the_last, dtype="i4"), comm)
    if comm.size > 1:
        error = raised(lambda: daptor.scan_add(source, target, mask))
        assert error.rule == "sparse.division" and same_on_all(comm, error)
        assert ("copy = daptor.block(numpy.zeros(source.owned_shape, mask.dtype), source.comm), "
                "then daptor.redistribute(mask, copy)") in str(error)
    copy = daptor.block(numpy.zeros(source.owned_shape, mask.dtype), source.comm)
    daptor.redistribute(mask, copy)
    daptor.scan_add(source, target, copy)
    assert whole(comm, target).tolist() == SUMS


def test_what_an_import_of_all_names_leaves_alone():
    assert not set(daptor.__all__) & set(dir(builtins))


def test_a_wrong_argument_on_one_rank(comm):
    source, mask = part(comm, range(1, 18)), part(comm, MASK, "i4")
    target = part(comm, [-1.0] * 17)
    last = comm.rank == comm.size - 1
    for call in (lambda: daptor.scan_add(source, 3 if last else target, mask),
                 lambda: daptor.scan_add(source, target, mask, range="ab" if last else None),
                 lambda: daptor.scan_add(source, target, mask, before=4 if last else None),
                 lambda: daptor.pack(source, None if last else mask, target),
                 lambda: daptor.enumerate(target, "a" if last else 1, 1),
                 lambda: daptor.enumerate(target, 1, numpy.array([1, 2]) if last else 1),
                 lambda: daptor.enumerate(target, numpy.array([0.5, 2]) if last else 1, 1)):
        error = raised(call)
        assert error.rule == "argument" and same_on_all(comm, error)
    error = raised(lambda: daptor.enumerate(target, 2**64, 1))
    assert error.rule == "argument" and same_on_all(comm, error)
    assert isinstance(error, daptor.InvalidArgument)
    assert (whole(comm, target) == -1).all()


def test_arrays_of_other_processes(comm, size):
    if size == 1:
        return
    source, mask = part(comm, range(1, 18)), part(comm, MASK, "i4")
    target, alone = part(comm, [-1.0] * 17), part(MPI.COMM_SELF, MASK, "i4")
    for call in (lambda: daptor.scan_add(source, target, alone),
                 lambda: daptor.pack(source, alone, target),
                 lambda: daptor.packed(source, alone)):
        error = raised(call)
        assert error.rule == "collective.comm" and same_on_all(comm, error)
    assert (whole(comm, target) == -1).all() and whole(comm, mask).tolist() == MASK
