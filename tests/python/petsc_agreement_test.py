# SPDX-License-Identifier: BSD-3-Clause
"""What one rank alone does with petsc4py's objects, or lacks, is an error of all ranks."""

import sys

import numpy
import pytest
from petsc4py import PETSc

import daptor
from petsc_support import SCALAR, stacked, tiles
from support import raised, same_on_all


def test_options_differ(comm, rank, size):
    _, a = stacked(comm)
    if size > 1:
        error = raised(lambda: a.to_petsc(flat=rank == 0))
        assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
        assert error.rule == "collective.different" and error.finding.key == "flat"
    error = raised(lambda: a.to_dmda(stencil="plus" if rank == 0 else "box"))
    assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)


def test_options_of_copies_differ(comm, rank, size):
    a, _ = tiles(comm)
    if size > 1:
        for call, name in ((a.copy_to_petsc, "flat"), (a.copy_to_dmda, "no_dof")):
            error = raised(lambda: call(**{name: rank == 0}))
            assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
            assert error.rule == "collective.different" and error.finding.key == name


@pytest.mark.parametrize("call, options", [
    ("to_petsc", {"padded": "x"}), ("to_petsc", {"flat": "x"}),
    ("to_dmda", {"stencil_width": 2**40}), ("to_dmda", {"stencil_width": 1.5}),
    ("to_dmda", {"stencil": 3}), ("copy_to_petsc", {"convert": "x"}),
    ("to_petsc", {"interior": "x"}), ("copy_to_petsc", {"interior": []}),
    ("copy_to_dmda", {"interior": "x"}),
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
        assert error.rule == "collective.different" and error.finding.key == "padded"
    x = getattr(a, call)(padded=numpy.bool_(True))
    assert x.getSize() == 3
    x.destroy()


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


def test_explain_sees_all_ranks(comm, rank, size):
    for victim in range(size if size > 1 else 0):
        values = numpy.ones((3, 4), dtype=SCALAR, order="F" if rank == victim else "C")
        a = daptor.block(values, comm, shape=(3 * size, 4), grid=(size, 1))
        for target, padded in (("petsc.vec", False), ("petsc.local-vec", True)):
            verdict = daptor.explain(a)[target]
            assert not verdict and verdict.reasons[0].rule == "petsc.vec.order"
            assert raised(lambda: a.to_petsc(padded=padded)).rule == "petsc.vec.order"


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
