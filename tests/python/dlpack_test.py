# SPDX-License-Identifier: BSD-3-Clause
"""DLPack in both directions: capsules made by hand, good and bad, and NumPy's own tests."""

import ctypes
import gc
import importlib.util
import inspect
import os
import threading

import numpy
import pytest
from mpi4py import MPI

import daptor
from support import address, raised, same_on_all


class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("number", ctypes.c_int32)]


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", Device), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Managed(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("manager", ctypes.c_void_p), ("deleter", Deleter)]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32),
                ("manager", ctypes.c_void_p), ("deleter", Deleter), ("flags", ctypes.c_uint64),
                ("tensor", Tensor)]


API = ctypes.pythonapi
new_capsule = API.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, Destructor]
is_valid = API.PyCapsule_IsValid
is_valid.argtypes = [ctypes.py_object, ctypes.c_char_p]
is_valid_at = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_IsValid", API))
pointer = API.PyCapsule_GetPointer
pointer.restype = ctypes.c_void_p
pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


class Maker:
    """Makes one capsule on `values`, and counts how often its tensor is deleted."""

    kept = []  # the functions that capsules call must live longer than these

    def __init__(self, values, version=None, name=None, flags=0, null=(), **fields):
        self.values, self.deleted = values, 0
        self.name = name or (b"dltensor_versioned" if version else b"dltensor")
        ndim = max(values.ndim, 1)
        self.shape = (ctypes.c_int64 * ndim)(*fields.pop("shape", values.shape))
        strides = [stride // values.itemsize for stride in values.strides]
        self.strides = (ctypes.c_int64 * ndim)(*fields.pop("strides", strides))
        kinds = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
        given = {"data": values.ctypes.data, "ndim": values.ndim, "lanes": 1, "byte_offset": 0,
                 "code": kinds[values.dtype.kind], "bits": 8 * values.itemsize,
                 "device": (1, 0), **fields}
        self.managed = Versioned(*version, flags=flags) if version else Managed()
        tensor = self.managed.tensor
        for key, value in given.items():
            setattr(tensor, key, Device(*value) if key == "device" else value)
        for key in ("shape", "strides"):
            if key not in null:
                setattr(tensor, key, ctypes.cast(getattr(self, key),
                                                 ctypes.POINTER(ctypes.c_int64)))
        self.managed.deleter = self.keep = Deleter(self.delete)
        self.destructor = Destructor(self.destroy)
        self.capsule = new_capsule(ctypes.addressof(self.managed), self.name, self.destructor)
        self.kept.append(self)

    def delete(self, _):
        self.deleted += 1

    def destroy(self, capsule):
        if is_valid_at(capsule, self.name):
            self.delete(None)

    def __dlpack__(self, **_):
        return self.capsule


@pytest.fixture(autouse=True)
def no_capsule_left():
    """Their destructors are functions in Python, which do not run when the interpreter ends."""
    yield
    for maker in Maker.kept:
        maker.capsule = None


def forget(maker):
    """Drops the capsule; returns how often the tensor has been deleted by now."""
    maker.capsule = None
    gc.collect()
    return maker.deleted


GOOD = {
    "before 1.0": {}, "1.0": {"version": (1, 0)}, "1.3": {"version": (1, 3)},
    "a later minor version": {"version": (1, 9)}, "strides null": {"null": ["strides"]},
    "pinned": {"device": (3, 0)},
}


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("kind", ["?", "u1", "i4", "f2", "f8", "c8", "c16"])
def test_good_capsules(comm, name, kind):
    values = numpy.arange(6).reshape(2, 3).astype(kind)
    maker = Maker(values, **GOOD[name])
    a = daptor.block(maker, comm)
    assert address(a) == values.ctypes.data and a.dtype == values.dtype and not a.readonly
    assert (numpy.asarray(a) == values).all()
    assert is_valid(maker.capsule, b"used_" + maker.name) and forget(maker) == 0
    del a
    assert forget(maker) == 1


def test_strides_offsets_and_flags(comm):
    values = numpy.arange(24.0).reshape(4, 6)
    for part, offset in ((values[1::2, ::-2], 0), (values[2:], 16), (values.T, 8)):
        maker = Maker(part, data=part.ctypes.data - offset, byte_offset=offset)
        a = daptor.block(maker, comm)
        assert (numpy.asarray(a) == part).all()
        del a
        assert forget(maker) == 1
    maker = Maker(values, version=(1, 0), flags=1)
    assert daptor.block(maker, comm).readonly
    empty = Maker(values[:0], data=None)
    assert daptor.block(empty, comm).local_shape == (0, 6)


BAD = {
    "negative ndim": ({"ndim": -1}, "-1 dimensions"),
    "ndim 65": ({"ndim": 65}, "65 dimensions"),
    "shape null": ({"null": ["shape"]}, "shape is null"),
    "negative extent": ({"shape": [-3]}, "extent is -3"),
    "more than memory": ({"shape": [2 ** 62]}, "2^63"),
    "stride": ({"strides": [2 ** 62]}, "stride"),
    "null data": ({"data": None}, "data is null"),
    "offset": ({"byte_offset": 2 ** 63}, "byte offset"),
    "version 2": ({"version": (2, 0)}, "DLPack 2"),
    "version 0": ({"version": (0, 8)}, "DLPack 0"),
    "lanes 2": ({"lanes": 2, "bits": 32}, "2 lanes"),
    "3 bits": ({"code": 0, "bits": 3}, "3 bits"),
    "80 bits": ({"bits": 80}, "80 bits"),
    "bfloat16": ({"code": 4, "bits": 16}, "float32"),
    "opaque": ({"code": 3}, "type 3"),
    "OpenCL": ({"device": (4, 1)}, "OpenCL device (number 1)"),
    "a copy": ({"version": (1, 0), "flags": 2}, "copy"),
    "another name": ({"name": b"tensor"}, "does not return a tensor"),
    "used": ({"name": b"used_dltensor"}, "another consumer"),
    "used, versioned": ({"name": b"used_dltensor_versioned"}, "another consumer"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_capsules(comm, rank, size, name):
    fields, words = BAD[name]
    at = size - 1
    maker = Maker(numpy.zeros(4), **fields)
    error = raised(lambda: daptor.block(maker if rank == at else numpy.zeros(4), comm))
    assert isinstance(error, daptor.InvalidArgument) and error.rank == at
    assert words in str(error) and same_on_all(comm, error)
    assert maker.deleted == 0 and forget(maker) == 1


class Counts:
    """Raises a TypeError of its own, if it takes the arguments that it is given."""

    def __init__(self, *names):
        self.names, self.calls = names, 0

    def __dlpack__(self, **named):
        unknown = set(named) - set(self.names)
        if unknown:
            raise TypeError(f"__dlpack__() got an unexpected keyword argument '{unknown.pop()}'")
        self.calls += 1
        raise TypeError("no tensor of this type")


@pytest.mark.parametrize("names", [(), ("max_version",), ("max_version", "copy")])
def test_a_type_error_of_the_producer_is_not_about_arguments(comm, names):
    producer = Counts(*names)
    error = raised(lambda: daptor.block(producer, comm))
    assert "no tensor of this type" in str(error) and producer.calls == 1, error


def test_a_capsule_is_taken_once(comm):
    maker = Maker(numpy.zeros(4))
    a = daptor.block(maker, comm)
    error = raised(lambda: daptor.block(maker, comm))
    assert isinstance(error, daptor.InvalidArgument) and "another consumer" in str(error)
    assert forget(maker) == 0
    del a, error
    assert forget(maker) == 1


def test_a_tensor_is_deleted_once_when_a_thread_drops_the_array(comm):
    maker = Maker(numpy.zeros(4))
    held = [daptor.block(maker, comm)]
    maker.capsule = None
    gc.collect()
    thread = threading.Thread(target=held.clear)
    thread.start()
    thread.join()
    gc.collect()
    assert maker.deleted == 1


def taken(capsule):
    """The tensor in a capsule of Daptor's."""
    name = b"dltensor_versioned" if is_valid(capsule, b"dltensor_versioned") else b"dltensor"
    kind = Versioned if name == b"dltensor_versioned" else Managed
    return ctypes.cast(pointer(capsule, name), ctypes.POINTER(kind)).contents


@pytest.mark.parametrize("version", [None, (0, 8), (1, 0), (1, 3), (2, 0)])
@pytest.mark.parametrize("copy", [None, False, True])
@pytest.mark.parametrize("readonly", [False, True])
def test_capsules_given(comm, version, copy, readonly):
    values = numpy.arange(12.0).reshape(3, 4)[:, ::2]
    a = daptor.block(values, comm)
    a = a.as_readonly() if readonly else a
    versioned = version is not None and version[0] >= 1
    if readonly and not versioned and not copy:
        with pytest.raises(BufferError):
            a.__dlpack__(max_version=version, copy=copy)
        return
    capsule = a.__dlpack__(max_version=version, dl_device=(1, 0), copy=copy)
    managed = taken(capsule)
    tensor = managed.tensor
    assert (tensor.data == values.ctypes.data) == (not copy)
    assert tensor.strides[0:2] == ([2, 1] if copy else [4, 2]) and tensor.shape[0:2] == [3, 2]
    if versioned:
        assert managed.major == 1 and managed.flags == (2 if copy else int(readonly))
    if copy:
        del a
        found = (ctypes.c_double * 6).from_address(tensor.data)
        assert list(found) == list(values.ravel())
        values[...] = -1.0
        assert found[0] == 0.0


@pytest.mark.parametrize("named", [{"max_version": "1"}, {"max_version": 1}, {"copy": "no"}])
def test_capsules_refused(comm, named):
    with pytest.raises(TypeError, match=f"^{[*named][0]} must be None"):
        daptor.block(numpy.zeros(3), comm).__dlpack__(**named)


def test_a_copy_has_its_own_state(comm):
    """A tensor on a copy is not taken for one on the array's memory."""
    values = numpy.arange(4.0)
    a = daptor.block(values, comm)
    b = numpy.from_dlpack(Given(a.__dlpack__(copy=True)))
    assert address(b) != address(a) and (numpy.asarray(daptor.block(b, comm)) == values).all()


class Given:
    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack__(self, **_):
        return self.capsule

    def __dlpack_device__(self):
        return (1, 0)


# NumPy's tests, on daptor.Arrays in the places where they make NumPy arrays.

NOT_APPLICABLE = {
    "test_dunder_dlpack_refcount": "a daptor.Array is referred to once more or less",
    "test_from_dlpack_refcount": "a daptor.Array is referred to once more or less",
    "test_dunder_dlpack_stream": "raises NumPy's RuntimeError; the array API has ValueError",
    "test_writeable": "NumPy takes what Daptor makes of an old tensor for writable, as it is",
    "test_invalid_dtype": "datetime64 is refused when the array is described",
}


def numpys_tests():
    """NumPy's class of tests, from where it is installed; None where it is not."""
    root = os.path.dirname(numpy.__file__)
    for folder in ("_core", "core"):
        path = os.path.join(root, folder, "tests", "test_dlpack.py")
        if os.path.exists(path):
            spec = importlib.util.spec_from_file_location("numpys_test_dlpack", path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module
    return None


NUMPYS = numpys_tests()


def cases():
    """Each of NumPy's tests with the arguments of its parameters."""
    if NUMPYS is None:
        return
    for name, test in inspect.getmembers(NUMPYS.TestDLPack, inspect.isfunction):
        if not name.startswith("test_"):
            continue
        marks = [m for m in getattr(test, "pytestmark", []) if m.name == "parametrize"]
        if len(marks) == 1 and "," not in marks[0].args[0]:
            for value in marks[0].args[1]:
                yield pytest.param(name, {marks[0].args[0]: value}, id=f"{name}-{value}")
        elif not marks:
            yield pytest.param(name, {}, id=name)


class Routed:
    """`numpy` for NumPy's tests: from_dlpack takes each array through Daptor, on one process."""

    def __getattr__(self, name):
        return getattr(numpy, name)

    def from_dlpack(self, x, **options):
        try:
            given = (daptor.block(x, MPI.COMM_SELF) if x.ndim else
                     daptor.import_(Whole(x), MPI.COMM_SELF))
        except daptor.Error as error:
            raise BufferError(str(error)) from error
        return numpy.from_dlpack(given, **options)


class Whole:
    """An array without dimensions."""

    def __init__(self, array):
        self.array = array

    def __distarray__(self):
        return {"__version__": "0.10.0", "buffer": self.array, "dim_data": ()}


@pytest.mark.skipif(NUMPYS is None, reason="NumPy is installed without its tests")
@pytest.mark.parametrize("name, arguments", cases())
def test_numpys_own(monkeypatch, name, arguments):
    if name in NOT_APPLICABLE:
        pytest.skip(NOT_APPLICABLE[name])
    monkeypatch.setattr(NUMPYS, "np", Routed())
    getattr(NUMPYS.TestDLPack(), name)(**arguments)
