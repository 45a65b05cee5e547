# SPDX-License-Identifier: BSD-3-Clause
"""Ghosts under -daptor_check: those that are never updated are told at the end, and those that are
stale hold NaN; whoever updates them before reading computes the same digits.

    ghosts_test.py CASE ...    with the arguments of tests/support/petsc_programs.py
"""

import functools
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

from petsc_programs import examined, good, require  # noqa: E402


def digits(output):
    return [line for line in output.text.splitlines() if line[:2] in ("u ", "v ", "w ")]


@functools.lru_cache(maxsize=None)
def without_check(case):
    return good("ghosts", "-case", case, plugin=False)


def compared(case, what):
    """The output and the findings with the check, and whether the digits are those without it."""
    plain = without_check(case)
    output, findings = examined("ghosts", "-case", case, what=what)
    require(digits(plain), f"{case}: nothing was printed", plain)
    return output, findings, digits(plain) == digits(output)


def case_ghosts_right():
    """The same digits, and no findings."""
    for what in ("ghosts", "values"):
        output, findings, same = compared("right", what)
        require(same, f"other digits with {what}", output)
        require(not findings, f"{what}: {findings}", output)


def case_ghosts_never():
    """A warning at the end, with element, rank and largest difference; the digits are the same."""
    for case in ("never", "once"):
        output, findings, same = compared(case, "values")
        require(same, f"{case}: other digits", output)
        require([(f["rule"], f["severity"], f["key"]) for f in findings]
                == [("check.ghosts.stale", "warning", "Vec")], f"{case}: {findings}", output)
        found = findings[0]["found"]
        require(found.startswith("Vec 'u' (type mpi): ghost 0, of index 4, which rank 1 owns, "
                                 "holds 0, and its owner has "), found, output)
        require("2 of 2 copies on this rank differ; the largest difference of all ranks is "
                in found, found, output)
        require("had the values of their owners at none of the last 3 looks, and" in found,
                found, output)
        require("daptor: check.ghosts.stale warning" in output.text, "not printed", output)


def case_ghosts_stale():
    """Who reads stale ghosts computes NaN, and its first place is named."""
    output, findings, same = compared("stale", "ghosts")
    # The third v is the first that is computed of ghosts which were not updated.
    plain = digits(without_check("stale"))
    require(digits(output)[:4] == plain[:4] and digits(output)[4] == "v nan", "not NaN", output)
    require(not same and findings, "nothing was found", output)
    first = findings[0]
    require(first["rule"] == "check.vec.not-finite" and first["found"].startswith(
        "Vec 'v' (type mpi): NaN at index 0, "), str(first), output)
    require("stale ghosts have been filled with NaN: those of Vec 'u' (type mpi), changed in "
            "VecAXPY" in first["found"], str(first), output)


globals()[f"case_{sys.argv[1]}"]()
