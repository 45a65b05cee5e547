# SPDX-License-Identifier: BSD-3-Clause
"""Matrices of ScaLAPACK, and calls of its routines."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Optional, Sequence, Tuple, Union

import numpy

from .. import _scalapack
from .._daptor import Array, _invalid_argument
from .._scalapack import Grid
from .arguments import Passed, passed_arguments, same_on_all


@dataclass(frozen=True, eq=False)
class Matrix:
    """What the routines of ScaLAPACK take: made by import_matrix() and copy_to_matrix().

    array         the daptor.Array whose memory this is; None outside of the grid
    grid          the Grid
    desc          nine integers, a read-only NumPy array of int32; desc[1], the context, is -1
                  outside of the grid, where no routine is to be called
    local_shape   rows and columns of this process's part
    copied        whether copy_to_matrix() has made it: call() is then collective over grid.comm

    Keeps the memory and the grid alive.
    """
    array: Optional[Array]
    grid: Grid
    desc: "numpy.ndarray[Any, Any]"
    local_shape: Tuple[int, int]
    copied: bool = False

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


def _matrix(grid: Grid, parts: Tuple[Any, ...], copied: bool) -> Matrix:
    array, numbers, rows, columns = parts
    desc = numpy.array(numbers, dtype=numpy.int32)
    desc.flags.writeable = False
    return Matrix(array, grid, desc, (rows, columns), copied)


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
    return _matrix(grid, _scalapack.import_matrix(array, grid, readonly=readonly), False)


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
        read_from_any=read_from_any), True)


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


def _prepared(routine: Any, arguments: Sequence[Any], positive: Any
              ) -> Tuple[Optional[Passed], str]:
    """What Fortran gets from this rank, None outside of a grid; and what is the same on all."""
    if not isinstance(routine, str) or not hasattr(_LIBRARY, routine + "_"):
        _invalid_argument("routine", str(routine), "a subroutine of ScaLAPACK, as 'pdgesv'")
    if positive not in ("error", "result"):
        _invalid_argument("positive", str(positive), '"error" or "result"')
    matrices = [each for each in arguments if isinstance(each, Matrix)]
    for matrix in matrices:
        _scalapack.require_one_communicator(matrices[0].grid, matrix.grid)
    signature, has_info = _scalapack.signature(routine)
    same = same_on_all(signature, arguments)
    if not all(matrix.inside for matrix in matrices):
        return None, same
    passed = passed_arguments(routine, signature, arguments, Matrix)
    if has_info:
        passed.add_array(numpy.zeros(1, "int32"))
    return passed, same


def _run(routine: str, passed: Passed) -> int:
    """Returns INFO; 0 of a routine without one."""
    getattr(_LIBRARY, routine + "_")(*passed.pointers, *passed.lengths)
    has_info = _scalapack.signature(routine)[1]
    return int(passed.kept[-1][0]) if has_info else 0


def call(routine: str, *arguments: Any, positive: str = "error") -> int:
    """Calls a subroutine of ScaLAPACK or the PBLAS, by its name in small letters. Returns INFO.

    arguments  a Matrix stands for four arguments: its memory, row 1, column 1, its descriptor.
               Integers, numbers (2 as well as 2.0) and strings are passed as what the routine
               reads, NumPy arrays as their memory: of the routine's element type, or of int32 for
               pivots; writable, unless it is a descriptor. INFO, the last argument of most
               routines, is left out
    positive   what a positive INFO counts as: "error", or "result" for routines that leave useful
               results then, as "pdsyevx"; the same on all ranks

    Checked for the routines that people use most: types and number of the arguments, the lengths of
    pivots and work space, and that letters and numbers are the same on all ranks; for those of the
    PBLAS, which would end the program, also letters and extents. To any other routine an int is
    passed as a 32-bit integer and a float as an element, so that 1.0 must be written where it reads
    an element.

    Collective over the processes of the grid or, if a Matrix is one of copy_to_matrix(), over
    grid.comm, with the processes outside of the grid: they call no routine, and get the same error.
    Afterwards the memory of all matrices counts as modified, except those imported with `readonly`,
    which the routine must not write to.

    Raises on all of these ranks: LibraryFailed if INFO is not 0 on one of them, with what it means;
    before anything is called, InvalidArgument for a routine that the library does not have, and for
    arguments that it would misread. A call without a Matrix raises on its rank alone.

        pivots = numpy.zeros(A.local_shape[0] + A.blocks[0], "int32")
        scalapack.call("pdgesv", n, 1, A, pivots, B)       # n, right-hand sides, A, pivots, B
    """
    matrices = [each for each in arguments if isinstance(each, Matrix)]
    if not matrices:
        passed, _ = _prepared(routine, arguments, positive)
        info = _run(routine, passed) if passed is not None else 0
        return _scalapack.end_call_alone(routine, info, positive)
    grid = matrices[0].grid
    outside_too = any(matrix.copied for matrix in matrices)
    if not outside_too and not grid.inside:
        return 0
    passed = _scalapack.begin_call(grid, outside_too, routine, str(positive),
                                   lambda: _prepared(routine, arguments, positive))
    info = 0
    try:
        if passed is not None:
            info = _run(routine, passed)
            for matrix in matrices:
                if matrix.array is not None and not matrix.array.readonly:
                    matrix.modified()
    finally:
        info = _scalapack.end_call(grid, outside_too, routine, info, positive)
    return info
