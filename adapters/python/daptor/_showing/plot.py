# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of ownership, padding and values, drawn by matplotlib.

Each rank selects the part of its section that is drawn, at most `samples` indices a dimension; only
these are gathered, whatever the size of the array. matplotlib is imported on rank 0 alone, at the
first use.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from .. import _daptor
from .._arrays.builders import integer, type_text

# Paul Tol's light scheme, for readers of any colour vision and for print; and its darker outlines.
_FILL = ("#77aadd", "#eedd88", "#ffaabb", "#44bb99", "#ee8866", "#99ddff", "#bbcc33", "#aaaa00")
_LINE = ("#33669e", "#8f7d1c", "#b3495f", "#1f7a60", "#a8452a", "#2f83ad", "#6f7a12", "#5e5e00")
_INK = "#16181d"
_NOBODY = "#eef0f4"
_MOST_OUTLINES = 64  # ranks whose padding is drawn
_MOST_LABELS = 400
_MOST_SAMPLES = 4096


def _matplotlib(part: str) -> Any:
    return import_module("matplotlib." + part)


@dataclass
class _Axis:
    """A dimension that is drawn, and the global indices that are sampled from it."""
    dimension: int
    size: int
    samples: Any

    @property
    def cell(self) -> float:
        """Number of indices that a drawn cell covers."""
        return self.size / len(self.samples) if len(self.samples) else 1.0


@dataclass
class _View:
    """The content of the picture, the same on all ranks."""
    axes: List[_Axis]
    cuts: Dict[int, int]
    values: bool


@dataclass
class _Piece:
    """One rank's part of the picture: for each axis the positions of its samples."""
    owned: List[Any]
    boundary: List[Any]  # as `owned`: True for boundary padding
    first: List[int]  # the section without and with communication padding
    last: List[int]
    padding: List[Tuple[int, int]]
    blocks: bool  # one interval along each axis
    values: Any


def _choose_cuts(array: "_daptor.Array", given: Mapping[int, int]) -> Dict[int, int]:
    """Cuts dimensions until two are left: undistributed ones first, lower ones before higher."""
    ndim, shape = array.ndim, array.padded_shape
    if ndim == 0:
        _daptor._invalid_argument("array", "no dimension", "one dimension or more")
    cuts = {}
    if not isinstance(given, Mapping):
        _daptor._invalid_argument("slices", type_text(given), "a dict {dimension: index}")
    for dimension, index in given.items():
        dimension, index = (integer("slices", each, "integers") for each in (dimension, index))
        if not 0 <= dimension < ndim:
            _daptor._invalid_argument("slices", f"dimension {dimension}", f"0 to {ndim - 1}")
        if not 0 <= index < shape[dimension]:
            _daptor._invalid_argument("slices", f"index {index} of dimension {dimension}",
                                      f"an index below {shape[dimension]}")
        cuts[dimension] = index
    if len(cuts) == ndim:
        _daptor._invalid_argument("slices", "all dimensions", "a dimension that is left to draw")
    entries = array.__distarray__()["dim_data"]
    free = [d for d in range(ndim) if d not in cuts]
    free.sort(key=lambda d: (entries[d]["dist_type"] != "n", d))
    for dimension in free[:max(0, len(free) - 2)]:
        cuts[dimension] = shape[dimension] // 2
    return cuts


def _choose_view(array: "_daptor.Array", values: bool, slices: Optional[Mapping[int, int]],
                 samples: int) -> _View:
    import numpy
    if not 1 <= samples <= _MOST_SAMPLES:
        _daptor._invalid_argument("samples", str(samples), f"1 to {_MOST_SAMPLES}")
    cuts = _choose_cuts(array, slices or {})
    axes = []
    for dimension, size in enumerate(array.padded_shape):
        if dimension not in cuts:
            count = min(size, samples)
            middle = (2 * numpy.arange(count, dtype="int64") + 1) * size // (2 * max(count, 1))
            axes.append(_Axis(dimension, size, middle))
    return _View(axes, cuts, bool(values))


