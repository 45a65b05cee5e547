# SPDX-License-Identifier: BSD-3-Clause
"""daptor.fft against numpy.fft, on every rank's section."""

import numpy
import pytest
from mpi4py import MPI

import daptor
from daptor import fft
from support import address, raised, resident, same_on_all

COMM = MPI.COMM_WORLD
RANK, SIZE = COMM.rank, COMM.size
SHAPE = (6, 5, 4)


def numbers(shape, dtype=complex):
    """The whole array, the same on all ranks."""
    random = numpy.random.default_rng(5)
    values = random.standard_normal(shape)
    if numpy.issubdtype(dtype, numpy.complexfloating):
        values = values + 1j * random.standard_normal(shape)
    return values.astype(dtype)


def refused(rule, function):
    """Every rank raises the same error, of this rule."""
    error = raised(function)
    assert error.rule == rule, str(error)
    assert same_on_all(COMM, error)
    return error


def owned(array):
    """This rank's elements of an array without padding, and where they are in the whole array."""
    box = fft.box(array)
    return numpy.asarray(array), tuple(slice(a, b) for a, b in zip(box.lower, box.upper))


def fill(array, whole):
    mine, where = owned(array)
    mine[...] = whole[where]


def expect(array, whole, tolerance=1e-12):
    mine, where = owned(array)
    error = numpy.abs(mine - whole[where]).max(initial=0)
    assert error < tolerance * max(1, numpy.abs(whole).max())


@pytest.mark.parametrize("dtype", [float, complex, numpy.float32, numpy.complex64])
def test_forward_and_backward_are_numpys(dtype):
    whole = numbers(SHAPE, dtype)
    real = not numpy.issubdtype(dtype, numpy.complexfloating)
    a = daptor.zeros(SHAPE, COMM, dtype=dtype)
    fill(a, whole)
    t = fft.Transform(a)
    t.forward()
    tolerance = 1e-5 if numpy.dtype(dtype).itemsize <= 8 and dtype is not float else 1e-12
    expect(t.output, numpy.fft.rfftn(whole) if real else numpy.fft.fftn(whole), tolerance)
    expect(a, whole)
    fill(a, 0 * whole)
    t.backward()
    expect(a, whole, tolerance)


def test_ghost_cells_are_left_alone():
    whole = numbers((4 * SIZE, 6), float)
    a = daptor.zeros((4 * SIZE, 6), COMM, grid=(SIZE, 1), padding=2, periodic=True)
    view = numpy.asarray(a)
    assert view.shape == (8, 10)
    inner = view[2:-2, 2:-2]
    view[...] = -7
    inner[...] = whole[4 * RANK:4 * RANK + 4]
    t = fft.Transform(a, norm=None)
    t.forward()
    expect(t.output, numpy.fft.rfftn(whole))
    t.backward()
    assert numpy.allclose(inner, 24 * SIZE * whole[4 * RANK:4 * RANK + 4])
    inner[...] = -7
    assert (view == -7).all()


@pytest.mark.parametrize("axes", [0, -1, (0, 1), [1, 2], (2, 0)])
@pytest.mark.parametrize("norm", ["backward", "forward", "ortho"])
def test_axes_and_norms(axes, norm):
    whole = numbers(SHAPE)
    a = daptor.zeros(SHAPE, COMM, dtype=complex)
    fill(a, whole)
    t = fft.Transform(a, axes=axes, norm=norm)
    t.forward()
    numpys = (axes,) if isinstance(axes, int) else axes
    expect(t.output, numpy.fft.fftn(whole, axes=numpys, norm=norm))
    t.backward()
    expect(a, whole)


@pytest.mark.parametrize("axes", [(1, 0), [2, 1], (0, 2, 1), (-1, 0)])
def test_the_axis_named_last_is_halved_as_in_numpy(axes):
    whole = numbers((8, 3, 5), float)
    a = daptor.zeros(whole.shape, COMM)
    fill(a, whole)
    t = fft.Transform(a, axes=axes)
    t.forward()
    expected = numpy.fft.rfftn(whole, axes=axes)
    assert t.output.shape == expected.shape == fft.fitting_output(a, axes=axes).shape
    expect(t.output, expected)
    fill(a, 0 * whole)
    t.backward()
    expect(a, whole)


