# SPDX-License-Identifier: BSD-3-Clause
"""Each fault of rules.c is found at the right object and ranks, and none in the right programs.

    rules_test.py CASE ...    with the arguments of tests/support/petsc_programs.py
"""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

from petsc_programs import RANKS, examined, good, require  # noqa: E402

LAST = RANKS - 1
ALL = None if RANKS > 1 else [0]
SEVERAL = RANKS > 1
# By the name of the fault: rules and ranks, and words of the finding. What needs several ranks has
# none on one.
FAULTS = {
    "unassembled": [("check.vec.unassembled", ALL, "1 value that this rank")] if SEVERAL else [],
    "vec_modes": [("check.vec.add-and-insert", [0], "INSERT_VALUES on others")] if SEVERAL else [],
    "both_modes": [("check.vec.add-and-insert", [LAST], "and with INSERT_VALUES on this rank")],
    "mat_modes": [("check.mat.add-and-insert", [0], "INSERT_VALUES on others")] if SEVERAL else [],
    "null_length": [("check.mat.null-vectors", ALL, "has length")],
    "null_twice": [("check.mat.null-vectors", ALL, "contains the constant vector, too")],
    "null_pair": [("check.mat.null-vectors", ALL, "vector 0 and vector 1 of its null space are")],
    "told_symmetric": [("check.mat.told-symmetric", ALL, "set as symmetric")],
    "told_positive": [("check.mat.told-positive", [LAST],
                       f"the diagonal of row {10 * LAST + 3} is not above 0")],
    "told_energy": [("check.mat.told-positive", ALL, "(u, A u) is -")],
    "preconditioner": [("check.ksp.preconditioner-not-symmetric", ALL, "(u, M v)")],
    "fields_overlap": [("check.ksp.fields-repeated", ALL, "row 4 is in field 0 and in field 1")],
    "fields_gap": [("check.ksp.fields-left-out", ALL, "row 4 is in no field")],
    "fields_elsewhere": [("check.ksp.fields-left-out", ALL,
                          f"{3 * RANKS} of {10 * RANKS} rows are in no field" if SEVERAL else
                          "row 4 is in no field")],
    "null_unused": [("check.ksp.null-space-unused", ALL, "")],
    "null_of_other": [],
    "no_null_space": [("check.ksp.no-null-space", ALL, "")],
    "right_hand_side": [("check.ksp.right-hand-side", ALL, "of which 1 of its norm")],
    "one_sided": [],
    "near_zero": [("check.mat.near-null-zero", ALL, "vector 0 of its near-null space")],
    "near_none": [("check.mat.near-null-space", ALL, "in hardly any row")],
    "mat_behind": [("check.mat.unnoticed-write", [LAST], "of the columns that this rank owns")],
    "diverged": [("check.ksp.diverged", None, "DIVERGED_ITS after 3 iterations")],
    "diverged_seen": [],
    "graph_bcast": [("check.scatter.range", ALL, "is read from element 5 of this rank")],
    "graph_reduce": [("check.scatter.range", ALL, "is read from element 5 of this rank")],
    "mesh": [("check.dm.vec", [LAST], "used with the global Vec")],
    "zero_rows": [("check.mat.null-space", ALL, "the constant vector")],
    "zero_rows_anew": [("check.mat.null-space", ALL, "the constant vector")],
    "nest_vec": [("check.vec.stale-norm", ALL, "")],
    "nest_empty": [("check.mat.empty-row", [0], "local row 0 in row 1 of the blocks")],
    "nest_sets": [("check.mat.blocks-repeated", ALL, "row 9 is in block 0 and in block 1"),
                  ("check.mat.blocks-left-out", ALL, "row 12 is in no block")],
    "ghost": [("check.mapping.owned-twice", ALL, "")],
    "mode_sign": [("check.mat.null-space", ALL, "zero with the sign of component 1 of 2 changed")],
    "mode_order": [("check.mat.null-space", ALL, "zero with the components in the order (1, 0)")],
    "mode_components": [("check.mat.null-space", ALL, "zero with its values point by point")],
    "mode_over_ranks": [("check.mat.null-space", ALL,
                         "not component by component" + (" over all ranks" if SEVERAL else ""))],
    "near_over_ranks": [("check.mat.near-null-space", ALL,
                         "not component by component" + (" over all ranks" if SEVERAL else ""))],
    "points": [(rule, ranks, f"{side}: {words}") for side in ("rows", "columns")
               for rule, ranks, words in (
                   [("check.mapping.unreached", [1, 2] if SEVERAL else [0], "no rank has"),
                    ("check.mapping.elsewhere", [0, 1], "index ")][:1 + SEVERAL])],
    "near_sign": [("check.mat.near-null-space", ALL, "the sign of component 1 of 2 changed")],
}


def name_of(finding):
    """The name of the fault, which its objects have."""
    named = re.search(r" '(\w+)'", finding["found"])
    return named and named[1]


def lines_of(text):
    return [line for line in text.splitlines() if re.match(r"\w+: norm", line)]


def case_rules():
    plain = good("rules", plugin=False)
    output, findings = examined("rules")
    require(lines_of(plain.text) == lines_of(output.text) != [], "another result", output)
    for fault, expected in FAULTS.items():
        if f"{fault}: left out" in output.text:
            continue
        found = [f for f in findings if name_of(f) == fault]
        for rule, ranks, words in expected:
            alike = [f for f in found if f["rule"] == rule and words in f["found"]]
            require(len(alike) == 1, f"{fault}: {rule} not found once: {found}", output)
            require(ranks is None and rule == "check.ksp.diverged" or alike[0]["ranks"] == ranks,
                    f"{fault}: {alike}, and not on {ranks}", output)
        require(fault != "points" or all(
            "blocks of 2: all indices of this rank could be numbers of blocks" in f["found"]
            for f in found), f"without the hint: {found}", output)
        rules = {f["rule"] for f in found} - {rule for rule, _, _ in expected}
        require(rules <= CONSEQUENCES.get(fault, set()), f"{fault}: also {rules}", output)
    unknown = [f for f in findings if name_of(f) not in FAULTS]
    require(not unknown, f"others: {unknown}", output)


# What the faults lead to.
CONSEQUENCES = {"mode_components": {"check.mat.null-vectors"},
                "mode_over_ranks": {"check.mat.null-vectors"}}


def case_rules_right():
    plain = good("rules", "-right", plugin=False)
    output, findings = examined("rules", "-right")
    require(lines_of(plain.text) == lines_of(output.text) != [], "another result", output)
    require(not findings, f"right programs: {findings}", output)


globals()[f"case_{sys.argv[1]}"]()
