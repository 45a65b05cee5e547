# SPDX-License-Identifier: BSD-3-Clause
"""Sums, extremes and other numbers of all elements of an Array.

They are those of C++ (daptor/reductions.hpp), with results of NumPy's types. Each element counts
once: ghost cells and boundary padding do not count, and of an index that several ranks have the
owner's element does. The same layout always gives the same digits.
"""

from __future__ import annotations

import builtins
import operator
from typing import Any, Callable, Dict, NamedTuple, NoReturn, Optional, Sequence, Tuple

from .. import _daptor
from .._arrays.builders import array_given, refuse_masked, type_text
from .._daptor import Array

_ADVICE = "NumPy reduces this rank's elements: numpy.sum(x) and the like."
# NumPy's functions along an axis that are no methods of an array: of u, and of u and v.
_ALONG_AXIS = {"norm": "numpy.linalg.norm({u}, axis={axis})",
               "count_nonzero": "numpy.count_nonzero({u}, axis={axis})",
               "dot": "({u} * {v}).sum(axis={axis})", "vdot": "({u}.conj() * {v}).sum(axis={axis})",
               "allclose": "numpy.isclose({u}, {v}).all(axis={axis})"}
_OWN = "{}.interior"


def _axis_line(name: str, axis: Any, whole: bool) -> str:
    """What to write for a reduction along axes.

    whole  whether each rank has all of these dimensions
    """
    call = _ALONG_AXIS.get(name, f"{{u}}.{name}(axis={{axis}})")
    if whole:
        line = call.format(u=_OWN.format("a"), v=_OWN.format("b"), axis=axis)
        return f"s = {line}  # each rank has all of these dimensions"
    second = "; v = daptor.gather(b)" if "{v}" in call else ""
    return (f"u = daptor.gather(a){second}  # then on rank 0, which has it: "
            f"{call.format(u='u', v='v', axis=axis)}")


def _refuse_axis(name: str, array: Array, axis: Any) -> NoReturn:
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    for each in axes:
        if not hasattr(type(each), "__index__") or not -array.ndim <= each < array.ndim:
            _daptor._invalid_argument("axis", repr(axis), "None: all elements are reduced")
    entries = array.__distarray__()["dim_data"]
    whole = builtins.all(entries[operator.index(each)]["dist_type"] == "n" for each in axes)
    _daptor._invalid_argument("axis", repr(axis), "None: all elements are reduced",
                              f"Write: {_axis_line(name, axis, whole)}")


def _alike(key: str, array: Array, other: Any) -> Any:
    """`other` as an operand: an Array, or this rank's elements as an array. Process-local."""
    import numpy
    if isinstance(other, Array):
        if not _daptor._divided_alike(array, other):
            _daptor._invalid_argument(
                key, f"an Array of shape {other.shape} in another layout than a, of shape "
                f"{array.shape}", "an Array of the shape and layout of a",
                f"Write: w = daptor.empty_like(a, dtype={key}.dtype); "
                f"daptor.redistribute({key}, w)  # and pass w")
        return other
    refuse_masked(key, other)
    local = numpy.asarray(other)
    if local.shape != array.interior_shape:
        _daptor._invalid_argument(
            key, f"an array of shape {local.shape}",
            f"an Array, or an array of the shape of a.interior, {array.interior_shape}")
    # A rank without elements may pass [], whose type says nothing.
    return local if local.size else local.astype(array.dtype)


def _mask(array: Array, where: Any) -> Any:
    import numpy
    mask = _alike("where", array, where)
    if mask.dtype.kind in "biu":
        return mask
    if isinstance(mask, Array) or mask.size:
        _daptor._invalid_argument("where", f"elements of type {mask.dtype}", "truth values",
                                  "Pass a comparison: where=m != 0")
    return numpy.zeros(mask.shape, bool)


def _kind_of(value: Any) -> str:
    return ("None" if value is None else
            "an Array" if isinstance(value, Array) else "values of each rank")


class _Result(NamedTuple):
    """What C++ says of all ranks, the same on each.

    kind      NumPy's type of the value
    elements  how many there are
    matches   how many are not 0, or differ
    place     row-major number of the extreme
    centre    the value, for a further reduction
    """

    kind: str
    value: Any
    elements: int
    matches: int
    place: int
    overflow: bool
    invalid: bool
    centre: Any


def _told(result: _Result) -> None:
    """What NumPy says of such arithmetic: a warning or, as numpy.errstate has it, an error."""
    import numpy
    if result.overflow:
        numpy.add(numpy.float64(numpy.finfo("f8").max), numpy.float64(numpy.finfo("f8").max))
    if result.invalid:
        numpy.subtract(numpy.float64(numpy.inf), numpy.float64(numpy.inf))


