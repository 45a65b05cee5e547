# SPDX-License-Identifier: BSD-3-Clause
"""python3 -m daptor, from end to end: what it writes, and how it ends.

    python3 command_test.py mpirun=COMMAND work=FOLDER part=PART [program=DAPTOR] [petsc=1]
"""

import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

settings = dict(argument.split("=", 1) for argument in sys.argv[1:])
here = os.path.dirname(os.path.abspath(__file__))


def daptor(*arguments, status, program=(sys.executable, "-m", "daptor"), errors=False,
           before=None, ranks=3, **environment):
    """Returns the command's output; folder `before` is first on Python's path."""
    path = os.environ["PYTHONPATH"]
    mpirun = settings["mpirun"].split(";")
    if "-n" in mpirun:
        mpirun[mpirun.index("-n") + 1] = str(ranks)
    done = subprocess.run(
        mpirun + [*program, *arguments],
        capture_output=True, text=True, cwd=here, check=False,
        env={**os.environ, "PYTHONPATH": f"{before}:{path}" if before else path, **environment})
    assert done.returncode == status, (arguments, done)
    return done.stdout + done.stderr if errors or status == 5 else done.stdout


with_petsc = ["--target", "petsc.vec"] if settings.get("petsc") else []


def check():
    """The verdict on producers, also on those that wait for ever."""
    # These runs only wait, while all that follows is run.
    waiting = concurrent.futures.ThreadPoolExecutor()
    waits = waiting.submit(daptor, "check", "--time-limit", "6", "producers:waits", status=5)
    waits_on_last = waiting.submit(daptor, "check", "--time-limit", "6", "producers:waits_on_last",
                                   status=5)
    text = daptor("check", *(f"producers:{name}" for name in ("good", "grid", "alone", "ready")),
                  status=0)
    assert text.count("(3 ranks)") == text.count("  conforms") == 4, text

    # The most severe error decides the status; every producer is tried, whatever came before.
    subjects = ("gap", "copies", "raises", "exits", "nothing", "good")
    text = daptor("check", *(f"producers:{name}" for name in subjects), "no_such_module:x",
                  status=5)
    for words in ("error B09, rank 2, dimension 0, 'start'", "error T18", "KeyboardInterrupt",
                  "SystemExit", "AttributeError", "ModuleNotFoundError", "  conforms"):
        assert words in text, (words, text)
    text = daptor("check", "--labels", "--profile", "strict", "producers:good",
                  "producers:wrong_values", status=1)
    assert "behaviour.labels" in text and "  conforms" in text, text

    # A program that has imported mpi4py is told what could not be seen, in terms of Python.
    program = ("from mpi4py import MPI; import daptor.conformance, producers; "
               "print(daptor.conformance.check(producers.Talks, MPI.COMM_WORLD))")
    text = daptor("-c", program, status=0, program=(sys.executable,))
    assert "Import daptor.conformance before mpi4py" in text and "T17 warning" not in text, text

    # Other output formats.
    assert json.loads(daptor("check", "-f", "json", "producers:good", status=0, ranks=1))
    path = os.path.join(settings["work"], "command_test.xml")
    daptor("check", "-f", "junit", "-o", path, "producers:good", status=0, ranks=1)
    with open(path, encoding="utf-8") as file:
        assert "<testsuite" in file.read()
    daptor("check", "-o", os.path.join(here, "no", "such", "folder"), "producers:good", status=2,
           ranks=1)

    # Without mpi4py, a sentence says so.
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "mpi4py"))
        with open(os.path.join(folder, "mpi4py", "__init__.py"), "w", encoding="utf-8") as file:
            file.write("raise ModuleNotFoundError('not here')")
        text = daptor("check", "producers:good", status=2, errors=True, before=folder)
    assert text.count("has no mpi4py (not here)") == 1 and "Traceback" not in text, text

    # The runs that were waiting.
    text = waits.result()
    assert "the time limit is over: rank 0 is in the producer (producers.py:" in text, text
    text = waits_on_last.result()
    for rank, where in ((0, "waits for the others"), (1, "waits for the others"),
                        (2, "is in the producer (producers.py:")):
        assert f"the time limit is over: rank {rank} {where}" in text, text
    text = daptor("check", "--patience", "1", "producers:raises_alone", status=5)
    assert "rank 1: ValueError: while others wait (producers.py:" in text, text
    assert "in raises_alone); other ranks do not come back" in text, text
    text = daptor("check", "--patience", "0.5", "producers:raises", "producers:slow", status=5)
    assert "do not come back" not in text and "  conforms" in text, text


