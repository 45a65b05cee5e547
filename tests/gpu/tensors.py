# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of PyTorch and CuPy in memory of a GPU, on that memory. Says what it has tried."""

from __future__ import annotations

import importlib

import daptor
from mpi4py import MPI

comm = MPI.COMM_WORLD


def look_at(name: str) -> str:
    """What became of the arrays of a library."""
    try:
        library = importlib.import_module(name)
    except ImportError:
        return "not installed"
    if name == "torch":
        if not library.cuda.is_available():
            return "without a GPU"
        u = library.arange(4, dtype=library.float64, device="cuda")
        address = u.data_ptr()
    else:
        u = library.arange(4, dtype="f8")
        address = u.data.ptr
    a = daptor.block(u, comm)
    assert daptor.validate(a) and a.shape == (4 * comm.size,)
    assert a.__dlpack_device__()[0] == 2, a.__dlpack_device__()
    assert a.__cuda_array_interface__["data"][0] == address
    back = library.from_dlpack(a)
    assert (back.data_ptr() if name == "torch" else back.data.ptr) == address
    assert float(back[3]) == 3
    return "on the same memory, both ways"


for each in ("torch", "cupy"):
    found = look_at(each)
    if comm.rank == 0:
        print(f"{each}: {found}")
