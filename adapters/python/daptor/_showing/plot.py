# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of an Array: of its owners, as the command `daptor show` draws them, and of its values.

Of values, each rank selects at most `samples` indices a dimension, and only these are gathered,
whatever the size of the array. matplotlib is imported on rank 0 alone, at the first use.
"""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from .. import _bindings, _daptor
from .._arrays.builders import array_given, integer, type_text

_MOST_SAMPLES = 4096
_MOST_BORDERS = 1 << 15
# For each rank, and for each dimension, the numbers of the samples that it owns; and their values.
_Pieces = Sequence[Tuple[List[List[int]], Any]]


class Owners:
    """A picture of who owns what. A notebook shows it.

    svg  the picture: an SVG document
    """

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def savefig(self, path: Any) -> None:
        """Writes the picture to a file: .svg or, by CairoSVG, .pdf, .png or .ps.

        Raises ImportError if CairoSVG is needed and missing, InvalidArgument for another ending.
        """
        kind = os.path.splitext(path)[1]
        if kind == ".svg":
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.svg)
            return
        if kind not in (".pdf", ".png", ".ps"):
            _daptor._invalid_argument("path", repr(os.fspath(path)),
                                      "a name that ends in .svg, .pdf, .png or .ps")
        try:
            convert = getattr(import_module("cairosvg"), "svg2" + kind[1:])
        except ImportError:
            raise ImportError(f"a picture as {kind} needs CairoSVG (on Debian python3-cairosvg); "
                              ".svg needs nothing") from None
        convert(self.svg.encode(), write_to=os.fspath(path), scale=2 if kind == ".png" else 1)


def _choose_cuts(array: "_daptor.Array", given: Any) -> Dict[int, int]:
    """Cuts dimensions until two are left: undistributed ones first, lower ones before higher."""
    ndim, shape = array.ndim, array.padded_shape
    if ndim == 0:
        _daptor._invalid_argument("array", "no dimension", "one dimension or more")
    if not isinstance(given, Mapping):
        _daptor._invalid_argument("slices", type_text(given), "a dict {dimension: index}")
    cuts = {}
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
    return {**cuts, **{d: shape[d] // 2 for d in free[:-2]}}


def _owners(array: "_daptor.Array", cuts: Dict[int, int]) -> Optional[Owners]:
    """Collective."""
    comm = array.comm
    tools: Any = _bindings.modules_everywhere(array, "_tools")[0]
    if tools is None:
        raise ImportError("a picture of owners needs a daptor that was built with its tools "
                          "(DAPTOR_BUILD_TOOLS); values=True draws the values without them")
    sections = comm.gather(_daptor.agreed(comm, lambda: str(tools.section(_daptor._read(array)))))
    return _daptor.agreed(comm, lambda: None if sections is None else Owners(
        tools.picture("", sections, sorted(cuts.items()))))


def _sampled(array: "_daptor.Array", cuts: Dict[int, int], most: int) -> List[List[int]]:
    """The global indices that are drawn of each dimension."""
    if not 1 <= integer("samples", most) <= _MOST_SAMPLES:
        _daptor._invalid_argument("samples", str(most), f"1 to {_MOST_SAMPLES}")
    return [[cuts[d]] if d in cuts else
            [(2 * i + 1) * size // (2 * min(size, most)) for i in range(min(size, most))]
            for d, size in enumerate(array.padded_shape)]


def _pick(array: "_daptor.Array", samples: List[List[int]]) -> Tuple[List[List[int]], Any]:
    """This rank's part of the picture. Process-local."""
    import numpy
    owned = [array._owned_of(d, indices) for d, indices in enumerate(samples)]
    with array.read() as section:
        if section.dtype.kind not in "biufc":
            _daptor._invalid_argument("values", str(section.dtype), "elements that are numbers")
        part = section[numpy.ix_(*(local for _, local in owned))]
    return ([numbers for numbers, _ in owned],
            numpy.abs(part) if part.dtype.kind == "c" else part.astype("float64"))


def _assembled(samples: List[List[int]], pieces: _Pieces) -> Tuple[Any, Any]:
    """For each sample its owner (-1: none; of several the lowest) and its value."""
    import numpy
    shape = [len(indices) for indices in samples]
    owner, values = numpy.full(shape, -1), numpy.full(shape, numpy.nan)
    for rank, (numbers, part) in reversed(list(enumerate(pieces))):
        cells = numpy.ix_(*numbers)
        owner[cells], values[cells] = rank, part
    return owner, values


