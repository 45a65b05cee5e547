# SPDX-License-Identifier: BSD-3-Clause
"""pytest on all ranks: mpirun -n 4 python3 -m pytest -p daptor.pytest_plugin

A test that fails on one rank fails on all of them, and rank 0's summary names the rank. This holds
for setup, call and teardown separately: if the setup fails on one rank, no rank calls the test. If
a rank has failed or skipped, and the others hang in a collective call that it never joined, it ends
the job after some time, and prints its traceback and the failures before it. The others print in
which lines they wait, as they do if a rank crashes or mpirun is interrupted. A rank that leaves the
session alone, by pytest.exit(), an internal error or a conftest.py that raises, ends the job in the
same way.

    def test_field(conforms):
        conforms(make_field)  # make_field(comm) returns a producer; fails with the report

    def test_matrix(sound):
        sound(assemble())     # a petsc4py object; fails with the report of daptor.check

    def test_norm(comm):      # MPI.COMM_WORLD
        assert norm(comm) == 1

    def test_file(shared_tmp_path):  # the same folder on all ranks; tmp_path differs
        daptor.hdf5.save(a, shared_tmp_path / "state.h5", "u")
"""

from __future__ import annotations

import array
import atexit
import os
import pathlib
import re
import sys
import tempfile
import time
from typing import Any, Callable, Dict, Generator, List, Optional

import pytest
from . import conformance  # before mpi4py, so that its wrappers see mpi4py's calls

from mpi4py import MPI
from . import _bindings, _daptor
from ._job.termination import main_thread_lines, print_when_terminated

pytest_plugins = _bindings.PYTEST_PLUGINS
_PATIENCE = 10.0
_NOT_OF_A_TEST = tuple(os.sep + part for part in ("_pytest" + os.sep, "pluggy" + os.sep)) + (
    "<frozen", os.path.join("pytest", "__main__.py"), os.path.join("bin", "pytest"), __file__)


class _Job:
    """State that the ranks share, from the start of the plug-in to the end of the process."""

    def __init__(self) -> None:
        self.ranks = MPI.COMM_WORLD.Dup()
        self.leaving = MPI.COMM_WORLD.Dup()  # leaving ranks must not meet ranks in a test
        self.patience = _PATIENCE
        self.regular = False  # the session has come to its end, or all ranks left it together
        self.uncollected: List[str] = []  # why files of tests could not be collected here
        self.untold: List[str] = []  # failures of rank 0, whose report comes at the session's end
        self.alone = ""  # why this rank waits for the others, which may never come
        self.told: Optional[pathlib.Path] = None  # exists once rank 0's failures are told
        self.with_rank_0 = False  # on the same machine, hence with the same files
        self.folder = ""  # rank 0's, of the session
        self.no_folder = ""  # why there is none
        self.numbers: Dict[str, int] = {}  # of the tests, by which their folders are named

    def marked(self, text: str) -> str:
        """The text with the rank before each line."""
        return "".join(f"[rank {self.ranks.rank}] {line}\n" for line in text.split("\n"))

    def say(self, text: str) -> None:
        """Prints text that rank 0's report does not contain."""
        print(self.marked(text), end="", file=sys.stderr, flush=True)

    def agree_on_mark(self) -> None:
        """Collective: chooses the file that exists once a rank has told rank 0's failures."""
        host, number = self.ranks.bcast((MPI.Get_processor_name(), os.getpid()))
        self.told = pathlib.Path(tempfile.gettempdir(), f"daptor-pytest-{number}")
        self.with_rank_0 = host == MPI.Get_processor_name()
        self.forget()  # of a job that had no time for it

    def agree_on_folder(self, session: Any) -> None:
        """Collective: rank 0's folder for files of the tests, which its pytest removes later."""
        folder = why = ""
        if self.ranks.rank == 0:
            factory = getattr(session.config, "_tmp_path_factory", None)
            try:
                folder = str(factory.getbasetemp() if factory is not None
                             else tempfile.mkdtemp(prefix="daptor-pytest-"))
            except OSError as error:
                why = f"rank 0 can make no temporary folder: {error}"
        self.folder, self.no_folder = self.ranks.bcast((folder, why))
        self.numbers = {item.nodeid: number for number, item in enumerate(session.items)}

    def earlier(self) -> List[str]:
        """Rank 0's failures, unless another rank of this machine has told them."""
        if self.untold and self.told is not None and self.with_rank_0:
            try:
                self.told.touch(exist_ok=False)
            except OSError:
                return []
        return self.untold

    def tell(self, alone: str) -> None:
        """Prints all that is lost if the job ends here."""
        self.alone = ""
        for text in [*self.earlier(), alone]:
            self.say(text)
        self.forget()

    def forget(self) -> None:
        """Removes the file on rank 0."""
        if self.ranks.rank == 0 and self.told is not None and self.told.exists():
            self.told.unlink()

    def at_termination(self) -> str:
        """What is left to print if this process is ended from outside."""
        texts = list(self.earlier()) if self.ranks.rank == 0 else []
        self.forget()
        test = os.environ.get("PYTEST_CURRENT_TEST")
        lines = main_thread_lines(_NOT_OF_A_TEST)
        if self.alone:
            texts.append(self.alone)
        elif test and lines:
            texts.append(f"{test} is ended here:\n{lines}")
        return "".join(map(self.marked, texts))

    def meet(self, comm: Any, alone: str, failed: bool = False) -> bool:
        """Returns when all ranks have called it: whether one of them has failed.

        alone  if not empty, the job ends with this message when the others do not come in time
        """
        self.alone = alone
        somewhere = array.array("i", [failed])
        request = comm.Iallreduce(MPI.IN_PLACE, somewhere, MPI.MAX)
        deadline = time.monotonic() + self.patience
        pause = 2e-5  # the others mostly come soon, and every test waits for them a few times
        while not request.Test():
            time.sleep(pause)
            pause = min(2 * pause, 1e-3)
            if alone and time.monotonic() > deadline:
                self.tell(alone)
                MPI.COMM_WORLD.Abort(2)
        self.alone = ""
        return bool(somewhere[0])

    def leave(self, why: str) -> None:
        """Leaves the session early, if all ranks do so; otherwise ends the job."""
        if not self.regular and not MPI.Is_finalized():
            self.meet(self.leaving, f"{why}; the other ranks go on")
        self.regular = True


