# SPDX-License-Identifier: BSD-3-Clause
"""Sums, extremes and other numbers of all elements of an Array.

NumPy reduces the elements of each rank, and the results of the ranks are combined in pairs in their
order, so that the same layout always gives the same digits. Each element counts once: ghost cells
and boundary padding do not count, and of an index that several ranks have the owner's element does.
"""

from __future__ import annotations

import builtins
import operator
from typing import Any, Callable, List, NoReturn, Optional, Sequence, Tuple, cast

from . import _daptor
from ._builders import refuse_masked, type_text
from ._daptor import Array

Values = Sequence[Any]  # scalars of NumPy
Local = Callable[..., Optional[Values]]
Combine = Callable[[Values, Values], Values]


def _array(name: str, value: Any) -> Array:
    if not isinstance(value, Array):
        _daptor._invalid_argument(
            name, type_text(value), "a daptor.Array",
            "NumPy reduces this rank's elements: numpy.sum(x) and the like.")
    return value


def _refuse_axis(array: Array, axis: Any) -> NoReturn:
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    for each in axes:
        if not hasattr(type(each), "__index__") or not -array.ndim <= each < array.ndim:
            _daptor._invalid_argument("axis", repr(axis), "None: all elements are reduced")
    entries = array.__distarray__()["dim_data"]
    whole = builtins.all(entries[operator.index(each)]["dist_type"] == "n" for each in axes)
    _daptor._invalid_argument(
        "axis", repr(axis), "None: all elements are reduced",
        f"Write: u = a.interior.sum(axis={axis})  # or another function of NumPy: each rank has "
        "all of these dimensions" if whole else
        f"Write: u = daptor.gather(a)  # then on rank 0, which has it: u.sum(axis={axis})")


def _alike(key: str, array: Array, other: Any) -> Any:
    """The elements of `other` at those of this rank's interior. Process-local."""
    import numpy
    if isinstance(other, Array):
        if not _daptor._divided_alike(array, other):
            _daptor._invalid_argument(
                key, f"an Array of shape {other.shape} in another layout than a, of shape "
                f"{array.shape}", "an Array of the shape and layout of a",
                f"Write: w = daptor.empty_like(a, dtype={key}.dtype); "
                f"daptor.redistribute({key}, w)  # and pass w")
        return other._interior
    refuse_masked(key, other)
    local = numpy.asarray(other)
    if local.shape != array.interior_shape:
        _daptor._invalid_argument(
            key, f"an array of shape {local.shape}",
            f"an Array, or an array of the shape of a.interior, {array.interior_shape}")
    # A rank without elements may pass [], whose type says nothing.
    return local if local.size else local.astype(array.dtype)


def _mask(array: Array, where: Any) -> Any:
    mask = _alike("where", array, where)
    if mask.size and mask.dtype.kind not in "biu":
        _daptor._invalid_argument("where", f"elements of type {mask.dtype}", "truth values",
                                  "Pass a comparison: where=m != 0")
    return mask if mask.dtype.kind == "b" else mask != 0


class _Elements:
    """The elements of this rank that count.

    picks  for each dimension the positions that count, or None for all; None if all count
    """

    def __init__(self, name: str, array: Array, where: Any) -> None:
        """Collective, in the call of this name, if lists do not name owners."""
        self.array = array
        self.where = where
        self.picks: Optional[List[Any]] = _daptor._counted(array, name)

    def picked(self, section: Any) -> Any:
        if self.picks is not None:
            for dimension, picks in enumerate(self.picks):
                if picks is not None:
                    section = section.take(picks, dimension)
        return section

    def of(self, section: Any) -> Any:
        """Those of an array of the interior's shape; one-dimensional if there is a mask."""
        section = self.picked(section)
        if self.where is None:
            return section
        return section[self.picked(_mask(self.array, self.where))]

    def places(self) -> List[Any]:
        """Their global indices along each dimension."""
        places = list(self.array.global_indices)
        for dimension, picks in enumerate(self.picks or ()):
            if picks is not None:
                places[dimension] = places[dimension][picks]
        return places


def _kind_of(value: Any) -> str:
    return ("None" if value is None else
            "an Array" if isinstance(value, Array) else "values of each rank")


