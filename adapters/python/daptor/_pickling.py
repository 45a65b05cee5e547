# SPDX-License-Identifier: BSD-3-Clause
"""What pickled findings are made of again: pickle wants a function of Python's own."""

from __future__ import annotations

from typing import Any

from . import _daptor


def finding(*fields: Any) -> "_daptor.Finding":
    """The finding with these fields."""
    return _daptor._finding(*fields)
