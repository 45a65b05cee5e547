# SPDX-License-Identifier: BSD-3-Clause
"""Reports, explanations and arrays as HTML, for notebooks."""

from __future__ import annotations

from html import escape
from typing import Any, Iterable, List, Tuple

_COLOURS = {"error": "#b3261e", "warning": "#8a5a00", "note": "#4a5568"}


def _table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f"<th style='text-align:left'>{heading}</th>" for heading in headings)
    body = "".join(
        "<tr>" + "".join(f"<td style='text-align:left'>{cell}</td>" for cell in row) + "</tr>"
        for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>" if text else ""


def _ranks(finding: Any) -> str:
    if not finding.ranks:
        return "all"
    more = finding.rank_count - len(finding.ranks)
    return ", ".join(map(str, finding.ranks)) + (f" and {more} more" if more > 0 else "")


def _where(finding: Any) -> str:
    parts = [] if finding.dimension is None else [f"dimension {finding.dimension}"]
    if finding.key:
        parts.append(_code(finding.key))
    return ", ".join(parts)


def _row(finding: Any) -> list[str]:
    colour = _COLOURS.get(finding.severity, "inherit")
    return [
        f"<b style='color:{colour}'>{escape(finding.rule)}</b> {escape(finding.severity)}",
        _ranks(finding), _where(finding), escape(finding.found), escape(finding.expected),
        escape(finding.remedy)
    ]


def report(value: Any) -> str:
    """A Report: the verdict, and a table of what was found."""
    colour = "#1b6e3c" if value else _COLOURS["error"]
    verdict = f"<b style='color:{colour}'>{escape(value.verdict)}</b>"
    if not value.findings:
        return f"<div>{verdict}: no findings</div>"
    headings = ("rule", "ranks", "where", "found", "asked", "do")
    return f"<div>{verdict}{_table(headings, map(_row, value.findings))}</div>"


def explanation(value: Any) -> str:
    """An Explanation: each target, whether it can hold the array, why not, and what to call."""
    rows = []
    for entry in value:
        reasons = "<br>".join(escape(f"{reason.rule}: {reason.found}") for reason in entry.reasons)
        rows.append([
            _code(entry.target), "yes" if entry else "no",
            f"{entry.bytes_per_index:g}" if entry else "", reasons,
            _code(entry.python_call or entry.copy_call) +
            "".join(f"<br>{escape(text)}" for text in (entry.copy_condition, entry.sizes) if text),
            "" if entry.bytes_to_move is None else str(entry.bytes_to_move),
            "<br>".join(escape(str(use)) for use in entry.uses)
        ])
    headings = ("target", "without a copy", "bytes an index", "why not", "call", "bytes to move",
                "in use")
    return _table(headings, rows)


_PICTURE = 160  # pixels of the longer side
_CELLS = 64  # of a dimension, in which lists of indices are drawn


def _runs(held: Any, extent: int) -> List[Tuple[float, float]]:
    """Half-open runs of what this rank holds: of a list of indices those of the cells in which
    there is one, as global indices."""
    if isinstance(held, tuple):
        return [(held[0], held[1])] if held[1] > held[0] else []
    import numpy
    cells = min(extent, _CELLS)
    filled = numpy.unique(numpy.asarray(held) * cells // extent)
    if not filled.size:
        return []
    ends = [int(end) for end in numpy.flatnonzero(numpy.diff(filled) != 1)]
    return [(float(filled[first] * extent / cells), float((filled[last] + 1) * extent / cells))
            for first, last in zip([0, *(end + 1 for end in ends)], [*ends, -1])]


def _picture(value: Any) -> str:
    """Where this rank's elements are in the array: dimension 0 downwards, the last one to the
    right. Of more dimensions than two the last two are drawn."""
    shape = value.shape[-2:]
    runs = [_runs(held, extent) for held, extent in zip(value._held[-2:], shape)]
    if len(shape) == 1:  # a line
        shape, runs = (max(1, shape[0] // 12), shape[0]), [[(0, max(1, shape[0] // 12))], runs[0]]
    scale = _PICTURE / max(shape)
    height, width = (max(4.0, extent * scale) for extent in shape)
    down, right = height / shape[0], width / shape[1]
    parts = "".join(
        f"<rect x='{left * right:.2f}' y='{top * down:.2f}' width='{(stop - left) * right:.2f}' "
        f"height='{(bottom - top) * down:.2f}' fill='#77aadd'/>"
        for top, bottom in runs[0] for left, stop in runs[1])
    return (f"<svg width='{width + 2:.0f}' height='{height + 2:.0f}' "
            f"viewBox='-1 -1 {width + 2:.2f} {height + 2:.2f}'>{parts}"
            f"<rect x='0' y='0' width='{width:.2f}' height='{height:.2f}' fill='none' "
            "stroke='#4a5568'/></svg>")


def array(value: Any) -> str:
    """An Array: what it prints, and a picture of what this rank owns of it. Process-local."""
    drawn = value.ndim > 0 and 0 not in value.shape
    return f"<div>{_code(repr(value))}{'<br>' + _picture(value) if drawn else ''}</div>"