def _encoded(values: Optional[Values]) -> bytes:
    """With their types, which may differ between ranks where an operand is none of Daptor's."""
    return b"" if values is None else b"".join(
        value.dtype.str.encode() + b" " + value.tobytes() for value in values)


def _decoded(data: bytes) -> Tuple[Any, ...]:
    import numpy
    values = []
    while data:
        text, _, data = data.partition(b" ")
        kind = numpy.dtype(text.decode())
        values.append(numpy.frombuffer(data[:kind.itemsize], kind)[0])
        data = data[kind.itemsize:]
    return tuple(values)


def _reduced(name: str, array: Any, local: Local, combine: Combine, *, where: Any = None,
             axis: Any = None, others: Sequence[Any] = (),
             same: Sequence[Tuple[str, Any]] = ()) -> Optional[Tuple[Any, ...]]:
    """Collective. What `combine` makes of the values that `local` returns on the ranks.

    local    takes the _Elements, and returns scalars of NumPy, or None if there are no elements
    combine  takes the values of lower and of upper ranks
    others   further operands, for errors about different ranks
    same     arguments that must be the same on all ranks

    Returns None if no rank has an element.
    """
    array = _array("a", array)
    elements = _Elements(name, array, where)

    def reduce_local() -> Tuple[bytes, List[Tuple[str, str]]]:
        if axis is not None:
            _refuse_axis(array, axis)
        values = local(elements)
        return _encoded(values), [("where", _kind_of(where)),
                                  *((key, repr(value)) for key, value in same)]

    def join(lower: bytes, upper: bytes) -> bytes:
        return _encoded(combine(_decoded(lower), _decoded(upper)))

    data = _daptor._reduced(array, [where, *others], name, reduce_local, join)
    return _decoded(data) if data else None


def _only(values: Optional[Tuple[Any, ...]]) -> Any:
    assert values is not None  # reductions with an identity have a value on every rank
    return values[0]


def _require_elements(name: str, values: Optional[Tuple[Any, ...]]) -> Tuple[Any, ...]:
    """Raises on all ranks, because all have the same values."""
    if values is None:
        _daptor._invalid_argument("a", "no element", f"an element or more, of which there is a "
                                  f"{name}", "An empty array, or a mask that is false everywhere, "
                                  "has none.")
    return values


def _added(lower: Values, upper: Values) -> Values:
    import numpy
    return [numpy.add(x, y) for x, y in zip(lower, upper)]  # integers wrap around without a word


def sum(a: Array, *, where: Any = None, axis: None = None) -> Any:
    """The sum of all elements of the interior, as numpy.sum(whole) has it. Collective.

    a      an Array
    where  a mask: elements that count; an Array of the shape and layout of `a`, or on every rank
           an array of the shape of a.interior, of bools or integers
    axis   None: sums along one dimension are refused, with what to write

    Ghost cells and boundary padding do not count. An index that several ranks have counts once:
    the owner's element or, in lists that do not name owners, that of the lowest rank. The first
    reduction of such an Array finds these by an exchange of the lists, and keeps 8 bytes for each
    index (daptor.owned_then_ghosts names the owners).

    Returns the same value on all ranks, of NumPy's type for it; the same digits in every run of a
    layout on a number of ranks. Raises on all ranks: InvalidArgument for a mask of another shape,
    layout or type, and for an axis; Malformed if the sections do not form one array; ProducerFailed
    for what NumPy raises. Raises on this rank alone InvalidArgument if `a` is no Array.

        mean = daptor.sum(a) / a.size
        wet = daptor.sum(a, where=depth)       # an Array of the layout of a
        total = daptor.sum(a, where=a.interior > 0)
    """
    return _only(_reduced("sum", a, lambda e: [e.of(a._interior).sum()], _added, where=where,
                          axis=axis))


def mean(a: Array, *, where: Any = None, axis: None = None) -> Any:
    """The arithmetic mean, as numpy.mean(whole) has it. Collective; as sum().

    It is nan, with NumPy's warning, if there are no elements.
    """
    import numpy

    def local(elements: _Elements) -> Values:
        section = elements.of(a._interior)
        wide = {"b": "f8", "i": "f8", "u": "f8"}.get(section.dtype.kind)
        if section.dtype == "f2":
            wide = "f4"
        return [numpy.sum(section, dtype=wide), numpy.int64(section.size)]

    total, count = cast(Tuple[Any, Any], _reduced("mean", a, local, _added, where=where, axis=axis))
    kind = numpy.dtype("f2") if a.dtype == "f2" else total.dtype
    return kind.type(total / count)


