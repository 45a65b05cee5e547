# SPDX-License-Identifier: BSD-3-Clause
"""What a package without the tools (DAPTOR_BUILD_TOOLS=OFF) has of the command."""

from __future__ import annotations

import argparse
import functools
from typing import Any, Callable, List

import daptor
from daptor._command import producers
from daptor._daptor import __version__

_STATUS = {"conforms": 0, "malformed": 1, "unsupported": 3, "producer failed": 5}
_NOT_REPRESENTABLE = 4


def _called(function: Callable[..., Any], *arguments: Any) -> Any:
    return function(*arguments)


def run(words: List[str]) -> int:
    """Collective. `check` and `explain`, as text. Returns the exit status."""
    command = argparse.ArgumentParser(
        prog="python3 -m daptor", usage="%(prog)s check|explain [OPTIONS] MODULE:NAME ...\n"
        "This daptor was built without its tools, and has these commands only")
    command.add_argument("--version", action="version", version=f"daptor {__version__}")
    command.add_argument("action", choices=["check", "explain"])
    command.add_argument("--profile", choices=["recommended", "strict"], default="recommended")
    command.add_argument("--labels", action="store_true")
    command.add_argument("--dlpack", action="store_true")
    command.add_argument("subjects", nargs="+", metavar="MODULE:NAME")
    options = command.parse_args(words)
    why = producers.start()
    if why:
        command.error(why)
    from mpi4py import MPI
    comm, status, lines = MPI.COMM_WORLD, 0, []
    for subject in options.subjects:
        report = producers.check(subject, _called, options.labels, options.dlpack,
                                 options.profile == "strict")
        lines.append(f"{subject} ({comm.size} ranks)\n{report}")
        status = max(status, _STATUS[report.verdict])
        if report and options.action == "explain":
            make = producers.maker(subject, _called)
            made = daptor.agreed(comm, functools.partial(make, comm))
            explanation = daptor.explain(daptor.import_(made, comm))
            lines[-1] = str(explanation)
            status = max(status, 0 if any(explanation) else _NOT_REPRESENTABLE)
    if comm.rank == 0:
        print("\n".join(lines))
    return status
