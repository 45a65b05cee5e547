# SPDX-License-Identifier: BSD-3-Clause
"""Distributed arrays from the sections that the ranks hold: NumPy arrays and other buffers.

Each builder makes a small producer, which is imported like any other: its description is judged by
the same rules, and a mistake on one rank is the same error on all ranks.
"""

from __future__ import annotations

import functools
import inspect
import operator
import sys
from collections.abc import Iterable
from typing import (TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, Tuple, TypedDict,
                    TypeVar, Union, cast)

from .. import _daptor
from .labels import labels_of, text_of, values_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

Dictionaries = Tuple[Dict[str, Any], ...]
Built = Union["_daptor._Dimensions", Dictionaries]
Extents = Union[int, Sequence[int]]
Grid = Union[int, Sequence[Optional[int]]]
Width = Union[int, Sequence[int]]
Widths = Union[Width, Sequence[Width]]
Bounds = Sequence[Optional[Tuple[int, int]]]
# None: that of a Cartesian communicator, or not periodic.
Periodic = Optional[Union[bool, Sequence[bool]]]


class Division(TypedDict, total=False):
    """How arrays in blocks are divided: the keywords of block_dimensions(), for type checkers."""
    grid: Optional[Grid]
    ghosts: Width
    padding: Widths
    boundary: Widths
    periodic: Periodic
    bounds: Optional[Bounds]
    components: Extents


class Section:
    """A producer: a buffer, and a function that describes the buffer's dimensions.

    built   the dimensions, if C++ made them; None if they are dictionaries
    advice  what to do if the buffer has another shape
    """

    def __init__(self, array: Any, dimensions: Callable[[Any], "Built"],
                 make: Optional[Callable[[Tuple[int, ...]], Any]] = None) -> None:
        self.array = array
        self.dimensions = dimensions
        self.make = make
        self.built: Optional[_daptor._Dimensions] = None
        self.advice = ""

    def __distarray__(self) -> Dict[str, Any]:
        if self.make is None:
            self.array = memory_of(self.array)
        built = self.dimensions(self.array)
        if not isinstance(built, _daptor._Dimensions):
            return {"__version__": "0.9.0", "buffer": self.array, "dim_data": built}
        self.built = built
        dictionaries = built.dictionaries
        if self.make is not None:
            self.array = self.make(built.local_shape)
        self.advice = _advice(self.array, built)
        return {"__version__": "0.9.0", "buffer": self.array, "dim_data": dictionaries}


def refuse_masked(key: str, value: Any) -> None:
    """Raises InvalidArgument for an array of numpy.ma, whose mask no buffer has."""
    masked = sys.modules.get("numpy.ma")
    if masked is not None and isinstance(value, masked.MaskedArray):
        _daptor._invalid_argument(
            key, "an array of numpy.ma, whose mask would be lost", "a NumPy array without a mask",
            _daptor._masked_remedy)


def _instead(array: Any) -> str:
    """What to pass in place of an object that is no memory which ranks can share."""
    if hasattr(array, "__array_interface__"):
        return "Pass numpy.asarray(x), which is on the same memory."
    if type(array).__module__.partition(".")[0] == "dask":
        return "Compute it on this rank, and pass the NumPy array that x.compute() returns."
    if hasattr(array, "__array__"):
        return ("Pass the NumPy array that it holds: x.values, or numpy.asarray(x), which is a "
                "copy if it holds none.")
    if isinstance(array, Iterable) and not isinstance(array, (str, dict)):
        return ("Make a NumPy array of it, u = numpy.array(x), and pass u, which is then the "
                "memory that is shared.")
    return "Pass this rank's section: a NumPy array, or another buffer."


def type_text(value: Any) -> str:
    package = type(value).__module__.partition(".")[0]
    name = type(value).__name__
    return f"a value of type {name if package == 'builtins' else package + '.' + name}"