def _extreme(name: str, function: Any, a: Any, where: Any, axis: Any) -> Any:
    def local(elements: _Elements) -> Optional[Values]:
        section = elements.of(a._interior)
        return [function.reduce(section, axis=None)] if section.size else None

    return _require_elements(name, _reduced(
        name, a, local, lambda x, y: [function(x[0], y[0])], where=where, axis=axis))[0]


def min(a: Array, *, where: Any = None, axis: None = None) -> Any:
    """The least element, or nan if one is. Collective; as sum().

    Raises InvalidArgument on all ranks if there are no elements.
    """
    import numpy
    return _extreme("min", numpy.minimum, a, where, axis)


def max(a: Array, *, where: Any = None, axis: None = None) -> Any:
    """The greatest element, or nan if one is. Collective; as min()."""
    import numpy
    return _extreme("max", numpy.maximum, a, where, axis)


def _in_order(elements: _Elements) -> Tuple[Any, Any, List[Any]]:
    """The elements, the mask or None, and their global indices, which increase."""
    import numpy
    section = elements.picked(elements.array._interior)
    mask = elements.where
    if mask is not None:
        mask = elements.picked(_mask(elements.array, mask))
    places = elements.places()
    for dimension, place in enumerate(places):
        if (place[1:] < place[:-1]).any():
            order = numpy.argsort(place, kind="stable")
            section = section.take(order, dimension)
            mask = mask if mask is None else mask.take(order, dimension)
            places[dimension] = place[order]
    return section, mask, places


def _place_of_extreme(name: str, find: Any, a: Any, where: Any, axis: Any) -> Any:
    import numpy

    def local(elements: _Elements) -> Optional[Values]:
        section, mask, places = _in_order(elements)
        numbers = None if mask is None else numpy.flatnonzero(mask)
        values = section if numbers is None else section.ravel()[numbers]
        if not values.size:
            return None
        found = int(find(values))
        at = found if numbers is None else numbers[found]
        number = 0
        for place, i, extent in zip(places, numpy.unravel_index(at, section.shape), a.shape):
            number = number * extent + int(place[i])
        return [values.flat[found], numpy.int64(number)]

    def combine(lower: Values, upper: Values) -> Values:
        first, second = lower[0], upper[0]
        if first == second or (first != first and second != second):
            return lower if lower[1] < upper[1] else upper
        return (lower, upper)[int(find(numpy.array([first, second])))]

    return numpy.intp(_require_elements(name, _reduced(
        name, a, local, combine, where=where, axis=axis))[1])


def argmin(a: Array, *, where: Any = None, axis: None = None) -> Any:
    """The row-major number of the first least element, as numpy.argmin(whole). Collective.

    numpy.unravel_index(daptor.argmin(a), a.shape) are its global indices. As min().
    """
    import numpy
    return _place_of_extreme("argmin", numpy.argmin, a, where, axis)


def argmax(a: Array, *, where: Any = None, axis: None = None) -> Any:
    """The row-major number of the first greatest element. Collective; as argmin()."""
    import numpy
    return _place_of_extreme("argmax", numpy.argmax, a, where, axis)


def _product(name: str, multiply: Callable[[Any, Any], Any], a: Any, b: Any, where: Any,
             axis: Any) -> Any:
    def local(elements: _Elements) -> Values:
        second = _alike("b", a, b)
        return [multiply(elements.of(a._interior).ravel(), elements.of(second).ravel())]

    return _only(_reduced(name, a, local, _added, where=where, axis=axis, others=[b],
                          same=[("b", _kind_of(b))]))


def dot(a: Array, b: Any, *, where: Any = None, axis: None = None) -> Any:
    """The sum of the products of the elements of `a` and `b`, of any dimensions. Collective.

    b  an Array of the shape and layout of `a`, or on every rank an array of the shape of a.interior

    numpy.dot(x, y) of two lines; complex elements are not conjugated, as by vdot(). (A product of
    matrices is that of ScaLAPACK: daptor.scalapack.) Other arguments and errors as for sum().
    """
    import numpy
    return _product("dot", numpy.dot, a, b, where, axis)


