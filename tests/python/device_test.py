# SPDX-License-Identifier: BSD-3-Clause
"""Arrays in memory of a device, as another library hands them over in a C struct. Nobody may touch
the pages here: whoever does ends the test."""

from __future__ import annotations

import ctypes
import gc
import os
import pickle

import numpy
import pytest

import daptor
from mpi4py import MPI
from dlpack_test import Maker
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
    for reads in (daptor.sum, daptor.norm, daptor.argmax, daptor.copy, numpy.sum,
                  lambda x: daptor.dot(x, x), lambda x: daptor.allclose(x, x)):
        refused_everywhere("view.device", lambda reads=reads: reads(a))
    refused_everywhere("redistribute.device", lambda: daptor.gather(a))
    for needs_none in (repr, daptor.explain, lambda x: x._repr_html_(), daptor.zeros_like):
        needs_none(a)
    refused_everywhere("halo.device", lambda: daptor.HaloExchange(a))
    refused_everywhere("halo.device", lambda: daptor.HaloExchange(a, through_host=True))
    refused_everywhere("halo.device", lambda: daptor.update_padding(a, through_host=True))
    refused_everywhere("view.device", lambda: daptor.std(a))
    refused_everywhere("redistribute.device", lambda: daptor.redistribute(a, daptor.zeros_like(a)))
    refused_everywhere("redistribute.device", lambda: daptor.redistribute(
        a, daptor.zeros_like(a), through_host=True))


@pytest.fixture(name="runtime")
def runtime_of_cuda():
    file = os.environ["DAPTOR_FAKE_CUDART"]
    daptor.register_device("cuda", library=file)
    return ctypes.CDLL(file)


class Tensor(Maker):
    """As PyTorch's and CuPy's: DLPack with a device and a stream."""

    def __init__(self, device, **fields):
        super().__init__(numpy.zeros((3, 4)), data=untouchable(), device=device, **fields)
        self.device, self.asked = device, None

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        self.asked = stream
        return self.capsule


class CudaArray:
    """As Numba's: its interface alone."""

    def __init__(self, **keys):
        self.__cuda_array_interface__ = {
            "shape": (3, 4), "typestr": "<f4", "version": 3, "data": (untouchable(), True), **keys}


@pytest.fixture(autouse=True)
def no_capsule_left():
    yield
    for maker in Maker.kept:
        maker.capsule = None


@pytest.mark.parametrize("device, stream, given", [
    ((2, 3), 1, 1), ((13, 0), 1, 1), ((10, 1), 0, None), ((14, 0), None, None)])
def test_tensors_of_a_device(device, stream, given) -> None:
    tensor = Tensor(device, version=(1, 0), strides=(8, 2), flags=1)
    a = daptor.block(tensor, comm)
    assert tensor.asked == stream and tensor.deleted == 0
    assert a.shape == (3 * comm.size, 4) and a.__dlpack_device__() == device and a.readonly
    assert daptor.validate(a)
    if device == (2, 3):
        interface = a.__cuda_array_interface__
        assert interface["data"] == (tensor.managed.tensor.data, True)
        assert interface["strides"] == (64, 16) and interface["stream"] == given
    again = daptor.block(a, comm, shape=(3 * comm.size, 4), grid=(comm.size, None))
    assert again.__dlpack_device__() == device
    refused_everywhere("halo.device", lambda: daptor.HaloExchange(again))
    del a
    tensor.capsule = None
    assert tensor.deleted == 0
    del again
    gc.collect()
    assert tensor.deleted == 1


def test_arrays_with_the_interface_of_cuda() -> None:
    cuda = CudaArray(stream=7, strides=(32, 8))
    a = daptor.block(cuda, comm)
    assert a.dtype == numpy.float32 and a.readonly and a.__dlpack_device__() == (CUDA, 0)
    for key in ("data", "strides", "stream", "typestr"):
        assert a.__cuda_array_interface__[key] == cuda.__cuda_array_interface__[key]
    empty = daptor.block(CudaArray(shape=(0, 4), data=(0, False)), comm)
    assert empty.local_shape == (0, 4)
    cyclic = daptor.cyclic(CudaArray(), comm, shape=(3 * comm.size, 4), grid=(comm.size, None))
    assert cyclic.shape[1] == 4
    listed = daptor.unstructured(CudaArray(), range(3 * comm.rank, 3 * comm.rank + 3), comm,
                                 size=3 * comm.size)
    assert daptor.validate(listed)


