# SPDX-License-Identifier: BSD-3-Clause
"""Ghost cells on all sides of the memory, and owned elements before ghosts."""

import numpy
import pytest

import daptor
from support import address, process_grid, raised, same_on_all, share


def sections(comm, shape, width, grid):
    """Returns this rank's part of the interior, and memory with ghost cells on all sides of it."""
    coordinates = numpy.unravel_index(comm.rank, grid)
    ranges = [share(extent, ranks, at) for extent, ranks, at in zip(shape, grid, coordinates)]
    u = numpy.full([stop - start + 2 * width for start, stop in ranges], -1.0)
    inner = tuple(slice(width, extent - width) for extent in u.shape)
    numbers = numpy.arange(numpy.prod(shape), dtype=float).reshape(shape)
    u[inner] = numbers[tuple(slice(*r) for r in ranges)]
    return u, ranges, inner, numbers


@pytest.mark.parametrize("width", [1, 2])
@pytest.mark.parametrize("shape", [(12, 10), (24,), (8, 9, 16)], ids=str)
def test_the_same_program_on_any_number_of_ranks(comm, size, shape, width):
    """A stencil code: the exchange writes no owned element, and inner ghosts are filled."""
    shape = (max(shape[0], 2 * size),) + shape[1:]
    grid = (size,) + (1,) * (len(shape) - 1)
    u, ranges, inner, numbers = sections(comm, shape, width, grid)
    a = daptor.block(u, comm, shape=shape, grid=grid, ghosts=width)
    assert a.local_shape == u.shape and address(a) == u.ctypes.data
    assert a.padded_shape == tuple(extent + 2 * width for extent in shape) and a.shape == shape
    assert a.interior_slices == inner and a.interior_shape == u[inner].shape
    daptor.update_padding(a)
    around = numpy.pad(numbers, width, constant_values=-1.0)
    assert (u == around[tuple(slice(start, stop + 2 * width) for start, stop in ranges)]).all()


def test_two_divided_dimensions(comm, size):
    grid = process_grid(size)
    u, ranges, inner, numbers = sections(comm, (12, 12), 1, grid)
    a = daptor.block(u, comm, shape=(12, 12), ghosts=1)
    daptor.update_padding(a)
    around = numpy.pad(numbers, 1, constant_values=-1.0)
    assert (u == around[tuple(slice(start, stop + 2) for start, stop in ranges)]).all()


def test_periodic_in_one_dimension(comm, size):
    u, ranges, inner, numbers = sections(comm, (4 * size, 5), 1, (size, 1))
    a = daptor.block(u, comm, shape=(4 * size, 5), grid=(size, 1), ghosts=1,
                     periodic=(True, False))
    assert a.padded_shape == (4 * size, 7) and a.interior_slices == inner
    daptor.update_padding(a)
    rows = numpy.arange(ranges[0][0] - 1, ranges[0][1] + 1) % (4 * size)
    assert (u[:, 1:-1] == numbers[rows]).all() and (u[:, 0] == -1).all()


def test_a_width_for_each_dimension(comm, size):
    u = numpy.zeros((8, 7))
    a = daptor.block(u, comm, shape=(4 * size, 7), grid=(size, 1), ghosts=(2, 0))
    assert a.interior_slices == (slice(2, 6), slice(0, 7))


def test_memory_of_another_shape_is_told_of_ghosts(comm, rank, size):
    """The most common mistake: padding, although the memory has ghost cells on all sides."""
    n = 4 * size
    wide = numpy.zeros((8, 12))
    for arguments in ({"padding": 2}, {}):
        error = raised(lambda: daptor.block(wide, comm, shape=(n, 8), grid=(size, 1), **arguments))
        assert isinstance(error, daptor.Malformed) and error.rule == "P13"
        assert "ghosts=2" in str(error) and "version" not in str(error)
        assert "has shape (" in error.finding.remedy and same_on_all(comm, error)
    for at in range(size):
        mine = numpy.zeros((8, 12) if rank != at else (7, 12))
        error = raised(lambda: daptor.block(mine, comm, shape=(n, 8), grid=(size, 1), ghosts=2))
        assert error.rank == at and "has shape (8, 12)" in str(error) and same_on_all(comm, error)
        assert "ghosts=" not in str(error)


def test_a_rank_without_indices_of_a_periodic_dimension(comm, rank, size):
    """It has no ghost cells where it starts at the size, and is told so."""
    if size == 1:
        return
    last = size - 1
    assert daptor.local_shape((size - 1, 4), comm, grid=(size, 1), ghosts=1, periodic=True) == (
        (0, 6) if rank == last else (3, 6))
    error = raised(lambda: daptor.block(numpy.zeros((2 if rank == last else 3, 6)), comm,
                                        shape=(size - 1, 4), grid=(size, 1), ghosts=1,
                                        periodic=True))
    assert error.rule == "E02" and error.rank == last and same_on_all(comm, error)
    assert "(0, 6)" in str(error) and "set ghosts" not in str(error)


