# SPDX-License-Identifier: BSD-3-Clause
"""The command: mpirun -n 4 python3 -m daptor check mymodule:make_array

The command `daptor` for producers in Python, with the same reports and exit status. An exception on
one rank ends the job, whether petsc4py is loaded or not.
"""

from __future__ import annotations

import argparse
import difflib
import functools
import importlib
import importlib.util
import os
import sys
import threading
import time
import traceback
from types import FrameType
from typing import Any, Callable, List, Optional, Sequence, Tuple

import daptor
from daptor import _daptor
from daptor._command import actions as _actions
from daptor._command.actions import PRODUCER_FAILED, UNUSABLE
from daptor._job import launch

PATIENCE = 30.0
GRACE = 1.0  # for other ranks to say where they are

# pylint: disable=protected-access


def _name(text: str) -> str:
    module, _, name = text.partition(":")
    if not module or not name:
        where = "; files are read by the command daptor" if os.path.isfile(text) else ""
        raise argparse.ArgumentTypeError(
            f"'{text}' is not of the form MODULE:NAME or FILE.py:NAME{where}")
    return text


class _Parser(argparse.ArgumentParser):
    """Writes help, versions and errors once under mpirun, where all ranks read the same."""

    def _print_message(self, message: str, file: Any = None) -> None:
        if launch.answers():
            super()._print_message(message, file)


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds <= threading.TIMEOUT_MAX:
        raise argparse.ArgumentTypeError(f"'{text}' is no time to wait")
    return seconds


def _slice(text: str) -> Tuple[int, int]:
    dimension, equals, index = text.partition("=")
    try:
        return int(dimension), int(index)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"'{text}' is no DIMENSION=INDEX, such as 2=5") from None


def _add_waiting(command: argparse.ArgumentParser) -> None:
    command.add_argument("--time-limit", type=_seconds, default=0, metavar="SECONDS", help=(
        "end the job where a producer is not done by then, and say where each rank is (default: "
        "never)"))
    command.add_argument("--patience", type=_seconds, default=PATIENCE, metavar="SECONDS", help=(
        "end the job where a producer raised on one rank and others do not come back from it by "
        "then (default: 30)"))


def _add_output(command: argparse.ArgumentParser, *formats: str) -> None:
    command.add_argument("-f", "--format", choices=formats, default="text")
    command.add_argument("--color", choices=["auto", "always", "never"], default="auto")
    command.add_argument("-o", "--output", metavar="FILE", help="write to this file")


_SUBJECT = ("a function that returns a producer (called with the communicator, or without "
            "arguments where it takes none), or an object with __distarray__ or __dlpack__")


def _columns(text: str) -> int:
    """The type of --width."""
    try:
        columns = int(text)
    except ValueError:
        columns = 0
    if not 40 <= columns <= 1000:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 40 to 1000")
    return columns


def parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    command = _Parser(prog="python3 -m daptor", description=(
        "Say what is wrong with producers of distributed arrays in Python, and what they mean"))
    command.add_argument("--version", action="version", version=f"daptor {_daptor.__version__}")
    actions = command.add_subparsers(dest="action", required=True)
    check = actions.add_parser("check", help="try producers out, on all ranks")
    check.add_argument("subjects", nargs="+", type=_name, metavar="MODULE:NAME", help=_SUBJECT)
    check.add_argument("--profile", choices=["recommended", "strict"], default="recommended",
                       help="strict: warnings are errors")
    kind = check.add_mutually_exclusive_group()
    kind.add_argument("--labels", action="store_true", help=(
        "elements hold their row-major global numbers: compare them"))
    kind.add_argument("--dlpack", action="store_true", help=(
        "try out the producers' __dlpack__ and __dlpack_device__, on each rank, in place of "
        "__distarray__"))
    _add_output(check, "text", "json", "junit")

    dump = actions.add_parser("dump", help="write what a producer says on all ranks as JSON")
    dump.add_argument("-o", "--output", metavar="FILE", help="write to this file")

    explain = actions.add_parser("explain", help=(
        "say which native objects can hold an array without a copy, and why others cannot"))
    explain.add_argument("--target", action="append", metavar="NAME", help=(
        "ask this one only, as petsc.vec; may be given several times"))
    _add_output(explain, "text", "json")

    show = actions.add_parser("show", help="draw who owns what of an array")
    show.add_argument("--slice", action="append", type=_slice, metavar="DIMENSION=INDEX", help=(
        "cut a dimension at a global index, as 2=5; may be given several times"))
    show.add_argument("--rank", type=int, help="draw the section of this rank alone")
    show.add_argument("--svg", metavar="FILE", help=(
        "the same as --format svg --output FILE; - is standard output"))
    show.add_argument("-f", "--format", choices=["text", "svg"], help=(
        "form of the picture (default: svg for a file named *.svg, otherwise text)"))
    show.add_argument("-o", "--output", metavar="FILE", help="write to this file")
    show.add_argument("--width", type=_columns, default=80, help="columns to use (default: 80)")
    show.add_argument("--ascii", action="store_true", help="draw with ASCII characters only")
    show.add_argument("--color", choices=["auto", "always", "never"], default="auto")

    for action in (dump, explain, show):
        action.add_argument("subject", type=_name, metavar="MODULE:NAME", help=_SUBJECT)
    for action in (check, dump, explain, show):
        _add_waiting(action)
    return command


_COMMANDS = ("check", "dump", "explain", "show")


