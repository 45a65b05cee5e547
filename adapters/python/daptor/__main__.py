"""The command: mpirun -n 4 python3 -m daptor check mymodule:make_array

Reports and exit status as those of the command `daptor check`. An exception on one rank ends the
job, petsc4py loaded or not.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import os
import sys
import threading
import traceback
from typing import Any, Callable, List, Optional, Tuple

import daptor
from daptor import _conformance, conformance

PATIENCE = 30.0
UNUSABLE = 2
PRODUCER_FAILED = 5
STATUS_OF = {"conforms": 0, "malformed": 1, "unsupported": 3,
             "producer failed": PRODUCER_FAILED}


def _subject(text: str) -> str:
    module, _, name = text.partition(":")
    if not module or not name:
        raise argparse.ArgumentTypeError(f"'{text}' is not of the form MODULE:NAME")
    return text


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds <= threading.TIMEOUT_MAX:
        raise argparse.ArgumentTypeError(f"'{text}' is no time to wait")
    return seconds


def parser() -> argparse.ArgumentParser:
    """What the command line may hold."""
    command = argparse.ArgumentParser(prog="python3 -m daptor", description=(
        "Say what is wrong with producers of distributed arrays in Python"))
    actions = command.add_subparsers(dest="action", required=True)
    check = actions.add_parser("check", help="try producers out, on all ranks")
    check.add_argument("subjects", nargs="+", type=_subject, metavar="MODULE:NAME", help=(
        "a function that returns a producer (called with the communicator, or without arguments "
        "where it takes none), or an object with __distarray__"))
    check.add_argument("--profile", choices=["recommended", "strict"], default="recommended",
                       help="strict: warnings are errors")
    check.add_argument("--labels", action="store_true", help=(
        "elements hold their row-major global numbers: compare them"))
    check.add_argument("--time-limit", type=_seconds, default=0, metavar="SECONDS", help=(
        "end the job where a producer is not done by then (default: never)"))
    check.add_argument("--patience", type=_seconds, default=PATIENCE, metavar="SECONDS", help=(
        "end the job where a producer raised on one rank and others do not come back from it by "
        "then (default: 30)"))
    check.add_argument("-f", "--format", choices=["text", "json", "junit"], default="text")
    check.add_argument("--color", choices=["auto", "always", "never"], default="auto")
    check.add_argument("-o", "--output", metavar="FILE", help="write to this file")
    return command


def _takes_arguments(function: Callable[..., Any]) -> bool:
    import inspect
    try:
        return bool(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return True


def load(subject: str) -> Callable[[Any], Any]:
    """The producers that MODULE:NAME stands for."""
    module, _, name = subject.partition(":")
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    if hasattr(found, "__distarray__") and not isinstance(found, type):
        return lambda comm: found
    make: Callable[[Any], Any] = found if _takes_arguments(found) else lambda comm: found()
    return make


def _after(seconds: float, why: str) -> threading.Timer:
    """A thread ends the process after that time; a rank that dies ends the job."""

    def end() -> None:
        print(f"daptor: {why}", file=sys.stderr, flush=True)
        os._exit(PRODUCER_FAILED)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    return timer


class _Watch:
    """Ends the job where a producer raised here, and others wait in it for ever."""

    def __init__(self, rank: int, patience: float) -> None:
        self._rank = rank
        self._patience = patience
        self._timer: Optional[threading.Timer] = None

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What `function` returns. From the moment it raises the others are expected."""
        self.stop()
        try:
            return function(*arguments)
        except BaseException as error:
            self._timer = _after(self._patience, f"rank {self._rank}: {type(error).__name__}: "
                                 f"{error}; other ranks do not come back from the producer")
            raise

    def stop(self) -> None:
        """All ranks are here."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None


def _report(subject: str, comm: Any, options: argparse.Namespace) -> daptor.Report:
    watch = _Watch(comm.rank, options.patience)
    try:
        make = daptor.agreed(comm, functools.partial(watch.call, load, subject))
        watch.stop()
        watched = functools.partial(watch.call, make)
        return conformance.check(watched, comm, labels=options.labels,
                                 strict=options.profile == "strict")
    except daptor.ProducerFailed as error:
        return daptor.Report(error.report.findings)
    finally:
        watch.stop()


def _coloured(options: argparse.Namespace) -> bool:
    if options.color != "auto":
        return bool(options.color == "always")
    launched = any(name in os.environ for name in ("OMPI_COMM_WORLD_RANK", "PMI_RANK"))
    return not (options.output or launched or "NO_COLOR" in os.environ) and sys.stdout.isatty()


def _deliver(text: str, path: str) -> None:
    if not path:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def _written(entries: List[Tuple[str, int, daptor.Report]],
             options: argparse.Namespace) -> Tuple[str, int]:
    """The text of the reports, and the exit status that follows from them."""
    document = getattr(_conformance, "document", None)
    if document is not None:
        text, status = document(entries, options.format, options.profile == "strict",
                                _coloured(options))
        return str(text), int(status)
    if options.format != "text":
        raise daptor.InvalidArgument(f"this daptor was built without its tools, and cannot write "
                                     f"{options.format}: use --format text")
    lines = [f"{subject} ({ranks} ranks)\n{report}" for subject, ranks, report in entries]
    return ("\n".join(lines) + "\n",
            max(STATUS_OF[report.verdict] for _, _, report in entries))


def run(options: argparse.Namespace, comm: Any) -> int:
    """Collective: checks all subjects, and has the first rank write what was found."""
    entries: List[Tuple[str, int, daptor.Report]] = []
    for subject in options.subjects:
        entries.append((subject, comm.size, _report(subject, comm, options)))
    text, status = _written(entries, options)
    daptor.agreed(comm, lambda: _deliver(text, options.output) if comm.rank == 0 else None)
    return status


def main() -> int:
    """Runs the command; whatever goes wrong on one rank ends it on all."""
    options = parser().parse_args()
    from mpi4py import MPI
    sys.path.insert(0, os.getcwd())
    comm = MPI.COMM_WORLD
    if options.time_limit > 0:
        _after(options.time_limit, "the time limit is over, and the producer is not done")
    try:
        return run(options, comm)
    except daptor.Error as error:
        if comm.rank == 0:
            print(f"daptor: {error}", file=sys.stderr)
        return UNUSABLE
    except BaseException:  # pylint: disable=broad-except
        traceback.print_exc()
        sys.stderr.flush()
        comm.Abort(UNUSABLE)
        raise


if __name__ == "__main__":
    sys.exit(main())
