# SPDX-License-Identifier: BSD-3-Clause
"""import_: every kind of buffer, on the producer's memory."""

import array
import ctypes
import gc
import mmap

import numpy
import pytest
from mpi4py import MPI

import daptor
from support import Producer, address, block, line, raised, same_on_all


def doubles(kind):
    """Returns eight doubles in memory of some kind, and their address."""
    if kind == "numpy":
        memory = numpy.zeros(8)
        return memory, memory.ctypes.data
    if kind == "array":
        memory = array.array("d", [0.0] * 8)
        return memory, memory.buffer_info()[0]
    if kind == "memoryview":
        owner = array.array("d", [0.0] * 8)
        return memoryview(owner), owner.buffer_info()[0]
    if kind == "ctypes":
        memory = (ctypes.c_double * 8)()
        return memory, ctypes.addressof(memory)
    if kind == "bytearray":
        owner = bytearray(64)
        return memoryview(owner).cast("d"), ctypes.addressof(ctypes.c_char.from_buffer(owner))
    owner = mmap.mmap(-1, 64)
    return memoryview(owner).cast("d"), ctypes.addressof(ctypes.c_char.from_buffer(owner))


@pytest.mark.parametrize("kind",
                         ["numpy", "array", "memoryview", "ctypes", "bytearray", "mmap"])
def test_every_buffer_is_used_in_place(comm, kind):
    memory, where = doubles(kind)
    a = daptor.import_(line(comm, memory), comm)
    assert address(a) == where
    assert (a.shape, a.local_shape, a.dtype) == ((8 * comm.size,), (8,), "float64")
    numpy.asarray(a)[3] = 7.0
    assert numpy.asarray(memory)[3] == 7.0


@pytest.mark.parametrize("dtype", ["f4", "f8", "i1", "u2", "i4", "i8", "u8", "c8", "c16", "?",
                                   ">f8", ">i4", ">c16", "g"])
def test_element_types(comm, dtype):
    values = numpy.ones(4, dtype=dtype)
    a = daptor.import_(line(comm, values), comm)
    back = numpy.asarray(a)
    assert back.dtype == a.dtype == values.dtype and isinstance(a.dtype, numpy.dtype)
    assert address(a) == values.ctypes.data
    assert (back == values).all()


def test_a_buffer_of_bytes(comm):
    memory = bytearray(b"abcd")
    a = daptor.import_(line(comm, memory), comm)
    assert a.dtype == "uint8" and bytes(a) == b"abcd"


@pytest.mark.parametrize("make", [
    lambda: numpy.zeros((6, 10))[::2, ::3],
    lambda: numpy.zeros((6, 10))[::-1, ::-2],
    lambda: numpy.zeros((6, 10), order="F"),
    lambda: numpy.zeros((3, 4, 5)).transpose(2, 0, 1)[1],
    lambda: numpy.broadcast_to(numpy.zeros(5), (3, 5)),
])
def test_strides(comm, rank, size, make):
    section = make()
    rows, columns = section.shape
    producer = Producer(section, [block(rows * size, size, rank),
                                  {"dist_type": "n", "size": columns}])
    a = daptor.import_(producer, comm)
    assert a.byte_strides == section.strides
    assert address(a) == section.__array_interface__["data"][0]
    assert numpy.asarray(a).strides == section.strides


def test_read_only_memory_stays_read_only(comm):
    values = numpy.arange(4.0)
    values.flags.writeable = False
    a = daptor.import_(line(comm, values), comm)
    assert a.readonly
    assert not numpy.asarray(a).flags.writeable
    with pytest.raises(TypeError):
        (ctypes.c_char * 32).from_buffer(a)
    b = daptor.import_(line(comm, b"1234"), comm)
    assert b.readonly


def test_zero_dimensions_and_no_elements(comm, rank, size):
    scalar = numpy.array(5.0)
    if size == 1:
        a = daptor.import_(Producer(scalar, []), comm)
        assert (a.ndim, a.shape, numpy.asarray(a)[()]) == (0, (), 5.0)
    # All ranks but the first own nothing.
    count = 3 if rank == 0 else 0
    ranges = {"dist_type": "b", "size": 3, "proc_grid_size": size, "proc_grid_rank": rank,
              "start": 0 if rank == 0 else 3, "stop": 3}
    a = daptor.import_(Producer(numpy.zeros(count), [ranges]), comm)
    assert numpy.asarray(a).shape == (count,)
    assert memoryview(a).nbytes == 8 * count


def test_both_versions(comm, rank, size):
    u = numpy.zeros(12)
    lower, upper = int(rank > 0), int(rank < size - 1)
    total = 12 * size - 2 * (size - 1)
    start = 10 * rank + (1 if rank > 0 else 0)
    stop = total if rank == size - 1 else 10 * (rank + 1) + 1
    keys = {"dist_type": "b", "size": total, "proc_grid_size": size, "proc_grid_rank": rank}
    if size > 1:
        old = Producer(u, [{**keys, "start": start, "stop": stop, "padding": (lower, upper)}])
        a = daptor.import_(old, comm)
        assert a.shape == (total,)
        assert a.owned_shape == (12 - lower - upper,)
        assert numpy.asarray(a)[a.owned_slices].shape == a.owned_shape
        new = Producer(u, [{**keys, "start": start - lower, "stop": stop + upper,
                            "padding": (lower, upper)}], "0.10.0")
        b = daptor.import_(new, comm)
        assert (b.shape, b.owned_slices, b.version) == (a.shape, a.owned_slices, "0.10.0")


