# SPDX-License-Identifier: BSD-3-Clause
"""NumPy's functions and operators on an Array are those of all elements, or they are refused, and
the lines that the refusals name work.

A line stands after "Write: " in the remedy. It is executed as it is.
"""

import inspect
import operator
import pickle
import pydoc

import numpy
import pytest
from mpi4py import MPI

import daptor
from support import raised, same_on_all

SHAPE = (7, 6)


def whole(size):
    """Returns the elements of the array of a test."""
    return (numpy.arange(42.0).reshape(SHAPE) - 11.5) / (size + 2)


def ghosts(comm):
    """An array with ghost cells whose values would spoil every sum."""
    u = numpy.full(daptor.local_shape(SHAPE, comm, ghosts=1), 1e30)
    a = daptor.block(u, comm, shape=SHAPE, ghosts=1)
    filled = daptor.block(u[a.interior_slices], comm, shape=SHAPE)
    source = daptor.block(whole(comm.size) if comm.rank == 0 else numpy.zeros((0, 6)), comm)
    daptor.redistribute(source, filled)
    return a


def without_padding(comm):
    a = daptor.zeros(SHAPE, comm, order="F")
    source = daptor.block(whole(comm.size) if comm.rank == 0 else numpy.zeros((0, 6)), comm)
    daptor.redistribute(source, a)
    return a


def on_one_rank(comm):
    """Ranks without elements take part too."""
    rows = SHAPE[0] if comm.rank == comm.size - 1 else 0
    return daptor.block(whole(comm.size)[:rows], comm)


def lists(comm):
    """Rows, each on one rank, followed by ghosts with other values."""
    mine = numpy.arange(comm.rank, SHAPE[0], comm.size)
    indices = numpy.concatenate([mine, [(comm.rank + 1) % SHAPE[0]]])
    u = numpy.concatenate([whole(comm.size)[mine], numpy.full((1, 6), 1e30)])
    return daptor.owned_then_ghosts(u, indices, comm, owned=len(mine), size=SHAPE[0])


def shared(comm):
    """Rows that several ranks have, without owners."""
    indices = numpy.unique(numpy.concatenate(
        [numpy.arange(comm.rank, SHAPE[0], comm.size), [3, (comm.rank + 1) % SHAPE[0]]]))
    return daptor.unstructured(whole(comm.size)[indices], indices, comm, size=SHAPE[0])


LAYOUTS = [ghosts, without_padding, on_one_rank, lists, shared]
REFUSED = ["nansum", "nanmean", "prod", "ptp", "nanmax", "nanmin"]
CALLED = ["sum", "mean", "max", "min", "amax", "amin", "any", "all", "count_nonzero", "linalg.norm",
          "argmin", "argmax", "var", "std"]


def function(name):
    return operator.attrgetter(name)(numpy)


def line_of(refused):
    """The line that a refusal names."""
    with pytest.raises(daptor.InvalidArgument) as caught:
        refused()
    assert isinstance(caught.value, TypeError) and caught.value.rule == "argument"
    before, write, line = caught.value.finding.remedy.partition("Write: ")
    assert before == "" and write and str(caught.value).endswith(line)
    return line


def executed(line, **names):
    names.update(numpy=numpy, daptor=daptor)
    exec(compile(line, "the line", "exec"), names)  # pylint: disable=exec-used
    return names


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", REFUSED)
def test_reductions_that_are_lines(comm, layout, name):
    a = layout(comm)
    names = executed(line_of(lambda: function(name)(a)), a=a)
    result = function(name)(names["u"]) if names.get("u") is not None and "s" not in names else (
        names.get("s"))
    if result is not None:
        assert numpy.isclose(result, function(name)(whole(comm.size)), rtol=1e-12), (name, result)
    assert comm.allreduce(result is not None)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", CALLED)
def test_reductions(comm, layout, name):
    a = layout(comm)
    assert numpy.isclose(function(name)(a), function(name)(whole(comm.size)), rtol=1e-12)
    line = line_of(lambda: function(name)(a, keepdims=True))
    assert executed(line, a=a)["s"] == function(name)(a)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_reductions_along_an_axis_have_their_own_line(comm, layout):
    a = layout(comm)
    right = whole(comm.size)
    for name in CALLED:
        if name in ("amax", "amin"):
            continue
        error = raised(lambda: function(name)(a, axis=0))
        assert same_on_all(comm, error)
        line = error.finding.remedy.partition("Write: ")[2]
        method = name.rpartition(".")[2]
        assert str(raised(lambda: getattr(a, method)(axis=0))) == str(error), "methods say the same"
        before, _, call = line.partition("  # then on rank 0, which has it: ")
        u = executed(before, a=a)["u"]
        if comm.rank == 0:
            along = eval(call, {"u": u, "numpy": numpy})  # pylint: disable=eval-used
            assert numpy.allclose(along, function(name)(right, axis=0)), line


