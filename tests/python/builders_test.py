# SPDX-License-Identifier: BSD-3-Clause
"""NumPy sections as distributed arrays in one line."""

from decimal import Decimal
from fractions import Fraction

import numpy
import pytest

import daptor
from support import address, process_grid, raised, same_on_all, share


def test_blocks_after_one_another(comm, rank, size):
    u = numpy.zeros((rank + 1, 3), dtype="i4")
    a = daptor.block(u, comm)
    assert a.shape == (size * (size + 1) // 2, 3)
    assert address(a) == u.ctypes.data
    assert a.__distarray__()["dim_data"][0]["start"] == rank * (rank + 1) // 2


def test_even_blocks_on_a_grid(comm, rank, size):
    start, stop = share(7, size, rank)
    a = daptor.block(numpy.zeros((5, stop - start)), comm, shape=(5, 7), grid=(1, size))
    keys = a.__distarray__()["dim_data"]
    assert (keys[1]["start"], keys[1]["stop"]) == (start, stop)
    assert a.shape == (5, 7) and a.comm is comm


def test_a_grid_of_its_own_choice(comm, size):
    grid = process_grid(size)
    u = numpy.zeros((3, 4))
    shape = (3 * grid[0], 4 * grid[1])
    assert daptor.block(u, comm, shape=shape).local_shape == u.shape
    assert daptor.block(u, comm, shape=shape, grid=(grid[0], 0)).local_shape == u.shape


def test_padding(comm, rank, size):
    inner = (rank > 0) + (rank < size - 1)
    a = daptor.block(numpy.zeros(4 + inner), comm, shape=(4 * size,), padding=1)
    assert a.owned_shape == (4,)
    a = daptor.block(numpy.zeros((6, 3)), comm, shape=(4 * size, 3), grid=(size, 1),
                     padding=(1, 0), periodic=(True, False))
    assert a.owned_slices == (slice(1, 5), slice(0, 3))
    lower = 2 * (rank > 0)
    upper = int(rank < size - 1)
    a = daptor.block(numpy.zeros(4 + lower + upper), comm, shape=(4 * size,), padding=[(2, 1)])
    assert a.owned_slices == (slice(lower, lower + 4),)
    a = daptor.block(numpy.zeros(4), comm, shape=(4 * size,), boundary=1)
    assert a.owned_shape == (4,)


@pytest.mark.parametrize("arguments", [
    {"grid": (3, 5)}, {"padding": (1, 2, 3)}, {"padding": ((1, 2, 3), 0)}, {"padding": "a"},
    {"periodic": (True,)}, {"grid": ("a", 1)}, {"padding": -1}, {"boundary": (None, 1)},
    {"periodic": ([1], False)}, {"periodic": numpy.zeros((2, 2))}
], ids=str)
def test_wrong_arguments_on_one_rank(comm, rank, size, arguments):
    mine = arguments if rank == size - 1 else {}
    error = raised(lambda: daptor.block(numpy.zeros((4, 4)), comm, shape=(4 * size, 4),
                                        **{"grid": (size, 1), **mine}))
    assert error.rank == size - 1 and same_on_all(comm, error)
    assert not isinstance(error, daptor.ProducerFailed)


def test_what_cannot_be_stacked(comm, rank, size):
    for wrong in (numpy.array(1.0), 3, None, numpy.zeros(3, dtype="O")):
        error = raised(lambda: daptor.block(wrong if rank == 0 else numpy.zeros(3), comm))
        assert error.rank == 0 and same_on_all(comm, error)
    error = raised(lambda: daptor.block(numpy.zeros(3), comm, padding=1))
    assert isinstance(error, daptor.InvalidArgument)


@pytest.mark.parametrize("number", [numpy.float32(1.5), Decimal("1.5"), Fraction(3, 2), 2.0, "2"])
def test_numbers_that_are_no_integers(comm, rank, size, number):
    n = 3 * size
    u = numpy.zeros((3, n))
    for shape, arguments in (((3 * size + number if number != "2" else number, n), {}),
                             ((n, n), {"grid": (number, 1)}), ((n, n), {"ghosts": number}),
                             ((n, n), {"padding": ((number, 1), 0)}),
                             ((n, n), {"bounds": ((number, 3), None)})):
        error = raised(lambda: daptor.block(u, comm, shape=shape, **arguments))
        assert isinstance(error, daptor.InvalidArgument) and error.rule == "argument"
        assert same_on_all(comm, error)
    error = raised(lambda: daptor.cyclic(u, comm, shape=(n, n), block_size=number))
    assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
    for make in (daptor.layout.slab, daptor.layout.on_process,
                 lambda value: daptor.layout.blocks((value,)),
                 lambda value: daptor.layout.block_cyclic((value,))):
        with pytest.raises(TypeError):
            make(number)


def test_one_dimension_and_numbers_of_numpy(comm, size):
    a = daptor.block(numpy.zeros(4), comm, shape=numpy.int64(4 * size), grid=size,
                     padding=numpy.int32(0), periodic=numpy.bool_(False))
    assert a.shape == (4 * size,)


def test_a_shape_on_some_ranks_only(comm, rank, size):
    if size > 1:
        error = raised(lambda: daptor.block(numpy.zeros(4), comm,
                                            shape=None if rank == 0 else (4 * size,)))
        assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
    error = raised(lambda: daptor.block(numpy.zeros(4), comm,
                                        shape=object() if rank == 0 else (4 * size,)))
    assert error.rank == 0 and same_on_all(comm, error)


def dealt(total, size, rank, width):
    """Returns the global indices of a rank, dealt in blocks."""
    return [i for i in range(total) if i // width % size == rank]


@pytest.mark.parametrize("width", [1, 2, 3])
def test_cyclic(comm, rank, size, width):
    for origin in range(size):
        mine = dealt(11, size, (rank - origin) % size, width)
        a = daptor.cyclic(numpy.array(mine, dtype="i8"), comm, shape=11, block_size=width,
                          origin=origin)
        assert a.shape == (11,) and a.dtype == "int64"
        if mine:
            assert a.__distarray__()["dim_data"][0]["start"] == mine[0]


def test_cyclic_in_two_dimensions(comm, rank, size):
    grid = process_grid(size)
    row, column = divmod(rank, grid[1])
    shape = (len(dealt(10, grid[0], row, 2)), len(dealt(9, grid[1], column, 3)))
    a = daptor.cyclic(numpy.zeros(shape, order="F"), comm, shape=(10, 9), grid=grid,
                      block_size=(2, 3))
    assert a.local_shape == shape
    error = raised(lambda: daptor.cyclic(numpy.zeros(shape), comm, shape=(10, 9), grid=grid,
                                         block_size=0))
    assert same_on_all(comm, error)


def test_unstructured(comm, rank, size):
    indices = numpy.arange(rank, 5 * size, size)
    a = daptor.unstructured(numpy.zeros((5, 2)), indices, comm, size=5 * size, one_to_one=True)
    assert a.shape == (5 * size, 2)
    assert daptor.validate(a, level="full")
    kept = a.__distarray__()["dim_data"][0]["indices"]
    assert address(kept) == indices.ctypes.data
    error = raised(lambda: daptor.unstructured(numpy.zeros(4), indices, comm, size=5 * size))
    assert isinstance(error, daptor.Malformed) and same_on_all(comm, error)
