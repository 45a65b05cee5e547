# SPDX-License-Identifier: BSD-3-Clause
"""What petsc4py's objects keep alive, and what becomes of them when something else has ended."""

import gc
import itertools
import sys
import weakref

import numpy
import pytest
from petsc4py import PETSc

import daptor
from petsc_support import SCALAR, stacked, tiles
from support import raised


def collect():
    """Collects Python's garbage, and then PETSc's."""
    gc.collect()
    PETSc.garbage_cleanup()


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


@pytest.mark.parametrize("split", [False, True])
def test_the_communicator_of_what_petsc_has_destroyed(comm, rank, split):
    """PETSc frees its communicator with its last object; later ones get the same handle.

    Of all processes there is COMM_WORLD in its place, of a part of them nothing.
    """
    users = comm.Split(rank == 0) if split else comm.Dup()
    size = users.size
    mat = PETSc.Mat().createAIJ([[2, None], [2, None]], nnz=1, comm=users)
    first, last = mat.getOwnershipRange()
    for i in range(first, last):
        mat.setValue(i, i, 1.0)
    mat.assemble()
    csr = daptor.export_csr(mat, copy=True)
    mat.destroy()
    collect()
    others = [comm.Split(rank) for _ in range(6)]
    assert csr.values.comm.Get_size() == size
    again = csr.to_petsc(copy=True)
    assert again.getSize() == (2 * size, 2 * size)
    again.destroy()
    for each in (*others, users):
        each.Free()


def test_objects_that_are_no_more(comm):
    vec, dm, mat = PETSc.Vec(), PETSc.DMDA(), PETSc.Mat()
    whole = PETSc.Vec().createMPI((3, PETSc.DECIDE), comm=comm)
    for call in (lambda: daptor.export(vec), lambda: daptor.export(dm), lambda: daptor.export(mat),
                 lambda: daptor.export(whole, dm), lambda: daptor.export_csr(mat)):
        assert isinstance(raised(call), daptor.InvalidArgument)
    whole.destroy()
    assert isinstance(raised(lambda: daptor.export(whole)), daptor.InvalidArgument)
