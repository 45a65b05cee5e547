# SPDX-License-Identifier: BSD-3-Clause
"""Halo exchange and leases, in the producer's buffer."""

import sys
import threading
import time

import numpy
import pytest
from mpi4py import MPI

import daptor
from support import process_grid, raised, same_on_all


def periodic(comm):
    """Four owned elements per rank, which hold their global index, and one copy on each side."""
    u = numpy.full(6, -1.0)
    u[1:5] = 4 * comm.rank + numpy.arange(4)
    return u, daptor.block(u, comm, shape=(4 * comm.size,), padding=1, periodic=True)


def test_update_padding(comm, rank, size):
    u, a = periodic(comm)
    daptor.update_padding(a)
    total = 4 * size
    assert (u[0], u[5]) == ((4 * rank - 1) % total, (4 * rank + 4) % total)


def test_what_differs_in_a_batch(comm, size):
    def array(dtype="f8", order="C", extent=8):
        return daptor.zeros((4 * size, extent), comm, grid=(size, 1), ghosts=1, dtype=dtype,
                            order=order)

    for other, found in ((array("i8"), "element types float64 and int64"),
                         (array(extent=9), "different dimensions"),
                         (array(order="F"), "different strides")):
        error = raised(lambda: daptor.HaloExchange([array(), other]))
        assert error.rule == "halo.layout" and found in str(error) and same_on_all(comm, error)
        error = raised(lambda: daptor.HaloExchange(array()).rebind(other))
        assert error.rule == "halo.layout" and found in str(error)
    error = raised(lambda: daptor.HaloExchange(array()).accumulate("total"))  # on this rank
    assert error.rule == "argument" and "sum" in error.finding.expected


def test_a_halo_exchange_again_and_again(comm, rank, size):
    u, a = periodic(comm)
    halo = daptor.HaloExchange(a, stencil="star")
    for step in range(3):
        u[1:5] += 1
        halo.begin()
        assert halo.in_flight
        halo.end()
        total = 4 * size
        assert u[0] == (4 * rank - 1) % total + step + 1
    halo.accumulate("sum")
    assert u[1] == 2 * (4 * rank + 3) and u[2] == 4 * rank + 4
    assert halo.bytes_sent == halo.bytes_received == (0 if size == 1 else 16)
    with pytest.raises(daptor.InvalidArgument):
        halo.end()
    with pytest.raises(daptor.InvalidArgument):
        halo.accumulate("mean")


def test_a_batch_goes_in_one_exchange(comm, rank, size):
    pairs = [periodic(comm) for _ in range(3)]
    for number, (u, _) in enumerate(pairs):
        u += 100 * number
    halo = daptor.HaloExchange([a for _, a in pairs])
    halo.update()
    total = 4 * size
    for number, (u, _) in enumerate(pairs):
        assert (u[0], u[5]) == ((4 * rank - 1) % total + 100 * number,
                                (4 * rank + 4) % total + 100 * number)
    assert halo.bytes_sent == (0 if size == 1 else 3 * 16)


def test_a_halo_exchange_for_other_arrays(comm, rank, size):
    u, a = periodic(comm)
    v, b = periodic(comm)
    halo = daptor.HaloExchange(a)
    halo.rebind(b)
    halo.update()
    assert u[0] == -1 and v[0] == (4 * rank - 1) % (4 * size)
    halo.rebind([a] if rank == 0 else a)  # a list on one rank
    halo.update()
    assert u[0] == v[0]
    references = sys.getrefcount(v)
    del b
    assert sys.getrefcount(v) < references  # the exchange has released it
    for wrong in ([a, a], [], a.as_readonly(), daptor.block(numpy.zeros(3), comm)):
        with pytest.raises(daptor.InvalidArgument):
            halo.rebind(wrong)
    halo.begin()
    with pytest.raises(daptor.InvalidArgument):
        halo.rebind(a)
    halo.end()
    with pytest.raises(daptor.InvalidArgument):
        halo.rebind([u])
    with pytest.raises(daptor.InvalidArgument):
        daptor.HaloExchange(3)


def test_batches_that_are_none(comm, size):
    _, a = periodic(comm)
    with pytest.raises(daptor.InvalidArgument):
        daptor.HaloExchange([])
    other = daptor.block(numpy.zeros(3), comm)
    error = raised(lambda: daptor.HaloExchange([a, other]))
    assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)