@pytest.mark.parametrize("make, words", [
    (lambda: CudaArray(mask=1), "mask"), (lambda: CudaArray(typestr="<V8"), "typestr"),
    (lambda: CudaArray(data=None), "data None"), (lambda: CudaArray(data=(0, False)), "data 0"),
    (lambda: CudaArray(shape=3), "shape 3"), (lambda: CudaArray(strides=(8,)), "1 strides"),
    (lambda: CudaArray(stream=0), "stream 0"), (lambda: Tensor((8, 0)), "Metal")])
def test_bad_memory_of_devices(make, words) -> None:
    for at in {0, comm.size - 1}:
        error = raised(lambda: daptor.block(
            make() if comm.rank == at else CudaArray(), comm, shape=(3 * comm.size, 4),
            grid=(comm.size, None)))
        assert isinstance(error, daptor.InvalidArgument) and error.rank == at, error
        assert words in str(error) and same_on_all(comm, error)


def test_kinds_of_memory_differ() -> None:
    """On one rank on the host, on the others on a device; and an index list on a device."""
    if comm.size > 1:
        error = raised(lambda: daptor.block(
            numpy.zeros((3, 4), "f4") if comm.rank == 1 else CudaArray(), comm,
            shape=(3 * comm.size, 4), grid=(comm.size, None)))
        assert error.rule == "memory.space" and same_on_all(comm, error), error
    indices = CudaArray(shape=(3,), typestr="<i8")
    error = raised(lambda: daptor.unstructured(numpy.zeros(3), indices, comm, size=3 * comm.size))
    assert "CUDA" in str(error) and same_on_all(comm, error), error


def test_copies_by_the_library_of_cuda(runtime) -> None:
    rows = 3 * comm.size

    def on_device():
        return daptor.block(CudaArray(data=(untouchable(), False), typestr="<f8", shape=(5, 4)),
                            comm, shape=(rows, 4), grid=(comm.size, None), ghosts=(1, 0))

    a, b = on_device(), on_device()
    host = daptor.copy_to_host(a)
    numpy.asarray(host)[...] = numpy.arange(20.0).reshape(5, 4) + 100 * comm.rank
    daptor.copy_to_device(host, a)
    daptor.HaloExchange(host).update()
    calls = ctypes.c_int.in_dll(runtime, "daptor_fake_calls")
    calls.value = 0
    daptor.HaloExchange(a, through_host=True).update()
    assert calls.value <= 4 and (calls.value > 0) == (comm.size > 1)
    assert (numpy.asarray(daptor.copy_to_host(a)) == numpy.asarray(host)).all()
    daptor.redistribute(a, b, through_host=True)
    owned = numpy.s_[1:4]
    assert (numpy.asarray(daptor.copy_to_host(b))[owned] == numpy.asarray(host)[owned]).all()
    current = ctypes.c_int(-1)
    runtime.cudaGetDevice(ctypes.byref(current))
    assert current.value == 5, "the process' device is another one now"


def test_failures_of_that_library(runtime) -> None:
    a = daptor.block(CudaArray(), comm)
    fails = ctypes.c_int.in_dll(runtime, "daptor_fake_fails")
    fails.value = 1
    try:
        error = raised(lambda: daptor.copy_to_host(a))
    finally:
        fails.value = 0
    assert isinstance(error, daptor.LibraryFailed) and error.rule == "library.cuda"
    assert "planted" in str(error)
    for arguments, words in (({"kind": "tpu"}, "'cuda' or 'rocm'"),
                             ({"library": "/nowhere.so"}, "nowhere"),
                             ({"library": "libm.so.6"}, "cudaGetDevice"),
                             ({"kind": "rocm", "library": os.environ["DAPTOR_FAKE_CUDART"]},
                              "hipGetDevice")):
        error = raised(lambda: daptor.register_device(**arguments))
        assert isinstance(error, daptor.InvalidArgument) and words in str(error), error
