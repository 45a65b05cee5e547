#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the tables and the plot of docs/scale.md from what the programs have counted.

    report.py <counts.jsonl> <peers.jsonl> <real.txt> <docs> <operations.md>

Each table of the page stands between two lines, <!-- name --> and <!-- end -->, and is replaced.
The last file gets a table of all operations, which is not on the page.
"""

import json
import math
import re
import sys

# Published measurements of a Cray XC40 (Trinity) and of an Omni-Path cluster; docs/scale.md names
# the sources.
LATENCY = 1.2e-6  # of a message of 8 bytes
OVERHEAD = 0.35e-6  # between two messages that a rank sends or receives
BANDWIDTH = 9.6e9 / 32  # of a node, which 32 ranks share
MOST_MODELLED = 100000  # ranks


def bytes_text(value):
    for unit in ("B", "KB", "MB"):
        if value < 10000 or unit == "MB":
            return f"{value:.0f} {unit}"
        value /= 1000
    return ""


def time_text(seconds):
    if seconds >= 1e-3:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds * 1e6:.3g} us"


def number(value):
    return f"{value:.0f}"


FORMATS = {"allocated": bytes_text, "kept": bytes_text, "sent_bytes": bytes_text,
           "received_bytes": bytes_text, "longest_message": bytes_text, "seconds": time_text,
           "mean_seconds": time_text}

log2 = math.log2


def side(ranks, ndim):
    """Processes along the longest dimension of the grid."""
    return 2 ** math.ceil(log2(ranks) / ndim)


# What was promised: operation, what is counted, case, step, counter, bound as text, and as a
# function of P. tests/scale holds these and all other operations on up to 1024 ranks.
GOALS = [
    ("validate an even array", "collective calls", "validate 3-d even", "validate", "collectives",
     "1", lambda p: 1),
    ("validate an even array", "memory", "validate 3-d even", "validate", "allocated", "8 KB",
     lambda p: 8e3),
    ("map of an even array", "memory kept", "map 3-d even", "map", "kept", "4 KB", lambda p: 4e3),
    ("map of uneven blocks, 3-d", "memory kept", "map 3-d uneven, padded", "map", "kept",
     "24 P^(1/3) + 4 KB", lambda p: 24 * side(p, 3) + 4e3),
    ("map of uneven blocks, 1-d", "memory kept", "map 1-d uneven, padded", "map", "kept",
     "8 P + 4 KB", lambda p: 8 * p + 4e3),
    ("map of uneven blocks, 1-d", "messages sent", "map 1-d uneven, padded", "map", "sent",
     "log2 P + 2", lambda p: log2(p) + 2),
    ("map of uneven blocks, 3-d, ranks in another order", "messages sent",
     "map 3-d uneven, padded, ranks in another order", "map", "sent", "3 log2 P + 8",
     lambda p: 3 * log2(p) + 8),
    ("3-d halo, 26 neighbours: set-up", "messages sent", "halo 3-d even", "set-up", "sent",
     "6 + 26", lambda p: 32),
    ("3-d halo, 26 neighbours: set-up", "memory kept", "halo 3-d even", "set-up", "kept",
     "2 KB a neighbour", lambda p: 2e3 * 26),
    ("3-d halo, 26 neighbours: update", "messages sent", "halo 3-d even", "update", "sent", "26",
     lambda p: 26),
    ("slabs to pencils: set-up", "messages sent", "redistribute slabs to pencils", "set-up", "sent",
     "sqrt(P) + 4", lambda p: side(p, 2) + 4),
    ("slabs to pencils: set-up", "memory", "redistribute slabs to pencils", "set-up", "allocated",
     "2 KB sqrt(P) + 10 KB", lambda p: 2e3 * side(p, 2) + 1e4),
    ("irregular to regular blocks: set-up", "messages sent", "redistribute irregular to regular",
     "set-up", "sent", "log2 P + 6", lambda p: log2(p) + 6),
    ("irregular to regular blocks: set-up", "memory kept", "redistribute irregular to regular",
     "set-up", "kept", "100 KB", lambda p: 1e5),
    ("a permutation to blocks: run", "messages sent", "redistribute permutation to blocks", "run",
     "sent", "1000", lambda p: 1000),
    ("validate a permutation, level full", "memory", "validate permutation, full", "validate",
     "allocated", "200 KB", lambda p: 2e5),
    ("validate a permutation, level full", "messages received", "validate permutation, full",
     "validate", "received", "8 sqrt(P) + 64", lambda p: 8 * side(p, 2) + 64),
    ("validate ghosts that all ranks have", "messages received",
     "validate ghosts that all ranks have, full", "validate", "received", "8 sqrt(P) + 64",
     lambda p: 8 * side(p, 2) + 64),
    ("directory of a permutation", "memory kept", "map permutation",
     "one_to_one (makes the directory)", "kept", "40 KB", lambda p: 4e4),
    ("all ranks ask for the owner of one index", "messages received", "map permutation",
     "owner of one index, the same on all ranks", "received", "8 sqrt(P) + 64",
     lambda p: 8 * side(p, 2) + 64),
    ("one rank fails: tell all", "depth", "agreement", "one rank fails", "depth", "2 log2 P",
     lambda p: 2 * log2(p)),
    ("one bound is wrong: tell all", "depth", "validate 3-d uneven, one bound wrong", "validate",
     "depth", "40 log2 P + 10", lambda p: 40 * log2(p) + 10),
    ("all ranks are at fault: name 100", "messages received",
     "validate all ranks at fault, 100 listed", "validate", "received", "log2 P + 2",
     lambda p: log2(p) + 2),
    ("all ranks are at one grid position", "messages received",
     "validate all ranks at one position", "validate", "received", "8 sqrt(P) + 64",
     lambda p: 8 * side(p, 2) + 64),
]


class Counts:
    def __init__(self, path):
        self.rows = {}
        self.ranks = set()
        self.order = []
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                key = (row["case"], row["step"])
                if key not in self.order:
                    self.order.append(key)
                self.rows[(*key, row["ranks"])] = row
                self.ranks.add(row["ranks"])

    def get(self, case, step, ranks):
        return self.rows.get((case, step, ranks))


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def goals(counts):
    shown = [r for r in (2, 64, 1024) if r in counts.ranks]
    rows = []
    for operation, counted, case, step, counter, text, bound in GOALS:
        form = FORMATS.get(counter, number)
        values = {r: counts.get(case, step, r)[counter] for r in sorted(counts.ranks)
                  if r > 1 and counts.get(case, step, r)}
        met = all(value <= bound(r) * (1 + 1e-9) for r, value in values.items())
        most = max(values)
        rows.append([operation, counted, text,
                     *(form(values[r]) if r in values else "" for r in shown),
                     form(values[most]), number(most), "met" if met else "missed"])
    return table(["operation", "for a rank", "promised", *(f"P = {r}" for r in shown),
                  "most ranks", "P", ""], rows)


def operations(counts):
    """Each operation on the largest number of ranks on which it was counted."""
    rows = []
    for case, step in counts.order:
        ranks = max(r for r in counts.ranks if counts.get(case, step, r))
        row = counts.get(case, step, ranks)
        name = case if step == "validate" else f"{case}: {step}"
        rows.append([name, number(ranks), number(row["collectives"]), number(row["sent"]),
                     number(row["received"]), bytes_text(row["sent_bytes"]),
                     bytes_text(row["longest_message"]), number(row["depth"]),
                     bytes_text(row["allocated"]), bytes_text(row["kept"]),
                     time_text(row["mean_seconds"])])
    return table(["operation", "P", "collective calls", "sent", "received", "bytes sent",
                  "longest", "depth", "allocated", "kept", "computation"], rows)


def model(row):
    """Seconds, from the counts of the rank with the most of each."""
    ranks = row["ranks"]
    levels = math.ceil(log2(ranks)) if ranks > 1 else 0
    depth = row["depth"]
    if row["case"].startswith("redistribute") and row["step"] == "run":
        depth = max(depth, math.ceil(row["sent"] / 4))  # four messages are on their way at a time
    return (LATENCY * depth + OVERHEAD * (row["sent"] + row["received"])
            + (row["sent_bytes"] + row["received_bytes"]
               + levels * row["collective_bytes"]) / BANDWIDTH)


def partners(ranks):
    """Expected number of ranks that 1000 elements in any order go to."""
    return ranks * (1 - (1 - 1 / ranks) ** 1000) if ranks > 1 else 0


def peer_model(library, rows, ranks):
    """The same for another library, from what it did on the two largest numbers of ranks.

    Bytes that grow with P continue to grow as they did between the two, and messages with the
    number of partners. On more than 1024 ranks PETSc finds its partners without an array of all
    ranks.
    """
    less, last = sorted(rows)[-2:]

    def at(counter, size):
        slope = (rows[last][counter] - rows[less][counter]) / (last - less)
        return rows[last][counter] + slope * (size - last)

    levels = math.ceil(log2(ranks)) if ranks > 1 else 0
    reduced = at("collective_bytes", min(ranks, 1024) if "PETSc" in library else ranks)
    gathered = at("gathered_bytes", ranks)
    messages = rows[last]["messages"] * partners(ranks) / partners(last)
    return (LATENCY * (levels * rows[last]["collectives"] + (2 if messages else 0))
            + OVERHEAD * 2 * messages
            + (2 * rows[last]["message_bytes"] + gathered + 2 * reduced) / BANDWIDTH)


MODELLED = [
    ("import: proof and map of an uneven 3-d array", [("map 3-d uneven, padded", "map")]),
    ("set-up of a halo, 10 x 10 x 10 a rank", [("halo 3-d even", "set-up")]),
    ("set-up of slabs to pencils", [("redistribute slabs to pencils", "set-up")]),
    ("run of slabs to pencils, 512 KB a rank", [("redistribute slabs to pencils", "run")]),
    ("map and directory of 1000 indices a rank",
     [("map permutation", "map"), ("map permutation", "one_to_one (makes the directory)")]),
    ("set-up of a permutation of 1000 elements a rank",
     [("redistribute permutation to blocks", "set-up")]),
]
PEERS = [
    ("PETSc: DMDA of the grid with the halo", "3-d grid with halo", "PETSc DMDA"),
    ("Tpetra: Map with directory, 1000 indices a rank", "list of indices", "Tpetra Map"),
    ("PETSc: VecScatter of the permutation", "permutation", "PETSc VecScatter"),
]


def read_peers(path):
    peers = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if not line.startswith("{"):
                continue
            row = json.loads(line)
            peers.setdefault((row["object"], row["library"]), {})[row["ranks"]] = row
    return peers


def extended(points, ranks):
    """The time on more ranks, if it goes on growing as between the two largest numbers counted."""
    (less, before), (last, time) = points[-2:]
    return time * (ranks / last) ** (math.log(time / before) / math.log(last / less))


def curves(counts, peers):
    """Name, times on numbers of ranks, and the largest number of ranks that was counted."""
    found = []
    for name, steps in MODELLED:
        points = []
        for ranks in sorted(r for r in counts.ranks if r > 1):
            rows = [counts.get(case, step, ranks) for case, step in steps]
            if all(rows):
                points.append((ranks, sum(model(row) for row in rows)))
        counted = points[-1][0]
        if counted < MOST_MODELLED:
            points.append((MOST_MODELLED, extended(points, MOST_MODELLED)))
        found.append((name, points, counted))
    for name, item, library in PEERS:
        rows = peers.get((item, library))
        if rows:
            modelled = sorted(r for r in {*counts.ranks, MOST_MODELLED} if r > 1)
            points = [(r, peer_model(library, rows, r)) for r in modelled]
            found.append((name, points, 0))
    return found


def peers_table(peers):
    ranks = sorted({r for rows in peers.values() for r in rows})
    ends = [ranks[0], ranks[-1]]
    rows = []
    for (item, library), each in peers.items():
        last = each[max(each)]
        rows.append([item, library, *(bytes_text(each[r]["kept"]) if r in each else ""
                                      for r in ends),
                     number(last["collectives"]), bytes_text(last["gathered_bytes"]),
                     number(last["messages"])])
    return table(["object", "library", *(f"kept, P = {r}" for r in ends),
                  "collective calls", "bytes for all ranks", "messages"], rows)


COLOURS = ["#0b6e4f", "#1f6fb2", "#7b3fa0", "#b8860b", "#2f4858", "#20a39e", "#c0392b",
           "#e67e22", "#d35d9a"]


def plot(lines):
    """A log-log plot as SVG."""
    width, height, left, right, top, bottom = 900, 470, 70, 350, 20, 50
    values = [t for _, points, _ in lines for _, t in points]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    most = max(r for _, points, _ in lines for r, _ in points)

    def x(ranks):
        return left + (width - left - right) * (log2(ranks) - 1) / (log2(most) - 1)

    def y(seconds):
        share = (math.log10(seconds) - low) / (high - low)
        return height - bottom - (height - top - bottom) * share

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           f'font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    names = {-6: "1 us", -5: "10 us", -4: "100 us", -3: "1 ms", -2: "10 ms", -1: "100 ms",
             0: "1 s"}
    for power in range(low, high + 1):
        at = y(10.0 ** power)
        out.append(f'<line x1="{left}" y1="{at:.1f}" x2="{width - right}" y2="{at:.1f}" '
                   'stroke="#ddd"/>')
        out.append(f'<text x="{left - 8}" y="{at + 4:.1f}" text-anchor="end">'
                   f'{names.get(power, f"1e{power} s")}</text>')
    ranks = 2
    while ranks <= most:
        out.append(f'<line x1="{x(ranks):.1f}" y1="{top}" x2="{x(ranks):.1f}" '
                   f'y2="{height - bottom}" stroke="#eee"/>')
        out.append(f'<text x="{x(ranks):.1f}" y="{height - bottom + 18}" text-anchor="middle">'
                   f'{ranks}</text>')
        ranks *= 8
    out.append(f'<text x="{(left + width - right) / 2:.0f}" y="{height - 10}" '
               'text-anchor="middle">ranks</text>')
    for i, (name, points, counted) in enumerate(lines):
        colour = COLOURS[i % len(COLOURS)]
        dashes = "" if counted else ' stroke-dasharray="6 4"'

        def draw(part, style):
            path = " ".join(f"{x(r):.1f},{y(t):.1f}" for r, t in part)
            out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" '
                       f'stroke-width="2"{style}/>')

        solid = [point for point in points if not counted or point[0] <= counted]
        draw(solid, dashes)
        if counted and counted < points[-1][0]:
            draw([solid[-1], points[-1]], ' stroke-dasharray="2 3"')
        at = top + 16 + 20 * i
        out.append(f'<line x1="{width - right + 15}" y1="{at - 4}" x2="{width - right + 40}" '
                   f'y2="{at - 4}" stroke="{colour}" stroke-width="2"{dashes}/>')
        out.append(f'<text x="{width - right + 46}" y="{at}" font-size="11">{name}</text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


def replace(text, name, content):
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.S)
    if not pattern.search(text):
        sys.exit(f"report.py: the page has no place for '{name}'")
    return pattern.sub(lambda m: f"{m[1]}\n{content}\n\n{m[2]}", text)


def main():
    counts_path, peers_path, real_path, docs, operations_path = sys.argv[1:]
    counts = Counts(counts_path)
    peers = read_peers(peers_path)
    lines = curves(counts, peers)
    page = docs + "/scale.md"
    with open(page, encoding="utf-8") as file:
        text = file.read()
    with open(real_path, encoding="utf-8") as file:
        real = "".join("    " + line for line in file).rstrip()
    for name, content in (("goals", goals(counts)), ("peers", peers_table(peers)),
                          ("real", real)):
        text = replace(text, name, content)
    with open(page, "w", encoding="utf-8") as file:
        file.write(text)
    with open(operations_path, "w", encoding="utf-8") as file:
        file.write(operations(counts) + "\n")
    with open(docs + "/images/scale.svg", "w", encoding="utf-8") as file:
        file.write(plot(lines))


if __name__ == "__main__":
    main()
