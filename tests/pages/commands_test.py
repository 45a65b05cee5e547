# SPDX-License-Identifier: BSD-3-Clause
"""Runs the commands that a reader meets first: those of README.md, docs/README.md, and of the
first screen of each page. A command that this file does not know how to run fails the test.

    commands_test.py root=FOLDER daptor=FILE mpirun=COMMAND;WITH;ARGUMENTS programs=FOLDER
                     producers=FILE package=FOLDER slepc=FILE solves=FILE

What a page leaves to the reader (`./program`, `script.py`, `array.json`) is there under its name.
What is printed below `$ command` on a page is what the command prints.
"""

import concurrent.futures
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

settings = dict(argument.split("=", 1) for argument in sys.argv[1:])
ROOT = pathlib.Path(settings["root"])
SCREEN = 40  # lines
BEGINS = re.compile(r"(mpirun|daptor|python3|cmake|ctest) |scripts/\w|PETSC_OPTIONS=")
TABLES = ("README.md", "command.md")  # pages with commands in tables

# Commands whose words are run by another test, or by who installs.
ELSEWHERE = {
    "cmake --preset release": "package.*",
    "cmake --build build/release -j 2": "package.*",
    "cmake --build build/release --target install": "package.*",
    "cmake --install build/release --prefix /where/you/want": "package.*",
    "ctest -R scale": "scale",
    "mpirun -n 4 ./my_test": "conformance.gtest",
    "daptor describe scalapack ...": "cli.plugin",
    "daptor compare one.json three.json": "doctor.trace",
}

# Placeholders of tables of commands, by what is there.
WORDS = [
    ("--dlpack MODULE:NAME", "--dlpack mymodule:make_tensor"),
    ("MODULE:NAME", "mymodule:make_array"), ("LIBRARY:SYMBOL", "./libmygrid.so:good"),
    (":make_grid", ":good"), ("FILE...", "field.json"), ("FILE", "field.json"),
    ("[ID...]", "B09"), ("daptor rule OLD", "daptor rule B09")]


def pages():
    yield ROOT / "README.md", None
    yield ROOT / "docs" / "README.md", None
    for folder in ("docs", "docs/with", "adapters"):
        for page in sorted((ROOT / folder).glob("*/README.md" if folder == "adapters" else "*.md")):
            if page != ROOT / "docs" / "README.md":
                yield page, SCREEN


def in_tables(page, line):
    """Commands in the cells of a table; options of the plug-in alone are those of a program."""
    wanted = line.startswith("|") and page.name in TABLES
    for code in re.findall(r"`([^`]+)`", line) if wanted else []:
        if code.startswith(("daptor ", "mpirun ")):
            yield code
        elif code.startswith("-dll_append"):
            yield "mpirun -n 4 ./program " + code
        elif code.startswith("-pc_type"):
            yield "mpirun -n 4 ./program -dll_append $(daptor plugin) " + code


def commands(page, screen):
    """Pairs of a command and what the page shows below it (None: nothing)."""
    lines = page.read_text(encoding="utf-8").splitlines()
    fenced, language, read = False, "", 0
    for number, line in enumerate(lines[:screen]):
        if number < read:
            continue  # of the command before
        if line.startswith("```"):
            fenced, language = not fenced, line[3:]
        for command in in_tables(page, line):
            yield command, None
        indented = line.startswith("    ")
        if not indented and not (fenced and language in ("", "console", "sh")):
            continue
        text = line.strip()
        shows = text.startswith("$ ")
        text = text[2:] if shows else text
        while text.endswith("\\") and number + 1 < len(lines):
            number += 1
            text = text[:-1] + lines[number].strip()
            read = number + 1
        text = re.sub(r"\s+# .*", "", text)
        if BEGINS.match(text):
            yield text, printed(lines[number + 1:]) if shows else None


def printed(below):
    shown = []
    for line in below:
        if not line.startswith("    ") or line.startswith("    $ "):
            break
        shown.append(line[4:])
    return "\n".join(shown) if shown else None


def array(name, bounds):
    size = bounds[-1][1]
    return {"name": name, "ranks": [
        {"__version__": "0.9.0", "buffer": {"dtype": "<f8", "shape": [stop - start]},
         "dim_data": [{"dist_type": "b", "size": size, "proc_grid_size": len(bounds),
                       "proc_grid_rank": rank, "start": start, "stop": stop}]}
        for rank, (start, stop) in enumerate(bounds)]}


MODULE = """
import numpy
import daptor
def make_array(comm):
    return daptor.block(numpy.arange(4.0) + 4 * comm.rank, comm)
good = make_array
def make_tensor(comm=None):
    return numpy.arange(4.0)
"""
# A Laplacian by petsc4py, whose solver is chosen by options.
SCRIPT = """
import sys
import petsc4py
petsc4py.init(sys.argv)
from petsc4py import PETSc
A = PETSc.Mat().createAIJ((200, 200), nnz=3)
for i in range(*A.getOwnershipRange()):
    for j, value in ((i - 1, -1), (i, 2), (i + 1, -1)):
        if 0 <= j < 200:
            A[i, j] = value
A.assemble()
x, b = A.createVecs()
b.set(1)
solver = PETSc.KSP().create()
solver.setOperators(A)
solver.setFromOptions()
solver.solve(b, x)
assert solver.reason > 0, solver.reason
"""
EIGENVALUES = """
import sys
import slepc4py
slepc4py.init(sys.argv)
from petsc4py import PETSc
from slepc4py import SLEPc
A = PETSc.Mat().createAIJ((200, 200), nnz=3)
for i in range(*A.getOwnershipRange()):
    for j, value in ((i - 1, -1), (i, 2), (i + 1, -1)):
        if 0 <= j < 200:
            A[i, j] = value
A.assemble()
solver = SLEPc.EPS().create()
solver.setOperators(A)
solver.setProblemType(SLEPc.EPS.ProblemType.HEP)
solver.setTarget(0)
solver.setFromOptions()
solver.solve()
assert solver.getConverged() > 0
"""
MARKET = """%%MatrixMarket matrix coordinate real general
4 4 6
1 1 4
2 2 4
3 3 4
4 4 4
1 2 -1
2 1 -1
"""


