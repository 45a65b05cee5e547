# SPDX-License-Identifier: BSD-3-Clause
"""Functions, vectors and matrices of DOLFINx on their own memory.

    a = daptor.dolfinx.describe(u)         # a Function or la.Vector, ghosts included
    daptor.update_padding(a)               # what u.x.scatter_forward() does
    daptor.save(a, "u.h5", "u")            # for any number of processes
    x = a.to_petsc()                       # a petsc4py Vec on the owned values
    S = daptor.dolfinx.csr(A)              # an la.MatrixCSR as three arrays
    M = daptor.muelu(S)                    # Trilinos' multigrid, for one's own Krylov method

Everything is found by the attributes of the objects, so that the module needs no DOLFINx itself.
"""

from __future__ import annotations

from typing import Any, NoReturn, Optional, Tuple

from . import _daptor
from ._arrays.builders import owned_then_ghosts, type_text
from ._arrays.csr import CsrArrays, csr_from_rows
from ._daptor import Array

__all__ = ["coordinates", "csr", "describe"]


def _refuse(key: str, value: Any, expected: str, remedy: str = "") -> NoReturn:
    _daptor._invalid_argument(key, type_text(value), expected, remedy)


def _first(value: Any, *names: str) -> Any:
    """The first of these attributes, which releases name differently; None if there is none."""
    return next((getattr(value, name) for name in names if hasattr(value, name)), None)


def _vector_of(value: Any) -> Any:
    """The la.Vector of a Function; another object is one itself."""
    return value.x if hasattr(value, "function_space") and hasattr(value, "x") else value


def _map_of(key: str, value: Any) -> Any:
    """The object itself, if it is an IndexMap."""
    if hasattr(value, "local_to_global") and hasattr(value, "size_local"):
        return value
    _refuse(key, value, "an IndexMap of DOLFINx")


def _told_communicator(value: Any, index_map: Any) -> Any:
    """The communicator of a Function's mesh, or of an index map, if one of them tells it."""
    space = getattr(value, "function_space", None)
    comm = getattr(getattr(space, "mesh", None), "comm", None)
    return comm if comm is not None else getattr(index_map, "comm", None)


def _require_same_ranks(given: Any, told: Any) -> None:
    """Process-local."""
    if given is None or told is None:
        return
    from mpi4py import MPI
    if MPI.Comm.Compare(given, told) not in (MPI.IDENT, MPI.CONGRUENT):
        _daptor._invalid_argument(
            "comm", f"a communicator of {given.size} ranks, and of {told.size} in the mesh or the "
            "index map", "the same ranks in the same order", "Leave out comm=.")


def _communicator(value: Any, index_map: Any) -> Any:
    """The communicator of a Function's mesh, or of an index map."""
    comm = _told_communicator(value, index_map)
    if comm is None:
        _refuse("comm", comm, "a communicator",
                "Pass comm=, which this object, or this release of DOLFINx, does not tell.")
    return comm


def _global_indices(index_map: Any) -> Any:
    """The global index of each local one, ghosts included."""
    import numpy
    count = index_map.size_local + index_map.num_ghosts
    return index_map.local_to_global(numpy.arange(count, dtype=numpy.int32))


def describe(u: Any, *, flat: bool = False, comm: Any = None) -> Array:
    """The values of a Function or an la.Vector on their memory. Collective; no copy.

    u     a dolfinx.fem.Function or dolfinx.la.Vector
    flat  one dimension of unknowns, also with a block size: the vector of csr() and multiply()
    comm  the communicator of the vector; None: that of the function's mesh or of the index map. An
          la.Vector before DOLFINx 0.7 does not tell it

    The array has one element for each node, as DOLFINx numbers them globally: this rank's owned
    nodes first, then its ghosts. With a block size of more than 1 it has a second dimension, the
    unknowns of a node. It keeps the memory alive, also when `u` is gone.

    A write through u.x.array or NumPy is one of this rank's owned values; ghosts get them by
    update_padding(a), as by u.x.scatter_forward(). What u.x.scatter_reverse() adds to the owners is
    daptor.HaloExchange(a).accumulate().

    Raises on all ranks: InvalidArgument for another object, if `comm` is given, and for a part of a
    mixed Function, which has the vector of the whole; Malformed if block
    sizes or types differ between ranks. Raises on this rank alone InvalidArgument for an object
    without a communicator.

        u.interpolate(f)
        a = daptor.dolfinx.describe(u)
        print(daptor.norm(a), a.shape)     # (nodes,) or (nodes, block size)
    """
    vector = _vector_of(u)
    index_map = _first(vector, "index_map", "map")
    ranks = comm if comm is not None else _communicator(u, index_map)

    def local() -> Tuple[Any, Any, int, int]:
        component = getattr(getattr(u, "function_space", None), "component", None)
        if component is not None and len(component()) > 0:
            _daptor._invalid_argument(
                "u", "a part of a mixed Function, whose vector is the whole's",
                "a Function with a vector of its own",
                "Pass u.collapse(), a copy, or the whole Function.")
        _require_same_ranks(comm, _told_communicator(u, index_map))
        nodes, size = _first(vector, "index_map", "map"), _first(vector, "block_size", "bs")
        if size is None or not hasattr(vector, "array"):
            _refuse("u", u, "a Function or an la.Vector of DOLFINx")
        indices = _global_indices(_map_of("u", nodes))
        owned, count = nodes.size_local, nodes.size_global
        if size == 1:
            return vector.array, indices, owned, count
        if flat:
            return vector.array, _unknowns(indices, size), owned * size, count * size
        return vector.array.reshape(len(indices), size), indices, owned, count

    values, indices, owned, count = _daptor.agreed(ranks, local)
    return owned_then_ghosts(values, indices, ranks, owned=owned, size=count)