def memory_of(array: Any) -> Any:
    """The array itself if it is a buffer; the memory of an array that only has `__dlpack__` or
    `__cuda_array_interface__`, and the NumPy array behind an object of xarray or pandas.

    Raises InvalidArgument for any other object, and for one of numpy.ma.
    """
    refuse_masked("array", array)
    values = values_of("array", array)
    if values is not None:
        return values
    try:
        with memoryview(array):
            return array
    except TypeError:
        memory = _daptor._memory_of(array)
        if memory is not None:
            return memory
        if hasattr(type(array), "__buffer__"):
            return array  # refused where it is read, with what its exporter says
        _daptor._invalid_argument("array", type_text(array),
                                  "an array whose memory can be shared", _instead(array))
    except (BufferError, ValueError):
        memory = _daptor._memory_of(array) if isinstance(array, _daptor.Array) else None
        return array if memory is None else memory


def _indices(values: Any) -> Any:
    """The same for a list of indices, which may be a Python list or a range."""
    if isinstance(values, range):
        return list(values)
    refuse_masked("indices", values)
    return values if isinstance(values, (list, tuple)) else memory_of(values)


def _advice(array: Any, built: "_daptor._Dimensions") -> str:
    """What to do if the array does not have the shape of this rank's section; else empty."""
    try:
        extents = extents_of(array)
    except (TypeError, BufferError, ValueError):
        return ""
    shape = built.local_shape
    if extents == shape:
        return ""
    empty = [d for d, (extent, inner) in enumerate(zip(shape, built.interior_shape))
             if extent == inner == 0]
    if empty:
        return (f"Along dimension {empty[0]} this rank has no indices, and it is at the end, where "
                "such a rank has no ghost cells either. Pass an array of shape "
                f"{shape} here: allocate it with daptor.zeros, or query daptor.local_shape, with "
                "the same arguments. Or use fewer ranks along the dimension (grid=).")
    said = (f"This rank's section has shape {shape}, including padding: allocate it with "
            "daptor.zeros, or query daptor.local_shape, with the same arguments.")
    beyond = [extent - inner for extent, inner in zip(extents, built.interior_shape)]
    if len(extents) == len(shape) and any(beyond) and all(
            width >= 0 and width % 2 == 0 for width in beyond):
        half = [width // 2 for width in beyond]
        widths = repr(half[0] if len(set(half)) == 1 else tuple(half))
        said += (f" For ghost cells of width {widths} on all sides of the memory set "
                 f"ghosts={widths}, and leave out padding.")
    return said


def array_in(key: str, value: Any, dtype: Any = None) -> Any:
    """A NumPy array of what a user has passed or a user's function has returned.

    Raises InvalidArgument for an array of numpy.ma and for what NumPy makes no array of.
    """
    import numpy
    refuse_masked(key, value)
    kind = None if dtype is None else numpy.dtype(dtype)
    try:
        return numpy.asarray(value, kind)
    except Exception as error:
        _daptor._invalid_argument(
            key, f"{type_text(value)}, of which NumPy makes no array ({error})",
            "an array of numbers")


def array_given(key: str, value: Any, advice: str = "") -> "_daptor.Array":
    """The Array that a user has passed; InvalidArgument for anything else."""
    if not isinstance(value, _daptor.Array):
        _daptor._invalid_argument(key, type_text(value), "a daptor.Array", advice)
    array: _daptor.Array = value
    return array


def require_function(key: str, value: Any) -> None:
    if not callable(value):
        _daptor._invalid_argument(key, type_text(value), "a function")


def _flag(key: str, value: Any) -> bool:
    try:
        if hasattr(type(value), "__bool__"):
            return bool(value)
    except Exception as error:
        _daptor._invalid_argument(key, f"{type_text(value)} that raises {type(error).__name__}",
                                  "True or False")
    _daptor._invalid_argument(key, type_text(value), "True or False")


def integer(key: str, value: Any, expected: str = "an integer") -> int:
    """The integer that a user has passed; InvalidArgument for anything else."""
    try:
        number = operator.index(value)
    except TypeError:
        _daptor._invalid_argument(key, repr(value), expected)
    except Exception as error:
        _daptor._invalid_argument(key, f"{type_text(value)} that raises {type(error).__name__}",
                                  expected)
    if not -(1 << 63) <= number < 1 << 63:
        _daptor._invalid_argument(
            key, repr(number) if number.bit_length() < 200 else "a very large integer",
            "an integer of 64 bits")
    return number


def _integers(key: str, values: Any) -> List[int]:
    """A list of integers, of a sequence of them or of one."""
    each = values if isinstance(values, Iterable) else (values,)
    return [integer(key, value) for value in each]


def _along(key: str, given: Any, ndim: int, components: int, none: Any,
           read: Callable[[str, Any], Any] = integer) -> List[Any]:
    """A value for each of `ndim` dimensions, given as one or as a sequence, and `none` for each
    dimension of components."""
    values: List[Any] = list(given) if isinstance(given, Iterable) else [given] * ndim
    if len(values) != ndim:
        _daptor._invalid_argument(key, f"{len(values)} entries",
                                  f"one for each of {ndim} dimensions")
    return [*(read(key, value) for value in values), *[none] * components]


def _grid(grid: Optional[Grid], ndim: int, components: int) -> Tuple[List[int], List[bool]]:
    """Numbers of processes, empty for those that MPI chooses; and which dimensions are not divided,
    as those of components are."""
    if grid is None and not components:
        return [], []
    given = 0 if grid is None else grid if isinstance(grid, Iterable) else [grid]
    numbers = _along("grid", given, ndim, components, None,
                     lambda key, value: None if value is None else integer(key, value))
    return ([1 if number is None else number for number in numbers],
            [number is None for number in numbers])


def extents_of(array: Any) -> Tuple[int, ...]:
    if isinstance(array, _daptor._Memory):
        return array.shape
    with memoryview(array) as view:
        return tuple(view.shape or ())


def _pair(key: str, width: Width) -> Tuple[int, int]:
    if not isinstance(width, Iterable):
        width = (width, width)
    pair = _integers(key, width)
    if len(pair) != 2:
        _daptor._invalid_argument(key, repr(width), "a width, or a pair (lower, upper)")
    return (pair[0], pair[1])


def _count(key: str, value: Any) -> int:
    count = integer(key, value)
    if not 0 <= count < 1 << 62:
        _daptor._invalid_argument(key, str(count), "a number of indices, 0 or more")
    return count


def _components(components: Extents) -> List[int]:
    sizes = _integers("components", components)
    if any(size < 1 for size in sizes):
        _daptor._invalid_argument("components", repr(components),
                                  "numbers of components, 1 or more")
    return sizes


def block_dimensions(shape: Extents, comm: Any, *, grid: Optional[Grid] = None, ghosts: Width = 0,
                     padding: Widths = 0, boundary: Widths = 0, periodic: Periodic = None,
                     bounds: Optional[Bounds] = None, components: Extents = ()
                     ) -> "_daptor._Dimensions":
    """The dimensions of this rank's section. Arguments as for block(). Process-local."""
    extents, sizes = _integers("shape", shape), _components(components)
    processes, undivided = _grid(grid, len(extents), len(sizes))

    def divided(key: str, given: Any, default: Any, none: Any,
                read: Callable[[str, Any], Any]) -> List[Any]:
        """A value for each dimension, `none` for those that are not divided, for which a sequence
        must have it; empty for the default."""
        one = not isinstance(given, Iterable)
        if given is None or one and given == default:
            return []
        values = _along(key, given, len(extents), len(sizes), none, read)
        for d, whole in enumerate(undivided):
            if whole and values[d] != none and not one:
                _daptor._invalid_argument(
                    key, f"{values[d]} for dimension {d}, which is not divided (None in grid)",
                    f"{none} for it", "Give such a dimension a number of processes in grid, which "
                    "may be 1.")
            values[d] = none if whole else values[d]
        return values

    return _daptor._block_dimensions(
        extents + sizes, comm, processes, undivided,
        divided("padding", padding, 0, (0, 0), _pair),
        divided("boundary", boundary, 0, (0, 0), _pair),
        divided("periodic", periodic, None, False, _flag),
        divided("ghosts", ghosts, 0, 0, integer),
        divided("bounds", bounds, None, None,
                lambda key, each: None if each is None else _pair(key, each)))


_Builder = TypeVar("_Builder", bound=Callable[..., Any])


def builder(function: _Builder) -> _Builder:
    """Makes errors about ranks in different collective calls name the function, and gives it the
    keywords of block_dimensions() in place of `**division`."""
    own = inspect.signature(function)
    parameters = [each for each in own.parameters.values() if each.kind != each.VAR_KEYWORD]
    if len(parameters) < len(own.parameters):
        parameters += [each for each in inspect.signature(block_dimensions).parameters.values()
                       if each.kind == each.KEYWORD_ONLY]
    signature = own.replace(parameters=parameters)

    @functools.wraps(function)
    def build(*arguments: Any, **named: Any) -> Any:
        comm = signature.bind(*arguments, **named).arguments["comm"]
        with _daptor._Call(comm, function.__name__):
            return function(*arguments, **named)

    setattr(build, "__signature__", signature)
    return cast(_Builder, build)


@builder
def block(array: Any, comm: Any, *, shape: Optional[Extents] = None,
          **division: Unpack[Division]) -> "_daptor.Array":
    """An n-d block array of the ranks' sections. Collective over `comm`; no copy.

    array     this rank's section, including all padding: any buffer (PEP 3118), an array that
              only has `__dlpack__`, or an object of xarray or pandas whose values are one NumPy
              array; a.dims and a.coords then have its names and coordinates
    comm      a communicator of mpi4py or petsc4py; ranks are row-major on the grid, unless it is
              Cartesian
    shape     global extents (a number for one dimension), divided evenly; the first ranks take the
              remainder. None: the sections follow each other along dimension 0, with the extents
              that they have, and none of the arguments below is given
    grid      number of processes along each dimension (0: chosen for you); None: chosen by
              MPI_Dims_create. A Cartesian communicator has a grid, which is taken: its dims, its
              coordinates (also if it reordered the ranks) and its periods; what is given here must
              not contradict it. It has as many dimensions as `shape`, without components and those
              that are not divided, or `shape` has fewer and `grid` says all of them.
              None in place of a number: the dimension is not divided, on any
              number of ranks, such as the components of a field (a DMDA's dof, a Vec's block size,
              the columns of a dense matrix). It has neither ghost cells nor padding: one number
              for these counts for the others
    ghosts    width of ghost cells on all sides of every section's memory, as in stencil codes: one
              number, or one for each dimension. `shape` is then the interior without ghost cells,
              and each section has the extents of its part plus twice the width, on any number of
              ranks; but a rank without indices at the end of a periodic dimension, as one of four
              has for three indices, has no ghost cells there (extent 0: local_shape() says so).
              Ghost cells between ranks, and all of a periodic dimension, are copies of what
              neighbours own; those at the edges of the array are boundary padding, which makes
              a.padded_shape larger than `shape`
    padding   instead of ghosts: communication padding, copies of what neighbours own, outside
              `shape`. A width for all edges, or for each dimension a width or a pair (lower,
              upper). It applies to internal edges, and to all edges of a periodic dimension; other
              edges have none
    boundary  boundary padding, part of `shape`, at external edges of non-periodic dimensions:
              `shape` is then a.padded_shape
    periodic  a flag for all dimensions, or one for each; None: a Cartesian communicator's, or none
    bounds    this rank's own part along each dimension, (start, stop), in the indices of `shape`,
              without padding (but with boundary padding if that is part of `shape`); None for a
              dimension that is divided evenly
    components
              number of components at each point, the last dimension of the array and of its
              memory, which is not divided and has no padding; or several such extents. `shape`,
              `grid` and the other arguments are then about the points

    Raises on all ranks: Malformed if a section does not have the shape of its part (P13, T10; the
    text gives the shape), or if bounds leave a gap or overlap (B09); InvalidArgument for a grid
    that does not fit the communicator, a wrong number of entries, and ghosts together with
    padding.

        u = numpy.zeros((22, 17))  # on 2 x 2 ranks: 20 x 15 of 40 x 30, and ghost cells around
        a = daptor.block(u, comm, shape=(40, 30), grid=(2, 2), ghosts=1)
        a.interior                 # the 20 x 15, and a.global_slices where they are in 40 x 30
    """
    def local() -> Tuple[Any, List[Tuple[str, str]]]:
        found = labels_of(array)
        return found, [("shape", "None" if shape is None else "a value"), ("dims", text_of(found))]

    def dimensions(_: Any) -> Built:
        assert shape is not None
        return block_dimensions(shape, comm, **division)

    labels = _daptor._same(comm, local)
    if shape is None:
        made = _stacked(array, comm, dict(division))
    else:
        made = _daptor._import_section(Section(array, dimensions), comm)
    made._labels = labels
    return made


def _same(comm: Any, key: str, absent: bool) -> bool:
    """Collective: whether an argument is absent. Raises if it is absent on some ranks only."""
    return _daptor._same(comm, lambda: (absent, [(key, "None" if absent else "a value")]))


def _asks(value: Any) -> bool:
    """Whether a width or a flag, or one in a sequence of them, is not 0."""
    if isinstance(value, Iterable) and not isinstance(value, str):
        return any(_asks(each) for each in value)
    return bool(value)


def _stacked(array: Any, comm: Any, others: Dict[str, Any]) -> "_daptor.Array":
    """Sections one after another. `others` are arguments that only an array with a shape has."""
    def local() -> Tuple[int, ...]:
        nonlocal array
        for name, value in others.items():
            if value is not None and (name in ("grid", "bounds") or _asks(value)):
                _daptor._invalid_argument("shape", f"None beside {name}",
                                          f"the global extents, because {name} is given")
        array = memory_of(array)
        try:
            extents = extents_of(array)
        except (TypeError, BufferError, ValueError) as error:
            _daptor._invalid_argument(
                "array", f"{type_text(array)}, whose buffer cannot be acquired ({error})",
                "a buffer of numbers (PEP 3118)",
                "Pass u.view('i8'), the numbers of dates and durations, on the same memory."
                if getattr(getattr(array, "dtype", None), "kind", "") in "mM" else "")
        if not extents:
            _daptor._invalid_argument("array", "an array without dimensions",
                                      "an array with a dimension to divide",
                                      "Give it one: numpy.reshape(u, 1) is on the same memory.")
        return extents

    extents = _daptor.agreed(comm, local)
    start, size = _daptor._offsets(comm, extents[0])
    rank, ranks = _daptor._rank_and_size(comm)
    first = {"dist_type": "b", "size": size, "proc_grid_size": ranks, "proc_grid_rank": rank,
             "start": start, "stop": start + extents[0]}
    rest = tuple({"dist_type": "n", "size": extent} for extent in extents[1:])
    return _daptor._import_section(Section(array, lambda _: (first, *rest)), comm)


@builder
def cyclic(array: Any, comm: Any, *, shape: Extents, grid: Optional[Grid] = None,
           block_size: Union[int, Sequence[int]] = 1, origin: Union[int, Sequence[int]] = 0,
           components: Extents = ()) -> "_daptor.Array":
    """A cyclic or block-cyclic array of the ranks' sections. Collective over `comm`; no copy.

    array       this rank's section, as block() takes it
    shape       global extents
    grid, components
                as for block()
    block_size  indices in a block, for all dimensions or for each (ScaLAPACK's MB, NB)
    origin      grid rank that owns the first block, for all dimensions or for each (RSRC, CSRC)

    Raises as block().
    """

    def dimensions(_: Any) -> Built:
        extents, sizes = _integers("shape", shape), _components(components)
        inner, count = len(extents), len(sizes)
        return _daptor._cyclic_dimensions(
            extents + sizes, comm, *_grid(grid, inner, count),
            _along("block_size", block_size, inner, count, 1),
            _along("origin", origin, inner, count, 0))

    return _daptor._import_section(Section(array, dimensions), comm)


def _listed(array: Any, indices: Any, comm: Any, size: Optional[int], owned: Callable[[], int],
            keys: Callable[[], Dict[str, Any]]) -> "_daptor.Array":
    """Collective. If no size is given, it is the sum of the numbers of indices that ranks own."""
    if _same(comm, "size", size is None):
        size = _daptor._offsets(comm, _daptor.agreed(comm, owned))[1]

    def dimensions(section: Any) -> Built:
        rank, ranks = _daptor._rank_and_size(comm)
        first = {"dist_type": "u", "size": size, "proc_grid_size": ranks, "proc_grid_rank": rank,
                 "indices": _indices(indices), **keys()}
        rest = extents_of(section)[1:]
        return (first, *({"dist_type": "n", "size": extent} for extent in rest))

    return _daptor._import_section(Section(array, dimensions), comm)


@builder
def unstructured(array: Any, indices: Any, comm: Any, *, size: Optional[int] = None,
                 one_to_one: bool = False, owned: Any = None) -> "_daptor.Array":
    """An array whose first dimension is divided by lists of global indices. Collective; no copy.

    array       this rank's section, as for block(); its first extent is the number of `indices`
    indices     this rank's global indices in local order: a buffer of integers, which is used
                without a copy if they are contiguous 64-bit integers
    size        global extent of the first dimension; None, if `owned` is given: the number of all
                owned elements
    one_to_one  promises that no index is on two ranks; validate(a) proves it
    owned       which elements of its list this rank owns: a list or an array of their positions,
                counted from 0, an array of bools (a mask), or the number of those at the front
                (owned_then_ghosts). The others are ghosts, copies of what other ranks own or of
                what this one owns elsewhere in its list. None: it is not said

    If ranks share indices, say who owns them: here, or with `owned=` of a HaloExchange. Every index
    must be owned by exactly one rank (owned.twice, owned.nobody: proven by validate(a) and by
    functions that rely on it). An exchange takes the owner's value.

    Raises on all ranks: Malformed if the sections do not form one array (owned.positions,
    owned.keys); InvalidArgument if only some ranks give a size, or none gives one or `owned`.

    Two blocks with a ghost cell at each end on one rank:
        a = daptor.unstructured(numpy.zeros(8), [7, 0, 1, 2, 1, 2, 3, 4], comm, size=8,
                                owned=[1, 2, 5, 6])
    """
    return _listed(array, indices, comm, size, lambda: _owned_count(owned), lambda: {
        **({"one_to_one": True} if one_to_one else {}),
        **({} if owned is None else {"owned": _owned(owned)})})


def _owned(owned: Any) -> Any:
    """As the key `owned` of a dictionary has it: a number, a list, or a buffer."""
    if isinstance(owned, (list, tuple)) or hasattr(type(owned), "__index__") and not hasattr(
            owned, "__len__"):
        return owned
    return memory_of(owned)


def _owned_count(owned: Any) -> int:
    """The number of elements that a rank owns of its list."""
    import numpy
    if owned is None:
        _daptor._invalid_argument("size", "None, without owned=",
                                  "the global extent of the first dimension, or owned=")
    if hasattr(type(owned), "__index__") and not hasattr(owned, "__len__"):
        return _count("owned", owned)
    positions = numpy.asarray(_owned(owned))
    return int(positions.sum()) if positions.dtype == bool else positions.size


@builder
def owned_then_ghosts(array: Any, indices: Any, comm: Any, *, owned: int,
                      size: Optional[int] = None) -> "_daptor.Array":
    """An array with index lists in which a rank's owned indices come first, followed by its ghosts.

    The layout of finite elements (dolfinx, deal.II, PETSc's ghosted vectors). Collective; no copy.

    array    this rank's section, as for block(); its first extent is the number of `indices`
    indices  this rank's global indices in local order: a buffer of integers, which is used without
             a copy if they are contiguous 64-bit integers
    owned    number of indices at the front that this rank owns; the others are copies of what other
             ranks own
    size     global extent of the first dimension; None: the number of all owned indices

    Every index must be owned by exactly one rank (owned.twice, owned.nobody: proven by validate(a)
    and by functions that rely on it). An exchange takes the owner's value.

    Raises on all ranks: Malformed if the sections do not form one array (owned.count if there are
    fewer indices than owned ones); InvalidArgument if only some ranks give a size.

    Six elements on two ranks, one ghost each:
        indices = numpy.array([[0, 1, 2, 3], [3, 4, 5, 2]][comm.rank])
        a = daptor.owned_then_ghosts(numpy.zeros(4), indices, comm, owned=3)
        daptor.update_padding(a)  # the last element of each becomes the other's
    """
    return _listed(array, indices, comm, size, lambda: _count("owned", owned),
                   lambda: {"owned": owned})
