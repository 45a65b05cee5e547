# SPDX-License-Identifier: BSD-3-Clause
"""Arrays on new memory, the shape to allocate, given bounds, and arrays with DLPack only."""

import gc
import weakref

import numpy
import pytest
from mpi4py import MPI

import daptor
import layouts
from support import address, raised, same_on_all, share


@pytest.mark.parametrize("layout", [
    {}, {"padding": 1}, {"ghosts": 2}, {"padding": ((2, 1), 0)}, {"boundary": 1},
    {"padding": 1, "periodic": True}, {"ghosts": (1, 0), "periodic": (True, False)}
], ids=str)
def test_the_shape_to_allocate(comm, size, layout):
    shape = (4 * size, 6)
    extents = daptor.local_shape(shape, comm, grid=(size, 1), **layout)
    a = daptor.block(numpy.zeros(extents), comm, shape=shape, grid=(size, 1), **layout)
    assert a.local_shape == extents
    for make in (daptor.zeros, daptor.empty):
        b = make(shape, comm, grid=(size, 1), **layout)
        assert b.local_shape == extents and b.shape == a.shape and b.dtype == float
    assert (numpy.asarray(daptor.zeros(shape, comm, grid=(size, 1), **layout)) == 0).all()
    c = daptor.full(shape, 7, comm, grid=(size, 1), **layout)
    assert (numpy.asarray(c) == 7).all() and c.dtype == numpy.array(7).dtype


def test_element_types_and_order(comm, size):
    a = daptor.zeros((3, 4 * size), comm, grid=(1, size), dtype="c16", order="F")
    assert a.dtype == "c16" and a.byte_strides == (16, 48)
    b = daptor.zeros(5 * size, comm, dtype="f4", ghosts=1)
    assert b.local_shape == (7,) and b.dtype == "f4" and not b.readonly


def test_memory_lives_with_the_array(comm):
    a = daptor.zeros((8, 8), comm, ghosts=1)
    view = numpy.asarray(a)
    del a
    gc.collect()
    view[:] = 3
    assert (view == 3).all()


@pytest.mark.parametrize("wrong", [
    {"dtype": "no type"}, {"dtype": object}, {"order": "X"}, {"ghosts": -1}, {"padding": "a"},
    {"grid": (7, 7)}, {"bounds": ((0, 1),)}, {"ghosts": 1, "padding": 1}
], ids=str)
def test_what_is_wrong_on_one_rank(comm, rank, size, wrong):
    for at in range(size):
        mine = wrong if rank == at else {}
        error = raised(lambda: daptor.zeros((4 * size, 4), comm, **{"grid": (size, 1), **mine}))
        assert error.rank == at and same_on_all(comm, error)


def test_shapes_that_are_none(comm, rank, size):
    for at in range(size):
        error = raised(lambda: daptor.local_shape("x" if rank == at else (size,), comm))
        assert error.rank == at and same_on_all(comm, error)
        error = raised(lambda: daptor.local_shape((-1,), comm))
        assert error.rule == "D08" and same_on_all(comm, error)


def test_bounds_of_ones_own(comm, rank, size):
    """Later ranks have more rows; `bounds` is given together with the global shape."""
    start, stop = rank * (rank + 1) // 2, (rank + 1) * (rank + 2) // 2
    rows = size * (size + 1) // 2
    layout = {"shape": (rows, 5), "grid": (size, 1), "bounds": ((start, stop), None)}
    u = numpy.full((rank + 3, 7), -1.0)
    u[1:-1, 1:-1] = numpy.arange(start, stop)[:, None]
    a = daptor.block(u, comm, ghosts=1, **layout)
    assert a.padded_shape == (rows + 2, 7) and a.interior_shape == (rank + 1, 5)
    assert a.shape == (rows, 5) and a.global_slices[0] == slice(start, stop)
    daptor.update_padding(a)
    expected = numpy.arange(start - 1.0, stop + 1)
    expected[expected == rows] = -1
    assert (u[:, 3] == expected).all()
    b = daptor.block(numpy.zeros((rank + 1, 5)), comm, **layout)
    assert b.__distarray__()["dim_data"][0]["start"] == start
    c = daptor.zeros((rows, 5), comm, grid=(size, 1), bounds=((start, stop), None), padding=1)
    assert c.owned_shape == (rank + 1, 5)


