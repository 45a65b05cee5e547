# SPDX-License-Identifier: BSD-3-Clause
"""DMDAs on the memory of NumPy arrays, and NumPy on the memory of their vectors."""

import gc
import itertools
import os

import numpy
import pytest
from petsc4py import PETSc

import daptor
from petsc_support import SCALAR, where
from support import address, process_grid, raised, same_on_all


def padded_grid(comm):
    """Returns a periodic 2-d array with one element of padding, and its expected values."""
    grid = process_grid(comm.size)
    row, column = divmod(comm.rank, grid[1])
    shape = (4 * grid[0], 6 * grid[1])
    whole = numpy.arange(shape[0] * shape[1]).reshape(shape).astype(SCALAR)
    u = numpy.full((6, 8), -1, dtype=SCALAR)
    u[1:5, 1:7] = whole[4 * row:4 * row + 4, 6 * column:6 * column + 6]
    rows = numpy.arange(4 * row - 1, 4 * row + 5) % shape[0]
    columns = numpy.arange(6 * column - 1, 6 * column + 7) % shape[1]
    a = daptor.block(u, comm, shape=shape, grid=grid, padding=1, periodic=True)
    return u, a, whole[numpy.ix_(rows, columns)]


def test_export_a_dmda(comm, rank, size):
    da = PETSc.DMDA().create([6, 5], dof=2, stencil_width=1, comm=comm,
                             boundary_type=("periodic", "none"))
    x = da.createGlobalVec()
    a = daptor.export(x)
    assert a.shape == (5, 6, 2) and address(a) == where(x)
    assert daptor.export(x, flat=True).ndim == 2
    local = da.createLocalVec()
    b = daptor.export(local)
    assert b.shape == (5, 6, 2) and address(b) == where(local) and b.comm.size == size
    with a.write() as u:
        u[:] = rank
    with b.write() as u:
        u[b.owned_slices] = rank
    daptor.update_padding(b)
    other = da.createLocalVec()
    da.globalToLocal(x, other)
    assert (other.array_r == local.array_r).all()
    c = daptor.export(PETSc.Vec().createWithArray(numpy.zeros(local.getLocalSize()),
                                                  comm=PETSc.COMM_SELF), da)
    assert c.shape == (5, 6, 2)


def test_what_cannot_be_exported(comm, rank, size):
    da = PETSc.DMDA().create([6, 5], comm=comm)
    error = raised(lambda: daptor.export(PETSc.Vec().createMPI(7, comm=comm), da))
    assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
    for wrong in (None, 3, numpy.zeros(3), PETSc.Mat().create(comm)):
        assert isinstance(raised(lambda: daptor.export(wrong)), daptor.InvalidArgument)


def test_a_dmda_on_numpy_memory(comm, rank, size):
    u, a, expected = padded_grid(comm)
    with a.to_dmda() as grid:
        assert isinstance(grid.dm, PETSc.DMDA) and grid.dm.getSizes() == a.shape[::-1]
        assert grid.has_local and where(grid.local_vec) == u.ctypes.data
        assert grid.local_vec.norm() > 0
        grid.update_padding()
        assert (u == expected).all()
        assert abs(grid.local_vec.norm() - numpy.linalg.norm(expected)) < 1e-9
        assert not grid.has_global
        assert isinstance(raised(lambda: grid.global_vec), daptor.NotRepresentable)
        assert not grid.reordered and grid.array.shape == a.shape
    assert isinstance(raised(lambda: grid.dm), daptor.InvalidArgument)


def test_a_global_vec_of_a_dmda(comm, rank, size):
    values = numpy.zeros((4, 5), dtype=SCALAR)
    a = daptor.block(values, comm, shape=(4 * size, 5), grid=(size, 1))
    with a.to_dmda(no_dof=True) as grid:
        assert where(grid.global_vec) == values.ctypes.data
        assert grid.dm.getDim() == 2
        grid.global_vec.set(1.0)
    a.modified()
    assert (values == 1.0).all()


def test_the_width_that_was_asked_for(comm, rank, size):
    """The stencil width is kept on one rank too, where no edge shows it."""
    rows = 8 + (rank > 0) + (rank < size - 1)
    values = numpy.zeros((rows, 10), dtype=SCALAR)
    a = daptor.block(values, comm, shape=(8 * size, 10), grid=(size, 1), padding=1)
    with a.to_dmda() as grid:
        assert grid.dm.getStencilWidth() == 1
        matrix = grid.dm.createMatrix()
        row, column = PETSc.Mat.Stencil(), PETSc.Mat.Stencil()
        (xs, xe), (ys, ye) = grid.dm.getRanges()
        for j, i, below in itertools.product(range(ys, ye), range(xs, xe), (-1, 0, 1)):
            if 0 <= j + below < 8 * size:
                row.index, column.index = (i, j), (i, j + below)
                matrix.setValueStencil(row, column, 1.0)
        matrix.assemble()
        assert matrix.getSize() == (80 * size, 80 * size)
        assert where(grid.local_vec) == values.ctypes.data
        matrix.destroy()


