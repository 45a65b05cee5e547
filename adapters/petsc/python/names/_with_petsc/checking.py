# SPDX-License-Identifier: BSD-3-Clause
"""What is wrong with objects of petsc4py that PETSc itself does not look at."""

from __future__ import annotations

import sys
from typing import Any

from .._bindings import CHECKS
from .._daptor import Report
from .._showing.signatures import passes_options
from .compiled import required

_CHECKED = ("Vec", "Mat", "DM", "SF", "Scatter", "KSP", "IS")


def _is_a(obj: Any, *names: str) -> bool:
    petsc4py = sys.modules.get("petsc4py.PETSc")
    return petsc4py is not None and isinstance(obj, tuple(getattr(petsc4py, n) for n in names))


@passes_options("_petsc.check")
def check(obj: Any, layout: Any = None, **options: Any) -> Report:
    """Looks for faults of a petsc4py object. Collective over its communicator; changes nothing.

        report = daptor.check(x)
        assert report, report

    obj     a Vec, Mat, DM, SF, Scatter, KSP or IS, or an LGMap; or a DTensor of torch, by itself
    layout  for an LGMap: the Vec, or the Mat with the rows, for which it is meant; the call is then
            collective over its communicator. An IS may have one, too, and is then looked at as a
            set of its elements or rows, each once. For a Scatter, Mat or DM: a pair (x, y) of
            Vecs, as of a scatter from x to y, y = A x, or from a global to a local Vec of a DMPlex,
            whose local sizes are then looked at, and nothing else
    {options}

    Returns the same Report on all ranks, true if there are only warnings or nothing. Its findings
    have rules `check....`, which docs/check-rules.md lists, and name ranks of the object's
    communicator; indices are PETSc's global ones unless the text says local. `key` is the class of
    the object. An object that is not set up yet has no findings.

    Raises on all ranks: InvalidArgument if classes or options differ between ranks, or if an object
    other than an IS, LGMap, Mat, DM or Scatter has a layout. Raises on this rank alone, because the
    other ranks are unknown: TypeError for an object of another class, InvalidArgument for one that
    was destroyed or never made, Finalized after PetscFinalize.
    """
    for known, checked in CHECKS:
        if known(obj):
            found: Report = checked(obj)
            return found
    if _is_a(obj, "LGMap"):
        if not _is_a(layout, "Vec", "Mat"):
            raise TypeError("daptor.check looks at an LGMap together with the Vec or Mat for which "
                            f"it is meant, not with a value of type {type(layout).__name__}")
    elif not _is_a(obj, *_CHECKED):
        raise TypeError("daptor.check looks at a Vec, Mat, DM, SF, Scatter, KSP or IS of petsc4py, "
                        "or at an LGMap together with its Vec or Mat, not at a value of type "
                        f"{type(obj).__name__}")
    elif layout is not None and _is_a(obj, "IS") and not _is_a(layout, "Vec", "Mat"):
        raise TypeError("daptor.check looks at an IS together with a Vec or Mat, not with a value "
                        f"of type {type(layout).__name__}")
    elif layout is not None and _is_a(obj, "SF", "Scatter", "Mat", "DM") and not (
            isinstance(layout, tuple) and len(layout) == 2
            and all(_is_a(vec, "Vec") for vec in layout)):
        raise TypeError("daptor.check looks at a Mat, DM or Scatter together with a pair of Vecs, "
                        f"(x, y), not with a value of type {type(layout).__name__}")
    report: Report = required().check(obj, layout, **options)
    return report


def check_ghosts(obj: Any, local_vec: Any = None, global_vec: Any = None) -> Report:
    """Finds ghosts of a petsc4py object that have not the values of their owners. Collective.

        report = daptor.check_ghosts(x)
        assert report, report               # was x.ghostUpdate(...) left out?
        daptor.check_ghosts(dm, l, g)       # was dm.globalToLocal(g, l)?

    obj         a Vec with ghosts, whose ghosts are compared with the owned values; or a DM
    local_vec   of a DM: the local Vec, all of whose values are compared
    global_vec  of a DM: the global Vec from which dm.globalToLocal would fill it

    Writes nothing. Not for ghosts that hold contributions which are still to be added to their
    owners. For an Array, and so for a function of DOLFINx (daptor.dolfinx.describe), there is
    daptor.stale_padding.

    Returns the same Report on all ranks: true if all values are right, otherwise with one finding,
    `check.ghosts.stale`, which names the ranks at fault, the first ghost with both values, how many
    there are, and the largest difference of all ranks. Raises on all ranks NotRepresentable for a
    Vec without ghosts, and InvalidArgument for Vecs that are not like those of the DM. Raises on
    this rank alone TypeError for an object of another class, InvalidArgument for one that was
    destroyed or never made, Finalized after PetscFinalize.
    """
    vecs = (local_vec, global_vec)
    if not (_is_a(obj, "Vec") and vecs == (None, None)) and not (
            _is_a(obj, "DM") and all(_is_a(vec, "Vec") for vec in vecs)):
        given = ", ".join(type(each).__name__ for each in (obj, *vecs) if each is not None)
        raise TypeError("daptor.check_ghosts looks at a Vec of petsc4py, or at a DM together with "
                        f"its local and its global Vec, not at ({given})")
    report: Report = required().check_ghosts(obj, *vecs)
    return report


class ValueWatch:
    """Remembers the values of a petsc4py Vec or Mat, to find what changes them without PETSc's
    knowledge.

        watch = daptor.ValueWatch(x)
        step(x)
        report = watch.look()  # check.vec.unnoticed-write

    PETSc goes on using norms of the former values, and preconditioners of the former matrix, after
    a write through an array of NumPy that was kept from `x.array`, or by another library that works
    on the same memory. Process-local: reads the values once, and keeps 8 bytes for each 1024 of
    them. Values of a Vec that is not of type seq, mpi or shared, and of a Mat that is not AIJ, are
    not watched. Raises TypeError for an object that is neither, InvalidArgument for one that was
    destroyed or never made.
    """

    def __init__(self, obj: Any) -> None:
        if not _is_a(obj, "Vec", "Mat"):
            raise TypeError("daptor.ValueWatch watches a Vec or Mat of petsc4py, not a value of "
                            f"type {type(obj).__name__}")
        self._watch = required().ValueWatch(obj)

    def look(self) -> Report:
        """Finds local values that have changed while the state of the object has not. Collective.

        Then remembers the present values, so that each change is found once. Returns the same
        Report on all ranks of its communicator. Raises InvalidArgument on all ranks if the object
        was destroyed or made anew on any, Finalized after PetscFinalize.
        """
        report: Report = self._watch.look()
        return report
