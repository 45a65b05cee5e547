# SPDX-License-Identifier: BSD-3-Clause
"""petsc4py's matrices on NumPy's memory, and the reverse."""

import gc
import weakref

import numpy
import pytest
from petsc4py import PETSc

import daptor
from support import Section, address, raised, resident, same_on_all

SCALAR = PETSc.ScalarType


def columns_of(comm, rows=3, columns=2):
    values = numpy.asfortranarray(numpy.zeros((rows, columns), dtype=SCALAR)).view(Section)
    return values, daptor.block(values, comm)


def laplacian(comm, rows=4):
    """Returns the second difference, with rows divided evenly."""
    mat = PETSc.Mat().createAIJ([rows * comm.size, rows * comm.size], nnz=3, comm=comm)
    first, last = mat.getOwnershipRange()
    for i in range(first, last):
        for j, value in ((i - 1, -1.0), (i, 2.0), (i + 1, -1.0)):
            if 0 <= j < rows * comm.size:
                mat.setValue(i, j, value)
    mat.assemble()
    return mat


def test_from_petsc(comm, size):
    """What to_petsc() has made, or PETSc itself, as an array or as rows."""
    x = PETSc.Vec().createMPI((3, None), comm=comm)
    x.set(2.0)
    assert daptor.from_petsc(x).sum() == 6 * size
    assert daptor.from_petsc(columns_of(comm)[1].to_dense()).shape == (3 * size, 2)
    grid = PETSc.DMDA().create([4, 3 * size], dof=2, comm=comm)
    assert daptor.from_petsc(grid).shape == (3 * size, 4, 2)
    rows = daptor.from_petsc(laplacian(comm), copy=True)
    assert isinstance(rows, daptor.CsrArrays) and rows.shape == (4 * size, 4 * size)
    for wrong in (None, 3, PETSc.Vec()):
        assert isinstance(raised(lambda: daptor.from_petsc(wrong)), daptor.InvalidArgument)


def test_a_dense_matrix_on_numpy_memory(comm, rank, size):
    values, a = columns_of(comm)
    assert daptor.explain(a)["petsc.dense"].python_call == "a.to_dense()"
    mat = a.to_dense()
    assert mat.getType() in ("seqdense", "mpidense") and mat.getSize() == (3 * size, 2)
    assert mat.getDenseArray().ctypes.data == values.ctypes.data
    mat.setValue(3 * rank, 1, 5.0)
    mat.assemble()
    assert values[0, 1] == 5.0
    mat.destroy()


def test_columns_that_are_not_divided(comm, rank, size):
    """Rows and columns are the same on one rank as on many."""
    undivided = daptor.zeros((4 * size, 3), comm, dtype=SCALAR, order="F", grid=(0, None))
    of_one = daptor.zeros((4 * size, 3), comm, dtype=SCALAR, order="F", grid=(size, 1))
    section = numpy.zeros((4, 3), dtype=SCALAR, order="F")
    mine = daptor.block(section, comm, shape=(4 * size, 3), grid=(0, None))
    for a in (undivided, of_one, mine):
        assert daptor.explain(a)["petsc.dense"]
        mat = a.to_dense()
        assert mat.getSize() == (4 * size, 3) and mat.getLocalSize()[0] == 4
        assert mat.getDenseArray().ctypes.data == address(a)
        mat.destroy()
    columns = daptor.zeros((4, 3 * size), comm, dtype=SCALAR, order="C", grid=(None, 0))
    mat = columns.to_dense()  # the slowest varying dimension becomes the columns
    assert mat.getSize() == (3 * size, 4)
    mat.destroy()
    # Where rows are the slowest varying dimension, they are no columns on any number of ranks.
    by_rows = daptor.zeros((4 * size, 3), comm, dtype=SCALAR, grid=(size, 1))
    error = raised(by_rows.to_dense)
    assert error.rule == "petsc.dense.columns" and "None in grid=" in str(error)


def test_a_dense_matrix_keeps_the_memory(comm):
    values, a = columns_of(comm)
    seen = weakref.ref(values)
    mat = a.to_dense()
    del values, a
    gc.collect()
    assert seen() is not None
    mat.destroy()
    gc.collect()
    assert seen() is None


