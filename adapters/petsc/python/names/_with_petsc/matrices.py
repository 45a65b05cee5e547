# SPDX-License-Identifier: BSD-3-Clause
"""Matrices, dense ones and those in three arrays, as those of petsc4py and back."""

from __future__ import annotations

from typing import Any

from .._arrays.csr import CsrArrays
from .._bindings import method_of
from .._daptor import Array
from .compiled import call, required


@method_of(Array)
def to_dense(self: Array, *, mat_type: str = "dense") -> Any:
    """The array as a dense petsc4py Mat on its memory. Collective over the array's communicator.

    mat_type  "dense": the slowest varying dimension, which must be undistributed (None in the
              grid of a builder) or, in Fortran order, on one process, becomes the columns of the
              Mat; all other dimensions together become its rows. A Fortran-ordered array with
              dimensions (rows, columns) is a Mat with these rows and columns.
              "scalapack": rows and columns in blocks that are dealt to a grid of ranks in row-major
              order, from process 0 on, in Fortran order without gaps. PETSc demands that
              ceil(size / ranks) rows and columns for each rank leave only the last one with fewer
              (`petsc.scalapack.sizes`), and has one grid for all Mats of this type on a
              communicator

    The Mat keeps the producer's memory alive until PETSc destroys it, like the Vec of to_petsc().
    After PETSc has written to the memory, call modified() on all ranks. Never copies.

    Raises on all ranks: NotRepresentable if PETSc cannot use the memory as it is
    (`petsc.dense.columns`, `petsc.dense.readonly`, `petsc.scalapack.origin`, ...); InvalidArgument
    if `mat_type` is neither of the two or differs between ranks.
    """
    return call("to_dense", "Array.to_dense", self, mat_type=mat_type)


@method_of(CsrArrays)
def _to_petsc(self: CsrArrays, *, copy: bool = False) -> Any:
    """A petsc4py Mat of type AIJ. Collective.

    copy  False: a Mat on the memory of `values`, which is possible if the columns of each row
          are on the rank of the row, as always on one rank. True: a Mat on new memory, for any
          matrix

    Raises on all ranks: Malformed if the arrays do not make one matrix (`csr.monotone`, ...);
    NotRepresentable if PETSc cannot hold it (`csr.split`, `csr.type`, ...).
    """
    return call(
        "csr_to_petsc", "CsrArrays.to_petsc", self.values, self.columns, self.offsets,
        global_columns=self.global_columns, index_base=self.index_base, copy=copy)


def export_csr(mat: Any, *, copy: bool = False) -> CsrArrays:
    """Describes a petsc4py Mat of type AIJ as three arrays with index base 0. Collective.

    copy  False: on the Mat's own memory, with writable values; PETSc has it in one piece on one
          rank only. True: on new memory, for any Mat of type AIJ

    Raises on all ranks: NotRepresentable (`csr.split`, `csr.kind`); InvalidArgument for a Mat that
    is not assembled, and if `copy` is not a bool or differs between ranks. Raises on this rank
    alone: InvalidArgument for an object that is no Mat or was destroyed; Finalized after
    PetscFinalize.
    """
    values, columns, offsets, global_columns = required().export_csr(mat, copy=copy)
    return CsrArrays(values, columns, offsets, global_columns)
