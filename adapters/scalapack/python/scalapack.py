# SPDX-License-Identifier: BSD-3-Clause
"""Matrices of ScaLAPACK on the memory of distributed arrays, and back.

    from daptor import scalapack
    grid = scalapack.Grid(comm)                   # near-square
    A = scalapack.import_matrix(a, grid)          # a daptor.Array in blocks; no copy
    scalapack.call("pdgetrf", n, n, A, pivots)    # ScaLAPACK works in the memory of NumPy
    b = scalapack.export_matrix(desc, memory, comm)      # somebody's matrix, proven
    T = scalapack.copy_to_matrix(rows, grid)      # from any layout
    scalapack.copy_from_matrix(T, rows)           # and back

ScaLAPACK is called by ctypes, in the library that Daptor itself is linked to.
"""

from __future__ import annotations

import ctypes
import operator
from dataclasses import dataclass
from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy

from . import _scalapack
from ._daptor import Array, _add_python_call, _invalid_argument
from ._scalapack import Grid

__all__ = ["Grid", "Matrix", "call", "copy_from_matrix", "copy_to_matrix", "export_matrix",
           "export_submatrix", "import_matrix", "library", "transposed"]

_add_python_call("scalapack.matrix", "daptor.scalapack.import_matrix(a, grid)",
                 "daptor.scalapack.copy_to_matrix", "a, grid")


@dataclass(frozen=True, eq=False)
class Matrix:
    """What the routines of ScaLAPACK take: made by import_matrix() and copy_to_matrix().

    array         the daptor.Array whose memory this is; None outside of the grid
    grid          the Grid
    desc          nine integers, a read-only NumPy array of int32; desc[1], the context, is -1
                  outside of the grid, where no routine is to be called
    local_shape   rows and columns of this process's part

    Keeps the memory and the grid alive.
    """
    array: Optional[Array]
    grid: Grid
    desc: "numpy.ndarray[Any, Any]"
    local_shape: Tuple[int, int]

    @property
    def inside(self) -> bool:
        """Whether this process has a part in the grid."""
        return self.array is not None

    @property
    def shape(self) -> Tuple[int, int]:
        """Global numbers of rows and columns; (0, 0) outside of the grid for an import."""
        return int(self.desc[2]), int(self.desc[3])

    @property
    def blocks(self) -> Tuple[int, int]:
        """Rows and columns of a block: MB_ and NB_."""
        return int(self.desc[4]), int(self.desc[5])

    @property
    def leading_dimension(self) -> int:
        """The distance between columns, in elements: LLD_."""
        return int(self.desc[8])

    @property
    def data(self) -> "numpy.ndarray[Any, Any]":
        """This process's part as a NumPy array on the memory of the matrix. Process-local.

        Its first element is the address that routines take. Raises Stale if the memory is no longer
        the one that was described.
        """
        if self.array is None:
            return numpy.empty((0, 0), order="F")
        section: "numpy.ndarray[Any, Any]" = numpy.asarray(self.array)[self.array.owned_slices]
        return section if section.ndim == 2 else section[:, numpy.newaxis]

    def modified(self) -> None:
        """Call this after a write that call() has not made. Logically collective over the grid."""
        if self.array is not None:
            self.array.modified()


def _matrix(grid: Grid, parts: _scalapack.Parts) -> Matrix:
    array, numbers, rows, columns = parts
    desc = numpy.array(numbers, dtype=numpy.int32)
    desc.flags.writeable = False
    return Matrix(array, grid, desc, (rows, columns))


def import_matrix(array: Array, grid: Grid, *, readonly: bool = False) -> Matrix:
    """The array as a matrix of ScaLAPACK on its own memory: nothing is copied.

    array     described on the processes of the grid; None will do outside of it
    grid      on which every process is where its section is, as Grid.of(array)
    readonly  for routines that only read; the array may then be read-only

    Collective over the processes of the grid. Memory is column-major (Fortran order): of an array
    in C order import transposed(array), the transposed matrix.

    Raises on all ranks: NotRepresentable, with all reasons (`scalapack.matrix.*`); InvalidArgument
    if processes are elsewhere on the grid (`scalapack.grid.position`), and for arguments of a wrong
    type; Malformed if the sections do not form one array.
    """
    return _matrix(grid, _scalapack.import_matrix(array, grid, readonly=readonly))


def transposed(array: Array) -> Array:
    """The transposed matrix on the same memory: dimensions and strides swapped. Process-local.

    An array in C order becomes one in Fortran order, on the transposed grid:
    Grid.of(transposed(a)). Solving with the array itself is then solving with trans = "T". Raises
    NotRepresentable for an array of other than two dimensions.
    """
    return _scalapack.transposed(array)