def _reduced(name: str, how: str, array: Any, *, where: Any = None, axis: Any = None, b: Any = None,
             same: Sequence[Tuple[str, Any]] = (), centre: Any = None,
             prepare: Optional[Callable[[], Dict[str, Any]]] = None) -> _Result:
    """Collective. A reduction of all elements.

    how      what C++ calls it, unless `prepare` says it
    b        a further operand, or None
    same     arguments that must be the same on all ranks
    prepare  returns further arguments of this rank; what it raises is raised on all ranks
    """
    array = array_given("a", array, _ADVICE)

    def prepared() -> Dict[str, Any]:
        if axis is not None:
            _refuse_axis(name, array, axis)
        said = dict(prepare()) if prepare else {}
        if where is not None:
            said["where"] = _mask(array, where)
        if b is not None:
            said["b"] = _alike("b", array, b)
        said["same"] = [("where", _kind_of(where)), *((key, repr(value)) for key, value in same)]
        return said

    result = _Result(*_daptor._reduced(array, how, [where, b], name, prepared, centre))
    if result.overflow or result.invalid:
        _daptor.agreed(array.comm, lambda: _told(result))
    return result


def _scalar(result: _Result, kind: Any = None) -> Any:
    """The value as NumPy has it, of this type or that of the result."""
    import numpy
    value, kind = result.value, numpy.dtype(kind or result.kind)
    if isinstance(value, bytes):
        value = numpy.frombuffer(value, "G" if len(value) > 16 else "g")[0]
    if kind.kind in "iu":  # integers wrap around
        return numpy.asarray(value, "u8" if value >= 0 else "i8").astype(kind)[()]
    return kind.type(value)


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
    return _scalar(_reduced("sum", "sum", a, where=where, axis=axis))


def mean(a: Array, *, where: Any = None, axis: None = None) -> Any:
    """The arithmetic mean, as numpy.mean(whole) has it. Collective; as sum().

    It is nan, with NumPy's warning, if there are no elements.
    """
    import numpy
    result = _reduced("mean", "mean", a, where=where, axis=axis)
    if result.elements == 0:
        numpy.float64(0) / numpy.int64(0)
    return _scalar(result)


def _deviation(name: str, a: Any, ddof: Any, dtype: Any, where: Any, axis: Any) -> Any:
    """The variance, in many digits, and its type."""
    import numpy

    def prepare() -> Dict[str, Any]:
        if isinstance(ddof, (bool, numpy.bool_)) or not isinstance(
                ddof, (int, float, numpy.integer, numpy.floating)):
            _daptor._invalid_argument("ddof", type_text(ddof), "a number")
        if dtype is not None and numpy.dtype(dtype).kind != "f":
            _daptor._invalid_argument("dtype", str(numpy.dtype(dtype)), "a floating-point type")
        return {}

    with _daptor._Call(array_given("a", a, _ADVICE), name):
        first = _reduced(name, "mean", a, where=where, axis=axis,
                         same=[("ddof", ddof), ("dtype", dtype)], prepare=prepare)
        squares = _reduced(name, "deviation", a, where=where, centre=first.centre)
    wide = numpy.dtype("g" if isinstance(squares.value, bytes) else "f8")
    divisor = wide.type(builtins.max(squares.elements - ddof, 0))
    return _scalar(squares, wide) / divisor, numpy.dtype(dtype or squares.kind)


def var(a: Array, *, ddof: float = 0, dtype: Any = None, where: Any = None,
        axis: None = None) -> Any:
    """The variance, as numpy.var(whole) has it. Collective; as sum().

    ddof   the sum of squares is divided by the number of elements less this
    dtype  a floating-point type of the result; None: NumPy's. Sums have double precision or more

    It is nan or inf, with NumPy's warning, if the divisor is not positive.
    """
    value, kind = _deviation("var", a, ddof, dtype, where, axis)
    return kind.type(value)


def std(a: Array, *, ddof: float = 0, dtype: Any = None, where: Any = None,
        axis: None = None) -> Any:
    """The standard deviation, as numpy.std(whole) has it. Collective; as var()."""
    import numpy
    value, kind = _deviation("std", a, ddof, dtype, where, axis)
    return kind.type(numpy.sqrt(value))


def _extreme(name: str, a: Any, where: Any, axis: Any) -> _Result:
    result = _reduced(name, name, a, where=where, axis=axis)
    if result.elements == 0:  # on all ranks
        _daptor._invalid_argument("a", "no element", f"an element or more, of which there is a "
                                  f"{name}", "An empty array, or a mask that is false everywhere, "
                                  "has none.")
    return result


def min(a: Array, *, where: Any = None, axis: None = None) -> Any:
    """The least element, or nan if one is. Collective; as sum().

    Raises InvalidArgument on all ranks if there are no elements.
    """
    return _scalar(_extreme("min", a, where, axis))


def max(a: Array, *, where: Any = None, axis: None = None) -> Any:
    """The greatest element, or nan if one is. Collective; as min()."""
    return _scalar(_extreme("max", a, where, axis))


def argmin(a: Array, *, where: Any = None, axis: None = None) -> Any:
    """The row-major number of the first least element, as numpy.argmin(whole). Collective.

    numpy.unravel_index(daptor.argmin(a), a.shape) are its global indices. As min().
    """
    import numpy
    return numpy.intp(_extreme("argmin", a, where, axis).place)


