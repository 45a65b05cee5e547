# SPDX-License-Identifier: BSD-3-Clause
"""The subcommands of `python3 -m daptor`: check, dump, explain, show. Each is collective."""

from __future__ import annotations

import argparse
import functools
import os
import sys
from typing import Any, Callable, List, Optional, Protocol, Sequence, Tuple

import daptor
from daptor import _conformance, conformance
from daptor._daptor import _read
from daptor._job import launch

UNUSABLE = 2
NOT_REPRESENTABLE = 4
PRODUCER_FAILED = 5
STATUS_OF = {"conforms": 0, "malformed": 1, "unsupported": 3,
             "producer failed": PRODUCER_FAILED}

_OTHER_PICTURES = (".png", ".pdf", ".jpg", ".jpeg", ".gif", ".eps", ".ps", ".webp")

Entries = List[Tuple[str, int, daptor.Report]]


def coloured(options: argparse.Namespace) -> bool:
    """Whether to write escape sequences: on request, or on a terminal if no launcher runs this."""
    if options.color != "auto":
        return bool(options.color == "always")
    refused = (os.environ.get("TERM") == "dumb" or bool(os.environ.get("NO_COLOR"))
               or launch.launched())
    return not (refused or getattr(options, "output", None)) and sys.stdout.isatty()


class _NotWritten(Exception):
    """Names the output that could not be written, and why."""


def _deliver(text: str, path: Optional[str]) -> None:
    try:
        if not path:
            # Like the command, in UTF-8 whatever the locale is.
            sys.stdout.flush()
            sys.stdout.buffer.write(text.encode("utf-8"))
            sys.stdout.buffer.flush()
            return
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise _NotWritten(f"{path or 'standard output'} cannot be written: "
                          f"{error.strerror}") from error


def _by_first(comm: Any, function: Callable[[], int]) -> int:
    """Calls `function` on the first rank. All ranks return its status, or raise its error.

    An output that cannot be written is no error of the producer, as other exceptions are.
    """

    def called() -> Tuple[int, str]:
        try:
            return (function() if comm.rank == 0 else 0), ""
        except _NotWritten as error:
            return 0, str(error)

    status, not_written = comm.bcast(daptor.agreed(comm, called))
    if not_written:
        raise daptor.InvalidArgument(not_written)
    return int(status)


def _tool(name: str, purpose: str) -> Any:
    """A function of the compiled part that only a daptor with its tools has."""
    function = getattr(_conformance, name, None)
    if function is None:
        raise daptor.InvalidArgument(f"this daptor was built without its tools, and cannot "
                                     f"{purpose}")
    return function


def _written(entries: Entries, options: argparse.Namespace) -> Tuple[str, int]:
    """The text of the reports, and the exit status that follows from them."""
    form = getattr(options, "format", "text")
    strict = getattr(options, "profile", "") == "strict"
    if form == "text" and not hasattr(_conformance, "document"):
        lines = [f"{subject} ({ranks} ranks)\n{report}" for subject, ranks, report in entries]
        return ("\n".join(lines) + "\n",
                max(STATUS_OF[report.verdict] for _, _, report in entries))
    document = _tool("document", f"write {form}: use --format text")
    text, status = document(entries, form, strict, coloured(options))
    return str(text), int(status)


class Subject(Protocol):
    """A producer that the command line names."""

    name: str

    def maker(self) -> Callable[[Any], Any]:
        """Collective: returns the function that makes the producer, given the communicator."""

    def done(self) -> None:
        """Called when the producer's code has returned on all ranks."""


def _checked(make: Callable[[Any], Any], options: argparse.Namespace, comm: Any) -> daptor.Report:
    """What is wrong with a producer, of arrays or of DLPack's tensors."""
    strict = options.profile == "strict"
    if options.dlpack:
        return conformance.check_dlpack(make, comm, strict=strict)
    return conformance.check(make, comm, labels=options.labels, strict=strict)


def check(subjects: Sequence[Subject], options: argparse.Namespace, comm: Any) -> int:
    """Checks all producers; the first rank writes the reports."""
    entries: Entries = []
    for subject in subjects:
        try:
            report = _checked(subject.maker(), options, comm)
        except daptor.ProducerFailed as error:
            report = daptor.Report(error.report.findings)
        finally:
            subject.done()
        entries.append((subject.name, comm.size, report))
    text, status = _written(entries, options)

    def write() -> int:
        _deliver(text, options.output)
        return status

    return _by_first(comm, write)


