# SPDX-License-Identifier: BSD-3-Clause
"""Copies of arrays as Vecs and DMDAs, and what explain says about them."""

import numpy
from petsc4py import PETSc

import daptor
from petsc_support import SCALAR, stacked, tiles
from support import raised, same_on_all, share


def test_a_copy_as_a_vec(comm, rank, size):
    a, whole = tiles(comm)
    x = a.copy_to_petsc()
    start, stop = x.getOwnershipRange()
    assert isinstance(x, PETSc.Vec) and x.getSize() == 96
    assert (x.array_r == whole[start:stop]).all()
    x.scale(2.0)
    values = numpy.asarray(a).copy()
    daptor.redistribute(daptor.export(x), a)
    assert (numpy.asarray(a) == 2 * values).all()
    y = a.copy_to_petsc(local_size=96 if rank == size - 1 else 0, flat=True)
    assert y.getLocalSize() == (96 if rank == size - 1 else 0)
    assert (y.array_r == (2 * whole if rank == size - 1 else [])).all()
    for vec in (x, y):
        vec.destroy()


def test_a_copy_of_another_type(comm, rank, size):
    a, whole = tiles(comm, "f4")
    error = raised(a.copy_to_petsc)
    assert error.rule == "petsc.vec.type" and same_on_all(comm, error)
    x = a.copy_to_petsc(convert=True)
    assert (x.array_r == whole[slice(*x.getOwnershipRange())]).all()
    x.destroy()


def test_a_copy_as_a_padded_vec(comm, rank, size):
    u = numpy.full(12, -1, dtype=SCALAR)[::2]
    u[1:5] = 4 * rank + numpy.arange(4)
    a = daptor.block(u, comm, shape=(4 * size,), padding=1, periodic=True)
    x = a.copy_to_petsc(padded=True)
    assert x.getComm().getSize() == 1
    assert (x.array_r == (4 * rank - 1 + numpy.arange(6)) % (4 * size)).all()
    assert u[0] == -1  # the copy's padding is filled, the array's is unchanged
    error = raised(lambda: a.copy_to_petsc(padded=True, local_size=6))
    assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
    x.destroy()


def test_a_copy_as_a_dmda(comm, rank, size):
    a, whole = tiles(comm)
    with a.copy_to_dmda(stencil_width=1, no_dof=True, grid=(size, 1)) as grid:
        assert grid.dm.getSizes() == (8, 12) and grid.has_local
        first, last = share(12, size, rank)
        section = memoryview(grid.array)  # includes a line of the neighbour
        assert section[0, 0] == whole[8 * max(first - 1, 0)]
        assert (numpy.asarray(section)[grid.array.owned_slices].ravel()
                == whole[8 * first:8 * last]).all()
        grid.local_vec.scale(3.0)
        daptor.redistribute(grid.array, a)
    with a.copy_to_dmda(vector="global", no_dof=True) as grid:
        assert grid.has_global and abs(grid.global_vec.sum() - 3 * whole.sum()) < 1e-9
    error = raised(lambda: a.copy_to_dmda(vector="middle" if rank == 0 else "local"))
    assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
    error = raised(lambda: a.copy_to_dmda(no_dof=True, grid=(7, 5)))
    assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)


def test_the_interior_alone(comm, rank, size):
    """Ghost cells at the edges of the whole count in the sizes of PETSc's objects."""
    whole = numpy.arange(48.0).reshape(8, 6)
    a = daptor.from_function(lambda i, j: 6.0 * i + j, (8, 6), comm, dtype=SCALAR, ghosts=1)
    assert a.copy_to_petsc().getSize() == 80
    x = a.copy_to_petsc(interior=True)
    assert (x.array_r == whole.ravel()[slice(*x.getOwnershipRange())]).all()
    x.scale(2.0)
    daptor.redistribute(daptor.export(x), daptor.without_padding(a))
    assert (a.interior == 2 * whole[a.global_slices]).all()
    with a.copy_to_dmda(interior=True) as grid:
        assert grid.dm.getSizes() == (6, 8) and grid.dm.getStencilWidth() == 1
    for name in "petsc.vec", "petsc.dmda", "petsc.local-vec":
        verdict = daptor.explain(a)[name]
        assert (verdict.padded_shape, verdict.interior_shape) == ((10, 8), (8, 6))
        assert ("10 x 8 elements with boundary padding, 8 x 6 without: daptor.without_padding(a)"
                in verdict.sizes and verdict.sizes in str(verdict))
    error = raised(lambda: a.to_petsc(interior=True))
    assert error.rule == "petsc.vec.one-run" and same_on_all(comm, error)
    assert "a.copy_to_petsc(interior=True)" in str(error) and "::" not in str(error)
    line = daptor.from_function(lambda i: 1.0 * i, 3 * size, comm, dtype=SCALAR, ghosts=2)
    y = line.to_petsc(interior=True)
    assert y.getSize() == 3 * size and (y.array_r == line.interior).all()
    y.set(5.0)
    assert (line.interior == 5).all() and line.to_petsc().getSize() == 3 * size + 4
    error = raised(lambda: line.to_petsc(interior=True, padded=True))
    assert error.rule == "argument" and same_on_all(comm, error)
    if size > 1:
        error = raised(lambda: line.to_petsc(interior=rank == 0))
        assert error.rule == "collective.different" and "interior" in str(error)
    for vec in (x, y):
        vec.destroy()


def test_what_copies_would_move(comm, rank, size):
    a = daptor.cyclic(numpy.zeros((6, 8), dtype=SCALAR)[:, ::2], comm, shape=(6 * size, 4),
                      grid=(size, 1))
    verdict = daptor.explain(a)["petsc.vec"]
    assert not verdict and "copy_to_vec" in verdict.copy_call
    assert verdict.python_call == "a.copy_to_petsc()"
    x = eval(verdict.python_call)
    assert verdict.bytes_to_move == daptor.bytes_to_redistribute(a, daptor.export(x))
    x.destroy()
    for name, call in (("petsc.dmda", "a.copy_to_dmda()"),
                       ("petsc.local-vec", "a.copy_to_petsc(padded=True)"),
                       ("petsc.dmda-local", "a.copy_to_dmda()")):
        assert daptor.explain(a)[name].python_call == call
    html = daptor.explain(a)._repr_html_()
    assert "a.copy_to_petsc()" in html
    assert f"<td style='text-align:left'>{verdict.bytes_to_move}</td>" in html
    values, b = stacked(comm)
    held = daptor.explain(b)
    assert held["petsc.vec"].python_call == "a.to_petsc()"
    assert held["petsc.vec"].copy_call == "" and held["petsc.vec"].bytes_to_move is None
    doubled = daptor.unstructured(numpy.zeros(4, dtype=SCALAR), numpy.arange(4), comm, size=4)
    if size > 1:
        explanation = daptor.explain(doubled)
        assert explanation["petsc.vec"].python_call == "a.copy_to_petsc(read_from_any=True)"
        x = doubled.copy_to_petsc(read_from_any=True)
        assert x.getSize() == 4
        x.destroy()