def _words(given: Sequence[str], command: argparse.ArgumentParser) -> List[str]:
    """The arguments, `help check` as `check --help`. An unknown command ends the process."""
    words = list(given)
    if words[:1] == ["help"] and len(words) <= 2:
        words = [*words[1:], "--help"]
    name = next((word for word in words if not word.startswith("-")), _COMMANDS[0])
    if name not in _COMMANDS:
        meant = difflib.get_close_matches(name, _COMMANDS, 1)
        command.error(f"there is no command '{name}'; "
                      + (f"did you mean '{meant[0]}'?" if meant else
                         f"there are {', '.join(_COMMANDS)}"))
    return words


def _takes_arguments(function: Callable[..., Any]) -> bool:
    import inspect
    try:
        return bool(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return True


def _module(name: str) -> Any:
    """A module by its name or, if that ends in .py, by its path."""
    if not name.endswith(".py"):
        return importlib.import_module(name)
    folder, file = os.path.split(os.path.abspath(name))
    sys.path.insert(0, folder)  # of modules that it imports
    specification = importlib.util.spec_from_file_location(file[:-len(".py")], name)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[module.__name__] = module
    specification.loader.exec_module(module)
    return module


def load(subject: str) -> Callable[[Any], Any]:
    """The function behind MODULE:NAME that makes producers, given a communicator."""
    module, _, name = subject.partition(":")
    found: Any = _module(module)
    for part in name.split("."):
        found = getattr(found, part)
    if not isinstance(found, type) and (hasattr(found, "__distarray__")
                                        or hasattr(found, "__dlpack__")):
        return lambda comm: found
    make: Callable[[Any], Any] = found if _takes_arguments(found) else lambda comm: found()
    return make


def _after(seconds: float, why: Callable[[], str]) -> threading.Timer:
    """Starts a thread that ends this process after that time, and with it the job."""

    def end() -> None:
        print(f"daptor: {why()}", file=sys.stderr, flush=True)
        time.sleep(GRACE)
        os._exit(PRODUCER_FAILED)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    return timer


def _whereabouts(frame: Optional[FrameType]) -> str:
    """Whether the main thread is in the producer's code or has returned from it, as a phrase."""
    package = os.path.dirname(os.path.abspath(__file__))
    if frame is None or os.path.abspath(frame.f_code.co_filename).startswith(package + os.sep):
        return "waits for the others"
    code = frame.f_code
    return (f"is in the producer ({os.path.basename(code.co_filename)}:{frame.f_lineno} in "
            f"{code.co_name})")


class _Watch:
    """Ends the job if the producer raised on this rank and does not return on the others."""

    def __init__(self, rank: int, patience: float) -> None:
        self._rank = rank
        self._patience = patience
        self._timer: Optional[threading.Timer] = None

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Returns what `function` returns. If it raises, the others have `patience` to return."""
        self.stop()
        try:
            return function(*arguments)
        except BaseException as error:
            why = (f"rank {self._rank}: {_daptor._describe_error(error)}; other ranks do not come "
                   "back from the producer")
            self._timer = _after(self._patience, lambda: why)
            raise

    def stop(self) -> None:
        """Called when all ranks have returned."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None


class _Subject:
    """A producer that the command line names."""

    def __init__(self, name: str, comm: Any, patience: float) -> None:
        self.name = name
        self._comm = comm
        self._watch = _Watch(comm.rank, patience)

    def maker(self) -> Callable[[Any], Any]:
        """Collective: loads the function that makes the producer, and watches its calls."""
        make = daptor.agreed(self._comm, functools.partial(self._watch.call, load, self.name))
        self.done()
        return functools.partial(self._watch.call, make)

    def done(self) -> None:
        """Called when the producer's code has returned on all ranks."""
        self._watch.stop()


def run(options: argparse.Namespace, comm: Any) -> int:
    """Collective: runs the subcommand, and returns the exit status."""
    if options.action == "check":
        return _actions.check([_Subject(name, comm, options.patience)
                               for name in options.subjects], options, comm)
    action = {"dump": _actions.dump, "explain": _actions.explain, "show": _actions.show}
    return _actions.refusing(action[options.action],
                             _Subject(options.subject, comm, options.patience), options, comm)


def _limit(seconds: float, rank: int) -> None:
    main_thread = threading.main_thread().ident

    def why() -> str:
        frame = sys._current_frames().get(main_thread or 0)
        return f"the time limit is over: rank {rank} {_whereabouts(frame)}"

    _after(seconds, why)


def _missing_mpi4py(error: ImportError) -> int:
    if launch.answers():
        print(f"daptor: {sys.executable} has no mpi4py ({error}), by which producers in Python are "
              "called on all ranks: install it for this Python (on Debian python3-mpi4py), or name "
              "another with daptor --python", file=sys.stderr, flush=True)
    else:
        # mpirun ends the job when a process leaves, and nothing here can wait for process 0.
        time.sleep(2)
    return UNUSABLE


def main() -> int:
    """Runs the command. An error on one rank ends the command on all."""
    command = parser()
    options = command.parse_args(_words(sys.argv[1:], command))
    try:
        from mpi4py import MPI
    except ImportError as error:
        return _missing_mpi4py(error)
    sys.path.insert(0, os.getcwd())
    comm = MPI.COMM_WORLD
    if options.time_limit > 0:
        _limit(options.time_limit, comm.rank)
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
