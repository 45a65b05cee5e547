# SPDX-License-Identifier: BSD-3-Clause
"""petsc4py objects on the memory of NumPy arrays, and NumPy on PETSc's."""

import gc
import itertools
import os
import sys
import weakref

import numpy
import pytest
from petsc4py import PETSc

import daptor
from support import Section, address, line, process_grid, raised, same_on_all, share

SCALAR = PETSc.ScalarType


def stacked(comm, count=4):
    values = numpy.zeros(count, dtype=SCALAR).view(Section)
    return values, daptor.block(values, comm)


def collect():
    """Collects Python's garbage, and then PETSc's."""
    gc.collect()
    PETSc.garbage_cleanup()


def where(vec):
    return vec.getArray(readonly=True).ctypes.data


def test_a_vec_on_numpy_memory(comm, rank, size):
    values, a = stacked(comm)
    x = a.to_petsc()
    assert isinstance(x, PETSc.Vec) and where(x) == values.ctypes.data
    assert (x.getSize(), x.getLocalSize()) == (4 * size, 4)
    x.set(2.0)
    a.modified()
    assert (values == 2.0).all()
    assert x.sum() == 8 * size


def test_norms_after_writes_by_one_rank(comm, rank, size):
    values, a = stacked(comm)
    x = a.to_petsc()
    assert x.norm() == 0
    for writer in range(size):
        with a.write() as u:
            if rank == writer:
                u[:] = 2.0
        assert abs(x.norm() - numpy.sqrt(16.0 * (writer + 1))) < 1e-12
    states = comm.allgather(x.stateGet())
    assert states == [states[0]] * size


def test_writes_through_another_description(comm, rank, size):
    """The dictionary passes through another object, and PETSc is still notified of a write."""
    values, a = stacked(comm)
    x = a.to_petsc()
    assert x.norm() == 0
    d = a.__distarray__()
    b = daptor.import_({**d, "buffer": numpy.asarray(d["buffer"])}, comm)
    with b.write() as u:
        u[:] = 1.0
    assert abs(x.norm() - numpy.sqrt(4.0 * size)) < 1e-12


def test_update_padding_is_a_write(comm, rank, size):
    u = numpy.ones(6, dtype=SCALAR)
    u[0] = u[5] = -5
    a = daptor.block(u, comm, shape=(4 * size,), padding=1, periodic=True)
    x = a.to_petsc(padded=True)
    assert where(x) == u.ctypes.data and x.getSize() == 6
    assert x.norm() > 3
    daptor.update_padding(a)
    assert abs(x.norm() - numpy.sqrt(6.0)) < 1e-12


REFUSED = {
    "float32": lambda: numpy.zeros(4, dtype="f4"),
    "int64": lambda: numpy.zeros(4, dtype="i8"),
    "complex": lambda: numpy.zeros(4, dtype="c8"),
    "big-endian": lambda: numpy.zeros(4, dtype=numpy.dtype(SCALAR).newbyteorder(">")),
    "strided": lambda: numpy.zeros(8, dtype=SCALAR)[::2],
    "reversed": lambda: numpy.zeros(4, dtype=SCALAR)[::-1],
    "broadcast": lambda: numpy.broadcast_to(numpy.zeros(1, dtype=SCALAR), 4),
    "unaligned": lambda: numpy.frombuffer(bytearray(100), dtype="u1")[1:1 + 4 * numpy.dtype(
        SCALAR).itemsize].view(SCALAR),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_petsc4py_copies_in_silence_is_refused(comm, rank, size, kind):
    a = daptor.import_(line(comm, REFUSED[kind]()), comm)
    error = raised(a.to_petsc)
    assert isinstance(error, daptor.NotRepresentable) and same_on_all(comm, error)
    assert not daptor.explain(a)["petsc.vec"]


def test_read_only_memory_on_one_rank(comm, rank, size):
    values = numpy.ones(4, dtype=SCALAR)
    values.flags.writeable = rank != size - 1
    a = daptor.block(values, comm)
    if PETSc.Sys.getVersion() >= (3, 22):  # which enforces its read locks in optimised builds too
        x = a.to_petsc()
        assert where(x) == values.ctypes.data
        with pytest.raises(PETSc.Error):
            x.set(2.0)
    else:
        error = raised(a.to_petsc)
        assert isinstance(error, daptor.NotRepresentable) and error.rule == "petsc.vec.readonly"
        assert same_on_all(comm, error)
    x = a.to_petsc(trust_readonly=True)
    assert where(x) == values.ctypes.data and abs(x.norm() - numpy.sqrt(4.0 * size)) < 1e-12


def test_options_differ(comm, rank, size):
    _, a = stacked(comm)
    if size > 1:
        error = raised(lambda: a.to_petsc(flat=rank == 0))
        assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
    error = raised(lambda: a.to_dmda(stencil="plus" if rank == 0 else "box"))
    assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)