def arguments():
    """Arguments that cannot be used, files, and the other command."""
    command_file = os.path.abspath(__file__)
    for given in (["producers"], [":good"], ["producers:"],
                  ["--time-limit", "-1", "producers:good"],
                  ["--time-limit", "x", "producers:good"],
                  ["--patience", "nan", "producers:good"]):
        daptor("check", *given, status=2, ranks=1)

    # What all ranks read alike is answered by the first, with the same status on all.
    for given, status, words in ((["--version"], 0, "daptor 0."),
                                 (["help", "check"], 0, "--labels"),
                                 (["chek", "producers:good"], 2, "did you mean 'check'?"),
                                 (["check", command_file], 2, "command_test.py")):
        for rank in ("0", "1"):
            done = subprocess.run([sys.executable, "-m", "daptor", *given], capture_output=True,
                                  text=True, check=False, stdin=subprocess.DEVNULL,
                                  env={**os.environ, "OMPI_COMM_WORLD_RANK": rank})
            said = done.stdout + done.stderr
            assert done.returncode == status and (words in said) == (rank == "0"), done
            assert rank == "0" or not said, said

    # A file by its path, from another folder.
    file_of_producers = os.path.join(here, "producers.py")
    assert "  conforms" in daptor("check", file_of_producers + ":good", status=0, ranks=1)
    text = daptor("check", os.path.join(here, "nothing.py") + ":good", status=5, ranks=1)
    assert "nothing.py" in text and "FileNotFoundError" in text, text

    # The program passes its words to this process.
    if "program" in settings:
        program = (settings["program"], "check", "--python", sys.executable)
        assert "  conforms" in daptor("--labels", file_of_producers + ":good", status=0,
                                      program=program, ranks=1)
        path = os.path.join(settings["work"], "command_test_strict.json")
        daptor("--profile", "strict", "-f", "json", "-o", path, "producers:gap", status=1,
               program=program)
        with open(path, encoding="utf-8") as file:
            assert json.load(file)
        text = daptor("--dlpack", "dlpack_objects:numpy_array", status=0, program=program, ranks=1)
        assert "dlpack_objects:numpy_array (1 rank)" in text and "  conforms" in text, text
        daptor("--dlpack", "a.json", status=2, program=program, ranks=1)
        daptor("producers:good", "a.json", status=2, program=program, ranks=1)
        daptor("producers:good", status=2, ranks=1,
               program=(settings["program"], "check", "--python", "/no/such/python"))