def test_wrong_ghosts(comm, rank, size):
    for wrong in (-1, (1, 2, 3), "a", 1.5, {"padding": 1, "ghosts": 1}):
        for at in range(size):
            def build():
                mine = wrong if isinstance(wrong, dict) else {"ghosts": wrong}
                return daptor.block(numpy.zeros((6, 5)), comm, shape=(4 * size, 3),
                                    grid=(size, 1), **(mine if rank == at else {"ghosts": 1}))
            error = raised(build)
            assert error.rank == at and same_on_all(comm, error), (wrong, error)


def elements(comm):
    """Four elements per rank, followed by a ghost of each neighbour."""
    first = 4 * comm.rank
    owned = numpy.arange(first, first + 4)
    ghosts = [g for g in (first - 1, first + 4) if 0 <= g < 4 * comm.size]
    u = numpy.concatenate([owned + 100.0, numpy.full(len(ghosts), -1.0)])
    return u, numpy.concatenate([owned, ghosts]).astype("i8")


def test_owned_then_ghosts(comm):
    u, indices = elements(comm)
    a = daptor.owned_then_ghosts(u, indices, comm, owned=4)
    assert a.shape == (4 * comm.size,) and a.owned_shape == (4,) and a.local_shape == u.shape
    assert daptor.validate(a, level="full")
    daptor.update_padding(a)
    assert (u == indices + 100).all()
    daptor.HaloExchange(a).accumulate("sum")
    mine = indices[:4]
    copied = (mine % 4 == 0) & (mine > 0) | (mine % 4 == 3) & (mine < 4 * comm.size - 1)
    assert (u[:4] == (mine + 100) * (1 + copied)).all()
    kept = a.__distarray__()["dim_data"][0]
    assert kept["owned"] == 4 and address(kept["indices"]) == indices.ctypes.data


def mixed(comm, random, whole):
    """Rows in any order with ghosts anywhere: an Array, the indices, and which are owned."""
    order = random.permutation(len(whole))
    indices = numpy.concatenate([order[comm.rank::comm.size], order[:3], order[-2:]])
    owned = numpy.arange(len(indices)) < len(indices) - len(order[:3]) - len(order[-2:])
    shuffled = numpy.random.default_rng(comm.rank).permutation(len(indices))
    indices, owned = indices[shuffled].astype("i8"), owned[shuffled]
    u = numpy.where(owned[:, None], whole[indices], -1.0)
    part = (owned, numpy.flatnonzero(owned)[::-1].copy(), numpy.flatnonzero(owned).tolist(),
            owned.tolist())[comm.rank % 4]
    a = daptor.unstructured(u, indices, comm, owned=part, size=[None, len(whole)][len(whole) % 2])
    return a, u, indices, owned


def test_owned_elements_between_ghosts(comm, tmp_path_factory):
    path = comm.bcast(str(tmp_path_factory.mktemp("owned") / "a.h5") if comm.rank == 0 else None)
    for seed in range(6):
        random = numpy.random.default_rng(seed)
        whole = random.random((2 * comm.size + seed, 3))
        a, u, indices, owned = mixed(comm, random, whole)
        assert a.shape == whole.shape and daptor.validate(a, level="full")
        kept = numpy.asarray(daptor.import_(a, comm).__distarray__()["dim_data"][0]["owned"])
        positions = numpy.arange(kept) if kept.ndim == 0 else kept
        assert (positions == numpy.flatnonzero(owned)).all()
        assert (numpy.asarray(a)[a.owned_slices] == whole[indices[owned]]).all()
        assert (a.global_indices[0] == indices[owned]).all()
        daptor.update_padding(a)
        assert (u == whole[indices]).all()
        assert numpy.isclose(a.sum(), whole.sum()) and daptor.allclose(a, a.copy())
        assert daptor.max(a) == whole.max()
        for here in (daptor.gather(a), numpy.asarray(a.redistributed(daptor.layout.on_process(0)))):
            assert comm.rank > 0 or (here == whole).all()
        picked = daptor.gather(a, index=numpy.s_[1:, ::2])
        assert comm.rank > 0 or (picked == whole[1:, ::2]).all()
        assert (a.sample(([0, 1], [1, 1])) == whole[:2, 1]).all()
        b = daptor.zeros_like(a)
        daptor.redistribute(daptor.scatter(whole if comm.rank == 0 else None, like=daptor.zeros(
            whole.shape, comm)), b)
        assert (numpy.asarray(b)[a.owned_slices] == whole[indices[owned]]).all()
        if hasattr(daptor, "hdf5"):
            daptor.save(a, path, "a", overwrite=True)
            for staged in (0, 1 << 16):
                numpy.asarray(b)[...] = 0
                daptor.hdf5.load_into(b, path, "a", memory_bytes=staged)
                assert (numpy.asarray(b) == whole[indices]).all()


