# SPDX-License-Identifier: BSD-3-Clause
"""Unpickling of findings, for which pickle needs a function that is written in Python."""

from __future__ import annotations

from typing import Any

from . import _daptor


def finding(*fields: Any) -> "_daptor.Finding":
    """The finding with these fields."""
    return _daptor._finding(*fields)
