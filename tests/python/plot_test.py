# SPDX-License-Identifier: BSD-3-Clause
"""Pictures: what they show, and how little of the array is gathered for them."""

import pickle
import sys
import xml.etree.ElementTree

import numpy
import pytest

import daptor
from daptor import _bindings
from daptor._showing import plot as plotting
from support import process_grid, raised, same_on_all, share

SVG = "{http://www.w3.org/2000/svg}"
without_tools = pytest.mark.skipif(_bindings.binding("_tools") is None, reason="no tools")


def drawn(comm, a, samples=400, slices=None):
    """Returns the drawn indices, what every rank would send, and the owners and values of these."""
    indices = plotting._sampled(a, plotting._choose_cuts(a, slices or {}), samples)
    pieces = comm.allgather(plotting._pick(a, indices))
    return (indices, pieces, *plotting._assembled(indices, pieces))


def owners_of(picture):
    """Returns the texts and the number of outlines in a picture of owners."""
    document = xml.etree.ElementTree.fromstring(picture.svg)
    texts = [text.text for text in document.iter(SVG + "text")]
    outlines = [rect for rect in document.iter(SVG + "rect") if rect.get("class", "")[:1] == "o"]
    return texts, len(outlines)


def sections(comm, shape):
    """A block array without padding, in which each element is the number of its owner."""
    grid = process_grid(comm.size)
    extents = []
    for total, ranks, rank in zip(shape, grid, divmod(comm.rank, grid[1])):
        start, stop = share(total, ranks, rank)
        extents.append(stop - start)
    return daptor.block(numpy.full(extents, float(comm.rank)), comm, shape=shape, grid=grid)


@without_tools
def test_owners_on_rank_0(comm, rank, tmp_path):
    picture = daptor.plot(sections(comm, (9, 14)))
    assert (picture is not None) == (rank == 0)
    if picture:
        texts, _ = owners_of(picture)
        assert texts[0].startswith("9 × 14 float64 on") and picture._repr_svg_() == picture.svg
        assert {str(owner) for owner in range(comm.size)} <= set(texts)
        picture.savefig(tmp_path / "owners.svg")
        assert (tmp_path / "owners.svg").read_text(encoding="utf-8") == picture.svg
        with pytest.raises(daptor.InvalidArgument, match="owners.txt"):
            picture.savefig(tmp_path / "owners.txt")


