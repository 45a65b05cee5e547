# SPDX-License-Identifier: BSD-3-Clause
"""Redistribution between layouts, compared with an array that every rank holds whole."""

import numpy
import pytest

import daptor
from daptor import layout
from redistribute_support import labels, rows
from support import expected, owned, raised, same_on_all, share


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
    assert "Pass convert=True" in str(error)


HALVES = numpy.array([0.0, -0.0, 1.0, -2.5, 65504, 65519.9, 65520, 1e-7, 2**-25, 2**-24,
                      3 * 2**-26, 6.1e-5, 1 / 3, 2049 / 2048, 2051 / 2048, numpy.inf, numpy.nan,
                      2047.5])


@pytest.mark.parametrize("kinds", ["f2 f8", "f2 >f4", ">f2 c16", "f8 f2", "f4 >f2", "c8 >c16",
                                   ">i4 f8", "u2 >i8", "? f2", ">f8 f4"])
def test_types_that_the_machine_does_not_compute_with(comm, rank, size, kinds):
    """As NumPy converts them: half precision, and bytes in another order."""
    source, target = kinds.split()
    values = HALVES if numpy.dtype(source).kind in "fc" else numpy.arange(len(HALVES))
    with numpy.errstate(over="ignore"):
        whole = numpy.resize(values, (2 * size, 9)).astype(source)
        wanted = whole.astype(target)
    a = daptor.scatter(whole if rank == 0 else None, like=daptor.zeros(
        whole.shape, comm, dtype=source))
    b = daptor.zeros(whole.shape, comm, dtype=target, order="F", grid=(1, size))
    daptor.redistribute(a, b, convert=True)
    found = numpy.asarray(b)
    assert found.dtype == numpy.dtype(target)
    numpy.testing.assert_array_equal(found, wanted[b.global_slices])
    if numpy.dtype(target).kind == "f":
        daptor.redistribute(a, b, convert=True, scale=2, keep=1)
        with numpy.errstate(over="ignore"):
            numpy.testing.assert_allclose(
                found, (3 * wanted.astype("f8")).astype(target)[b.global_slices], rtol=2e-3,
                atol=2e-7)
    if target != ">i8":
        error = raised(lambda: daptor.redistribute(b, daptor.zeros_like(a, dtype="u1"),
                                                   convert=True))
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
