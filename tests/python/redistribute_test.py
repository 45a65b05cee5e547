# SPDX-License-Identifier: BSD-3-Clause
"""Redistribution between layouts, compared with an array that every rank holds whole."""

import gc
import sys
import threading
import time
import weakref

import numpy
import pytest
from mpi4py import MPI

import daptor
from daptor import layout
from support import expected, owned, raised, resident, same_on_all, share


def labels(shape, dtype="f8"):
    return numpy.arange(1, numpy.prod(shape, dtype=int) + 1).reshape(shape).astype(dtype)


def rows(comm, shape, dtype="f8"):
    """Blocks of whole rows."""
    start, stop = share(shape[0], comm.size, comm.rank)
    u = numpy.zeros((stop - start, *shape[1:]), dtype=dtype)
    return daptor.block(u, comm, shape=shape, grid=(comm.size,) + (1,) * (len(shape) - 1))


def scattered(comm, shape, dtype="f8"):
    """Rows in random order."""
    order = numpy.random.default_rng(7).permutation(shape[0])
    mine = numpy.ascontiguousarray(order[comm.rank::comm.size])
    return daptor.unstructured(numpy.zeros((len(mine), *shape[1:]), dtype=dtype), mine, comm,
                               size=shape[0])


def padded(comm, shape, dtype="f8"):
    """Blocks along dimension 0, which is periodic, with communication padding at both ends."""
    start, stop = share(shape[0], comm.size, comm.rank)
    u = numpy.full((stop - start + 2, *shape[1:]), -1).astype(dtype)
    return daptor.block(u, comm, shape=shape, grid=(comm.size,) + (1,) * (len(shape) - 1),
                        padding=((1, 1),) + (0,) * (len(shape) - 1),
                        periodic=(True,) + (False,) * (len(shape) - 1))


def strided(comm, shape, dtype="f8"):
    """Every second element of the memory, from its end."""
    start, stop = share(shape[-1], comm.size, comm.rank)
    u = numpy.zeros((*shape[:-1], 2 * (stop - start)), dtype=dtype)[..., ::-2]
    return daptor.block(u, comm, shape=shape, grid=(1,) * (len(shape) - 1) + (comm.size,))


def made(target):
    return lambda comm, shape, dtype="f8": rows(comm, shape, dtype).like(target(len(shape)))


LAYOUTS = {
    "rows": rows,
    "scattered": scattered,
    "padded": padded,
    "strided": strided,
    "natural": made(lambda ndim: layout.natural()),
    "columns": made(lambda ndim: layout.slab(ndim - 1, "F")),
    "bricks": made(lambda ndim: layout.blocks()),
    "tiles": made(lambda ndim: layout.block_cyclic((2,) * ndim)),
    "cyclic": made(lambda ndim: layout.block_cyclic((1,) * ndim, order="C")),
    "alone": made(lambda ndim: layout.on_process(0)),
}


@pytest.mark.parametrize("shape", [(17,), (12, 7), (9, 4, 5)], ids=str)
@pytest.mark.parametrize("origin", LAYOUTS)
def test_there_and_back(comm, shape, origin):
    whole = labels(shape)
    for name, make in LAYOUTS.items():
        source, target = LAYOUTS[origin](comm, shape), make(comm, shape)
        owned(source)[...] = expected(source, whole)
        way = daptor.Redistribution(source, target)
        way.run()
        assert (owned(target) == expected(target, whole)).all(), name
        owned(target)[...] += 1
        way.run_back()
        assert (owned(source) == expected(source, whole) + 1).all(), name


def test_one_shot(comm):
    whole = labels((12, 7))
    a = rows(comm, (12, 7))
    owned(a)[...] = expected(a, whole)
    b = a.like(layout.slab(1))
    assert b.shape == a.shape and b.dtype == a.dtype and (numpy.asarray(b) == 0).all()
    assert b.comm is comm and not b.readonly
    assert daptor.redistribute(a, b) is None
    assert (owned(b) == expected(b, whole)).all()
    c = b.redistributed(layout.block_cyclic((2, 3)))
    assert (owned(c) == expected(c, whole)).all() and numpy.asarray(c).flags.f_contiguous
    daptor.redistribute(c, a, scale=2)
    assert (owned(a) == 2 * expected(a, whole)).all()