@without_tools
def test_owners_as_other_files(comm, tmp_path, monkeypatch):
    picture = plotting.Owners('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    with pytest.raises(ImportError, match="python3-cairosvg"):
        picture.savefig(tmp_path / "owners.pdf")
    monkeypatch.undo()
    pytest.importorskip("cairosvg")
    for kind, start in (("pdf", b"%PDF"), ("png", b"\x89PNG"), ("ps", b"%!PS")):
        path = str(tmp_path / f"owners.{kind}")
        picture.savefig(path)
        with open(path, "rb") as file:
            assert file.read(4) == start


@without_tools
def test_padding(comm, rank, size):
    boundary = 2 if size > 1 else 1
    u = numpy.zeros(7 - (rank == 0) - (rank == size - 1))
    a = daptor.block(u, comm, shape=5 * size, padding=1, boundary=boundary)
    older = daptor.import_(a.__distarray__("0.10.0"), comm)
    periodic = daptor.block(numpy.zeros((6, 7)), comm, shape=(4 * size, 5), grid=(size, 1),
                            padding=1, periodic=True)
    for array, outlines in ((a, size if size > 1 else 0), (older, size if size > 1 else 0),
                            (periodic, size)):
        picture = daptor.plot(array)
        if picture:
            texts, found = owners_of(picture)
            assert ("boundary padding" in texts) == (array is not periodic)
            assert found == outlines + (outlines > 0)  # and one in the legend


@without_tools
def test_the_ghosts_of_a_list_are_their_owners(comm, rank, size):
    first = 4 * rank
    ghosts = [(first - 1) % (4 * size), (first + 4) % (4 * size)] if size > 1 else []
    indices = numpy.array([*range(first, first + 4), *ghosts])
    u = numpy.where(numpy.arange(len(indices)) < 4, float(rank), -1.0)  # -1: a stale ghost
    a = daptor.owned_then_ghosts(u, indices, comm, owned=4)
    _, _, owner, values = drawn(comm, a)
    assert (owner == numpy.arange(4 * size) // 4).all() and (values == owner).all()
    picture, figure = daptor.plot(a), daptor.plot(a, values=True)
    assert (figure is not None) == (rank == 0)
    if figure:
        points = numpy.concatenate([line.get_ydata() for line in figure.axes[0].lines
                                    if line.get_marker() == "."])
        assert sorted(points) == sorted(owner)
        figure.canvas.draw()
        texts, _ = owners_of(picture)
        assert "(0, 2)" in texts or size == 1


def test_a_numpy_array_is_not_described(comm):
    error = raised(lambda: daptor.plot(numpy.zeros((3, 3))))
    assert error.finding.key == "array" and "daptor.block(section, comm)" in error.finding.remedy


def test_owners_and_values_of_blocks(comm):
    _, _, owner, values = drawn(comm, sections(comm, (9, 14)))
    assert owner.shape == (9, 14) and (owner == values).all() and owner.min() == 0


@pytest.mark.parametrize("origin", [0, 1])
def test_owners_of_a_cyclic_array(comm, rank, size, origin):
    a = daptor.cyclic(numpy.full((4, 3), float(rank)), comm, shape=(4 * size, 3), grid=(size, 1),
                      block_size=(2, 3), origin=(origin % size, 0))
    _, _, owner, values = drawn(comm, a)
    dealt = (numpy.arange(4 * size) // 2 + origin) % size
    assert (owner == dealt[:, None]).all() and (values == owner).all()


def test_values_of_lists_of_indices(comm, rank, size):
    indices = numpy.arange(5 * size)[::-1][rank::size].copy()  # decreasing
    a = daptor.unstructured(indices.astype(float), indices, comm, size=5 * size)
    for samples in (400, 3):
        wanted, _, _, values = drawn(comm, a, samples)
        assert (values == wanted[0]).all() and len(wanted[0]) == min(5 * size, samples)


def test_slices_of_more_dimensions(comm, rank, size):
    u = numpy.full((2, 3, 4), float(rank))
    a = daptor.block(u, comm, shape=(2 * size, 3, 4), grid=(size, 1, 1))
    assert plotting._choose_cuts(a, {}) == {0: size}
    cut = daptor.plot(a, slices={0: 2 * size - 1}, values=True)
    _, pieces, owner, values = drawn(comm, a, slices={0: 2 * size - 1})
    assert [part.size for _, part in pieces] == [0] * (size - 1) + [12]
    assert owner.shape == (1, 3, 4) and (owner == size - 1).all() and (values == size - 1).all()
    line = daptor.plot(a, slices={1: 0, 2: 3}, values=True)
    if rank == 0:
        assert f"dimension 0 at {2 * size - 1}" in cut.axes[0].get_title()
        assert line.axes[0].get_ylabel() == "value"
        assert line.axes[0].get_xlabel() == "index of dimension 0"


def test_little_is_gathered_of_a_large_array(comm, rank, size):
    rows = 200000
    a = daptor.block(numpy.broadcast_to(numpy.zeros(40), (rows, 40)), comm)
    small = daptor.block(numpy.zeros((100, 40)), comm)
    sent = []
    for array in (a, small):
        _, pieces, _, _ = drawn(comm, array, 50)
        sent.append(sum(len(pickle.dumps(piece)) for piece in pieces))
    assert sent[0] < 50 * 40 * 8 + 3000 * size and abs(sent[0] - sent[1]) < 1000 * size
    assert sum(part.size for _, part in pieces) == 50 * 40


@pytest.mark.parametrize("options", [{"samples": 0}, {"slices": {5: 0}}, {"slices": {0: 99999}},
                                     {"slices": {0: 0, 1: 0}}, {"slices": {1: 1.7}},
                                     {"slices": {"0": 0}}, {"slices": 3}, {"samples": "many"},
                                     {"axes": "of owners"}])
def test_options_that_do_not_fit(comm, options):
    a = sections(comm, (9, 14))
    error = raised(lambda: daptor.plot(a, **options))
    assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)


def test_complex_big_endian_and_integer_values(comm, rank):
    for dtype in (">f4", "complex128", "int64", "bool"):
        a = daptor.block(numpy.ones((3, 4), dtype=dtype), comm)
        assert (daptor.plot(a, values=True) is not None) == (rank == 0)


@without_tools
def test_arrays_with_nothing_in_them(comm, rank):
    for shape in ((0,), (0, 4), (3, 0)):
        a = daptor.block(numpy.zeros(shape), comm)
        picture, figure = daptor.plot(a), daptor.plot(a, values=True)
        if figure:
            assert owners_of(picture)
            figure.canvas.draw()
    error = raised(lambda: daptor.plot(daptor.import_(scalar(), comm)))
    assert isinstance(error, daptor.Error) and same_on_all(comm, error)


def scalar():
    return {"__version__": "0.9.0", "buffer": numpy.zeros(()), "dim_data": ()}


def test_on_axes_of_the_caller(comm, rank, size):
    from matplotlib.figure import Figure
    axes = Figure().add_subplot() if rank == 0 else None
    figure = daptor.plot(sections(comm, (9, 14)), values=True, axes=axes)
    if rank == 0:
        assert figure is axes.figure
        lengths = [len(lines.get_segments()) for lines in axes.collections]
        rows, columns = process_grid(size)
        assert lengths == [14 * (rows - 1), 9 * (columns - 1)]
        figure.canvas.draw()
        assert axes.get_xlim() == (-0.5, 13.5) and axes.get_ylim() == (8.5, -0.5)


def test_what_fails_on_rank_0_fails_on_all(comm, rank):
    with pytest.raises(daptor.ProducerFailed):
        daptor.plot(sections(comm, (9, 14)), values=True, axes="no axes" if rank == 0 else None)


def test_without_libraries(comm, monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match="python3-matplotlib"):
        daptor.plot(sections(comm, (9, 14)), values=True)
    monkeypatch.setattr(_bindings, "binding", lambda name: None)
    with pytest.raises(ImportError, match="values=True"):
        daptor.plot(sections(comm, (9, 14)))


def test_of_a_communicator_that_was_freed(comm):
    duplicate = comm.Dup()
    a = sections(duplicate, (9, 14))
    duplicate.Free()
    error = raised(lambda: daptor.plot(a))
    assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