def test_boxes_with_ghosts_on_one_rank(comm, rank, size):
    """Two boxes a rank of a periodic line, with a ghost cell at each end."""
    n = 8 * size
    boxes = [[(4 * box + i - 1) % n for i in range(6)] for box in (2 * rank, 2 * rank + 1)]
    owned = numpy.array([False, True, True, True, True, False] * 2)
    indices = numpy.array(boxes).ravel()
    u = numpy.where(owned, indices + 0.5, -1)
    a = daptor.unstructured(u, indices, comm, owned=owned)
    daptor.update_padding(a)
    assert (u == indices + 0.5).all() and a.sum() == (numpy.arange(n) + 0.5).sum()
    report = daptor.validate(a, level="full")
    assert report and {finding.rule for finding in report.findings} <= {"U04"}
    for read in (lambda: a.interior, lambda: a.owned):
        assert raised(read).rule == "owned.apart"


def test_wrong_positions(comm, rank, size):
    indices = numpy.arange(4) + 4 * rank
    for at in range(size):
        for wrong, rule in (([0, 4], "owned.positions"), ([1, 1], "owned.positions"),
                            ([True] * 3, "owned.positions"), ([[0, 1]], "owned.positions"),
                            (numpy.array([0.5]), "owned.positions"), (5, "owned.count")):
            error = raised(lambda: daptor.unstructured(
                numpy.zeros(4), indices, comm, size=4 * size,
                owned=wrong if rank == at else [0, 1, 2, 3]))
            assert (error.rule, error.rank) == (rule, at), (wrong, error)
            assert same_on_all(comm, error)
        if size > 1:
            error = raised(lambda: daptor.unstructured(
                numpy.zeros(4), indices, comm, size=4 * size, owned=None if rank == at else [0]))
            assert error.rule == "owned.keys" and same_on_all(comm, error)
    error = raised(lambda: daptor.unstructured(numpy.zeros(4), indices, comm))
    assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)


def test_owners_that_are_named_for_an_exchange(comm):
    for owned in (4, numpy.int64(4), range(4 * comm.rank, 4 * comm.rank + 4),
                  numpy.arange(4 * comm.rank, 4 * comm.rank + 4)):
        u, indices = elements(comm)
        a = daptor.unstructured(u, indices, comm, size=4 * comm.size)
        daptor.update_padding(a, owned=owned)
        assert (u == indices + 100).all(), owned


def test_nobody_guesses_an_owner(comm, size):
    u, indices = elements(comm)
    before = u.copy()
    a = daptor.unstructured(u, indices, comm, size=4 * size)
    if size > 1:
        error = raised(lambda: daptor.update_padding(a))
        assert error.rule == "halo.shared" and same_on_all(comm, error)
        assert "owned_then_ghosts" in str(error) and "HaloOptions" not in str(error)
    assert (u == before).all()


def test_wrong_owners(comm, rank, size):
    u, indices = elements(comm)
    for at in range(size):
        for wrong in (-1, len(indices) + 1, 1.5, "4", True, [0.5]):
            a = daptor.unstructured(u, indices, comm, size=4 * size)
            error = raised(lambda: daptor.HaloExchange(a, owned=wrong if rank == at else 4))
            assert error.rank == at and same_on_all(comm, error), (wrong, error)
        for wrong in (-1, 7, "4", None):
            for total in (4 * size, None):
                error = raised(lambda: daptor.owned_then_ghosts(
                    u, indices, comm, size=total, owned=wrong if rank == at else 4))
                assert error.rank == at and same_on_all(comm, error), (wrong, total, error)
    b = daptor.block(numpy.zeros(3), comm)
    assert isinstance(raised(lambda: daptor.update_padding(b, owned=3)), daptor.InvalidArgument)
    if size > 1:
        error = raised(lambda: daptor.owned_then_ghosts(
            u, indices, comm, owned=4, size=4 * size if rank == 0 else None))
        assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)


def test_an_index_that_two_own_or_nobody(comm, rank, size):
    if size == 1:
        return
    indices = numpy.array([rank, 0])  # 0 is a ghost on all ranks but the first, its owner
    a = daptor.owned_then_ghosts(numpy.zeros(2)[rank == 0:], indices[rank == 0:], comm, owned=1)
    assert daptor.validate(a, level="full")
    twice = daptor.owned_then_ghosts(numpy.zeros(1), numpy.array([0]), comm, owned=1, size=size)
    assert not daptor.validate(twice, level="full")