def test_numpy_integers_and_booleans(comm, rank, size):
    keys = block(4 * size, size, rank, periodic=numpy.bool_(True))
    for key in ("size", "start", "stop", "proc_grid_size", "proc_grid_rank"):
        keys[key] = numpy.int32(keys[key])
    keys["start"] = numpy.array(keys["start"])
    a = daptor.import_(Producer(numpy.zeros(4), [keys]), comm)
    assert a.__distarray__()["dim_data"][0]["periodic"] is True


def test_the_dictionary_itself(comm):
    values = numpy.zeros(4)
    producer = line(comm, values)
    a = daptor.import_(producer.__distarray__(), comm)
    assert address(a) == values.ctypes.data


def test_the_description_is_read_once(comm):
    producer = line(comm, numpy.zeros(4))
    daptor.import_(producer, comm)
    assert producer.calls == 1


def test_communicators(comm):
    values = numpy.zeros(4)
    duplicate = comm.Dup()
    a = daptor.import_(line(comm, values), duplicate)
    assert a.comm is duplicate
    duplicate.Free()
    assert daptor.validate(a)  # the array has kept what it needs
    for wrong in (None, 1.5, "comm", MPI.COMM_NULL, True):
        with pytest.raises(daptor.InvalidArgument):
            daptor.import_(line(comm, values), wrong)


def test_a_number_is_no_communicator(comm, rank):
    """A rank passed by mistake is the handle of another communicator in Fortran."""
    for number in (rank, 0, 1, comm.py2f()):
        for call in (lambda: daptor.import_(line(comm, numpy.zeros(4)), number),
                     lambda: daptor.zeros(4, number), lambda: daptor.block(numpy.zeros(4), number),
                     lambda: daptor.validate({}, number), lambda: daptor.local_shape(4, number)):
            error = raised(call)
            assert error.rule == "argument" and error.finding.key == "comm"
    remedy = raised(lambda: daptor.zeros(4, comm.py2f())).finding.remedy
    assert "MPI.Comm.f2py(handle)" in remedy
    assert daptor.zeros(4, MPI.Comm.f2py(comm.py2f())).comm.size == comm.size


def test_intercommunicators_are_refused(comm, rank, size):
    if size == 1:
        return
    half = comm.Split(rank % 2)
    inter = half.Create_intercomm(0, comm, 1 - rank % 2)
    assert raised(lambda: daptor.import_(line(half, numpy.zeros(2)), inter)).rule == "argument"
    inter.Free()
    half.Free()


def test_an_array_is_taken_as_it_is(comm):
    a = daptor.import_(line(comm, numpy.zeros(4)), comm)
    b = daptor.import_(a, comm)
    assert address(a) == address(b)


def test_one_rank_of_another_shape_is_everybodys_error(comm, rank, size):
    count = 5 if rank == size - 1 else 4
    error = raised(lambda: daptor.import_(
        Producer(numpy.zeros(count), [block(4 * size, size, rank)]), comm))
    assert isinstance(error, daptor.Malformed) and isinstance(error, ValueError)
    assert error.rank == size - 1
    assert same_on_all(comm, error)


def test_one_rank_of_another_type_is_everybodys_error(comm, rank, size):
    if size == 1:
        return
    dtype = "f4" if rank == 1 else "f8"
    error = raised(lambda: daptor.import_(line(comm, numpy.zeros(4, dtype=dtype)), comm))
    assert isinstance(error, daptor.Malformed) and error.rule == "T16"
    assert same_on_all(comm, error)


def test_versions_that_nobody_knows(comm, rank, size):
    error = raised(lambda: daptor.import_(
        Producer(numpy.zeros(4), [block(4 * size, size, rank)], "1.2.3"), comm))
    assert isinstance(error, daptor.Unsupported) and error.rule == "T07"


def test_unstructured_indices_in_place_and_converted(comm, rank, size):
    for dtype in ("i8", "i4", "u2", ">i8"):
        indices = numpy.arange(rank, 5 * size, size).astype(dtype)
        keys = {"dist_type": "u", "size": 5 * size, "proc_grid_size": size,
                "proc_grid_rank": rank, "indices": indices, "one_to_one": True}
        a = daptor.import_(Producer(numpy.zeros(5), [keys]), comm)
        back = numpy.asarray(a.__distarray__()["dim_data"][0]["indices"])
        assert (back == indices).all()
        assert (back.ctypes.data == indices.ctypes.data) == (dtype == "i8")
        assert not back.flags.writeable


def test_a_capsule_is_taken_by_what_succeeds_alone(comm, rank, size):
    values = numpy.arange(4.0)
    capsule = daptor.import_(line(comm, values), comm).__daptor_array__()
    assert daptor.validate(capsule, comm)
    for guilty in range(size):
        given = 3 if rank == guilty else capsule
        error = raised(lambda: daptor.import_(given, comm))
        assert error.rank == guilty and same_on_all(comm, error)
    a = daptor.import_(capsule, comm)
    assert address(a) == values.ctypes.data
    del capsule
    gc.collect()
    with a.write() as section:
        section[:] = 7
    assert (values == 7).all()
    again = a.__daptor_array__()
    daptor.import_(again, comm)
    error = raised(lambda: daptor.import_(again, comm))
    assert isinstance(error, daptor.ProducerFailed) and "has already been taken" in str(error)
