# SPDX-License-Identifier: BSD-3-Clause
"""Tests what a producer of distributed arrays must be able to do.

    report = daptor.conformance.check(make_grid, comm)
    assert report, report

or for pytest, with all ranks in it (mpirun -n 4 python3 -m pytest -p daptor.pytest_plugin):

    @daptor.conformance.suite
    def test_grid(comm):
        return Grid(comm, 100, 50)
"""

from __future__ import annotations

import functools
import warnings
from typing import Any, Callable, List, Optional, Tuple, Union

from ._job import watch

watch.load()

from . import _conformance
from ._arrays.builders import refuse_masked
from ._daptor import (Finding, Report, _describe_error, _finding, _invalid_argument, agreed,
                      validate)
from ._errors import Error
from ._testing import dlpack_check, dlpack_rules

__all__ = ["NotChecked", "breach", "check", "check_dlpack", "suite"]

Label = Callable[..., Any]


class NotChecked(UserWarning):
    """A check that the kit could not make; the text names it and what it needs."""


class _Failed:
    """Stands for a producer that could not be made."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __distarray__(self) -> Any:
        raise self.error


def _made(make: Callable[[Any], Any], comm: Any) -> Any:
    try:
        return make(comm)
    except BaseException as error:  # pylint: disable=broad-except
        return _Failed(error)


def _element_reader(label: Any) -> Optional[Callable[[Tuple[int, ...], str], bytes]]:
    """The function that the compiled part calls for the expected bytes at a global index."""
    if label is None:
        return None
    refuse_masked("label", label)
    if not callable(label) and not hasattr(label, "__getitem__"):
        _invalid_argument("label", repr(label), "a function of the global index, or an array")

    def element(index: Tuple[int, ...], dtype: str) -> bytes:
        import numpy
        value = label(*index) if callable(label) else label[index]
        return bytes(numpy.asarray(value).astype(dtype).tobytes())

    return element


def check(make: Callable[[Any], Any], comm: Any, *, labels: bool = False,
          label: Union[None, Label, Any] = None, ghosts: bool = False,
          strict: bool = False) -> Report:
    """Makes producers and tests what producers must be able to do. Collective over `comm`.

    make    called with an mpi4py communicator, on all ranks; returns an object with `__distarray__`
    label   the value of an element: a function of its global index, called as label(i, j, ...), or
            an array of the global shape. Both count the interior, as a.shape does: the cells of
            `edges` and of `ghosts` at the ends of the array have no index and are not compared.
            Elements are found through the description
    labels  the same for elements whose values are the row-major numbers of their global indices
    ghosts  compare the copies of other ranks' elements, too, with the labels of these elements: the
            producer has updated them
    strict  count warnings as errors

    Judges the description by all rules of the protocol; if it conforms, also the behaviour of the
    producer: `__distarray__` does not communicate (T17, a warning), two exports share memory,
    either outlives the other and the producer, both versions of the protocol describe the
    same array.

    Returns the same Report on all ranks. An exception of a producer is a finding (`producer`). A
    check that was not possible is a note, `behaviour.not-checked`: the order of the elements if
    they have no labels, communication if mpi4py was imported before this module.
    Leaves the elements as they were. Raises InvalidArgument on all ranks for an invalid label, and
    for labels, ghosts or strict that differ between ranks.
    """
    element = agreed(comm, lambda: _element_reader(label))
    description = validate(_made(make, comm), comm, strict=strict)
    if not description:
        return description
    return _conformance.check(make, comm, labels=labels, label=element, ghosts=ghosts,
                              strict=strict)


def _look_at_dlpack(make: Callable[[Any], Any], comm: Any) -> dlpack_check.Trial:
    """Makes a producer of DLPack on this rank, and tries it out."""
    trial = dlpack_check.Trial(make(comm))
    trial.look()
    return trial


def check_dlpack(make: Callable[[Any], Any], comm: Any, *, strict: bool = False) -> Report:
    """Makes producers of DLPack, one on each rank, and tries them out. Collective over `comm`.

    make    called with an mpi4py communicator, on all ranks; returns an object with `__dlpack__`
            and `__dlpack_device__`. The check drops the object before its last tensor
    strict  count warnings as errors

    Takes tensors from the object as consumers do: by all arguments of the array API standard, used
    and unused, also after the object is gone. Judges both the tensor that consumers of version 1
    get, by max_version=(1, 0), and that which older ones get; where they differ, a finding says for
    whom it is. Compares them with what NumPy sees of the same
    object, where the memory is that of the host; memory of a device is not read. One byte is
    written and put back if tensor and NumPy array are at different addresses.

    Returns the same Report on all ranks, whose rules `dlpack....` are listed in docs/dlpack.md. An
    exception of `make` is a finding (`producer`). Trying the object out communicates nothing, so
    that one which fails on one rank keeps no other waiting. A tensor that leads to memory which
    this process lacks is a finding; a deleter that crashes is not. Raises InvalidArgument on all
    ranks for a strict that differs between ranks.
    """
    trial: Optional[dlpack_check.Trial] = None
    failed: Optional[BaseException] = None
    try:
        trial = _look_at_dlpack(make, comm)
    except BaseException as error:  # pylint: disable=broad-except
        failed = error
    agreed(comm, lambda: None)  # all ranks are here
    kinds = getattr(comm, "tompi4py", lambda: comm)().allgather(trial.kind if trial else "")
    rank, kind = next(((rank, kind) for rank, kind in enumerate(kinds) if kind), (-1, ""))

    def findings() -> List[Finding]:
        if trial is None:
            return _findings_of_failure(failed)
        if trial.kind and trial.kind != kind:
            trial.error("dlpack.ranks", f"{trial.kind}, and {kind} on rank {rank}",
                        "the same on all ranks")
        return [_finding_of(found, bool(strict)) for found in trial.told()]

    return _conformance.merged(comm, findings, strict)


def _findings_of_failure(failed: Any) -> List[Finding]:
    if isinstance(failed, Error):
        return list(failed.report.findings)
    return [_finding("producer", dlpack_rules.ERROR, [], 0, -1, "", _describe_error(failed),
                     "", "", "", [], "")]


def _finding_of(found: dlpack_rules.Found, strict: bool) -> Finding:
    severity = found.severity
    if strict and severity == dlpack_rules.WARNING:
        severity = dlpack_rules.ERROR
    return _finding(found.rule, severity, [], 0, found.dimension, found.call, found.found,
                    found.expected, dlpack_rules.REMEDIES[found.rule], "", [], "")


def breach(report: Report, name: str = "the producer") -> str:
    """The reason why a test must fail: an error in a report of check(), or communication (T17).

    Process-local.

    Empty if there is none. In this case each check that was not made becomes a warning, NotChecked,
    so that a test that passes says what it has not checked.
    """
    findings = list(report)
    if not report:
        return f"{name} does not conform:\n{report}"
    talks = [str(finding) for finding in findings if finding.rule == "T17"]
    if talks:
        return "\n".join([f"{name} communicates in __distarray__:", *talks])
    for finding in findings:
        if finding.rule == "behaviour.not-checked":
            warnings.warn(f"{name}: not checked: {finding.found}. {finding.remedy}", NotChecked,
                          stacklevel=3)
    return ""


def suite(make: Optional[Callable[[Any], Any]] = None, *, labels: bool = False,
          label: Union[None, Label, Any] = None, ghosts: bool = False,
          strict: bool = False) -> Any:
    """Turns a function that makes a producer into a test, which fails with the report's text.

    The test takes no fixture and runs on MPI.COMM_WORLD; arguments as for check(). It fails if
    breach() returns a reason.
    """
    if make is None:
        return functools.partial(suite, labels=labels, label=label, ghosts=ghosts, strict=strict)
    function = make

    def test() -> None:
        from mpi4py import MPI
        report = check(function, MPI.COMM_WORLD, labels=labels, label=label, ghosts=ghosts,
                       strict=strict)
        why = breach(report, function.__name__)
        if why:
            raise AssertionError(why)

    test.__name__ = function.__name__
    test.__doc__ = function.__doc__
    test.__module__ = function.__module__
    return test
