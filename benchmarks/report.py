#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes docs/benchmarks.md and its plots of one file of results.

    report.py collect LINES COMMIT VERSIONS RESULTS RANKS
        what the benchmarks have kept (--results), with what `daptor --version` prints
    report.py write RESULTS DOCS
        the page, and docs/images/bench-*.svg
    report.py check RESULTS DOCS
        says which of them are not what `write` makes

No number on the page is typed: sentences with numbers are made here, from the times of all pairs.
"""

import datetime
import html
import json
import math
import os
import pathlib
import statistics
import sys
import textwrap
from dataclasses import dataclass, field

COLOURS = ["#0b6e4f", "#c0392b", "#1f6fb2", "#b8860b", "#7b3fa0"]
DARK = ["#44bb99", "#ee8866", "#77aadd", "#eedd88", "#c9a0dc"]


LIBRARIES = ("MPI", "petsc", "tpetra", "scalapack", "fftw", "hdf5")


@dataclass
class Measured:
    """One pair of ways. Ratios are our time by the other's, of the same pair."""

    what: str
    at: str
    beside: str
    goal: float
    excess_goal: float
    ours: list
    theirs: list

    def ratio(self):
        return quartiles([a / b for a, b in zip(self.ours, self.theirs)])

    def excess(self):
        return quartiles([a - b for a, b in zip(self.ours, self.theirs)])

    def judged(self):
        """The verdict, and a sentence of it; None where there is no goal."""
        if not self.goal and not self.excess_goal:
            return None
        (lower, median, upper), goal = ((self.ratio(), self.goal) if self.goal
                                        else (self.excess(), self.excess_goal))
        verdict = "met" if median <= goal else "missed" if lower > goal else "undecided"
        text = number if self.goal else seconds
        name = ", ".join(part for part in (self.what, self.at) if part)
        return verdict, (f"{name}, beside {self.beside}: {text(median)} "
                         f"[{text(lower)}, {text(upper)}] for a goal of {text(goal)}")


@dataclass
class Question:
    """A section of the page with its plot."""

    key: str
    title: str
    text: str
    draw: object
    axis: str = "Daptor's time by the other's"
    series: list = field(default_factory=list)
    of: str = ""  # the question of the results, unless it is `key`
    plotted: object = None  # whether a measurement is in the plot; None: all are
    plots: str = ""  # which are, in words

    def among(self, found):
        """The measurements of this question: those beside its series, if it names some."""
        of = found.get(self.of or self.key, [])
        return [m for m in of if not self.series or m.beside in self.series]

    def picture(self, measured):
        return self.draw(self, [m for m in measured if not self.plotted or self.plotted(m)])

    def image(self):
        return f"bench-{self.key.replace(', ', '-').replace(' ', '-').lower()}.svg"


def quartiles(values):
    if len(values) == 1:
        return values[0], values[0], values[0]
    lower, median, upper = statistics.quantiles(values, n=4, method="inclusive")
    return lower, median, upper


def number(value):
    return f"{value:.3g}"


def seconds(value):
    for unit, size in (("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3)):
        if abs(value) < 999.5 * size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.3g} s"


class Picture:
    """An SVG whose colours follow the reader's theme; its background is its own."""

    def __init__(self, width, height, title):
        light = "".join(f".c{i}{{stroke:{c};fill:{c}}}" for i, c in enumerate(COLOURS))
        dark = "".join(f".c{i}{{stroke:{c};fill:{c}}}" for i, c in enumerate(DARK))
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'font-family="sans-serif" font-size="12" role="img">'
            f"<title>{html.escape(title)}</title>",
            "<style>.page{fill:#fff}.grid{stroke:#ddd}.axis{stroke:#777}text{fill:#222}"
            f"{light}.line{{fill:none;stroke-width:2}}"
            "@media (prefers-color-scheme:dark){.page{fill:#12161c}.grid{stroke:#333a44}"
            f".axis{{stroke:#99a}}text{{fill:#dde}}{dark}.line{{fill:none}}}}"
            "</style>",
            f'<rect class="page" width="{width}" height="{height}" rx="6"/>']

    def line(self, x1, y1, x2, y2, style, extra=""):
        self.parts.append(f'<line class="{style}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" '
                          f'y2="{y2:.1f}"{extra}/>')

    def text(self, x, y, text, anchor="start"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">'
                          f"{html.escape(text)}</text>")

    def dot(self, x, y, colour):
        self.parts.append(f'<circle class="c{colour}" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>')

    def path(self, points, colour, dashed):
        at = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashes = ' stroke-dasharray="5 4"' if dashed else ""
        self.parts.append(f'<polyline class="c{colour} line" points="{at}"{dashes}/>')

    def legend(self, names, x, y):
        for i, name in enumerate(names):
            self.dot(x, y - 4, i)
            self.text(x + 9, y, name)
            x += 28 + 6.6 * len(name)

    def end(self):
        return "\n".join([*self.parts, "</svg>", ""])