def test_block_size(comm, size):
    values = numpy.zeros((4, 3), dtype=SCALAR)
    x = daptor.block(values, comm).to_petsc()
    assert (x.getBlockSize(), x.getSize()) == (3, 12 * size)


def test_export_a_vec(comm, rank, size):
    x = PETSc.Vec().createMPI((5, PETSc.DECIDE), comm=comm)
    x.set(3.0)
    a = daptor.export(x)
    assert a.shape == (5 * size,) and a.dtype == numpy.dtype(SCALAR).name
    assert address(a) == where(x)
    assert x.norm() > 0
    with a.write() as u:
        u[:] = rank
    assert abs(x.norm() - numpy.sqrt(5.0 * sum(r * r for r in range(size)))) < 1e-12
    assert daptor.validate(a)
    assert daptor.export(x, readonly=True).readonly
    b = daptor.import_(a.__distarray__("0.10.0"), comm)
    assert address(b) == where(x)
    y = b.to_petsc()
    assert where(y) == where(x)
    x.destroy()
    assert numpy.asarray(a)[0] == rank  # the array has a reference of the Vec


def test_a_vec_with_another_array_placed(comm):
    x = PETSc.Vec().createMPI((3, PETSc.DECIDE), comm=comm)
    a = daptor.export(x)
    x.placeArray(numpy.zeros(3, dtype=SCALAR))
    with pytest.raises(BufferError):
        memoryview(a)
    with pytest.raises(daptor.Stale):
        with a.write():
            pass
    x.resetArray()
    with a.read() as u:
        assert u.shape == (3,)


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


def test_a_dmda_comes_back_as_it_was(comm, rank, size):
    kinds = ("ghosted", "periodic")
    da = PETSc.DMDA().create([5, 6 * size], stencil_width=2, boundary_type=kinds, comm=comm,
                             proc_sizes=(1, size))
    a = daptor.export(da, padded=True)
    assert a.shape == (6 * size, 9)
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


@pytest.mark.parametrize("block", [1, 2])
def test_a_ghosted_vec(comm, rank, size, block):
    others = [r for r in range(size) if r != rank]
    made = PETSc.Vec().createGhost([3 * r for r in others], (3 * block, None), bsize=block,
                                   comm=comm)
    a = daptor.export(made, ghosts=True)
    assert a.shape == ((3 * size,) if block == 1 else (3 * size, block))
    values = numpy.asarray(a)
    assert values.ctypes.data == where(made) and len(values) == 3 + len(others)
    x = a.to_petsc(ghosts=True)
    assert where(x) == where(made)
    x.set(rank)
    x.ghostUpdate(addv=PETSc.InsertMode.INSERT, mode=PETSc.ScatterMode.FORWARD)
    assert (values[:3] == rank).all()
    assert (values[3:].reshape(len(others), block) == numpy.array(others).reshape(-1, 1)).all()
    assert daptor.export(x).shape == daptor.export(made).shape
    for victim in range(size if size > 1 else 0):
        error = raised(lambda: a.to_petsc(ghosts=rank == victim))
        assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
        error = raised(lambda: daptor.export(made, ghosts=rank == victim))
        assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
    error = raised(lambda: stacked(comm)[1].to_petsc(ghosts=True))
    assert error.rule == "petsc.vec.ghosts"
    x.destroy()


