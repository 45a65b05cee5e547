# SPDX-License-Identifier: BSD-3-Clause
"""Elements on one rank, at any indices, and the way back, against NumPy."""

import numpy
import pytest

import daptor
import layouts
from support import raised, same_on_all

KINDS = ["f8", "i4", "c16", "?"]


def entry_of(random, extent):
    if random.random() < 0.3:
        return int(random.integers(-extent, extent))
    ends = [None if random.random() < 0.3 else int(random.integers(-extent, extent + 2))
            for _ in range(2)]
    return slice(*ends, [None, 1, 2, 3, -1, -2][int(random.integers(6))])


def some_index(random, shape):
    """Numbers and slices of any step, for the first and the last dimensions."""
    count = int(random.integers(len(shape) + 1))
    first = int(random.integers(count + 1))
    if random.random() < 0.5:
        first = count
    index = [entry_of(random, extent) for extent in shape[:first]]
    if first < count or random.random() < 0.3:
        index.append(Ellipsis)
    index += [entry_of(random, extent) for extent in shape[len(shape) - (count - first):]]
    return index[0] if len(index) == 1 else tuple(index)


@pytest.mark.parametrize("layout", layouts.ALL_LAYOUTS)
def test_gathering_a_part(comm, rank, size, layout):
    for random, shape in layouts.programs(size, 12):
        whole = layouts.elements(random, shape, random.choice(KINDS))
        a = layouts.filled(layout, comm, random, whole)
        root, index = int(random.integers(size)), some_index(random, shape)
        for found, expected in ((daptor.gather(a, index, root=root), whole[index]),
                                (a.gather(root=root), whole)):
            assert numpy.array_equal(a.gather(index, root=root, everywhere=True), whole[index])
            if rank != root:
                assert found is None
                continue
            assert found.shape == expected.shape and found.dtype == whole.dtype, index
            assert (found == expected).all(), (index, found, expected)


@pytest.mark.parametrize("layout", layouts.ALL_LAYOUTS)
def test_scattering(comm, rank, size, layout):
    for random, shape in layouts.programs(size):
        whole = layouts.elements(random, shape, random.choice(["f4", "i4"]))
        a = layout(comm, random, shape, "f8")
        numpy.asarray(a)[...] = -1
        root = int(random.integers(size))
        b = daptor.scatter(whole if rank == root else None, like=a, root=root)
        assert b.dtype == "f8" and b.local_shape == a.local_shape
        assert (layouts.inside(b) == whole[numpy.ix_(*b.global_indices)]).all()
        assert (numpy.asarray(a) == -1).all()
        before = numpy.asarray(b).copy()
        if layout is not layouts.shared:
            daptor.update_padding(b)
        assert (numpy.asarray(b) == before).all(), "ghost cells were filled"


@pytest.mark.parametrize("layout", layouts.ALL_LAYOUTS)
def test_sampling(comm, rank, size, layout):
    for random, shape in layouts.programs(size):
        whole = layouts.elements(random, shape, random.choice(KINDS))
        a = layouts.filled(layout, comm, random, whole)
        of_rank = numpy.random.default_rng(rank)
        count = 0 if rank == size - 1 and size > 1 else int(of_rank.integers(1, 9))
        points = tuple(of_rank.integers(-extent, extent, (count, 2)) for extent in shape)
        found = a.sample(points)
        assert found.shape == (count, 2) and (found == whole[points]).all()
        assert a.sample(tuple(extent - 1 for extent in shape)) == whole[(-1,) * len(shape)]
    line = daptor.block(numpy.arange(3.0) + 3 * rank, comm)
    assert (line.sample([3 * size - 1, 0]) == [3 * size - 1, 0]).all()


class Raising:
    """An index that is none."""

    def __index__(self):
        raise RuntimeError("no index")


def test_what_is_wrong_on_one_rank(comm, rank, size):
    a = daptor.block(numpy.arange(6.0).reshape(2, 3), comm)
    whole = numpy.zeros((2 * size, 3))
    for at in range(size):
        here = rank == at
        for index in ([1], "row", (0, 0, 0), 2 * size, (Ellipsis, Ellipsis), numpy.s_[0:2.5],
                      numpy.s_[::0], numpy.s_[:, "a":], 0.0, (None, 0), numpy.s_[:, ::0.5],
                      Raising(), numpy.s_[Raising():], numpy.array(["a"])):
            error = raised(lambda: daptor.gather(a, index if here else 0))
            assert error.rank == at and same_on_all(comm, error)
            assert error.rule == "argument" and error.finding.key == "index", index
        for root in (-1, size, "first", None, 0.0, Raising()):
            error = raised(lambda: daptor.gather(a, root=root if here else 0))
            assert error.rule == "argument" and same_on_all(comm, error)
        for points in ((0,), ([0], [3]), ([0.5], [0]), 3, None, ([[0], [0, 1]], 0), ("a", 0),
                       ([0, 1], [0, 1, 2]), (slice(0, 1), 0)):
            error = raised(lambda: a.sample(points if here else ([0], [0])))
            assert error.rank == at and same_on_all(comm, error)
            assert error.rule == "argument" and error.finding.key == "indices", points
        for wrong in (whole[:, :2], None, whole + 1j, numpy.ma.masked_array(whole),
                      [[1], [2, 3]]):
            error = raised(lambda: daptor.scatter(wrong if here else whole, like=a, root=at))
            assert error.rank == at and error.rule == "argument" and same_on_all(comm, error)
    if size > 1:
        error = raised(lambda: daptor.gather(a, rank))
        assert error.rule == "collective.different" and error.finding.key == "index"
        assert same_on_all(comm, error)
    assert daptor.sum(a) == 15 * size
