# SPDX-License-Identifier: BSD-3-Clause
"""petsc4py's matrices on NumPy's memory, and the reverse."""

import gc
import weakref

import numpy
import pytest
from petsc4py import PETSc

import daptor
from support import Section, address, raised, same_on_all

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


@pytest.mark.parametrize("made, rule", [
    (lambda: numpy.zeros((3, 2), dtype="f4", order="F"), "petsc.dense.scalar-type"),
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
        error = raised(daptor.export_csr(mat, copy=True).to_petsc)
        assert error.rule == "csr.split" and same_on_all(comm, error)


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
