# SPDX-License-Identifier: BSD-3-Clause
"""Runs pages of the documentation as programs, each in a folder of its own.

    mpirun -n N python3 page_test.py PAGE... [without-petsc] [without-muelu]

Blocks that need what is not installed are left out.
"""

import importlib.util
import os
import re
import shutil
import sys
import tempfile

from mpi4py import MPI

# What a block contains, and the module without which it does not run.
NEEDED = {"import xarray": "xarray", "scipy": "scipy", "slepc4py": "slepc4py",
          "scalapack.": "daptor._scalapack",
          "daptor.save": "daptor._hdf5", "daptor import fft": "daptor._fftw",
          "safetensors": "safetensors", "import torch": "torch.distributed.tensor",
          "daptor.checkpoint": "torch.distributed.tensor"}


def there(module):
    try:
        return importlib.util.find_spec(module)
    except ModuleNotFoundError:  # the package above it
        return None


def runs(block):
    if "without-petsc" in sys.argv and re.search("petsc|dmda|_vec", block, re.IGNORECASE):
        return False
    if "without-muelu" in sys.argv and "daptor.muelu" in block:
        return False
    return all(there(module) for text, module in NEEDED.items() if text in block)


def run(page):
    with open(page, encoding="utf-8") as file:
        text = file.read()
    folder = MPI.COMM_WORLD.bcast(tempfile.mkdtemp() if MPI.COMM_WORLD.rank == 0 else None)
    os.chdir(folder)
    names = {"__name__": "page"}
    try:
        for block in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            if runs(block.group(1)):
                line = text.count("\n", 0, block.start(1))
                exec(compile("\n" * line + block.group(1), page, "exec"), names)
    finally:
        os.chdir("/")
        if MPI.COMM_WORLD.rank == 0:
            shutil.rmtree(folder, ignore_errors=True)


for argument in sys.argv[1:]:
    if argument.endswith(".md"):
        run(argument)
