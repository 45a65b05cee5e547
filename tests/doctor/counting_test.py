# SPDX-License-Identifier: BSD-3-Clause
"""Where findings are in a program, which of them count, and what follows from that.

    counting_test.py CASE ...    with the arguments of tests/support/petsc_programs.py, and
                                 lines=ON if the plug-in reads debug information, schema=FILE of
                                 the report and command=daptor, or nothing
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

from petsc_programs import HERE, RANKS, require, run, settings  # noqa: E402

LINES = settings["lines"] == "ON"
STALE, UNNOTICED = "check.vec.stale-norm", "check.vec.unnoticed-write"
TWICE = "check.mapping.owned-twice"


def line_of(source, what):
    """The number of the line with the comment."""
    with open(os.path.join(HERE, source), encoding="utf-8") as file:
        return next(n for n, line in enumerate(file, 1) if f"the place of {what}" in line)


def fits_schema(report, output):
    try:
        import jsonschema
    except ImportError:
        return  # the package is required on the project's own test machines
    with open(settings["schema"], encoding="utf-8") as file:
        schema = json.load(file)
    validator = jsonschema.validators.validator_for(schema)
    errors = [error.message for error in validator(schema).iter_errors(report)]
    require(not errors, f"the report does not fit its schema: {errors}", output)
    report["findings"].append({"rule": STALE})
    require(not validator(schema).is_valid(report), "the schema fits anything", output)
    report["findings"].pop()


class Folder:
    """A folder for the files of a test."""

    def __init__(self, path):
        self.path = path

    def file(self, name, text=None):
        path = os.path.join(self.path, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return path

    def looked_at(self, program, *arguments, status=0, name="report.json"):
        """Runs a program under the check: its output, and what was found by rule and object."""
        path = self.file(name)
        output = run(program, "-daptor_check", "values", "-daptor_check_report", path, *arguments)
        require(output.status == status, f"{arguments}: status {output.status}", output)
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        fits_schema(report, output)
        found = {}
        for finding in report["findings"]:
            name = re.search("'(.*)'", finding["found"])[1]
            found.setdefault((finding["rule"], name), []).append(finding)
        return output, found


def states(found):
    return {key: [finding["state"] for finding in findings] for key, findings in found.items()}


def expect_states(found, expected, output):
    require(states(found) == expected, f"{states(found)}, expected {expected}", output)


def expect_line(folder, program, source):
    """Expects the line of the comment, in the report and in what is printed."""
    output, found = folder.looked_at(program, *(["-velocity"] if source == "step.c" else []))
    number = line_of(source, "velocity")
    for rule in (STALE, UNNOTICED):
        (finding,) = found[rule, "velocity"]
        place = finding["place"]
        require(place is not None and place.get("line") == number, f"{place}, not {number}", output)
        require(os.path.samefile(place["file"], os.path.join(HERE, source)), str(place), output)
        require(place["function"] == "advance_velocity", str(place), output)
        require(finding["suppression"] ==
                f"{rule}  \"Vec 'velocity' (*)\"  \"{source}:advance_velocity\"",
                finding["suppression"], output)
    require(output.text.count(f"(Found in VecDot, at {source}:{number} in advance_velocity.)") == 2,
            "not printed", output)


def case_lines():
    """In C, C++ and Fortran, with debug information."""
    with tempfile.TemporaryDirectory() as path:
        folder = Folder(path)
        if LINES:
            for program, source in (("step", "step.c"), ("step_cpp", "step.cpp"),
                                    ("step_fortran", "step.F90")):
                if os.path.exists(os.path.join(settings["programs"], program)):
                    expect_line(folder, program, source)
        # Without, the function.
        output, found = folder.looked_at("step_plain", "-velocity")
        place = found[STALE, "velocity"][0]["place"]
        require("line" not in place and place["offset"] > 0, str(place), output)
        require(os.path.basename(place["binary"]) == "step_plain", str(place), output)
        if LINES:  # the function is no one of a library's, which the dynamic linker would know
            require(place["function"] == "advance_velocity", str(place), output)
            require(re.search(r"\(Found in VecDot, in advance_velocity\+0x\w+ of step_plain\.\)",
                              output.text), "not printed", output)


def case_call_lines():
    """Each of the ranks that do not do the same has a line of its own."""
    if not LINES:
        return
    with tempfile.TemporaryDirectory() as path:
        report = Folder(path).file("report.json")
        output = run("step", "-different", "-daptor_check", "calls", "-daptor_check_report", report)
        at = [f"at step.c:{line_of('step.c', what)} in go_apart" for what in
              ("the others", "the last rank")]
        require(re.search(rf"VecDot of Vec {at[0]}; rank \d: VecTDot of Vec {at[1]}", output.text),
                f"not told: {at}", output)


def case_python_lines():
    with tempfile.TemporaryDirectory() as path:
        expect_line(Folder(path), "step.py", "step.py")


def case_counting():
    with tempfile.TemporaryDirectory() as path:
        folder = Folder(path)
        suppress(folder)
        compare_with_baseline(folder)
        # What is read on one rank is refused on all; the command sees no ranks.
        if RANKS > 1:
            refuse_what_is_wrong(folder)
        elif settings.get("command"):
            report_to_others(folder)


def suppress(folder):
    output, found = folder.looked_at("step", "-velocity", "-pressure")
    fresh = {(rule, name): ["new"]
             for rule in (STALE, UNNOTICED) for name in ("velocity", "pressure")}
    expect_states(found, fresh, output)
    # The lines that the summary prints suppress these findings, and no others.
    printed = re.findall(r"^    (check\..*velocity.*)$", output.text, re.MULTILINE)
    require(len(printed) == 2, f"printed: {printed}", output)
    file = folder.file("meant", "# what is meant\n\n" + "\n".join(printed) +
                       "\ncheck.mat.*  *  *  # nothing\n")
    output, found = folder.looked_at("step", "-velocity", "-pressure", "-daptor_check_suppress",
                                     file)
    expect_states(found, {key: ["suppressed" if key[1] == "velocity" else "new"] for key in fresh},
                  output)
    require("-daptor_check: 2 findings" in output.text and
            "not counted: 2 suppressed, 0 known" in output.text, "no summary", output)
    require("'velocity'" not in output.text.replace(file, ""), "printed", output)
    require(f"{file}:5 fits no finding: check.mat.*  *  *\n" in output.text and
            output.text.count("fits no finding") == 1, "what is not used is not told", output)
    if not LINES:
        return
    # Meant in one function, and not in the other one.
    output, found = folder.looked_at("step", "-velocity", "-again", "-daptor_check_suppress",
                                     folder.file("here", f"{STALE}* * step.c:advance_velocity\n"))
    require([f["state"] for f in found[STALE, "velocity"]] == ["suppressed", "new"], str(found),
            output)
    require(found[STALE, "velocity"][1]["place"]["line"] == line_of("step.c", "again"), str(found),
            output)


def compare_with_baseline(folder):
    folder.looked_at("step", "-velocity", name="old.json")
    output, found = folder.looked_at("step", "-velocity", "-pressure", "-daptor_check_baseline",
                                     folder.file("old.json"))
    expect_states(found, {(rule, name): [state] for rule in (STALE, UNNOTICED)
                          for name, state in (("velocity", "known"), ("pressure", "new"))}, output)
    require("not counted: 0 suppressed, 2 known" in output.text, "no summary", output)
    require("'velocity'" not in output.text, "printed", output)


def case_status():
    with tempfile.TemporaryDirectory() as path:
        end_with_status(Folder(path))


def end_with_status(folder):
    every = folder.file("every", "check.* * *\n")
    cases = [(["-velocity"], 7),
             (["-velocity", "-daptor_check_suppress", every, "-daptor_check_abort"], 0),
             (["-twice"], 0), (["-twice", "-daptor_check_severity", "warning"], 7)]
    for arguments, status in cases if RANKS > 1 else cases[:2]:
        output, _ = folder.looked_at("step", "-daptor_check_status", "7", *arguments,
                                     status=status)
        # Ranks that end later than the first one are not cut off.
        for text in ("after PetscFinalize; ", "all handlers were called"):
            require(output.text.count(text) == RANKS, f"{arguments}: not to the end", output)
    folder.looked_at("step", "-daptor_check_status", "7", "-velocity", "-own", "3", status=3)
    if RANKS == 1:
        return
    folder.looked_at("step", "-daptor_check_status", "7", "-velocity", "-daptor_check_baseline",
                     folder.file("report.json"), status=0)
    output = run("step", "-twice", "-daptor_check", "-daptor_check_abort",
                 "-daptor_check_severity", "warning")
    require(output.status not in (0, 124, 137), "no abort", output)


def refuse_what_is_wrong(folder):
    wrong = folder.file("wrong", "# fine\ncheck.vec.* *\n")
    for arguments, saying in (
            (["-daptor_check_suppress", wrong], f"line 2 of {wrong}: check.vec.* *"),
            (["-daptor_check_suppress", folder.file("nowhere")], "nowhere"),
            (["-daptor_check_baseline", wrong], "a report that"),
            (["-daptor_check_severity", "fatal"], "fatal"),
            (["-daptor_check_status", "256"], "256")):
        output = run("step", "-daptor_check", *arguments)
        require(output.status not in (0, 124, 137) and saying in output.text,
                f"{arguments}: no refusal", output)


def report_to_others(folder):
    """The command reads what was written."""
    output, found = folder.looked_at("step", "-velocity", "-twice")
    path = folder.file("report.json")

    def daptor(*arguments, status):
        process = subprocess.run([settings["command"], "report", path, *arguments],
                                 stdout=subprocess.PIPE, text=True)
        require(process.returncode == status, f"{arguments}: {process.returncode}", output)
        return process.stdout

    text = daptor(status=1)
    (density,) = found[TWICE, "density of air"]
    for part in (STALE, "warning " + TWICE, "2 errors, 1 warning", density["suppression"]):
        require(part in text, f"{part} is not in: {text}", output)
    suite = xml.etree.ElementTree.fromstring(daptor("-f", "junit", status=1))[0]
    require(suite.get("failures") == "2", "junit", output)
    daptor("-f", "junit", "--severity", "warning", status=1)
    run_ = json.loads(daptor("-f", "sarif", "--root", HERE, status=1))["runs"][0]
    require([r["ruleId"] for r in run_["results"]].count(STALE) == 1, "sarif", output)
    if LINES:
        places = {r["ruleId"]: r["locations"][0]["physicalLocation"] for r in run_["results"]}
        require(places[STALE] == {
            "artifactLocation": {"uri": "step.c", "uriBaseId": "%SRCROOT%"},
            "region": {"startLine": line_of("step.c", "velocity")}}, str(places), output)
        require(places[TWICE]["region"]["startLine"] == line_of("step.c", "density"), str(places),
                output)


globals()[f"case_{sys.argv[1]}"]()