def test_truth_values_have_a_line_for_all_ranks(comm, size):
    a = without_padding(comm)
    for refused, right in ((lambda: a == a.shape[0], whole(size) == a.shape[0]),
                           (lambda: numpy.isnan(a), numpy.isnan(whole(size))),
                           (lambda: numpy.isnan(a).any(), numpy.isnan(whole(size))),
                           (lambda: a > 0, whole(size) > 0),
                           (lambda: numpy.isclose(a, 1), numpy.isclose(whole(size), 1))):
        line = line_of(refused)
        assert "a.interior[...] =" not in line, "the array would be overwritten with truth values"
        names = executed(line, a=a)
        _, _, further = line.partition("on all ranks: ")
        names = executed(further, a=a, s=names["s"])
        assert daptor.any(names["m"]) == right.any()
        assert daptor.count_nonzero(names["m"]) == right.sum()


def test_padding_is_named_where_there_is_some(comm):
    for refused in (lambda a: a + 1, lambda a: numpy.isnan(a), lambda a: numpy.median(a)):
        assert "padding" not in str(raised(lambda: refused(without_padding(comm))))
        for layout in ghosts, lists:
            error = raised(lambda: refused(layout(comm)))
            assert "with its padding" in str(error) and same_on_all(comm, error)


def test_names_of_numpy_have_a_line(comm):
    a = without_padding(comm)
    for name in ("nbytes", "flatten", "ravel", "tolist", "clip", "round", "save", "update_halo",
                 "exchange", "ghosts", "global_shape", "prod", "itemsize"):
        with pytest.raises(AttributeError) as caught:
            getattr(a, name)
        line = str(caught.value).partition("Write: ")[2]
        assert line, name
        if name != "save":
            executed(line, a=a, low=0, high=1)
    with pytest.raises(AttributeError) as caught:
        print(daptor.linspace)
    line = str(caught.value).partition("Write: ")[2]
    known = {"daptor": daptor, "start": 2., "stop": 5., "n": 7, "comm": comm}
    points = eval(line, known)  # pylint: disable=eval-used
    assert numpy.allclose(points.interior, numpy.linspace(2, 5, 7)[points.global_slices])
    assert executed("n = " + line_of(lambda: len(a)), a=a)["n"] == SHAPE[0]
    assert "daptor.save(" in line_of(lambda: pickle.dumps(a))
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(a, protocol=0)


def test_help_is_short_and_functions_have_signatures(comm):
    text = pydoc.render_doc(without_padding(comm), renderer=pydoc.plaintext)
    assert len(text.splitlines()) < 100 and "__add__" not in text
    for name in ("sum", "interior", "gather", "update_padding", "to_petsc"):
        assert f"    {name} " in text
    assert "of a distributed array" in daptor.Array.__doc__
    assert list(inspect.signature(daptor.import_).parameters) == ["obj", "comm"]
    for name in daptor.__all__:
        value = getattr(daptor, name)
        if inspect.isroutine(value):
            assert inspect.signature(value), name
            assert "->" not in (value.__doc__ or "").partition("\n")[0], name
    assert inspect.signature(daptor.redistribute).parameters["scale"].default == 1
    assert "stencil" in inspect.signature(daptor.HaloExchange).parameters


