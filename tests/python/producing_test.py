# SPDX-License-Identifier: BSD-3-Clause
"""What a daptor.Array offers: the protocol, buffers, NumPy, DLPack and the C struct."""

import ctypes
import gc
import pickle
import sys
import unittest.mock
import weakref

import numpy
import pytest

import daptor
from support import Producer, address, block, line, raised

PyBUF_SIMPLE, PyBUF_WRITABLE, PyBUF_FORMAT, PyBUF_ND, PyBUF_STRIDES = 0, 1, 4, 8, 0x18
PyBUF_C, PyBUF_F, PyBUF_ANY = 0x38, 0x58, 0x98


def padded(comm, version):
    """One dimension with padding (1, 1) on internal edges."""
    u = numpy.zeros(6)
    a = daptor.block(u[:4 + (comm.rank > 0) + (comm.rank < comm.size - 1)], comm,
                     shape=(4 * comm.size,), padding=1)
    return daptor.import_(a.__distarray__(version=version), comm)


@pytest.mark.parametrize("there", ["0.9.0", "0.10.0"])
def test_both_versions_both_ways(comm, there):
    a = padded(comm, there)
    assert a.version == there
    for back in ("0.9.0", "0.10.0", None):
        d = a.__distarray__(version=back)
        assert d["__version__"] == (back or there)
        assert set(d) == {"__version__", "buffer", "dim_data"}
        assert isinstance(d["dim_data"], tuple)
        b = daptor.import_(d, comm)
        assert (b.shape, b.local_shape, b.owned_slices) == (a.shape, a.local_shape, a.owned_slices)
        assert address(d["buffer"]) == address(a) == address(b)


def test_versions_that_nobody_knows(comm):
    a = daptor.import_(line(comm, numpy.zeros(4)), comm)
    assert isinstance(raised(lambda: a.__distarray__("2.0.0")), daptor.Unsupported)
    assert isinstance(raised(lambda: a.__distarray__("new")), daptor.InvalidArgument)
    assert isinstance(raised(lambda: a.__distarray__("")), daptor.InvalidArgument)


def test_a_flat_buffer(comm, rank, size):
    """The specification's first example: a 1 x 10 section as 10 elements."""
    flat = Producer(numpy.arange(10.0), [block(size, size, rank), {"dist_type": "n", "size": 10}])
    a = daptor.import_(flat, comm)
    assert numpy.asarray(a).shape == (1, 10)
    assert [finding.rule for finding in a.warnings] == ["A03"]
    assert memoryview(a.__distarray__()["buffer"]).shape == (10,)
    assert memoryview(a.__distarray__("0.10.0")["buffer"]).shape == (1, 10)


class View(ctypes.Structure):
    """Python's Py_buffer."""
    _fields_ = [("buf", ctypes.c_void_p), ("obj", ctypes.py_object), ("len", ctypes.c_ssize_t),
                ("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int), ("ndim", ctypes.c_int),
                ("format", ctypes.c_char_p), ("shape", ctypes.POINTER(ctypes.c_ssize_t)),
                ("strides", ctypes.POINTER(ctypes.c_ssize_t)), ("suboffsets", ctypes.c_void_p),
                ("internal", ctypes.c_void_p)]


def get_buffer(exporter, flags):
    view = View()
    ctypes.pythonapi.PyObject_GetBuffer.argtypes = (ctypes.py_object, ctypes.c_void_p, ctypes.c_int)
    ctypes.pythonapi.PyObject_GetBuffer(exporter, ctypes.byref(view), flags)
    found = (view.len, bool(view.format), bool(view.shape), bool(view.strides))
    ctypes.pythonapi.PyBuffer_Release(ctypes.byref(view))
    return found


SECTIONS = {
    "C": numpy.zeros((2, 3)),
    "Fortran": numpy.zeros((2, 3), order="F"),
    "strided": numpy.zeros((4, 6))[::2, ::2],
    "read-only": numpy.frombuffer(bytes(48)).reshape(2, 3),
}


@pytest.mark.parametrize("order", SECTIONS)
def test_buffers_are_what_was_asked_for(comm, rank, size, order):
    section = SECTIONS[order]
    a = daptor.import_(
        Producer(section, [block(2 * size, size, rank), {"dist_type": "n", "size": 3}]), comm)
    for flags in (PyBUF_SIMPLE, PyBUF_WRITABLE, PyBUF_FORMAT, PyBUF_ND, PyBUF_STRIDES, PyBUF_C,
                  PyBUF_F, PyBUF_ANY, PyBUF_STRIDES | PyBUF_FORMAT | PyBUF_WRITABLE):
        try:
            expected = get_buffer(section, flags)
        except (BufferError, ValueError):
            with pytest.raises(BufferError):
                get_buffer(a, flags)
        else:
            assert get_buffer(a, flags) == expected, flags
    assert memoryview(a).tolist() == section.tolist()


def test_numpy_keeps_the_array(comm):
    values = numpy.zeros(4)
    a = daptor.import_(line(comm, values), comm)
    view = numpy.asarray(a)
    before = sys.getrefcount(values)
    del a
    gc.collect()
    assert sys.getrefcount(values) == before
    view[0] = 3.0
    assert values[0] == 3.0


class Interface:
    """An object that has nothing but the array interface."""

    def __init__(self, array):
        self.__array_interface__ = array.__array_interface__
        self.array = array


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "?", "c16", ">f8"])
def test_the_array_interface(comm, rank, size, dtype):
    section = numpy.ones((4, 6), dtype=dtype)[::2, ::-1]
    a = daptor.import_(
        Producer(section, [block(2 * size, size, rank), {"dist_type": "n", "size": 6}]), comm)
    view = numpy.asarray(Interface(a))
    assert address(view) == address(section)
    assert (view.dtype, view.strides, view.shape) == (section.dtype, section.strides, (2, 6))
    assert not numpy.asarray(Interface(a.as_readonly())).flags.writeable


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "c16"])
def test_dlpack(comm, dtype):
    values = numpy.ones(4, dtype=dtype)
    before = sys.getrefcount(values)
    a = daptor.import_(line(comm, values), comm)
    assert a.__dlpack_device__() == (1, 0)
    view = numpy.from_dlpack(a)
    assert address(view) == values.ctypes.data and view.dtype == values.dtype
    del a
    values[0] = 5
    assert view[0] == 5  # NumPy treats it as read-only
    del view
    assert sys.getrefcount(values) == before


