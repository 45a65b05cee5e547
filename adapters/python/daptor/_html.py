# SPDX-License-Identifier: BSD-3-Clause
"""Reports and explanations as HTML, for notebooks."""

from __future__ import annotations

from html import escape
from typing import Any, Iterable

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
            (f"<br>{escape(entry.copy_condition)}" if entry.copy_condition else ""),
            "" if entry.bytes_to_move is None else str(entry.bytes_to_move),
            "<br>".join(escape(str(use)) for use in entry.uses)
        ])
    headings = ("target", "without a copy", "bytes an index", "why not", "call", "bytes to move",
                "in use")
    return _table(headings, rows)