_STARTED: List[_Job] = []


def _job() -> _Job:
    return _STARTED[0]


@pytest.fixture(name="comm", scope="session")
def _comm() -> Any:
    """MPI.COMM_WORLD."""
    return MPI.COMM_WORLD


@pytest.fixture(name="conforms")
def _conforms(comm: Any) -> Callable[..., None]:
    """A function that fails the test if a producer does not conform, or communicates (T17).

    conforms(make, label=None, labels=False, ghosts=False, strict=False)
        as daptor.conformance.check, collective over `comm`

    Each check that was not made, such as the order of elements without labels, is a warning of the
    test.
    """

    def check(make: Callable[[Any], Any], *, labels: bool = False, label: Any = None,
              ghosts: bool = False, strict: bool = False) -> None:
        report = conformance.check(make, comm, labels=labels, label=label, ghosts=ghosts,
                                   strict=strict)
        why = conformance.breach(report, getattr(make, "__name__", "the producer"))
        if why:
            pytest.fail(why, pytrace=False)

    return check


@pytest.fixture(name="shared_tmp_path")
def _shared_tmp_path(request: Any) -> pathlib.Path:
    """A new folder of the test, the same on all ranks: in place of tmp_path, which differs.

    It is in rank 0's temporary folder (--basetemp), which all ranks must see. The fixture
    communicates nothing.
    """
    if _job().no_folder:
        pytest.fail(_job().no_folder, pytrace=False)
    base = pathlib.Path(_job().folder)
    if not base.is_dir():
        pytest.fail(f"{base} of rank 0 is not there on rank {_job().ranks.rank}: name a folder "
                    "that all ranks see, by --basetemp", pytrace=False)
    name = re.sub(r"\W", "_", request.node.name)[:30]
    folder = base / f"shared-{_job().numbers.get(request.node.nodeid, 0)}-{name}"
    folder.mkdir(exist_ok=True)
    return folder


_daptor._add_python_remedy("collective.different", "path", (
    "pytest's tmp_path differs between ranks: take the fixture shared_tmp_path."))


def pytest_addoption(parser: Any) -> None:
    """Called on all ranks before any conftest.py is loaded, which may raise on one rank."""
    parser.getgroup("daptor").addoption(
        "--mpi-patience", type=float, default=_PATIENCE, metavar="SECONDS",
        help="how long a rank whose test failed or was skipped, or that leaves the session, waits "
             "for the others before it ends the job")
    if not _STARTED:
        _STARTED.append(_Job())
        atexit.register(_job().leave, "pytest ends here")


