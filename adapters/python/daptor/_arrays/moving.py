# SPDX-License-Identifier: BSD-3-Clause
"""Elements of an Array as plain NumPy arrays: all or a part of them on one rank, or at given
indices on each rank; and the way back."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any, Callable, Dict, List, NoReturn, Sequence, Tuple, Union

from .. import _daptor, layout
from .allocating import zeros_like
from .builders import array_given, array_in, integer, type_text
from .._daptor import Array

Index = Union[int, slice]


def _imported(array: Array, describe: Callable[[], Tuple[Any, List[Dict[str, Any]]]]) -> Array:
    """Collective over the ranks of `array`. An Array of the sections that `describe` makes when
    they are imported, so that all ranks learn of an error."""
    def description() -> Dict[str, Any]:
        buffer, dimensions = describe()
        return {"__version__": "0.9.0", "buffer": buffer, "dim_data": tuple(dimensions)}

    return _daptor.import_(SimpleNamespace(__distarray__=description), array.comm)


class _Cut:
    """What an index selects along one dimension.

    numbers   the selected indices, in increasing order
    after     what makes NumPy's result of the selected elements: an index of that dimension
    """

    def __init__(self, index: Index, extent: int) -> None:
        if isinstance(index, slice):
            numbers = range(extent)[index]
            backwards = numbers.step < 0
            self.numbers = numbers[::-1] if backwards else numbers
            self.after: Index = slice(None, None, -1 if backwards else 1)
        else:
            at = range(extent)[index]
            self.numbers, self.after = range(at, at + 1), 0

    def within(self, start: int, stop: int) -> Tuple[int, int]:
        """The positions, among the selected indices, of those in [start, stop)."""
        numbers = self.numbers

        def before(index: int) -> int:
            return min(max(-((numbers.start - index) // numbers.step), 0), len(numbers))

        return before(start), before(stop)


def _refuse_index(found: str, ndim: int) -> NoReturn:
    _daptor._invalid_argument(
        "index", found, f"numbers and slices, at most one for each of {ndim} dimensions, as in "
        "numpy.s_[3:5, :]", "Write: a.sample(indices)  # for single elements")


def _require_bounds(index: slice, dimension: int, ndim: int) -> None:
    for name in "start", "stop", "step":
        bound = getattr(index, name)
        if bound is None:
            continue
        if not hasattr(type(bound), "__index__"):
            _refuse_index(f"a slice of dimension {dimension} with the {name} {bound!r}", ndim)
        if integer("index", bound, "numbers and slices") == 0 and name == "step":
            _refuse_index(f"a slice of dimension {dimension} with the step 0", ndim)


def _cuts(array: Array, index: Any) -> List[_Cut]:
    """What the index selects. Process-local."""
    entries = list(index) if isinstance(index, tuple) else [] if index is None else [index]
    dots = [i for i, entry in enumerate(entries) if entry is Ellipsis]
    if len(dots) > 1 or len(entries) - len(dots) > array.ndim:
        _refuse_index(f"{len(entries)} entries", array.ndim)
    missing = [slice(None)] * (array.ndim - len(entries) + len(dots))
    at = dots[0] if dots else len(entries)
    entries[at:at + len(dots)] = missing
    cuts = []
    for dimension, (entry, extent) in enumerate(zip(entries, array.shape)):
        if isinstance(entry, slice):
            _require_bounds(entry, dimension, array.ndim)
        else:
            if not hasattr(type(entry), "__index__") or isinstance(entry, bool):
                _refuse_index(type_text(entry), array.ndim)
            entry = integer("index", entry, "numbers and slices")
            if not -extent <= entry < extent:
                _refuse_index(f"{entry} for dimension {dimension}, of {extent} indices",
                              array.ndim)
        cuts.append(_Cut(entry, extent))
    return cuts


def _listed(section: Any, dimension: int, entry: Dict[str, Any], places: Any, cut: _Cut) -> Any:
    """The selected part of a dimension that is dealt in turn or divided by lists."""
    import numpy
    numbers = (places - cut.numbers.start) // cut.numbers.step
    selected = ((places - cut.numbers.start) % cut.numbers.step == 0) & (
        numbers >= 0) & (numbers < len(cut.numbers))
    if not selected.all():
        section = section.take(numpy.flatnonzero(selected), dimension)
    owned = entry["dist_type"] == "c" or entry.get("one_to_one", False) or "owned" in entry
    return section, {
        "dist_type": "u", "size": len(cut.numbers), "proc_grid_size": entry["proc_grid_size"],
        "proc_grid_rank": entry["proc_grid_rank"], "indices": numbers[selected],
        **({"one_to_one": True} if owned else {})}


def _described(array: Array, cuts: Sequence[_Cut]) -> Tuple[Any, List[Dict[str, Any]]]:
    """The section and the dimensions of the selected part of the interior: for reading, because it
    is a copy where elements of lists are left out. Process-local."""
    section = array._interior
    dimensions: List[Dict[str, Any]] = []
    for d, (entry, held, cut) in enumerate(zip(array.__distarray__()["dim_data"], array._held,
                                               cuts)):
        if not isinstance(held, tuple):
            section, described = _listed(section, d, entry, held, cut)
            dimensions.append(described)
            continue
        first, last = cut.within(*held)
        begin, step = cut.numbers.start - held[0], cut.numbers.step
        local = slice(begin + first * step, begin + last * step, step)
        section = section[(slice(None),) * d + (local if last > first else slice(0, 0),)]
        dimensions.append({"dist_type": "n", "size": len(cut.numbers)}
                          if entry["dist_type"] == "n" else {
            "dist_type": "b", "size": len(cut.numbers),
            "proc_grid_size": entry["proc_grid_size"], "proc_grid_rank": entry["proc_grid_rank"],
            "start": first, "stop": last})
    return section, dimensions


def _part(array: Array, cuts: Sequence[_Cut]) -> Array:
    """Collective. The selected part of the interior as an Array without padding, for reading."""
    return _imported(array, lambda: _described(array, cuts))


def _inside(array: Array) -> Array:
    """Collective. The array without boundary padding, on the same memory."""
    return array if array.padded_shape == array.shape else _daptor._without_padding(array)


def without_padding(a: Array) -> Array:
    """The elements without padding of either kind, as an Array on the same memory. Collective.

    a  an Array in any distribution

    Its padded_shape is its shape, that of the interior. What native libraries are given counts
    boundary padding, the ghost cells at the edges of the whole array: of the result, they get the
    elements between these alone. It is strided where there is padding in a dimension that is not
    the slowest varying one. Ghosts that lie between owned elements of a list stay in its section.
    A write is one to `a`. Where there is no padding, the result describes the same as `a`.

        daptor.redistribute(daptor.without_padding(T), t)   # t: an array of the shape T.shape

    Raises Malformed on all ranks if the sections of `a` do not form one array. On this rank alone
    InvalidArgument if `a` is no Array.
    """
    return _daptor._without_padding(array_given("a", a))


def _root(array: Array, root: Any) -> int:
    ranks = _daptor._rank_and_size(array)[1]
    expected = f"a rank, 0 to {ranks - 1}"
    number = integer("root", root, expected)
    if not 0 <= number < ranks:
        _daptor._invalid_argument("root", repr(root), expected)
    return number


_MOST_BYTES = 1 << 30  # of a message


def _on_all(elements: Any, array: Array, root: int) -> Any:
    """Collective. The elements of one rank on all ranks."""
    import numpy
    comm, shape = array.comm, array.comm.bcast(elements.shape, root)

    def room() -> Any:
        return numpy.ascontiguousarray(elements) if comm.rank == root else numpy.empty(
            shape, elements.dtype)

    result = _daptor.agreed(comm, room)
    line = result.reshape(-1).view("u1")
    for first in range(0, line.size, _MOST_BYTES):
        comm.Bcast(line[first:first + _MOST_BYTES], root)
    return result


def gather(a: Array, index: Any = None, *, root: int = 0, everywhere: bool = False) -> Any:
    """The elements of the interior, or a part of them, on one rank. Collective over the array.

    a      an Array in any distribution
    index  None for all elements, or numbers and slices of the indices of a.shape, as NumPy takes
           them: numpy.s_[3:5, :]. The same on all ranks
    root   the rank that gets them
    everywhere  whether all ranks get them

    Returns on `root`, or on all ranks, a NumPy array in the order of the global indices,
    whole[index], on memory of its own; None on the other ranks. Only selected elements travel.
    Ghost cells and boundary padding are left out; of an index that several ranks have in lists
    without owners, any copy is taken.

    Raises on all ranks: InvalidArgument for another index or root, and if they differ between
    ranks; LibraryFailed if a rank lacks the memory. On this rank alone InvalidArgument if `a` is no
    Array.

        row = daptor.gather(T, numpy.s_[17, :])
        if row is not None:
            plot(row)
    """
    import numpy
    array = array_given("a", a)
    with _daptor._Call(array, "gather"):

        def checked() -> Tuple[Any, List[Tuple[str, str]]]:
            if not isinstance(everywhere, (bool, numpy.bool_)):
                _daptor._invalid_argument("everywhere", type_text(everywhere), "True or False")
            return (_cuts(array, index), _root(array, root)), [
                ("index", repr(index)), ("root", repr(root)), ("everywhere", repr(everywhere))]

        cuts, to = _daptor._same(array, checked)
        part = _inside(array) if index is None else _part(array, cuts)
        whole = part.redistributed(layout.on_process(to), read_from_any=True)
        after = tuple(cut.after for cut in cuts)
        if everywhere:
            return _on_all(numpy.asarray(whole), array, to)[after]
        if _daptor._rank_and_size(array)[0] != to:
            return None
        return numpy.asarray(whole)[after]


def scatter(whole: Any, *, like: Array, root: int = 0) -> Array:
    """A new Array in the layout of another one, with elements from one rank. Collective.

    whole  on `root` an array of the shape like.shape; ignored on other ranks, which may pass None.
           Its elements are converted to the type of `like` as NumPy's same_kind casting allows
    like   an Array in any distribution, which is not changed
    root   the rank that has them

    Ghost cells between ranks are filled with their owners' elements; boundary padding is 0.

    Raises on all ranks: InvalidArgument for an array of another shape or type on `root`, for
    another root, and if it differs between ranks; the errors of zeros_like(). On this rank alone
    InvalidArgument if `like` is no Array.
    """
    import numpy
    array = array_given("like", like)
    with _daptor._Call(array, "scatter"):
        rank, ranks = _daptor._rank_and_size(array)

        def checked() -> Tuple[Any, List[Tuple[str, str]]]:
            return (_root(array, root),), [("root", repr(root))]

        (at,) = _daptor._same(array, checked)

        def described() -> Tuple[Any, List[Dict[str, Any]]]:
            if rank == at:
                elements = array_in("whole", whole)
                if elements.shape != array.shape:
                    _daptor._invalid_argument("whole", f"an array of shape {elements.shape}",
                                              f"an array of the shape of `like`, {array.shape}")
                if not numpy.can_cast(elements.dtype, array.dtype, "same_kind"):
                    _daptor._invalid_argument(
                        "whole", f"elements of type {elements.dtype}",
                        f"elements that same_kind casting converts to {array.dtype}",
                        "Pass like=daptor.zeros_like(a, dtype=whole.dtype).")
                elements = elements.astype(array.dtype, copy=False)
            else:
                elements = numpy.zeros((0,) + array.shape[1:], array.dtype)
            dimensions: List[Dict[str, Any]] = [{"dist_type": "n", "size": extent}
                                                for extent in array.shape]
            for first in dimensions[:1]:
                first.update(dist_type="b", proc_grid_size=ranks, proc_grid_rank=rank,
                             start=first["size"] if rank > at else 0,
                             stop=first["size"] if rank >= at else 0)
            return elements, dimensions

        source = _imported(array, described)
        result = zeros_like(array)
        _daptor.redistribute(source, _inside(result))
        padded = array.local_shape != array.owned_shape
        if _daptor._offsets(array, int(padded))[1]:
            _daptor.HaloExchange(result).update()
        return result


def _numbers(array: Array, indices: Any) -> Tuple[Any, Tuple[int, ...]]:
    """Row-major numbers of the elements at `indices`, and the shape of these. Process-local."""
    import numpy
    alone = array.ndim == 1 and not isinstance(indices, tuple)
    if not alone and not isinstance(indices, Iterable):
        _daptor._invalid_argument("indices", type_text(indices),
                                  f"a tuple of {array.ndim} arrays of indices")
    given = (indices,) if alone else tuple(indices)
    lines = [array_in("indices", each) for each in given]
    shapes = {line.shape for line in lines if line.ndim}
    if len(shapes) > 1:
        try:
            numpy.broadcast(*lines)
        except ValueError:
            _daptor._invalid_argument(
                "indices", "arrays of shapes " + " and ".join(map(str, sorted(shapes))),
                "arrays of one shape, or that NumPy broadcasts to one")
    if len(lines) != array.ndim or array.ndim == 0:
        _daptor._invalid_argument("indices", f"{len(lines)} arrays of indices",
                                  f"one for each of {array.ndim} dimensions")
    lines = [line.astype("int64") if line.size == 0 else line for line in lines]
    for dimension, (line, extent) in enumerate(zip(lines, array.shape)):
        if line.dtype.kind not in "iu":
            _daptor._invalid_argument("indices", f"elements of type {line.dtype}", "integers")
        outside = line[(line < -extent) | (line >= extent)]
        if outside.size:
            _daptor._invalid_argument(
                "indices", f"{outside.flat[0]} for dimension {dimension}",
                f"indices in [0, {extent}), or negative ones, which count from the end")
    lines = [numpy.where(line < 0, line + extent, line).astype("int64")
             for line, extent in zip(lines, array.shape)]
    lines = list(numpy.broadcast_arrays(*lines))
    number = numpy.zeros(lines[0].shape, "int64")
    for line, extent in zip(lines, array.shape):
        number = number * extent + line
    return number.ravel(), number.shape


def sample(self: Array, indices: Any) -> Any:
    """The elements at any global indices, on the rank that asks for them. Collective.

    indices  one array of integers for each dimension, or numbers, as NumPy takes them: what
             whole[i, j] is for a tuple (i, j), in the indices of a.shape. For one dimension also
             the array alone. Each rank passes its own, of any number

    Returns a NumPy array of the shape of the indices, on memory of its own. The elements come from
    their owners, once for each rank; an array of several dimensions, one of them divided by lists,
    is copied to blocks first.

    Raises InvalidArgument on all ranks for indices outside the array or of another type.

        T.sample(([3, 4], [0, 7]))     # T at (3, 0) and (4, 7)
    """
    import numpy
    with _daptor._Call(self, "Array.sample"):
        numbers: Any = None
        shape: Tuple[int, ...] = ()

        def described() -> Tuple[Any, List[Dict[str, Any]]]:
            nonlocal numbers, shape
            given, shape = _numbers(self, indices)
            wanted, numbers = numpy.unique(given, return_inverse=True)
            rank, ranks = _daptor._rank_and_size(self)
            return numpy.zeros(len(wanted), self.dtype), [
                {"dist_type": "u", "size": self.size, "proc_grid_size": ranks,
                 "proc_grid_rank": rank, "indices": wanted}]

        target = _imported(self, described)
        source = _inside(self)
        if self.ndim > 1 and any(entry["dist_type"] == "u"
                                 for entry in source.__distarray__()["dim_data"]):
            source = source.redistributed(layout.natural(), read_from_any=True)
        _daptor.redistribute(source, target, read_from_any=True)
        return numpy.asarray(target)[numbers].reshape(shape)
