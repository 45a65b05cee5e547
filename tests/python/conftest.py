# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures; daptor.pytest_plugin has the others."""

import functools
import gc
import re
import sys

import pytest
from mpi4py import MPI

import daptor
import daptor.conformance


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


_CPP = re.compile(r"\w::\w|\b[A-Z]\w*Options\b"
                  r"|\b(?:Vec|Mat|KSP|PC|IS|DM)(?:[A-Z][a-z]+)+\b"
                  r"|\bPetsc(?:Int|Scalar)\b|\bMAT[A-Z]{3,}\b")
# Calls in which ranks are; the names have no "daptor." in front of them. Those of the plug-in are
# petsc4py's.
_CALLS = re.compile(r"(?:\bin |all ranks that call )([A-Za-z_]\w*(?:\.\w+)*)(?=,|;|\.$|$)")


def _is_there(path):
    """Whether the package has what a message names `HaloExchange` or `fft.Transform.forward`."""
    for place in (daptor, sys.modules.get("daptor._petsc"), sys.modules.get("petsc4py.PETSc")):
        for part in path.split("."):
            place = getattr(place, part, None)
        if place is not None:
            return True
    return False


# What returns reports.
_REPORTING = ((daptor, "check"), (daptor, "check_ghosts"), (daptor, "stale_padding"),
              (daptor, "validate"), (daptor.conformance, "check"))


def _foreign_words(message):
    """What a message says that Python does not have: words of C++, names that are not there."""
    said = re.sub(r"'[^']*'|\"[^\"]*\"", "", message)  # text that a user gave is quoted
    foreign = _CPP.findall(said)
    foreign += [path for path in re.findall(r"\bdaptor((?:\.[a-z]\w*)+)", said)
                if not _is_there(path[1:])]
    if message.startswith("collective."):
        foreign += [path for path in _CALLS.findall(message) if not _is_there(path)]
    return foreign


@pytest.fixture(autouse=True)
def words_of_python(monkeypatch):
    """Every message that a test provokes, of an error or in a report, is in the words of Python."""
    wrong = []
    made = daptor.Error.__init__

    def with_report(function):
        @functools.wraps(function)
        def reporting(*arguments, **options):
            report = function(*arguments, **options)
            wrong.extend(text for text in map(str, report) if not text.startswith("library.") and
                         _foreign_words(text))
            return report
        return reporting

    for module, name in _REPORTING:
        monkeypatch.setattr(module, name, with_report(getattr(module, name)))

    def checked(self, message="", report=None):
        # What another library said stays as it is.
        if not message.startswith("library.") and _foreign_words(message):
            wrong.append(message)
        made(self, message, report)

    monkeypatch.setattr(daptor.Error, "__init__", checked)
    petsc4py = sys.modules.get("petsc4py.PETSc")
    if petsc4py is not None:
        made_by_petsc = petsc4py.Error.__init__

        def from_the_plugin(self, *code):
            made_by_petsc(self, *code)
            said = (line.partition(" daptor: ")[2] for line in str(self).splitlines())
            wrong.extend(text for text in said if not text.startswith("library.") and
                         _foreign_words(text))

        monkeypatch.setattr(petsc4py.Error, "__init__", from_the_plugin)
    yield
    assert not wrong, wrong
