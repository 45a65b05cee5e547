"""The plug-in for pytest, seen from outside: what fails on one rank fails on all, and is named.

    python3 pytest_test.py mpirun=COMMAND
"""

import pathlib
import subprocess
import sys
import tempfile

settings = dict(argument.split("=", 1) for argument in sys.argv[1:])

TESTS = {
    "good": """
def test_good(comm, conforms):
    import numpy, daptor
    conforms(lambda comm: daptor.block(numpy.zeros(3), comm))
    assert comm.size == 3
""",
    "one_fails": """
import pytest
@pytest.fixture
def broken(comm):
    assert comm.rank != 2, "not set up"
def test_one(comm):
    assert comm.rank != 1, "of rank one"
def test_two(broken):
    pass
def test_three(comm):
    assert comm.allreduce(1) == comm.size
""",
    "does_not_conform": """
def test_wrong(conforms):
    conforms(lambda comm: {"__version__": "0.9.0"})
""",
    "hangs": """
def test_hang(comm):
    assert comm.rank != 1
    comm.Barrier()
""",
    "others": """
from mpi4py import MPI
if MPI.COMM_WORLD.rank == 1:
    def test_extra(): pass
def test_all(comm): comm.Barrier()
""",
    "one_cannot_collect": """
from mpi4py import MPI
if MPI.COMM_WORLD.rank == 2:
    raise ValueError("on import")
def test_all(comm): comm.Barrier()
""",
    "interrupted": """
def test_all(comm):
    if comm.rank == 2: raise KeyboardInterrupt("by hand")
    comm.Barrier()
""",
}


def run(name):
    """Exit status and text of a session on three ranks."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / f"{name}_test.py"
        file.write_text(TESTS[name], encoding="utf-8")
        done = subprocess.run(
            settings["mpirun"].split(";") +
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p",
             "daptor.pytest_plugin", "--color=no", "--mpi-patience=1", str(file)],
            capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    print(f"== {name}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    assert done.returncode != 124, "time is over"
    return done.returncode, done.stdout, done.stderr


def check(condition):
    assert condition


status, out, err = run("good")
check(status == 0 and "1 passed" in out and "[rank" not in err)

status, out, err = run("one_fails")
check(status == 1 and "failed on rank 1" in out and "failed on rank 2" in out)
check("of rank one" in out and "not set up" in out and "3 passed, 2 errors" in out)
check("[rank 1]" in err and "[rank 2]" in err and "[rank 0]" not in err)

status, out, err = run("does_not_conform")
check(status == 1 and "T03" in out and "1 failed" in out)

status, out, err = run("hangs")
check(status != 0 and "others do not come back" in err and "[rank 1]" in err)

status, out, err = run("others")
check(status == 2 and "rank 1 has collected other tests" in out)

status, out, err = run("one_cannot_collect")
check(status == 2 and "rank 2 could not collect" in out)

status, out, err = run("interrupted")
check(status != 0 and "KeyboardInterrupt: by hand" in err)
