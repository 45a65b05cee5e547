# SPDX-License-Identifier: BSD-3-Clause
"""Times a PETSc program with and without -daptor_check, and prints a Markdown table.

    python3 benchmarks/check.py PROGRAM PLUGIN [--quick] -- MPIRUN...

PROGRAM is daptor_bench_check. It is started in turn in each way; a ratio is that of neighbours.
"""

import argparse
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


def ratios_in_one_run(command, pairs):
    """A solve with the check by one of the same program without, `pairs` of them."""
    times = times_of([*command, "-pairs", str(pairs)])
    return times.get("without", []), [with_check / without for with_check, without
                                      in zip(times.get("with", []), times.get("without", []))]


def verdict(ratios, goal):
    if goal is None:
        return "", ""
    lower, median, _ = statistics.quantiles(ratios, n=4)
    result = "met" if median <= goal else "missed" if lower > goal else "undecided"
    return f"{goal:g}", result


def main():
    given = arguments()
    n, rounds = ("40", 3) if given.quick else ("100", 7)
    program = [*given.mpirun, given.program, "-n", n, "-ksp_type", "cg", "-pc_type", "gamg",
               "-ksp_rtol", "1e-8"]
    ratios = {}
    times = {}
    for _ in range(rounds):
        for way, options in WAYS.items():
            before = seconds(program)
            after = seconds([*program, "-dll_append", given.plugin, *options])
            for what, value in after.items():
                ratios.setdefault((way, what), []).append(value / before[what])
                times.setdefault(what, []).append(before[what])
    in_one = "-daptor_check", "solves in pairs"
    without, values = ratios_in_one_run([*program, "-dll_append", given.plugin, "-daptor_check"],
                                        8 if given.quick else 40)
    if values:
        times[in_one[1]], ratios[in_one] = without, values
    print(f"### What -daptor_check costs: CG with GAMG, {int(n) ** 3} rows, four solves\n")
    print("| way | what | without | ratio | goal | result |\n| --- | --- | --- | --- | --- | --- |")
    for (way, what), values in ratios.items():
        lower, median, upper = statistics.quantiles(values, n=4)
        goal, result = verdict(values, GOALS.get((way, what)))
        print(f"| {way} | {what} | {statistics.median(times[what]) * 1000:.0f} ms | "
              f"{median:.3f} [{lower:.3f}, {upper:.3f}] | {goal} | {result} |")


if __name__ == "__main__":
    main()
