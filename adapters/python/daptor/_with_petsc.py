"""Distributed arrays as petsc4py objects and back, on the same memory.

What is asked for PETSc's objects imports petsc4py, which starts PETSc, where the program has not:
import it before, and call petsc4py.init, to give it options. The compiled part is loaded at the
first use.
"""

from __future__ import annotations

import operator
import os
import sys
from functools import partial
from types import ModuleType
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from ._bindings import agreed_over, binding, require_everywhere, require_same
from ._daptor import Array, _invalid_argument, _libraries
from ._errors import Finalized, ProducerFailed
from ._starting import with_petsc4py

_WITHOUT = "this daptor was built without PETSc or petsc4py"


def required() -> ModuleType:
    """The compiled part. Raises ImportError where it was not built. Process-local."""
    module = binding("_petsc")
    if module is None:
        raise ImportError(_WITHOUT)
    return module


def _flag(key: str, value: Any) -> bool:
    if not hasattr(type(value), "__bool__"):
        _invalid_argument(key, repr(value), "True or False")
    return bool(value)


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str):
        _invalid_argument(key, repr(value), "a string")
    return str(value)


def _optional_text(key: str, value: Any) -> Optional[str]:
    return None if value is None else _text(key, value)


def _integer(key: str, value: Any, bits: int = 64) -> int:
    if not hasattr(type(value), "__index__"):
        _invalid_argument(key, repr(value), "an integer")
    number = operator.index(value)
    if not -1 << (bits - 1) <= number < 1 << (bits - 1):
        _invalid_argument(key, str(number), f"an integer of {bits} bits")
    return number


def _small(key: str, value: Any) -> int:
    return _integer(key, value, 32)


def _local_size(key: str, value: Any) -> Optional[int]:
    petsc = sys.modules.get("petsc4py.PETSc")
    bits = 32 if petsc is None else 8 * petsc.IntType(0).itemsize
    return None if value is None else _integer(key, value, bits)


def _grid(key: str, value: Any) -> Optional[List[int]]:
    return None if value is None else [_integer(key, ranks) for ranks in value]


_CONVERTERS: Dict[str, Callable[[str, Any], Any]] = {
    "stencil": _text, "vector": _text, "boundary": _optional_text, "stencil_width": _small,
    "local_size": _local_size, "grid": _grid, "global_columns": _integer,
    "index_base": _integer}  # others are flags


def call(name: str, array: Array, *others: Array, same: str = "", **options: Any) -> Any:
    """A function of the compiled part. Collective over the array's communicator.

    same  the option that decides between functions that communicate otherwise

    Raises, on all ranks, ImportError where the compiled part is absent on any, InvalidArgument for
    options of other types, and where that option is not the same.
    """
    def prepared() -> Tuple[ModuleType, Dict[str, Any]]:
        return required(), {key: _CONVERTERS.get(key, _flag)(key, value)
                            for key, value in options.items()}

    try:
        petsc, converted = agreed_over(array, prepared)
    except ProducerFailed as error:
        require_everywhere(array.comm, "_petsc", binding("_petsc"))
        if binding("_petsc") is None:
            raise ImportError(_WITHOUT) from error
        raise
    if same:
        require_same(array.comm, same, int(converted[same]))
    return with_petsc4py(array, partial(getattr(petsc, name), array, *others, **converted))


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


def require_alive(key: str, thing: Any) -> None:
    """Raises, on this rank alone, for an object of petsc4py that PETSc no longer has."""
    petsc = sys.modules.get("petsc4py.PETSc")
    if petsc is None or not isinstance(thing, petsc.Object):
        return
    if petsc.Sys.isFinalized():
        raise Finalized("PETSc has been finalized")
    if not thing:
        _invalid_argument(key, "an object that was destroyed or never made", "one that exists")


def communicator(thing: Any) -> Any:
    """One of mpi4py with the same processes as an object of petsc4py."""
    from mpi4py import MPI
    inner = thing.getComm().tompi4py()
    for comm in (MPI.COMM_WORLD, MPI.COMM_SELF):
        if MPI.Comm.Compare(inner, comm) in (MPI.IDENT, MPI.CONGRUENT):
            return comm
    return inner