def test_export_of_a_dense_matrix(comm, size):
    mat = PETSc.Mat().createDense([[3, None], [None, 2]], comm=comm)
    mat.setUp()
    mat.zeroEntries()
    mat.assemble()
    a = daptor.export(mat)
    assert a.shape == (3 * size, 2) and a.local_shape == (3, 2)
    assert address(a) == mat.getDenseArray(readonly=True).ctypes.data
    assert daptor.export(mat, readonly=True).readonly
    references = mat.getRefCount()
    del a
    gc.collect()
    assert mat.getRefCount() == references - 1
    again = daptor.export(daptor.export(mat).to_dense())
    assert address(again) == mat.getDenseArray(readonly=True).ctypes.data


def blocks_of(comm, block=2):
    """A matrix whose elements say where they are, in blocks of rows dealt to all ranks."""
    n = 2 * block * comm.size + 1
    rows = [i for i in range(n) if i // block % comm.size == comm.rank]
    values = numpy.asfortranarray(numpy.array(
        [[(100.0 if i == j else 0.0) + i + 0.01 * j for j in range(n)] for i in rows],
        dtype=SCALAR).reshape(len(rows), n))
    return values, daptor.cyclic(values, comm, shape=(n, n), grid=(comm.size, 1),
                                 block_size=block)


def require_scalapack(a):
    if "petsc.scalapack" not in daptor.explain(a):
        pytest.skip("this PETSc has no MATSCALAPACK")


def test_a_matrix_in_blocks_on_numpy_memory(comm):
    values, a = blocks_of(comm)
    verdict = daptor.explain(a)
    if "petsc.scalapack" not in verdict:
        refused = raised(lambda: a.to_dense(mat_type="scalapack"))
        assert refused.rule == "petsc.scalapack.missing"
        return
    assert verdict["petsc.scalapack"].python_call == "a.to_dense(mat_type='scalapack')"
    mat = a.to_dense(mat_type="scalapack")
    assert mat.getType() == "scalapack" and mat.getSize() == a.shape
    # PETSc solves with it, and what it exports is the same memory.
    x, b = mat.createVecs()
    x.set(2.0)
    mat.mult(x, b)
    ksp = PETSc.KSP().create(comm)
    ksp.setOperators(mat)
    ksp.setType("preonly")
    ksp.getPC().setType("lu")
    ksp.getPC().setFactorSolverType("scalapack")
    found = x.duplicate()
    ksp.solve(b, found)
    found.axpy(-1.0, x)
    assert found.norm() < 1e-10
    assert not values.size or address(daptor.export(mat)) == values.ctypes.data
    before = values.copy()
    mat.scale(3.0)
    assert numpy.allclose(values, 3.0 * before)
    ksp.destroy()
    mat.destroy()


def test_a_matrix_in_blocks_takes_no_memory(comm, size):
    """16 MB per rank, or 32 of complex numbers."""
    _, small = blocks_of(comm)
    require_scalapack(small)
    mat = small.to_dense(mat_type="scalapack")  # what PETSc allocates once
    assert daptor.export(mat).shape == small.shape
    mat.destroy()
    values = numpy.full((1000, 2000), 1.5, dtype=SCALAR, order="F")
    a = daptor.cyclic(values, comm, shape=(1000 * size, 2000), grid=(size, 1), block_size=50)
    before = resident()
    mat = a.to_dense(mat_type="scalapack")
    exported = daptor.export(mat)
    assert resident() - before < 1000
    assert address(exported) == address(values)
    mat.destroy()


def test_export_of_petscs_matrix_in_blocks(comm):
    _, a = blocks_of(comm)
    require_scalapack(a)
    n = 150
    dense = PETSc.Mat().createDense([n, n], comm=comm)
    dense.setUp()
    for i in range(*dense.getOwnershipRange()):
        for j in range(n):
            dense.setValue(i, j, 10.0 * i + j)
    dense.assemble()
    blocks = daptor.export(dense.convert("scalapack", PETSc.Mat()))
    rows = blocks.redistributed(daptor.layout.slab(0))
    mine = numpy.asarray(rows)
    first = sum(comm.allgather(mine.shape[0])[:comm.rank])
    expected = 10.0 * (first + numpy.arange(mine.shape[0]))[:, None] + numpy.arange(n)
    assert (mine == expected).all()
    dense.destroy()


def test_what_no_matrix_in_blocks_can_be(comm, size):
    _, a = blocks_of(comm)
    require_scalapack(a)
    rows = daptor.block(numpy.zeros((3, 2), dtype=SCALAR), comm)
    error = raised(lambda: rows.to_dense(mat_type="scalapack"))
    assert error.rule == "petsc.scalapack.order" and same_on_all(comm, error)
    call = daptor.explain(rows)["petsc.scalapack"].python_call
    assert bool(call) == (size <= 3)  # PETSc cannot divide two columns among more
    if call:
        assert call == ("a.redistributed(daptor.layout.block_cyclic((64, 64)))"
                        ".to_dense(mat_type='scalapack')")
        mat = eval(call, {"a": rows, "daptor": daptor})
        assert mat.getType() == "scalapack" and mat.getSize() == rows.shape
        mat.destroy()
    for victim in range(size):
        word = "sparse" if comm.rank == victim else "scalapack"
        error = raised(lambda: a.to_dense(mat_type=word))
        assert error.rule == "argument" and same_on_all(comm, error)


@pytest.mark.parametrize("made, rule", [
    (lambda: numpy.zeros((3, 2), dtype="f4", order="F"), "petsc.dense.type"),
    (lambda: numpy.zeros((3, 2), dtype=SCALAR), "petsc.dense.columns"),
], ids=["float32", "C order"])
def test_what_no_dense_matrix_can_be(comm, made, rule):
    error = raised(lambda: daptor.block(made(), comm).to_dense())
    assert isinstance(error, daptor.NotRepresentable) and error.rule == rule, error
    assert same_on_all(comm, error)


def test_read_only_memory_is_no_dense_matrix(comm):
    _, a = columns_of(comm)
    error = raised(lambda: a.as_readonly().to_dense())
    assert error.rule == "petsc.dense.readonly" and same_on_all(comm, error)


def test_a_sparse_matrix_on_one_rank_has_no_copy(comm):
    mat = laplacian(PETSc.COMM_SELF)
    csr = daptor.export_csr(mat)
    assert csr.shape == (4, 4) and csr.values.shape == (10,) and csr.offsets.shape == (5,)
    numpy.asarray(csr.values)[:] *= 2
    csr.values.modified()
    assert mat.getValue(1, 1) == 4.0 and csr.columns.readonly
    same = csr.to_petsc()
    numpy.asarray(csr.values)[:] *= 2
    csr.values.modified()
    assert same.getValue(1, 1) == 8.0 == mat.getValue(1, 1)
    same.destroy()


def test_a_sparse_matrix_and_back(comm, size):
    mat = laplacian(comm)
    csr = daptor.export_csr(mat, copy=True)
    assert csr.shape == (4 * size, 4 * size) and csr.index_base == 0
    assert csr.values.shape == csr.columns.shape == (12 * size - 2,)
    back = csr.to_petsc(copy=True)
    assert back.equal(mat)
    back.destroy()


def test_a_sparse_matrix_in_pieces_is_refused(comm, size):
    mat = laplacian(comm)
    if size > 1:
        error = raised(lambda: daptor.export_csr(mat))
        assert error.rule == "csr.split" and same_on_all(comm, error)
        assert "daptor.export_csr(mat, copy=True)" in str(error)
        error = raised(daptor.export_csr(mat, copy=True).to_petsc)
        assert error.rule == "csr.split" and same_on_all(comm, error)
        assert "CsrArrays.to_petsc(copy=True)" in str(error)


def test_arrays_that_make_no_matrix(comm, rank, size):
    for guilty in range(size):
        csr = daptor.export_csr(laplacian(comm), copy=True)
        if rank == guilty:
            numpy.asarray(csr.columns)[0] = -1
        error = raised(lambda: csr.to_petsc(copy=True))
        assert isinstance(error, daptor.Malformed) and error.rule == "csr.column-range", error
        assert error.rank == guilty and same_on_all(comm, error)


def test_what_is_no_matrix():
    with pytest.raises(daptor.InvalidArgument):
        daptor.export_csr(3)
