# SPDX-License-Identifier: BSD-3-Clause
"""Shards as numbers, and `__partitioned__`: against NumPy, and as JAX and Heat write them."""

import itertools
import pickle
import sys
from types import SimpleNamespace

import numpy
import pytest

import daptor
from daptor._with_torch.placements import held
from layouts import ALL_LAYOUTS, blocks, filled, inside, programs, shared
from support import address, process_grid, raised, same_on_all


def tiles(comm, random, shape, kind):
    """Blocks dealt in turn along two dimensions, as in ScaLAPACK."""
    if len(shape) == 1:
        return blocks(comm, random, shape, kind)
    grid = (*process_grid(comm.size), *[1] * (len(shape) - 2))
    width = int(random.integers(1, 4))
    at = numpy.unravel_index(comm.rank, grid)
    local = [numpy.sum(numpy.arange(extent) // width % parts == own)
             for extent, parts, own in zip(shape, grid, at)]
    return daptor.cyclic(numpy.zeros(local, kind, "F"), comm, shape=shape, block_size=width,
                         grid=grid)


OWNED = [*(layout for layout in ALL_LAYOUTS if layout is not shared), tiles]


def stamped(shape):
    return numpy.arange(1.0, 1 + numpy.prod(shape, dtype=int)).reshape(shape)


def cuts(random, extent, parts):
    """Bounds of non-empty ranges."""
    inner = numpy.sort(random.choice(numpy.arange(1, extent), parts - 1, replace=False))
    return [0, *inner.tolist(), extent]


def drawn(random, size, ndim):
    """Shards in a grid with copies and ranks that have none, in any order of the ranks, and the
    shape; the same on all ranks."""
    shape = tuple(int(extent) for extent in random.integers(5, 9, ndim))
    used = int(random.integers(1, size + 1))
    copies = int(random.choice([n for n in range(1, used + 1) if used % n == 0]))
    grid = [1] * ndim
    grid[int(random.integers(ndim))] = used // copies
    if grid == [4] + [1] * (ndim - 1) and ndim > 1:
        grid[:2] = [2, 2]
    bounds = [cuts(random, extent, parts) for extent, parts in zip(shape, grid)]
    boxes = [tuple(slice(bounds[d][i], bounds[d][i + 1]) for d, i in enumerate(cell))
             for cell in numpy.ndindex(*grid)]
    ranks = random.permutation(size).tolist()
    return [(ranks[n], boxes[n % len(boxes)]) for n in range(used)], shape


@pytest.mark.parametrize("ndim", [1, 2, 3])
def test_any_grid_of_shards(comm, rank, size, ndim):
    for seed in range(6):
        random = numpy.random.default_rng(1000 * size + 10 * seed + ndim)
        shards, shape = drawn(random, size, ndim)
        whole = stamped(shape)
        mine = dict(shards).get(rank)
        u = numpy.zeros((0,) * ndim) if mine is None else whole[mine].copy(
            order="CF"[seed % 2])
        try:
            a = daptor.from_shards(shards, u, comm, shape=shape)
        except daptor.NotRepresentable as error:
            assert error.rule == "shards.grid" and len(shards) < size and ndim > 1
            continue
        assert a.shape == shape and daptor.validate(a)
        assert mine is None or address(a) == u.ctypes.data
        assert (daptor.gather(a, everywhere=True) == whole).all()
        owned = a.to_shards()
        assert {box for _, box in map(repr_of, owned)} == {box for _, box in map(repr_of, shards)}
        first = {}
        for other, box in sorted(shards, key=lambda pair: pair[0]):
            first.setdefault(repr(box), other)
        assert all(first[repr(box)] == other for other, box in owned)
        b = daptor.zeros(shape, comm)
        daptor.redistribute(a, b)
        u[...] = 0
        a.modified()
        daptor.redistribute(b, a)
        a.update_padding()  # the copies
        assert mine is None or (u == whole[mine]).all()


def repr_of(pair):
    return pair[0], repr(pair[1])


@pytest.mark.parametrize("layout", OWNED)
def test_there_and_back(comm, rank, size, layout):
    for random, shape in programs(size):
        whole = stamped(shape)
        a = filled(layout, comm, random, whole)
        shards = a.to_shards()
        assert comm.allgather(shards) == [shards] * size
        times = numpy.zeros(shape, int)
        for other, box in shards:
            times[box] += 1
        assert (times == 1).all()
        own = [whole[box] for other, box in shards if other == rank]
        assert sorted(numpy.concatenate([numpy.zeros(0), *map(numpy.ravel, own)])) == sorted(
            inside(a).ravel())
        order = numpy.ix_(*(numpy.sort(each) for each in a.global_indices))
        b = daptor.from_shards(shards, whole[order].copy(), comm, shape=shape)
        assert (daptor.gather(b, everywhere=True) == whole).all()
        kinds = [[entry["dist_type"] for entry in each.__distarray__()["dim_data"]]
                 for each in (a, b)]
        if layout.__name__ in ("dealt", "tiles"):  # not lists, where no rank is without a block
            assert "u" not in kinds[1] or size * 3 > min(shape)


def test_lists_that_begin_as_if_dealt(comm, rank, size):
    runs = {2: [[(0, 2), (4, 5), (6, 8)], [(2, 4), (5, 6), (8, 9)]],
            3: [[(0, 2), (7, 9)], [(2, 4), (6, 7)], [(4, 6), (9, 10)]]}.get(size)
    if runs is not None:
        whole = stamped((11 - 4 // size,))
        own = numpy.concatenate([whole[slice(*run)] for run in runs[rank]])
        shards = [(other, slice(*run)) for other in range(size) for run in runs[other]]
        a = daptor.from_shards(shards, own, comm)
        assert (daptor.gather(a, everywhere=True) == whole).all()
        assert a.to_shards() == [(other, (box,)) for other, box in shards]


def test_nobody_has_imported_torch():
    assert "torch" not in sys.modules


def test_one_list_for_all_ranks(comm, rank, size):
    mine = [(0, numpy.s_[0:4])] if rank == 0 or size == 1 else [(0, numpy.s_[0:5])]
    if size > 1:
        error = raised(lambda: daptor.from_shards(mine, numpy.zeros(4), comm))
        assert error.rule == "collective.different" and same_on_all(comm, error)


def named(comm, rule, kind, call, *said):
    error = raised(call)
    assert (error.rule, type(error)) == (rule, kind), error
    assert same_on_all(comm, error) and all(text in str(error) for text in said), error


def test_what_is_no_array(comm, rank, size):
    def of(*shards, shape=(6, 4)):
        return lambda: daptor.from_shards(list(shards), numpy.zeros((6, 4)), comm, shape=shape)

    last, s = size - 1, numpy.s_
    named(comm, "shards.gap", daptor.Malformed, of((0, s[0:2, :]), (last, s[3:6, :])),
          "[2, 3) x [0, 4)")
    named(comm, "shards.gap", daptor.Malformed,
          of((0, s[:, 0:2]), (last, s[0:4, 2:4]), (last, s[5:6, 2:4])), "[4, 5) x [2, 4)")
    named(comm, "shards.overlap", daptor.Malformed, of((0, s[0:4, :]), (last, s[3:6, :])),
          "[3, 4) x [0, 4)", f"of rank {last}")
    named(comm, "shards.range", daptor.Malformed, of((0, s[0:4, :]), (last, s[4:7, :])),
          "[4, 7)")
    named(comm, "argument", daptor.InvalidArgument, of((size, s[:, :])), f"rank {size}")
    named(comm, "argument", daptor.InvalidArgument, of((0, s[::2, :])), "step 1")
    named(comm, "argument", daptor.InvalidArgument, of((0, s[:])), "1 slices")
    named(comm, "argument", daptor.InvalidArgument, of((0, s[:, :]), shape=None), "shape")
    named(comm, "argument", daptor.InvalidArgument, of(), "no shard")
    named(comm, "argument", daptor.InvalidArgument, of(3), "no pairs")
    named(comm, "shards.grid", daptor.NotRepresentable,
          of((0, s[0:3, 0:2]), (0, s[3:6, 0:1]), (last, s[3:6, 1:4]), (last, s[0:3, 2:4])))
    wheel = [s[0:4, 0:1], s[4:6, 0:3], s[2:6, 3:4], s[0:2, 1:4], s[2:4, 1:3]]
    named(comm, "shards.grid", daptor.NotRepresentable,
          of(*((n % size, box) for n, box in enumerate(wheel))))
    for bad in range(size):  # a section of another shape, on each rank in turn
        rows = [(r, s[r:r + 1, :]) for r in range(size)]
        error = raised(lambda: daptor.from_shards(
            rows, numpy.zeros((1 + (rank == bad), 4)), comm, shape=(size, 4)))
        assert error.rank == bad and same_on_all(comm, error)


def test_no_list_with_two_owners(comm, rank, size):
    a = daptor.unstructured(numpy.zeros(3), [0, 1, 2], comm, size=3)
    if size > 1:
        for call in (a.to_shards, a.to_partitioned):
            named(comm, "shards.overlap", daptor.Malformed, call, "[0, 3)")


class Device:
    """A device of JAX, eight of which are shared out among the processes."""

    def __init__(self, number, processes):
        self.id, self.process_index = number, number * processes // 8


# Of JAX's own tests (array_test.py), for a mesh of 4 x 2 devices with the axes x and y: the shape,
# the axes that divide each dimension, the indices of the first two devices, and which copy each
# device has.
JAX = [
    ((8, 2), ("x", "y"), [((0, 2), (0, 1)), ((0, 2), (1, 2))], [0, 0, 0, 0, 0, 0, 0, 0]),
    ((8, 2), ("x", ""), [((0, 2), None), ((0, 2), None)], [0, 1, 0, 1, 0, 1, 0, 1]),
    ((8, 2), ("y", ""), [((0, 4), None), ((4, 8), None)], [0, 0, 1, 1, 2, 2, 3, 3]),
    ((8, 2), ("", "y"), [(None, (0, 1)), (None, (1, 2))], [0, 0, 1, 1, 2, 2, 3, 3]),
    ((8, 2), ("xy", ""), [((0, 1), None), ((1, 2), None)], [0, 0, 0, 0, 0, 0, 0, 0]),
    ((8, 2), ("", ""), [(None, None), (None, None)], [0, 1, 2, 3, 4, 5, 6, 7]),
    ((8, 4), ("y", "x"), [((0, 4), (0, 1)), ((4, 8), (0, 1))], [0, 0, 0, 0, 0, 0, 0, 0])]


def devices_indices_map(shape, spec, processes):
    """What NamedSharding(mesh, spec).devices_indices_map(shape) of JAX returns."""
    def one(axes, extent, at):
        parts, number = 1, 0
        for axis in axes:
            parts, number = parts * {"x": 4, "y": 2}[axis], (
                number * {"x": 4, "y": 2}[axis] + at["xy".index(axis)])
        width = extent // parts
        return slice(number * width, (number + 1) * width) if axes else slice(None)

    return {Device(n, processes): tuple(one(axes, extent, divmod(n, 2))
                                        for axes, extent in zip(spec, shape)) for n in range(8)}


@pytest.mark.parametrize("shape, spec, first, copies", JAX, ids=str)
def test_as_jax_writes_them(comm, rank, size, shape, spec, first, copies):
    if size == 3:
        return
    indices = devices_indices_map(shape, spec, size)
    assert list(indices.values())[:2] == [
        tuple(slice(None) if pair is None else slice(*pair) for pair in box) for box in first]
    assert [list(map(repr, indices.values()))[:n].count(repr(box))
            for n, box in enumerate(indices.values())] == copies
    mine = {repr(box): box for device, box in indices.items() if device.process_index == rank}
    whole = stamped(shape)
    held = [numpy.unique(numpy.concatenate([numpy.arange(extent)[box[d]] for box in mine.values()]))
            for d, extent in enumerate(shape)]
    u = whole[numpy.ix_(*held)].copy()
    a = daptor.from_shards(indices, u, comm, shape=shape)
    assert address(a) == u.ctypes.data
    assert (daptor.gather(a, everywhere=True) == whole).all()


def heat(comm, shape, split, counts, kind=tuple):
    """DNDarray.__partitioned__ of Heat 1.5: its dictionary on this rank, and the whole."""
    whole, starts = stamped(shape), numpy.cumsum([0, *counts])
    partitions = {}
    for r in range(comm.size):
        position, start, extents = [0] * len(shape), [0] * len(shape), list(shape)
        data = whole.copy()
        if split is not None:
            position[split], start[split], extents[split] = r, int(starts[r]), counts[r]
            data = None
            if r == comm.rank:
                data = numpy.take(whole, range(starts[r], starts[r + 1]), split)
        partitions[tuple(position)] = {
            "start": kind(start), "shape": kind(extents), "data": data, "location": [r],
            "dtype": "torch.float64", "device": "cpu"}
    tiling, own = [1] * len(shape), [0] * len(shape)
    if split is not None:
        tiling[split], own[split] = comm.size, comm.rank
    return {"shape": shape, "partition_tiling": tuple(tiling), "partitions": partitions,
            "locals": [tuple(own)], "get": lambda x: x}, whole


@pytest.mark.parametrize("kind", [tuple, list, numpy.array])
@pytest.mark.parametrize("split", [0, 1, None])
def test_as_heat_writes_them(comm, rank, size, split, kind):
    counts = [rank_ % 3 for rank_ in range(1, size + 1)]
    shape = (sum(counts), 4) if split == 0 else (3, sum(counts))
    said, whole = heat(comm, shape, split, counts, kind)
    data = said["partitions"][said["locals"][0]]["data"]
    for given in (said, SimpleNamespace(__partitioned__=said),
                  SimpleNamespace(__partitioned_interface__=lambda: said)):
        a = daptor.from_partitioned(given, comm)
        assert a.shape == shape and (not data.size or address(a) == data.ctypes.data)
        assert (daptor.gather(a, everywhere=True) == whole).all()


def test_other_spellings(comm, rank, size):
    whole = stamped((2 * size,))
    parts = {n: {"start": 2 * n, "location": n, "data": whole[2 * n:2 * n + 2]
                 if n == rank else None, "shape": 2} for n in range(size)}
    a = daptor.from_partitioned({"shape": 2 * size, "partitions": parts}, comm)
    assert (daptor.gather(a, everywhere=True) == whole).all()
    for each in parts.values():  # handles
        each["data"] = "handle"
    said = {"shape": (2 * size,), "partitions": parts, "locals": [rank],
            "get": lambda handle: whole[2 * rank:2 * rank + 2]}
    assert (daptor.gather(daptor.from_partitioned(said, comm), everywhere=True) == whole).all()


def test_what_is_not_partitioned(comm, rank, size):
    def of(change, at=size - 1):
        said, _ = heat(comm, (2 * size, 4), 0, [2] * size)
        if rank == at:
            change(said, said["partitions"][(at, 0)])
        return lambda: daptor.from_partitioned(said, comm)

    def everywhere(change):
        said, _ = heat(comm, (2 * size, 4), 0, [2] * size)
        change(said, said["partitions"][(size - 1, 0)])
        return lambda: daptor.from_partitioned(said, comm)

    refused = daptor.InvalidArgument
    named(comm, "argument", refused, of(lambda said, part: said.pop("shape")), "'shape'")
    named(comm, "argument", refused, of(lambda said, part: part.update(data=None)), "None")
    named(comm, "argument", refused, of(lambda said, part: part.pop("start")), "'start'")
    named(comm, "argument", refused, of(lambda said, part: said.update(locals=[(9, 9)])), "(9, 9)")
    named(comm, "argument", refused, lambda: daptor.from_partitioned(3, comm), "int")
    named(comm, "argument", refused, of(lambda said, part: (
        said.pop("locals"), part.update(location=["10.0.0.1:8786"]))), "10.0.0.1")
    named(comm, "shards.gap", daptor.Malformed, everywhere(
        lambda said, part: part.update(shape=(1, 4))), "partition")
    named(comm, "shards.overlap", daptor.Malformed, everywhere(
        lambda said, part: said["partitions"].update({(size, 0): {
            **part, "shape": (1, 4), "data": None}})),
          f"[{2 * size - 2}, {2 * size - 1})", f"at ({size - 1}, 0) and at ({size}, 0)")
    named(comm, "shards.range", daptor.Malformed, everywhere(
        lambda said, part: part.update(shape=(3, 4))))
    if size > 1:
        named(comm, "partitioned.several", daptor.NotRepresentable, of(
            lambda said, part: said.update(locals=[(0, 0), (1, 0)])))
        named(comm, "shards.gap", daptor.Malformed,
              of(lambda said, part: said.update(locals=[])))


@pytest.mark.parametrize("layout", OWNED)
def test_partitioned_there_and_back(comm, rank, size, layout):
    for random, shape in programs(size, 3):
        whole = stamped(shape)
        a = filled(layout, comm, random, whole)
        said = a.to_partitioned().__partitioned__
        times = numpy.zeros(shape, int)
        for position, part in said["partitions"].items():
            box = tuple(slice(start, start + extent)
                        for start, extent in zip(part["start"], part["shape"]))
            times[box] += 1
            assert all(0 <= at < n for at, n in zip(position, said["partition_tiling"]))
            if rank in part["location"]:
                assert position in said["locals"]
                assert (said["get"](part["data"]) == whole[box]).all()
                assert numpy.shares_memory(part["data"], numpy.asarray(a))
            else:
                assert part["data"] is None
        assert (times == 1).all()
        assert len(said["partitions"]) == numpy.prod(said["partition_tiling"])
        assert pickle.loads(pickle.dumps(said))["shape"] == shape
        if all(each == 1 for each in comm.allgather(len(said["locals"]))):
            b = daptor.from_partitioned(SimpleNamespace(__partitioned__=said), comm)
            assert address(b) == address(said["partitions"][said["locals"][0]]["data"])
            assert (daptor.gather(b, everywhere=True) == whole).all()


def chunks(numbers, parts):
    """What torch.chunk leaves to each of a number of processes."""
    width = -(-len(numbers) // parts)
    return [numbers[part * width:(part + 1) * width] for part in range(parts)]


def indices(runs):
    return [] if runs is None else [n for run in runs[0] for n in range(*run)]


def test_what_placements_mean():
    """Of the DTensors of torch, without torch: the divisions one after the other."""
    for extent, p, q in itertools.product((1, 2, 5, 7, 12, 24), (1, 2, 3), (2, 3)):
        numbers = list(range(extent))
        for i, j in itertools.product(range(p), range(q)):
            at, mesh = (i, j), (p, q)
            assert indices(held((extent,), [(0, 1), None], mesh, at)) == chunks(numbers, p)[i]
            assert indices(held((extent,), [(0, 1)] * 2, mesh, at)) == chunks(
                chunks(numbers, p)[i], q)[j]
            # FSDP divides what tensor parallelism has left to a process.
            assert indices(held((extent,), [(0, q), (0, 1)], mesh, at)) == chunks(
                chunks(numbers, q)[j], p)[i]
            if extent % (p * q) == 0:  # one strip of each of the q
                strips = numpy.reshape(numbers, (q, p, -1))
                assert indices(held((extent,), [(0, q), None], mesh, at)) == (
                    strips[:, i].ravel().tolist())
            for k in range(2):  # a third dimension of the mesh, over all of it
                assert indices(held((extent,), [(0, 2 * q), (0, 2), (0, 1)], (p, q, 2),
                                    (i, j, k))) == chunks(chunks(chunks(numbers, 2)[k], q)[j], p)[i]
