"""python3 -m daptor check, from end to end: what it writes, and how it ends.

    python3 command_test.py mpirun=COMMAND work=FOLDER [program=DAPTOR]
"""

import json
import os
import subprocess
import sys

settings = dict(argument.split("=", 1) for argument in sys.argv[1:])
here = os.path.dirname(os.path.abspath(__file__))


def daptor(*arguments, status, program=(sys.executable, "-m", "daptor")):
    """What the command writes on three ranks."""
    done = subprocess.run(
        settings["mpirun"].split(";") + [*program, *arguments],
        capture_output=True, text=True, cwd=here, check=False)
    assert done.returncode == status, (arguments, done)
    return done.stdout if status != 5 else done.stdout + done.stderr


text = daptor("check", *(f"producers:{name}" for name in ("good", "grid", "alone", "ready")),
              status=0)
assert text.count("(3 ranks)") == text.count("  conforms") == 4, text

# The kind of error that counts most decides; every producer is tried, whatever came before.
subjects = ("gap", "copies", "raises", "exits", "nothing", "good")
text = daptor("check", *(f"producers:{name}" for name in subjects), "no_such_module:x", status=5)
for words in ("error B09, rank 2, dimension 0, 'start'", "error T18", "KeyboardInterrupt",
              "SystemExit", "AttributeError", "ModuleNotFoundError", "  conforms"):
    assert words in text, (words, text)
text = daptor("check", "--labels", "--profile", "strict", "producers:good",
              "producers:wrong_values", status=1)
assert "behaviour.labels" in text and "  conforms" in text, text

# A program that has imported mpi4py is told what was not seen, in the words of Python.
program = ("from mpi4py import MPI; import daptor.conformance, producers; "
           "print(daptor.conformance.check(producers.Talks, MPI.COMM_WORLD))")
text = daptor("-c", program, status=0, program=(sys.executable,))
assert "Import daptor.conformance before mpi4py" in text and "T17 warning" not in text, text

# In other forms.
assert json.loads(daptor("check", "-f", "json", "producers:good", status=0))
path = os.path.join(settings["work"], "command_test.xml")
daptor("check", "-f", "junit", "-o", path, "producers:good", status=0)
with open(path, encoding="utf-8") as file:
    assert "<testsuite" in file.read()
daptor("check", "-o", os.path.join(here, "no", "such", "folder"), "producers:good", status=2)

# What waits for ever ends.
text = daptor("check", "--time-limit", "1", "producers:waits", status=5)
assert "the time limit is over" in text, text
text = daptor("check", "--patience", "1", "producers:raises_alone", status=5)
assert "rank 1: ValueError: while others wait; other ranks do not come back" in text, text
text = daptor("check", "--patience", "0.5", "producers:raises", "producers:slow", status=5)
assert "do not come back" not in text and "  conforms" in text, text

# What cannot be used.
for arguments in (["producers"], [":good"], ["producers:"],
                  ["--time-limit", "-1", "producers:good"],
                  ["--time-limit", "x", "producers:good"],
                  ["--patience", "nan", "producers:good"]):
    daptor("check", *arguments, status=2)

# The other command hands over.
if "program" in settings:
    program = (settings["program"], "check", "--python", sys.executable)
    assert "  conforms" in daptor("--labels", "producers:good", status=0, program=program)
    daptor("--profile", "strict", "-f", "json", "-o", path, "producers:gap", status=1,
           program=program)
    with open(path, encoding="utf-8") as file:
        assert json.load(file)
    daptor("producers:good", "a.json", status=2, program=program)
    daptor("producers:good", status=2,
           program=(settings["program"], "check", "--python", "/no/such/python"))
