# SPDX-License-Identifier: BSD-3-Clause
"""The plug-in for pytest, from outside: a failure on one rank is one on all, and names the rank.

    python3 pytest_test.py mpirun=COMMAND part=verdicts|departures
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

settings = dict(argument.split("=", 1) for argument in sys.argv[1:])

TESTS = {
    "good": """
import pytest
def test_good(comm, conforms):
    import numpy, daptor
    conforms(lambda comm: daptor.block(numpy.zeros(3), comm))
    assert comm.size == 3
def test_file(comm, shared_tmp_path, tmp_path):
    import daptor, pytest
    assert comm.allgather(shared_tmp_path) == [shared_tmp_path] * 3
    (shared_tmp_path / str(comm.rank)).touch()
    comm.Barrier()
    assert len(list(shared_tmp_path.iterdir())) == 3
    hdf5 = pytest.importorskip("daptor.hdf5")
    with pytest.raises(daptor.InvalidArgument, match="take the fixture shared_tmp_path"):
        hdf5.save(daptor.ones((3,), comm), tmp_path / "a.h5", "u")
@pytest.mark.parametrize("of", ["a/b", "c"])
def test_another_file(shared_tmp_path, of):
    assert not list(shared_tmp_path.glob("*"))
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
    "talks": """
import numpy, daptor
class Talks:
    def __init__(self, comm):
        self.comm, self.u = comm, numpy.zeros(3)
    def __distarray__(self):
        self.comm.Barrier()
        return {"__version__": "0.9.0", "buffer": self.u, "dim_data": ({
            "dist_type": "b", "size": 9, "proc_grid_size": 3, "proc_grid_rank": self.comm.rank,
            "start": 3 * self.comm.rank, "stop": 3 * self.comm.rank + 3},)}
def test_talks(conforms):
    conforms(Talks)
""",
    "sound": """
import pytest
pytest.importorskip("daptor._petsc")
from petsc4py import PETSc
def mat(skipped=None):
    made = PETSc.Mat().createAIJ(((2, None), (2, None)), nnz=1)
    for row in range(*made.getOwnershipRange()):
        if row != skipped: made.setValue(row, row, 1.0)
    made.assemble()
    return made
def vec(comm, value):
    x = PETSc.Vec().createMPI((2, None))
    x.array[1] = value if comm.rank == 2 else 1.0
    return x
def test_right(comm, sound):
    sound(mat())
    sound(vec(comm, 1.0))
def test_wrong(comm, sound): sound(vec(comm, float("inf")))
def test_not_read(comm, sound): sound(vec(comm, float("inf")), values=False)
def test_warned(sound): sound(mat(3))
def test_strict(sound): sound(mat(3), strict=True)
""",
    "hangs": """
def test_hang(comm):
    assert comm.rank != 1
    comm.Barrier()
""",
    "raises_alone": """
def test_raise(comm):
    if comm.rank == 1:
        print("printed before")
        raise RuntimeError("on one rank")
    comm.Barrier()
""",
    "hangs_after_failure": """
def test_first(comm): assert comm.rank != 0, "of rank zero"
def test_second(comm):
    if comm.rank == 2: raise RuntimeError("on one rank")
    comm.Barrier()
""",
    "two_leave": """
import sys, time
def test_first(comm): assert comm.rank != 0, "of rank zero"
def exchange(comm): comm.Barrier()
def test_second(comm):
    if comm.rank == 1: sys.exit("out of the test")
    if comm.rank == 2:
        time.sleep(0.3)
        raise ValueError("a little later")
    exchange(comm)
""",
    "crashes": """
import os, signal, time
def test_first(comm): assert comm.rank != 0, "of rank zero"
def test_child(comm):
    child = os.fork()
    if child == 0: time.sleep(60)
    os.kill(child, signal.SIGTERM)
    assert os.waitpid(child, 0)[1] == signal.SIGTERM
def test_second(comm):
    if comm.rank == 1: os.kill(os.getpid(), signal.SIGKILL)
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
    "counts": """
import pytest
@pytest.fixture(scope="session")
def shared(comm):
    yield comm.size
@pytest.fixture
def broken_teardown(comm):
    yield
    assert comm.rank != 1, "torn down"
@pytest.fixture
def skips(comm):
    if comm.rank == 2: pytest.skip("not here")
