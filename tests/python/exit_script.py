# SPDX-License-Identifier: BSD-3-Clause
"""Ends with arrays alive. Exit status 0, and nothing on stderr.

    mpirun -n N python3 exit_script.py globals|cycle|finalized|thread|daemon|begun|petsc|
        petsc_finalized
"""

import sys
import threading
import time

import numpy
from mpi4py import MPI

import daptor

comm = MPI.COMM_WORLD
values = numpy.zeros(4)
kept = daptor.block(values, comm)
halo = daptor.HaloExchange(kept)
way = daptor.Redistribution(kept, kept.like(daptor.layout.natural()))
way.run()
view = memoryview(kept)
capsule = kept.__daptor_array__()
dlpack = kept.__dlpack__()


class Tensor:
    """Memory of NumPy's that is given by DLPack alone."""

    def __dlpack__(self):
        return numpy.zeros(3).__dlpack__()


tensor = daptor.block(Tensor(), comm)
module_kept = kept
sys.modules["kept"] = kept
daptor.kept = kept


class Cycle:
    def __distarray__(self):
        return kept.__distarray__()


if sys.argv[1] == "cycle":
    cycle = Cycle()
    cycle.array = daptor.import_(cycle, comm)
    cycle.self = cycle
elif sys.argv[1] == "finalized":
    MPI.Finalize()
    try:
        daptor.validate(kept)
    except daptor.Finalized:
        pass
    else:
        sys.exit("no error after MPI_Finalize")
    other = kept.as_readonly()
    for call in (way.run, way.run_back, lambda: daptor.redistribute(other, kept),
                 lambda: kept.redistributed(daptor.layout.natural()),
                 lambda: daptor.bytes_to_redistribute(other, kept)):
        try:
            call()
        except daptor.Finalized:
            continue
        sys.exit("no error of a redistribution after MPI_Finalize")
    for call in (lambda: daptor.explain(kept), lambda: daptor.HaloExchange(kept)):
        try:
            call()
        except daptor.Finalized:
            continue
        sys.exit("no error of another call after MPI_Finalize")
    assert memoryview(kept)[0] == 0.0
elif sys.argv[1] == "thread":
    threading.Thread(target=lambda: (time.sleep(0.2), kept.__distarray__())).start()
elif sys.argv[1] == "daemon":
    def modify_for_ever():
        """Spends most of its time without the lock, which it does not get back when Python ends."""
        while True:
            kept.modified()

    threading.Thread(target=modify_for_ever, daemon=True).start()
    time.sleep(0.2)
elif sys.argv[1] == "begun":
    columns = daptor.block(numpy.ones((3, 1000 * comm.size)), comm)
    copy = columns.like(daptor.layout.slab(1))
    begun = daptor.Redistribution(columns, copy)
    begun.begin()
elif sys.argv[1] == "petsc":
    from petsc4py import PETSc

    vec = kept.to_petsc()
    exported = daptor.export(PETSc.Vec().createMPI((3, PETSc.DECIDE), comm=comm))
    shown = memoryview(exported)
    grid = kept.to_dmda(no_dof=True)
    vec.setAttr("kept", kept)
elif sys.argv[1] == "petsc_finalized":
    from petsc4py import PETSc

    whole = PETSc.Vec().createMPI((3, PETSc.DECIDE), comm=comm)
    dense = PETSc.Mat().createDense((3, 3), comm=comm)
    PETSc._finalize()
    for export, thing in ((daptor.export, whole), (daptor.export, dense),
                          (daptor.export_csr, dense)):
        try:
            export(thing)
        except daptor.Finalized:
            continue
        sys.exit("no error after PetscFinalize")
