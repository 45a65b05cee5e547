# SPDX-License-Identifier: BSD-3-Clause
"""Traces of programs with planted faults, on one and on several ranks: `daptor compare` names the
fault, and nothing where there is none.

    trace_test.py CASE ...    with the arguments of tests/support/petsc_programs.py, and daptor=FILE
"""

import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import petsc_programs  # noqa: E402
from petsc_programs import HERE, RANKS, Output, good, require, settings  # noqa: E402

EVERYWHERE = settings["mpirun"]


def ranks_of(count):
    """Lets the programs that follow run on this number of ranks."""
    command = EVERYWHERE.split(";")
    command[[i for i, word in enumerate(command) if word in ("-n", "-np")][0] + 1] = str(count)
    petsc_programs.settings["mpirun"] = ";".join(command)


def line_of(source, what):
    """The number of the line with the comment."""
    with open(os.path.join(HERE, source), encoding="utf-8") as file:
        return next(n for n, line in enumerate(file, 1) if f"the place of {what}" in line)


def compare(*arguments, status=None):
    """Runs `daptor compare`, and returns its status, its text and its JSON."""
    process = subprocess.run([settings["daptor"], "compare", *arguments], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, timeout=20)
    output = Output(process.returncode, process.stdout.decode())
    require(status is None or output.status == status, f"{arguments}: status {output.status}",
            output)
    return output


def difference(one, other, *options):
    """What `daptor compare` says of two traces, as JSON."""
    output = compare(one, other, "--json", *options)
    require(output.status in (0, 1), f"status {output.status}", output)
    answer = json.loads(output.text)
    require(answer["differs"] == (output.status == 1), "status and answer differ", output)
    return answer


# By the name of the fault: event, side, object, and the least number of ranks.
FAULTS = {
    "none": None,
    "order": None,
    "inverse": None,
    "duplicate": ("MatAssemblyEnd", "out", "Mat", "stiffness", 3),
    "ghost": ("VecNorm", "in", "Vec", "load", 2),
    "insert": ("VecAssemblyEnd", "out", "Vec", "load", 2),
    "guess": ("KSPSolve", "in", "Vec", "", 2),
    "file": ("VecNorm", "in", "Vec", "load", 2),
    "boundary": ("MatAssemblyEnd", "out", "Mat", "stiffness", 2),
    "late": ("TSStep", "out", "Vec", "heat", 2),
    "place": ("TSStep", "in", "Vec", "heat", 2),
}


def named(answer):
    """Event, side, class and name of the first difference; None without one."""
    first = answer["first"]
    return first and tuple(first["one"][key] for key in ("event", "when", "class", "name"))


def judge(fault, one, several, wanted, place):
    """Expects that the first difference is this one, said with its place in the program."""
    answer = difference(one, several)
    text = compare(one, several, status=1 if wanted else 0)
    require(named(answer) == wanted, f"{fault}: {answer}, and not {wanted}", text)
    if wanted is None:
        require("No difference beyond rounding" in text.text, fault, text)
        # Objects of one process alone, such as local forms, are in no trace.
        require(answer["equal"] >= 5 and not answer["more"], f"{fault}: {answer}", text)
        return
    require(f"{wanted[0]}, {wanted[2]}" in text.text, f"{fault}: not said", text)
    require(place in text.text, f"{fault}: without the place {place}", text)


def case_trace():
    with tempfile.TemporaryDirectory() as folder:
        for count in {1, RANKS}:
            write_numbers(os.path.join(folder, f"{count}-numbers"), 60)
            ranks_of(count)
            good("trace", ",".join(FAULTS), os.path.join(folder, f"{count}-"), "-dll_append",
                 settings["plugin"], "-ksp_rtol", "1e-9", plugin=False)
        for fault, expected in FAULTS.items():
            wanted = expected[:4] if expected and RANKS >= expected[4] else None
            judge(fault, *(os.path.join(folder, f"{count}-{fault}.json") for count in (1, RANKS)),
                  wanted, " in ")


def write_numbers(path, count):
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(str(0.01 * (i * i % 13)) for i in range(count)))
    return path


def run_both(program, fault, folder):
    """Runs a program with the option -FAULT on one rank and on all, and returns both traces."""
    numbers = write_numbers(os.path.join(folder, "numbers"), 40)
    traces = []
    for count in (1, RANKS):
        ranks_of(count)
        traces.append(os.path.join(folder, f"{count}-{fault}.json"))
        good(program, f"-{fault}", "-numbers", numbers, "-daptor_check_trace", traces[-1])
    return traces


def judge_language(program, faults, names, places):
    """The faults of the programs in other languages, whose objects may have other names."""
    with tempfile.TemporaryDirectory() as folder:
        for fault in faults:
            wanted = FAULTS[fault]
            wanted = wanted[:4] if wanted and RANKS >= wanted[4] else None
            if wanted:
                wanted = wanted[:3] + (names.get(wanted[3], wanted[3]),)
            wanted, place = places.get(fault, (wanted, " in "))
            judge(fault, *run_both(program, fault, folder), wanted, place)


# Tried on more numbers of ranks, and less often.
OTHERS = ("file", "duplicate", "boundary", "guess")


def python_faults(faults):
    judge_language("trace.py", faults, {},
                   {"ghost": (("VecNorm", "in", "Vec", "means"),
                              f"trace.py:{line_of('trace.py', 'ghost')} in main")})


def case_trace_python():
    python_faults(("ghost", "order"))


def case_trace_python_others():
    python_faults((*OTHERS, "insert", "none"))


FORTRAN_NAMES = {"load": "momentum", "stiffness": ""}


def case_trace_fortran():
    judge_language("trace_fortran", ("insert", "none"), FORTRAN_NAMES, {})


def case_trace_fortran_others():
    judge_language("trace_fortran", (*OTHERS, "ghost", "order"), FORTRAN_NAMES, {})


globals()[f"case_{sys.argv[1]}"]()
