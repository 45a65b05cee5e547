# SPDX-License-Identifier: BSD-3-Clause
"""Programs under -daptor_check: planted faults are found and named, and nothing else is.

    doctor_test.py CASE ...    with the arguments of tests/support/petsc_programs.py
"""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

from petsc_programs import RANKS, examined, good, require, run  # noqa: E402


def lines_of(text):
    return [line for line in text.splitlines() if line.startswith("norm of the solution")]


LAST = RANKS - 1
EVERYWHERE = None if RANKS > 1 else [0]
# By the name of the fault: rules, keys and ranks that must be found.
FAULTS = {
    "none": [],
    "range": [("check.mapping.range", "Vec", [LAST])],
    "stale": [("check.vec.stale-norm", "Vec", EVERYWHERE)],
    "behind": [("check.vec.unnoticed-write", "Vec", [LAST])],
    "symmetry": [("check.ksp.not-symmetric", "KSP", EVERYWHERE)],
    "residual": [("check.ksp.residual", "KSP", EVERYWHERE)],
    "null": [("check.mat.null-space", "Mat", EVERYWHERE)],
    "grid": [("check.grid.settings", "DM", [LAST])] if RANKS > 1 else [],
    "local": [("check.scatter.vec", "PetscSF", [LAST])],
}


def find(fault):
    """Finds what is expected of the fault, and nothing of a program without one."""
    output, findings = examined("doctor", "-fault", fault)
    found = [(f["rule"], f["key"], f["ranks"]) for f in findings]
    missing = [e for e in FAULTS[fault] if e not in found]
    require(not missing, f"{fault}: {missing} not found", output)
    require(bool(found) == bool(FAULTS[fault]), f"{fault}: {found}", output)
    for rule, _, _ in FAULTS[fault]:
        require(f"daptor: {rule} " in output.text, f"{fault}: {rule} is not printed", output)
    return output


def find_what_is_no_number():
    output, findings = examined("doctor", "-fault", "nan")
    named = [f for f in findings if f["rule"] == "check.vec.not-finite" and "'load'" in f["found"]]
    require(len(named) == 1 and named[0]["ranks"] == [LAST], f"nan: {findings}", output)
    require(f"NaN at index {10 * LAST}," in named[0]["found"], "nan: another index", output)
    require("KSPSolve" in named[0]["events"] or "VecNorm" in named[0]["events"], "nan: no event",
            output)
    # What has made it is named, with what it was made of.
    output, findings = examined("doctor", "-fault", "apply")
    made = [f for f in findings if "PCApply of PC (type shell, options prefix 'flow_') has made it "
            "of Vec" in f["found"]]
    require(len(made) == 1 and made[0]["rule"] == "check.vec.not-finite" and
            made[0]["ranks"] == [LAST], f"apply: {findings}", output)
    require("; the object was made in KSPSetUp" in made[0]["found"], f"apply: {made}", output)
    # Two objects are two findings without names, too, and those of a loop are one.
    output, findings = examined("doctor", "-fault", "unnamed")
    found = [(re.sub(r"type \w+", "type", f["found"]).split(",")[0:2], f["ranks"], f["times"])
             for f in findings]
    expected = [(["Vec (type", f" {10 * RANKS} elements): {what} at index {10 * rank}"], [rank], n)
                for what, rank, n in (("NaN", 0, 1), ("Inf", LAST, 2))]
    require(found == expected, f"unnamed: {findings}", output)


def abort_at_an_error():
    aborted = run("doctor", "-fault", "range", "-daptor_check", "-daptor_check_abort")
    require(aborted.status not in (0, 124, 137), "no abort", aborted)
    kept = run("doctor", "-fault", "range", "-daptor_check", "-daptor_check_abort", "no")
    require(kept.status == 0 and "check." in kept.text, "an abort that was not wished", kept)
    unasked = run("doctor", "-fault", "range", "-daptor_check", "false")
    require(unasked.status == 0 and "check." not in unasked.text, "a check not wished", unasked)
    if RANKS < 3:
        return
    # The program itself would fail on some ranks, and wait on others.
    aborted = run("doctor", "-fault", "layout", "-daptor_check", "-daptor_check_abort")
    require(aborted.status not in (0, 124, 137), "no abort", aborted)
    sentence = f"daptor: check.mat.vec error, ranks 0, {LAST}, 'Mat': found Mat 'stiffness'"
    require(sentence in aborted.text, "layout: not named", aborted)
    require("used with Vec 'load' (type mpi) of 11 elements on this rank" in aborted.text,
            "layout: not measured", aborted)


def case_objects():
    for fault in FAULTS:
        plain = good("doctor", "-fault", fault, plugin=False)
        output = find(fault)
        require(lines_of(plain.text) == lines_of(output.text) != [],
                f"{fault}: another result under -daptor_check", output)
    find_what_is_no_number()
    # What needs no values is found without them.
    output, findings = examined("doctor", "-fault", "range", what=None)
    require({f["rule"] for f in findings} == {"check.mapping.range", "check.mapping.unreached"},
            str(findings), output)
    abort_at_an_error()
    wrong = run("doctor", "-daptor_check", "vlaues")
    require(wrong.status not in (0, 124, 137) and "vlaues" in wrong.text, "no refusal", wrong)
    silent = good("doctor", "-fault", "range")
    require("daptor" not in silent.text, "looked at without being asked", silent)