def csr(matrix: Any, *, maps: Optional[Tuple[Any, Any]] = None, comm: Any = None,
        copy: bool = False) -> CsrArrays:
    """The owned rows of an la.MatrixCSR as three arrays. Collective.

    matrix  assembled: values in rows of ghosts have been sent to their owners (scatter_reverse(),
            before DOLFINx 0.7 finalize())
    maps    index maps of rows and columns; None: those of the matrix. Before DOLFINx 0.7 they are
            pattern.index_map(0) and pattern.column_index_map() of the sparsity pattern
    comm    the communicator; None: that of the index map, which tells it from DOLFINx 0.7 on
    copy    False: values on the matrix's memory. True: on new memory, which blocks need, because a
            matrix with block sizes has the entries of a block one after another, not those of a row
            (BlockMode.compact)

    Rows and columns have DOLFINx's global numbers, times the block size. The global columns and the
    offsets are new memory.

    Raises on all ranks: InvalidArgument for blocks without `copy`, and, if `comm` is given, for
    another object; Malformed if the rows do not make a matrix. Raises on this rank alone
    InvalidArgument for an object without a communicator.

        A = fem.assemble_matrix(form, bcs)
        A.scatter_reverse()
        M = daptor.muelu(daptor.dolfinx.csr(A))
    """
    def given(i: int) -> Any:
        if maps is not None:
            return maps[i]
        return matrix.index_map(i) if hasattr(matrix, "index_map") else None

    ranks = comm if comm is not None else _communicator(None, given(0))

    def local() -> Tuple[Any, Any, Any, int, Any]:
        if not all(hasattr(matrix, name) for name in ("data", "indices", "indptr")):
            _refuse("matrix", matrix, "an la.MatrixCSR of DOLFINx")
        rows, columns = _map_of("maps", given(0)), _map_of("maps", given(1))
        sizes = _first(matrix, "block_size", "bs") or (1, 1)
        pointers = matrix.indptr[:rows.size_local + 1]
        stop = pointers[-1]
        data, indices = matrix.data[:stop * sizes[0] * sizes[1]], matrix.indices[:stop]
        global_columns, wide = _global_indices(columns), columns.size_global * sizes[1]
        if tuple(sizes) != (1, 1):
            if not copy:
                _daptor._invalid_argument(
                    "matrix", f"blocks of {sizes[0]} x {sizes[1]}", "entries one by one",
                    "Pass copy=True, or make the matrix with BlockMode.expanded.")
            return (*_expanded(data, indices, pointers, sizes), wide,
                    _unknowns(global_columns, sizes[1]))
        return data.copy() if copy else data, indices, _lengths(pointers), wide, global_columns

    values, columns, lengths, width, indices = _daptor.agreed(ranks, local)
    return csr_from_rows(values, columns, lengths, width, ranks, column_indices=indices)


def _lengths(pointers: Any) -> Any:
    import numpy
    return numpy.diff(pointers).astype("int64")


def _unknowns(nodes: Any, size: int) -> Any:
    """The numbers of the unknowns of each node, node after node."""
    import numpy
    return (nodes[:, None] * size + numpy.arange(size)).ravel()


def _expanded(data: Any, indices: Any, pointers: Any, sizes: Any) -> Tuple[Any, Any, Any]:
    """Values, local columns and row lengths of rows of blocks.

    Two rows of a block row with two blocks have of the data [[a, b], [c, d]], [[e, f], [g, h]] the
    values a b e f and c d g h.
    """
    import numpy
    high, wide = sizes
    starts, lengths = pointers[:-1].repeat(high), _lengths(pointers).repeat(high)
    before = numpy.cumsum(lengths) - lengths
    block = (starts - before).repeat(lengths) + numpy.arange(lengths.sum())
    row = numpy.tile(numpy.arange(high), len(pointers) - 1).repeat(lengths)
    return (data.reshape(-1, high, wide)[block, row].ravel(),
            _unknowns(indices[block].astype("int64"), wide), lengths * wide)


def coordinates(space: Any) -> Any:
    """Coordinates of the owned nodes of a function space, as muelu() takes them. Process-local.

    space  a function space whose elements evaluate points, such as Lagrange's

    Returns a NumPy array of shape (owned nodes, dimensions of the mesh). With as many unknowns of a
    node as dimensions MueLu makes the rigid body modes from it, the near-null space of elasticity:

        M = daptor.muelu(A, coordinates=daptor.dolfinx.coordinates(V))
    """
    owned = space.dofmap.index_map.size_local
    return space.tabulate_dof_coordinates()[:owned, :space.mesh.geometry.dim]