def test_dlpack_strides(comm, rank, size):
    section = numpy.zeros((4, 6))[::2, ::-1]
    a = daptor.import_(
        Producer(section, [block(2 * size, size, rank), {"dist_type": "n", "size": 6}]), comm)
    view = numpy.from_dlpack(a)
    assert view.strides == section.strides and address(view) == address(section)


def test_what_dlpack_cannot_say(comm):
    values = numpy.ones(4)
    a = daptor.import_(line(comm, values), comm)
    with pytest.raises(BufferError):
        a.as_readonly().__dlpack__()
    with pytest.raises(BufferError):
        a.__dlpack__(dl_device=(2, 0))
    with pytest.raises(ValueError):
        a.__dlpack__(stream=1)
    for dtype in (">f8", "g"):
        with pytest.raises(BufferError):
            daptor.import_(line(comm, values.astype(dtype)), comm).__dlpack__()
    apart = numpy.zeros(4, dtype=[("x", "f8"), ("y", "i2")])["x"]
    with pytest.raises(BufferError):
        daptor.import_(line(comm, apart), comm).__dlpack__()


def test_dlpack_capsules(comm):
    values = numpy.ones(4)
    before = sys.getrefcount(values)
    a = daptor.import_(line(comm, values), comm)
    assert '"dltensor"' in repr(a.__dlpack__())
    versioned = a.as_readonly().__dlpack__(max_version=(1, 0))
    assert '"dltensor_versioned"' in repr(versioned)
    del a, versioned
    assert sys.getrefcount(values) == before


def test_the_c_struct(comm, rank, size):
    values = numpy.arange(6.0).reshape(2, 3)
    before = sys.getrefcount(values)
    a = daptor.import_(
        Producer(values, [block(2 * size, size, rank), {"dist_type": "n", "size": 3}]), comm)
    capsule = a.__daptor_array__()
    assert '"daptor_array"' in repr(capsule)
    b = daptor.import_(capsule, comm)
    assert address(b) == values.ctypes.data and b.shape == a.shape
    assert isinstance(raised(lambda: daptor.import_(capsule, comm)), daptor.ProducerFailed)
    untaken = a.__daptor_array__()
    del a, b, capsule, untaken
    assert sys.getrefcount(values) == before


def test_text(comm, rank, size):
    a = daptor.import_(line(comm, numpy.zeros(4)), comm)
    assert repr(a) == (f"<daptor.Array float64 ({4 * size},), 'b', section (4,) on rank {rank} "
                       f"of {size}>")
    assert "block" in str(a)


def test_an_object_that_holds_nothing():
    for make in (daptor.Array, lambda: daptor.Array.__new__(daptor.Array),
                 lambda: daptor.Finding.__new__(daptor.Finding)):
        with pytest.raises(TypeError):
            make()


@pytest.mark.parametrize("protocol", range(6))
def test_pickling(comm, protocol):
    a = daptor.import_(line(comm, numpy.zeros(4)), comm)
    for native in (a, daptor.HaloExchange(a), daptor.explain(a), daptor.layout.natural()):
        with pytest.raises(TypeError, match="cannot be pickled"):
            pickle.dumps(native, protocol)
        with pytest.raises(TypeError, match="cannot be pickled"):
            native.__reduce__()
    report = daptor.validate({"__version__": "7.0.0"}, comm)
    again = pickle.loads(pickle.dumps(report, protocol))
    assert str(again) == str(report) and again.findings == report.findings and len(again) > 0
    error = raised(lambda: daptor.import_({"__version__": "7.0.0"}, comm))
    copied = pickle.loads(pickle.dumps(error, protocol))
    assert type(copied) is type(error) and str(copied) == str(error)
    assert copied.report.findings == error.report.findings


def test_what_only_says_that_it_is_an_array(comm):
    a = daptor.import_(line(comm, numpy.zeros(4)), comm)
    for posing in (weakref.proxy(a), unittest.mock.Mock(spec=daptor.Array)):
        report = daptor.validate(posing, comm)
        assert report.verdict in ("conforms", "producer failed", "malformed")
        with pytest.raises(daptor.InvalidArgument):
            daptor.HaloExchange(posing)


def test_array_protocol_of_numpy(comm):
    a = daptor.import_(line(comm, numpy.arange(4.0)), comm)
    assert address(a.__array__()) == address(a)
    assert (a.__array__(dtype="f4") == numpy.arange(4, dtype="f4")).all()
    assert address(a.__array__(copy=True)) != address(a)
    with pytest.raises(ValueError):
        a.__array__(dtype="f4", copy=False)