def test_bounds_that_do_not_meet(comm, rank, size):
    for at in range(size):
        start, stop = share(4 * size, size, rank)
        if rank == at:
            stop -= 1
        error = raised(lambda: daptor.zeros(4 * size, comm, bounds=((start, stop),)))
        assert error.rule in ("B09", "B11") and same_on_all(comm, error)
        error = raised(lambda: daptor.block(
            numpy.zeros(4), comm, bounds=((0, 4),) if rank == at else None))
        assert error.rank == at and same_on_all(comm, error)


def test_dimensions_that_are_not_divided(comm, size):
    """None in a grid: on any number of ranks, and with one number for the ghost cells of others."""
    a = daptor.zeros((2 * size, 7, 3), comm, grid=(0, None, None), ghosts=2, periodic=True)
    assert [keys["dist_type"] for keys in a.__distarray__()["dim_data"]] == ["b", "n", "n"]
    assert a.local_shape == (2 + 4, 7, 3) and a.interior_shape == (2, 7, 3)
    assert daptor.local_shape((2 * size, 7, 3), comm, grid=(0, None, None), ghosts=2) == (6, 7, 3)
    b = daptor.block(numpy.zeros((2, 3)), comm, shape=(2 * size, 3), grid=(size, None),
                     bounds=((2 * comm.rank, 2 * comm.rank + 2), None))
    assert b.shape == (2 * size, 3)
    b = daptor.zeros((2 * size, 5), comm, grid=(0, None), padding=((1, 1), 0), boundary=(1, 0))
    assert b.__distarray__()["dim_data"][1] == {"dist_type": "n", "size": 5}
    c = daptor.cyclic(numpy.zeros((2, 3)), comm, shape=(2 * size, 3), grid=(0, None))
    assert [keys["dist_type"] for keys in c.__distarray__()["dim_data"]] == ["c", "n"]
    d = a.like(daptor.layout.blocks((0, None, None)))
    assert d.__distarray__()["dim_data"][2] == {"dist_type": "n", "size": 3}
    assert daptor.empty((size, 3), comm, grid=(0, None)).local_shape == (1, 3)
    assert daptor.full((size, 3), 1, comm, grid=(0, None)).local_shape == (1, 3)


@pytest.mark.parametrize("components", [2, (2, 3), (1,)], ids=str)
def test_components(comm, size, components):
    """As None in the grid, for any arguments about the points."""
    more = (components,) if isinstance(components, int) else components
    rng = numpy.random.default_rng(len(more))
    none = {"grid": None, "ghosts": 0, "padding": 0, "periodic": False, "boundary": 0,
            "bounds": None}

    def same(made, like):
        assert made.__distarray__()["dim_data"] == like.__distarray__()["dim_data"]
        assert made.shape == like.shape and made.local_shape == like.local_shape

    for _ in range(10):
        shape = tuple(int(extent) for extent in rng.integers(2 * size, 4 * size, 2))
        options = [{}, {"ghosts": int(rng.integers(1, 3))}, {"ghosts": (1, 0), "grid": (size, 1)},
                   {"padding": ((1, 0), 1), "periodic": (True, False)},
                   {"grid": (0, None), "boundary": (1, 0)},
                   {"grid": (1, size), "bounds": ((0, shape[0]), None)}][int(rng.integers(6))]
        full = {key: tuple(value) + (none[key],) * len(more) if isinstance(value, tuple) else value
                for key, value in options.items()}
        full["grid"] = options.get("grid", (0, 0)) + (None,) * len(more)
        like = daptor.zeros(shape + more, comm, **full)
        for make in (daptor.zeros, daptor.empty, daptor.ones):
            same(make(shape, comm, components=components, **options), like)
        same(daptor.full(shape, 1, comm, components=components, **options), like)
        u = numpy.zeros(daptor.local_shape(shape, comm, components=components, **options))
        same(daptor.block(u, comm, shape=shape, components=components, **options), like)
        f = daptor.from_function(lambda *indices: sum(indices), shape, comm, components=components,
                                 **options)
        whole = numpy.indices(shape + more).sum(axis=0)
        if "boundary" not in options:
            assert (f.interior == whole[f.global_slices]).all()
    for options in ({"block_size": (2, 1), "origin": (0, 0)}, {"block_size": 2}):
        like = daptor.zeros((4 * size, 3) + more, comm, grid=(size, 1) + (None,) * len(more))
        c = daptor.cyclic(like.interior, comm, shape=(4 * size, 3), grid=(size, 1),
                          components=components, **options)
        assert c.shape == like.shape and c.local_shape == like.local_shape
        assert [keys["dist_type"] for keys in c.__distarray__()["dim_data"][2:]] == [
            "n"] * len(more)


