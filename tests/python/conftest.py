# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures; daptor.pytest_plugin has the others."""

import gc
import re

import pytest
from mpi4py import MPI

import daptor


@pytest.fixture
def rank():
    return MPI.COMM_WORLD.rank


@pytest.fixture
def size():
    return MPI.COMM_WORLD.size


@pytest.hookimpl(trylast=True)
def pytest_collection_finish():
    """Later collections of garbage look only at what the tests make, and so take no time."""
    gc.collect()
    gc.freeze()


_CPP = re.compile(r"\w::\w|\b[A-Z]\w*Options\b")


def _foreign_words(message):
    """What a message says that Python does not have: words of C++, names that are not there."""
    said = re.sub(r"'[^']*'|\"[^\"]*\"", "", message)  # text that a user gave is quoted
    foreign = _CPP.findall(said)
    for path in re.findall(r"\bdaptor(?:\.[a-z]\w*)+", said):
        place = daptor
        for part in path.split(".")[1:]:
            if not hasattr(place, part):
                foreign.append(path)
                break
            place = getattr(place, part)
    return foreign


@pytest.fixture(autouse=True)
def words_of_python(monkeypatch):
    """Every message that a test provokes is in the words of Python."""
    wrong = []
    made = daptor.Error.__init__

    def checked(self, message="", report=None):
        # What another library said stays as it is.
        if not message.startswith("library.") and _foreign_words(message):
            wrong.append(message)
        made(self, message, report)

    monkeypatch.setattr(daptor.Error, "__init__", checked)
    yield
    assert not wrong, wrong
