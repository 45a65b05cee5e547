# SPDX-License-Identifier: BSD-3-Clause
"""Pictures: what they show, and how little of the array is gathered for them."""

import pickle
import sys

import numpy
import pytest

import daptor
from daptor._showing import plot as plotting
from support import process_grid, raised, same_on_all, share


def pieces_of(comm, a, samples=400, **options):
    """Returns the view, and what every rank would send."""
    options = {"values": False, "slices": None, **options}
    view = plotting._choose_view(a, samples=samples, **options)
    return view, comm.allgather(plotting._pick(a, view))


def sections(comm, shape):
    """A block array without padding, in which each element is the number of its owner."""
    grid = process_grid(comm.size)
    extents = []
    for total, ranks, rank in zip(shape, grid, divmod(comm.rank, grid[1])):
        start, stop = share(total, ranks, rank)
        extents.append(stop - start)
    return daptor.block(numpy.full(extents, float(comm.rank)), comm, shape=shape, grid=grid)


def test_a_figure_on_rank_0(comm, rank):
    figure = daptor.plot(sections(comm, (9, 14)))
    assert (figure is not None) == (rank == 0)
    if figure:
        assert figure.axes[0].get_title().startswith("9 × 14 float64 on")
        shown = sorted(int(text.get_text()) for text in figure.axes[0].texts)
        assert shown == list(range(comm.size))
        figure.canvas.draw()


def test_a_numpy_array_is_not_described(comm):
    error = raised(lambda: daptor.plot(numpy.zeros((3, 3))))
    assert error.finding.key == "array" and "daptor.block(section, comm)" in error.finding.remedy


def test_owners_and_values_of_blocks(comm):
    view, pieces = pieces_of(comm, sections(comm, (9, 14)), values=True)
    owner, boundary, values = plotting._owners(view, pieces)
    assert owner.shape == (9, 14) and (owner == values).all() and not boundary.any()