def test_options_that_differ_between_ranks_are_told_by_name():
    if SIZE == 1:
        return
    a = daptor.zeros((8, 3), COMM)
    for argument, first, other, key in (
            ("axes", (0, 1), (1, 0), "dimensions"), ("axes", None, 0, "dimensions"),
            ("norm", "ortho", None, "scale"), ("planning", "estimate", "measure", "planning")):
        error = refused("collective.different", lambda: fft.Transform(
            a, **{argument: other if RANK == SIZE - 1 else first}))
        assert error.finding.key == key and error.rank == SIZE - 1, str(error)


def test_bytes_are_explained():
    for dtype in ("u1", "i1", "?"):
        verdict = daptor.explain(daptor.zeros((4, 4), COMM, dtype=dtype))["fftw.transform"]
        assert not verdict and [each.rule for each in verdict.reasons] == ["fft.type"]


def test_into_a_layout_of_ones_own():
    whole = numbers(SHAPE)
    a = daptor.zeros(SHAPE, COMM, dtype=complex)
    b = daptor.zeros(SHAPE, COMM, dtype=complex, order="F")
    fill(a, whole)
    t = fft.Transform(a, b)
    assert address(t.output) == address(b)
    t.forward()
    expect(b, numpy.fft.fftn(whole))
    c = daptor.zeros(SHAPE, COMM, dtype=complex)
    d = daptor.zeros(SHAPE, COMM, dtype=complex, order="F")
    fill(c, 2 * whole)
    t.rebind(c, d)
    assert (address(t.input), address(t.output)) == (address(c), address(d))
    t.forward()
    expect(d, 2 * numpy.fft.fftn(whole))
    expect(b, numpy.fft.fftn(whole))


def test_in_place():
    whole = numbers(SHAPE)
    a = daptor.zeros(SHAPE, COMM, dtype=complex)
    fill(a, whole)
    t = fft.Transform(a, a)
    t.forward()
    expect(a, numpy.fft.fftn(whole))
    t.backward()
    expect(a, whole)


def test_frequencies():
    a = daptor.zeros(SHAPE, COMM)
    t = fft.Transform(a)
    where = owned(t.output)[1]
    for axis, size in enumerate(SHAPE):
        expected = numpy.fft.rfftfreq(size) if axis == 2 else numpy.fft.fftfreq(size)
        assert numpy.allclose(t.frequencies(axis), (size * expected)[where[axis]])
    assert t.frequencies(-1) == t.frequencies(2)
    with pytest.raises(daptor.InvalidArgument):
        t.frequencies(3)


def test_what_it_takes():
    a = daptor.zeros(SHAPE, COMM, dtype=complex, grid=(SIZE, 1, 1))
    t = fft.Transform(a, overwrite=True)
    assert t.redistributions == (1 if SIZE > 1 else 0)
    assert t.work_bytes == 0
    assert repr(t) == (f"<daptor.fft.Transform of {a!r}: {t.redistributions} redistributions, "
                       f"{t.bytes_sent} bytes sent by this rank>")
    sent = COMM.allreduce(t.bytes_sent)
    assert sent > 0 if SIZE > 1 else sent == 0
    assert fft.Transform(a).work_bytes >= 16 * numpy.asarray(a).size if SIZE > 1 else True
    assert fft.fitting_output(a).shape == SHAPE
    assert fft.fitting_output(daptor.zeros(SHAPE, COMM), axes=(0, 1)).shape == (6, 3, 4)


def test_a_transform_in_place_takes_no_section():
    # 16 MB on each rank.
    a = daptor.zeros((SIZE, 1024, 1024), COMM, dtype=complex, grid=(SIZE, 1, 1))
    numpy.asarray(a)[...] = 1
    t = fft.Transform(a, a, axes=(1, 2), planning="estimate")
    t.forward()
    t.backward()
    before = resident()
    t.forward()
    t.backward()
    assert resident() - before < 1000
    assert address(t.output) == address(a)
    assert t.work_bytes == 0


