# SPDX-License-Identifier: BSD-3-Clause
"""Reductions against NumPy's of the whole array, in every kind of layout."""

import builtins
import copy

import numpy
import pytest

import daptor
import layouts
from support import raised, same_on_all

NAMES = ["sum", "mean", "min", "max", "argmin", "argmax", "norm", "any", "all", "count_nonzero"]


def in_numpy(name):
    return numpy.linalg.norm if name == "norm" else getattr(numpy, name)


def right(name, result, expected):
    """Whether the result has NumPy's value and type; sums of fractions have other digits."""
    if isinstance(expected, (int, numpy.integer, numpy.bool_)) or name in ("min", "max"):
        close = result == expected
    else:
        single = result.dtype in ("f4", "c8")
        close = numpy.isclose(result, expected, rtol=1e-5 if single else 1e-12,
                              atol=1e-4 if single else 1e-11)
    return close and type(result) is type(expected)


@pytest.mark.parametrize("layout", layouts.LAYOUTS)
def test_against_numpy(comm, size, layout):
    for random, shape in layouts.programs(size):
        whole = layouts.elements(random, shape, random.choice(layouts.TYPES))
        a = layouts.filled(layout, comm, random, whole)
        for name in NAMES:
            expected = in_numpy(name)(whole)
            for result in (getattr(daptor, name)(a), getattr(a, name)(), in_numpy(name)(a)):
                assert right(name, result, expected), (name, whole.dtype, result, expected)
            assert len(set(comm.allgather(repr(result)))) == 1
            assert repr(getattr(daptor, name)(a)) == repr(result), "the same digits again"


@pytest.mark.parametrize("layout", layouts.LAYOUTS)
def test_masks(comm, size, layout):
    for random, shape in layouts.programs(size):
        whole = layouts.elements(random, shape, random.choice(["f8", "i4"]))
        chosen = random.random(shape) < 0.4
        chosen[(-1,) * len(shape)] = True
        a = layouts.filled(layout, comm, random, whole)
        local = chosen[numpy.ix_(*a.global_indices)]
        mask = daptor.zeros_like(a, dtype=random.choice(["?", "i4"]))
        mask.interior[...] = local
        for where in (mask, local):
            for name in NAMES[:4]:
                expected = in_numpy(name)(whole[chosen])
                assert right(name, getattr(daptor, name)(a, where=where), expected), name
            number = numpy.ravel(numpy.where(chosen, whole, whole.max() + 1)).argmin()
            assert daptor.argmin(a, where=where) == number
            assert daptor.count_nonzero(a, where=where) == numpy.count_nonzero(whole[chosen])
        assert right("sum", numpy.sum(a, where=mask), whole[chosen].sum())


@pytest.mark.parametrize("layout", layouts.LAYOUTS)
def test_two_arrays(comm, size, layout):
    for random, shape in layouts.programs(size):
        kind = random.choice(["f8", "i8", "c16", "f4"])
        whole = layouts.elements(random, shape, kind)
        other = layouts.elements(random, shape, random.choice(["f8", kind]))
        a = layouts.filled(layout, comm, random, whole)
        b = daptor.zeros_like(a, dtype=other.dtype)
        b.interior[...] = other[numpy.ix_(*a.global_indices)]
        for second in (b, b.interior.copy()):
            for name in ("dot", "vdot"):
                expected = getattr(numpy, name)(whole.ravel(), other.ravel())
                result = getattr(daptor, name)(a, second)
                assert numpy.isclose(result, expected, rtol=1e-5, atol=1e-5)
                assert type(result) is type(expected)
            assert daptor.allclose(a, second) == numpy.allclose(whole, other)
        assert numpy.vdot(a, b) == a.vdot(b) and daptor.allclose(a, a) and numpy.allclose(a, a)
        assert (daptor.dot(a, a, where=b.interior != 0) ==
                numpy.dot(whole[other != 0], whole[other != 0])) or kind != "i8"
        assert daptor.allclose(a, 0, atol=100) and not daptor.allclose(a, 1000)


