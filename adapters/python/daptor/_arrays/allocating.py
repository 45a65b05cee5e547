# SPDX-License-Identifier: BSD-3-Clause
"""Arrays on memory of their own: of a shape, of a function, or like another one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, List, Literal, Tuple

from .. import _daptor
from .builders import (Division, Extents, Section, array_given, array_in, block_dimensions, builder,
                       require_function)

if TYPE_CHECKING:
    from typing_extensions import Unpack

Order = Literal["C", "F"]


@builder
def local_shape(shape: Extents, comm: Any, **division: Unpack[Division]) -> Tuple[int, ...]:
    """The shape of this rank's section, including all padding: allocate this for block().

    Collective over `comm`. Arguments as for block().

    Raises, on all ranks, InvalidArgument and Malformed as block().

        u = numpy.zeros(daptor.local_shape((40, 30), comm, ghosts=1))
        a = daptor.block(u, comm, shape=(40, 30), ghosts=1)
    """
    return _daptor.agreed(comm, lambda: block_dimensions(shape, comm, **division)).local_shape


def _allocated(make: Callable[[Tuple[int, ...]], Any], shape: Extents, comm: Any,
               division: Division) -> "_daptor.Array":
    section = Section(None, lambda _: block_dimensions(shape, comm, **division), make)
    return _daptor._import_section(section, comm)


@builder
def zeros(shape: Extents, comm: Any, *, dtype: Any = float, order: Order = "C",
          **division: Unpack[Division]) -> "_daptor.Array":
    """A block array of zeros, each rank's section a new NumPy array. Collective over `comm`.

    shape  global extents, as for block()
    dtype  element type
    order  which dimension varies fastest in memory: "C", the last, or "F", the first
    grid, ghosts, padding, boundary, periodic, bounds, components
           as for block()

    numpy.asarray(a) is this rank's section, including padding; the memory lives as long as any
    object made from it.

        velocity = daptor.zeros((ny, nx), comm, components=2, ghosts=1)  # of shape (ny, nx, 2)

    Raises, on all ranks, as block(), and ProducerFailed if NumPy has no such type or memory is
    exhausted.
    """
    import numpy
    return _allocated(lambda local: numpy.zeros(local, dtype, order), shape, comm, division)


@builder
def empty(shape: Extents, comm: Any, *, dtype: Any = float, order: Order = "C",
          **division: Unpack[Division]) -> "_daptor.Array":
    """As zeros(), but with uninitialized elements. Collective over `comm`."""
    import numpy
    return _allocated(lambda local: numpy.empty(local, dtype, order), shape, comm, division)


@builder
def ones(shape: Extents, comm: Any, *, dtype: Any = float, order: Order = "C",
         **division: Unpack[Division]) -> "_daptor.Array":
    """As zeros(), but with all elements 1, including padding. Collective over `comm`."""
    import numpy
    return _allocated(lambda local: numpy.ones(local, dtype, order), shape, comm, division)


def _one(key: str, value: Any, dtype: Any) -> Any:
    """Of several NumPy would make columns of this rank's section, if their number fits."""
    element = array_in(key, value, dtype)
    if element.ndim > 0:
        _daptor._invalid_argument(key, f"an array of shape {element.shape}",
                                  "one value for all elements",
                                  "Fill the interior: a.interior[...] = values")
    return element


@builder
def full(shape: Extents, value: Any, comm: Any, *, dtype: Any = None, order: Order = "C",
         **division: Unpack[Division]) -> "_daptor.Array":
    """As zeros(), but with all elements set to `value`, including padding. Collective over `comm`.

    dtype  element type; None: the type of `value`
    """
    import numpy

    def make(local: Tuple[int, ...]) -> Any:
        return numpy.full(local, _one("value", value, dtype), dtype, order)

    return _allocated(make, shape, comm, division)