def test_both(shared, comm, broken_teardown): assert comm.rank != 1
def test_good(comm): comm.Barrier()
@pytest.mark.xfail(strict=True)
def test_strict(comm): assert comm.rank != 1
def test_skipped_on_one(comm, skips):
    assert comm.rank == 1
def test_not_reached(comm): comm.Barrier()
""",
    "skips": """
import pytest
def test_skip(comm):
    if comm.rank == 1: pytest.skip("not here")
def test_mark(comm):
    comm.Split(int(comm.rank != 1)).Barrier()
@pytest.mark.skip
def test_nowhere(comm): pass
@pytest.mark.xfail
def test_expected(comm):
    assert comm.rank != 1
def test_all(comm): comm.Barrier()
""",
    "skips_alone": """
import pytest
def test_skip(comm):
    if comm.rank == 1: pytest.skip("not here")
    comm.Barrier()
""",
    "exits": """
import pytest
def test_all(comm): pytest.exit("all of us", returncode=7)
""",
    "exits_alone": """
import pytest
@pytest.fixture(autouse=True)
def together(comm):
    yield
    comm.Barrier()
def test_all(comm):
    if comm.rank == 1: pytest.exit("enough")
    comm.Barrier()
""",
    "good_with_bad_conftest": "def test_all(comm): comm.Barrier()",
    "good_with_bad_hook": "def test_all(comm): comm.Barrier()",
}
CONFTESTS = {
    "good_with_bad_conftest": """
from mpi4py import MPI
if MPI.COMM_WORLD.rank == 1:
    raise RuntimeError("conftest on one rank")
""",
    "good_with_bad_hook": """
from mpi4py import MPI
def pytest_runtest_logstart(nodeid):
    if MPI.COMM_WORLD.rank == 1:
        raise RuntimeError("hook on one rank")