def _pick(array: "_daptor.Array", view: _View) -> Optional[_Piece]:
    """This rank's part of the picture. Process-local."""
    import numpy
    where: List[Any] = [None] * array.ndim
    for dimension, index in view.cuts.items():
        where[dimension] = array._owned_of(dimension, [index])[1]
        if not where[dimension]:
            return None
    kinds = [entry["dist_type"] for entry in array.__distarray__()["dim_data"]]
    piece = _Piece([], [], [], [], [], True, None)
    for axis in view.axes:
        d = axis.dimension
        numbers, local, first = array._owned_of(d, axis.samples.tolist())
        where[d] = numpy.array(local, dtype="int64")
        owned, interior = array._owned_picks[d], array._interior_picks[d]
        piece.owned.append(numpy.array(numbers, dtype="int64"))
        piece.first.append(first)
        piece.last.append(first + array.owned_shape[d])
        if isinstance(owned, slice):
            piece.boundary.append((where[d] < interior.start) | (where[d] >= interior.stop))
            piece.padding.append((owned.start, array.local_shape[d] - owned.stop))
        else:  # positions between ghosts
            piece.boundary.append(numpy.zeros(len(numbers), dtype=bool))
            piece.padding.append((0, array.local_shape[d] - array.owned_shape[d]))
        piece.blocks = piece.blocks and kinds[d] in "bn"
    if view.values:
        with array.read() as section:
            if section.dtype.kind not in "biufc":
                _daptor._invalid_argument("values", str(section.dtype), "elements that are numbers")
            part = section[numpy.ix_(*where)] if where else section
        part = part.reshape([len(numbers) for numbers in piece.owned])
        piece.values = numpy.abs(part) if part.dtype.kind == "c" else part.astype("float64")
    return piece