def actions():
    """What the other actions say about a producer."""
    if "program" in settings:
        # This run only waits, while all that follows is run.
        waiting = concurrent.futures.ThreadPoolExecutor()
        show_waits = waiting.submit(daptor, "show", "--time-limit", "6", "producers:waits",
                                    status=5, program=(settings["program"],))

    # What a producer says on all ranks, and what it means, in terms of Python.
    path = os.path.join(settings["work"], "command_test.json")
    daptor("dump", "-o", path, "producers:grid", status=0)
    with open(path, encoding="utf-8") as file:
        recorded = json.load(file)
    assert recorded["nranks"] == 3 and recorded["name"] == "producers:grid"
    assert recorded["ranks"][1]["buffer"] == {"dtype": "<f8", "shape": [6, 4], "strides": [32, 8],
                                              "readonly": False}, recorded
    assert recorded["ranks"][1]["dim_data"][0]["padding"] == [1, 1]
    if "program" in settings:
        assert "  conforms" in daptor("check", path, status=0, program=(settings["program"],),
                                      ranks=1)
    daptor("dump", "-o", path, "producers:lists", status=0)
    with open(path, encoding="utf-8") as file:
        assert json.load(file)["ranks"][2]["dim_data"][0]["indices"]["values"] == [2, 5, 8]
    text = daptor("check", "producers:masked", status=1)
    assert "T09" in text and "rank 2" in text and "mask would be lost" in text, text
    daptor("dump", "-o", path, "producers:masked", status=0)
    with open(path, encoding="utf-8") as file:
        assert json.load(file)["ranks"][2]["buffer"] is None
    daptor("dump", "-o", path, "producers:fails", status=5)
    with open(path, encoding="utf-8") as file:
        error = json.load(file)["ranks"][2]["error"]
    assert error.startswith("ZeroDivisionError: \\x1b[31m, no value")

    for action in ("dump", "show"):
        text = daptor(action, "-o" if action == "dump" else "--svg",
                      os.path.join(here, "no", "such", "folder"), "producers:good", status=2,
                      errors=True, ranks=1)
        assert "cannot be written" in text, text
    assert "1000" in daptor("show", "--width", "100000000", "producers:good", status=2,
                            errors=True, ranks=1)

    text = daptor("show", "--ascii", "producers:grid", status=0)
    assert "12 x 2 float64 on 3 ranks" in text and "producers:grid" in text, text
    assert daptor("show", "--svg", "-", "producers:good", status=0, ranks=1).startswith("<svg")
    path = os.path.join(settings["work"], "command_test.svg")
    daptor("show", "-o", path, "producers:good", status=0, ranks=1)
    with open(path, encoding="utf-8") as file:
        assert file.read(4) == "<svg"
    if "program" in settings:
        os.unlink(path)
        daptor("show", "-o", path, "producers:good", status=0, ranks=1,
               program=(settings["program"],))
        assert os.path.exists(path)
    assert "'slice'" in daptor("show", "--slice", "7=1", "producers:good", status=2, errors=True,
                               ranks=1)

    text = daptor("explain", "producers:gap", status=1, errors=True)
    assert "B09" in text, text
    text = daptor("explain", "producers:lists", *with_petsc, status=0)
    assert "::" not in text or not with_petsc, text
    targets = json.loads(daptor("explain", "-f", "json", "producers:lists", status=0,
                                ranks=1))["targets"]
    calls = {target["target"]: target["call"] for target in targets}
    assert not with_petsc or calls["petsc.vec"] == "a.to_petsc()", calls
    copies = {target["target"]: target["copy_call"] for target in targets}
    assert not with_petsc or copies["petsc.dmda"].startswith("a.copy_to_dmda("), copies
    assert "\x1b[" in daptor("explain", "--color", "always", "producers:lists", status=0,
                             ranks=1)
    assert "no target x" in daptor("explain", "--target", "x", "producers:good", status=2,
                                   errors=True, ranks=1)

    if "program" in settings:
        # Whatever `python3` is on the path, the package's own Python is taken.
        with tempfile.TemporaryDirectory() as folder:
            other = os.path.join(folder, "python3")
            with open(other, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\necho another Python\nexit 7\n")
            os.chmod(other, 0o755)
            path = f"{folder}:{os.environ['PATH']}"
            for action in ("check", "dump", "explain", "show"):
                text = daptor(action, "producers:good", status=0, program=(settings["program"],),
                              PATH=path, ranks=1)
                assert text and "another Python" not in text, (action, text)
        assert "is in the producer" in show_waits.result()


{"check": check, "arguments": arguments, "actions": actions}[settings["part"]]()