def test_operands_whose_types_differ_between_ranks(comm, rank, size):
    """An operand that is no Array has a type on each rank, and none where a list is empty."""
    last = rank == size - 1
    a = daptor.block(numpy.arange(0 if last and size > 1 else 3, dtype="i4"), comm)
    count = 3 * builtins.max(1, size - 1)
    halves = [] if a.local_shape[0] == 0 else [1.5, 1, 1] if rank == 0 else [1, 1, 1]
    assert a.size == count
    assert len(set(comm.allgather(repr(daptor.dot(a, halves))))) == 1
    assert daptor.dot(a, halves) == 3 * builtins.max(1, size - 1)
    for kinds in ("f4", "f8"), ("f8", "c16"):
        b = numpy.full(a.local_shape, 2, kinds[rank == 0])
        for product in daptor.dot, daptor.vdot:
            result = product(a, b)
            assert len(set(comm.allgather(repr(result)))) == 1
            assert result == 2 * daptor.sum(a)
    ones = [] if a.local_shape[0] == 0 else [1, 1, 1]
    assert daptor.dot(a, ones).dtype == daptor.dot(a, numpy.ones(len(ones), "i8")).dtype
    assert daptor.sum(a, where=[] if not ones else [True, False, True]) == 2 * count / 3


def test_masked_operands_are_refused(comm, size):
    a = daptor.ones(3 * size, comm)
    masked = numpy.ma.masked_less(numpy.arange(3.), 1)
    for call in (lambda: daptor.dot(a, masked), lambda: daptor.vdot(a, masked),
                 lambda: daptor.allclose(a, masked), lambda: daptor.sum(a, where=masked > 1)):
        assert "numpy.ma" in str(raised(call))


def test_not_a_number(comm, size):
    for random, shape in layouts.programs(size):
        whole = layouts.elements(random, shape, "f8")
        for number in random.integers(whole.size, size=2):
            whole.flat[number] = numpy.nan
        whole.flat[0] = 3
        a = layouts.filled(layouts.blocks, comm, random, whole)
        assert numpy.array_equal([daptor.min(a), daptor.max(a)], [whole.min(), whole.max()],
                                 equal_nan=True)
        assert daptor.argmin(a) == numpy.argmin(whole) and daptor.argmax(a) == numpy.argmax(whole)
        assert daptor.max(a, where=~numpy.isnan(a.interior)) == numpy.nanmax(whole)
        assert daptor.allclose(a, a, equal_nan=True)
        assert daptor.allclose(a, a) == numpy.allclose(whole, whole)


def test_norms_of_lines(comm, rank):
    u = numpy.array([3, -4]) * (rank + 1)
    a, whole = daptor.block(u, comm), numpy.concatenate(comm.allgather(u))
    for ord in (None, 1, 2, numpy.inf):
        assert right("norm", daptor.norm(a, ord), numpy.linalg.norm(whole, ord))
        assert right("norm", numpy.linalg.norm(a, ord), numpy.linalg.norm(whole, ord))
    assert right("dot", numpy.dot(a, a), numpy.dot(whole, whole))
    grid = daptor.block(numpy.ones((2, 2)), comm)
    assert "Euclidean" in str(raised(lambda: daptor.norm(grid, 1)))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_deviations(comm, size):
    for random, shape in layouts.programs(size):
        whole = layouts.elements(random, shape, random.choice(layouts.TYPES + ["f2"]))
        a = layouts.filled(random.choice(layouts.LAYOUTS), comm, random, whole)
        chosen = random.random(shape) < 0.5
        chosen[(0,) * len(shape)] = chosen[(-1,) * len(shape)] = True
        where = chosen[numpy.ix_(*a.global_indices)]
        for name in ("std", "var"):
            expected = in_numpy(name)(whole)
            assert type(getattr(a, name)()) is type(expected)
            tolerance = 1e-2 if whole.dtype == "f2" else 1e-5
            assert numpy.isclose(getattr(daptor, name)(a), expected, rtol=tolerance)
            assert numpy.isclose(in_numpy(name)(a, ddof=1), in_numpy(name)(whole, ddof=1),
                                 rtol=tolerance, equal_nan=True)
            assert numpy.isclose(getattr(daptor, name)(a, where=where),
                                 in_numpy(name)(whole[chosen]), rtol=tolerance)
            assert in_numpy(name)(a, dtype="f8").dtype == "f8"
    one = daptor.ones(1, comm)
    with pytest.warns(RuntimeWarning):
        assert numpy.isnan(daptor.var(one, ddof=1))
    for at in range(size):
        error = raised(lambda: daptor.std(one, ddof="one" if comm.rank == at else 0))
        assert error.rank == at and same_on_all(comm, error)


def test_types_that_cpp_lacks(comm, size):
    """Half precision, long doubles and foreign byte order, in all reductions."""
    random = numpy.random.default_rng(size)
    for kind in ("f2", "g", "G", ">f8", ">i4", ">c8"):
        whole = layouts.elements(random, (9, 8), numpy.dtype(kind).newbyteorder("="))
        a = daptor.block(numpy.zeros(daptor.local_shape((9, 8), comm), kind), comm, shape=(9, 8))
        numpy.asarray(a)[...] = whole[numpy.ix_(*a.global_indices)]
        for name in NAMES:
            expected = in_numpy(name)(whole)
            result = getattr(daptor, name)(a)
            assert type(result) is type(expected) and numpy.isclose(
                result, expected, rtol=1e-2 if kind == "f2" else 1e-5), (kind, name)
    tiny = daptor.full(size, 1, comm, dtype="g")
    tiny.interior[...] += numpy.finfo("g").eps
    assert daptor.sum(tiny) > size


