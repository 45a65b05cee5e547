# SPDX-License-Identifier: BSD-3-Clause
"""What a launcher of MPI has told this process, without MPI."""

from __future__ import annotations

import os
import sys
from typing import Optional

# Of Open MPI, of MPICH and Intel MPI, and of PMIx.
_RANKS = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK")


def _number(name: str) -> Optional[int]:
    text = os.environ.get(name, "")
    return int(text) if text.isdecimal() else None


def _in_slurm() -> Optional[int]:
    """Slurm sets its variables in the script of a job, too, which is one process."""
    return _number("SLURM_PROCID") if (_number("SLURM_STEP_NUM_TASKS") or 1) > 1 else None


def launched() -> bool:
    """Whether a launcher runs this process."""
    return any(os.environ.get(name) for name in _RANKS) or _in_slurm() is not None


def answers() -> bool:
    """Whether this process is the one that writes what all ranks would write alike: the first, or
    one whose command was typed in a terminal of its rank."""
    ranks = [number for number in map(_number, _RANKS) if number is not None]
    rank = ranks[0] if ranks else _in_slurm()
    return not rank or (sys.stdin is not None and sys.stdin.isatty())
