# SPDX-License-Identifier: BSD-3-Clause
"""Distributed arrays as petsc4py objects and back, on the same memory.

What is asked for PETSc's objects imports petsc4py, which starts PETSc, where the program has not:
import it before, and call petsc4py.init, to give it options. The compiled part is loaded at the
first use.
"""

from __future__ import annotations

import os
from functools import partial
from types import ModuleType
from typing import Any, Optional, Sequence

from . import _daptor
from ._bindings import binding, modules_everywhere
from ._daptor import Array, _libraries
from ._starting import with_petsc4py

_WITHOUT = "this daptor was built without PETSc or petsc4py"

# What explain() names.
_daptor._add_python_call("petsc.vec", "a.to_petsc()", "a.copy_to_petsc")
_daptor._add_python_call("petsc.local-vec", "a.to_petsc(padded=True)", "a.copy_to_petsc",
                         "padded=True")
_daptor._add_python_call("petsc.dmda", "a.to_dmda().global_vec", "a.copy_to_dmda",
                         "vector='global'")
_daptor._add_python_call("petsc.dmda-local", "a.to_dmda().local_vec", "a.copy_to_dmda")
_daptor._add_python_call("petsc.dense", "a.to_dense()")


def required() -> ModuleType:
    """The compiled part. Raises ImportError where it was not built. Process-local."""
    module = binding("_petsc")
    if module is None:
        raise ImportError(_WITHOUT)
    return module


def call(name: str, public: str, array: Any, *others: Any, **options: Any) -> Any:
    """A function of the compiled part, which users know as `public`. Collective over the array's
    communicator.

    Raises, on all ranks, ImportError where the compiled part is absent on any. The arguments are
    judged by the compiled part, where all ranks hear of what is wrong with them.
    """
    known = next((each for each in (array, *others) if isinstance(each, Array)), array)
    with _daptor._Call(known, public):
        (petsc,) = modules_everywhere(known, "_petsc")
        if petsc is None:
            raise ImportError(_WITHOUT)
        return with_petsc4py(known, partial(getattr(petsc, name), array, *others, **options))


def petsc_plugin() -> str:
    """The path of the plug-in that brings MueLu and Ifpack2 into PETSc. Process-local.

        petsc4py.init(sys.argv + ["-dll_append", daptor.petsc_plugin()])
        ksp.pc.setType("muelu")

    Raises FileNotFoundError where this daptor was built without PETSc or Trilinos.
    """
    package = os.path.dirname(os.path.abspath(__file__))
    for folder in (_libraries, os.path.join("..", "..", "lib")):  # installed, or in a build
        path = os.path.normpath(os.path.join(package, folder, "libdaptor_pc.so"))
        if os.path.exists(path):
            return path
    raise FileNotFoundError("this daptor was built without the PETSc plug-in, libdaptor_pc.so")