def nice_ticks(low, high):
    """Powers of ten and what is between them, on a logarithmic axis; tenths on a short one."""
    if high / low < 12:
        step = next(t for t in (0.1, 0.2, 0.5, 1, 2) if (high - low) / t <= 9)
        return [step * i for i in range(math.ceil(low / step), math.floor(high / step) + 1)]
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [m * 10.0 ** e for e in powers for m in ((1, 2, 5) if high / low < 200 else (1,))]
    return [t for t in ticks if low <= t <= high]


def ratios(question, measured):
    """Rows of what was done, with a dot for each other way: the median, its quartiles as a bar, and
    the goal as an upright line."""
    beside = question.series or list(dict.fromkeys(m.beside for m in measured))
    rows = list(dict.fromkeys((m.what, m.at) for m in measured))
    labels = [", ".join(part for part in row if part) for row in rows]
    left = 24 + 6.4 * max(map(len, labels))
    width, top, step = left + 470, 58, 24
    height = top + step * len(rows) + 42
    ends = [value for m in measured for value in (*m.ratio(), m.goal or 1)]
    low, high = min([*ends, 0.9]) / 1.15, max([*ends, 1.1]) * 1.15

    def x(value):
        return left + (width - 24 - left) * math.log(value / low) / math.log(high / low)

    out = Picture(width, height, question.title)
    out.legend(beside, 16, 22)
    bottom = top + step * len(rows) - 6
    for tick in nice_ticks(low, high):
        out.line(x(tick), top - 14, x(tick), bottom, "axis" if abs(tick - 1) < 1e-9 else "grid")
        out.text(x(tick), bottom + 16, number(tick), "middle")
    out.text((left + width) / 2, bottom + 34,
             question.axis + " (the upright strokes are goals)", "middle")
    for i, (row, label) in enumerate(zip(rows, labels)):
        y = top + step * i
        out.text(left - 10, y + 4, label, "end")
        for m in (m for m in measured if (m.what, m.at) == row):
            colour = beside.index(m.beside)
            at = y + 5 * (colour - (len(beside) - 1) / 2)
            lower, median, upper = m.ratio()
            out.line(x(lower), at, x(upper), at, f"c{colour}", ' stroke-width="2"')
            out.dot(x(median), at, colour)
            if m.goal:
                out.line(x(m.goal), at - 6, x(m.goal), at + 6, f"c{colour}", ' stroke-width="2"')
    return out.end()


def over_sizes(question, lines, sizes, goals=()):
    """Times over a size, linear from 0, with the quartiles as bars; goals are dotted lines.

    `lines`: a name or None, colour, dashed or not, and quartiles by size."""
    width, height, left, right, top, bottom = 820, 330, 66, 24, 48, 282
    most = max([*(v[2] for line in lines for v in line[3].values()), *(g for _, g in goals)]) * 1.1
    least = min([0, *(v[0] for line in lines for v in line[3].values())]) * 1.1

    def x(size):
        return left + 20 + (width - left - right - 40) * sizes.index(size) / max(1, len(sizes) - 1)

    def y(value):
        return bottom - (bottom - top) * (value - least) / (most - least)

    out = Picture(width, height, question.title)
    out.legend([name for name, *_ in lines if name], 16, 24)
    step = 10.0 ** math.floor(math.log10((most - least) / 2))
    step *= next(m for m in (1, 2, 5) if (most - least) / (step * m) <= 7)
    for i in range(math.ceil(least / step), int(most / step) + 1):
        out.line(left, y(i * step), width - right, y(i * step), "grid" if i else "axis")
        out.text(left - 6, y(i * step) + 4, seconds(i * step) if i else "0", "end")
    for size in sizes:
        out.text(x(size), bottom + 18, size, "middle")
    out.text((left + width - right) / 2, bottom + 38, question.axis, "middle")
    for colour, goal in goals:
        out.line(left, y(goal), width - right, y(goal), f"c{colour}", ' stroke-dasharray="1 5"')
    for _, colour, dashed, values in lines:
        out.path([(x(size), y(median)) for size, (_, median, _) in values.items()], colour, dashed)
        for size, (lower, median, upper) in values.items():
            out.line(x(size), y(lower), x(size), y(upper), f"c{colour}", ' stroke-width="2"')
            out.dot(x(size), y(median), colour)
    return out.end()


