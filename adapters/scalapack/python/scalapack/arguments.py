# SPDX-License-Identifier: BSD-3-Clause
"""Python's values as Fortran's arguments, for scalapack.call().

For the routines of the table (_scalapack.signature) each value is judged by what the routine reads
there: a value of another type would be read as other numbers, and short memory written beyond.
"""

from __future__ import annotations

import ctypes
import operator
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy

from .._arrays.builders import refuse_masked
from .._daptor import _invalid_argument
from .pblas import Part, require_fitting

_TYPES = {"s": "float32", "d": "float64", "c": "complex64", "z": "complex128", "i": "int32"}
# Of complex elements, with a real result.
_REAL_OF_COMPLEX = ("pdzasum", "pdznrm2", "pdzsum1", "pscasum", "pscnrm2", "pscsum1")


def types_of(routine: str) -> List[str]:
    """The element types that the name of a routine speaks of: pdgesv, pdznrm2, pigemr2d."""
    letters = routine[1:3] if routine in _REAL_OF_COMPLEX else routine[1:2]
    return [_TYPES[letter] for letter in letters if letter in _TYPES] if routine[:1] == "p" else []


@dataclass
class Passed:
    """Addresses, the lengths of strings that follow them, and what keeps the memory alive."""
    pointers: List[Any] = field(default_factory=list)
    lengths: List[Any] = field(default_factory=list)
    kept: List[Any] = field(default_factory=list)

    def add_array(self, array: "numpy.ndarray[Any, Any]") -> None:
        self.kept.append(array)
        self.pointers.append(ctypes.c_void_p(array.ctypes.data))

    def add_letters(self, text: str, key: str) -> None:
        if not text or not text.isascii():
            _invalid_argument(key, f"the string {text!r}", "a letter, as 'N'")
        # Of its own: a routine may write to it.
        self.kept.append(ctypes.create_string_buffer(text.encode()))
        self.pointers.append(self.kept[-1])
        self.lengths.append(ctypes.c_size_t(len(text)))  # as Fortran compilers have it

    def add_matrix(self, matrix: Any, types: List[str], key: str) -> None:
        part = matrix.data
        if types and part.dtype.name not in types:
            _invalid_argument(key, f"a Matrix of {part.dtype.name}", f"elements of {types[-1]}")
        one = numpy.array([1], "int32")
        for each in (part, one, one, matrix.desc):
            self.add_array(each)


def _require_usable(array: "numpy.ndarray[Any, Any]", key: str) -> None:
    refuse_masked(key, array)
    if not array.flags.forc or not array.flags.aligned:
        _invalid_argument(key, "a NumPy array with gaps", "contiguous memory")
    if not array.flags.writeable and not (array.dtype == "int32" and array.size == 9):
        _invalid_argument(key, "a read-only NumPy array",
                          "memory that the routine may write to; pass a copy otherwise")


def _integer(value: Any, key: str) -> "numpy.ndarray[Any, Any]":
    if isinstance(value, (float, numpy.floating)):
        _invalid_argument(key, f"{value}, a floating-point number",
                          "an integer; divide by // where the result is one")
    if isinstance(value, (bool, numpy.bool_)) or not hasattr(value, "__index__"):
        _invalid_argument(key, f"a value of type {type(value).__name__}", "an integer")
    whole = operator.index(value)
    if not -2**31 <= whole < 2**31:
        _invalid_argument(key, str(whole), "an integer of 32 bits")
    return numpy.array([whole], "int32")


def _number(value: Any, dtype: str, key: str) -> "numpy.ndarray[Any, Any]":
    if isinstance(value, (bool, numpy.bool_)) or \
            not isinstance(value, (int, float, complex, numpy.number)):
        _invalid_argument(key, f"a value of type {type(value).__name__}", f"a number of {dtype}")
    if isinstance(value, (complex, numpy.complexfloating)) and "complex" not in dtype:
        _invalid_argument(key, "a complex number", f"a number of {dtype}")
    return numpy.array([value], dtype)


@dataclass(frozen=True)
class _Argument:
    """An entry of a signature: see Routine::arguments in routines.hpp."""
    name: str
    kind: str
    least: str  # of the length; empty: not known

    @classmethod
    def parsed(cls, text: str) -> "_Argument":
        name, _, rest = text.partition("/")
        return cls(name, rest[0], rest[2:])


def _local_count(size: int, block: int, position: int, source: int, processes: int) -> int:
    """How many of the first `size` indices a process of the grid has."""
    turn = (position - source) % processes
    blocks, rest = divmod(size, block)
    whole, extra = divmod(blocks, processes)
    return whole * block + (block if turn < extra else rest if turn == extra else 0)