@pytest.mark.parametrize("name", ["vdot", "allclose", "array_equal"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_functions_of_two_arrays(comm, layout, name):
    a, b = layout(comm), layout(comm)
    with b.write() as u:
        u *= 2

    def result(*arrays):
        if name != "array_equal":
            return function(name)(*arrays)
        return executed(line_of(lambda: function(name)(*arrays)), a=a, b=b)["s"]

    assert numpy.isclose(result(a, b), function(name)(whole(comm.size), 2 * whole(comm.size)))
    assert numpy.isclose(result(a, a), function(name)(whole(comm.size), whole(comm.size)))


def test_products_of_lines(comm, rank, size):
    x = numpy.arange(3.0) + 3 * rank
    a, b = daptor.block(x, comm), daptor.block(x + 1j, comm)
    right = sum(i * (i + 1j) for i in range(3 * size))
    assert numpy.dot(a, b) == numpy.vdot(a, b) == right
    assert executed(line_of(lambda: numpy.inner(a, b)), a=a, b=b)["s"] == right
    grid = without_padding(comm)
    product = executed(line_of(lambda: numpy.dot(grid, grid)), a=grid, b=grid)["s"]
    assert numpy.isclose(product, (whole(size) ** 2).sum())
    assert not numpy.allclose(a, 0.0) and numpy.allclose(a, b.interior.real)


@pytest.mark.parametrize("refused", [
    lambda a: numpy.median(a), lambda a: numpy.prod(a, axis=0), lambda a: numpy.linalg.det(a),
    lambda a: numpy.fft.fft(a), lambda a: numpy.add.reduce(a), lambda a: numpy.maximum.reduce(a),
    lambda a: numpy.concatenate([a, a]), lambda a: numpy.save("file", a),
    lambda a: numpy.dot(a, [1]),
    lambda a: numpy.savez("file", x=a), lambda a: numpy.einsum("ij->", a), lambda a: a @ a,
    lambda a: numpy.matmul(a, a), lambda a: numpy.vdot(a, numpy.ones(SHAPE)),
    lambda a: numpy.array_str(a), lambda a: numpy.cumsum(a)])
@pytest.mark.parametrize("layout", [without_padding, lists])
def test_everything_else_is_done_with_the_whole_array(comm, layout, refused):
    a = layout(comm)
    u = executed(line_of(lambda: refused(a)), a=a)["u"]
    assert (u == whole(comm.size)).all() if comm.rank == 0 else u is None


ELEMENTWISE = [
    (lambda a: a + 1, lambda u: u + 1), (lambda a: 1 - a, lambda u: 1 - u),
    (lambda a: -a, lambda u: -u), (lambda a: abs(a), lambda u: abs(u)),
    (lambda a: a == 2, lambda u: u == 2), (lambda a: a >= 0.5, lambda u: u >= 0.5),
    (lambda a: a == a, lambda u: u == u), (lambda a: a ** 2, lambda u: u ** 2),
    (lambda a: numpy.sqrt(a), numpy.sqrt), (lambda a: numpy.add(a, 1), lambda u: u + 1),
    (lambda a: numpy.isnan(a), numpy.isnan), (lambda a: numpy.multiply(a, a), lambda u: u * u),
    (lambda a: numpy.clip(a, 0, 1), lambda u: numpy.clip(u, 0, 1)),
    (lambda a: numpy.real(a), numpy.real), (lambda a: round(a), numpy.round),
    (lambda a: numpy.where(a, 1, 2), lambda u: numpy.where(u, 1, 2)),
    (lambda a: numpy.float64(2) * a, lambda u: 2 * u)]


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("refused, right", ELEMENTWISE)
def test_functions_of_each_element(comm, refused, right):
    a = ghosts(comm)
    section = executed(line_of(lambda: refused(a)), a=a)["s"]
    assert numpy.allclose(section, right(a.interior), rtol=1e-14, equal_nan=True)


@pytest.mark.filterwarnings("ignore:elementwise comparison failed")
def test_arrays_of_numpy_beside_arrays(comm):
    a = without_padding(comm)
    x = numpy.full(a.local_shape, 3.0)
    for refused in (lambda: a + x, lambda: x + a, lambda: numpy.subtract(x, a), lambda: x == a,
                    lambda: a < x, lambda: numpy.hypot(a, x)):
        assert executed(line_of(refused), a=a, x=x)["s"].shape == a.local_shape
    with pytest.raises(TypeError):
        x += a
    assert (x == 3).all()


def test_elements_have_no_index(comm):
    a = without_padding(comm)

    def assign():
        a[0] = 3.0

    for refused in (lambda: a[3:5], lambda: a[...], lambda: sum(a), lambda: list(a)):
        line = line_of(refused)
        assert executed(line, a=a, index=3)["u"] is None or comm.rank == 0
    executed(line_of(assign), a=a, x=4.0)
    assert daptor.allclose(a, 4.0)
    with pytest.raises(AttributeError, match="daptor.from_petsc"):
        print(daptor.import_petsc)
    for nothing in (a, daptor):
        with pytest.raises(AttributeError, match="no attribute 'nothing'$"):
            print(nothing.nothing)
    for name, line in (("halo", "daptor.HaloExchange"), ("local", "a.interior"),
                       ("T", "a.interior.T"), ("to_tpetra", "daptor.muelu")):
        with pytest.raises(AttributeError, match=line):
            getattr(a, name)
    with pytest.raises(AttributeError, match=r"halo\.update\(\)"):
        daptor.HaloExchange(a).exchange()
    with pytest.raises(TypeError, match="daptor.block"):
        daptor.Array(numpy.zeros(3), comm)
    with pytest.raises(daptor.InvalidArgument, match="daptor.any"):
        bool(a)
    assert not hasattr(a, "values") and not hasattr(a, "__array_function__")


def test_an_array_is_no_number(comm):
    for a in daptor.full(1, 53, comm, dtype="u1"), daptor.ones(3, comm):
        for number in int, float, complex:
            assert "daptor.sum(a)" in str(raised(lambda: number(a)))


def test_writing_into_an_array(comm):
    a, b = without_padding(comm), without_padding(comm)
    u, before = numpy.asarray(a), numpy.asarray(a).copy()
    x = numpy.ones(a.local_shape)

    def add_to(array, value):
        array += value

    lines = [line_of(lambda: numpy.copyto(a, 5)), line_of(lambda: numpy.add(x, 1, out=a)),
             line_of(lambda: add_to(a, 1)), line_of(lambda: numpy.add(b, 1, out=a)),
             line_of(lambda: add_to(a, b)), line_of(lambda: numpy.copyto(a, b))]
    for line, right in zip(lines, [before * 0 + 5, x + 1, x + 2, before + 1, 2 * before + 1,
                                   before]):
        assert "on all ranks" in line
        executed(line, a=a, b=b, x=x)
        assert numpy.allclose(u, right, rtol=1e-14), line
    executed(line_of(lambda: numpy.copyto(x, a)), a=a, x=x)
    assert (x == before).all()
    section = executed(line_of(lambda: a + 1), a=a)["s"]
    with a.write():  # as the line's comment says
        a.interior[...] = section
    assert (u == before + 1).all()


@pytest.mark.parametrize("layout", [ghosts, lists])
@pytest.mark.parametrize("name", ["zeros_like", "ones_like", "empty_like", "full_like", "copy"])
def test_arrays_like_one(comm, layout, name):
    a = layout(comm)
    values = (1,) if name == "full_like" else ()
    b = function(name)(a, *values)
    assert b.shape == a.shape and b.local_shape == a.local_shape
    assert not numpy.shares_memory(numpy.asarray(a), numpy.asarray(b))
    if name != "empty_like":
        assert (numpy.asarray(b) == function(name)(numpy.asarray(a), *values)).all()
        line = line_of(lambda: function(name)(a, *values, subok=False))
        assert executed(line, a=a, value=1)["s"].local_shape == a.local_shape


def test_what_stays(comm):
    """Conversions by name give the section, and questions about it are answered."""
    a = ghosts(comm)
    u = numpy.asarray(a)
    assert u.shape == a.local_shape and numpy.array(a).shape == a.local_shape
    assert numpy.shares_memory(a, u) and not numpy.may_share_memory(a, numpy.ones(3))
    assert numpy.shape(a) == a.shape and numpy.ndim(a) == 2
    assert numpy.result_type(a, numpy.float32) == numpy.float64 and not numpy.iscomplexobj(a)
    assert numpy.ascontiguousarray(a).shape == numpy.from_dlpack(a).shape == a.local_shape
    assert numpy.size(a) == a.size == SHAPE[0] * SHAPE[1]
    x = numpy.zeros(a.local_shape)
    x[...] = a
    assert (x == u).all()
    MPI.COMM_SELF.Allreduce(a, x := numpy.zeros(a.local_shape))  # MPI takes the section
    assert (x == u).all()
    # Libraries that would take the Array itself for an array of NumPy's kind ask the object.
    assert not hasattr(a, "__array_function__") and not hasattr(a, "__array_ufunc__")


def test_arrays_are_still_keys(comm):
    a, b = without_padding(comm), without_padding(comm)
    assert {a: 1, b: 2}[a] == 1 and hash(a) != hash(b)
    assert a != "text" and not a == None and a is not b  # noqa: E711


def test_a_refusal_is_the_same_on_all_ranks(comm):
    a = without_padding(comm)
    error = raised(lambda: numpy.median(a))
    assert same_on_all(comm, error) and str(pickle.loads(pickle.dumps(error))) == str(error)