def test_layouts_are_values(comm, size):
    assert layout.slab(1) == layout.slab(1, "C") != layout.slab(1, "F")
    assert len({layout.natural(), layout.natural(), layout.blocks(), layout.on_process(0)}) == 3
    for value in (layout.natural(), layout.slab(1, "F"), layout.blocks((0, 1)), layout.blocks(),
                  layout.block_cyclic((2, 3), grid=(1, size), origin=[0, 0]),
                  layout.on_process(rank=0, order="F")):
        assert eval(repr(value)) == value
    with pytest.raises(daptor.InvalidArgument):
        layout.slab(0, "A")
    with pytest.raises(TypeError):
        layout.slab("x")
    a = rows(comm, (8, 6))
    c = a.like(layout.block_cyclic((2, 3), origin=(0, 0), grid=(size, 1)))
    assert c.__distarray__()["dim_data"][0]["dist_type"] in "cn"
    d = a.like(layout.on_process(size - 1, "F"))
    assert d.local_shape == ((8, 6) if comm.rank == size - 1 else (0, 6))


@pytest.mark.parametrize("wrong", [
    layout.slab(2), layout.slab(-1), layout.blocks((1,)), layout.blocks((7, 5)),
    layout.on_process(100), layout.block_cyclic((2,)), layout.block_cyclic((2, 0)),
    layout.block_cyclic((2, 2), origin=(100, 0))
], ids=repr)
def test_layouts_that_do_not_fit(comm, wrong):
    a = rows(comm, (8, 6))
    for call in (a.like, a.redistributed):
        error = raised(lambda: call(wrong))
        assert isinstance(error, (daptor.InvalidArgument, daptor.Malformed))
        assert same_on_all(comm, error)


def test_a_layout_of_a_wrong_type_on_one_rank(comm, rank, size):
    a = rows(comm, (8, 6))
    wrong = 3 if rank == size - 1 else layout.natural()
    error = raised(lambda: a.redistributed(wrong))
    assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
    assert error.rank == size - 1
    with pytest.raises(TypeError):
        a.like(3)


def test_element_types_convert(comm):
    whole = labels((12, 7), "f4")
    a = rows(comm, (12, 7), "f4")
    owned(a)[...] = expected(a, whole)
    b = rows(comm, (12, 7), "f8").like(layout.slab(1))
    error = raised(lambda: daptor.redistribute(a, b))
    assert error.rule == "redistribute.type" and same_on_all(comm, error)
    daptor.redistribute(a, b, convert=True)
    assert (owned(b) == expected(b, whole)).all() and b.dtype == numpy.float64
    c = rows(comm, (12, 7), "c16")
    daptor.redistribute(b, c, convert=True, scale=1j)
    assert (owned(c) == 1j * expected(c, whole)).all()
    error = raised(lambda: daptor.redistribute(c, b, convert=True))
    assert error.rule == "redistribute.type" and same_on_all(comm, error)


def test_transforms(comm):
    whole = labels((12, 7), "c16") * (1 + 2j)
    a = rows(comm, (12, 7), "c16")
    owned(a)[...] = expected(a, whole)
    b = a.like(layout.slab(1))
    numpy.asarray(b)[...] = 1
    way = daptor.Redistribution(a, b)
    way.run(scale=2j, conjugate=True, keep=numpy.complex128(3))
    assert numpy.allclose(owned(b), 2j * expected(b, whole).conj() + 3)
    way.run_back(scale=-1)
    assert numpy.allclose(owned(a), -2j * expected(a, whole).conj() - 3)
    integers = rows(comm, (12, 7), "i8")
    way = daptor.Redistribution(integers, integers.like(layout.slab(1)))
    for begin in (way.run, way.begin, way.run_back, way.begin_back):
        assert raised(lambda: begin(scale=0.5)).rule == "redistribute.transform"
        with pytest.raises(daptor.InvalidArgument):
            begin(scale="two")
    assert not way.in_flight
    error = raised(lambda: daptor.redistribute(integers, integers.like(layout.slab(1)), scale=2))
    assert error.rule == "redistribute.transform"


