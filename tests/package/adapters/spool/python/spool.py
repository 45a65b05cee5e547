# SPDX-License-Identifier: BSD-3-Clause
"""Vectors of the library Spool, by ctypes."""

import ctypes
from typing import Any

from ._bindings import library


_spool = library("spool")
_spool.daptor_spool_scale.restype = None
_spool.daptor_spool_scale.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_long,
                                      ctypes.c_double]


def scale(values: Any, by: float) -> None:
    """Multiplies doubles of one dimension, with any stride, by a number. Process-local."""
    _spool.daptor_spool_scale(values.ctypes.data, values.size,
                              values.strides[0] // values.itemsize, by)