def test_errors_are_everybodys():
    a = daptor.zeros(SHAPE, COMM, dtype=complex)
    wrong = daptor.zeros(SHAPE, COMM)
    refused("fft.type", lambda: fft.Transform(a, wrong))
    for last in range(SIZE):
        mine = RANK == last
        for options in ({"norm": "both"}, {"axes": "x"}, {"axes": 1.5}, {"axes": []},
                        {"planning": "quick"}):
            refused("argument", lambda: fft.Transform(a, **(options if mine else {})))
        refused("argument", lambda: fft.Transform(a, 3 if mine else a))
    for axes in (3, -4, (0, 0)):
        refused("fft.dimensions", lambda: fft.Transform(a, axes=axes))


def test_tilings():
    a = daptor.block(numpy.zeros((2, 5, 4), complex), COMM, shape=(2 * SIZE, 5, 4),
                     grid=(SIZE, 1, 1))
    box = fft.box(a)
    assert box.lower == (2 * RANK, 0, 0) and box.upper == (2 * RANK + 2, 5, 4)
    assert box.strides == (20, 4, 1) and box.order == (2, 1, 0) and box.packed
    tile = fft.tile(a)
    assert tile.dimensions == (2, 1, 0) and tile.sizes == (4, 5, 2 * SIZE)
    assert tile.lower == (0, 0, 2 * RANK) and tile.upper == (3, 4, 2 * RANK + 1)
    assert fft.slab(a) == fft.Slab(0, 2 * RANK, 2, 4)
    assert fft.slab(a, division="ceiling").count == 2
    refused("argument", lambda: fft.slab(a, division="x"))
    pairs = daptor.block(numpy.zeros((2, 10)), COMM, shape=(2 * SIZE, 10), grid=(SIZE, 1))
    view = fft.complex_view(pairs)
    assert view.shape == (2 * SIZE, 5) and numpy.asarray(view).dtype == complex
    assert address(view) == address(pairs)
    with pytest.raises(daptor.InvalidArgument):
        fft.complex_view(daptor.zeros((3 * SIZE, 3), COMM, grid=(SIZE, 1)))
    assert {"fft.box", "fft.tile", "fft.slab"} <= {v.target for v in daptor.explain(a)}


def test_explain_says_what_a_transform_moves():
    for dtype in (float, complex):
        a = daptor.zeros((2 * SIZE, 4, 3), COMM, grid=(SIZE, 1, 1), dtype=dtype)
        verdict = daptor.explain(a)["fftw.transform"]
        assert verdict and verdict.python_call == "daptor.fft.Transform(a)"
        fitting, unchanged = verdict.uses
        t = fft.Transform(a)
        assert fitting.redistributions == t.redistributions == (SIZE > 1)
        assert fitting.bytes_to_move == COMM.allreduce(t.bytes_sent)
        assert unchanged.redistributions == 2 * (SIZE > 1)
        assert unchanged.bytes_to_move == 2 * fitting.bytes_to_move
        assert str(fitting).startswith("a forward transform to its fitting output moves ")
        assert str(fitting) in str(verdict) and str(fitting) in daptor.explain(a)._repr_html_()
    refused = daptor.explain(daptor.zeros((4, SIZE), COMM, dtype="int32"))["fftw.transform"]
    assert not refused and refused.uses == () and refused.reasons[0].rule == "fft.type"


def test_the_vector_of_a_dmda():
    PETSc = pytest.importorskip("petsc4py.PETSc")
    if PETSc.ScalarType is not numpy.float64 and PETSc.ScalarType != numpy.float64:
        pytest.skip("a PETSc of complex numbers")
    da = PETSc.DMDA().create([8, 4 * SIZE], dof=1, stencil_width=2, comm=COMM,
                             boundary_type=("periodic", "periodic"), proc_sizes=[1, SIZE])
    whole = numbers((4 * SIZE, 8), float)
    vec = da.createGlobalVec()
    vec.array[:] = whole[4 * RANK:4 * RANK + 4].ravel()
    a = daptor.export(vec)
    assert address(a) == vec.array_r.ctypes.data
    t = fft.Transform(a)
    t.forward()
    expect(t.output, numpy.fft.rfftn(whole))
    numpy.asarray(t.output)[...] *= 2
    t.backward()
    assert numpy.allclose(vec.array_r, 2 * whole[4 * RANK:4 * RANK + 4].ravel())
    assert abs(vec.norm() - 2 * numpy.linalg.norm(whole)) < 1e-9
