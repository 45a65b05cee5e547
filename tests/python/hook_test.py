# SPDX-License-Identifier: BSD-3-Clause
"""end_job_on_exception: an exception on one rank ends the job, with or without petsc4py.

    python3 hook_test.py mpirun=COMMAND
"""

import subprocess
import sys

settings = dict(argument.split("=", 1) for argument in sys.argv[1:])
PROGRAM = """
import sys
from mpi4py import MPI
import daptor
if "petsc4py" in sys.argv:
    from petsc4py import PETSc
if "hook" in sys.argv:
    def no_hook(*error): raise RuntimeError("no hook")
    sys.excepthook = no_hook
daptor.end_job_on_exception()
if MPI.COMM_WORLD.rank == 1:
    if "closed" in sys.argv:
        sys.stdout.close()
    if "odd" in sys.argv:
        sys.stderr = object()
    raise ValueError("on one rank")
MPI.COMM_WORLD.Barrier()
"""


def works(module):
    return subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True,
                          check=False).returncode == 0


for argument in ["", "closed", "odd", "hook"] + ["petsc4py"] * works("petsc4py"):
    done = subprocess.run(
        settings["mpirun"].split(";") + [sys.executable, "-c", PROGRAM, argument],
        capture_output=True, text=True, check=False)
    assert done.returncode not in (0, 124), (argument, done)
    assert argument == "odd" or "ValueError: on one rank" in done.stderr, (argument, done)