def vdot(a: Array, b: Any, *, where: Any = None, axis: None = None) -> Any:
    """As dot(), with the elements of `a` conjugated: numpy.vdot(x, y). Collective."""
    import numpy
    return _product("vdot", numpy.vdot, a, b, where, axis)


def _square(section: Any) -> Any:
    import numpy
    line = section.ravel(order="K")
    if line.dtype.kind == "c":
        return numpy.dot(line.real, line.real) + numpy.dot(line.imag, line.imag)
    return numpy.dot(line, line)


def norm(a: Array, ord: Any = None, *, where: Any = None, axis: None = None) -> Any:
    """The Euclidean norm of all elements, as numpy.linalg.norm(whole) has it. Collective.

    ord  None or 2; for one dimension also 1, the sum of the absolute values, and numpy.inf, their
         maximum (NumPy's norms of two dimensions are those of matrices)

    Other arguments and errors as for sum().
    """
    import numpy

    def local(elements: _Elements) -> Values:
        if ord is not None and (a.ndim != 1 or ord not in (1, 2, numpy.inf)):
            _daptor._invalid_argument(
                "ord", f"{ord!r} for {a.ndim} dimensions",
                "None, or for one dimension 1, 2 or numpy.inf",
                "Write: s = daptor.norm(a)  # the Euclidean norm of all elements")
        section = elements.of(a._interior)
        if section.dtype.kind not in "fc":
            section = section.astype(float)
        if ord == 1:
            return [numpy.sum(numpy.abs(section))]
        if ord == numpy.inf:
            return [numpy.max(numpy.abs(section), initial=0)]
        return [_square(section)]

    value = _only(_reduced(
        "norm", a, local, lambda x, y: [numpy.maximum(x[0], y[0])] if ord == numpy.inf
        else _added(x, y), where=where, axis=axis, same=[("ord", ord)]))
    return value if ord in (1, numpy.inf) else numpy.sqrt(value)


def any(a: Array, *, where: Any = None, axis: None = None) -> Any:
    """Whether an element is not 0. Collective; as sum()."""
    import numpy
    return _only(_reduced("any", a, lambda e: [numpy.any(e.of(a._interior))],
                          lambda x, y: [numpy.logical_or(x[0], y[0])], where=where, axis=axis))


def all(a: Array, *, where: Any = None, axis: None = None) -> Any:
    """Whether no element is 0. Collective; as sum()."""
    import numpy
    return _only(_reduced("all", a, lambda e: [numpy.all(e.of(a._interior))],
                          lambda x, y: [numpy.logical_and(x[0], y[0])], where=where, axis=axis))


def count_nonzero(a: Array, *, where: Any = None, axis: None = None) -> int:
    """The number of elements that are not 0. Collective; as sum()."""
    import numpy
    return int(_only(_reduced(
        "count_nonzero", a, lambda e: [numpy.int64(numpy.count_nonzero(e.of(a._interior)))], _added,
        where=where, axis=axis)))


def allclose(a: Array, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False,
             *, where: Any = None, axis: None = None) -> bool:
    """Whether all elements of `a` and `b` are equal within a tolerance. Collective.

    b  as for dot(), or a number
    rtol, atol, equal_nan  as for numpy.allclose: abs(a - b) <= atol + rtol * abs(b)

    Other arguments and errors as for sum().
    """
    import numpy
    number = isinstance(b, (bool, int, float, complex, numpy.number, numpy.bool_))

    def local(elements: _Elements) -> Values:
        if not isinstance(equal_nan, (bool, numpy.bool_)):
            _daptor._invalid_argument("equal_nan", type_text(equal_nan), "True or False")
        second = b if number else elements.of(_alike("b", a, b))
        return [numpy.bool_(numpy.allclose(elements.of(a._interior), second, rtol, atol,
                                           equal_nan))]

    return bool(_only(_reduced(
        "allclose", a, local, lambda x, y: [numpy.logical_and(x[0], y[0])], where=where, axis=axis,
        others=[b], same=[("b", repr(b) if number else _kind_of(b)), ("rtol", rtol),
                          ("atol", atol), ("equal_nan", equal_nan)])))


REDUCTIONS = (sum, mean, min, max, argmin, argmax, dot, vdot, norm, any, all, count_nonzero,
              allclose)