def export(vec: Any, dm: Any = None, *, flat: bool = False, readonly: bool = False,
           padded: bool = False, ghosts: bool = False) -> Array:
    """Describes a petsc4py Vec of type seq, mpi or shared, or a dense Mat. Collective; no copy.

    vec       a Vec; one that a DMDA has made, global or local, is described as the DMDA's n-d
              block. Or a DMDA: then a new Vec of it, of zeros, is made, which the Array alone
              holds. Or a Mat of type seqdense or mpidense: rows a block, columns undistributed,
              Fortran order
    dm        the DMDA that `vec` belongs to, where PETSc does not know it
    flat      describe a DMDA's Vec in its own numbering too, as any other
    readonly  a description that is not writable
    padded    of a DMDA a local Vec, with its stencil points, in place of a global one
    ghosts    of a ghosted Vec (createGhost) its local form: owned values, then ghosts, as an
              unstructured dimension that says how many are owned, in the Vec's own numbering

    A DMDA's array has PETSc's x last (C order), and a trailing undistributed dimension for more
    than one degree of freedom; stencil points of a local Vec are communication padding, and those
    outside of the grid (DM_BOUNDARY_GHOSTED, MIRROR) boundary padding. Any other Vec is one block
    dimension, and one of its block size. What to_petsc() or to_dmda() has made is described as the
    array that it was made of, where that says the same.

    The Array holds a reference of the Vec, never an open array. numpy.asarray(a) and leases raise
    (BufferError, Stale) where Vec.placeArray has changed the memory since. A write through NumPy is
    nobody's lease: use `with a.write() as u:`, or call a.modified() on all ranks after it.

    Raises, on all ranks, NotRepresentable for Vecs of other types or in device memory,
    InvalidArgument for a Vec that is not the DMDA's, for arguments of a wrong type and where the
    ranks ask for different things.
    On this rank alone, as nothing says who the others are: InvalidArgument for what is no Vec, DMDA
    or Mat and for one that was destroyed, without a `dm` that exists; Finalized after
    PetscFinalize.
    """
    array: Array = required().export(vec, dm, flat=flat, readonly=readonly, padded=padded,
                                     ghosts=ghosts)
    return array


def to_petsc(self: Array, *, padded: bool = False, flat: bool = False, readonly: bool = False,
             trust_readonly: bool = False, allow_overlap: bool = False,
             local_to_global: bool = False, ghosts: bool = False) -> Any:
    """The array as a petsc4py Vec on its memory. Collective over the array's communicator.

    padded           the whole section, padding included, as a sequential Vec, instead of the owned
                     part as a Vec of all ranks
    flat             block size 1 also where the fastest varying dimension is undistributed
    readonly         a Vec locked for reading although the array is writable
    trust_readonly   read-only memory also where this PETSc does not enforce its locks: you promise
                     that nobody writes it
    allow_overlap    unstructured indices may be on several ranks
    local_to_global  with a local-to-global mapping, for setValuesLocal
    ghosts           a ghosted Vec, of an unstructured array that says how many indices are owned:
                     Vec.ghostUpdate works in the array's memory, Vec.localForm() is all of it. Each
                     ghost gets the number that it has at its owner, rank after rank

    The Vec keeps the producer's memory alive until PETSc destroys it: Vec.destroy() does, on all
    ranks. One that Python alone has collected waits for PETSc.garbage_cleanup(comm), as petsc4py's
    objects do. After PETSc has written the memory (set, KSP.solve), call modified() on all ranks.

    Raises, on all ranks, NotRepresentable where PETSc cannot use the memory as it is (another
    element type, gaps, padding in between, read-only memory), never copies; Malformed, with
    `ghosts`, where an index is owned twice or by nobody; InvalidArgument where the options differ
    between ranks. Imports petsc4py where the program has not; raises, on all ranks,
    InvalidArgument where some ranks have, or where the array is not on all ranks of
    MPI.COMM_WORLD, and ImportError where it is not installed.
    """
    return call("to_vec", "Array.to_petsc", self, padded=padded, flat=flat, readonly=readonly,
                trust_readonly=trust_readonly, allow_overlap=allow_overlap,
                local_to_global=local_to_global, ghosts=ghosts)


