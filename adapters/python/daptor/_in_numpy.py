# SPDX-License-Identifier: BSD-3-Clause
"""NumPy's functions and operators on an Array: refused, with the line to write.

NumPy would take one rank's section for the whole array, ghost cells included. It asks an argument's
class for `__array_function__` and `__array_ufunc__` before it converts the argument. Conversions by
name (numpy.asarray, numpy.array, the buffer protocol, DLPack) do not ask, and give the section.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List, NoReturn, Optional, Sequence, Tuple

from . import _daptor
from ._daptor import Array
from ._errors import InvalidArgument, InvalidOperand

# What the lines below call one rank's elements, without padding.
_INTERIOR = "u = numpy.asarray(a)[a.interior_slices]; "

# For functions of one array: statements that make s the function's value for all ranks' elements.
_REDUCTIONS: Dict[str, str] = {
    "sum": "s = a.comm.allreduce(u.sum())",
    "nansum": "s = a.comm.allreduce(numpy.nansum(u))",
    "prod": "s = numpy.prod(a.comm.allgather(u.prod()))",
    "mean": "s = a.comm.allreduce(u.sum()) / a.comm.allreduce(u.size)",
    "var": "m = a.comm.allreduce(u.sum()) / a.comm.allreduce(u.size); "
           "s = a.comm.allreduce((abs(u - m) ** 2).sum()) / a.comm.allreduce(u.size)",
    "std": "m = a.comm.allreduce(u.sum()) / a.comm.allreduce(u.size); "
           "s = (a.comm.allreduce((abs(u - m) ** 2).sum()) / a.comm.allreduce(u.size)) ** 0.5",
    "max": "s = numpy.max(a.comm.allreduce([u.max()] if u.size else []))",
    "min": "s = numpy.min(a.comm.allreduce([u.min()] if u.size else []))",
    "nanmax": "s = numpy.nanmax(a.comm.allreduce([numpy.nanmax(u)] if u.size else []))",
    "nanmin": "s = numpy.nanmin(a.comm.allreduce([numpy.nanmin(u)] if u.size else []))",
    "any": "s = any(a.comm.allgather(u.any()))",
    "all": "s = all(a.comm.allgather(u.all()))",
    "count_nonzero": "s = a.comm.allreduce(numpy.count_nonzero(u))",
    "linalg.norm": "s = numpy.linalg.norm(a.comm.allgather(numpy.linalg.norm(u.ravel())))",
}
_REDUCTIONS["amax"], _REDUCTIONS["amin"] = _REDUCTIONS["max"], _REDUCTIONS["min"]

# The same for functions of two arrays; v is to the second what u is to the first.
_PRODUCTS: Dict[str, str] = {
    "vdot": "s = a.comm.allreduce(numpy.vdot(u, v))",
    "dot": "s = a.comm.allreduce(numpy.dot(u, v))",
    "inner": "s = a.comm.allreduce(numpy.inner(u, v))",
    "allclose": "s = all(a.comm.allgather(numpy.allclose(u, v)))",
    "array_equal": "s = all(a.comm.allgather(numpy.array_equal(u, v)))",
}
_OF_LINES = ("dot", "inner")  # sums of products for one dimension only
_MOST_NAMED = 3

_LIKE = ("zeros_like", "ones_like", "empty_like", "full_like", "copy")
_SAVING = ("save", "savetxt", "savez", "savez_compressed")
_ELEMENTWISE = ("where", "clip", "round", "round_", "around", "isclose", "nan_to_num", "real",
                "imag", "angle", "real_if_close", "fix", "isneginf", "isposinf", "interp")

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


def _names(values: Sequence[Any]) -> List[str]:
    """How the lines name arguments: a, b, c for Arrays, x, y, z for others, numbers by value."""
    arrays: List[Array] = []
    others = 0
    named = []
    for value in values:
        if isinstance(value, Array):
            if not any(value is known for known in arrays):
                arrays.append(value)
            place = next(i for i, known in enumerate(arrays) if known is value)
            named.append(f"numpy.asarray({'abc'[min(place, _MOST_NAMED - 1)]})")
        elif _is_number(value):
            named.append(_number(value))
        else:
            named.append("xyz"[min(others, _MOST_NAMED - 1)])
            others += 1
    return named


def _may_share(array: Array) -> bool:
    """Whether ranks may have the same index, and the array does not say who owns it."""
    return any(keys.get("dist_type") == "u" and not keys.get("one_to_one", False)
               and "owned" not in keys and keys["proc_grid_size"] > 1
               for keys in array.__distarray__()["dim_data"])


def _of_one(line: str, array: Array) -> str:
    if not _may_share(array):
        return f"{_INTERIOR}{line}  # without padding; a.owned_slices has boundary padding too"
    return ("w = a.like(daptor.layout.natural()); daptor.redistribute(a, w, read_from_any=True); "
            + f"u = numpy.asarray(w); {line}  # each index once, if all copies of it are equal")


def _of_two(line: str, first: Array, second: Any) -> str:
    if second is first:
        return _INTERIOR + line.replace("v)", "u)") + "  # without padding"
    if isinstance(second, Array):
        return (_INTERIOR + "v = numpy.asarray(b)[b.interior_slices]; " + line +
                "  # without padding; a and b have one layout")
    return _INTERIOR + line.replace("v)", f"{_number(second)})") + "  # without padding"


def _of_sections(call: str, arrays: Sequence[Array]) -> str:
    """Advice for functions that treat each element by itself."""
    layout = "a, b and the result have one layout" if len(arrays) > 1 else "this rank's section"
    return f"s = {call}  # {layout}; to keep it: with a.write() as u: u[...] = s, on all ranks"


def _of_whole(name: str) -> str:
    return ("w = a.redistributed(daptor.layout.on_process(0))  # all of it on rank 0, boundary "
            f"padding included: {name} takes numpy.asarray(w) there")


def _short(name: str) -> str:
    return name[len("numpy."):] if name.startswith("numpy.") else name


def _line_for(name: str, args: Sequence[Any], options: Dict[str, Any]) -> str:
    """The line to write in place of numpy.NAME(*args, **options)."""
    short = _short(name)
    arrays = list(_arrays_in([*args, options]))
    first = args[0] if args else None
    if short == "copyto":
        if isinstance(first, Array):
            value = _names(args)[1] if len(args) > 1 else "x"
            return f"with a.write() as u: numpy.copyto(u, {value})  # on all ranks"
        return "numpy.copyto(x, numpy.asarray(a))  # this rank's section, with padding"
    if short in _REDUCTIONS and len(args) == 1 and not options and isinstance(first, Array):
        return _of_one(_REDUCTIONS[short], first)
    if (short in _PRODUCTS and len(args) == 2 and not options and isinstance(first, Array)
            and (isinstance(args[1], Array) or (_is_number(args[1]) and short == "allclose"))
            and not any(_may_share(each) for each in arrays)
            and (short not in _OF_LINES or first.ndim == 1)):
        return _of_two(_PRODUCTS[short], first, args[1])
    if short in _LIKE:
        value = ", 1" if short == "full_like" else ""
        return ("b = daptor.import_({**a.__distarray__(), 'buffer': "
                f"numpy.{short}(numpy.asarray(a){value})}}, a.comm)  # an array of a's layout")
    if short == "size":
        return "s = numpy.prod(a.shape)  # or numpy.asarray(a).size, of this rank's section"
    if short in _SAVING:
        return _of_whole(name)
    if short in _ELEMENTWISE:
        return _of_sections(f"{name}({', '.join(_names(args))})", arrays)
    return _of_whole(name)


def _refuse(name: str, line: str) -> NoReturn:
    try:
        _daptor._invalid_argument(
            name, "a daptor.Array, of which NumPy would take this rank's section, with its padding",
            "NumPy arrays: numpy.asarray(a), where the section is meant", f"Write: {line}")
    except InvalidArgument as error:
        raise InvalidOperand(str(error), error.report) from None


def _of_ufunc(name: str, inputs: Sequence[Any], out: Sequence[Any]) -> str:
    """The line for a function of each element by itself, with a result or in place."""
    call = f"{name}({', '.join(_names(inputs))}"
    if any(isinstance(each, Array) for each in out):
        place = next(each for each in out if isinstance(each, Array))
        named = _names([place, *inputs])
        return (f"with a.write() as u: {name}({', '.join(named[1:])}, out=u)  "
                "# on all ranks; arrays of one layout")
    return _of_sections(call + ")", list(_arrays_in(list(inputs))))


def _array_ufunc(_: Array, ufunc: Any, method: str, *inputs: Any, **options: Any) -> NoReturn:
    name = f"numpy.{ufunc.__name__}"
    if method != "__call__":
        _refuse(f"{name}.{method}", _of_whole(f"{name}.{method}"))
    if ufunc.signature is not None:  # of rows and columns: numpy.matmul
        _refuse(name, _of_whole(name))
    _refuse(name, _of_ufunc(name, inputs, options.get("out", ())))


def _array_function(array: Array, function: Callable[..., Any], _: Any, args: Tuple[Any, ...],
                    options: Dict[str, Any]) -> Any:
    name = f"{getattr(function, '__module__', None) or 'numpy'}.{function.__name__}"
    short = _short(name)
    if short in ("shape", "ndim") and len(args) == 1:
        return getattr(args[0], short)
    if short in _ASKING:
        import numpy
        return function(*(numpy.asarray(each) if isinstance(each, Array) else each
                          for each in args), **options)
    _refuse(name, _line_for(name, args, options))


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


def _binary(operator: str, name: str, reflected: bool) -> Callable[[Array, Any], Any]:
    def operate(self: Array, other: Any) -> Any:
        operands = (other, self) if reflected else (self, other)
        if name == "matmul":
            _refuse(operator, _of_whole("numpy.matmul"))
        _refuse(operator, _of_ufunc(f"numpy.{name}", operands, ()))

    return operate


def _in_place(operator: str) -> Callable[[Array, Any], Any]:
    def operate(_: Array, other: Any) -> Any:
        second = _names([other])[0].replace("(a)", "(b)")
        arrays = "; a and b have one layout" if isinstance(other, Array) else ""
        _refuse(operator, f"with a.write() as u: u {operator} {second}  # on all ranks{arrays}")

    return operate


def _unary(operator: str, name: str) -> Callable[[Array], Any]:
    def operate(self: Array, *_: Any) -> Any:
        _refuse(operator, _of_ufunc(f"numpy.{name}", (self,), ()))

    return operate


def _comparison(operator: str, name: str) -> Callable[[Array, Any], Any]:
    """Of arrays and numbers; anything else is compared as Python does, by identity."""
    def compare(self: Array, other: Any) -> Any:
        if isinstance(other, Array) or _is_number(other) or hasattr(other, "__array_ufunc__"):
            _refuse(operator, _of_ufunc(f"numpy.{name}", (self, other), ()))
        return NotImplemented

    return compare


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


def teach(kind: type) -> None:
    """Gives the class Array the methods that refuse."""
    setattr(kind, "__array_function__", _OnClass(_array_function))
    setattr(kind, "__array_ufunc__", _OnClass(_array_ufunc))
    for method, (operator, name) in _OPERATORS.items():
        setattr(kind, f"__{method}__", _binary(operator, name, False))
        setattr(kind, f"__r{method}__", _binary(operator, name, True))
        if method not in ("divmod", "matmul"):
            setattr(kind, f"__i{method}__", _in_place(operator + "="))
    for method, (operator, name) in _UNARY.items():
        setattr(kind, f"__{method}__", _unary(operator, name))
    for method, (operator, name) in _COMPARISONS.items():
        setattr(kind, f"__{method}__", _comparison(operator, name))