def test_no_elements(comm, size):
    a = daptor.zeros(3 * size, comm)
    for empty, where in ((daptor.zeros(0, comm), None), (a, a.interior != 0)):
        assert daptor.sum(empty, where=where) == 0 and daptor.all(empty, where=where)
        for name in ("min", "max", "argmin", "argmax"):
            error = raised(lambda: getattr(daptor, name)(empty, where=where))
            assert "no element" in str(error) and same_on_all(comm, error)
        with pytest.warns(RuntimeWarning):
            assert numpy.isnan(daptor.mean(empty, where=where))


@pytest.mark.parametrize("wrong", [
    {"where": numpy.ones((1, 1), bool)}, {"where": "words"}, {"axis": 0}, {"axis": "rows"},
    {"where": numpy.ones((2, 3))}, {"where": numpy.ones((2, 3), complex)}], ids=str)
def test_what_is_wrong_on_one_rank(comm, rank, size, wrong):
    a = daptor.block(numpy.ones((2, 3)), comm)
    for at in range(size):
        for name in ("sum", "argmax", "any"):
            error = raised(lambda: getattr(daptor, name)(a, **(wrong if rank == at else {})))
            assert error.rank == at and same_on_all(comm, error)
        if size > 1:
            where = None if rank == at else numpy.ones((2, 3), bool)
            error = raised(lambda: daptor.sum(a, where=where))
            assert error.rule == "collective.different" and same_on_all(comm, error)
    assert daptor.sum(a) == 6 * size


def test_operands_in_another_layout(comm, size):
    a = daptor.block(numpy.ones((2, 2 * size)), comm)
    b = a.redistributed(daptor.layout.slab(1))
    shorter = daptor.block(numpy.ones((2, size)), comm)
    for wrong in (b, shorter) if size > 1 else (shorter,):
        error = raised(lambda: daptor.dot(a, wrong))
        assert "layout" in str(error) and same_on_all(comm, error)
        error = raised(lambda: daptor.sum(a, where=wrong))
        assert same_on_all(comm, error)
    if size > 1:
        names = {"a": a, "b": b, "daptor": daptor}
        line = raised(lambda: daptor.dot(a, b)).finding.remedy.partition("Write: ")[2]
        exec(line, names)  # pylint: disable=exec-used
        assert daptor.dot(a, names["w"]) == 4 * size * size
    error = raised(lambda: daptor.sum(numpy.ones(3)))
    assert "numpy.ndarray" in str(error)


def test_axes_have_a_line_to_write(comm):
    a = daptor.zeros((6, 4, 2), comm, grid=(0, 0, None))
    for axis, words in ((0, "daptor.gather"), (2, "a.interior.sum(axis=2)"), (-1, "a.interior")):
        error = raised(lambda: a.sum(axis=axis))
        assert words in error.finding.remedy and same_on_all(comm, error)


def test_an_error_between_ranks(comm, rank, size):
    """Two ranks' sums are combined on the lower one, where alone NumPy may raise."""
    a = daptor.full(size, 1.5e308, comm)
    with numpy.errstate(over="raise"):
        if size > 1:
            error = raised(lambda: daptor.sum(a))
            assert isinstance(error, daptor.ProducerFailed) and same_on_all(comm, error)
            assert "overflow" in str(error) and error.rank % 2 == 0
    assert daptor.max(a) == 1.5e308


def test_copies(comm):
    a = daptor.full((5, 4), 2.0, comm, ghosts=1)
    for b in (a.copy(), daptor.copy(a), copy.copy(a), copy.deepcopy([a])[0], numpy.copy(a)):
        assert b.global_slices == a.global_slices and b.local_shape == a.local_shape
        assert (numpy.asarray(b) == 2).all()
        b.interior[...] = 3
        assert (numpy.asarray(a) == 2).all()
    big = daptor.block(numpy.arange(4, dtype=">f8"), comm)
    assert daptor.max(big) == 3 and daptor.argmax(big) == 3
    assert big.astype("=f8").dtype.isnative and daptor.allclose(big.astype("=f8"), big)
    assert (numpy.asarray(a.astype("i4")) == 2).all() and a.astype("i4").shape == a.shape
