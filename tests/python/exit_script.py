"""Ends with arrays alive. Exit status 0, and nothing on stderr.

    mpirun -n N python3 exit_script.py globals|cycle|finalized|thread|petsc
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
view = memoryview(kept)
capsule = kept.__daptor_array__()
dlpack = kept.__dlpack__()
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
    assert memoryview(kept)[0] == 0.0
elif sys.argv[1] == "thread":
    threading.Thread(target=lambda: (time.sleep(0.2), kept.__distarray__())).start()
elif sys.argv[1] == "petsc":
    from petsc4py import PETSc

    vec = kept.to_petsc()
    exported = daptor.export(PETSc.Vec().createMPI((3, PETSc.DECIDE), comm=comm))
    shown = memoryview(exported)
    grid = kept.to_dmda(no_dof=True)
    vec.setAttr("kept", kept)
