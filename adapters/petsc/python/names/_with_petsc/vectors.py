# SPDX-License-Identifier: BSD-3-Clause
"""Distributed arrays as petsc4py objects and back, on the same memory."""

from __future__ import annotations

from typing import Any

from .._bindings import method_of
from .._daptor import Array
from .._showing.signatures import passes_options
from .compiled import call, required
from .matrices import export_csr


@passes_options("_petsc.export")
def export(vec: Any, dm: Any = None, **options: Any) -> Array:
    """Describes a petsc4py Vec of type seq, mpi or shared, or a dense Mat. Collective; no copy.

    vec       a Vec; a global or local Vec of a DMDA is described as the DMDA's n-d block. Or a
              DMDA: then the Array owns a new global Vec of zeros. Or a Mat of type seqdense or
              mpidense: rows in blocks, columns undistributed, Fortran order. Or a Mat of type
              scalapack: both dimensions block-cyclic
    dm        the DMDA that `vec` belongs to, if PETSc does not know it
    {options}

    A DMDA's array has PETSc's x as its last dimension (C order), followed by an undistributed
    dimension if there are several degrees of freedom; ghost points of a local Vec are communication
    padding, and those outside the grid (DM_BOUNDARY_GHOSTED, MIRROR) boundary padding. Any other
    Vec has one block dimension, and one for its block size. A result of to_petsc() or to_dmda() is
    described as the array from which it was made, if that describes the same layout.

    The Array holds a reference to the Vec, never an open array. numpy.asarray(a) and leases raise
    (BufferError, Stale) if Vec.placeArray has changed the memory since. No lease covers a write
    through NumPy: use `with a.write() as u:`, or call a.modified() on all ranks after the write.

    Raises on all ranks: NotRepresentable for Vecs of other types or in device memory;
    InvalidArgument for a Vec that does not belong to the DMDA, for arguments of a wrong type, and
    if the arguments differ between ranks. Raises on this rank alone, because the other ranks are
    unknown: InvalidArgument for an object that is no Vec, DMDA or Mat, or that was destroyed, if
    there is no valid `dm`; Finalized after PetscFinalize.
    """
    array: Array = required().export(vec, dm, **options)
    return array


def from_petsc(obj: Any, *, copy: bool = False) -> Any:
    """A petsc4py object as Daptor has it: the way back from to_petsc(). Collective.

    obj   a Vec, DMDA or dense Mat, of which export(obj) makes an Array on its memory; or a Mat of
          type AIJ, of which export_csr(obj, copy=copy) makes CsrArrays
    copy  for a Mat of type AIJ, which PETSc has in one piece on one rank only: on new memory

    export() has options for Vecs of DMDAs and with ghosts. Raises as export() and export_csr().
    """
    # PETSc ends the program if it is asked for the type of nothing.
    if type(obj).__name__ == "Mat" and obj and "aij" in str(obj.type):
        return export_csr(obj, copy=copy)
    return export(obj)


@method_of(Array)
@passes_options("_petsc.to_petsc")
def to_petsc(self: Array, **options: Any) -> Any:
    """The array as a petsc4py Vec on its memory. Collective over the array's communicator.

    {options}

    The Vec keeps the producer's memory alive until PETSc destroys it: Vec.destroy() does so, on
    all ranks. A Vec that only Python has collected waits for PETSc.garbage_cleanup(comm), like
    other petsc4py objects. After PETSc has written to the memory (set, KSP.solve),
    call modified() on all ranks.

    Raises on all ranks, and never copies: NotRepresentable if PETSc cannot use the memory as it is
    (another element type, gaps, padding in between, read-only memory); with `ghosts`, Malformed if
    an index has two owners or none; InvalidArgument if the options differ between ranks. Imports
    petsc4py if the program has not: raises on all ranks InvalidArgument if only some ranks have, or
    if the array is not on all ranks of MPI.COMM_WORLD, and ImportError if it is not installed.
    """
    return call("to_petsc", "Array.to_petsc", self, **options)


@method_of(Array)
@passes_options("_petsc.to_dmda")
def to_dmda(self: Array, **options: Any) -> Any:
    """An n-d block array as a petsc4py DMDA with its vectors on the array's memory. Collective.

    {options}

    Returns an object with `dm`, `local_vec`, `global_vec` and `update_padding()`, to be closed on
    all ranks: by a `with` block or by close().

    local_vec is the whole section, including padding. A padded section has no global_vec on its
    memory. If a solver needs one, copy the values to a global Vec and back:

        b = g.dm.createGlobalVec()
        daptor.redistribute(a, daptor.export(b))    # fills b, which belongs to g.dm
        daptor.redistribute(daptor.export(b), a)    # and back

    If boundary padding is outside the grid (boundary="ghosted"), copy what is inside:

        inner = daptor.without_padding(a)
        daptor.redistribute(inner, daptor.export(b))    # and back likewise

    (g.dm.localToGlobal raises if a dimension with one process is periodic.)

    Raises on all ranks: NotRepresentable if a DMDA cannot hold the array (an empty rank, unequal
    widths, more than three dimensions, cyclic, ...), and the errors of to_petsc().
    """
    return call("to_dmda", "Array.to_dmda", self, **options)


@method_of(Array)
@passes_options("_petsc.copy_to_petsc")
def copy_to_petsc(self: Array, **options: Any) -> Any:
    """A copy of the array as a petsc4py Vec on new memory, in natural ordering. Collective.

    {options}

    The array may have any distribution, order, strides and padding; the elements of the Vec are in
    row-major order of their global indices. The memory lives as long as the Vec. The way back, the
    second line with `interior`:

        daptor.redistribute(daptor.export(x), a)
        daptor.redistribute(daptor.export(x), daptor.without_padding(a))

    Raises on all ranks: NotRepresentable for a different element type without `convert`;
    InvalidArgument as Redistribution, if options differ between ranks and, as to_petsc(), if
    petsc4py cannot be imported now.
    """
    return call("copy_to_petsc", "Array.copy_to_petsc", self, **options)


@method_of(Array)
@passes_options("_petsc.copy_to_dmda")
def copy_to_dmda(self: Array, **options: Any) -> Any:
    """A copy of an array of one to three dimensions as a petsc4py DMDA on new memory. Collective.

    {options}

    Returns what to_dmda() returns; its `array` describes the copy, and the way back is
    daptor.redistribute(grid.array, a). Raises on all ranks: NotRepresentable if no grid gives each
    rank as many points as the stencil width, and the errors of copy_to_petsc().
    """
    return call("copy_to_dmda", "Array.copy_to_dmda", self, **options)
