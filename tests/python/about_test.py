# SPDX-License-Identifier: BSD-3-Clause
"""What the package says of itself, and where its notes go."""

import logging
import os
import subprocess
import sys

import numpy
import pytest
from mpi4py import MPI

import daptor
from daptor import _daptor


def test_the_configuration_is_printed_or_returned(capsys):
    entries = daptor.show_config("dicts")
    assert entries["version"] == daptor.__version__
    assert entries["python.numpy"] == numpy.__version__
    assert entries["compiler"] and entries["mpi"] and entries["commit"]
    assert daptor.show_config() is None
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == list(entries)
    with pytest.raises(ValueError, match="stdout"):
        daptor.show_config("xml")


NOTED = """
import logging, sys
import daptor
from daptor import _daptor
import ctypes
said = []
class Keep(logging.Handler):
    def emit(self, record):
        said.append(record.getMessage())
{setting}
note = ctypes.CDLL({core!r}, mode=ctypes.RTLD_GLOBAL)
name = "_ZN6daptor7adapter4noteESt17basic_string_viewIcSt11char_traitsIcEES4_"
class View(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("data", ctypes.c_char_p)]
getattr(note, name)(View(8, b"one note"), View(6, b", more"))
print(said)
"""


@pytest.mark.parametrize("setting, out, err", [
    ("", "[]", "one note, more\n"),  # the last resort of logging
    ("logging.getLogger('daptor').addHandler(Keep())", "['one note, more']", ""),
    ("logging.getLogger('daptor').setLevel('ERROR')", "[]", ""),
])
def test_notes_are_records_of_a_logger(setting, out, err):
    if MPI.COMM_WORLD.rank > 0:
        return
    core = next(line.split()[-1] for line in open("/proc/self/maps") if "libdaptor_core" in line)
    done = subprocess.run([sys.executable, "-c", NOTED.format(setting=setting, core=core)],
                          env={name: value for name, value in os.environ.items()
                               if not name.startswith(("OMPI_", "PMIX_", "PMI_"))},
                          capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.stderr) == (out, err), done


def test_the_logger_is_not_configured_by_the_package():
    assert logging.getLogger("daptor").handlers == []
    assert not hasattr(_daptor, "note")
