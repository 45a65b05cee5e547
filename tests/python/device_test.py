# SPDX-License-Identifier: BSD-3-Clause
"""Arrays in memory of a device, as another library hands them over in a C struct. Nobody may touch
the pages here: whoever does ends the test."""

from __future__ import annotations

import ctypes
import pickle

import numpy
import pytest

import daptor
from mpi4py import MPI
from support import raised, same_on_all

comm = MPI.COMM_WORLD
CUDA = 2
NAME = b"daptor_array"
Release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
kept = []


@Release
def release(struct: int) -> None:
    ctypes.c_void_p.from_address(struct + 96).value = None


def untouchable() -> int:
    mmap = ctypes.CDLL(None, use_errno=True).mmap
    mmap.restype = ctypes.c_void_p
    mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + 3 * [ctypes.c_int] + [ctypes.c_long]
    return mmap(None, 4096, 0, 0x22, -1, 0)


def refused_everywhere(rule, call):
    error = raised(call)
    assert error.rule == rule, error
    assert same_on_all(comm, error)


class OnDevice:
    """Has the C struct of an array of the host, with other memory."""

    def __init__(self, stream: int = 0) -> None:
        self.host = daptor.zeros((4 * comm.size,), comm)
        self.address = untouchable()
        self.stream = stream

    def struct(self) -> object:
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        self.capsule = self.host.__daptor_array__()
        struct = ctypes.create_string_buffer(208)
        ctypes.memmove(struct, get(self.capsule, NAME), 208)
        at = ctypes.addressof(struct)
        ctypes.c_int32.from_address(at + 32).value = CUDA
        ctypes.c_int32.from_address(at + 36).value = comm.rank
        ctypes.c_void_p.from_address(at + 80).value = self.address
        ctypes.c_void_p.from_address(at + 96).value = ctypes.cast(release, ctypes.c_void_p).value
        ctypes.memset(at + 104, 0, 40)
        ctypes.c_uint64.from_address(at + 144).value = self.stream
        kept.extend((struct, self))
        new = ctypes.pythonapi.PyCapsule_New
        new.restype = ctypes.py_object
        new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(at, NAME, None)


def test_what_needs_no_element_works() -> None:
    device = OnDevice(stream=42)
    a = daptor.import_(device.struct(), comm)
    assert "CUDA" in str(a) and a.shape == (4 * comm.size,)
    assert daptor.validate(a)
    assert a.__dlpack_device__() == (CUDA, comm.rank)
    interface = a.__cuda_array_interface__
    assert interface["data"] == (device.address, False) and interface["stream"] == 42
    assert interface["shape"] == (4,) and interface["typestr"] == "<f8"
    for stream in (42, -1):
        assert "dltensor" in repr(a.__dlpack__(stream=stream))
    for stream in (None, 1, 7):
        with pytest.raises(BufferError, match="pass stream=42"):
            a.__dlpack__(stream=stream)
    with pytest.raises(BufferError, match="copy_to_host"):
        a.__dlpack__(stream=42, copy=True)
    assert not hasattr(a, "__array_interface__")
    assert not hasattr(device.host, "__cuda_array_interface__")


def test_the_host_does_not_get_it() -> None:
    a = daptor.import_(OnDevice().struct(), comm)
    for touch in (memoryview, bytes, pickle.dumps, lambda x: x.__array__(), numpy.asarray,
                  lambda x: x[0], lambda x: daptor.copy_to_host(x)):
        with pytest.raises((BufferError, TypeError, daptor.Error)):
            touch(a)
    with pytest.raises(daptor.InvalidArgument, match="daptor.copy_to_host"):
        with a.read():
            pass
    refused_everywhere("halo.device", lambda: daptor.HaloExchange(a))
    refused_everywhere("halo.device", lambda: daptor.HaloExchange(a, through_host=True))
    refused_everywhere("redistribute.device", lambda: daptor.redistribute(a, daptor.zeros_like(a)))
    refused_everywhere("redistribute.device", lambda: daptor.redistribute(
        a, daptor.zeros_like(a), through_host=True))