def test_explain_sees_all_ranks(comm, rank, size):
    for victim in range(size if size > 1 else 0):
        values = numpy.ones((3, 4), dtype=SCALAR, order="F" if rank == victim else "C")
        a = daptor.block(values, comm, shape=(3 * size, 4), grid=(size, 1))
        for target, padded in (("petsc.vec", False), ("petsc.local-vec", True)):
            verdict = daptor.explain(a)[target]
            assert not verdict and verdict.reasons[0].rule == "petsc.vec.order"
            assert raised(lambda: a.to_petsc(padded=padded)).rule == "petsc.vec.order"


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


def test_solving_on_numpy_memory(comm, rank, size):
    """Solves a Laplacian; the solution is in NumPy's memory."""
    solution, a = stacked(comm, 20)
    right, b = stacked(comm, 20)
    right[:] = 1.0
    n = 20 * size
    matrix = PETSc.Mat().createAIJ(((20, n), (20, n)), nnz=3, comm=comm)
    for row in range(20 * rank, 20 * rank + 20):
        for column in (row - 1, row, row + 1):
            if 0 <= column < n:
                matrix.setValue(row, column, 2.0 if row == column else -1.0)
    matrix.assemble()
    ksp = PETSc.KSP().create(comm)
    ksp.setOperators(matrix)
    ksp.setType("cg")
    ksp.setTolerances(rtol=1e-12)
    ksp.pc.setType("jacobi")
    x, y = a.to_petsc(), b.to_petsc()
    ksp.solve(y, x)
    a.modified()
    i = 20 * rank + numpy.arange(1, 21)
    assert numpy.allclose(solution, i * (n + 1 - i) / 2)


def test_a_vec_keeps_the_memory(comm):
    values, a = stacked(comm)
    alive = weakref.ref(values)
    x = a.to_petsc()
    del values, a
    gc.collect()
    assert alive() is not None
    x.set(5.0)
    assert x.norm() > 0
    x.destroy()
    gc.collect()
    assert alive() is None


def test_every_order_of_destruction(comm):
    for order in itertools.permutations(range(4)):
        values, a = stacked(comm)
        values[:] = 3.0
        alive = weakref.ref(values)
        x = a.to_petsc()
        things = {0: values, 1: a, 2: x, 3: daptor.export(x)}
        del values, a, x
        for k in order:
            last = things.pop(k)
            if isinstance(last, PETSc.Vec):
                assert last.norm() > 0
            else:
                assert numpy.asarray(last)[0] == 3.0
            del last
        collect()
        assert alive() is None


def test_references_are_back_at_their_start(comm):
    values = numpy.zeros(4, dtype=SCALAR)
    before = sys.getrefcount(values)
    for _ in range(50):
        a = daptor.block(values, comm)
        x = a.to_petsc()
        b = daptor.export(x)
        with b.write() as u:
            u[0] = 1.0
        del u
        x.destroy()
        del a, b, x
    collect()
    assert sys.getrefcount(values) == before


def test_the_users_communicator_goes_first(comm, size):
    duplicate = comm.Dup()
    values = numpy.ones(4, dtype=SCALAR)
    a = daptor.block(values, duplicate)
    x = a.to_petsc()
    duplicate.Free()
    y = a.to_petsc()
    for vec in (x, y):
        assert abs(vec.norm() - numpy.sqrt(4.0 * size)) < 1e-12
        vec.destroy()


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


