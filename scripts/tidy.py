#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs clang-tidy for scripts/lint.

    tidy.py <build> <jobs>              looks at all sources of the project, in batches
    tidy.py <build> <jobs> <file>...    looks at these sources, each by itself; for a header, at one
                                        source that includes it

<build> is the directory of a unity build that has been configured. Its batches of sources are what
makes a whole run quick, since nearly all of clang-tidy's time goes into the headers that sources
share. In a batch, clang-tidy does not find unused using declarations.
"""
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Tests need not be quick, ask on purpose what an object does after a move, and replace functions in
# headers that only one source includes.
NOT_IN_TESTS = ["-performance-*", "-bugprone-use-after-move", "-misc-definitions-in-headers"]
FINDING = re.compile(r"^(/[^:]+:\d+:\d+): (?:error|warning): ", re.MULTILINE)


def extra_arguments(path):
    """What clang-tidy needs to know besides the build's own arguments for GCC."""
    # A command without a standard relies on GCC's default.
    arguments = ["--quiet", "--extra-arg-before=-std=c++17",
                 "--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-Wno-error"]
    # GCC's directory of headers is searched last, for ISO_Fortran_binding.h, which Clang lacks.
    where = subprocess.run(["gcc", "-print-file-name=include"], capture_output=True, text=True)
    if where.returncode == 0:
        arguments.append("--extra-arg=-idirafter" + where.stdout.strip())
    left_out = []
    if is_batch(path):
        left_out += ["-bugprone-suspicious-include", "-misc-unused-using-decls"]
    if "tests" in path.parts:
        left_out += NOT_IN_TESTS
    return [*arguments, "--checks=" + ",".join(left_out)]


def is_batch(path):
    return "Unity" in path.parts


class Unit:
    """One call of the compiler: a source, or a batch of sources."""

    def __init__(self, entry):
        self.entry = entry
        self.path = pathlib.Path(entry["directory"], entry["file"])
        self.sources = [self.path]
        if is_batch(self.path):
            text = self.path.read_text()
            self.sources = [pathlib.Path(p) for p in re.findall(r'#include "(/[^"]+)"', text)]

    def by_itself(self, source):
        """The same call for only one of the sources."""
        command = self.entry["command"].replace(str(self.path), str(source))
        return dict(self.entry, command=command, file=str(source))


def units_of(build):
    """The units whose sources belong to the project. No two have the same sources."""
    listed = subprocess.run(["git", "ls-files", "*.cpp"], cwd=ROOT, capture_output=True, text=True,
                            check=True)
    project = {ROOT / name for name in listed.stdout.split()}
    seen = set()
    units = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        unit = Unit(entry)
        unit.sources = [source for source in unit.sources if source in project]
        if set(unit.sources) - seen:
            seen.update(unit.sources)
            units.append(unit)
    return units, project


def one_that_includes(header, sources):
    """A source that includes the header; one of the same name, if there is one."""
    sources = sorted(sources, key=lambda source: source.stem != header.stem)
    line = re.compile(r'#include ["<](?:[^">]*/)?' + re.escape(header.name) + '[">]')
    return next((source for source in sources if line.search(source.read_text())), None)


def entries_for(files, units):
    unit_of = {source: unit for unit in reversed(units) for source in unit.sources}
    sources = {file if file.suffix == ".cpp" else one_that_includes(file, unit_of)
               for file in files}
    return [unit_of[source].by_itself(source) for source in sorted(sources & unit_of.keys())]


def look_at(entry, database):
    path = pathlib.Path(entry["directory"], entry["file"])
    command = ["clang-tidy", "-p", database, *extra_arguments(path), str(path)]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0 and not FINDING.search(run.stdout):
        return f"{path}:1:1: error: clang-tidy failed\n{run.stdout}{run.stderr}"
    return run.stdout


def print_new(output, seen):
    """Prints what has not been printed for another source that has the same header."""
    starts = [match.start() for match in FINDING.finditer(output)] + [len(output)]
    for start, end in zip(starts, starts[1:]):
        finding = output[start:end]
        line = finding.splitlines()[0]
        if line not in seen:
            print(finding, end="", flush=True)
            seen.add(line)


def main(build, jobs, *files):
    units, project = units_of(pathlib.Path(build).resolve())
    if files:
        entries = entries_for([ROOT / file for file in files], units)
        looked_at = len(entries)
    else:
        entries = [unit.entry for unit in units]
        looked_at = len({source for unit in units for source in unit.sources})
    print(f"== clang-tidy looks at {looked_at} of {len(files) or len(project)} sources; the others "
          "are not built here", flush=True)
    seen = set()
    with tempfile.TemporaryDirectory() as database:
        pathlib.Path(database, "compile_commands.json").write_text(json.dumps(entries))
        with concurrent.futures.ThreadPoolExecutor(int(jobs)) as pool:
            for output in pool.map(lambda entry: look_at(entry, database), entries):
                print_new(output, seen)
    return 1 if seen else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
