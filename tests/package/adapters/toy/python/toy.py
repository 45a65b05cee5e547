# SPDX-License-Identifier: BSD-3-Clause
"""Lists of the library Toy, by ctypes."""

import ctypes
from typing import Any

from ._bindings import library


_toy = library("toy")
_toy.daptor_toy_sum.restype = ctypes.c_double
_toy.daptor_toy_sum.argtypes = [ctypes.c_void_p, ctypes.c_long]


def sum(values: Any) -> float:
    """The sum of contiguous doubles. Process-local."""
    total: float = _toy.daptor_toy_sum(values.ctypes.data, values.size)
    return total
