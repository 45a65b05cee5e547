"""pytest on several ranks: they agree after each test, and a hang names its test."""

import sys
import time

import pytest
from mpi4py import MPI

WORLD = MPI.COMM_WORLD
PATIENCE = 5.0  # seconds that a rank that failed waits for the others


@pytest.fixture
def comm():
    return WORLD


@pytest.fixture
def rank():
    return WORLD.rank


@pytest.fixture
def size():
    return WORLD.size


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    if WORLD.rank != 0:
        config.pluginmanager.unregister(name="terminalreporter")


def pytest_runtest_logreport(report):
    if report.failed and WORLD.rank != 0:
        text = "\n".join(f"[rank {WORLD.rank}] {line}" for line in report.longreprtext.split("\n"))
        print(f"{text}\n[rank {WORLD.rank}] {report.nodeid} failed", file=sys.stderr, flush=True)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    outcome = yield
    if outcome.get_result().failed:
        item.failed_here = True


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    yield
    failed = getattr(item, "failed_here", False)
    request = WORLD.Ibarrier()
    deadline = time.monotonic() + PATIENCE
    while not request.Test():
        time.sleep(0.001)
        if failed and time.monotonic() > deadline:
            print(f"[rank {WORLD.rank}] {item.nodeid} failed here, and others do not come back",
                  file=sys.stderr, flush=True)
            WORLD.Abort(1)
