# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of any kind with the same elements, for tests against NumPy."""

import numpy

import daptor

TYPES = ["f8", "f4", "i4", "i8", "u2", "?", "c16", "c8"]


def elements(random, shape, kind):
    """The whole of a test: few different values, so that extremes are not unique."""
    values = random.integers(-20, 20, shape)
    if numpy.dtype(kind).kind == "c":
        return (values + 1j * random.integers(-5, 5, shape)).astype(kind)
    if numpy.dtype(kind).kind == "f":
        return (values / 7).astype(kind)
    return abs(values).astype(kind) if kind == "u2" else values.astype(kind)


def grids(random, size, ndim):
    """A process grid, and which dimensions are not divided."""
    if ndim > 1 and random.random() < 0.3:
        return (0,) + (None,) * (ndim - 1)
    at = int(random.integers(ndim))
    return tuple(size if d == at else 1 for d in range(ndim)) if random.random() < 0.5 else None


def width(random, most):
    """Ghost cells copy what the next rank owns, which may be few."""
    return int(random.integers(min(most, 2) + 1))


def ghosts(comm, random, shape, kind):
    """Blocks with ghost cells, some dimensions periodic."""
    grid = grids(random, comm.size, len(shape))
    free = [entry is not None for entry in grid or (0,) * len(shape)]
    return daptor.zeros(
        shape, comm, dtype=kind, order=random.choice(["C", "F"]), grid=grid,
        ghosts=tuple(width(random, extent // comm.size) if each else 0
                     for each, extent in zip(free, shape)),
        periodic=tuple(bool(random.integers(2)) if each else False for each in free))


def blocks(comm, random, shape, kind):
    return daptor.empty(shape, comm, dtype=kind, order=random.choice(["C", "F"]),
                        grid=grids(random, comm.size, len(shape)))


def rows(comm, random, shape, kind):
    """Uneven rows, of which ranks may have none."""
    bounds = numpy.sort(random.integers(0, shape[0] + 1, comm.size - 1))
    bounds = [0, *bounds.tolist(), shape[0]]
    count = bounds[comm.rank + 1] - bounds[comm.rank]
    wide = numpy.zeros((count, *(2 * extent for extent in shape[1:])), kind)
    return daptor.block(wide[(slice(None),) + (slice(None, None, 2),) * (len(shape) - 1)], comm)


def dealt(comm, random, shape, kind):
    """Blocks dealt in turn."""
    width, at = int(random.integers(1, 4)), int(random.integers(len(shape)))
    local = list(shape)
    starts = numpy.arange(shape[at]) // width % comm.size
    local[at] = int((starts == comm.rank).sum())
    return daptor.cyclic(numpy.zeros(local, kind), comm, shape=shape, block_size=width,
                         grid=tuple(comm.size if d == at else 1 for d in range(len(shape))))


def lists(comm, random, shape, kind):
    """Rows in any order, each owned by one rank, followed by ghosts."""
    order = random.permutation(shape[0])
    mine = order[comm.rank::comm.size]
    ghosts_here = numpy.setdiff1d(order, mine)[:2]
    indices = numpy.concatenate([mine, ghosts_here]).astype("i8")
    return daptor.owned_then_ghosts(numpy.zeros((len(indices), *shape[1:]), kind), indices, comm,
                                    owned=len(mine), size=shape[0])


def shared(comm, random, shape, kind):
    """Rows that several ranks have, without owners."""
    order = random.permutation(shape[0])
    indices = numpy.unique(numpy.concatenate([order[comm.rank::comm.size], order[:2]]))
    return daptor.unstructured(numpy.zeros((len(indices), *shape[1:]), kind),
                               indices[::-1].copy(), comm, size=shape[0])


def _with_a_ghost_between(random, mine, others):
    """The list with a copy of another index behind its first one, and which of it are owned."""
    if not len(mine):
        return mine, numpy.zeros(0, bool)
    indices = numpy.insert(mine, 1, random.choice(others))
    return indices, numpy.arange(len(indices)) != 1


def between(comm, random, shape, kind):
    """Ghosts between owned elements of lists, and boundary padding along a dimension in blocks."""
    size, rank = comm.size, comm.rank
    dimensions, local = [], []
    for d, extent in enumerate(shape):
        order = random.permutation(extent)
        if d == 0 and len(shape) > 1:
            first, last = numpy.linspace(0, extent, size + 1).astype(int)[rank:rank + 2].tolist()
            edges = (1 if rank == 0 else 0, 1 if rank == size - 1 else 0)
            dimensions.append({"dist_type": "b", "size": extent + 2, "proc_grid_size": size,
                               "proc_grid_rank": rank, "start": first + 1 - edges[0],
                               "stop": last + 1 + edges[1], "padding": edges})
            local.append(last - first + sum(edges))
            continue
        ranks, at = (size, rank) if d == 0 else (1, 0)
        indices, owned = _with_a_ghost_between(random, order[at::ranks], order)
        dimensions.append({"dist_type": "u", "size": extent, "proc_grid_size": ranks,
                           "proc_grid_rank": at, "indices": indices, "owned": owned})
        local.append(len(indices))
    return daptor.import_({"__version__": "0.9.0", "buffer": numpy.zeros(local, kind),
                           "dim_data": tuple(dimensions)}, comm)


LAYOUTS = [ghosts, blocks, rows, dealt, lists, shared]
ALL_LAYOUTS = [*LAYOUTS, between]  # also where a.interior is no view


def inside(a):
    """The interior, which is a copy where ghosts lie between owned elements."""
    return numpy.asarray(a)[a.interior_slices]


def filled(layout, comm, random, whole):
    """An Array of the elements of `whole`, with other values in all padding."""
    a = layout(comm, random, whole.shape, whole.dtype)
    numpy.asarray(a)[...] = 77
    numpy.asarray(a)[a.interior_slices] = whole[numpy.ix_(*a.global_indices)]
    return a


def programs(size, count=6):
    """Pairs of a generator, the same on all ranks, and a shape."""
    shapes = [(17,), (9, 8), (5, 6, 4), (max(2, size - 1), 7), (1, 13), (size, size)]
    for seed in range(count):
        yield numpy.random.default_rng(100 * size + seed), shapes[seed % len(shapes)]
