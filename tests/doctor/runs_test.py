# SPDX-License-Identifier: BSD-3-Clause
"""What -daptor_check finds in the course of a run, and what it leaves when a run ends badly.

    runs_test.py CASE ...    with the arguments of tests/support/petsc_programs.py
"""

import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

from petsc_programs import RANKS, examined, good, require, run  # noqa: E402

LAST = RANKS - 1
STEPS = "reuse,kept,dot,product,shell,newton,search,step"
# By the name of what the program does: rule, ranks, what is said, the last event.
FOUND = {
    "reuse": ("check.vec.unnoticed-write", [LAST], ["Vec 'density' (type mpi)"], "VecDestroy"),
    "kept": ("check.vec.unnoticed-write", [LAST], ["Vec 'energy' (type mpi)"], "PetscFinalize"),
    "dot": ("check.vec.not-finite", [LAST], ["Vec 'flux \ufffd' (type mpi): NaN at index "
                                             f"{10 * LAST + 2}, 1 such value"], "VecDot"),
    "product": ("check.vec.not-finite", [LAST],
                ["Vec 'force' (type mpi): NaN", "MatMult of Mat 'stiffness'",
                 "has made it of Vec 'displacement' (type mpi), without any",
                 f"the matrix has NaN in row {10 * LAST + 5}, column {10 * LAST + 4}"], "VecNorm"),
    "shell": ("check.vec.not-finite", [0], ["Inf at index 1,", "the object was made in KSP",
                                            "PCApply of PC (type shell) 'halving' has made it"],
              None),
    "newton": ("check.vec.not-finite", [LAST],
               ["Vec 'residual' (type mpi): NaN", "SNESFunctionEval of SNES 'saturation'",
                "has made it of Vec (type mpi"], "SNESSolve"),
    "search": ("check.vec.not-finite", [LAST],
               ["SNESFunctionEval of SNES 'enthalpy'"], "SNESSolve"),
    "step": ("check.vec.not-finite", [LAST], ["TSFunctionEval", "has made it of Vec"],
             "TSStep"),
}


def case_course():
    plain = good("runs", "-do", STEPS, plugin=False)
    output, findings = examined("runs", "-do", STEPS)
    require("came to the end" in plain.text and "came to the end" in output.text, "no end", output)
    for what, (rule, ranks, texts, event) in FOUND.items():
        named = [f for f in findings if all(text in f["found"] for text in texts)]
        require(len(named) == 1 and named[0]["rule"] == rule, f"{what}: {named}", output)
        expected = None if RANKS == 1 and named[0]["ranks"] is None else ranks
        require(named[0]["ranks"] == expected, f"{what}: ranks {named[0]['ranks']}", output)
        require(event is None or named[0]["events"].split(", ")[-1] == event,
                f"{what}: in {named[0]['events']}", output)
    require(len(findings) == len(FOUND), f"{len(findings)} findings", output)
    # What is right, and looks like it.
    output, findings = examined("runs", "-do", STEPS, "-right")
    require(not findings, f"without a fault: {findings}", output)
    listed = good("runs", "-help")
    for option in ("", "_report", "_abort", "_patience"):
        require(f"  -daptor_check{option}" in listed.text, f"-help lacks {option}", listed)


def left_behind(*arguments, statuses, program="runs"):
    """The report that a run leaves which does not come to PetscFinalize on all ranks."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.json")
        output = run(program, *arguments, "-daptor_check_report", path)
        require(statuses(output.status), f"{arguments}: status {output.status}", output)
        require(os.path.exists(path), f"{arguments}: no report", output)
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        # A rank that is killed while it writes may leave the file with the temporary name.
        files = [name for name in os.listdir(folder) if not name.endswith(".tmp")]
        require(files == ["report.json"], f"{arguments}: {files}", output)
    require(report["complete"] is False, f"{arguments}: called complete", output)
    return output, report["findings"]


def bad(status):
    return status not in (0, 124, 137)


def case_ends():
    for how in ("return", "exit", "abort", "segv", "term"):
        output, findings = left_behind("-do", "dot", "-end", how, "-daptor_check", "values",
                                       statuses=bad)
        named = [f for f in findings if "Vec 'flux \ufffd'" in f["found"]]
        require(len(findings) == len(named) == 1, f"{how}: {findings}", output)
    output, findings = left_behind("-do", "dot", "-daptor_check", "values", "-daptor_check_abort",
                                   statuses=bad)
    require(len(findings) == 1, f"-daptor_check_abort: {findings}", output)
    # What this process alone has found is told, too.
    output, findings = left_behind("-do", "reuse,product", "-end", "exit", "-daptor_check",
                                   "values", statuses=bad)
    require({f["rule"] for f in findings} ==
            {"check.vec.unnoticed-write", "check.vec.not-finite"}, str(findings), output)
    if RANKS == 1:
        return
    others = "rank 0" if LAST == 1 else "ranks 0, 1"
    for how, what, place in (("leave", "calls", "KSPSetUp of KSP"),
                             ("create", "values", "creation of Vec")):
        output, findings = left_behind("-end", how, "-daptor_check", what,
                                       "-daptor_check_abort", statuses=bad)
        named = [f for f in findings if f["rule"] == "check.calls.left"]
        require(len(findings) == len(named) == 1 and named[0]["ranks"] == [LAST],
                f"{how}: {findings}", output)
        require(f"rank {LAST}: PetscFinalize" in named[0]["found"] and
                f"{others}: {place}" in named[0]["found"], f"{how}: {named}", output)
    # To come late is no fault.
    output, findings = examined("runs", "-do", "dot,late", "-right",
                                "-daptor_check_patience", "0.3")
    require(not findings, f"late: {findings}", output)
    require("rank 1 has waited in PetscFinalize for 0.3 s" in output.text, "not said", output)


def case_leave():
    """Python collects garbage of all ranks before PETSc comes to its end."""
    output, findings = left_behind("-daptor_check", "values", statuses=bad, program="leave.py")
    require([f["rule"] for f in findings] == ["check.calls.left"] and
            findings[0]["ranks"] == [LAST], str(findings), output)
    output, findings = examined("leave.py", "-together")
    require(not findings, f"without a fault: {findings}", output)


globals()[f"case_{sys.argv[1]}"]()
