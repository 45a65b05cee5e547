# SPDX-License-Identifier: BSD-3-Clause
"""Reads with h5py, and with the command daptor, what `write` has written on three ranks."""

import subprocess
import sys

import h5py
import numpy as np


def run(*command):
    """The status and what it writes."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout.decode()


def look(program, path):
    """The command says whether the file is consistent, and who had what."""
    status, text = run(program, "check", path)
    assert status == 0 and text.count("conforms") == 19, text
    status, text = run(program, "check", f"{path}:layouts/cyclic")
    assert status == 0 and "3 ranks" in text, text
    assert run(program, "check", f"{path}:none")[0] == 2
    for name in ("blocks", "ghosts", "cyclic", "block_cyclic"):
        status, text = run(program, "show", f"{path}:layouts/{name}", "--ascii")
        assert status == 0 and "6 x 7" in text, text
    status, text = run(program, "show", path)
    assert status == 2 and "several arrays" in text, text
    status, text = run(program, "show", f"{path}:layouts/listed")
    assert status == 2 and "which process" in text, text
    status, text = run(program, "explain", f"{path}:layouts/blocks")
    assert status in (0, 4), text


def spoil(program, path):
    """What is wrong with a file is found: each change is undone before the next."""
    changes = {"daptor_division": [2, 0], "daptor_block_size": [1], "daptor_first_process": [3, 0],
               "daptor_distribution": "cyclic line", "daptor_format": 2}
    for name, value in changes.items():
        with h5py.File(path, "a") as file:
            attributes = file["layouts/cyclic"].attrs
            before = attributes[name]
            attributes[name] = value
        status, text = run(program, "check", f"{path}:layouts/cyclic")
        assert status == 1 and name in text, (name, text)
        with h5py.File(path, "a") as file:
            file["layouts/cyclic"].attrs[name] = before


def main(path, program=None):
    expected = (np.arange(42) % 90).reshape(6, 7)
    with h5py.File(path, "r") as file:
        assert len(file["layouts"]) == 12, list(file["layouts"])
        for name, dataset in {**file["layouts"], **file["types"]}.items():
            values = dataset[...]
            if name == "bool":
                assert values.dtype == bool and (values == (np.arange(6) % 2 == 1)).all()
                continue
            assert values.dtype == (name if name in file["types"] else "float64"), (name, values)
            assert (values == expected).all(), (name, values)
            attributes = dict(dataset.attrs)
            assert attributes["time"] == 0.5 and attributes["step"] == 3, attributes
            assert attributes["unit"] == "K" and list(attributes["origin"]) == [1, 2.5], attributes
            assert attributes["daptor_format"] == 1, attributes
            assert len(attributes["daptor_division"]) == 2, attributes
            assert isinstance(attributes["daptor_version"], str), attributes
    if program:
        look(program, path)
        spoil(program, path)


main(*sys.argv[1:])
