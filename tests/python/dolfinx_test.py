# SPDX-License-Identifier: BSD-3-Clause
"""daptor.dolfinx with objects that have the attributes of those of DOLFINx 0.9."""

import gc
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Tuple

import numpy as np
import pytest
from mpi4py import MPI

import daptor
from support import raised, same_on_all


@dataclass
class IndexMap:
    """Three nodes on each rank; a ghost of the next rank."""
    comm: Any
    size_local: int = 3

    @property
    def num_ghosts(self) -> int:
        return int(self.comm.size > 1)

    @property
    def size_global(self) -> int:
        return 3 * int(self.comm.size)

    def local_to_global(self, local: Any) -> Any:
        first, ranks = 3 * self.comm.rank, self.comm.size
        return np.append(np.arange(first, first + 3), (first + 3) % (3 * ranks))[local]


@dataclass
class Vector:
    index_map: IndexMap
    block_size: int
    array: Any


@dataclass
class MatrixCSR:
    """Each node is coupled with itself and, with several ranks, with the ghost; block k has the
    numbers 10 k + 0, 1, ..."""
    comm: Any
    block_size: Tuple[int, int]

    def __post_init__(self) -> None:
        self.map = IndexMap(self.comm)
        width = 1 + self.map.num_ghosts
        self.indptr = np.arange(0, 3 * width + 1, width)
        # Rows of ghosts follow, which belong to others.
        self.indptr = np.append(self.indptr, self.indptr[-1] + 1)
        self.indices = np.array([[i, 3][:width] for i in range(3)], "int32").ravel()
        self.indices = np.append(self.indices, np.int32(3))
        high, wide = self.block_size
        within = np.arange(high * wide, dtype=float)
        self.data = (10 * np.arange(len(self.indices))[:, None] + within).ravel()

    def index_map(self, i: int) -> IndexMap:
        return self.map

    def rows(self) -> Any:
        """This rank's owned rows, as a dense array."""
        high, wide = self.block_size
        dense = np.zeros((3 * high, 3 * self.comm.size * wide))
        columns = self.map.local_to_global(self.indices)
        for node in range(3):
            for k in range(self.indptr[node], self.indptr[node + 1]):
                dense[node * high:(node + 1) * high, columns[k] * wide:(columns[k] + 1) * wide] = (
                    self.data.reshape(-1, high, wide)[k])
        return dense


def refused(comm, text, call):
    error = raised(call)
    assert same_on_all(comm, error)
    assert isinstance(error, daptor.InvalidArgument) and text in str(error), error


@pytest.mark.parametrize("size", [1, 2])
def test_vectors(comm, size):
    index_map = IndexMap(comm)
    x = Vector(index_map, size, np.zeros(size * (3 + index_map.num_ghosts)))
    u = SimpleNamespace(x=x, function_space=SimpleNamespace(mesh=SimpleNamespace(comm=comm)))
    for a in (daptor.dolfinx.describe(x), daptor.dolfinx.describe(u)):
        assert a.shape == ((3 * comm.size,) if size == 1 else (3 * comm.size, size))
        assert np.shares_memory(a.interior, x.array)
    x.array[:3 * size] = comm.rank
    a.update_padding()
    assert (x.array[3 * size:] == (comm.rank + 1) % comm.size).all()
    flat = daptor.dolfinx.describe(x, flat=True)
    assert flat.shape == (3 * size * comm.size,) and np.shares_memory(flat.interior, x.array)
    array = x.array
    del u, x
    gc.collect()
    assert np.shares_memory(a.interior, array)


@pytest.mark.parametrize("sizes", [(1, 1), (2, 2), (2, 3)])
def test_matrices(comm, sizes):
    matrix = MatrixCSR(comm, sizes)
    whole = sizes == (1, 1)
    if not whole:
        refused(comm, "BlockMode.expanded", lambda: daptor.dolfinx.csr(matrix))
    A = daptor.dolfinx.csr(matrix, copy=not whole)
    assert np.shares_memory(A.values.interior, matrix.data) == whole
    assert A.shape == (3 * comm.size * sizes[0], 3 * comm.size * sizes[1])
    x = daptor.from_function(lambda i: 1.0 + i, A.shape[1], comm)
    y = daptor.zeros(A.shape[0], comm)
    daptor.multiply(A, x, y)
    assert (y.interior == matrix.rows() @ (1.0 + np.arange(A.shape[1]))).all()


def test_what_is_wrong_on_one_rank_is_raised_on_all(comm):
    matrix, x = MatrixCSR(comm, (1, 1)), Vector(IndexMap(comm), 1, np.zeros(3 + (comm.size > 1)))
    for victim in range(comm.size):
        here = comm.rank == victim
        refused(comm, "an la.Vector",
                lambda: daptor.dolfinx.describe(3 if here else x, comm=comm))
        refused(comm, "an la.MatrixCSR",
                lambda: daptor.dolfinx.csr(x if here else matrix, comm=comm))
    with pytest.raises(daptor.InvalidArgument, match="comm="):
        daptor.dolfinx.describe(3)


def test_parts_and_other_communicators_are_refused(comm):
    """A part of a mixed Function has the vector of the whole."""
    index_map = IndexMap(comm)
    x = Vector(index_map, 1, np.zeros(3 + index_map.num_ghosts))
    mesh = SimpleNamespace(comm=comm)
    for component in [], [1]:
        space = SimpleNamespace(mesh=mesh, component=lambda: component)
        u = SimpleNamespace(x=x, function_space=space)
        if component:
            refused(comm, "collapse()", lambda: daptor.dolfinx.describe(u))
        else:
            assert daptor.dolfinx.describe(u).shape == (3 * comm.size,)
            assert daptor.dolfinx.describe(u, comm=comm.Dup()).shape == (3 * comm.size,)
    if comm.size > 1:
        with pytest.raises(daptor.InvalidArgument, match="of 1 ranks"):
            daptor.dolfinx.describe(SimpleNamespace(x=x, function_space=SimpleNamespace(mesh=mesh)),
                                    comm=MPI.COMM_SELF)