class _Reader:
    """Reads the values of a call by the signature of its routine."""

    def __init__(self, routine: str, signature: str, matrix_type: type) -> None:
        self._routine = routine
        self._expected = [_Argument.parsed(each) for each in signature.split()]
        self._matrix_type = matrix_type
        self._element = types_of(routine)[-1]
        self._real = numpy.empty(0, self._element).real.dtype.name
        self._integers: Dict[str, int] = {}
        self._arrays: Dict[str, int] = {}  # their lengths
        self._letters: Dict[str, str] = {}
        self._parts: Dict[str, Part] = {}
        # That of the signature, whose blocks and grid decide lengths; None if it comes in parts.
        self._first_matrix: Any = None

    def read(self, values: Sequence[Any]) -> Passed:
        self._require_count(values)
        passed = Passed()
        position = 0
        for argument in self._expected:
            if argument.kind == "m" and isinstance(values[position], numpy.ndarray):
                self._read_parts(argument, values[position:position + 4], passed)
                position += 4
            else:
                self._read_one(argument, values[position], passed)
                position += 1
        for argument in self._expected:
            if argument.least and argument.name in self._arrays:
                self._require_length(argument, self._arrays[argument.name])
        require_fitting(self._routine, self._integers, self._letters, self._parts)
        return passed

    def _key(self, argument: _Argument) -> str:
        return f"{argument.name} of {self._routine}"

    def _require_count(self, values: Sequence[Any]) -> None:
        position = 0
        for argument in self._expected:
            parts = argument.kind == "m" and position < len(values) and \
                isinstance(values[position], numpy.ndarray)
            position += 4 if parts else 1
        if position == len(values):
            return
        matrices = sum(isinstance(each, self._matrix_type) for each in values)
        names = ", ".join(each.name for each in self._expected)
        _invalid_argument(
            "arguments", f"{len(values)} arguments of {self._routine}, {matrices} of them matrices",
            f"{names} (a Matrix, or its memory, row, column and descriptor; INFO is left out)")

    def _read_one(self, argument: _Argument, value: Any, passed: Passed) -> None:
        key, kind = self._key(argument), argument.kind
        if kind == "m":
            if not isinstance(value, self._matrix_type):
                _invalid_argument(key, f"a value of type {type(value).__name__}", "a Matrix")
            if argument is next(each for each in self._expected if each.kind == "m"):
                self._first_matrix = value
            passed.add_matrix(value, [self._element], key)
            shape: Tuple[int, int] = getattr(value, "shape")
            self._parts[argument.name] = Part(shape[0], shape[1], shape[0])
        elif kind == "c":
            self._read_letters(value, key, passed)
            self._letters[argument.name] = value[0] if isinstance(value, str) else \
                value.flat[0].decode("latin-1")
        elif kind in "ERI" or isinstance(value, numpy.ndarray):
            self._read_array(argument, value, passed)
        elif kind == "i":
            passed.add_array(_integer(value, key))
            self._integers[argument.name] = operator.index(value)
        else:
            passed.add_array(_number(value, self._element if kind == "e" else self._real, key))

    def _read_letters(self, value: Any, key: str, passed: Passed) -> None:
        if isinstance(value, numpy.ndarray) and value.dtype == "S1" and value.size > 0:
            _require_usable(value, key)
            passed.add_array(value)
            passed.lengths.append(ctypes.c_size_t(1))
        elif isinstance(value, str):
            passed.add_letters(value, key)
        else:
            _invalid_argument(key, f"a value of type {type(value).__name__}", "a letter, as 'N'")

    def _read_array(self, argument: _Argument, value: Any, passed: Passed) -> None:
        key = self._key(argument)
        dtype = {"E": self._element, "R": self._real, "I": "int32"}[argument.kind.upper()]
        if not isinstance(value, numpy.ndarray):
            _invalid_argument(key, f"a value of type {type(value).__name__}",
                              f"a NumPy array of {dtype}")
        if value.dtype != dtype:
            _invalid_argument(key, f"a NumPy array of {value.dtype}", f"one of {dtype}")
        _require_usable(value, key)
        if argument.kind.islower() and value.size == 0:
            _invalid_argument(key, "an empty NumPy array", "a number")
        if argument.kind == "i":
            self._integers[argument.name] = int(value.flat[0])
        self._arrays[argument.name] = int(value.size)
        passed.add_array(value)

    def _read_parts(self, argument: _Argument, values: Sequence[Any], passed: Passed) -> None:
        """The memory of a matrix, its row and column, and its descriptor."""
        name = argument.name
        self._read_array(_Argument(name, "E", ""), values[0], passed)
        for letter, value in zip("IJ", values[1:3]):
            self._read_one(_Argument(letter + name, "i", ""), value, passed)
        self._read_array(_Argument("DESC" + name, "I", ""), values[3], passed)
        self._require_length(_Argument("DESC" + name, "I", "9"), self._arrays["DESC" + name])
        rows, columns = (int(extent) for extent in values[3].flat[2:4])
        self._parts[name] = Part(rows - self._integers["I" + name] + 1,
                                 columns - self._integers["J" + name] + 1, rows)

    def _least_length(self, least: str) -> Optional[Tuple[int, str]]:
        """Least length of memory, and why; None where it is not known here."""
        if least.isdigit():
            return int(least), "entries of a descriptor"
        where, _, names = least.partition(":")
        matrix = self._first_matrix
        if where == "P":
            if matrix is None:
                return None
            rows, block = matrix.local_shape[0], matrix.blocks[0]
            return rows + block, f"{rows} local rows of the matrix and {block} rows of a block"
        size = min(self._integers[each] for each in names.split(","))
        if where == "":
            return max(1, size), f"by {names}"
        if matrix is None:
            return None
        axis = 1 if where == "c" else 0
        grid = matrix.grid
        position, processes = ((grid.row, grid.rows), (grid.column, grid.columns))[axis]
        count = _local_count(max(0, size), matrix.blocks[axis], position,
                             int(matrix.desc[6 + axis]), processes)
        return count, f"{'columns' if axis else 'rows'} of this process among the first {size}"

    def _require_length(self, argument: _Argument, length: int) -> None:
        least = self._least_length(argument.least)
        if least is not None and length < least[0]:
            _invalid_argument(self._key(argument), f"memory of {length} elements",
                              f"at least {least[0]}: {least[1]}")