def test_bytes_of_another_order(comm):
    whole = labels((12, 7), ">f8")
    a = rows(comm, (12, 7), ">f8")
    owned(a)[...] = expected(a, whole)
    b = a.redistributed(layout.slab(1))
    assert b.dtype == numpy.dtype(">f8") == numpy.asarray(b).dtype
    assert (owned(b) == expected(b, whole)).all()
    native = rows(comm, (12, 7))
    error = raised(lambda: daptor.redistribute(a, native))
    assert error.rule == "redistribute.type" and same_on_all(comm, error)


def test_padding_is_filled_where_asked_for(comm, size):
    whole = labels((4 * size,))
    a = rows(comm, (4 * size,))
    owned(a)[...] = expected(a, whole)
    b = padded(comm, (4 * size,))
    u = numpy.asarray(b)
    daptor.redistribute(a, b)
    assert u[0] == u[-1] == -1
    daptor.redistribute(a, b, fill_padding=True)
    assert (u == whole[(4 * comm.rank - 1 + numpy.arange(6)) % (4 * size)]).all()


def test_indices_on_several_ranks(comm, rank, size):
    everything = numpy.arange(6)
    a = daptor.unstructured(numpy.arange(6.0), everything, comm, size=6)
    b = rows(comm, (6,))
    if size > 1:
        error = raised(lambda: daptor.redistribute(a, b))
        assert error.rule == "redistribute.overlap" and same_on_all(comm, error)
    daptor.redistribute(a, b, read_from_any=True)
    assert (owned(b) == expected(b, numpy.arange(6.0))).all()
    owned(b)[...] += 1
    daptor.redistribute(b, a)
    assert (numpy.asarray(a) == everything + 1).all()
    few = daptor.unstructured(numpy.zeros(1), numpy.array([rank % 6]), comm, size=6)
    if size < 6:
        error = raised(lambda: daptor.redistribute(few, b, read_from_any=True))
        assert error.rule == "redistribute.missing" and same_on_all(comm, error)


def test_numbers_of_elements(comm):
    """A one-dimensional array numbers the other's elements in row-major order."""
    whole = labels((12, 7))
    a = rows(comm, (12, 7)).like(layout.slab(1, "F"))
    owned(a)[...] = expected(a, whole)
    b = rows(comm, (84,))
    daptor.redistribute(a, b)
    assert (owned(b) == expected(b, whole.reshape(84))).all()


@pytest.mark.parametrize("shape", [(0,), (0, 5), (4, 0)], ids=str)
def test_no_elements(comm, shape):
    a = rows(comm, shape)
    b = a.redistributed(layout.slab(len(shape) - 1))
    assert b.shape == shape
    way = daptor.Redistribution(a, b)
    way.run()
    way.run_back()
    assert (way.bytes_sent, way.bytes_received, way.bytes_copied) == (0, 0, 0)


def test_no_dimensions(comm):
    if comm.size > 1:  # one element cannot be divided
        error = raised(lambda: daptor.import_({"__version__": "0.9.0", "buffer": numpy.zeros(()),
                                               "dim_data": ()}, comm))
        assert same_on_all(comm, error)
        return
    a = daptor.import_({"__version__": "0.9.0", "buffer": numpy.array(5.0), "dim_data": ()}, comm)
    b = a.like(layout.blocks())
    daptor.redistribute(a, b, scale=2)
    assert numpy.asarray(b) == 10.0


def test_a_read_only_target(comm, rank, size):
    a, b = rows(comm, (8, 6)), rows(comm, (8, 6))
    frozen = b.as_readonly() if rank == size - 1 else b
    for call in (daptor.Redistribution, daptor.redistribute):
        error = raised(lambda: call(a, frozen))
        assert isinstance(error, daptor.InvalidArgument) and error.rule == "lease.readonly"
        assert error.rank == size - 1 and same_on_all(comm, error)
    way = daptor.Redistribution(frozen, a.like(layout.slab(1)))
    way.run()
    error = raised(way.run_back)
    assert error.rule == "lease.readonly" and same_on_all(comm, error)
    assert daptor.bytes_to_redistribute(a, frozen) == 0