def tiles(comm, dtype=SCALAR):
    """A block-cyclic 12 x 8 array that holds the row-major numbers of its elements."""
    whole = numpy.arange(96).astype(dtype)
    first, last = share(12, comm.size, comm.rank)
    rows = daptor.block(whole[8 * first:8 * last].reshape(-1, 8), comm, shape=(12, 8),
                        grid=(comm.size, 1))
    return rows.redistributed(daptor.layout.block_cyclic((2, 2))), whole


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
    assert error.rule == "petsc.vec.scalar-type" and same_on_all(comm, error)
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


def test_the_memory_of_a_copy_goes_with_the_vec(comm, size):
    a, _ = tiles(comm)
    references = sys.getrefcount(a)
    for _ in range(20):
        x = a.copy_to_petsc()
        b = daptor.export(x)
        x.destroy()
        assert numpy.asarray(b).sum() >= 0
        del x, b
        with a.copy_to_dmda(no_dof=True):
            pass
    assert sys.getrefcount(a) == references


def test_options_of_copies_differ(comm, rank, size):
    a, _ = tiles(comm)
    if size > 1:
        for call, name in ((a.copy_to_petsc, "flat"), (a.copy_to_dmda, "no_dof")):
            error = raised(lambda: call(**{name: rank == 0}))
            assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)


def test_what_copies_would_move(comm, rank, size):
    a = daptor.cyclic(numpy.zeros((6, 8), dtype=SCALAR)[:, ::2], comm, shape=(6 * size, 4),
                      grid=(size, 1))
    verdict = daptor.explain(a)["petsc.vec"]
    assert not verdict and "copy_to_vec" in verdict.copy_call
    assert verdict.python_call == "a.copy_to_petsc()"
    x = eval(verdict.python_call)
    assert verdict.bytes_to_move == daptor.bytes_to_redistribute(a, daptor.export(x))
    x.destroy()
    for name, call in (("petsc.dmda", "a.copy_to_dmda(vector='global')"),
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


def test_memory_that_was_replaced_is_not_shown(comm):
    x = PETSc.Vec().createMPI((4, PETSc.DECIDE), comm=comm)
    a = daptor.export(x)
    x.placeArray(numpy.ones(4, dtype=SCALAR))
    for look in (numpy.asarray, numpy.array, memoryview, numpy.from_dlpack):
        with pytest.raises((BufferError, daptor.Stale)):
            look(a)
    x.resetArray()
    assert address(a) == where(x)


def test_the_communicator_of_what_petsc_has_destroyed(comm, size):
    """PETSc frees its communicator with its last object; later ones get the same handle."""
    duplicate = comm.Dup()
    mat = PETSc.Mat().createAIJ([[2, None], [2, None]], nnz=1, comm=duplicate)
    first, last = mat.getOwnershipRange()
    for i in range(first, last):
        mat.setValue(i, i, 1.0)
    mat.assemble()
    csr = daptor.export_csr(mat, copy=True)
    mat.destroy()
    collect()
    others = [comm.Split(comm.rank) for _ in range(6)]
    assert csr.values.comm.Get_size() == size
    again = csr.to_petsc(copy=True)
    assert again.getSize() == (2 * size, 2 * size)
    again.destroy()
    for other in others:
        other.Free()


@pytest.mark.parametrize("call, options", [
    ("to_petsc", {"padded": "x"}), ("to_petsc", {"flat": "x"}),
    ("to_dmda", {"stencil_width": 2**40}), ("to_dmda", {"stencil_width": 1.5}),
    ("to_dmda", {"stencil": 3}), ("copy_to_petsc", {"convert": "x"}),
    ("copy_to_petsc", {"local_size": 2**70}), ("copy_to_dmda", {"vector": None}),
    ("copy_to_dmda", {"grid": [2**70]})])
def test_options_of_another_type_on_one_rank(comm, rank, size, call, options):
    a = daptor.block(numpy.ones((2, 3), dtype=SCALAR), comm)
    for guilty in range(size):
        error = raised(lambda: getattr(a, call)(**(options if rank == guilty else {})))
        assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)


