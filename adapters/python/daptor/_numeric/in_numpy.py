# SPDX-License-Identifier: BSD-3-Clause
"""NumPy's functions and operators on an Array: those of all elements that Daptor has, or the line
to write.

NumPy would take one rank's section for the whole array, ghost cells included. It asks an argument's
class for `__array_function__` and `__array_ufunc__` before it converts the argument. Conversions by
name (numpy.asarray, numpy.array, the buffer protocol, DLPack) do not ask, and give the section.
"""

from __future__ import annotations

import inspect
from typing import Any, Callable, Dict, Iterator, List, NoReturn, Optional, Sequence, Tuple

from .. import _daptor
from .._arrays import allocating
from . import reductions
from .._daptor import Array
from .._errors import InvalidArgument, InvalidOperand

# What the lines below call one rank's elements, without padding.
_INTERIOR = "u = a.interior; "

# NumPy's functions that call one of Daptor, whose arguments they may have.
_CALLED: Dict[str, Callable[..., Any]] = {
    **{each.__name__: each for each in reductions.REDUCTIONS}, "amax": reductions.max,
    "amin": reductions.min, "linalg.norm": reductions.norm, "copy": allocating.copy,
    "zeros_like": allocating.zeros_like, "ones_like": allocating.ones_like,
    "empty_like": allocating.empty_like, "full_like": allocating.full_like,
}
del _CALLED["norm"]
# Those of them to which NumPy too gives a mask.
_WITH_WHERE = ("sum", "mean", "std", "var", "min", "max", "amin", "amax", "any", "all")
# NumPy's names of arguments, where they are others.
_RENAMED = {"prototype": "a", "x": "a", "fill_value": "value"}

# For functions of one array: statements that make s the function's value for all ranks' elements.
_REDUCTIONS: Dict[str, str] = {
    "nansum": "s = daptor.sum(a, where=~numpy.isnan(a.interior))",
    "nanmean": "s = daptor.mean(a, where=~numpy.isnan(a.interior))",
    "nanmax": "s = daptor.max(a, where=~numpy.isnan(a.interior))",
    "nanmin": "s = daptor.min(a, where=~numpy.isnan(a.interior))",
    "prod": _INTERIOR + "s = numpy.prod(a.comm.allgather(u.prod()))",
    "ptp": "s = daptor.max(a) - daptor.min(a)",
}
# Those of them that count an index once for each rank that has it.
_BY_RANKS = ("prod",)

# The same for functions of two arrays.
_PRODUCTS: Dict[str, str] = {
    "inner": "s = daptor.dot(a, b)",
    "array_equal": "s = daptor.allclose(a, b, rtol=0, atol=0)",
}
# Of numpy.linalg: the line to write, where an adapter has the function.
LINALG: Dict[str, str] = {}
_OF_LINES = ("inner",)  # sums of products for one dimension only
_MOST_NAMED = 3

_SAVING = ("save", "savetxt", "savez", "savez_compressed")
_ELEMENTWISE = ("where", "clip", "round", "round_", "around", "isclose", "nan_to_num", "real",
                "imag", "angle", "real_if_close", "fix", "isneginf", "isposinf", "isreal",
                "iscomplex", "interp")

# Functions of elements whose results are truth values.
_TRUTHS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "isnan", "isinf",
           "isfinite", "signbit", "logical_and", "logical_or", "logical_xor", "logical_not",
           "isclose", "isneginf", "isposinf", "isreal", "iscomplex")

# Questions about memory and element types, which a section answers rightly.
_ASKING = ("shares_memory", "may_share_memory", "result_type", "can_cast", "iscomplexobj",
           "isrealobj", "common_type", "min_scalar_type")