@builder
def from_function(function: Callable[..., Any], shape: Extents, comm: Any, *, dtype: Any = None,
                  order: Order = "C", **division: Unpack[Division]) -> "_daptor.Array":
    """As zeros(), with elements that are a function of their global indices. Collective.

    function  takes one array of integers for each dimension, components included: the global
              indices of the elements of this rank. It returns their values, as numpy.fromfunction
              calls it for the whole, and must not communicate
    dtype     element type; None: that of the values

    The indices are those of a.shape. Copies of what neighbours own (ghost cells between ranks, and
    all of a periodic dimension) have the function's value at the owner's index, so that no exchange
    is needed; boundary padding is 0.

        T = daptor.from_function(lambda i, j: numpy.sin(h * i) * j, (ny, nx), comm, ghosts=1)

    Raises, on all ranks, as zeros(), and ProducerFailed if the function raises.
    """
    import numpy
    built: List[_daptor._Dimensions] = []

    def dimensions(_: Any) -> _daptor._Dimensions:
        built.append(block_dimensions(shape, comm, **division))
        return built[0]

    def make(local: Tuple[int, ...]) -> Any:
        require_function("function", function)
        slices, indices = built[0].unbounded
        values = array_in("function", function(*numpy.meshgrid(*indices, indexing="ij")))
        section = numpy.zeros(local, values.dtype if dtype is None else dtype, order)
        target = section[slices]
        if values.shape not in ((), target.shape):  # no broadcasting along this rank's section
            _daptor._invalid_argument(
                "function", f"values of shape {values.shape}",
                f"a number, or one for each element of this rank: shape {target.shape}")
        section[slices] = values
        return section

    return _daptor._import_section(Section(None, dimensions, make), comm)


def _order(array: "_daptor.Array") -> Order:
    strides = array.byte_strides
    return "F" if len(strides) > 1 and strides[0] < strides[-1] else "C"


def _like(name: str, array: Any, make: Callable[[Tuple[int, ...]], Any]) -> "_daptor.Array":
    known = array_given("a", array)
    with _daptor._Call(known, name):
        made = _daptor._import_section(Section(None, lambda _: known._dimensions(), make),
                                       known.comm)
    made._labels = known._labels
    return made


def zeros_like(a: "_daptor.Array", *, dtype: Any = None) -> "_daptor.Array":
    """Zeros in the layout of `a`, padding included, on new memory. Collective over its ranks.

    a      an Array in any distribution
    dtype  element type; None: that of `a`

    a.like(layout) makes zeros in another layout.

    Raises on all ranks: Malformed if the sections of `a` do not form one array; ProducerFailed if
    NumPy has no such type or memory is exhausted.
    """
    import numpy
    return _like("zeros_like", a, lambda local: numpy.zeros(
        local, a.dtype if dtype is None else dtype, _order(a)))


def ones_like(a: "_daptor.Array", *, dtype: Any = None) -> "_daptor.Array":
    """As zeros_like(), with all elements 1, including padding. Collective."""
    import numpy
    return _like("ones_like", a, lambda local: numpy.ones(
        local, a.dtype if dtype is None else dtype, _order(a)))


def empty_like(a: "_daptor.Array", *, dtype: Any = None) -> "_daptor.Array":
    """As zeros_like(), with uninitialized elements. Collective."""
    import numpy
    return _like("empty_like", a, lambda local: numpy.empty(
        local, a.dtype if dtype is None else dtype, _order(a)))


def full_like(a: "_daptor.Array", value: Any, *, dtype: Any = None) -> "_daptor.Array":
    """As zeros_like(), with all elements set to `value`, including padding. Collective."""
    import numpy

    def make(local: Tuple[int, ...]) -> Any:
        kind = a.dtype if dtype is None else dtype
        return numpy.full(local, _one("value", value, kind), kind, _order(a))

    return _like("full_like", a, make)


def copy(a: "_daptor.Array") -> "_daptor.Array":
    """The elements of `a`, padding included, in the same layout on new memory. Collective.

    Errors as for zeros_like(), and ProducerFailed for an array without memory.
    """
    import numpy
    return _like("copy", a, lambda _: numpy.array(a, order="K"))


def astype(self: "_daptor.Array", dtype: Any) -> "_daptor.Array":
    """The elements converted to another type, in the same layout on new memory. Collective.

    dtype  element type, as NumPy names it; "=f8" also has the byte order of this machine

    As copy(), and as numpy.ndarray.astype() converts.
    """
    import numpy
    return _like("Array.astype", self, lambda _: numpy.asarray(self).astype(dtype, order="K"))