@pytest.mark.parametrize("components", [0, (2, -1), 1.5, "two", None], ids=str)
def test_components_that_are_none(comm, rank, size, components):
    for at in {0, size - 1}:
        error = raised(lambda: daptor.zeros((size, 3), comm, grid=(size, 1),
                                            components=components if rank == at else 2))
        assert error.finding.key == "components" and error.rank == at
        assert same_on_all(comm, error)
    error = raised(lambda: daptor.zeros((size, 3), comm, ghosts=(1, 1, 0), components=2))
    assert error.finding.key == "ghosts" and "each of 2 dimensions" in error.finding.expected
    error = raised(lambda: daptor.block(numpy.zeros((2, 2)), comm, components=2))
    assert error.finding.key == "shape" and "components" in error.finding.found


def test_arguments_of_an_array_with_a_shape(comm, size):
    """None of them is ignored where the sections follow each other."""
    for options in ({"grid": (size, 1)}, {"grid": (0, None)}, {"ghosts": 1}, {"periodic": True},
                    {"padding": 1}, {"boundary": 1}, {"bounds": ((0, 1), None)}):
        error = raised(lambda: daptor.block(numpy.zeros((2, 2)), comm, **options))
        assert error.finding.key == "shape" and next(iter(options)) in error.finding.found
        assert same_on_all(comm, error)


def test_padding_of_a_dimension_that_is_not_divided(comm, size):
    for options in ({"ghosts": (1, 1)}, {"padding": (1, 1)}, {"boundary": (0, (1, 0))},
                    {"periodic": (False, True)}, {"bounds": (None, (0, 3))}):
        error = raised(lambda: daptor.zeros((4 * size, 3), comm, grid=(0, None), **options))
        assert error.rule == "argument" and error.finding.key == next(iter(options)), error
        assert "not divided" in str(error) and same_on_all(comm, error)
    for grid in ((None,), (0, None, None)):
        error = raised(lambda: daptor.zeros((4 * size, 3), comm, grid=grid))
        assert error.finding.key == "grid" and same_on_all(comm, error)


