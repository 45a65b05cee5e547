# SPDX-License-Identifier: BSD-3-Clause
"""What help(a) says of an Array: its public names, each with its first sentence."""

from __future__ import annotations

from typing import Any, List


def _first_sentence(value: Any) -> str:
    text = (getattr(value, "__doc__", None) or "").lstrip()
    lines = text.splitlines()
    while lines and "(" in lines[0] and "->" in lines[0]:  # pybind11's signature
        lines.pop(0)
    paragraph = " ".join(line.strip() for line in "\n".join(lines).strip().split("\n\n")[0].split())
    return paragraph.partition(". ")[0].rstrip(".:")


class _Text:
    """The docstring of a class, and a shorter text for its objects, for which pydoc asks first."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __get__(self, value: Any, kind: type) -> str:
        if value is None:
            return self._text
        lines: List[str] = [self._text.partition("\n\n")[0], ""]
        names = [name for name in dir(kind) if not name.startswith("_")]
        width = max(map(len, names))
        for name in names:
            lines.append(f"{name:{width}}  {_first_sentence(getattr(kind, name))}")
        lines += ["", f"help(daptor.{kind.__name__}.sum) says more of one of them."]
        return "\n".join(lines)


def teach(kind: type) -> None:
    """Gives objects of the class the shorter text."""
    setattr(kind, "__doc__", _Text(kind.__doc__ or ""))