def to_dmda(self: Array, *, stencil: str = "box", stencil_width: int = 0,
            boundary: Optional[str] = None, no_dof: bool = False, allow_reorder: bool = False,
            readonly: bool = False, trust_readonly: bool = False) -> Any:
    """An n-d block array as a petsc4py DMDA with its vectors on the array's memory. Collective.

    stencil         "box", or "star": update_padding() then leaves corners out
    stencil_width   of an array without communication padding; else the padding's width counts, on
                    one rank too, where no edge shows the padding that was asked for
    boundary        what boundary padding is: "grid", points like others, or "ghosted", points
                    outside of the grid, which is then the interior (DM_BOUNDARY_GHOSTED: the ghost
                    cells of a stencil code at the ends of its domain). None: as it was in the DMDA
                    that the array was exported of; "grid" for any other array
    no_dof          a trailing undistributed dimension is a dimension of the grid, not dof
    allow_reorder   accept ranks that are not in PETSc's order, on a communicator of the DMDA's own
    readonly, trust_readonly
                    as to_petsc()

    Returns an object with `dm`, `local_vec`, `global_vec` and `update_padding()`, to be closed on
    all ranks: by a `with` block or by close().

    local_vec is the whole section, padding included. A padded section has no global_vec in its
    place, as a solver wants one: the values are copied into a global Vec and back,

        b = g.dm.createGlobalVec()
        daptor.redistribute(a, daptor.export(b))    # fills b; g.dm is what b belongs to
        daptor.redistribute(daptor.export(b), a)    # and back

    With boundary padding outside of the grid that is g.dm.localToGlobal(g.local_vec, b), and
    g.dm.globalToLocal(b, g.local_vec).

    Raises, on all ranks, NotRepresentable where a DMDA cannot be that (an empty rank, unequal
    widths, more than three dimensions, cyclic, ...), and as to_petsc().
    """
    return call("to_dmda", "Array.to_dmda", self, stencil=stencil, stencil_width=stencil_width,
                boundary=boundary, no_dof=no_dof, allow_reorder=allow_reorder, readonly=readonly,
                trust_readonly=trust_readonly)


def copy_to_petsc(self: Array, *, padded: bool = False, local_size: Optional[int] = None,
                  flat: bool = False, read_from_any: bool = False, convert: bool = False) -> Any:
    """A copy of the array as a petsc4py Vec on new memory, in natural ordering. Collective.

    padded         each rank's section, padding filled, as a sequential Vec in C order
    local_size     elements of this rank; None, on all ranks: as PETSc divides them
    flat           block size 1 also where the last dimension is undistributed
    read_from_any  unstructured indices may be on several ranks, with the same value
    convert        element types may differ as NumPy's same_kind casting allows

    Any distribution, order, strides and padding of the array will do; elements come in row-major
    order of their global indices. The memory lives as long as the Vec. The way back:

        daptor.redistribute(daptor.export(x), a)

    Raises, on all ranks, NotRepresentable for another element type without `convert`;
    InvalidArgument as Redistribution, for options that differ between ranks and, as to_petsc(),
    where petsc4py cannot be imported now.
    """
    return call("copy_to_vec", "Array.copy_to_petsc", self, padded=padded,
                local_size=local_size, flat=flat,
                read_from_any=read_from_any, convert=convert)


def copy_to_dmda(self: Array, *, vector: str = "local", grid: Optional[Sequence[int]] = None,
                 stencil: str = "box", stencil_width: int = 0, no_dof: bool = False,
                 allow_reorder: bool = False, read_from_any: bool = False,
                 convert: bool = False) -> Any:
    """A copy of an array of one to three dimensions as a petsc4py DMDA on new memory. Collective.

    vector         which vector lies on the copy's memory: "local", ghost points filled, or "global"
    grid           processes along each grid dimension of the array, 0: to be chosen; None: those
                   whose blocks have the least surface
    stencil, no_dof, allow_reorder
                   as to_dmda()
    stencil_width  0: the widest communication padding that the array has
    read_from_any, convert
                   as copy_to_petsc()

    Returns what to_dmda() returns; its `array` describes the copy, and the way back is
    daptor.redistribute(grid.array, a). Raises, on all ranks, NotRepresentable where no grid gives
    each rank as many points as the stencil is wide, and as copy_to_petsc().
    """
    return call("copy_to_dmda", "Array.copy_to_dmda", self, vector=vector, grid=grid,
                stencil=stencil,
                stencil_width=stencil_width, no_dof=no_dof, allow_reorder=allow_reorder,
                read_from_any=read_from_any, convert=convert)
