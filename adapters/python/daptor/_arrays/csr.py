# SPDX-License-Identifier: BSD-3-Clause
"""Sparse matrices as three arrays."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn, Tuple

from .. import _daptor
from .._daptor import Array
from .._errors import InvalidArgument, InvalidOperand
from .builders import _same, block, builder, type_text


@dataclass(frozen=True)
class CsrArrays:
    """A sparse matrix in compressed rows, as three one-dimensional arrays of one communicator.

    values          the entries, row after row; a block over the ranks
    columns         the global column of each entry, divided as `values`; in any order within a row
    offsets         the position of the first entry of each row; then, on any rank, one element
                    more, the position after the last entry. A row is on the rank that has its
                    offset
    global_columns  number of columns of the matrix
    index_base      the number from which columns and positions count: 0, or 1 as in Fortran
    """
    values: Array
    columns: Array
    offsets: Array
    global_columns: int
    index_base: int = 0

    if TYPE_CHECKING:
        def __getattr__(self, name: str) -> Any:
            """Methods that adapters add."""

    @property
    def shape(self) -> Tuple[int, int]:
        """Global numbers of rows and columns."""
        return self.offsets.shape[0] - 1, self.global_columns

    def __matmul__(self, x: Any) -> NoReturn:
        try:
            _daptor._invalid_argument(
                "@", "a daptor.CsrArrays", "daptor.multiply",
                "Write: y = daptor.zeros(A.shape[0], x.comm, dtype=x.dtype); "
                "daptor.multiply(A, x, y)")
        except InvalidArgument as error:
            raise InvalidOperand(str(error), error.report) from None

    def to_scipy(self) -> Any:
        """This rank's rows as a sparse array of SciPy in compressed rows. Collective.

        Its shape is (number of rows on this rank, global_columns). It is on the memory of `values`
        and, with index base 0, of `columns`, if the entries of each row are on the rank of the row,
        as csr() and csr_from_rows() make them; otherwise the rows are copied (align_rows).

        Raises on all ranks: ImportError without SciPy on a rank; Malformed if the arrays do not
        make a matrix.
        """
        import numpy
        with _daptor._Call(self.values, "CsrArrays.to_scipy"):
            (kind,) = _daptor._loaded_everywhere(self.values, lambda: [_sparse_kind()])
            if kind is None:
                raise ImportError("SciPy is not installed")
            start = self.values.global_slices[0].start
            count, offsets = self.values.local_shape[0], self.offsets.interior - self.index_base
            if self.offsets.global_slices[0].stop == self.offsets.shape[0]:
                offsets = offsets[:-1]
            apart = offsets[0] != start if len(offsets) else count > 0
            if _daptor._offsets(self.values, int(apart))[1]:
                return align_rows(self).to_scipy()
            columns = self.columns.interior
            pointers = numpy.append(offsets - start, [count]).astype(columns.dtype)
            return kind((self.values.interior,
                         columns - self.index_base if self.index_base else columns, pointers),
                        shape=(len(offsets), self.global_columns), copy=False)


def _sparse_kind() -> Any:
    """SciPy's class of sparse arrays, or of matrices before SciPy 1.8; None without SciPy."""
    try:
        sparse = import_module(".sparse", "scipy")
    except ModuleNotFoundError:
        return None
    return getattr(sparse, "csr_array", sparse.csr_matrix)