@pytest.mark.parametrize("call", ["to_petsc", "copy_to_petsc"])
def test_padded_on_one_rank(comm, rank, size, call):
    a = daptor.block(numpy.ones(3, dtype=SCALAR), comm)
    if size > 1:
        error = raised(lambda: getattr(a, call)(padded=rank == 0))
        assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
    x = getattr(a, call)(padded=numpy.bool_(True))
    assert x.getSize() == 3
    x.destroy()


def test_a_binding_that_one_rank_lacks(comm, rank, size, monkeypatch):
    a = daptor.block(numpy.ones(3, dtype=SCALAR), comm)
    if rank == size - 1:
        monkeypatch.setitem(sys.modules, "daptor._petsc", None)
    calls = [lambda: daptor.explain(a)] * (size > 1)
    calls += [a.to_petsc, a.to_dmda, a.copy_to_petsc, a.copy_to_dmda, a.to_dense]
    for call in calls:
        with pytest.raises(ImportError):
            call()


@pytest.mark.parametrize("path", ["nowhere.so", __file__])
def test_a_library_that_one_rank_cannot_load(comm, rank, size, monkeypatch, path):
    libraries = daptor._adapters.LIBRARIES
    if not libraries:
        pytest.skip("no adapter's library is loaded by itself")
    a = daptor.block(numpy.ones(3, dtype=SCALAR), comm)
    for guilty in range(size):
        with monkeypatch.context() as patch:
            if rank == guilty:
                patch.setitem(libraries, next(iter(libraries)), path)
            if path == "nowhere.so" and size == 1:
                assert "petsc.vec" in daptor.explain(a)
                continue
            if path == "nowhere.so":
                with pytest.raises(ImportError):
                    daptor.explain(a)
            else:
                error = raised(lambda: daptor.explain(a))
                assert isinstance(error, daptor.ProducerFailed) and same_on_all(comm, error)


def test_exports_that_differ_between_ranks(comm, rank, size):
    if size == 1:
        return
    last = rank == size - 1
    da = PETSc.DMDA().create([2 * size, 3], dof=2, stencil_width=1, comm=comm)
    x, y = da.createGlobalVec(), da.createLocalVec()
    dense = PETSc.Mat().createDense((2 * size, 2), comm=comm)
    dense.setUp()
    for call in (lambda: daptor.export(x, flat=last), lambda: daptor.export(x, readonly=last),
                 lambda: daptor.export(da, padded=last), lambda: daptor.export(x if last else da),
                 lambda: daptor.export(x if last else y),
                 lambda: daptor.export(x, da if last else None),
                 lambda: daptor.export(dense if last else x)):
        error = raised(call)
        assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
    for thing in (x, y, dense, da):
        thing.destroy()


def test_objects_that_are_no_more(comm):
    vec, dm, mat = PETSc.Vec(), PETSc.DMDA(), PETSc.Mat()
    whole = PETSc.Vec().createMPI((3, PETSc.DECIDE), comm=comm)
    for call in (lambda: daptor.export(vec), lambda: daptor.export(dm), lambda: daptor.export(mat),
                 lambda: daptor.export(whole, dm), lambda: daptor.export_csr(mat)):
        assert isinstance(raised(call), daptor.InvalidArgument)
    whole.destroy()
    assert isinstance(raised(lambda: daptor.export(whole)), daptor.InvalidArgument)


def test_a_sparse_matrix_copied_on_one_rank(comm, rank, size):
    mat = PETSc.Mat().createAIJ(((2, None), (2, None)), nnz=1, comm=comm)
    mat.assemble()
    if size > 1:
        error = raised(lambda: daptor.export_csr(mat, copy=rank == 0))
        assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
        matrix = daptor.export_csr(mat, copy=True)
        error = raised(lambda: matrix.to_petsc(copy=rank == 0))
        assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
    mat.destroy()