def test_what_does_not_go_together(comm):
    a = rows(comm, (8, 6))
    rules = {
        "redistribute.shape": lambda: daptor.Redistribution(a, rows(comm, (6, 8))),
        "redistribute.memory": lambda: daptor.Redistribution(a, a),
        "redistribute.batch": lambda: daptor.Redistribution([a, a], a.like(layout.natural())),
        "redistribute.layout": lambda: daptor.Redistribution(
            [a, a.like(layout.slab(1))], [a.like(layout.natural()) for _ in range(2)]),
        "redistribute.options": lambda: daptor.Redistribution(a, rows(comm, (8, 6)),
                                                              buffer_bytes=-1),
    }
    for rule, call in rules.items():
        error = raised(call)
        if comm.size == 1 and rule == "redistribute.layout" and error.rule != rule:
            continue  # on one rank the layouts are the same
        assert error.rule == rule and same_on_all(comm, error)


def test_options_that_differ(comm, rank, size):
    a = rows(comm, (8, 6))
    if size > 1:
        for name in ("fill_padding", "read_from_any", "convert"):
            error = raised(lambda: daptor.Redistribution(a, a.like(layout.slab(1)),
                                                         **{name: rank == 0}))
            assert error.rule == "redistribute.options" and same_on_all(comm, error)


class Raising:
    """A sequence that raises."""

    def __len__(self):
        return 1

    def __getitem__(self, index):
        raise KeyError("nothing here")


@pytest.mark.parametrize("wrong", [3, "ab", [1], numpy.zeros(3), Raising(), None, [],
                                   daptor.Array],
                         ids=lambda wrong: type(wrong).__name__)
@pytest.mark.parametrize("side", [0, 1])
def test_arrays_of_a_wrong_type_on_one_rank(comm, rank, size, wrong, side):
    arrays = [rows(comm, (8, 6)), rows(comm, (8, 6))]
    if rank == size - 1:
        arrays[side] = wrong
    calls = [daptor.Redistribution, daptor.redistribute, daptor.bytes_to_redistribute,
             lambda a, b: daptor.Redistribution(a, b, comm=comm)]
    for number, call in enumerate(calls):
        error = raised(lambda: call(*arrays))
        assert isinstance(error, (daptor.InvalidArgument, daptor.ProducerFailed))
        assert same_on_all(comm, error)
        if isinstance(error, daptor.ProducerFailed) and rank == size - 1:
            assert isinstance(error.__cause__, KeyError)


@pytest.mark.parametrize("wrong", [
    {"fill_padding": 1}, {"read_from_any": "no"}, {"convert": None}, {"buffer_bytes": 1.5},
    {"buffer_bytes": 1 << 70}, {"buffer_bytes": None}
], ids=str)
def test_options_of_a_wrong_type_on_one_rank(comm, rank, size, wrong):
    a, b = rows(comm, (8, 6)), rows(comm, (8, 6))
    mine = wrong if rank == size - 1 else {}
    for call in (daptor.Redistribution, daptor.redistribute):
        error = raised(lambda: call(a, b, **mine))
        assert isinstance(error, daptor.InvalidArgument) and error.rank == size - 1
        assert same_on_all(comm, error)


@pytest.mark.parametrize("wrong", [{"scale": "2"}, {"keep": None}, {"conjugate": 2}], ids=str)
def test_transforms_of_a_wrong_type_on_one_rank(comm, rank, size, wrong):
    a, b = rows(comm, (8, 6)), rows(comm, (8, 6))
    error = raised(lambda: daptor.redistribute(a, b, **(wrong if rank == 0 else {})))
    assert isinstance(error, daptor.InvalidArgument) and error.rank == 0
    assert same_on_all(comm, error)


def test_nobody_says_who_takes_part():
    for arguments in ((3, 4), (None, None), ([], [])):
        assert isinstance(raised(lambda: daptor.Redistribution(*arguments)),
                          daptor.InvalidArgument)
    with pytest.raises(TypeError):
        daptor.Redistribution()


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
    daptor.redistribute(a, a.like(layout.slab(1)), comm=comm.py2f())


def test_processes_in_another_order(comm, rank, size):
    turned = comm.Split(0, size - rank)
    whole = labels((12, 7))
    a = rows(comm, (12, 7))
    owned(a)[...] = expected(a, whole)
    b = rows(turned, (12, 7))
    if size > 1:
        error = raised(lambda: daptor.redistribute(a, b))
        assert error.rule == "redistribute.comm" and same_on_all(comm, error)
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


class Section(numpy.ndarray):
    """An array that weak references can refer to."""


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