def prepare(folder):
    (folder / "bin").mkdir()
    run = " ".join(f"'{word}'" for word in settings["mpirun"].split(";"))
    for name, text in (("mpirun", f"exec {run} \"$@\""),
                       ("daptor", f"exec '{settings['daptor']}' \"$@\""),
                       ("python3", f"exec '{sys.executable}' \"$@\"")):
        tool = folder / "bin" / name
        tool.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        tool.chmod(0o755)
    programs = pathlib.Path(settings["programs"])
    for name in ("program", "flow"):
        (folder / name).symlink_to(programs / "ex2")
    (folder / "meant.txt").write_text("check.mat.* * assemble.cpp:*\n", encoding="utf-8")
    (folder / "libmygrid.so").symlink_to(settings["producers"])
    for name, key in (("slepc_program", "slepc"), ("trilinos_with_petsc", "solves")):
        if settings[key]:
            (folder / name).symlink_to(settings[key])
    for name in ("script.py", "demo.py", "solver.py"):
        (folder / name).write_text(SCRIPT, encoding="utf-8")
    (folder / "program.py").write_text(EIGENVALUES, encoding="utf-8")
    (folder / "mymodule.py").write_text(MODULE, encoding="utf-8")
    (folder / "matrix.mtx").write_text(MARKET, encoding="utf-8")
    (folder / "parameters.xml").write_text(
        '<ParameterList name="MueLu">\n'
        '  <Parameter name="max levels" type="int" value="3"/>\n</ParameterList>\n',
        encoding="utf-8")
    for name, text, bounds in (
            ("grid.json", "a grid with a gap", [(0, 4), (5, 8), (9, 12)]),
            ("array.json", "twelve in blocks of four", [(0, 5), (4, 9), (8, 12)]),
            ("field.json", "twelve in blocks of four", [(0, 4), (4, 8), (8, 12)])):
        (folder / name).write_text(json.dumps(array(text, bounds)), encoding="utf-8")
    for name in ("doctor.json", "main.json"):
        (folder / name).write_text(
            '{"format": 1, "complete": true, "looks": 1, "seconds": 0, "findings": []}',
            encoding="utf-8")
    write = ("import daptor, mymodule; from mpi4py import MPI; "
             "daptor.save(mymodule.make_array(MPI.COMM_WORLD), 'state.h5', 'temperature')")
    bash(folder, f'mpirun -n 2 python3 -c "{write}"')


def bash(folder, command):
    environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
                   "PYTHONPATH": f"{folder}:{settings['package']}"}
    run = subprocess.run(["timeout", "-k", "5", "60", "bash", "-o", "pipefail", "-c", command],
                         cwd=folder, env=environment, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, check=False)
    return (run.returncode, run.stdout.decode("utf-8", "replace"),
            run.stderr.decode("utf-8", "replace"))


def script_fault(command):
    """A script of ours is not run, but asked whether it has the options that the page shows."""
    name, *arguments = command.split()
    script = ROOT / name
    if not os.access(script, os.X_OK):
        return "no such script"
    usage = subprocess.run([script, "--help"], stdout=subprocess.PIPE, check=False)
    words = script.read_text(encoding="utf-8")
    unknown = [word for word in arguments if word not in words and f" {word} " not in words]
    return (f"ends with {usage.returncode} for --help" if usage.returncode else
            f"does not know {unknown}" if unknown and name != "scripts/in-chroot" and
            name != "scripts/bench" else None)


def as_run(page, command):
    """The command with what stands there for the reader's own programs and files."""
    for word, stands_for in WORDS:
        command = command.replace(word, stands_for)
    if page.name == "slepc.md":
        command = command.replace("./program", "./slepc_program")
    return re.sub(r"\./(step-40|ex2)", "./program", command)


def fault(folder, command, shown):
    """What is wrong with the command, or None."""
    if command in ELSEWHERE:
        return None
    if command.startswith("scripts/"):
        return script_fault(command)
    there = {"slepc_program": settings["slepc"], "trilinos_with_petsc": settings["solves"],
             "program.py": importlib.util.find_spec("slepc4py")}
    if any(program in command and not found for program, found in there.items()):
        return None
    status, out, err = bash(folder, command)
    if shown is not None:
        if out.strip() != shown.strip():
            return f"prints\n{out}\nand not\n{shown}\n{err}"
        return None if status in (0, 1) else f"status {status}\n{err}"
    return None if status == 0 else f"status {status}\n{out}\n{err}"


def main():
    wanted = {}
    for page, screen in pages():
        for command, shown in commands(page, screen):
            wanted.setdefault((as_run(page, command), shown), page)
    if len(wanted) < 40:
        sys.exit(f"FAILED: only {len(wanted)} commands were found on the pages")
    faults = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(folder)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            asked = {pool.submit(fault, folder, command, shown): (page, command)
                     for (command, shown), page in wanted.items()}
            for done, (page, command) in asked.items():
                if done.result() is not None:
                    faults.append(f"{page.relative_to(ROOT)}: {command}\n  {done.result()}")
    print(f"{len(wanted)} commands")
    if faults:
        sys.exit("FAILED:\n" + "\n".join(faults))


if __name__ == "__main__":
    main()