class Tensor:
    """Like other libraries' arrays: DLPack, but no buffer."""

    def __init__(self, array, device=(1, 0)):
        self.array, self.device = array, device

    def __dlpack__(self, *, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.device


class NewTensor:
    """The same by DLPack 1, which can say that memory is read-only."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        return self.array.__dlpack__(max_version=max_version)

    def __dlpack_device__(self):
        return (1, 0)


@pytest.mark.parametrize("kind", ["i1", "i4", "u8", "f4", "f8", "c8", "c16"])
def test_arrays_of_dlpack_alone(comm, size, kind):
    u = numpy.zeros((4, 3), dtype=kind)
    a = daptor.block(Tensor(u), comm)
    assert address(a) == u.ctypes.data and a.dtype == kind and not a.readonly
    numpy.asarray(a)[1, 2] = 5
    assert u[1, 2] == 5
    with_shape = daptor.block(Tensor(u), comm, shape=(4 * size, 3), grid=(size, 1))
    assert with_shape.local_shape == (4, 3) and address(with_shape) == u.ctypes.data


def test_dlpack_in_all_builders(comm, rank, size):
    u = numpy.zeros(5)
    indices = numpy.arange(rank, 5 * size, size)
    a = daptor.unstructured(Tensor(u), Tensor(indices), comm, size=5 * size, one_to_one=True)
    assert address(a) == u.ctypes.data
    assert address(a.__distarray__()["dim_data"][0]["indices"]) == indices.ctypes.data
    b = daptor.owned_then_ghosts(Tensor(u), Tensor(indices), comm, owned=5)
    assert address(b) == u.ctypes.data
    c = daptor.cyclic(Tensor(u), comm, shape=5 * size)
    assert address(c) == u.ctypes.data
    strided = numpy.zeros((6, 8))[::2, 1::3]
    d = daptor.block(Tensor(strided), comm)
    assert d.byte_strides == strided.strides and address(d) == strided.ctypes.data
    assert daptor.block(Tensor(numpy.zeros((0, 3))), comm).shape == (0, 3)


def test_read_only_dlpack(comm):
    a = daptor.block(numpy.zeros(3), comm).as_readonly()
    b = daptor.block(NewTensor(a), comm)
    assert b.readonly and address(b) == address(a)


def test_a_tensor_lives_as_long_as_its_array(comm):
    class Kept(numpy.ndarray):
        pass

    u = numpy.zeros(4).view(Kept)
    alive = weakref.ref(u)
    a = daptor.block(Tensor(u), comm)
    del u
    gc.collect()
    assert alive() is not None and (numpy.asarray(a) == 0).all()
    del a
    gc.collect()
    assert alive() is None


def test_tensors_that_are_none(comm, rank, size):
    class Broken(Tensor):
        def __dlpack__(self, *, stream=None):
            raise RuntimeError("no capsule today")

    class Other(Tensor):
        def __dlpack__(self, *, stream=None):
            return 3

    u = numpy.zeros(3)
    for at in range(size):
        for wrong, words in ((Tensor(u, (2, 1)), "CUDA device (number 1), as its"),
                             (Broken(u), "no capsule today"),
                             (Other(u), "does not return a tensor")):
            error = raised(lambda: daptor.block(wrong if rank == at else u, comm))
            assert error.rank == at and words in str(error) and same_on_all(comm, error)
            error = raised(lambda: daptor.block(wrong if rank == at else u, comm, shape=3 * size))
            assert error.rank == at and words in str(error) and same_on_all(comm, error)


def test_a_scalar_of_numpy_is_no_buffer(comm, rank, size):
    for at in range(size):
        wrong = numpy.float64(8) if rank == at else 4 * size
        error = raised(lambda: daptor.unstructured(numpy.zeros(4), numpy.arange(4), comm,
                                                   size=wrong))
        assert error.rank == at and "numpy.float64" in str(error) and "buffer" not in str(error)
        error = raised(lambda: daptor.block(numpy.float64(8) if rank == at else numpy.zeros(4),
                                            comm, shape=4 * size))
        assert error.rank == at and same_on_all(comm, error)


def test_words_of_others_cannot_command_a_terminal(comm, rank, size):
    class Colourful:
        def __distarray__(self):
            raise ValueError("\x1b[31mred\x07 \x9b2J\nand more")

    for at in range(size):
        error = raised(lambda: daptor.import_(
            Colourful() if rank == at else daptor.block(numpy.zeros(2), MPI.COMM_SELF), comm))
        text = str(error) + str(error.report) + error.finding.found
        assert not any(ord(c) < 32 and c != "\n" or 127 <= ord(c) < 160 for c in text), text
        assert "\\x1b[31mred\\x07 \\x9b2J and more" in error.finding.found, text


@pytest.mark.parametrize("layout", layouts.LAYOUTS)
def test_arrays_like_others(comm, size, layout):
    for random, shape in layouts.programs(size):
        a = layout(comm, random, shape, "f4")
        for make, value in ((daptor.zeros_like, 0), (daptor.ones_like, 1),
                            (daptor.empty_like, None),
                            (lambda a, **more: daptor.full_like(a, 7, **more), 7)):
            for kind in (None, "c16"):
                b = make(a, dtype=kind)
                assert b.dtype == (kind or "f4") and b.shape == a.shape
                assert b.local_shape == a.local_shape and b.padded_shape == a.padded_shape
                assert all((x == y).all() for x, y in zip(b.global_indices, a.global_indices))
                assert value is None or (numpy.asarray(b) == value).all()
        assert daptor.validate(b)
    assert daptor.ones((size, 2), comm, dtype="i4", ghosts=1).dtype == "i4"


def test_arrays_of_a_function(comm, size):
    """Against numpy.fromfunction; copies of neighbours' elements have their values too."""
    for random, shape in layouts.programs(size):
        weights = random.integers(1, 9, len(shape))

        def value(*indices):
            return sum(int(w) * i for w, i in zip(weights, indices)) + 0.5

        for seed in range(3):
            grid = layouts.grids(random, size, len(shape))
            free = [entry is not None for entry in grid or (0,) * len(shape)]
            periodic = tuple(bool(random.integers(2)) if each else False for each in free)
            a = daptor.from_function(
                value, shape, comm, grid=grid, periodic=periodic, order="CF"[seed % 2],
                ghosts=tuple(layouts.width(random, extent // size) if each else 0
                             for each, extent in zip(free, shape)))
            whole = numpy.fromfunction(value, shape)
            assert a.shape == shape and (a.interior == whole[a.global_slices]).all()
            before = numpy.asarray(a).copy()
            daptor.update_padding(a)
            assert (numpy.asarray(a) == before).all()
    b = daptor.from_function(lambda i: 3, 4 * size, comm, dtype="f4", boundary=1)
    assert b.dtype == "f4" and (b.interior == 3).all() and daptor.sum(b) == 3 * (4 * size - 2)
    c = daptor.from_function(lambda i: i, 4 * size, comm, boundary=1)
    found = daptor.gather(c)
    assert comm.rank > 0 or (found == numpy.arange(4 * size - 2)).all()


def test_values_are_not_spread_along_the_section(comm, size):
    """Whose shape depends on the number of ranks."""
    rows = 3 * size
    for make in (lambda: daptor.from_function(lambda i, j: 1.0 * i[:, 0], (rows, 3), comm),
                 lambda: daptor.from_function(lambda i, j: 1.0 * j[:1], (rows, 3), comm),
                 lambda: daptor.full((rows, 3), [1, 2, 3], comm),
                 lambda: daptor.full_like(daptor.zeros((rows, 2), comm), [1, 2])):
        error = raised(make)
        assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
    error = raised(lambda: daptor.zeros(9, comm, ghosts=10 ** 30))
    assert error.finding.key == "ghosts" and same_on_all(comm, error)
    with pytest.raises(daptor.InvalidArgument, match="block_sizes"):
        daptor.layout.block_cyclic(2)
    constant = daptor.from_function(lambda i, j: 2.5, (rows, 3), comm)
    assert daptor.sum(constant) == 2.5 * 3 * rows


def test_functions_that_fail_on_one_rank(comm, rank, size):
    for at in range(size):
        def value(i):
            if rank == at:
                raise OverflowError("too much")
            return i

        error = raised(lambda: daptor.from_function(value, 3 * size, comm))
        assert error.rank == at and "too much" in str(error) and same_on_all(comm, error)
        assert isinstance(error.__cause__, OverflowError) == (rank == at)
        error = raised(lambda: daptor.from_function(
            lambda i: [[1], [2, 3]] if rank == at else i, 3 * size, comm))
        assert error.rank == at and error.rule == "argument" and same_on_all(comm, error)
        error = raised(lambda: daptor.zeros_like(daptor.zeros(3 * size, comm),
                                                 dtype="no type" if rank == at else "f4"))
        assert error.rank == at and same_on_all(comm, error)


@pytest.fixture
def ring(comm, size):
    """A Cartesian communicator of 1 x size processes, periodic in its second dimension."""
    cart = comm.Create_cart([1, size], periods=[False, True])
    yield cart
    cart.Free()


def test_a_cartesian_communicator_is_the_grid(ring, size):
    a = daptor.zeros((4, 2 * size), ring, ghosts=1)
    assert [part.start for part in a.global_slices] == [0, 2 * ring.coords[1]]
    a.interior[...] = numpy.arange(2 * size)[a.global_slices[1]]
    a.update_padding()
    start = 2 * ring.coords[1]
    expected = numpy.arange(start - 1, start + 3) % (2 * size)
    assert (numpy.asarray(a)[1] == expected).all()
    assert daptor.local_shape((4, 2 * size), ring, ghosts=1) == (6, 4)
    b = daptor.zeros((4, 2 * size), ring, ghosts=1, components=3)
    c = daptor.zeros((4, 2 * size, 3), ring, ghosts=1, grid=(0, 0, None), periodic=(0, 1, 0))
    for each in (b, c):
        keys = each.__distarray__()["dim_data"]
        assert [each.get("periodic", False) for each in keys] == [False, True, False]
        assert keys[1]["proc_grid_rank"] == ring.coords[1]
    tiles = daptor.cyclic(numpy.zeros((4, 2)), ring, shape=(4, 2 * size))
    assert tiles.__distarray__()["dim_data"][1]["proc_grid_rank"] == ring.coords[1]
    stacked = daptor.block(numpy.zeros((1, 3)), ring)
    assert stacked.shape == (size, 3)
    assert daptor.zeros(size, ring, grid=size).local_shape == (1,)


@pytest.mark.parametrize("shape, keys, key", [
    ((4, 12), {"grid": (0, 77)}, "grid"), ((4, 12), {"periodic": False}, "periodic"),
    ((4, 12), {"periodic": True}, "periodic"), ((4, 12, 3), {}, "grid"), ((12,), {}, "grid"),
    ((4, 12), {"bounds": ((0, 4), None), "periodic": (True, True)}, "periodic")
], ids=str)
def test_what_contradicts_a_cartesian_communicator(ring, shape, keys, key):
    error = raised(lambda: daptor.zeros(shape, ring, **keys))
    assert error.rule == "argument" and error.finding.key == key and same_on_all(ring, error)
    assert error.finding.remedy


def test_dictionaries_without_a_grid(ring, size):
    def of(**keys):
        start = 2 * ring.coords[1]
        rows = {"dist_type": "b", "size": 4, "start": 0, "stop": 4}
        columns = {"dist_type": "b", "size": 2 * size, "start": start, "stop": start + 2, **keys}
        return {"__version__": "0.9.0", "buffer": numpy.zeros((4, 2)),
                "dim_data": (rows, columns)}

    keys = daptor.import_(of(), ring).__distarray__()["dim_data"][1]
    assert (keys["proc_grid_size"], keys["proc_grid_rank"]) == (size, ring.coords[1])
    assert keys["periodic"]
    error = raised(lambda: daptor.import_(of(periodic=False), ring))
    assert error.finding.key == "periodic" and same_on_all(ring, error)
    assert raised(lambda: daptor.import_(of(proc_grid_rank=0), ring)).rule == "D12"
    # The protocol demands the keys: they are only completed where an array is imported.
    assert daptor.validate(of(), ring).findings[0].rule == "D12"


@pytest.mark.parametrize("slip, words", [
    ("inclusive stops", "one past the last"), ("counts", "not as start and length"),
    ("counted from one", "count from 0"), ("rotated", "the order of the processes")])
def test_slips_in_bounds(comm, rank, size, slip, words):
    if size not in (2, 3, 4):
        return
    start, stop = share(12, size, (rank + 1) % size if slip == "rotated" else rank)
    bounds = {"inclusive stops": (start, stop - 1), "counts": (start, stop - start),
              "counted from one": (start + 1, stop), "rotated": (start, stop)}[slip]
    error = raised(lambda: daptor.zeros(12, comm, bounds=(bounds,)))
    assert same_on_all(comm, error) and words in error.finding.remedy
    text = str(error)
    assert "proc_grid_rank" not in text and "the whole array" not in text
    if slip == "inclusive stops":  # where the last rank alone is right
        error = raised(lambda: daptor.zeros(12, comm, bounds=(
            (start, stop) if rank == size - 1 else bounds,)))
        assert error.rule == "B09" and words in error.finding.remedy