def case_scalars():
    """With other scalars and indices, what depends on them."""
    for fault in ("none", "range", "residual", "local"):
        find(fault)
    find_what_is_no_number()


def case_calls():
    """Ranks that do not do the same are told with what each does, and the program goes on."""
    last = RANKS - 1
    others = ("rank " if last == 1 else "ranks ") + ", ".join(map(str, range(last)))
    faults = {
        "none": None,
        "tolerance": ("check.ksp.settings", [last], "at most 9999 iterations"),
        "options": ("check.calls.options", None,
                    f"{others}: no -flow_damping; rank {last}: -flow_damping 0.5"),
        "calls": ("check.calls.different", None,
                  f"{others}: VecDot of Vec 'load'; rank {last}: VecTDot of Vec 'load'"),
        "waiting": ("check.calls.waiting", None,
                    f"{others}: VecNorm of Vec 'load'; rank {last}: creation of KSP or after"),
    }
    plain = {fault: lines_of(good("doctor", "-fault", fault, plugin=False).text)
             for fault in ("none", "tolerance")}
    for fault, expected in faults.items():
        output, findings = examined("doctor", "-fault", fault, "-daptor_check_patience", "0.5",
                                    what="calls")
        require(lines_of(output.text) == plain["none" if fault == "none" else "tolerance"] != [],
                f"{fault}: another result under -daptor_check", output)
        if expected is None:
            require(not findings, f"{fault}: {findings}", output)
            continue
        rule, ranks, text = expected
        found = [f for f in findings if f["rule"] == rule]
        require(len(found) == len(findings) == 1, f"{fault}: {findings}", output)
        require(found[0]["ranks"] == ranks and text in found[0]["found"],
                f"{fault}: {found}, and not {ranks}, '{text}'", output)
        require(f"daptor: {rule} " in output.text, f"{fault}: {rule} is not printed", output)
    wrong = run("doctor", "-daptor_check", "calls", "-daptor_check_patience", "soon")
    require(wrong.status not in (0, 124, 137) and "soon" in wrong.text, "no refusal", wrong)


def find_faults(program, duplicate):
    """Three faults of one program: all are found, at the right objects and ranks, and no others.

    duplicate  the rule for which the mapping is at fault, the objects, and the rank
    """
    rule, objects, at = duplicate
    last = RANKS - 1
    vec = {"faults_cpp": "load", "faults_fortran": "momentum", "faults.py": "velocity"}[program]
    expected = {(rule, of, at) for of in objects} | {
        ("check.vec.stale-norm", f"Vec '{vec}'", None if RANKS > 1 else 0),
        ("check.vec.unnoticed-write", f"Vec '{vec}'", last),
        ("check.vec.not-finite", "Vec 'direction'", last)}
    output, findings = examined(program, "-duplicate", "-stale", "-zero")
    found = {(f["rule"], f["found"].split(" (type")[0] + f["key"][3:], f["ranks"] and f["ranks"][0])
             for f in findings}
    require(found == expected, f"found {found}, expected {expected}", output)
    require(len(findings) == len(expected), f"several at once: {findings}", output)
    require(f"NaN at index {10 * last + 1}, 9 such values" in str(findings), "another NaN", output)
    # What is printed names PETSc's functions as the program calls them; the report has C's names.
    printed = [re.sub(r"\(Found in .*", "", line) for line in output.text.splitlines()
               if line.startswith("daptor: check.")]
    of_c = [line for line in printed if re.search(r"\bVec(?:[A-Z][a-z]+)+|\w::\w", line)]
    require(bool(of_c) == (program != "faults.py"), f"of another language: {of_c}", output)
    _, findings = examined(program)
    require(not findings, f"without a fault: {findings}", output)


def case_cpp():
    twice = ["Mat 'stiffness', rows", "Mat 'stiffness', columns"] if RANKS > 2 else []
    find_faults("faults_cpp", ("check.mapping.ghost-twice", twice, 2))


def case_fortran():
    rule = "ghost" if RANKS > 1 else "owned"
    find_faults("faults_fortran", (f"check.mapping.{rule}-twice", ["Vec 'density'"], RANKS - 1))


def case_python():
    find_faults("faults.py", ("check.mapping.owned-twice", ["Vec 'pressure'"], RANKS - 1))


def case_right():
    """PETSc's own programs, in which nothing is wrong."""
    gamg = ["-ksp_type", "cg", "-pc_type", "gamg"]
    for program, *arguments in (
            ["ex2", "-m", "30", "-n", "30", *gamg], ["ex45", "-da_refine", "1", "-pc_type", "mg"],
            ["ex5", "-da_refine", "1"], ["ex13", "-ts_max_steps", "3"]):
        output, findings = examined(program, *arguments)
        require(not findings, f"{program}: {findings}", output)


globals()[f"case_{sys.argv[1]}"]()
