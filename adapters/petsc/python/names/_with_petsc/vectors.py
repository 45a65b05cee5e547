# SPDX-License-Identifier: BSD-3-Clause
"""Distributed arrays as petsc4py objects and back, on the same memory."""

from __future__ import annotations

from typing import Any, Optional, Sequence

from .._bindings import method_of
from .._daptor import Array
from .compiled import call, required
from .matrices import export_csr


def export(vec: Any, dm: Any = None, *, flat: bool = False, readonly: bool = False,
           padded: bool = False, ghosts: bool = False) -> Array:
    """Describes a petsc4py Vec of type seq, mpi or shared, or a dense Mat. Collective; no copy.

    vec       a Vec; a global or local Vec of a DMDA is described as the DMDA's n-d block. Or a
              DMDA: then the Array owns a new global Vec of zeros. Or a Mat of type seqdense or
              mpidense: rows in blocks, columns undistributed, Fortran order. Or a Mat of type
              scalapack: both dimensions block-cyclic
    dm        the DMDA that `vec` belongs to, if PETSc does not know it
    flat      describe a Vec of a DMDA like any other, in its own numbering
    readonly  make the description read-only
    padded    for a DMDA: make a local Vec, with its ghost points, instead of a global one
    ghosts    for a ghosted Vec (createGhost): describe its local form, owned values followed by
              ghosts, as an unstructured dimension that says how many are owned, in the Vec's own
              numbering

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
    array: Array = required().export(vec, dm, flat=flat, readonly=readonly, padded=padded,
                                     ghosts=ghosts)
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
def to_petsc(self: Array, *, padded: bool = False, flat: bool = False, readonly: bool = False,
             trust_readonly: bool = False, allow_overlap: bool = False,
             local_to_global: bool = False, ghosts: bool = False,
             interior: bool = False) -> Any:
    """The array as a petsc4py Vec on its memory. Collective over the array's communicator.

    padded           the whole section, including padding, as a sequential Vec, instead of the owned
                     part as a Vec on all ranks
    flat             block size 1 even if the fastest varying dimension is undistributed
    readonly         lock the Vec for reading although the array is writable
    trust_readonly   accept read-only memory even if this PETSc does not enforce its locks: you
                     promise that nobody writes to it
    allow_overlap    unstructured indices may be on several ranks
    local_to_global  with a local-to-global mapping, for setValuesLocal
    ghosts           a ghosted Vec, of an unstructured array that says how many indices are owned:
                     Vec.ghostUpdate works in the array's memory, and Vec.localForm() is all of it.
                     Each ghost gets the number that it has on its owner, counted rank after rank
    interior         the elements of a.shape alone. Otherwise boundary padding is part of the Vec,
                     which then has the elements of a.padded_shape

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
    return call("to_vec", "Array.to_petsc", self, padded=padded, flat=flat, readonly=readonly,
                trust_readonly=trust_readonly, allow_overlap=allow_overlap,
                local_to_global=local_to_global, ghosts=ghosts, interior=interior)


@method_of(Array)
def to_dmda(self: Array, *, stencil: str = "box", stencil_width: int = 0,
            boundary: Optional[str] = None, no_dof: bool = False, allow_reorder: bool = False,
            readonly: bool = False, trust_readonly: bool = False) -> Any:
    """An n-d block array as a petsc4py DMDA with its vectors on the array's memory. Collective.

    stencil         "box", or "star": update_padding() then leaves corners out
    stencil_width   for an array without communication padding; otherwise the width of the padding
                    is used, even on one rank, where no edge shows the requested padding
    boundary        how boundary padding is treated: "grid", as grid points like all others, so that
                    the grid has the points of a.padded_shape, or
                    "ghosted", as points outside the grid, which is then the interior
                    (DM_BOUNDARY_GHOSTED: the ghost cells of a stencil code at the ends of its
                    domain). None: as in the DMDA from which the array was exported; "grid" for any
                    other array
    no_dof          treat a trailing undistributed dimension (None in the grid of a builder) as a
                    grid dimension, not as dof
    allow_reorder   accept ranks that are not in PETSc's order; the DMDA then has a communicator of
                    its own
    readonly, trust_readonly
                    as to_petsc()

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
    return call("to_dmda", "Array.to_dmda", self, stencil=stencil, stencil_width=stencil_width,
                boundary=boundary, no_dof=no_dof, allow_reorder=allow_reorder, readonly=readonly,
                trust_readonly=trust_readonly)


@method_of(Array)
def copy_to_petsc(self: Array, *, padded: bool = False, local_size: Optional[int] = None,
                  flat: bool = False, read_from_any: bool = False, convert: bool = False,
                  interior: bool = False) -> Any:
    """A copy of the array as a petsc4py Vec on new memory, in natural ordering. Collective.

    padded         each rank's section, with its padding filled, as a sequential Vec in C order
    local_size     number of elements on this rank; None on all ranks: as PETSc divides them
    flat           block size 1 even if the last dimension is undistributed
    read_from_any  unstructured indices may be on several ranks, with the same value
    convert        element types may differ as NumPy's same_kind casting allows
    interior       the elements of a.shape alone. Otherwise boundary padding is copied too, and the
                   Vec has the elements of a.padded_shape

    The array may have any distribution, order, strides and padding; the elements of the Vec are in
    row-major order of their global indices. The memory lives as long as the Vec. The way back, the
    second line with `interior`:

        daptor.redistribute(daptor.export(x), a)
        daptor.redistribute(daptor.export(x), daptor.without_padding(a))

    Raises on all ranks: NotRepresentable for a different element type without `convert`;
    InvalidArgument as Redistribution, if options differ between ranks and, as to_petsc(), if
    petsc4py cannot be imported now.
    """
    return call("copy_to_vec", "Array.copy_to_petsc", self, padded=padded,
                local_size=local_size, flat=flat,
                read_from_any=read_from_any, convert=convert, interior=interior)


@method_of(Array)
def copy_to_dmda(self: Array, *, vector: str = "local", grid: Optional[Sequence[int]] = None,
                 stencil: str = "box", stencil_width: int = 0, no_dof: bool = False,
                 allow_reorder: bool = False, read_from_any: bool = False,
                 convert: bool = False, interior: bool = False) -> Any:
    """A copy of an array of one to three dimensions as a petsc4py DMDA on new memory. Collective.

    vector         the vector on the copy's memory: "local", with ghost points filled, or "global"
    grid           number of processes along each grid dimension of the array (0: chosen for you);
                   None: the grid whose blocks have the smallest surface
    stencil, no_dof, allow_reorder
                   as to_dmda()
    stencil_width  0: the largest width of the array's communication padding
    read_from_any, convert, interior
                   as copy_to_petsc()

    Returns what to_dmda() returns; its `array` describes the copy, and the way back is
    daptor.redistribute(grid.array, a). Raises on all ranks: NotRepresentable if no grid gives each
    rank as many points as the stencil width, and the errors of copy_to_petsc().
    """
    return call("copy_to_dmda", "Array.copy_to_dmda", self, vector=vector, grid=grid,
                stencil=stencil, stencil_width=stencil_width, no_dof=no_dof,
                allow_reorder=allow_reorder, read_from_any=read_from_any, convert=convert,
                interior=interior)