def test_a_batch_on_several_communicators(comm, rank, size):
    """They must have the same ranks in the same order."""
    duplicate, turned = comm.Dup(), comm.Split(0, size - rank)
    u, a = periodic(comm)
    v, b = periodic(duplicate)
    w, c = periodic(duplicate)
    daptor.HaloExchange([a, b]).update()
    daptor.HaloExchange(c, comm=comm).update()
    assert u[0] == v[0] == w[0] == (4 * rank - 1) % (4 * size)
    _, d = periodic(turned)
    if size > 1:
        for call in (lambda: daptor.HaloExchange([a, d]),
                     lambda: daptor.HaloExchange(d, comm=comm)):
            error = raised(call)
            assert error.rule == "collective.comm" and same_on_all(comm, error)
            assert "daptor.redistribute(..., comm=comm)" in error.finding.remedy
    del b, c, d
    duplicate.Free()
    turned.Free()


def test_in_two_dimensions(comm, rank, size):
    grid = process_grid(size)
    row, column = divmod(rank, grid[1])
    shape = (4 * grid[0], 6 * grid[1])
    whole = numpy.arange(shape[0] * shape[1], dtype=float).reshape(shape)
    u = numpy.full((6, 8), -1.0)
    u[1:5, 1:7] = whole[4 * row:4 * row + 4, 6 * column:6 * column + 6]
    a = daptor.block(u, comm, shape=shape, grid=grid, padding=1, periodic=True)
    daptor.update_padding(a)
    rows = numpy.arange(4 * row - 1, 4 * row + 5) % shape[0]
    columns = numpy.arange(6 * column - 1, 6 * column + 7) % shape[1]
    assert (u == whole[numpy.ix_(rows, columns)]).all()


def test_one_rank_is_read_only(comm, rank, size):
    u, a = periodic(comm)
    b = a.as_readonly() if rank == size - 1 else a
    error = raised(lambda: daptor.update_padding(b))
    assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
    error = raised(lambda: daptor.update_padding(a, stencil="wide"))
    assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)


def test_leases(comm):
    u, a = periodic(comm)
    with a.write() as view:
        view[1] = 9.0
    assert u[1] == 9.0
    with a.read() as view:
        assert view[1] == 9.0 and not view.flags.writeable
        with pytest.raises(ValueError):
            view[1] = 0.0
    with pytest.raises(daptor.InvalidArgument):
        with a.as_readonly().write():
            pass
    with pytest.raises(ZeroDivisionError):
        with a.write() as view:
            view[2] = 1 / 0
    with a.write() as view:  # the previous lease was returned
        view[2] = 3.0


def test_the_interpreter_goes_on_while_mpi_waits(comm, rank, size):
    """The last rank is late; meanwhile a thread of each other rank counts."""
    _, a = periodic(comm)
    counted = [0]
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    comm.Barrier()
    if rank == size - 1:
        time.sleep(0.3)
    thread.start()
    daptor.validate(a)
    stop.set()
    thread.join()
    if size > 1 and rank != size - 1:
        assert counted[0] > 10


@pytest.mark.skipif(MPI.Query_thread() < MPI.THREAD_MULTIPLE, reason="MPI has one thread")
def test_threads_on_communicators_of_their_own(comm, rank, size):
    """Ranks enter the two calls in different orders; no call holds the lock of the other."""
    communicators = [comm.Dup(), comm.Dup()]
    done = []

    def work(mine):
        for _ in range(50):
            a = daptor.block(numpy.zeros(4), mine, shape=4 * size)
            assert daptor.validate(a)
        done.append(True)

    threads = [threading.Thread(target=work, args=(mine,)) for mine in communicators]
    for thread in threads[::-1] if rank % 2 else threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 2
    for mine in communicators:
        mine.Free()


@pytest.mark.parametrize("stencil", [None, 3, "circle"])
def test_a_stencil_of_one_rank(comm, rank, size, stencil):
    a = daptor.block(numpy.zeros(4), comm)
    for guilty in range(size):
        given = stencil if rank == guilty else "box"
        error = raised(lambda: daptor.HaloExchange(a, stencil=given))
        assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)


def test_no_array_in_a_batch_of_one_rank(comm, rank, size):
    a = daptor.block(numpy.zeros(4), comm)
    for guilty in range(size):
        error = raised(lambda: daptor.HaloExchange([a, 3 if rank == guilty else a]))
        assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