def _whole(vec: Any, dm: Any, flat: bool) -> Any:
    """What has the ranks of the Array that export() makes: a local vector is one rank's alone."""
    if dm is None and not flat and hasattr(vec, "query"):
        behind = vec.query("__PETSc_dm")  # as Vec.getDM(), which takes a reference too many away
        if behind and behind.getType() == "da":
            return behind
    return vec if dm is None else dm


def _ranks_of_export(vec: Any, dm: Any, flat: bool) -> Tuple[Any, bool]:
    """The communicator of the Array that export() makes, and whether `vec` is on fewer ranks.

    No exception's traceback may refer to the DMDA: it would go on one rank later than on others.
    """
    comm = communicator(_whole(vec, dm, flat))
    return comm, hasattr(vec, "query") and vec.getComm().getSize() < comm.size


def _agree_on_export(vec: Any, dm: Any, *flags: bool) -> None:
    """Collective over the communicator of what is exported: all ranks ask for the same."""
    if not all(hasattr(thing, "getComm") for thing in (vec, vec if dm is None else dm)):
        return  # the compiled part refuses it
    comm, local = _ranks_of_export(vec, dm, flags[0])
    kinds = ("getDenseArray", "createGlobalVec")
    parts = [hasattr(vec, kind) for kind in kinds]
    parts += [dm is not None, local, *flags]
    require_same(comm, "options",
                 sum(bool(part) << place for place, part in enumerate(parts)))


def export(vec: Any, dm: Any = None, *, flat: bool = False, readonly: bool = False,
           padded: bool = False, ghosts: bool = False) -> Array:
    """Describes a petsc4py Vec of type seq, mpi or shared, or a dense Mat. Collective; no copy.

    vec       a Vec; one that a DMDA has made, global or local, is described as the DMDA's n-d
              block. Or a DMDA, for a new Vec of it, of zeros, that the Array alone holds. Or a Mat
              of type seqdense or mpidense: rows a block, columns undistributed, Fortran order
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
    InvalidArgument for a Vec that is not the DMDA's and where the ranks ask for different things.
    On this rank alone, as there is no communicator: InvalidArgument for what is no Vec and for an
    object that was destroyed, Finalized after PetscFinalize.
    """
    petsc = required()
    require_alive("vec", vec)
    require_alive("dm", dm)
    _agree_on_export(vec, dm, flat, readonly, padded, ghosts)
    if hasattr(vec, "getDenseArray"):
        dense: Array = petsc.export_dense(vec, readonly=readonly)
        return dense
    if hasattr(vec, "createGlobalVec"):
        dm = vec
        vec = dm.createLocalVec() if padded else dm.createGlobalVec()
        try:
            made: Array = petsc.export(vec, None if flat else dm, flat=flat, readonly=readonly)
        finally:
            vec.destroy()  # the Array has a reference of its own
        return made
    if padded:
        _invalid_argument("padded", "True for a Vec", "a DMDA: a Vec is what it is")
    if ghosts and dm is not None:
        _invalid_argument("ghosts", "True together with dm", "one of them")
    array: Array = petsc.export(vec, dm, flat=flat, ghosts=ghosts, readonly=readonly)
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
    return call("to_vec", self, same="padded", padded=padded, flat=flat, readonly=readonly,
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
    return call("to_dmda", self, stencil=stencil, stencil_width=stencil_width, boundary=boundary,
                no_dof=no_dof, allow_reorder=allow_reorder, readonly=readonly,
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
    return call("copy_to_vec", self, same="padded", padded=padded, local_size=local_size, flat=flat,
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
    return call("copy_to_dmda", self, vector=vector, grid=grid, stencil=stencil,
                stencil_width=stencil_width, no_dof=no_dof, allow_reorder=allow_reorder,
                read_from_any=read_from_any, convert=convert)