def pytest_configure(config: Any) -> None:
    """Lets rank 0 report; the other ranks write to the null device."""
    print_when_terminated(_job().at_termination)  # capturing does not yet replace standard error
    _job().patience = float(config.getoption("--mpi-patience"))
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and _job().ranks.rank != 0:
        nowhere = open(os.devnull, "w", encoding="utf-8")  # pylint: disable=consider-using-with
        config.add_cleanup(nowhere.close)
        config.get_terminal_writer()._file = nowhere


def pytest_collectreport(report: Any) -> None:
    """Keeps errors of collecting, which rank 0 may not have and others have no output for."""
    if report.failed:
        _job().uncollected.append(f"{report.nodeid}\n{report.longreprtext}")


def pytest_collection_finish(session: Any) -> None:
    """Ends the session unless all ranks have collected the same tests."""
    mine = (_job().uncollected, [item.nodeid for item in session.items])
    everyones = _job().ranks.allgather(mine)
    _job().agree_on_mark()
    _job().agree_on_folder(session)
    for rank, theirs in enumerate(everyones):
        if theirs[0] and not mine[0]:
            pytest.exit("\n".join([f"rank {rank} could not collect its tests:", *theirs[0]]),
                        returncode=2)
        if theirs[1] != everyones[0][1] and not any(failed for failed, _ in everyones):
            pytest.exit(f"rank {rank} has collected other tests than rank 0", returncode=2)


def _whole_text(report: Any) -> str:
    """The traceback or the reason for a skip, and what the test has printed."""
    parts = [report.longreprtext]
    for title, content in report.sections:
        parts += [f"{title}:", content.rstrip()]
    return "\n".join(parts)


def _elsewhere(item: Any, failure: str) -> str:
    """Collective: a text about failures on other ranks; empty if none or this rank failed."""
    over = getattr(item, "over_here", "")
    alone = (f"{item.nodeid} {over[0]} here, and others do not come back from it\n{over[1]}"
             if over else "")
    if not _job().meet(_job().ranks, alone, failed=bool(failure)):
        return ""
    texts = _job().ranks.allgather(failure)
    if texts[0]:
        _job().untold.append(f"{item.nodeid} failed on rank 0\n{texts[0]}")
    failed = [rank for rank, text in enumerate(texts) if text]
    if failure:
        return ""
    return (f"failed on rank{'s' * (len(failed) > 1)} {', '.join(map(str, failed))}\n"
            f"rank {failed[0]}: {texts[failed[0]]}")


def pytest_runtest_makereport(item: Any, call: Any) -> Generator[None, Any, None]:
    """Makes setup, call and teardown of a test fail on all ranks or on none."""
    outcome = yield
    report = outcome.get_result()
    if not report.passed:
        expected = hasattr(report, "wasxfail")
        over = "failed" if report.failed or expected else "was skipped"
        item.over_here = (over, _whole_text(report))
    elsewhere = _elsewhere(item, (report.longreprtext or "failed") if report.failed else "")
    uncalled = call.when == "setup" and report.skipped and not item.config.option.setuponly
    if uncalled and not elsewhere:
        elsewhere = _elsewhere(item, "")  # the call, of other ranks
    if elsewhere:
        report.outcome = "failed"
        report.longrepr = elsewhere
        report.is_of_others = True
        vars(report).pop("wasxfail", None)


def pytest_runtest_logreport(report: Any) -> None:
    """Prints failures of the other ranks, whose terminal output is discarded."""
    if report.failed and _job().ranks.rank != 0 and not hasattr(report, "is_of_others"):
        _job().say(f"{report.nodeid} failed\n{_whole_text(report)}")


def pytest_keyboard_interrupt(excinfo: Any) -> None:
    """Also called for pytest.exit()."""
    _job().leave(f"{type(excinfo.value).__name__}: {excinfo.value}")


def pytest_internalerror(excrepr: Any) -> None:
    """An error of pytest or of a plug-in, or a hook that raises in a conftest.py."""
    if _job().ranks.rank != 0:
        _job().say(str(excrepr))
    _job().leave("an internal error")


def pytest_sessionfinish(exitstatus: int) -> None:
    """Notes a regular end of the session, at which all ranks have run the same tests."""
    if exitstatus in (0, 1, 5):
        _job().regular = True


def pytest_unconfigure() -> None:
    """Called when rank 0 has made its report."""
    _job().untold.clear()


pytest.hookimpl(trylast=True)(pytest_configure)
pytest.hookimpl(tryfirst=True)(pytest_collection_finish)
pytest.hookimpl(hookwrapper=True)(pytest_runtest_makereport)
pytest.hookimpl(trylast=True)(pytest_internalerror)
pytest.hookimpl(tryfirst=True)(pytest_sessionfinish)