def export_matrix(desc: Sequence[int], memory: Any, comm: Any) -> Array:
    """Somebody's matrix as an array on the same memory. Collective over `comm`.

    desc    nine integers of a dense matrix
    memory  this process's part: a NumPy array (or another buffer) of one dimension, or of rows and
            columns in Fortran order, LLD_ apart; an empty one where there are no elements. It is
            read-only in the result if it is here
    comm    the processes of the descriptor's context, in any order

    Every entry is judged on all processes and compared between them. The Array keeps `memory`.

    Raises on all ranks: Malformed with all that is wrong on the lowest rank at fault
    (`scalapack.desc.*`), Unsupported for a descriptor of another kind (`scalapack.desc.type`),
    NotRepresentable for elements that ScaLAPACK does not have, InvalidArgument for arguments of a
    wrong type and for memory of another order.
    """
    return _scalapack.export_matrix(desc, memory, comm, part=None)


def export_submatrix(desc: Sequence[int], memory: Any, part: Sequence[int], comm: Any) -> Array:
    """A part of somebody's matrix, as routines take it. Collective over `comm`; no copy.

    part  (IA, JA, rows, columns); IA and JA count from 1. It begins with a block, lies within one,
          or is along a dimension that one process has
    desc, memory, comm
          of the whole matrix, as for export_matrix()

    Raises as export_matrix(), and on all ranks NotRepresentable for other parts
    (`scalapack.submatrix.blocks`) and InvalidArgument for one that is not within the matrix.
    """
    if part is None:
        part = ()
    return _scalapack.export_matrix(desc, memory, comm, part=part)


def copy_to_matrix(array: Array, grid: Grid, blocks: Union[int, Tuple[int, int]] = 64, *,
                   dtype: Any = None, convert: bool = False, read_from_any: bool = False) -> Matrix:
    """A copy of an array of any layout, in blocks dealt to the grid. Collective over grid.comm.

    array          described on all processes of grid.comm; one dimension becomes one column
    blocks         rows and columns of a block, or one number for both
    dtype          element type; None: the array's own. Another one needs `convert`
    convert, read_from_any
                   as for daptor.redistribute

    The copy has memory of its own, which lives as long as the Matrix or an array on it. Processes
    outside of the grid give their part and get none. The way back is copy_from_matrix().

    Raises on all ranks: NotRepresentable for an array of other than one or two dimensions, and for
    element types that ScaLAPACK does not have; InvalidArgument for blocks without rows or columns
    or that differ between ranks; the errors of daptor.redistribute.
    """
    pair = blocks if isinstance(blocks, (tuple, list)) and len(blocks) == 2 else (blocks, blocks)
    return _matrix(grid, _scalapack.copy_to_matrix(
        array, grid, row_block=pair[0], column_block=pair[1], dtype=dtype, convert=convert,
        read_from_any=read_from_any))


def copy_from_matrix(matrix: Matrix, array: Array, *, convert: bool = False,
                     fill_padding: bool = False) -> None:
    """Copies the matrix into an array of any layout. Collective over matrix.grid.comm.

    array  described on all processes of the communicator; of the same shape, or of one dimension
           for one column

    Options and errors as for daptor.redistribute.
    """
    _scalapack.copy_from_matrix(getattr(matrix, "array", None), getattr(matrix, "grid", None),
                                array, convert=convert, fill_padding=fill_padding)


def library() -> ctypes.CDLL:
    """The ScaLAPACK that Daptor is linked to, for calls of your own by ctypes. Process-local."""
    return _LIBRARY


# Functions are looked up in the module's dependencies too, of which ScaLAPACK is one: no other copy
# of the library can be met, whose BLACS would not know the contexts.
_LIBRARY = ctypes.CDLL(_scalapack.__file__)

_TYPES = {"s": "float32", "d": "float64", "c": "complex64", "z": "complex128", "i": "int32"}
# Of complex elements, with a real result.
_REAL_OF_COMPLEX = ("pdzasum", "pdznrm2", "pdzsum1", "pscasum", "pscnrm2", "pscsum1")


def _types_of(routine: str) -> List[str]:
    """The element types that the name of a routine speaks of: pdgesv, pdznrm2, pigemr2d."""
    letters = routine[1:3] if routine in _REAL_OF_COMPLEX else routine[1:2]
    return [_TYPES[letter] for letter in letters if letter in _TYPES] if routine[:1] == "p" else []


