# SPDX-License-Identifier: BSD-3-Clause
"""Where a section is in the whole array, with padding and without."""

import numpy
import pytest

import daptor
import layouts
from support import process_grid, raised, share


def test_the_interior_of_a_stencil_code(comm, rank, size):
    """As the documentation has it: shape is the grid of the user, ghost cells left out."""
    shape, grid = (12, 10), process_grid(size)
    at = numpy.unravel_index(rank, grid)
    ranges = [share(extent, ranks, position) for extent, ranks, position in zip(shape, grid, at)]
    for periodic in ((False, False), (True, False)):
        a = daptor.zeros(shape, comm, ghosts=2, periodic=periodic)
        assert a.shape == shape and a.size == 120
        assert a.padded_shape == tuple(n + (0 if each else 4) for n, each in zip(shape, periodic))
        assert a.global_slices == tuple(slice(*each) for each in ranges)
        assert a.interior.shape == a.interior_shape and a.owned.shape == a.owned_shape
        assert numpy.shares_memory(a.interior, numpy.asarray(a))
        dimensions = a.__distarray__()["dim_data"]
        assert a.owned_global_slices == tuple(slice(d["start"], d["stop"]) for d in dimensions)
        inside = a.owned_slices
        assert all(own.start <= inner.start for own, inner in zip(inside, a.interior_slices))
        assert ("padded to" in repr(a)) == (a.padded_shape != a.shape)
        x, y = a.global_indices
        a.interior[...] = 10 * x[:, None] + y
        i, j = numpy.indices(shape)
        found = daptor.gather(a, root=size - 1)
        assert found is None if rank < size - 1 else (found == 10 * i + j).all()
    assert daptor.zeros(shape, comm, boundary=1).shape == (10, 8)
    assert daptor.zeros(shape, comm, boundary=1).padded_shape == shape


@pytest.mark.parametrize("layout", layouts.ALL_LAYOUTS)
def test_indices_against_a_redistribution(comm, size, layout):
    """The elements that a redistribution brings are those of the indices."""
    for random, shape in layouts.programs(size):
        a = layout(comm, random, shape, "i8")
        numpy.asarray(a)[...] = -1
        whole = numpy.arange(numpy.prod(shape)).reshape(shape)
        padded = numpy.full(a.padded_shape, -2)
        edges = [(p - n) // 2 for p, n in zip(a.padded_shape, a.shape)]
        padded[tuple(slice(e, e + n) for e, n in zip(edges, a.shape))] = whole
        mine = padded if comm.rank == 0 else padded[:0]
        daptor.redistribute(daptor.block(mine, comm), a)
        assert a.shape == shape
        assert (layouts.inside(a) == whole[numpy.ix_(*a.global_indices)]).all()
        if layout in (layouts.ghosts, layouts.blocks, layouts.rows):
            assert (a.interior == whole[a.global_slices]).all()
            assert (a.owned == padded[a.owned_global_slices]).all()
        else:
            with pytest.raises(daptor.InvalidArgument, match="global_indices"):
                print(a.global_slices)


def test_every_rank_knows_the_edges_of_others(comm, rank, size):
    """A producer without Daptor: a rank in the middle has no boundary padding itself."""
    start, stop = share(4 * size, size, rank)
    edge = (1 if rank == 0 else 0, 2 if rank == size - 1 else 0)

    class Field:
        def __distarray__(self):
            return {"__version__": "0.9.0", "buffer": numpy.zeros(4),
                    "dim_data": ({"dist_type": "b", "size": 4 * size, "proc_grid_size": size,
                                  "proc_grid_rank": rank, "start": start, "stop": stop,
                                  "padding": edge},)}

    a = daptor.import_(Field(), comm)
    assert a.shape == (4 * size - 3,) and a.padded_shape == (4 * size,)
    assert a.global_slices == (slice(max(start - 1, 0), min(stop - 1, 4 * size - 3)),)
    assert (a.global_indices[0] == numpy.arange(4 * size - 3)[a.global_slices]).all()
    for b in (a.as_readonly(), daptor.import_(a, comm), daptor.copy(a)):
        assert b.shape == a.shape and b.global_slices == a.global_slices
    assert a.like(daptor.layout.natural()).shape == (4 * size,)
    with pytest.raises(ValueError):
        a.as_readonly().interior[...] = 1


def test_a_copy_between_arrays_of_other_padding(comm, size):
    a = daptor.ones((3 * size, 4), comm, grid=(size, 1), ghosts=1)
    b = daptor.zeros(a.shape, comm)
    error = raised(lambda: daptor.redistribute(a, b))
    assert error.rule == "redistribute.shape" and "daptor.without_padding(a)" in str(error)
    daptor.redistribute(daptor.without_padding(a), b)
    assert daptor.sum(b) == b.size and not b.any(where=b.interior != 1)


@pytest.mark.parametrize("layout", layouts.ALL_LAYOUTS)
def test_an_array_without_its_padding(comm, size, layout):
    for random, shape in layouts.programs(size):
        whole = layouts.elements(random, shape, "f8")
        a = layouts.filled(layout, comm, random, whole)
        before, edge = numpy.asarray(a).copy(), numpy.asarray(a).size - layouts.inside(a).size
        b = a.without_padding() if random.integers(2) else daptor.without_padding(a)
        assert b.shape == b.padded_shape == shape and daptor.validate(b, level="full")
        assert (layouts.inside(b) == whole[numpy.ix_(*b.global_indices)]).all()
        assert layout is layouts.shared or daptor.sum(b) == pytest.approx(whole.sum())
        if layout is not layouts.between:
            assert b.local_shape == a.interior_shape
        numpy.asarray(b)[b.interior_slices] = 5
        assert (layouts.inside(a) == 5).all()
        assert (numpy.asarray(a) != before).sum() <= before.size - edge
    error = raised(lambda: daptor.without_padding(whole))
    assert error.rule == "argument" and "daptor.Array" in str(error)


def test_ghosts_between_owned_elements_and_boundary_padding(comm, size):
    """What goes by the interior, where that is no box of the section."""
    whole = numpy.arange(1.0, 6 * size + 1).reshape(2 * size, 3)
    a = layouts.between(comm, numpy.random.default_rng(size), whole.shape, "f8")
    for name in "interior", "owned":
        error = raised(lambda name=name: getattr(a, name))
        assert error.rule == "owned.apart"
        assert f"numpy.asarray(a)[a.{name}_slices] = x" in str(error)
        assert numpy.asarray(a)[getattr(a, f"{name}_slices")].shape == getattr(a, f"{name}_shape")
    numpy.asarray(a)[a.interior_slices] = whole[numpy.ix_(*a.global_indices)]
    assert a.sum() == whole.sum() and a.argmax() == whole.argmax()
    assert daptor.dot(a, a) == (whole * whole).sum()


def test_arrays_without_dimensions_and_without_elements(comm, size):
    if size == 1:
        a = daptor.import_({"__version__": "0.9.0", "buffer": numpy.array(3.0), "dim_data": ()},
                           comm)
        a.interior[...] = 5
        assert a.shape == () and a.global_slices == () and numpy.asarray(a)[()] == 5
        assert a.size == 1 and daptor.sum(a) == 5
    b = daptor.zeros((0, 3), comm)
    assert b.shape == (0, 3) and b.size == 0 and b.interior.size == 0
