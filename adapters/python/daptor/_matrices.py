# SPDX-License-Identifier: BSD-3-Clause
"""Matrices of petsc4py: dense ones as one array, sparse ones as three."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Tuple

from . import _with_petsc
from ._daptor import Array


def to_dense(self: Array) -> Any:
    """The array as a dense petsc4py Mat on its memory. Collective over the array's communicator.

    The slowest varying dimension, which must be undistributed, is the columns, all others together
    the rows (of a Fortran-ordered array with dimensions (rows, columns) just these).

    The Mat keeps the producer's memory alive until PETSc destroys it, as the Vec of to_petsc().
    After PETSc has written the memory call modified() on all ranks. Raises, on all ranks,
    NotRepresentable (`petsc.dense.columns`, `petsc.dense.readonly`, ...), never copies.
    """
    return _with_petsc.call("to_dense", "Array.to_dense", self)


@dataclass(frozen=True)
class CsrArrays:
    """A sparse matrix in compressed rows, as three one-dimensional arrays of one communicator.

    values          the entries, row after row; a block over the ranks
    columns         their global columns, divided as `values`; increasing within a row
    offsets         the position of the first entry of each row, and at the end, on any rank, the
                    number of all entries; a row is on the rank that has its offset
    global_columns  how many columns the matrix has
    index_base      what columns and positions count from: 0, or 1 as in Fortran
    """
    values: Array
    columns: Array
    offsets: Array
    global_columns: int
    index_base: int = 0

    @property
    def shape(self) -> Tuple[int, int]:
        """Global rows and columns."""
        return self.offsets.shape[0] - 1, self.global_columns

    def to_petsc(self, *, copy: bool = False) -> Any:
        """A petsc4py Mat of type AIJ. Collective.

        copy  False: a Mat on the memory of `values`, which PETSc has only where each row's columns
              are on the rank of the row, as on one rank; True: a Mat of its own, for any matrix

        Raises, on all ranks, Malformed (`csr.monotone`, ...) where the arrays do not make one
        matrix, NotRepresentable (`csr.split`, `csr.scalar-type`, ...).
        """
        return _with_petsc.call(
            "csr_to_petsc", "CsrArrays.to_petsc", self.values, self.columns, self.offsets,
            global_columns=self.global_columns, index_base=self.index_base, copy=copy)


def export_csr(mat: Any, *, copy: bool = False) -> CsrArrays:
    """Describes a petsc4py Mat of type AIJ as three arrays, from 0. Collective.

    copy  False: the Mat's own memory, values writable, which PETSc has in one piece only on one
          rank; True: a copy, in new memory, for any Mat of that type

    Raises, on all ranks, NotRepresentable (`csr.split`, `csr.type`), InvalidArgument for a Mat that
    is not assembled, and for a `copy` that is no truth value or differs between ranks.
    On this rank alone: InvalidArgument for
    what is no Mat or was destroyed, Finalized after PetscFinalize.
    """
    values, columns, offsets, global_columns = _with_petsc.required().export_csr(mat, copy=copy)
    return CsrArrays(values, columns, offsets, global_columns)
