# SPDX-License-Identifier: BSD-3-Clause
"""Times a PETSc program with and without -daptor_check, and prints a Markdown table.

    python3 benchmarks/check.py PROGRAM PLUGIN [--quick] [--results FILE] -- MPIRUN...

PROGRAM is daptor_bench_check. It is started in turn in each way; a ratio is that of neighbours.
"""

import argparse
import json
import statistics
import subprocess

WAYS = {"the plug-in loaded, no option": [],
        "-daptor_check": ["-daptor_check"],
        "-daptor_check values": ["-daptor_check", "values"]}
GOALS = {("-daptor_check", "set-up"): 1.05, ("-daptor_check", "solves in pairs"): 1.01,
         ("-daptor_check values", "all solves"): 1.2}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("program")
    parser.add_argument("plugin")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--results", help="a file to which the times of all pairs are appended")
    parser.add_argument("mpirun", nargs="+")
    return parser.parse_args()


def times_of(command):
    """Maps what the program timed to the seconds that each took."""
    output = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout
    times = {}
    for words in map(str.split, output.splitlines()):
        if len(words) == 2 and words[0] in ("setup", "solve", "with", "without"):
            times.setdefault(words[0], []).append(float(words[1]))
    return times


def seconds(command):
    """Maps what is timed to the seconds that it took."""
    times = times_of(command)
    return {"set-up": times["setup"][0], "first solve": times["solve"][0],
            "all solves": sum(times["solve"])}


def pairs_in_one_run(command, pairs):
    """Solves with the check and without, in turn in one run of the program."""
    times = times_of([*command, "-pairs", str(pairs)])
    return list(zip(times.get("with", []), times.get("without", [])))


def verdict(ratios, goal):
    if goal is None:
        return "", ""
    lower, median, _ = statistics.quantiles(ratios, n=4)
    result = "met" if median <= goal else "missed" if lower > goal else "undecided"
    return f"{goal:g}", result


def keep(path, rows, way, what, pairs):
    """Appends the times of all pairs to the file, as bench::keep does."""
    with open(path, "a", encoding="utf-8") as file:
        ours, theirs = ([float(f"{pair[side]:.4g}") for pair in pairs] for side in (0, 1))
        print(json.dumps({"question": "doctor", "what": way, "at": f"{what}, {rows} rows",
                          "beside": "without", "goal": GOALS.get((way, what), 0),
                          "ours": ours, "theirs": theirs}), file=file)


def main():
    given = arguments()
    n, rounds = ("40", 3) if given.quick else ("100", 7)
    program = [*given.mpirun, given.program, "-n", n, "-ksp_type", "cg", "-pc_type", "gamg",
               "-ksp_rtol", "1e-8"]
    measured = {}
    for _ in range(rounds):
        for way, options in WAYS.items():
            before = seconds(program)
            after = seconds([*program, "-dll_append", given.plugin, *options])
            for what, value in after.items():
                measured.setdefault((way, what), []).append((value, before[what]))
    in_one = pairs_in_one_run([*program, "-dll_append", given.plugin, "-daptor_check"],
                              8 if given.quick else 40)
    if in_one:
        measured["-daptor_check", "solves in pairs"] = in_one
    print(f"### What -daptor_check costs: CG with GAMG, {int(n) ** 3} rows, four solves\n")
    print("| way | what | without | ratio | goal | result |\n| --- | --- | --- | --- | --- | --- |")
    for (way, what), pairs in measured.items():
        ratios = [ours / theirs for ours, theirs in pairs]
        lower, median, upper = statistics.quantiles(ratios, n=4)
        goal, result = verdict(ratios, GOALS.get((way, what)))
        without = statistics.median(theirs for _, theirs in pairs)
        print(f"| {way} | {what} | {without * 1000:.0f} ms | "
              f"{median:.3f} [{lower:.3f}, {upper:.3f}] | {goal} | {result} |")
        if given.results:
            keep(given.results, int(n) ** 3, way, what, pairs)


if __name__ == "__main__":
    main()
