# SPDX-License-Identifier: BSD-3-Clause
"""DLPack's capsules as a consumer has them: the tensor that they hold, and when it is deleted.

Nothing here trusts the producer: memory is read only where this process has some. Process-local.
"""

from __future__ import annotations

import ctypes
import functools
import math
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

PLAIN = b"dltensor"
VERSIONED = b"dltensor_versioned"
_USED = {PLAIN: b"used_dltensor", VERSIONED: b"used_dltensor_versioned"}
READ_ONLY, COPIED, PADDED = 1, 2, 4  # the flags
HOST = (1, 3, 11)  # device types whose memory the host can reach: itself, pinned by CUDA or ROCm
MOST_DIMENSIONS = 64


class _Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("number", ctypes.c_int32)]


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", _Device), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
                ("byte_offset", ctypes.c_uint64)]


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("manager", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32),
                ("manager", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
                ("flags", ctypes.c_uint64), ("tensor", _Tensor)]


_API = ctypes.pythonapi
_name_of = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(("PyCapsule_GetName", _API))
_pointer_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", _API))
_rename = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_SetName", _API))
_Hook = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_Deleter = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)  # called with the GIL, as consumers may


def read_memory(address: int, count: int) -> Optional[bytes]:
    """Bytes of this process; None where it has no memory at this address. A system that has no
    /proc/self/mem ends the process there."""
    if count == 0:
        return b""
    return _look(address, count) if _can_look() else ctypes.string_at(address, count)


@functools.lru_cache(maxsize=None)
def _can_look() -> bool:
    known = ctypes.create_string_buffer(b"known")
    return _look(ctypes.addressof(known), 5) == b"known"


def _look(address: int, count: int) -> Optional[bytes]:
    try:
        with open("/proc/self/mem", "rb", buffering=0) as memory:
            memory.seek(address)
            found = memory.read(count)
    except (OSError, OverflowError, ValueError):
        return None
    return found if found is not None and len(found) == count else None


def write_memory(address: int, data: bytes) -> bool:
    """Writes bytes of this process, read-only pages included. False if that is impossible."""
    try:
        with open("/proc/self/mem", "r+b", buffering=0) as memory:
            memory.seek(address)
            return memory.write(data) == len(data)
    except (OSError, OverflowError, ValueError):
        return False


def reach_of(address: int, shape: Sequence[int], byte_strides: Sequence[int], itemsize: int
             ) -> Tuple[int, int]:
    """The addresses [start, stop) of the elements of an array, the first of which is at `address`.
    """
    if 0 in shape:
        return address, address
    ends = [(extent - 1) * stride for extent, stride in zip(shape, byte_strides)]
    return (address + sum(min(end, 0) for end in ends),
            address + sum(max(end, 0) for end in ends) + itemsize)


class Tensor(NamedTuple):
    """What a struct says of its tensor. Strides count elements."""

    version: Optional[Tuple[int, int]]  # None before 1.0
    flags: int
    data: Optional[int]
    device: Tuple[int, int]
    ndim: int
    code: int
    bits: int
    lanes: int
    shape: Optional[Tuple[int, ...]]  # None: null, or no memory there
    strides: Optional[Tuple[int, ...]]
    byte_offset: int

    @property
    def itemsize(self) -> int:
        """Bytes of an element, rounded up."""
        return (self.bits * self.lanes + 7) // 8

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape or ())

    @property
    def byte_strides(self) -> Tuple[int, ...]:
        """Strides in bytes; those of C order if the tensor has none."""
        if self.strides is not None:
            return tuple(stride * self.itemsize for stride in self.strides)
        shape = self.shape or ()
        return tuple(self.itemsize * math.prod(shape[d + 1:]) for d in range(len(shape)))

    @property
    def address(self) -> int:
        """Address of the first element."""
        return (self.data or 0) + self.byte_offset

    @property
    def reach(self) -> Tuple[int, int]:
        """The addresses [start, stop) of all elements."""
        return reach_of(self.address, self.shape or (), self.byte_strides, self.itemsize)

    @property
    def dtype(self) -> str:
        """The element type in NumPy's form, `f8`; empty if NumPy has none."""
        kind = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}.get(self.code, "")
        widths = {"i": (8, 16, 32, 64), "u": (8, 16, 32, 64), "f": (16, 32, 64, 128),
                  "c": (64, 128, 256), "b": (8,), "": ()}[kind]
        return f"{kind}{self.bits // 8}" if self.lanes == 1 and self.bits in widths else ""

    def element_type(self) -> str:
        """The element type in DLPack's words."""
        kinds = {0: "int", 1: "uint", 2: "float", 3: "opaque", 4: "bfloat", 5: "complex",
                 6: "bool"}
        lanes = "" if self.lanes == 1 else f"x{self.lanes}"
        return f"{kinds.get(self.code, f'code {self.code}, ')}{self.bits}{lanes}"

    def elements(self) -> Optional[Any]:
        """The elements as a NumPy array, copied; None if some are where no memory is."""
        import numpy
        start, stop = self.reach
        found = read_memory(start, stop - start)
        if found is None:
            return None
        array: Any = numpy.ndarray(self.shape or (), self.dtype, found, self.address - start,
                                   self.byte_strides)
        return array.copy()