def _arrays_in(value: Any, depth: int = 0) -> Iterator[Array]:
    if isinstance(value, Array):
        yield value
    elif depth < 3 and isinstance(value, (list, tuple, dict)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _arrays_in(each, depth + 1)


def _is_number(value: Any) -> bool:
    return isinstance(value, (bool, int, float, complex))


def _number(value: Any) -> str:
    """As Python writes it, for NumPy's numbers too."""
    return repr(value.item() if hasattr(value, "item") else value)


def _interior_of(array: str) -> str:
    return f"{array}.interior"


def _names(values: Sequence[Any]) -> List[str]:
    """How the lines name arguments: a, b, c for Arrays, x, y, z for others, numbers by value."""
    letters: Dict[int, str] = {}  # of Arrays
    others = 0
    named = []
    for value in values:
        if isinstance(value, Array):
            letter = letters.setdefault(id(value), "abc"[min(len(letters), _MOST_NAMED - 1)])
            named.append(_interior_of(letter))
        elif _is_number(value):
            named.append(_number(value))
        else:
            named.append("xyz"[min(others, _MOST_NAMED - 1)])
            others += 1
    return named


def _is_padded(array: Array) -> bool:
    """Whether sections of the array have padding or ghosts. The same on all ranks, also on those
    without elements."""
    return any("padding" in keys or "owned" in keys
               for keys in array.__distarray__()["dim_data"])


def _may_share(array: Array) -> bool:
    """Whether ranks may have the same index, and the array does not say who owns it."""
    return any(keys.get("dist_type") == "u" and not keys.get("one_to_one", False)
               and "owned" not in keys and keys["proc_grid_size"] > 1
               for keys in array.__distarray__()["dim_data"])


def _of_one(short: str, array: Array) -> str:
    if short in _BY_RANKS and _may_share(array):
        return _of_whole(f"numpy.{short}")
    return _REDUCTIONS[short]


def _of_two(line: str, first: Array, second: Any) -> str:
    if second is first:
        return line.replace(", b", ", a")
    return line + "  # a and b have one layout"


def _of_sections(call: str, arrays: Sequence[Array], truths: bool = False) -> str:
    """Advice for functions that treat each element by itself.

    truths  whether the results are truth values
    """
    if len(arrays) > 1:
        layout = "a, b and the result have one layout"
    else:
        layout = "this rank's elements"
        if arrays and _is_padded(arrays[0]):
            layout += ", without padding"
    if truths:
        return (f"s = {call}  # {layout}; of all ranks, on all ranks: m = daptor.zeros_like(a, "
                "dtype=bool); m.interior[...] = s; daptor.any(m)  # or all, count_nonzero, where=m")
    return f"s = {call}  # {layout}; to keep it: with a.write(): a.interior[...] = s, on all ranks"


def _of_whole(name: str) -> str:
    return f"u = daptor.gather(a)  # on rank 0, which has all of it: {name} takes u there"


def _short(name: str) -> str:
    return name[len("numpy."):] if name.startswith("numpy.") else name


def _arguments_of(short: str) -> Tuple[List[str], List[str]]:
    """The arguments that the function of Daptor has of NumPy's: those that NumPy takes without
    their names, in its order, and the others."""
    parameters = inspect.signature(_CALLED[short]).parameters
    named = [each for each in parameters.values() if each.kind == each.KEYWORD_ONLY]
    alone = [name for name, each in parameters.items() if each not in named]
    two = "b" in alone
    alone += [name for name in ("axis", "dtype") if name in parameters and not two]
    others = [each.name for each in named if each.name == "ddof"]
    return alone, others + (["where"] if short in _WITH_WHERE else [])


def _called_alone(short: str, args: Sequence[Any]) -> bool:
    """Whether the arguments without names are ones that the function of Daptor has."""
    if short in ("dot", "vdot") and not all(isinstance(each, Array) for each in args):
        return False
    return not (short == "dot" and args[0].ndim != 1) and len(args) <= len(_arguments_of(short)[0])


def _of_copy(arrays: Sequence[Array]) -> str:
    padding = ", without padding" if any(_is_padded(each) for each in arrays) else ""
    return f"numpy.copyto(x, a.interior)  # this rank's elements{padding}"


def _line_for(name: str, args: Sequence[Any], options: Dict[str, Any]) -> str:
    """The line to write in place of numpy.NAME(*args, **options)."""
    short = _short(name)
    arrays = list(_arrays_in([*args, options]))
    first = args[0] if args else None
    if short == "copyto":
        if isinstance(first, Array):
            value = _names(args)[1] if len(args) > 1 else "x"
            return f"with a.write(): numpy.copyto(a.interior, {value})  # on all ranks"
        return _of_copy(arrays)
    if short in _REDUCTIONS and len(args) == 1 and not options and isinstance(first, Array):
        return _of_one(short, first)
    if short in _CALLED and isinstance(first, Array) and _called_alone(short, args):
        alone, others = _arguments_of(short)
        options_of = [name for name in alone[1:] if name != "axis"] + others
        return (f"s = daptor.{_CALLED[short].__name__}({', '.join(alone[:len(args)])})  "
                f"# of NumPy's arguments it has {', '.join(options_of) or 'none'}")
    if short == "dot" and len(arrays) == 2:
        return ("s = daptor.dot(a, b)  # the sum of the products of elements; numpy.dot is the "
                "product of matrices, for which there is daptor.scalapack")
    if (short in _PRODUCTS and len(args) == 2 and not options and isinstance(first, Array)
            and isinstance(args[1], Array)
            and (short not in _OF_LINES or first.ndim == 1)):
        return _of_two(_PRODUCTS[short], first, args[1])
    module, _, function = short.rpartition(".")
    if module == "linalg" and function in LINALG:
        return LINALG[function]
    if short in _SAVING:
        return _of_whole(name)
    if short in _ELEMENTWISE:
        return _of_sections(f"{name}({', '.join(_names(args))})", arrays, short in _TRUTHS)
    return _of_whole(name)


def _refuse(name: str, line: str, arrays: Sequence[Array] = (), found: str = "",
            expected: str = "") -> NoReturn:
    """Says what is wrong with these Arrays as operands of NumPy, or what was found instead."""
    padded = any(_is_padded(each) for each in arrays)
    found = found or ("a daptor.Array, of which NumPy would take this rank's section"
                      + (", with its padding" if padded else ""))
    expected = expected or ("NumPy arrays: a.interior, this rank's elements"
                            + (" without padding" if padded else ""))
    try:
        _daptor._invalid_argument(name, found, expected, f"Write: {line}")
    except InvalidArgument as error:
        raise InvalidOperand(str(error), error.report) from None


def _of_ufunc(name: str, inputs: Sequence[Any], out: Sequence[Any]) -> str:
    """The line for a function of each element by itself, with a result or in place."""
    call = f"{name}({', '.join(_names(inputs))}"
    if any(isinstance(each, Array) for each in out):
        place = next(each for each in out if isinstance(each, Array))
        named = _names([place, *inputs])
        return (f"with a.write(): {name}({', '.join(named[1:])}, out=a.interior)  "
                "# on all ranks; arrays of one layout")
    return _of_sections(call + ")", list(_arrays_in(list(inputs))), _short(name) in _TRUTHS)


def _array_ufunc(_: Array, ufunc: Any, method: str, *inputs: Any, **options: Any) -> NoReturn:
    name = f"numpy.{ufunc.__name__}"
    arrays = list(_arrays_in([*inputs, options]))
    if method != "__call__":
        _refuse(f"{name}.{method}", _of_whole(f"{name}.{method}"), arrays)
    if ufunc.signature is not None:  # of rows and columns: numpy.matmul
        _refuse(name, _of_whole(name), arrays)
    _refuse(name, _of_ufunc(name, inputs, options.get("out", ())), arrays)


def _bound(short: str, args: Sequence[Any], options: Dict[str, Any]) -> Tuple[
        bool, Dict[str, Any]]:
    """The arguments of the function of Daptor, if it has all that were passed."""
    if not args or not isinstance(args[0], Array) or not _called_alone(short, args):
        return False, {}
    alone, others = _arguments_of(short)
    arguments = dict(zip(alone, args))
    import numpy
    for name, value in options.items():
        name = _RENAMED.get(name, name)
        if name in alone[1:] + others:
            arguments[name] = value
        elif value is not getattr(numpy, "_NoValue", None):
            return False, {}
    return True, arguments


def _array_function(array: Array, function: Callable[..., Any], _: Any, args: Tuple[Any, ...],
                    options: Dict[str, Any]) -> Any:
    name = f"{getattr(function, '__module__', None) or 'numpy'}.{function.__name__}"
    short = _short(name)
    if (short in ("shape", "ndim", "size") and len(args) == 1 and not options
            and isinstance(args[0], Array)):
        return getattr(args[0], short)
    if short in _CALLED:
        found, arguments = _bound(short, args, options)
        if found:
            return _CALLED[short](**arguments)
    if short in _ASKING:
        import numpy
        return function(*(numpy.asarray(each) if isinstance(each, Array) else each
                          for each in args), **options)
    _refuse(name, _line_for(name, args, options), list(_arrays_in([*args, options])))


class _OnClass:
    """A method that the class has, but not its objects.

    NumPy asks the class. Libraries that wrap every array type of their own behaviour, as xarray
    does, ask the object, and would then not take the section.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __get__(self, array: Optional[Array], _: Any = None) -> Any:
        if array is not None:
            raise AttributeError("for NumPy, which asks the class")
        return self._function


def _operator(operator: str, name: str, reflected: bool = False, compares: bool = False
              ) -> Callable[..., Any]:
    """An operator that is numpy.NAME.

    compares  with arrays and numbers; anything else is compared as Python does, by identity
    """
    def operate(self: Array, *others: Any) -> Any:
        operands = (*others, self) if reflected else (self, *others)
        if compares and not any(isinstance(each, Array) or _is_number(each)
                                or hasattr(each, "__array_ufunc__") for each in others):
            return NotImplemented
        _refuse(operator, _of_whole("numpy.matmul") if name == "matmul" else
                _of_ufunc(f"numpy.{name}", operands, ()), list(_arrays_in(operands)))

    return operate


def _in_place(operator: str) -> Callable[[Array, Any], Any]:
    def operate(self: Array, other: Any) -> Any:
        second = _interior_of("b") if isinstance(other, Array) else _names([other])[0]
        arrays = "; a and b have one layout" if isinstance(other, Array) else ""
        _refuse(operator, f"with a.write(): u = a.interior; u {operator} {second}  "
                f"# on all ranks{arrays}", [self])

    return operate


_OPERATORS = {"add": ("+", "add"), "sub": ("-", "subtract"), "mul": ("*", "multiply"),
              "truediv": ("/", "true_divide"), "floordiv": ("//", "floor_divide"),
              "mod": ("%", "remainder"), "divmod": ("divmod", "divmod"), "pow": ("**", "power"),
              "matmul": ("@", "matmul"), "and": ("&", "bitwise_and"), "or": ("|", "bitwise_or"),
              "xor": ("^", "bitwise_xor"), "lshift": ("<<", "left_shift"),
              "rshift": (">>", "right_shift")}
_UNARY = {"neg": ("-", "negative"), "pos": ("+", "positive"), "abs": ("abs", "absolute"),
          "invert": ("~", "invert"), "round": ("round", "round")}
_COMPARISONS = {"eq": ("==", "equal"), "ne": ("!=", "not_equal"), "lt": ("<", "less"),
                "le": ("<=", "less_equal"), "gt": (">", "greater"), "ge": (">=", "greater_equal")}


_BY_INDEX = "an index or a loop, which would reach the elements of this rank alone"
# Methods that refuse: the operation, the line to write, what was found, and what was expected.
_REFUSED: Dict[str, Tuple[str, str, str, str]] = {
    "getitem": (  # also what sum(a) and iter(a) ask for
        "[]", "u = daptor.gather(a, index)  # on rank 0; a.sample(indices): single elements where "
        "they are needed; a.interior[index]: of this rank; daptor.sum(a): of all", _BY_INDEX,
        "a function of the whole, or a.interior"),
    "setitem": (
        "[]", "with a.write(): a.interior[...] = x  # on all ranks, each its own elements, which "
        "are whole[a.global_slices]", _BY_INDEX, "this rank's elements, a.interior"),
    "bool": ("bool", "daptor.any(a)  # or daptor.all(a); a is not None: whether there is one",
             "an Array, whose elements may differ", "one truth value, the same on all ranks"),
    "len": ("len", "a.shape[0]  # of all ranks; len(a.interior): of this rank",
            "an Array, of which a rank has a part", "the length that is meant"),
    "reduce_ex": (  # also what a lower-case call of mpi4py asks for, such as comm.bcast(a)
        "pickle", "daptor.save(a, 'a.h5', 'a')  # on all ranks; whole = daptor.gather(a): on rank "
        "0, where pickle takes it", "an Array, which cannot be pickled: it refers to memory and to "
        "all ranks", "an array of NumPy, or a file"),
    # Python would read the memory of an array of bytes as the digits of a number.
    **{name: (name, f"{name}(daptor.sum(a))  # of all elements; {name}(u[0]) of u = "
              "daptor.gather(a, 0) on rank 0", "an Array", "one number, the same on all ranks")
       for name in ("int", "float", "complex")},
}
_REFUSED["reduce"] = _REFUSED["reduce_ex"]


def _refusing(name: str, line: str, found: str, expected: str) -> Callable[..., NoReturn]:
    def refuse(*_: Any) -> NoReturn:
        _refuse(name, line, found=found, expected=expected)

    return refuse


def _no_constructor(_: type, *__: Any, **___: Any) -> NoReturn:
    raise TypeError("daptor.Array has no constructor. Write: daptor.block(u, comm)  # u: this "
                    "rank's section; or daptor.zeros(shape, comm)")


def teach(kind: type) -> None:
    """Gives the class Array the methods that refuse."""
    setattr(kind, "__new__", _no_constructor)
    for method, words in _REFUSED.items():
        setattr(kind, f"__{method}__", _refusing(*words))
    setattr(kind, "__array_function__", _OnClass(_array_function))
    setattr(kind, "__array_ufunc__", _OnClass(_array_ufunc))
    for method, (operator, name) in _OPERATORS.items():
        setattr(kind, f"__{method}__", _operator(operator, name))
        setattr(kind, f"__r{method}__", _operator(operator, name, reflected=True))
        if method not in ("divmod", "matmul"):
            setattr(kind, f"__i{method}__", _in_place(operator + "="))
    for method, (operator, name) in _UNARY.items():
        setattr(kind, f"__{method}__", _operator(operator, name))
    for method, (operator, name) in _COMPARISONS.items():
        setattr(kind, f"__{method}__", _operator(operator, name, compares=True))