def _may_differ(name: str) -> bool:
    """Whether ranks may pass different values: lengths of work space, contexts."""
    return name.endswith("WORK") or name == "ICTXT"


def same_on_all(signature: Optional[str], values: Sequence[Any]) -> str:
    """Letters and numbers of a call as a text, which is the same on all ranks of a correct call.

    Also of a rank outside of the grid, which calls no routine. Empty for routines that the table
    does not have.
    """
    expected = [_Argument.parsed(each) for each in (signature or "").split()]
    said = []
    position = 0
    for argument in expected:
        value = values[position] if position < len(values) else None
        position += 4 if argument.kind == "m" and isinstance(value, numpy.ndarray) else 1
        if isinstance(value, (str, bytes)):
            said.append(f"{argument.name}={value!r}")
        elif argument.kind in "ier" and not _may_differ(argument.name) and isinstance(
                value, (int, float, complex, numpy.number)):
            number = complex(value)
            said.append(f"{argument.name}={number if number.imag else number.real:.17g}")
    return " ".join(said)


def _as_it_is(routine: str, values: Sequence[Any], matrix_type: type) -> Passed:
    """For routines that the table does not have."""
    types = types_of(routine)
    reals = [numpy.empty(0, each).real.dtype.name for each in types]
    passed = Passed()
    for number, value in enumerate(values, 1):
        key = f"argument {number} of {routine}"
        if isinstance(value, str):
            passed.add_letters(value, key)
        elif isinstance(value, matrix_type):
            passed.add_matrix(value, types, key)
        elif isinstance(value, numpy.ndarray):
            if types and value.dtype.name not in types + reals + ["int32"]:
                _invalid_argument(key, f"a NumPy array of {value.dtype.name}",
                                  f"elements of {', '.join([*types, 'int32'])}")
            _require_usable(value, key)
            passed.add_array(value)
        elif hasattr(value, "__index__"):
            passed.add_array(_integer(value, key))
        elif not types:
            _invalid_argument(key, f"a value of type {type(value).__name__}",
                              "a Matrix, a NumPy array, an integer or a string")
        else:
            passed.add_array(_number(value, types[-1], key))
    return passed


def passed_arguments(routine: str, signature: Optional[str], values: Sequence[Any],
                     matrix_type: type) -> Passed:
    """What Fortran gets. Raises InvalidArgument for values that the routine would misread."""
    if signature is None:
        return _as_it_is(routine, values, matrix_type)
    return _Reader(routine, signature, matrix_type).read(values)