""",
}


# Sessions whose ranks get some seconds from Open MPI, by default 1, to print what they have to.
SLOWLY_ENDED = ("hangs", "two_leave", "crashes")
PATIENT = "sigkill_timeout" in settings["mpirun"]  # not from Open MPI 5 on: a rank may be too slow


def session(name, *options):
    """Runs a session on three ranks."""
    mpirun = settings["mpirun"]
    if name in SLOWLY_ENDED:
        mpirun = mpirun.replace("sigkill_timeout;0", "sigkill_timeout;4")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / f"{name}_test.py"
        file.write_text(TESTS[name], encoding="utf-8")
        if name in CONFTESTS:
            (pathlib.Path(folder) / "conftest.py").write_text(CONFTESTS[name], encoding="utf-8")
        return subprocess.run(
            mpirun.split(";") +
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p",
             "daptor.pytest_plugin", "--color=no", "--mpi-patience=1", *options,
             str(file)],
            capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


# The sessions that all ranks end, and those that a rank leaves.
SESSIONS = {
    "verdicts": [("good", "--setup-show"), ("sound",), ("talks",), ("one_fails",),
                 ("does_not_conform",), ("others",), ("one_cannot_collect",),
                 ("counts", "--maxfail=3"), ("skips",), ("skips", "--setup-only"), ("exits",)],
    "departures": [("hangs",), ("raises_alone",), ("hangs_after_failure",)],
    "ends": [("two_leave",), ("crashes",), ("interrupted",)],
    "alone": [("skips_alone",), ("exits_alone",), ("good_with_bad_conftest",),
              ("good_with_bad_hook",)]}[settings["part"]]
ALL = "DAPTOR_TEST_ALL_ROUNDS" in os.environ
if ALL and settings["part"] == "verdicts":
    SESSIONS += [("counts", "--maxfail=2"), ("counts", "--maxfail=4")]
# They mostly wait, so three of them run at a time, from the start.
pool = concurrent.futures.ThreadPoolExecutor(3)
sessions = {of: pool.submit(session, *of) for of in SESSIONS}


def run(name, *options):
    """Returns the exit status and the output of this session."""
    done = sessions[(name, *options)].result()
    print(f"== {name}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    assert done.returncode != 124, "time is over"
    return done.returncode, done.stdout, done.stderr


def check(condition):
    assert condition


def verdicts():
    """What all ranks report, and how the session then ends."""
    status, out, err = run("good", "--setup-show")
    check(status == 0 and re.search("4 passed|3 passed, 1 skipped", out) and "[rank" not in err)
    check(out.count("SETUP    S comm") == 1)
    check("NotChecked" in out and "the elements have no labels" in out)

    status, out, err = run("talks")
    check(status == 1 and "Talks communicates in __distarray__" in out and "MPI_Barrier" in out)

    status, out, err = run("sound")
    if "1 skipped" not in out:
        check(status == 1 and "2 failed, 3 passed, 1 warning" in out)
        check(all(re.search(rf"FAILED \S*sound_test.py::{name}\b", out)
                  for name in ("test_wrong", "test_strict")))
        check("daptor.check finds:\ncheck.vec.not-finite error, rank 2, 'Vec'" in out)
        check(out.count("check.mat.empty-row warning, rank 1, 'Mat'") == 2)

    status, out, err = run("one_fails")
    check(status == 1 and "failed on rank 1" in out and "failed on rank 2" in out)
    check("of rank one" in out and "not set up" in out and "1 failed, 1 passed, 1 error" in out)
    check("[rank 1]" in err and "[rank 2]" in err and "[rank 0]" not in err)

    status, out, err = run("does_not_conform")
    check(status == 1 and "T03" in out and "1 failed" in out)

    status, out, err = run("others")
    check(status == 2 and "rank 1 has collected other tests" in out)

    status, out, err = run("one_cannot_collect")
    check(status == 2 and "rank 2 could not collect" in out and "on import" in out)

    # However often a test fails on one rank, the others stop at the same one.
    for most, summary in ((2, "1 failed, 1 error"), (3, "2 failed, 1 passed, 1 error"),
                          (4, "3 failed, 1 passed, 1 error")):
        if most != 3 and not ALL:
            continue
        status, out, err = run("counts", f"--maxfail={most}")
        check(status == 1 and f"= {summary} in" in out and f"stopping after {most} failures" in out)

    status, out, err = run("skips")
    check(status == 0 and "3 passed, 1 skipped, 1 xpassed" in out)

    status, out, err = run("exits")
    check(status == 7 and "all of us" in out and "[rank" not in err)

    status, out, err = run("skips", "--setup-only")
    check(status == 0)


def departures():
    """A rank that the others wait for in vain says why, and the session ends."""
    status, out, err = run("hangs")
    check(status != 0 and "others do not come back" in err and "[rank 1]" in err)
    if PATIENT:
        check(err.count("hangs_test.py::test_hang (call) is ended here:") == 2)
        check("[rank 2]     comm.Barrier()" in err and "_pytest" not in err)
    check("[rank 1]   File" not in err)

    status, out, err = run("raises_alone")
    check(status != 0 and "RuntimeError: on one rank" in err and "printed before" in err)
    check("raise RuntimeError" in err and "others do not come back" in err)

    # The report of rank 0, with the earlier failure, never comes.
    status, out, err = run("hangs_after_failure")
    check(status != 0 and "RuntimeError: on one rank" in err)
    check("test_first failed on rank 0" in err and "of rank zero" in err)


def ends():
    """Ranks that are ended before their own patience say where they were."""
    status, out, err = run("two_leave")
    check(status != 0 and "[rank 1] E       SystemExit: out of the test" in err)
    check(err.count("test_first failed on rank 0") == 1)
    if PATIENT:
        check("[rank 2] E           ValueError: a little later" in err)
        check(", in exchange\n[rank 0]     def exchange(comm): comm.Barrier()" in err)

    status, out, err = run("crashes")
    check(status != 0 and "test_child" not in err)
    if PATIENT:
        check("of rank zero" in err and err.count("test_second (call) is ended here") == 2)

    status, out, err = run("interrupted")
    check(status != 0 and "KeyboardInterrupt: by hand" in err)


def alone():
    """Something on one rank alone ends the session."""
    status, out, err = run("skips_alone")
    check(status != 0 and "was skipped here, and others do not come back" in err)
    check("Skipped: not here" in err)

    status, out, err = run("exits_alone")
    check(status != 0 and "[rank 1] Exit: enough; the other ranks go on" in err)

    status, out, err = run("good_with_bad_conftest")
    check(status != 0 and "conftest on one rank" in err and "the other ranks go on" in err)

    status, out, err = run("good_with_bad_hook")
    check(status != 0 and "hook on one rank" in err and "[rank 1] an internal error" in err)


PARTS = {"verdicts": verdicts, "departures": departures, "ends": ends, "alone": alone}
PARTS[settings["part"]]()