class _Refused(Exception):
    """Carries a report, the same on all ranks, of an array that the subcommand cannot use."""

    def __init__(self, report: daptor.Report) -> None:
        super().__init__()
        self.report = report


def _made(subject: Subject, comm: Any) -> Any:
    """Makes the producer on all ranks."""
    make = subject.maker()
    try:
        made: Any = daptor.agreed(comm, functools.partial(make, comm))
    finally:
        subject.done()
    return made


def _sections(producer: Any, comm: Any) -> List[str]:
    """The descriptions of all ranks, valid or not, on the first rank. Collective."""
    sections: List[str] = comm.gather(_conformance.section(_read(producer))) or []
    return sections


def dump(subject: Subject, options: argparse.Namespace, comm: Any) -> int:
    """Writes the descriptions of all ranks, valid or not, as JSON."""
    recording = _tool("recording", "write descriptions")
    sections = _sections(_made(subject, comm), comm)

    def write() -> int:
        text, failed = recording(subject.name, sections)
        _deliver(text, options.output)
        return PRODUCER_FAILED if failed else 0

    return _by_first(comm, write)


def _conforming(producer: Any, comm: Any) -> None:
    report = daptor.validate(producer, comm)
    if not report:
        raise _Refused(report)


def _plain(_subject: str, verdicts: List[daptor.Assessment], *_: bool) -> str:
    """The verdicts without the tools."""
    return "".join(f"{verdict}\n" for verdict in verdicts)


def explain(subject: Subject, options: argparse.Namespace, comm: Any) -> int:
    """Says which native objects can hold the array without a copy, in the words of Python."""
    explained = _plain if options.format == "text" and not hasattr(_conformance, "explained") \
        else _tool("explained", f"write {options.format}: use --format text")
    producer = _made(subject, comm)
    _conforming(producer, comm)
    explanation = daptor.explain(daptor.import_(producer, comm))
    unknown = [name for name in options.target or () if name not in explanation]
    if unknown:
        known = ", ".join(verdict.target for verdict in explanation)
        raise daptor.InvalidArgument(f"no target {unknown[0]}; expected one of {known}")
    verdicts = [explanation[name] for name in options.target] if options.target \
        else list(explanation)

    def write() -> int:
        if not verdicts:
            print("daptor: no adapter is here that could hold the array", file=sys.stderr)
        _deliver(explained(subject.name, verdicts, options.format == "json", coloured(options)),
                 options.output)
        return 0 if any(verdict.representable for verdict in verdicts) else NOT_REPRESENTABLE

    return _by_first(comm, write)


def _form_of_picture(options: argparse.Namespace) -> Tuple[str, Optional[str]]:
    """`text` or `svg`, and the file: None is standard output."""
    if options.svg is not None and (options.format or options.output):
        raise daptor.InvalidArgument("--svg FILE is --format svg --output FILE: give it alone")
    path = options.output if options.svg is None else options.svg
    path = None if path == "-" and options.svg is not None else path
    suffix = os.path.splitext(path or "")[1].lower()
    if suffix in _OTHER_PICTURES:
        raise daptor.InvalidArgument(f"'{path}' names a picture of another kind than text and SVG; "
                                     "name it *.svg, and convert that")
    if options.svg is not None:
        return "svg", path
    return options.format or ("svg" if suffix == ".svg" else "text"), path


def show(subject: Subject, options: argparse.Namespace, comm: Any) -> int:
    """Draws who owns what, as text or as SVG."""
    form, path = _form_of_picture(options)
    draw = _tool("picture", "draw")
    producer = _made(subject, comm)
    _conforming(producer, comm)
    sections = _sections(producer, comm)

    def write() -> int:
        picture = draw(subject.name, sections, options.slice or [], options.rank,
                       form == "svg", options.width, not options.ascii, coloured(options))
        _deliver(picture, path)
        return 0

    return _by_first(comm, write)


def refusing(action: Callable[[Subject, argparse.Namespace, Any], int], subject: Subject,
             options: argparse.Namespace, comm: Any) -> int:
    """Runs the action. If the array does not conform, writes the report to standard error."""
    try:
        return action(subject, options, comm)
    except _Refused as refused:
        report = refused.report
    except daptor.ProducerFailed as error:
        report = daptor.Report(error.report.findings)
    plain = argparse.Namespace(color="never")
    text, status = _written([(subject.name, comm.size, report)], plain)
    if comm.rank == 0:
        sys.stderr.write(text)
    return status
