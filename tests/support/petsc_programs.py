# SPDX-License-Identifier: BSD-3-Clause
"""Programs that know nothing of Daptor, with the PETSc plug-in or without.

For scripts with arguments `CASE plugin=FILE programs=FOLDER ranks=N sanitized=[NAMES]
mpirun=COMMAND;WITH;ARGUMENTS`, which the functions below read.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

settings = dict(argument.split("=", 1) for argument in sys.argv[2:])
HERE = os.path.dirname(os.path.abspath(sys.argv[0]))
RANKS = int(settings["ranks"])
SANITIZED = settings["sanitized"] != ""

# mpirun's own message about MPI_Abort may come between two messages of PETSc.
OF_MPIRUN = re.compile(r"-{70,}\nMPI_ABORT was invoked.*?\n-{70,}\n", re.DOTALL)


class Output:
    def __init__(self, status, text):
        self.status = status
        self.text = OF_MPIRUN.sub("", text)

    def iterations(self):
        """Returns those of every linear solve, and expects that all converged."""
        require("did not converge" not in self.text, "a solve did not converge", self)
        return [int(n)
                for n in re.findall(r"Linear solve converged .* iterations (\d+)", self.text)]


def require(condition, what, output):
    if condition:
        return
    print(output.text)
    sys.exit(f"FAILED: {what}")


def run(program, *arguments, plugin=True):
    """Runs a program, which does not know the plug-in: PETSc reads `-dll_append`."""
    command = settings["mpirun"].split(";") + (
        [settings["python"], os.path.join(HERE, program)] if program.endswith(".py")
        else [os.path.join(settings["programs"], program)])
    loading = ["-dll_append", settings["plugin"]] if plugin else []
    process = subprocess.run(
        command + loading + list(arguments), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return Output(process.returncode, process.stdout.decode("utf-8", "replace"))


def good(program, *arguments, **options):
    output = run(program, *arguments, **options)
    require(output.status == 0, f"{program} {' '.join(arguments)}: status {output.status}", output)
    return output


def refused(program, *arguments, saying):
    """Expects that the program ends with an error of PETSc that contains a sentence of Daptor."""
    output = run(program, *arguments)
    name = f"{program} {' '.join(arguments)}"
    require(output.status not in (0, 124, 137), f"{name}: status {output.status}", output)
    require(output.text.count("PETSC ERROR: daptor: ") == 1,
            f"{name}: no sentence of ours, or several", output)
    require(saying in output.text, f"{name}: it does not say '{saying}'", output)


def examined(program, *arguments, what="values"):
    """Runs the program under -daptor_check `what`, and returns its output and the report."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.json")
        check = ["-daptor_check", *filter(None, [what])]
        output = good(program, *arguments, *check, "-daptor_check_report", path)
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
    require("daptor: -daptor_check: " in output.text, "no summary", output)
    require(report["looks"] > 0, "nothing was looked at", output)
    return output, report["findings"]