def argmax(a: Array, *, where: Any = None, axis: None = None) -> Any:
    """The row-major number of the first greatest element. Collective; as argmin()."""
    import numpy
    return numpy.intp(_extreme("argmax", a, where, axis).place)


def dot(a: Array, b: Any, *, where: Any = None, axis: None = None) -> Any:
    """The sum of the products of the elements of `a` and `b`, of any dimensions. Collective.

    b  an Array of the shape and layout of `a`, or on every rank an array of the shape of a.interior

    numpy.dot(x, y) of two lines; complex elements are not conjugated, as by vdot(). (A product of
    matrices is that of ScaLAPACK: daptor.scalapack.) Other arguments and errors as for sum().
    """
    return _scalar(_reduced("dot", "dot", a, where=where, axis=axis, b=b,
                            same=[("b", _kind_of(b))]))


def vdot(a: Array, b: Any, *, where: Any = None, axis: None = None) -> Any:
    """As dot(), with the elements of `a` conjugated: numpy.vdot(x, y). Collective."""
    return _scalar(_reduced("vdot", "vdot", a, where=where, axis=axis, b=b,
                            same=[("b", _kind_of(b))]))


def norm(a: Array, ord: Any = None, *, where: Any = None, axis: None = None) -> Any:
    """The Euclidean norm of all elements, as numpy.linalg.norm(whole) has it. Collective.

    ord  None or 2; for one dimension also 1, the sum of the absolute values, and numpy.inf, their
         maximum (NumPy's norms of two dimensions are those of matrices)

    Other arguments and errors as for sum().
    """
    import numpy
    how = "square"

    def prepare() -> Dict[str, Any]:
        nonlocal how
        if ord is not None and (a.ndim != 1 or ord not in (1, 2, numpy.inf)):
            _daptor._invalid_argument(
                "ord", f"{ord!r} for {a.ndim} dimensions",
                "None, or for one dimension 1, 2 or numpy.inf",
                "Write: s = daptor.norm(a)  # the Euclidean norm of all elements")
        how = "absolute" if ord == 1 else "largest" if ord == numpy.inf else "square"
        return {"how": how}

    result = _reduced("norm", how, a, where=where, axis=axis, same=[("ord", ord)], prepare=prepare)
    if how != "square":
        return _scalar(result)
    wide = _scalar(result, "g" if isinstance(result.value, bytes) else "f8")
    return numpy.dtype(result.kind).type(numpy.sqrt(wide))


def any(a: Array, *, where: Any = None, axis: None = None) -> Any:
    """Whether an element is not 0. Collective; as sum()."""
    import numpy
    return numpy.bool_(_reduced("any", "nonzero", a, where=where, axis=axis).matches > 0)


def all(a: Array, *, where: Any = None, axis: None = None) -> Any:
    """Whether no element is 0. Collective; as sum()."""
    import numpy
    result = _reduced("all", "nonzero", a, where=where, axis=axis)
    return numpy.bool_(result.matches == result.elements)


def count_nonzero(a: Array, *, where: Any = None, axis: None = None) -> int:
    """The number of elements that are not 0. Collective; as sum()."""
    return _reduced("count_nonzero", "nonzero", a, where=where, axis=axis).matches


def _as_number(a: Array, b: Any) -> Tuple[Any, Any]:
    """A number in the type in which NumPy compares it with elements of `a`."""
    import numpy
    number = numpy.asarray(b)
    number = numpy.asarray(number, numpy.result_type(number, 1.0))
    kind = numpy.result_type(numpy.empty(1, a.dtype), number)
    kind = numpy.result_type(kind, numpy.float16)
    return kind, (complex if kind.kind == "c" else float)(number.astype(kind)[()])


def allclose(a: Array, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False,
             *, where: Any = None, axis: None = None) -> bool:
    """Whether all elements of `a` and `b` are equal within a tolerance. Collective.

    b  as for dot(), or a number
    rtol, atol, equal_nan  as for numpy.allclose: abs(a - b) <= atol + rtol * abs(b)

    Other arguments and errors as for sum().
    """
    import numpy
    number = isinstance(b, (bool, int, float, complex, numpy.number, numpy.bool_))

    def prepare() -> Dict[str, Any]:
        if not isinstance(equal_nan, (bool, numpy.bool_)):
            _daptor._invalid_argument("equal_nan", type_text(equal_nan), "True or False")
        said: Dict[str, Any] = {"tolerance": (float(rtol), float(atol), bool(equal_nan))}
        if number:
            said["number"] = _as_number(a, b)
        return said

    result = _reduced("allclose", "differences", a, where=where, axis=axis,
                      b=None if number else b,
                      same=[("b", repr(b) if number else _kind_of(b)), ("rtol", rtol),
                            ("atol", atol), ("equal_nan", equal_nan)], prepare=prepare)
    return result.matches == 0


REDUCTIONS: Tuple[Callable[..., Any], ...] = (
    sum, mean, std, var, min, max, argmin, argmax, dot, vdot, norm, any, all, count_nonzero,
    allclose)