def _numbers(address: Optional[int], count: int) -> Optional[Tuple[int, ...]]:
    if not 0 <= count <= MOST_DIMENSIONS:
        return None
    found = read_memory(address, 8 * count) if address else None
    return None if found is None else tuple((ctypes.c_int64 * count).from_buffer_copy(found))


def _tensor_of(managed: Any) -> Tensor:
    tensor = managed.tensor
    versioned = isinstance(managed, _Versioned)
    return Tensor((managed.major, managed.minor) if versioned else None,
                  managed.flags if versioned else 0, tensor.data,
                  (tensor.device.type, tensor.device.number), tensor.ndim, tensor.code,
                  tensor.bits, tensor.lanes, _numbers(tensor.shape, tensor.ndim),
                  _numbers(tensor.strides, tensor.ndim), tensor.byte_offset)


class NoTensor(Exception):
    """Says why an object holds no tensor that can be taken."""


class Received:
    """A capsule, and the tensor in it, whose deleter is watched.

    The deleter that the producer gave is called at most once, whoever asks for it.
    """

    # By address of the struct. Calls that come later, from a capsule that somebody keeps, still
    # find the function that they call.
    _alive: Dict[int, "Received"] = {}

    def __init__(self, capsule: Any) -> None:
        """Raises NoTensor if the capsule holds none, or one that was received before."""
        if type(capsule).__name__ != "PyCapsule":
            raise NoTensor(f"a value of type {type(capsule).__name__}")
        self.name = _name_of(capsule)
        if self.name not in _USED:
            raise NoTensor(f"a capsule named {(self.name or b'').decode('utf-8', 'replace')!r}")
        self.address: int = _pointer_of(capsule, self.name)
        if self.address in self._alive:
            raise NoTensor("the tensor of an earlier call")
        struct = _Versioned if self.name == VERSIONED else _Managed
        if read_memory(self.address, ctypes.sizeof(struct)) is None:
            raise NoTensor(f"a capsule whose pointer leads to no memory, {self.address:#x}")
        self._capsule = capsule
        self._managed: Any = struct.from_address(self.address)
        self.tensor = _tensor_of(self._managed)
        self.deleted = 0  # calls by the capsule
        self._forward = True
        self._watch()

    def _watch(self) -> None:
        self.deleter: Optional[int] = self._managed.deleter
        self._hook = _Hook(self._called)
        if self.deleter:
            self._managed.deleter = ctypes.cast(self._hook, ctypes.c_void_p).value
        self._alive[self.address] = self

    def _called(self, _: Optional[int]) -> None:
        self.deleted += 1
        if self._forward:
            self._delete()

    def _delete(self) -> None:
        self._forward = False
        if self.deleter:
            _Deleter(self.deleter)(self.address)

    def drop(self) -> int:
        """Drops the capsule, unused. Returns how often it has called the deleter."""
        self._capsule = None
        self._alive.pop(self.address, None)
        if not self.deleted:
            self._unwatch()
        return self.deleted

    def _unwatch(self) -> None:
        """Gives the struct its deleter back, if somebody has kept it."""
        _kept.append(self._hook)
        if self.deleter is None or read_memory(self.address, ctypes.sizeof(self._managed)) is None:
            return
        if self._managed.deleter == ctypes.cast(self._hook, ctypes.c_void_p).value:
            self._managed.deleter = self.deleter

    def take(self) -> int:
        """Takes the tensor over, as consumers do. Returns how often the capsule, when it goes,
        calls the deleter of the tensor that is no longer its own."""
        self._forward = False
        _kept.append(self._hook)
        _rename(self._capsule, _USED[self.name])
        self._capsule = None
        return self.deleted

    def delete(self) -> None:
        """Deletes a tensor that was taken over."""
        self._alive.pop(self.address, None)
        self._delete()


_kept: List[Any] = []  # functions that a tensor which was not deleted may still call
