# SPDX-License-Identifier: BSD-3-Clause
"""Descriptions of producers as text in Daptor's JSON format (docs/json.md)."""

from __future__ import annotations

import json
import operator
from typing import Any, Dict, List, Optional, Tuple

from . import _daptor
from ._builders import refuse_masked
from ._daptor import Array

_BEYOND = 1 << 80
_DEEPEST = 16  # no description needs more than five


def _buffer(value: Any) -> Dict[str, Any]:
    refuse_masked("buffer", value)
    with memoryview(value) as view:
        form = {"shape": list(view.shape or ()), "strides": list(view.strides or ()),
                "readonly": view.readonly}
        try:
            import numpy
            return {"dtype": numpy.asarray(view).dtype.str, **form}
        except (ImportError, ValueError, TypeError):
            return {"format": view.format, **form}


def _indices(value: Any) -> Optional[Dict[str, Any]]:
    """The integers of a buffer. NumPy makes arrays of other objects too, which a reader refuses."""
    import numpy
    refuse_masked("indices", value)
    with memoryview(value):
        array = numpy.asarray(value)
    if array.dtype.kind not in "iu":
        return None
    return {"dtype": array.dtype.str, "values": array.tolist()}


def _text(value: str) -> str:
    """The text in UTF-8, which has no lone surrogates."""
    return value.encode("utf-8", "replace").decode()


def _json(value: Any, key: str = "", depth: int = 0) -> Any:
    """The value, valid or not, as JSON has it; None for a value that JSON does not have."""
    if depth > _DEEPEST:
        return None
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        return {_text(str(name)): _json(item, str(name), depth + 1)
                for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_json(item, "", depth + 1) for item in value]
    try:
        if key == "buffer":
            return _buffer(value)
        if key == "indices":
            return _indices(value)
        if type(value).__name__ in ("bool_", "bool"):
            return bool(value)
        # Beyond 64 bits it only matters that a number is; Python writes no number of any length.
        return max(-_BEYOND, min(_BEYOND, operator.index(value)))
    except (TypeError, ValueError, BufferError, ImportError):
        return None


def _description(producer: Any, comm: Any) -> Any:
    if isinstance(producer, Array):
        return producer.__distarray__()
    if hasattr(producer, "__distarray__"):
        return producer.__distarray__()
    if isinstance(producer, dict):
        return producer
    return _daptor._describe(producer, comm).__distarray__()  # a capsule


def section(producer: Any, comm: Any) -> str:
    """One rank's description. Process-local. An exception of the producer is recorded."""
    try:
        recorded = _json(_description(producer, comm))
    except BaseException as error:  # pylint: disable=broad-except
        recorded = {"error": _daptor._describe_error(error)}
    return json.dumps(recorded)


def document(name: str, sections: List[str]) -> Tuple[str, bool]:
    """The text of the file with all ranks' sections, and whether the producer failed on any."""
    ranks = ",\n    ".join(sections)
    failed = any(isinstance(one, dict) and set(one) == {"error"}
                 for one in map(json.loads, sections))
    return ('{\n  "format": 1,\n'
            f'  "name": {json.dumps(name)},\n  "nranks": {len(sections)},\n'
            f'  "ranks": [\n    {ranks}\n  ]\n}}\n', failed)
