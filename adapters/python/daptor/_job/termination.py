# SPDX-License-Identifier: BSD-3-Clause
"""What a process prints when it is told to end (SIGTERM), even if it waits in MPI.

MPI_Abort, a crash of another rank and an interrupt of mpirun end the other ranks in this way.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from typing import Callable, List, Sequence, Set

_MAIN = threading.main_thread()


def main_thread_lines(left_out: Sequence[str]) -> str:
    """The lines of code in which the main thread is, outermost first. Process-local.

    left_out  parts of paths of files, whose lines are left out
    """
    frame = sys._current_frames().get(_MAIN.ident or 0)
    lines = [line for line in traceback.extract_stack(frame)
             if not any(part in line.filename for part in left_out)] if frame else []
    return "".join(traceback.format_list(lines)).rstrip()


def print_when_terminated(text: Callable[[], str]) -> None:
    """From now on, SIGTERM prints a text on the present standard error, and ends the process.

    text  called in a thread of its own, without communication; an empty text is not printed

    Process-local. Does nothing outside of the main thread, if the program handles SIGTERM itself,
    or if it has a file for the numbers of signals (signal.set_wakeup_fd, as asyncio).
    """
    if threading.current_thread() is not _MAIN or (
            signal.getsignal(signal.SIGTERM) != signal.SIG_DFL):
        return
    numbers, written = os.pipe()
    os.set_blocking(written, False)
    former = signal.set_wakeup_fd(written, warn_on_full_buffer=False)
    if former != -1:
        signal.set_wakeup_fd(former)
        os.close(numbers)
        os.close(written)
        return

    # The main thread calls this between two instructions of Python, hence never while it waits in
    # MPI. Python writes the signal's number into the pipe at once, which wakes the thread.
    signal.signal(signal.SIGTERM, lambda number, frame: None)
    _keep_to_this_process()
    output = os.dup(2)

    def wait() -> None:
        while signal.SIGTERM not in os.read(numbers, 1):
            pass
        try:
            os.write(output, text().encode("utf-8", "replace"))
        finally:
            os._exit(128 + signal.SIGTERM)

    threading.Thread(target=wait, name="daptor-termination", daemon=True).start()


def _keep_to_this_process() -> None:
    """A child process has the same file for signals, and does not write its own there."""
    masks: List[Set[int]] = []

    def before() -> None:
        masks.append(set(signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})))

    def in_parent() -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, masks.pop())

    def in_child() -> None:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        in_parent()

    os.register_at_fork(before=before, after_in_parent=in_parent, after_in_child=in_child)
