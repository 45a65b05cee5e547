# SPDX-License-Identifier: BSD-3-Clause
"""The errors of Daptor. A collective call raises the same class with the same first finding on
every rank of its communicator."""

from __future__ import annotations

from typing import Any, Optional


class Error(Exception):
    """Base of every error of Daptor.

    report  a daptor.Report, all that was found; str(error) is its first finding as a sentence
    """

    def __init__(self, message: str = "", report: Any = None) -> None:
        super().__init__(message)
        self.report = report

    @property
    def finding(self) -> Any:
        """The finding that the message is made of; None without a report."""
        findings = self.report.findings if self.report is not None else ()
        return findings[0] if findings else None

    @property
    def rule(self) -> Optional[str]:
        """Id of the broken rule: `B09`, `petsc.vec.one-run`."""
        return self.finding.rule if self.finding else None

    @property
    def rank(self) -> Optional[int]:
        """The lowest rank at fault; None if that is unknown or the error is about all ranks."""
        return self.finding.ranks[0] if self.finding and self.finding.ranks else None


class Malformed(Error, ValueError):
    """A description breaks a rule of the protocol."""


class Unsupported(Error):
    """A version, distribution or element type that Daptor does not support (T07, D04, A26)."""


class NotRepresentable(Error):
    """The target cannot hold this array without a copy; the finding says why, and what to do."""


class ProducerFailed(Error):
    """The producer raised, or returned nothing that can be read. On the rank where it raised,
    that exception is the `__cause__`."""


class LibraryFailed(Error):
    """A call of MPI, PETSc or the C++ runtime failed."""


class Finalized(Error):
    """A call was made after MPI_Finalize or PetscFinalize."""


class Stale(Error):
    """The memory behind a description is no longer the one described."""


class InvalidArgument(Error, ValueError):
    """An argument of the call is wrong, apart from any description."""


class InvalidOperand(InvalidArgument, TypeError):
    """A function of NumPy or an operator has an Array where it takes NumPy arrays."""