def _colour(rank: Any) -> Any:
    """The number of the colour of a rank, or those of an array of ranks."""
    return (rank + 3 * (rank // len(_FILL))) % len(_FILL)  # also ranks 8 apart differ


def _heading(array: "_daptor.Array", view: _View) -> str:
    ranks = array.comm.Get_size()
    shape = " × ".join(map(str, array.shape))
    text = f"{shape} {array.dtype} on {ranks} rank{'s' if ranks > 1 else ''}"
    if array.padded_shape != array.shape:
        text += f", {' × '.join(map(str, array.padded_shape))} with boundary padding"
    for dimension, index in sorted(view.cuts.items()):
        text += f", dimension {dimension} at {index}"
    return text


def _new_axes(view: _View) -> Any:
    Figure = _matplotlib("figure").Figure
    if len(view.axes) == 1:
        return Figure(figsize=(6.4, 3.0), dpi=150, layout="constrained").add_subplot()
    rows, columns = (max(axis.size, 1) for axis in view.axes)
    height = min(max(5.2 * rows / columns, 2.4), 7.0)
    return Figure(figsize=(6.4, height + 0.8), dpi=150, layout="constrained").add_subplot()


def _ticks_of_integers(axis: Any) -> None:
    MaxNLocator = _matplotlib("ticker").MaxNLocator
    axis.set_major_locator(MaxNLocator(integer=True, nbins=8, min_n_ticks=1))


Pieces = Sequence[Optional[_Piece]]


def _has_padding(pieces: Pieces) -> bool:
    return any(any(pair) for piece in pieces if piece for pair in piece.padding)


def _runs(numbers: Any) -> List[Tuple[int, int]]:
    """Consecutive numbers as half-open intervals."""
    import numpy
    numbers = numpy.sort(numbers)
    if len(numbers) == 0:
        return []
    breaks = numpy.flatnonzero(numpy.diff(numbers) != 1) + 1
    return [(int(run[0]), int(run[-1]) + 1) for run in numpy.split(numbers, breaks)]


def _draw_line(axes: Any, view: _View, pieces: Pieces) -> None:
    """Draws one dimension: a row for each rank, or the values as points on the ranks' colours."""
    axis = view.axes[0]

    def bar(rank: int, start: float, stop: float, **look: Any) -> None:
        axes.barh(rank, stop - start, left=start - 0.5, height=0.8, **look)

    for rank, piece in enumerate(pieces):
        if piece is None:
            continue
        colour = _FILL[_colour(rank)]
        for start, stop in _runs(piece.owned[0]):
            if view.values:
                axes.axvspan(start * axis.cell - 0.5, stop * axis.cell - 0.5, color=colour,
                             alpha=0.45, linewidth=0, zorder=0)
            else:
                bar(rank, start * axis.cell, stop * axis.cell, color=colour, edgecolor="none")
        if view.values:
            axes.plot(axis.samples[piece.owned[0]], piece.values, ".", markersize=4,
                      color=_LINE[_colour(rank)])
            continue
        for start, stop in _runs(piece.owned[0][piece.boundary[0]]):
            bar(rank, start * axis.cell, stop * axis.cell, facecolor="none", edgecolor=_INK,
                hatch="////", linewidth=0)
        if piece.blocks and piece.last[0] > piece.first[0]:
            lower, upper = piece.padding[0]
            for start, stop in ((piece.first[0] - lower, piece.first[0]),
                                (piece.last[0], piece.last[0] + upper)):
                if stop > start:
                    bar(rank, start, stop, facecolor="white", edgecolor=_LINE[_colour(rank)],
                        linestyle="--", linewidth=1.0)
    axes.set_xlabel(f"index of dimension {axis.dimension}")
    _ticks_of_integers(axes.xaxis)
    if view.values:
        axes.set_ylabel("value")
        axes.set_xlim(-0.5, max(axis.size, 1) - 0.5)
        return
    _ticks_of_integers(axes.yaxis)
    axes.set_ylabel("rank")
    axes.set_ylim(len(pieces) - 0.5, -0.5)


def _owners(view: _View, pieces: Pieces) -> Tuple[Any, Any, Any]:
    """For each drawn cell: its owner (-1: none), whether it is boundary padding, and its value."""
    import numpy
    shape = [len(axis.samples) for axis in view.axes]
    owner = numpy.full(shape, -1)
    boundary = numpy.zeros(shape, dtype=bool)
    values = numpy.full(shape, numpy.nan)
    for rank, piece in reversed(list(enumerate(pieces))):  # of several owners the lowest is drawn
        if piece is None:
            continue
        cells = numpy.ix_(*piece.owned)
        owner[cells] = rank
        boundary[cells] = piece.boundary[0][:, None] | piece.boundary[1][None, :]
        if piece.values is not None:
            values[cells] = piece.values
    return owner, boundary, values


def _borders(owner: Any, view: _View) -> List[Any]:
    """Line segments between cells of different owners, in global indices, joined where they can."""
    lines = []
    for down in (True, False):
        cells = owner if down else owner.T
        across, along = (axis.cell for axis in (view.axes if down else view.axes[::-1]))
        for i in range(len(cells) - 1):
            for run in _runs((cells[i] != cells[i + 1]).nonzero()[0]):
                ends = [((i + 1) * across - 0.5, end * along - 0.5) for end in run]
                lines.append([(b, a) if down else (a, b) for a, b in ends])
    return lines


def _image(axes: Any, owner: Any, values: Any, view: _View) -> None:
    import numpy
    to_rgb = _matplotlib("colors").to_rgb
    place: Dict[str, Any] = {
        "extent": (-0.5, view.axes[1].size - 0.5, view.axes[0].size - 0.5, -0.5),
        "interpolation": "nearest", "aspect": "equal"}
    longest, shortest = sorted((axis.size for axis in view.axes), reverse=True)
    if longest > 8 * shortest:
        place["aspect"] = "auto"
    if owner.size == 0:
        axes.set_xlim(-0.5, max(view.axes[1].size, 1) - 0.5)
        axes.set_ylim(max(view.axes[0].size, 1) - 0.5, -0.5)
        return
    if view.values:
        picture = axes.imshow(values, cmap="viridis", **place)
        axes.figure.colorbar(picture, ax=axes, shrink=0.85)
        return
    colours = numpy.array([to_rgb(colour) for colour in (*_FILL, _NOBODY)])
    axes.imshow(colours[numpy.where(owner < 0, len(_FILL), _colour(owner))], **place)


def _label(axes: Any, owner: Any, view: _View, pieces: Pieces) -> None:
    """Writes the numbers of the ranks: in the middle of blocks, or in the cells."""
    look: Dict[str, Any] = {"ha": "center", "va": "center", "color": _INK, "fontsize": 9,
                            "zorder": 6}
    if view.values:
        look["bbox"] = {"boxstyle": "round,pad=0.2", "facecolor": "white", "edgecolor": "none",
                        "alpha": 0.75}
    if all(piece is None or piece.blocks for piece in pieces):
        shown = [(rank, piece) for rank, piece in enumerate(pieces)
                 if piece and all(len(numbers) for numbers in piece.owned)]
        for rank, piece in shown if len(shown) <= _MOST_LABELS else ():
            y, x = ((a + b - 1) / 2 for a, b in zip(piece.first, piece.last))
            axes.text(x, y, str(rank), **look)
    elif owner.size <= _MOST_LABELS:
        for i, j in zip(*(owner >= 0).nonzero()):
            axes.text(view.axes[1].samples[j], view.axes[0].samples[i], str(owner[i, j]), **look)


def _outline(axes: Any, pieces: Pieces, view: _View) -> None:
    """Outlines each section with its communication padding, slightly inside its edge."""
    Rectangle = _matplotlib("patches").Rectangle
    inset = 0.012 * min(axis.size for axis in view.axes)
    low, high = [0.0, 0.0], [float(axis.size) for axis in view.axes]
    for rank, piece in enumerate(pieces):
        if piece is None or not piece.blocks or piece.first[0] == piece.last[0]:
            continue
        inner = inset * (1 + rank % 3) / 2  # neighbours' lines do not hide each other
        start = [first - pair[0] for first, pair in zip(piece.first, piece.padding)]
        stop = [last + pair[1] for last, pair in zip(piece.last, piece.padding)]
        low = [min(a, b) for a, b in zip(low, start)]
        high = [max(a, b) for a, b in zip(high, stop)]
        colour = "white" if view.values else _LINE[_colour(rank)]
        axes.add_patch(Rectangle((start[1] - 0.5 + inner, start[0] - 0.5 + inner),
                                 stop[1] - start[1] - 2 * inner, stop[0] - start[0] - 2 * inner,
                                 fill=False, edgecolor=colour, linewidth=1.1, linestyle=(0, (4, 2)),
                                 zorder=5))
    edge = 0.01 * max(axis.size for axis in view.axes)
    axes.set_xlim(low[1] - 0.5 - edge, high[1] - 0.5 + edge)
    axes.set_ylim(high[0] - 0.5 + edge, low[0] - 0.5 - edge)


def _hatch(axes: Any, boundary: Any, view: _View) -> None:
    Rectangle = _matplotlib("patches").Rectangle
    rows, columns = (axis.cell for axis in view.axes)
    before: Dict[Tuple[int, int], int] = {}  # runs that go on in the next row, and their first row

    def close(run: Tuple[int, int], first: int, last: int) -> None:
        axes.add_patch(Rectangle((run[0] * columns - 0.5, first * rows - 0.5),
                                 (run[1] - run[0]) * columns, (last - first) * rows, fill=False,
                                 hatch="////", edgecolor=_INK, alpha=0.55, linewidth=0, zorder=3))

    for i, row in enumerate(boundary):
        runs = _runs(row.nonzero()[0])
        for run in [run for run in before if run not in runs]:
            close(run, before.pop(run), i)
        for run in runs:
            before.setdefault(run, i)
    for run, first in before.items():
        close(run, first, len(boundary))


def _draw_plane(axes: Any, view: _View, pieces: Pieces) -> None:
    LineCollection = _matplotlib("collections").LineCollection
    owner, boundary, values = _owners(view, pieces)
    _image(axes, owner, values, view)
    _hatch(axes, boundary, view)
    lines = _borders(owner, view)
    if len(lines) <= 4 * _MOST_SAMPLES:
        axes.add_collection(LineCollection(lines, colors=_INK, linewidths=0.9, zorder=4))
    if _has_padding(pieces) and len(pieces) <= _MOST_OUTLINES:
        _outline(axes, pieces, view)
    _label(axes, owner, view, pieces)
    axes.set_ylabel(f"index of dimension {view.axes[0].dimension}")
    axes.set_xlabel(f"index of dimension {view.axes[1].dimension}")
    _ticks_of_integers(axes.xaxis)
    _ticks_of_integers(axes.yaxis)


def _draw(array: "_daptor.Array", view: _View, pieces: Pieces, axes: Any) -> Any:
    axes = _new_axes(view) if axes is None else axes
    (_draw_line if len(view.axes) == 1 else _draw_plane)(axes, view, pieces)
    axes.set_title(_heading(array, view), fontsize=10)
    return axes.figure


def _require_matplotlib(comm: Any) -> None:
    """Collective: raises ImportError on all ranks if rank 0 has no matplotlib."""
    def missing() -> bool:
        if comm.Get_rank() == 0:
            try:
                _matplotlib("figure")
            except ImportError:
                return True
        return False

    if comm.bcast(_daptor.agreed(comm, missing)):
        raise ImportError("daptor.plot needs matplotlib on rank 0 (on Debian python3-matplotlib)")


def plot(array: "_daptor.Array", *, values: bool = False,
         slices: Optional[Mapping[int, int]] = None, samples: int = 400,
         axes: Any = None) -> Optional[Any]:
    """Draws who owns what, with matplotlib. Collective; returns a Figure on rank 0, None elsewhere.

    values   draw the values (magnitudes, if they are complex), with borders between owners
    slices   a global index for each dimension to cut. If more than two dimensions are left, some
             are cut in their middle: undistributed ones first, lower ones before higher
    samples  the largest number of indices that are drawn of a dimension, so that the data gathered
             on rank 0 do not depend on the size of the array
    axes     on rank 0, the matplotlib Axes to draw on; None: a new figure

    Boundary padding is hatched. Dashed lines outline sections with their communication padding,
    which reaches beyond the array if a dimension is periodic. The options of rank 0 count. Raises
    on all ranks: ImportError if rank 0 has no matplotlib; InvalidArgument for options that do not
    fit the array, and if the array's communicator has been freed.

        figure = daptor.plot(a, slices={0: 5})
        if figure:
            figure.savefig("owners.pdf")
    """
    if not isinstance(array, _daptor.Array):
        _daptor._invalid_argument("array", f"a value of type {type(array).__name__}",
                                  "a daptor.Array", "Describe this rank's section first: "
                                  "daptor.block(section, comm).")
    comm = array.comm
    if not comm:
        _daptor._invalid_argument("array", "a communicator that was freed", "one in use")
    with _daptor._Call(array, "plot"):
        _require_matplotlib(comm)
        first = comm.Get_rank() == 0
        view = comm.bcast(_daptor.agreed(
            comm, lambda: _choose_view(array, values, slices, samples) if first else None))
        pieces = comm.gather(_daptor.agreed(comm, lambda: _pick(array, view)))

        def drawn() -> Any:
            return _draw(array, view, pieces, axes) if first else None

        figure: Any = _daptor.agreed(comm, drawn)
        return figure
