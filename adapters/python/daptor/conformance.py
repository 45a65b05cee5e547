"""What a producer of distributed arrays must be able to do, tried out.

    report = daptor.conformance.check(make_grid, comm)
    assert report, report

or for pytest, with all ranks in it (mpirun -n 4 python3 -m pytest -p daptor.pytest_plugin):

    @daptor.conformance.suite
    def test_grid(comm):
        return Grid(comm, 100, 50)
"""

from __future__ import annotations

import functools
from typing import Any, Callable, Optional

from . import _conformance
from ._daptor import Report, validate

__all__ = ["check", "suite"]


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


def check(make: Callable[[Any], Any], comm: Any, *, labels: bool = False,
          strict: bool = False) -> Report:
    """Makes producers and lets them do what producers must be able to do. Collective over `comm`.

    make    called with an mpi4py communicator, on all ranks; returns an object with `__distarray__`
    labels  each owned element holds the row-major number of its global index: compare them
    strict  count warnings as errors

    Looks at the description by all rules of the protocol; where it conforms, at what a producer
    must be able to do: two exports share memory, either outlives the other and the producer, both
    versions of the protocol say the same.

    Returns the same Report on all ranks. What a producer raises is a finding (`producer`).
    """
    description = validate(_made(make, comm), comm, level="full", strict=strict)
    if not description:
        return description
    return _conformance.check(make, comm, labels=labels, strict=strict)


def suite(make: Optional[Callable[[Any], Any]] = None, *, labels: bool = False,
          strict: bool = False) -> Any:
    """Makes a test of a function that makes a producer: it fails with the report's text.

    The test takes no fixture and runs on MPI.COMM_WORLD; arguments as check().
    """
    if make is None:
        return functools.partial(suite, labels=labels, strict=strict)
    function = make

    def test() -> None:
        from mpi4py import MPI
        report = check(function, MPI.COMM_WORLD, labels=labels, strict=strict)
        if not report:
            raise AssertionError(f"{function.__name__} does not conform:\n{report}")

    test.__name__ = function.__name__
    test.__doc__ = function.__doc__
    test.__module__ = function.__module__
    return test
