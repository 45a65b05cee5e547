# SPDX-License-Identifier: BSD-3-Clause
"""Which object keeps which alive: references, weak references, buffers that cannot be resized."""

import array
import gc
import itertools
import mmap
import os
import resource
import sys
import threading
import weakref

import numpy
import pytest

import daptor
from support import Producer, Section, address, block, line, raised, resident, same_on_all


def section(count):
    return numpy.zeros(count).view(Section)


def test_the_producer_lives_as_long_as_the_array(comm):
    values = section(4)
    producer = line(comm, values)
    alive = weakref.ref(values), weakref.ref(producer)
    a = daptor.import_(producer, comm)
    del values, producer
    gc.collect()
    assert all(reference() is not None for reference in alive)
    numpy.asarray(a)[:] = 4.0
    del a
    assert all(reference() is None for reference in alive)


def test_references_are_back_at_their_start(comm):
    values = numpy.zeros(4)
    producer = line(comm, values)
    before = [sys.getrefcount(item) for item in (values, producer, comm)]
    for _ in range(100):
        a = daptor.import_(producer, comm)
        b = daptor.import_(a.__distarray__(), comm)
        memoryview(b).tolist()
        with a.write() as view:
            view[0] = 1.0
        assert daptor.validate(producer, comm)
        del a, b, view
    assert [sys.getrefcount(item) for item in (values, producer, comm)] == before


def test_every_order_of_destruction(comm):
    for order in itertools.permutations(range(5)):
        values = section(4)
        values[:] = comm.rank
        alive = weakref.ref(values)
        producer = line(comm, values)
        a = daptor.import_(producer, comm)
        things = {0: values, 1: producer, 2: a, 3: a.__distarray__(), 4: memoryview(a)}
        del values, producer, a
        for k in order:
            last = things.pop(k)
            if not isinstance(last, (Producer, dict)):
                assert memoryview(last)[0] == comm.rank
            del last
        assert alive() is None  # at once, not only when Python collects cycles


def test_the_export_is_held(comm):
    growing = array.array("d", [0.0] * 4)
    a = daptor.import_(line(comm, growing), comm)
    with pytest.raises(BufferError):
        growing.append(1.0)
    del a
    growing.append(1.0)
    mapped = mmap.mmap(-1, 64)
    a = daptor.import_(line(comm, mapped), comm)
    with pytest.raises(BufferError):
        mapped.close()
    del a
    mapped.close()


def test_lists_of_indices_are_held(comm, rank, size):
    indices = numpy.arange(rank, 5 * size, size).view(Section)
    alive = weakref.ref(indices)
    a = daptor.unstructured(numpy.zeros(5), indices, comm, size=5 * size)
    del indices
    kept = a.__distarray__()["dim_data"][0]["indices"]
    del a
    assert alive() is not None and memoryview(kept)[0] == rank
    del kept
    assert alive() is None


def test_the_collector_passes_an_array_without_memory(comm):
    huge = daptor.block(numpy.broadcast_to(numpy.zeros(1), (2**45,)), comm)
    copy = huge.like(daptor.layout.natural())  # no machine has this much memory
    assert gc.is_tracked(copy)
    alive = weakref.ref(copy)
    cycle = [copy]
    cycle.append(cycle)
    gc.collect()
    error = raised(lambda: daptor.update_padding(copy))
    assert isinstance(error, daptor.LibraryFailed) and same_on_all(comm, error)
    del copy, cycle, error
    gc.collect()
    assert alive() is None


def test_a_view_of_a_view_knows_the_array(comm):
    values = numpy.zeros(4)
    a = daptor.import_(line(comm, values), comm)
    d = a.__distarray__()
    d["buffer"] = numpy.asarray(d["buffer"])
    before = sys.getrefcount(values)
    b = daptor.import_(d, comm)
    del a, d
    gc.collect()
    assert sys.getrefcount(values) == before  # one export, however many objects show it
    assert address(b) == values.ctypes.data


def test_the_last_reference_goes_on_another_thread(comm):
    values = section(4)
    alive = weakref.ref(values)
    kept = [daptor.import_(line(comm, values), comm)]
    del values
    thread = threading.Thread(target=kept.clear)
    thread.start()
    thread.join()
    assert alive() is None


def test_a_producer_that_keeps_its_own_import_is_collected(comm, rank, size):
    class Cached(Producer):
        pass

    producer = Cached(section(4), [block(4 * size, size, rank)])
    alive = weakref.ref(producer), weakref.ref(producer.buffer)
    producer.imported = daptor.import_(producer, comm)
    del producer
    gc.collect()
    assert [reference() for reference in alive] == [None, None]


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="it keeps what was freed")
def test_memory_stays_flat(comm, size):
    """20 000 imports, of which 30 bytes each would be noticed; fewer on ranks that share a core."""
    producer = line(comm, numpy.zeros(1000))

    def rounds(count):
        for _ in range(count):
            a = daptor.import_(producer, comm)
            daptor.import_(a.__distarray__(), comm)

    rounds(1000)
    before = resident()
    rounds(10000 if size == 1 else 2000)
    assert resident() - before < 512


def page_faults(comm, count):
    """Returns the number of pages first touched while `count` untouched elements are imported."""
    values = numpy.empty(count)
    producer = line(comm, values)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    a = daptor.import_(producer, comm)
    assert producer.calls == 1 and address(a) == values.ctypes.data
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def test_no_element_is_touched(comm):
    page_faults(comm, 1000)  # loads code and fills caches
    large = 1 << 24  # 128 MiB, 32768 pages
    assert page_faults(comm, large) < 200


def test_communicators_do_not_run_out(comm):
    values = numpy.zeros(4)
    for _ in range(3000 // comm.size):
        duplicate = comm.Dup()
        daptor.import_(line(duplicate, values), duplicate)
        duplicate.Free()