def test_ghost_points_outside_of_the_grid(comm, rank, size):
    """The ghost cells of a stencil code at the ends of its domain: padding of both kinds."""
    first, last = rank == 0, rank == size - 1
    values = numpy.full((6 + 4, 14), -1.0, dtype=SCALAR)
    values[2:-2, 2:-2] = rank
    start = 0 if first else 6 * rank + 2
    stop = 6 * size + 4 if last else 6 * rank + 8

    class Producer:
        def __distarray__(self):
            return {"__version__": "0.9.0", "buffer": values, "dim_data": (
                {"dist_type": "b", "size": 6 * size + 4, "proc_grid_size": size,
                 "proc_grid_rank": rank, "start": start, "stop": stop, "padding": (2, 2)},
                {"dist_type": "b", "size": 14, "proc_grid_size": 1, "proc_grid_rank": 0,
                 "start": 0, "stop": 14, "padding": (2, 2)})}

    a = daptor.import_(Producer(), comm)
    with a.to_dmda() as grid:
        assert grid.dm.getSizes() == (14, 6 * size + 4)
    with a.to_dmda(boundary="ghosted") as grid:
        assert grid.dm.getSizes() == (10, 6 * size) and grid.dm.getStencilWidth() == 2
        assert grid.dm.getBoundaryType() == (PETSc.DM.BoundaryType.GHOSTED,) * 2
        assert where(grid.local_vec) == values.ctypes.data
        b = grid.dm.createGlobalVec()
        grid.dm.localToGlobal(grid.local_vec, b)
        assert (b.array_r == rank).all() and b.getLocalSize() == 60
        b.shift(10.0)
        grid.dm.globalToLocal(b, grid.local_vec)
        a.modified()
        assert (values[2:-2, 2:-2] == rank + 10).all()
        if not first:
            assert (values[:2, 2:-2] == rank + 9).all()
        assert (values[:, :2] == -1).all()
        b.destroy()
    for victim in range(size if size > 1 else 0):
        error = raised(lambda: a.to_dmda(boundary="ghosted" if rank == victim else "grid"))
        assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
        error = raised(lambda: a.to_dmda(boundary="mirror" if rank == victim else None))
        assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
        error = raised(lambda: a.to_dmda(boundary=3 if rank == victim else None))
        assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)


def test_components_are_degrees_of_freedom(comm, size):
    """A dimension that is not divided is the dof of a DMDA, on any number of ranks."""
    a = daptor.zeros((6 * size, 10, 2), comm, dtype=SCALAR, grid=(0, 0, None), ghosts=1,
                     periodic=(False, True, False))
    with a.to_dmda(boundary="ghosted") as grid:
        assert grid.dm.getSizes() == (10, 6 * size) and grid.dm.getDof() == 2
        assert grid.dm.getBoundaryType() == (PETSc.DM.BoundaryType.PERIODIC,
                                             PETSc.DM.BoundaryType.GHOSTED)
        assert where(grid.local_vec) == address(a)
    u = numpy.zeros(daptor.local_shape((6 * size, 10, 2), comm, grid=(0, 0, None), ghosts=1),
                    dtype=SCALAR)
    b = daptor.block(u, comm, shape=(6 * size, 10, 2), grid=(0, 0, None), ghosts=1)
    x = b.to_petsc(padded=True)
    assert x.getBlockSize() == 2
    x.destroy()


@pytest.mark.parametrize("periodic", [(False, False), (False, True), (True, True)])
def test_the_interior_in_a_global_vector_and_back(comm, size, periodic):
    """As the docstring of to_dmda says, where PETSc's localToGlobal fails on one rank."""
    shape = (6 * size, 10)
    u = numpy.full(daptor.local_shape(shape, comm, ghosts=1, periodic=periodic), -1.0, dtype=SCALAR)
    a = daptor.block(u, comm, shape=shape, ghosts=1, periodic=periodic)
    inner = daptor.block(u[a.interior_slices], comm, shape=shape)
    u[a.interior_slices] = comm.rank
    with a.to_dmda(boundary="ghosted") as g:
        b = g.dm.createGlobalVec()
        assert b.getSize() == 60 * size
        daptor.redistribute(inner, daptor.export(b))
        assert (b.array_r == comm.rank).all()
        b.shift(10.0)
        daptor.redistribute(daptor.export(b), inner)
        b.destroy()
    assert (u[a.interior_slices] == comm.rank + 10).all()
    outside = u.copy()
    outside[a.interior_slices] = -1.0
    assert (outside == -1.0).all()


