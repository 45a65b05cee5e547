"""pytest on all ranks: mpirun -n 4 python3 -m pytest -p daptor.pytest_plugin

A test that fails on one rank fails on all of them, and rank 0's summary names the rank. A rank that
failed and waits in vain for the others, who hang in what it never took part in, ends the job.

    def test_field(conforms):
        conforms(make_field)  # of the communicator; fails with the report

    def test_norm(comm):      # MPI.COMM_WORLD
        assert norm(comm) == 1
"""

from __future__ import annotations

import sys
import time
from typing import Any, Callable, Generator, List, Optional

import pytest
from mpi4py import MPI

from . import conformance

_COMM: List[Any] = []  # the ranks' own communicator, made at the first use
_LEAVING: List[str] = []  # why all ranks end their sessions


def _ranks() -> Any:
    if not _COMM:
        _COMM.append(MPI.COMM_WORLD.Dup())
    return _COMM[0]


@pytest.fixture(name="comm")
def _comm() -> Any:
    """MPI.COMM_WORLD."""
    return MPI.COMM_WORLD


@pytest.fixture(name="conforms")
def _conforms(comm: Any) -> Callable[..., None]:
    """A function that fails the test where a producer does not conform.

    conforms(make, labels=False, strict=False)   as daptor.conformance.check, collective over `comm`
    """

    def check(make: Callable[[Any], Any], *, labels: bool = False, strict: bool = False) -> None:
        report = conformance.check(make, comm, labels=labels, strict=strict)
        if not report:
            pytest.fail(str(report), pytrace=False)

    return check


def pytest_addoption(parser: Any) -> None:
    """How long a rank that failed waits."""
    parser.getgroup("daptor").addoption(
        "--mpi-patience", type=float, default=10.0, metavar="SECONDS",
        help="how long a rank whose test failed waits for the others before it ends the job")


def pytest_configure(config: Any) -> None:
    """One rank reports."""
    if _ranks().rank != 0:
        config.pluginmanager.unregister(name="terminalreporter")


def _leave(why: str) -> None:
    _LEAVING.append(why)
    pytest.exit(why, returncode=2)


def pytest_collection_finish(session: Any) -> None:
    """All ranks run the same tests, or none."""
    mine = (session.testsfailed, [item.nodeid for item in session.items])
    everyones = _ranks().allgather(mine)
    for rank, theirs in enumerate(everyones):
        if theirs[0] and not mine[0]:
            _leave(f"rank {rank} could not collect its tests")
        if theirs[1] != everyones[0][1] and not any(failed for failed, _ in everyones):
            _leave(f"rank {rank} has collected other tests than rank 0")


def _say(text: str) -> None:
    print("\n".join(f"[rank {_ranks().rank}] {line}" for line in text.split("\n")),
          file=sys.stderr, flush=True)


def _meet(item: Any) -> None:
    """Returns when all ranks are here. A rank that failed ends the job where others do not come."""
    request = _ranks().Ibarrier()
    deadline = time.monotonic() + float(item.config.getoption("--mpi-patience"))
    while not request.Test():
        time.sleep(0.001)
        if item.failed_here and time.monotonic() > deadline:
            _say(f"{item.nodeid} failed here, and others do not come back from it")
            MPI.COMM_WORLD.Abort(1)


def _elsewhere(item: Any) -> Optional[str]:
    """Collective: on which other ranks the test failed, and how."""
    _meet(item)
    texts = _ranks().allgather(item.failed_here)
    failed = [rank for rank, text in enumerate(texts) if text]
    if not failed or item.failed_here:
        return None
    return (f"failed on rank{'s' * (len(failed) > 1)} {', '.join(map(str, failed))}\n"
            f"rank {failed[0]}: {texts[failed[0]]}")


def pytest_runtest_makereport(item: Any, call: Any) -> Generator[None, Any, None]:
    """The last report of a test, of its teardown, is about all ranks."""
    outcome = yield
    report = outcome.get_result()
    failed_here = getattr(item, "failed_here", "")
    if report.failed:
        failed_here += report.longreprtext + "\n"
    item.failed_here = failed_here
    if call.when == "teardown":
        elsewhere = _elsewhere(item)
        if elsewhere and not report.failed:
            report.outcome = "failed"
            report.longrepr = elsewhere
            report.is_of_others = True


def pytest_keyboard_interrupt(excinfo: Any) -> None:
    """Also pytest.exit(): who leaves alone takes the others along."""
    together = _LEAVING or isinstance(excinfo.value, pytest.Session.Interrupted)
    if _ranks().size > 1 and not together:
        _say(f"{type(excinfo.value).__name__}: {excinfo.value}")
        MPI.COMM_WORLD.Abort(2)


def pytest_runtest_logreport(report: Any) -> None:
    """What the other ranks have to say, who have no terminal."""
    if report.failed and _ranks().rank != 0 and not hasattr(report, "is_of_others"):
        _say(f"{report.nodeid} failed\n{report.longreprtext}")


pytest.hookimpl(trylast=True)(pytest_configure)
pytest.hookimpl(tryfirst=True)(pytest_collection_finish)
pytest.hookimpl(hookwrapper=True)(pytest_runtest_makereport)