def _draw_plane(axes: Any, sizes: Sequence[int], owner: Any, values: Any) -> None:
    """Draws the values, with borders between owners."""
    rows, columns = sizes
    picture = axes.imshow(values, cmap="viridis", interpolation="nearest",
                          extent=(-0.5, columns - 0.5, rows - 0.5, -0.5),
                          aspect="auto" if max(sizes) > 8 * min(sizes) else "equal")
    axes.figure.colorbar(picture, ax=axes, shrink=0.85)
    height, width = rows / owner.shape[0], columns / owner.shape[1]
    down, right = (owner[1:] != owner[:-1]).nonzero(), (owner[:, 1:] != owner[:, :-1]).nonzero()
    if len(down[0]) + len(right[0]) <= _MOST_BORDERS:
        look: Dict[str, Any] = {"colors": "#16181d", "linewidths": 0.9}
        i, j = down
        axes.hlines((i + 1) * height - 0.5, j * width - 0.5, (j + 1) * width - 0.5, **look)
        i, j = right
        axes.vlines((j + 1) * width - 0.5, i * height - 0.5, (i + 1) * height - 0.5, **look)


def _draw(array: "_daptor.Array", cuts: Dict[int, int], samples: List[List[int]], pieces: _Pieces,
          axes: Any) -> Any:
    """The values, as an image or, of one dimension, as points in a colour for each rank."""
    import numpy
    if axes is None:
        figure: Any = import_module("matplotlib.figure").Figure(dpi=150, layout="constrained")
        axes = figure.add_subplot()
    owner, values = _assembled(samples, pieces)
    drawn = [d for d in range(array.ndim) if d not in cuts]
    owner, values = (each.reshape([len(samples[d]) for d in drawn]) for each in (owner, values))
    labels = [f"index of dimension {d}" for d in drawn]
    if len(drawn) == 1:
        at = numpy.array(samples[drawn[0]])
        for rank in sorted({*owner.tolist()} - {-1}):
            axes.plot(at[owner == rank], values[owner == rank], ".", markersize=4)
        labels.insert(0, "value")
    elif owner.size:
        _draw_plane(axes, [array.padded_shape[d] for d in drawn], owner, values)
    axes.set_ylabel(labels[0])
    axes.set_xlabel(labels[1])
    ranks, shape, padded = array.comm.Get_size(), *(
        " × ".join(map(str, each)) for each in (array.shape, array.padded_shape))
    axes.set_title(f"{shape} {array.dtype} on {ranks} rank{'s' * (ranks > 1)}"
                   + f", {padded} with boundary padding" * (padded != shape)
                   + "".join(f", dimension {d} at {cuts[d]}" for d in sorted(cuts)), fontsize=10)
    return axes.figure


def plot(array: "_daptor.Array", *, values: bool = False,
         slices: Optional[Mapping[int, int]] = None, samples: int = 400,
         axes: Any = None) -> Optional[Any]:
    """Draws who owns what or, by matplotlib, the values. Collective; returns None but on rank 0.

    values   draw the values (magnitudes, if they are complex), with borders between owners. The
             result is a Figure of matplotlib; otherwise a picture whose `svg` is an SVG document,
             which notebooks show
    slices   a global index for each dimension to cut. If more than two dimensions are left, some
             are cut in their middle: undistributed ones first, lower ones before higher
    samples  the largest number of indices of a dimension whose values are drawn, so that the data
             gathered on rank 0 do not depend on the size of the array
    axes     on rank 0, the matplotlib Axes to draw values on; None: a new figure

    The picture of owners is that of `daptor show`: boundary padding is hatched, and dashed lines
    outline sections with their communication padding, which reaches beyond the array if a dimension
    is periodic. What the sections' dictionaries say is gathered for it, with lists of indices.
    Either result has savefig(path); that of owners writes .svg and, by CairoSVG, .pdf, .png and
    .ps. The options of rank 0 count. Raises on all ranks: ImportError if rank 0 has no matplotlib
    for values, or daptor was built without the tools that draw owners; InvalidArgument for options
    that do not fit the array, for axes without values, and if the array's communicator has been
    freed.

        picture = daptor.plot(a, slices={0: 5})
        if picture:
            picture.savefig("owners.svg")
    """
    comm = array_given("array", array, "Describe this rank's section first: "
                       "daptor.block(section, comm).").comm
    if not comm:
        _daptor._invalid_argument("array", "a communicator that was freed", "one in use")
    first = comm.Get_rank() == 0

    def chosen() -> Any:
        if not first:
            return None
        cuts = _choose_cuts(array, slices or {})
        if axes is not None and not values:
            _daptor._invalid_argument("axes", "axes of matplotlib for a picture of owners",
                                      "None, or values=True", "The picture of owners is an SVG "
                                      "document, which savefig(path) writes.")
        missing = bool(values) and find_spec("matplotlib") is None
        return cuts, bool(values), missing, _sampled(array, cuts, samples)

    with _daptor._Call(array, "plot"):
        cuts, of_values, missing, indices = comm.bcast(_daptor.agreed(comm, chosen))
        if not of_values:
            return _owners(array, cuts)
        if missing:
            raise ImportError("daptor.plot needs matplotlib on rank 0 for values (on Debian "
                              "python3-matplotlib)")
        pieces = comm.gather(_daptor.agreed(comm, lambda: _pick(array, indices)))

        def drawn() -> Any:
            return _draw(array, cuts, indices, pieces, axes) if first else None

        figure: Any = _daptor.agreed(comm, drawn)
        return figure