def test_the_way_to_a_global_vector_is_named(comm):
    padded = daptor.zeros((8, 8), comm, dtype=SCALAR, ghosts=1, periodic=True)
    with padded.to_dmda() as grid:
        error = raised(lambda: grid.global_vec)
    assert error.rule == "petsc.dmda.global-run"
    assert "daptor.redistribute(inner, daptor.export(b))" in str(error)


def test_a_closed_dmda(comm):
    grid = daptor.zeros((8, 8), comm, dtype=SCALAR).to_dmda()
    assert repr(grid) == f"<daptor.ImportedDMDA of {grid.array!r}>"
    grid.close()
    assert repr(grid).endswith(", closed>")
    for wrong in (lambda: grid.dm, lambda: grid.global_vec, lambda: grid.local_vec):
        assert "closed" in raised(wrong).finding.found


def test_a_dmda_comes_back_as_it_was(comm, rank, size):
    kinds = ("ghosted", "periodic")
    da = PETSc.DMDA().create([5, 6 * size], stencil_width=2, boundary_type=kinds, comm=comm,
                             proc_sizes=(1, size))
    a = daptor.export(da, padded=True)
    assert a.padded_shape == (6 * size, 9) and a.shape == (6 * size, 5)
    with a.to_dmda() as grid:
        assert grid.dm.getSizes() == da.getSizes()
        assert grid.dm.getBoundaryType() == da.getBoundaryType()
        assert grid.dm.getStencilWidth() == 2
    with a.to_dmda(boundary="grid") as grid:
        assert grid.dm.getSizes() == (9, 6 * size)


def test_a_padded_array_in_a_global_vec_and_back(comm, rank, size):
    u, a, expected = padded_grid(comm)
    with a.to_dmda() as grid:
        b = grid.dm.createGlobalVec()
        daptor.redistribute(a, daptor.export(b))
        b.scale(2.0)
        u[:] = 0
        daptor.redistribute(daptor.export(b), a)
        grid.update_padding()
        assert (u == 2 * expected).all()
        b.destroy()


def test_a_dmda_without_a_vector(comm, rank, size):
    dm = PETSc.DMDA().create([10, 4 * size], proc_sizes=(1, size), stencil_width=1, comm=comm)
    a = daptor.export(dm)
    numpy.asarray(a)[:] = rank
    assert a.shape == (4 * size, 10) and a.local_shape == (4, 10)
    b = daptor.export(dm, padded=True)
    assert b.shape == a.shape and b.local_shape[1] == 10
    references = dm.getRefCount()
    x = a.to_petsc(flat=True)
    assert abs(x.sum() - 40 * sum(range(size))) < 1e-9
    x.destroy()
    numpy.asarray(b)[b.owned_slices] = numpy.asarray(a)
    daptor.update_padding(b)
    assert numpy.asarray(b)[0, 0].real == max(rank - 1, 0)
    del a, b, x
    gc.collect()
    assert dm.getRefCount() <= references
    with pytest.raises(daptor.InvalidArgument):
        daptor.export(dm.createGlobalVec(), padded=True)
    dm.destroy()


def test_what_a_dmda_cannot_be(comm, rank, size):
    values = numpy.zeros(3 if rank == 0 else 0, dtype=SCALAR)
    a = daptor.block(values, comm)
    if size > 1:
        error = raised(a.to_dmda)
        assert isinstance(error, daptor.NotRepresentable) and error.rule == "petsc.dmda.empty-rank"
        assert same_on_all(comm, error)
    cyclic = daptor.cyclic(numpy.zeros(3, dtype=SCALAR), comm, shape=(3 * size,))
    assert raised(cyclic.to_dmda).rule == "petsc.dmda.distribution"


def test_explain(comm, size):
    u, a, _ = padded_grid(comm)
    explanation = daptor.explain(a)
    built = os.environ["DAPTOR_TEST_ADAPTERS"].split(",")
    assert ("tpetra.map" in explanation) == ("tpetra" in built)
    assert explanation["petsc.dmda-local"] and "petsc.local-vec" in explanation
    assert explanation["petsc.dmda-local"].bytes_per_index > 0
    assert not explanation["petsc.vec"] and explanation["petsc.vec"].reasons
    assert "petsc.vec" in str(explanation) and "petsc.vec" in explanation._repr_html_()
    with pytest.raises(KeyError):
        explanation["no such target"]