def _pointer(array: "numpy.ndarray[Any, Any]", types: List[str], routine: str) -> ctypes.c_void_p:
    reals = [numpy.empty(0, each).real.dtype.name for each in types]
    if types and array.dtype.name not in types + reals + ["int32"]:
        _invalid_argument("arguments", f"a NumPy array of {array.dtype.name}",
                          f"elements of {routine}: {', '.join([*types, 'int32'])}")
    if not array.flags.forc or not array.flags.aligned:
        _invalid_argument("arguments", "a NumPy array with gaps", "contiguous memory")
    if not array.flags.writeable and not (array.dtype == "int32" and array.size == 9):
        _invalid_argument("arguments", "a read-only NumPy array",
                          "memory that the routine may write to; pass a copy otherwise")
    return ctypes.c_void_p(array.ctypes.data)


def _number(value: Any, types: List[str], routine: str) -> "numpy.ndarray[Any, Any]":
    """A number in memory, whose address routines take."""
    if hasattr(value, "__index__"):
        whole = operator.index(value)
        if not -2**31 <= whole < 2**31:
            _invalid_argument("arguments", str(whole), "an integer of 32 bits")
        return numpy.array([whole], "int32")
    if not isinstance(value, (float, complex, numpy.number)) or not types:
        _invalid_argument("arguments", f"a value of type {type(value).__name__}",
                          "a Matrix, a NumPy array, a number or a string")
    if isinstance(value, (complex, numpy.complexfloating)) and "complex" not in types[-1]:
        _invalid_argument("arguments", "a complex number", f"a number of {routine}: {types[-1]}")
    return numpy.array([value], types[-1])


def call(routine: str, *arguments: Any) -> None:
    """Calls a subroutine of ScaLAPACK or the PBLAS, by its name in small letters.

    arguments  a Matrix stands for four arguments: its memory, row 1, column 1, its descriptor. An
               integer is passed as a 32-bit one, another number as an element of the routine's
               type; strings and NumPy arrays (of that type, or int32 for pivots) as their memory,
               which must be writable unless it is a descriptor. INFO, the last argument of most
               routines, is left out

    Collective over the grid as the routine is; does nothing on a process outside of it. Afterwards
    the memory of all matrices counts as modified, except those imported with `readonly`, which the
    routine must not write to.

    Raises on this rank alone: LibraryFailed if INFO is not 0 (ScaLAPACK gives all processes the
    same positive one), and before anything is called InvalidArgument for a routine that the library
    does not have, and for a Matrix of other elements than the routine's. Numbers and order of the
    arguments are not checked.

        pivots = numpy.zeros(A.local_shape[0] + A.blocks[0], "int32")
        scalapack.call("pdgesv", n, 1, A, pivots, B)       # n, right-hand sides, A, pivots, B
    """
    if not isinstance(routine, str) or not hasattr(_LIBRARY, routine + "_"):
        _invalid_argument("routine", str(routine), "a subroutine of ScaLAPACK, as 'pdgesv'")
    matrices = [each for each in arguments if isinstance(each, Matrix)]
    if not all(matrix.inside for matrix in matrices):
        return
    types = _types_of(routine)
    kept: List[Any] = []  # alive until the routine returns
    passed: List[Any] = []
    lengths: List[Any] = []
    for each in arguments:
        if isinstance(each, str):
            kept.append(each.encode())
            passed.append(ctypes.c_char_p(kept[-1]))
            lengths.append(ctypes.c_size_t(len(kept[-1])))  # as Fortran compilers have it
        elif isinstance(each, Matrix):
            part = each.data
            if types and part.dtype.name not in types:
                _invalid_argument("arguments", f"a Matrix of {part.dtype.name}",
                                  f"elements of {routine}: {', '.join(types)}")
            one = _number(1, types, routine)
            kept += [part, one]
            passed += [ctypes.c_void_p(part.ctypes.data), *2 * [_pointer(one, [], routine)],
                       _pointer(each.desc, [], routine)]
        else:
            array = each if isinstance(each, numpy.ndarray) else _number(each, types, routine)
            kept.append(array)
            passed.append(_pointer(array, types, routine))
    info = ctypes.c_int(0)
    function = getattr(_LIBRARY, routine + "_")
    function(*passed, ctypes.byref(info), *lengths)
    for matrix in matrices:
        if matrix.array is not None and not matrix.array.readonly:
            matrix.modified()
    if info.value != 0:
        _scalapack.failed(routine, info.value)