@pytest.mark.parametrize("origin", [0, 1])
def test_owners_of_a_cyclic_array(comm, rank, size, origin):
    a = daptor.cyclic(numpy.full((4, 3), float(rank)), comm, shape=(4 * size, 3), grid=(size, 1),
                      block_size=(2, 3), origin=(origin % size, 0))
    view, pieces = pieces_of(comm, a, values=True)
    owner, _, values = plotting._owners(view, pieces)
    dealt = (numpy.arange(4 * size) // 2 + origin) % size
    assert (owner == dealt[:, None]).all() and (values == owner).all()


def test_owners_of_lists_of_indices(comm, rank, size):
    indices = numpy.arange(5 * size)[::-1][rank::size].copy()  # decreasing
    a = daptor.unstructured(indices.astype(float), indices, comm, size=5 * size)
    for samples in (400, 3):
        view, pieces = pieces_of(comm, a, samples, values=True)
        wanted = view.axes[0].samples
        found = numpy.full(len(wanted), -1.0)
        for piece in pieces:
            found[piece.owned[0]] = piece.values
        assert (found == wanted).all()
    figure = daptor.plot(a, values=True)
    assert (figure is not None) == (rank == 0)


def test_the_ghosts_of_a_list_are_their_owners(comm, rank, size):
    first = 4 * rank
    ghosts = [(first - 1) % (4 * size), (first + 4) % (4 * size)] if size > 1 else []
    indices = numpy.array([*range(first, first + 4), *ghosts])
    u = numpy.where(numpy.arange(len(indices)) < 4, float(rank), -1.0)  # -1: a stale ghost
    a = daptor.owned_then_ghosts(u, indices, comm, owned=4)
    view, pieces = pieces_of(comm, a, values=True)
    for owner, piece in enumerate(pieces):
        assert view.axes[0].samples[piece.owned[0]].tolist() == [*range(4 * owner, 4 * owner + 4)]
        assert (piece.values == owner).all()
        assert piece.padding == [(0, len(ghosts))] and not piece.boundary[0].any()
    figure = daptor.plot(a, values=True)
    assert (figure is not None) == (rank == 0)
    if figure:
        drawn = numpy.concatenate([line.get_ydata() for line in figure.axes[0].lines
                                   if line.get_marker() == "."])
        assert sorted(drawn) == sorted(numpy.arange(4 * size) // 4)
        figure.canvas.draw()


def test_padding(comm, rank, size):
    u = numpy.zeros(7 - (rank == 0) - (rank == size - 1))
    a = daptor.block(u, comm, shape=5 * size, padding=1, boundary=2 if size > 1 else 1)
    _, pieces = pieces_of(comm, a)
    width = 2 if size > 1 else 1
    assert pieces[0].boundary[0].sum() == (width if size > 1 else 2 * width)
    assert pieces[0].padding == [(0, int(size > 1))]
    assert pieces[0].first == [0] and pieces[-1].last == [5 * size]
    figure = daptor.plot(a)
    if figure:
        figure.canvas.draw()
        shown = figure.axes[0].get_title()
        assert shown.startswith(f"{5 * size - 2 * width} float64 on {size} rank"), shown
        assert f", {5 * size} with boundary padding" in shown


def test_sections_are_the_same_in_either_version(comm, rank, size):
    u = numpy.zeros(6 - (rank == 0) - (rank == size - 1))
    a = daptor.block(u, comm, shape=4 * size, padding=1)
    b = daptor.import_(a.__distarray__("0.10.0"), comm)
    assert b.version.startswith("0.10")
    for array in (a, b):
        _, pieces = pieces_of(comm, array)
        assert [piece.first + piece.last for piece in pieces] == [[4 * r, 4 * r + 4]
                                                                  for r in range(size)]
        assert [piece.padding for piece in pieces] == [[(int(r > 0), int(r < size - 1))]
                                                       for r in range(size)]


def test_a_periodic_dimension_goes_beyond_the_array(comm, rank, size):
    u = numpy.zeros((6, 7))
    a = daptor.block(u, comm, shape=(4 * size, 5), grid=(size, 1), padding=1, periodic=True)
    figure = daptor.plot(a)
    if figure:
        assert figure.axes[0].get_xlim()[0] < -1 and figure.axes[0].get_ylim()[1] < -1
        figure.canvas.draw()


def test_slices_of_more_dimensions(comm, rank, size):
    u = numpy.full((2, 3, 4), float(rank))
    a = daptor.block(u, comm, shape=(2 * size, 3, 4), grid=(size, 1, 1))
    assert pieces_of(comm, a)[0].cuts == {0: size}
    cut = daptor.plot(a, slices={0: 2 * size - 1})
    view, pieces = pieces_of(comm, a, slices={0: 2 * size - 1}, values=True)
    assert [piece is None for piece in pieces] == [True] * (size - 1) + [False]
    assert (plotting._owners(view, pieces)[2] == size - 1).all()
    line = daptor.plot(a, slices={1: 0, 2: 3})
    if rank == 0:
        assert "dimension 0 at" in cut.axes[0].get_title()
        assert line.axes[0].get_ylabel() == "rank"


def test_little_is_gathered_of_a_large_array(comm, rank, size):
    rows = 200000
    a = daptor.block(numpy.broadcast_to(numpy.zeros(40), (rows, 40)), comm)
    small = daptor.block(numpy.zeros((100, 40)), comm)
    sent = []
    for array in (a, small):
        _, pieces = pieces_of(comm, array, 50, values=True)
        sent.append(sum(len(pickle.dumps(piece)) for piece in pieces))
    assert sent[0] < 50 * 40 * 8 + 3000 * size and abs(sent[0] - sent[1]) < 1000 * size
    assert sum(piece.values.size for piece in pieces) == 50 * 40


@pytest.mark.parametrize("options", [{"samples": 0}, {"slices": {5: 0}}, {"slices": {0: 99999}},
                                     {"slices": {0: 0, 1: 0}}, {"slices": {1: 1.7}},
                                     {"slices": {"0": 0}}, {"slices": 3}])
def test_options_that_do_not_fit(comm, options):
    a = sections(comm, (9, 14))
    error = raised(lambda: daptor.plot(a, **options))
    assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)


def test_complex_big_endian_and_integer_values(comm, rank):
    for dtype in (">f4", "complex128", "int64", "bool"):
        a = daptor.block(numpy.ones((3, 4), dtype=dtype), comm)
        assert (daptor.plot(a, values=True) is not None) == (rank == 0)


def test_arrays_with_nothing_in_them(comm, rank):
    for shape in ((0,), (0, 4), (3, 0)):
        figure = daptor.plot(daptor.block(numpy.zeros(shape), comm))
        if figure:
            figure.canvas.draw()
    error = raised(lambda: daptor.plot(daptor.import_(scalar(), comm)))
    assert isinstance(error, daptor.Error) and same_on_all(comm, error)


def scalar():
    return {"__version__": "0.9.0", "buffer": numpy.zeros(()), "dim_data": ()}


def test_on_axes_of_the_caller(comm, rank):
    from matplotlib.figure import Figure
    axes = Figure().add_subplot() if rank == 0 else None
    figure = daptor.plot(sections(comm, (9, 14)), axes=axes)
    if rank == 0:
        assert figure is axes.figure


def test_what_fails_on_rank_0_fails_on_all(comm, rank):
    with pytest.raises(daptor.ProducerFailed):
        daptor.plot(sections(comm, (9, 14)), axes="no axes" if rank == 0 else None)


def test_without_matplotlib(comm, monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match="python3-matplotlib"):
        daptor.plot(sections(comm, (9, 14)))


def test_of_a_communicator_that_was_freed(comm):
    duplicate = comm.Dup()
    a = sections(duplicate, (9, 14))
    duplicate.Free()
    error = raised(lambda: daptor.plot(a))
    assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