@builder
def csr(rows: Any, comm: Any) -> CsrArrays:
    """A matrix of the rows that each rank has as a sparse array of SciPy. Collective over `comm`.

    rows  this rank's rows, of any format of scipy.sparse and of the shape (number of these rows,
          number of columns of the whole); they follow those of lower ranks
    comm  a communicator of mpi4py or petsc4py

    No entry is copied if `rows` are in compressed rows (CSR). SciPy's indices, of 32 or 64 bits,
    are copied if those of another rank are wider.

    Raises on all ranks: InvalidArgument for an object that is not SciPy's, and for different
    numbers of columns; the errors of csr_from_rows().

        A = daptor.csr(scipy.sparse.random(n, m, format="csr"), comm)
        daptor.multiply(A, x, y)
    """
    import numpy

    def local() -> Tuple[Any, Any, Any, int]:
        if not hasattr(rows, "tocsr") or len(getattr(rows, "shape", ())) != 2:
            _daptor._invalid_argument("rows", type_text(rows),
                                      "a sparse array of SciPy, of two dimensions")
        ours = rows.tocsr()
        count = int(ours.indptr[-1])
        return ours.data[:count], ours.indices[:count], ours.indptr, int(ours.shape[1])

    values, columns, pointers, width = _daptor.agreed(comm, local)
    if _daptor._offsets(comm, int(columns.itemsize > 4))[1]:
        columns = columns.astype("int64", copy=False)
    return csr_from_rows(values, columns, numpy.diff(pointers).astype("int64"), width, comm)


def _global_columns(columns: Any, column_indices: Any) -> object:
    """The global columns of entries whose columns have local numbers. Process-local."""
    import numpy
    local, indices = numpy.asarray(columns), numpy.asarray(column_indices)
    for key, given in (("columns", local), ("column_indices", indices)):
        if given.dtype.kind not in "iu" or given.ndim != 1:
            _daptor._invalid_argument(
                key, f"an array of {given.dtype} with {given.ndim} dimensions",
                "integers in one dimension")
    return _daptor._global_columns(numpy.ascontiguousarray(local, "int64"),
                                   numpy.ascontiguousarray(indices, "int64"))


@builder
def csr_from_rows(values: Any, columns: Any, row_lengths: Any, global_columns: int, comm: Any, *,
                  index_base: int = 0, column_indices: Any = None) -> CsrArrays:
    """A matrix of the rows that the ranks have, in their order. Collective over `comm`; no copy.

    values          this rank's entries, row after row: a buffer (NumPy array) of one dimension
    columns         the global column of each entry, in any order within a row
    row_lengths     the number of entries of each of this rank's rows, which may be 0
    global_columns  number of columns of the matrix
    comm            a communicator of mpi4py or petsc4py
    index_base      the number from which `columns` and the offsets count: 0 or 1
    column_indices  the global column of each local number, if `columns` are local numbers, counted
                    from 0 (MatrixCSR of DOLFINx, Epetra, hypre); the global columns are then new
                    memory. None: `columns` are global

    The matrix has values and columns in the memory of these buffers, and offsets in memory of its
    own. Integers have 4 or 8 bytes.

    Raises on all ranks: Malformed if lengths do not fit the entries (`csr.row-lengths`), a column
    is not in `column_indices` (`csr.local-column`), or the rows do not make a matrix
    (`csr.column-range`, ...); InvalidArgument if only some ranks give `column_indices`.

        A = daptor.csr_from_rows(values, columns, numpy.array([2, 3]), 5, comm)
    """
    if not _same(comm, "column_indices", column_indices is None):
        columns = _daptor.agreed(comm, lambda: _global_columns(columns, column_indices))
    entries = block(values, comm)
    entry_columns = block(columns, comm)
    lengths = block(row_lengths, comm)
    offsets = _daptor._csr_offsets(entries, entry_columns, lengths, global_columns, index_base)
    return CsrArrays(entries, entry_columns, offsets, global_columns, index_base)


def align_rows(matrix: CsrArrays) -> CsrArrays:
    """Copies a matrix whose rows lie on several ranks to one with each row on one. Collective.

    matrix  arrays in blocks over the ranks, such as evenly divided ones; each row goes to the rank
            that has its offset

    Returns a matrix on new memory, with the same shape, types, index base and division of the
    offsets. Raises on all ranks: Malformed if the arrays do not make a matrix.
    """
    return CsrArrays(*_daptor._align_rows(matrix))