def times_over_size(question, measured):
    """Our times as lines, the other's dashed."""
    lines = []
    for colour, what in enumerate(dict.fromkeys(m.what for m in measured)):
        of = [m for m in measured if m.what == what]
        lines.append((f"{what}; dashed: {of[0].beside}", colour, False,
                      {m.at: quartiles(m.ours) for m in of}))
        lines.append((None, colour, True, {m.at: quartiles(m.theirs) for m in of}))
    return over_sizes(question, lines, list(dict.fromkeys(m.at for m in measured)))


def excess_over_size(question, measured):
    """Our times less the other's, and their goals."""
    lines, goals = [], []
    for colour, what in enumerate(dict.fromkeys(m.what for m in measured)):
        of = [m for m in measured if m.what == what]
        lines.append((f"{what} less {of[0].beside}", colour, False, {m.at: m.excess() for m in of}))
        goals.append((colour, of[0].excess_goal))
    return over_sizes(question, lines, list(dict.fromkeys(m.at for m in measured)), goals)


QUESTIONS = [
    Question(
        "hand-over", "What does a hand-over cost, beside the library's own call?", """
        Making an object on memory that is described and proven, and destroying it. No element is
        touched, so the time should not depend on their number.""",
        times_over_size, axis="doubles on each rank"),
    Question(
        "hand-over, without MPI", "What of that is Daptor's own work?", """
        The same calls without the time in MPI's collective calls, Daptor's time less the library's.
        Daptor makes one collective call more for the agreement of all ranks, and one when it closes
        a Vec.""",
        excess_over_size, axis="doubles on each rank (dotted: the goals)"),
    Question(
        "halo", "What does a halo exchange cost, beside one by hand?", """
        `halo.update()` of an array that is divided along one dimension. By hand is the better of a
        derived datatype and of packing; with cold caches, 128 MB are swept before each
        exchange.""", ratios, series=["by hand"],
        plotted=lambda m: "width 1, dof 1, double" in m.what + m.at,
        plots="one double a point, width 1"),
    Question(
        "halo beside PETSc and Tpetra", "What does it cost, beside PETSc's and Tpetra's?", """
        `DMLocalToLocal` also copies the interior; `Tpetra::Import` fills the whole section.""",
        ratios, series=["DMLocalToLocal", "Tpetra::Import"], of="halo"),
    Question(
        "redistribution", "What does a redistribution cost, beside others and a copy?", """
        One use, with its set-up, beside a `memcpy` of the local part and beside libraries that do
        the same. COSTA is not compared: Debian does not package it.""",
        ratios, series=["memcpy", "pdgemr2d", "PetscSF", "VecScatter"]),
    Question(
        "node", "What is it worth that ranks of a node send no messages?", """
        Redistributions, with their set-up, and halo exchanges (20 in a row), beside the same by
        messages, beside a `memcpy` of the local part, and beside a derived datatype by
        hand.""", ratios, series=["messages", "memcpy", "by hand"]),
    Question(
        "fft", "What does a Fourier transform cost, beside FFTW-MPI?", """
        Transforms of n x n x n by FFTW on each process, with redistributions between. Both sides
        plan by measurement.""", ratios),
    Question(
        "solution", "MueLu beside GAMG and hypre, from a matrix to the same residual", """
        Conjugate gradients to a relative residual of 1e-8 for a 2-d Laplacian, set-up and hand-over
        of the matrix included: `-pc_type muelu` beside `gamg` and BoomerAMG with their
        defaults.""", ratios),
    Question(
        "doctor", "What does the doctor cost?", """
        A PETSc program (conjugate gradients with GAMG, four solves) with the plug-in, beside the
        same program without.""", ratios),
    Question(
        "files", "What do files cost, beside HDF5 alone?", """
        A matrix to and from a file, without `fsync`, beside a collective hyperslab of the same
        bytes; where the array is not in boxes, with the redistribution that HDF5 alone then
        needs.""", ratios),
]

INTRODUCTION = """\
# Benchmarks

    scripts/bench --report        # measures all of this, and writes this page
    scripts/bench halo fft        # these groups, as tables
    scripts/bench --quick         # small sizes, a few seconds

Daptor and what it is compared with are timed in turn in one run, and a ratio is that of
neighbours; the time of a repetition is that of its slowest rank. A dot is the median of all
pairs, and the bar leads from the lower to the upper quartile. A goal is met if the median is at or
below it, missed if the lower quartile is above it, and else undecided. Absolute times say little
about other machines; ratios are what counts.

"""
MEASURED = ("Measured on {date}, commit {commit}, {ranks} ranks on {machine}; {libraries}. All "
            "pairs are in [`benchmarks/results.json`](../benchmarks/results.json).")


def read(path):
    with open(path, encoding="utf-8") as file:
        results = json.load(file)
    found = {}
    for row in results["measured"]:
        row = dict(row)
        found.setdefault(row.pop("question"), []).append(Measured(**row))
    return results, found


def verdicts(measured):
    """What the goals of a question have come to, as sentences."""
    judged = [verdict for verdict in (m.judged() for m in measured) if verdict]
    if not judged:
        return []
    met = sum(verdict == "met" for verdict, _ in judged)
    lines = [f"**{met} of {len(judged)} goals are met.**"]
    for name in ("missed", "undecided"):
        lines += [f"- {name}: {sentence}" for verdict, sentence in judged if verdict == name]
    return lines


def page(results, found):
    measured = MEASURED.format(libraries=", ".join(results["versions"]), **results)
    measured = textwrap.fill(measured, 100, break_long_words=False, break_on_hyphens=False)
    lines = [INTRODUCTION + measured]
    for question in QUESTIONS:
        measured = question.among(found)
        if not measured:
            continue
        text = " ".join(question.text.split())
        if question.plots:
            text += f" The plot is of {question.plots}; goals and results of all {len(measured)}."
        lines += ["", f"## {question.title}", "", *textwrap.wrap(text, 100), "",
                  f"![{question.title}](images/{question.image()})"]
        judged = verdicts(measured)
        if judged:
            lines += ["", judged[0], *([""] if len(judged) > 1 else []), *judged[1:]]
    lines += ["", "## What grows with the number of ranks?", "",
              "Counts on simulated ranks, and a model of their time: [what grows with the number",
              "of processes](scale.md).", "",
              "![Modelled times over the number of ranks](images/scale.svg)", ""]
    return "\n".join(lines)


def made(path):
    """Maps the names of files in the folder of pages to their contents."""
    results, found = read(path)
    files = {"benchmarks.md": page(results, found)}
    for question in QUESTIONS:
        measured = question.among(found)
        if measured:
            files[f"images/{question.image()}"] = question.picture(measured)
    return files


def machine():
    """Number of cores and the model of the processor."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    cores = len(os.sched_getaffinity(0))
    return f"{cores} cores of {models[0] if models else 'an unknown processor'}"


def collect(lines_path, commit, versions_path, results_path, ranks):
    with open(lines_path, encoding="utf-8") as file:
        rows = [{"excess_goal": 0, **json.loads(line)} for line in file]
    with open(versions_path, encoding="utf-8") as file:
        # "  petsc: PETSc 3.18.5, real double, ..." and "MPI: Open MPI 4.1.4"
        named = [line.strip().partition(": ")[2].partition(",")[0] for line in file
                 if line.strip().split(":")[0] in LIBRARIES]
    results = {"commit": commit, "date": datetime.date.today().isoformat(), "ranks": int(ranks),
               "machine": machine(), "versions": named}
    head = json.dumps(results)[:-1]
    body = ",\n".join(json.dumps(row) for row in rows)
    pathlib.Path(results_path).write_text(f'{head}, "measured": [\n{body}\n]}}\n', encoding="utf-8")


def main():
    command, *rest = sys.argv[1:]
    if command == "collect":
        collect(*rest)
        return 0
    results, docs = map(pathlib.Path, rest)
    stale = 0
    for name, content in made(results).items():
        place = docs / name
        if command == "write":
            place.write_text(content, encoding="utf-8")
        elif not place.exists() or place.read_text(encoding="utf-8") != content:
            print(f"{place} is not what report.py write makes of {results}", file=sys.stderr)
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
