# SPDX-License-Identifier: BSD-3-Clause
"""What is wrong with one tensor of DLPack: with its struct, and with its elements where NumPy sees
the same memory. Process-local."""

from __future__ import annotations

from typing import Any, List, Optional

from .dlpack import (COPIED, MOST_DIMENSIONS, PADDED, READ_ONLY, Tensor, read_memory,
                     reach_of, write_memory)
from .dlpack_rules import Findings

_LARGEST = 1 << 28  # bytes of a tensor whose elements are compared


def apart(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors that exist have their first elements at different addresses."""
    return bool(a.size and b.size) and a.address != b.address


def same_elements(copy: Tensor, tensor: Tensor) -> bool:
    """Whether a copy is one, as far as this can be read."""
    if (copy.shape, copy.dtype) != (tensor.shape, tensor.dtype):
        return False
    if not tensor.dtype or tensor.size * tensor.itemsize > _LARGEST:
        return True
    mine, theirs = copy.elements(), tensor.elements()
    return mine is not None and theirs is not None and mine.tobytes() == theirs.tobytes()


def look_at_tensor(found: Findings, tensor: Tensor) -> bool:
    """What is wrong with the struct by itself. Returns whether its elements can be looked at."""
    if not _look_at_extents(found, tensor):
        return False
    _look_at_type(found, tensor)
    if tensor.flags & ~(READ_ONLY | COPIED | PADDED):
        found.warning("dlpack.flags", f"the flags {tensor.flags:#x}", "bits 0 to 2")
    sound = _look_at_strides(found, tensor)
    if tensor.byte_offset >= 1 << 62:
        found.error("dlpack.offset", f"byte_offset {tensor.byte_offset}", "an offset in memory")
        sound = False
    if sound and tensor.size and tensor.data is None:
        found.error("dlpack.memory", f"data is null, of {tensor.size} elements", "memory")
        sound = False
    return sound and tensor.itemsize > 0


def _look_at_extents(found: Findings, tensor: Tensor) -> bool:
    if not 0 <= tensor.ndim <= MOST_DIMENSIONS:
        found.error("dlpack.shape", f"ndim {tensor.ndim}", f"0 to {MOST_DIMENSIONS}")
        return False
    if tensor.shape is None and tensor.ndim > 0:
        found.error("dlpack.shape", "a shape that is null or leads to no memory", "one extent for "
                    "each dimension")
        return False
    for dimension, extent in enumerate(tensor.shape or ()):
        if extent < 0:
            found.error("dlpack.shape", f"the extent {extent}", "0 or more", dimension)
            return False
    if tensor.size * tensor.itemsize >= 1 << 62:
        found.error("dlpack.shape", f"{tensor.size} elements", "extents whose elements are in "
                    "memory")
        return False
    return True


def _look_at_type(found: Findings, tensor: Tensor) -> None:
    widths = {0: (1, 2, 4, 8, 16, 32, 64), 1: (1, 2, 4, 8, 16, 32, 64), 2: (16, 32, 64, 80, 128),
              4: (16,), 5: (32, 64, 128, 256), 6: (1, 8)}
    known = tensor.code in widths or tensor.code == 3 or 7 <= tensor.code <= 17
    if not known or tensor.bits == 0 or tensor.bits not in widths.get(tensor.code, (tensor.bits,)):
        found.error("dlpack.type", f"elements of {tensor.element_type()}", "a type of DLPack")
    elif tensor.lanes != 1:
        found.error("dlpack.type", f"{tensor.lanes} lanes", "one lane, which consumers take")
    elif tensor.itemsize and tensor.dtype and tensor.size:
        import numpy
        alignment = numpy.dtype(tensor.dtype).alignment
        if tensor.address % alignment:
            found.warning("dlpack.alignment", f"{tensor.dtype} at the address "
                          f"{tensor.address:#x}", f"a multiple of {alignment}")


def _look_at_strides(found: Findings, tensor: Tensor) -> bool:
    if tensor.strides is None and tensor.ndim > 0 and (tensor.version or (0, 0)) >= (1, 2):
        found.error("dlpack.strides", "strides that are null, in version 1.2 or later",
                    "one stride for each dimension")
    start, stop = tensor.reach
    if stop - start >= 1 << 62:
        found.error("dlpack.strides", f"strides {tensor.strides}, which reach over "
                    f"{stop - start} bytes", "strides in memory")
        return False
    return True


class Comparison:
    """A tensor in host memory, which exists, and what NumPy sees of the same object."""

    def __init__(self, found: Findings, tensor: Tensor, producer: Any) -> None:
        self._found = found
        self._tensor = tensor
        self._producer = producer
        self._by_dlpack = False  # NumPy's array has been made by DLPack

    def look(self) -> None:
        """Compares them."""
        tensor, found = self._tensor, self._found
        start, stop = tensor.reach
        inside = not tensor.size or all(
            read_memory(address, 1) is not None for address in (start, stop - 1))
        view = self._view() if inside else self._own_view()
        if view is not None and not self._same_form(view):
            return
        if not inside:
            found.error("dlpack.memory", f"elements from {start:#x} to {stop:#x}, where this "
                        "process has no memory", "elements in memory")
        elif view is None:
            found.not_checked("whether NumPy sees the same elements")
        elif tensor.size and tensor.dtype:
            self._look_at_elements(view)

    def _own_view(self) -> Optional[Any]:
        """The object as a NumPy array by other means than DLPack."""
        import numpy
        ways = ("__array__", "__array_interface__", "__array_struct__")
        producer = self._producer
        try:
            if not any(hasattr(producer, way) for way in ways):
                memoryview(producer).release()  # raises TypeError if it is no buffer either
            view: Any = numpy.asarray(producer)
        except Exception:  # pylint: disable=broad-except
            return None
        return view if view.dtype.kind in "biufc" else None

    def _view(self) -> Optional[Any]:
        view = self._own_view()
        if view is not None or not self._found.sound() or not self._tensor.dtype:
            return view
        import numpy
        self._by_dlpack = True
        try:
            return numpy.from_dlpack(self._producer)
        except Exception:  # pylint: disable=broad-except
            return None

    def _same_form(self, view: Any) -> bool:
        """Compares types, shapes, and strides where the memory is the same."""
        found, tensor = self._found, self._tensor
        mine = view.dtype.newbyteorder("=").str[1:]
        if tensor.dtype and mine != tensor.dtype or not tensor.dtype and found.sound():
            found.error("dlpack.type", f"elements of {tensor.element_type()}, where NumPy sees "
                        f"{view.dtype}", "the same type")
            return False
        if not view.dtype.isnative:
            found.error("dlpack.type", "elements in another byte order than this machine's",
                        "a BufferError")
        if tensor.shape is not None and view.shape != tensor.shape or tensor.ndim != view.ndim:
            found.error("dlpack.shape", f"the shape {tensor.shape or ()}, where NumPy sees "
                        f"{view.shape}", "the same shape")
            return False
        if not _overlap(view, tensor):
            return True
        return self._same_places(view)

    def _same_places(self, view: Any) -> bool:
        found, tensor = self._found, self._tensor
        for dimension, (stride, seen) in enumerate(zip(tensor.byte_strides, view.strides)):
            if view.shape[dimension] > 1 and stride != seen:
                found.error("dlpack.strides", f"the stride {stride} bytes, where NumPy sees {seen}",
                            "the same stride", dimension)
        first = view.__array_interface__["data"][0]
        if first != tensor.address:
            found.error("dlpack.offset", f"the first element {tensor.address - first} bytes from "
                        "that which NumPy sees", "the same element")
        if not self._by_dlpack:
            self._look_at_flag(bool(view.flags.writeable))
        return found.sound()

    def _look_at_flag(self, writable: bool) -> None:
        tensor, found = self._tensor, self._found
        flagged = bool(tensor.flags & READ_ONLY)
        if not writable and not flagged:
            found.error("dlpack.readonly", "a tensor of read-only memory without the read-only "
                        "flag" + ("" if tensor.version else ", which dltensor cannot have"),
                        "the flag, or a BufferError")
        elif writable and flagged:
            found.warning("dlpack.readonly", "the read-only flag, where NumPy may write",
                          "no flag")

    def _look_at_elements(self, view: Any) -> None:
        found, tensor = self._found, self._tensor
        if tensor.reach[1] - tensor.reach[0] > _LARGEST:
            found.not_checked(f"the elements of a tensor of more than {_LARGEST} bytes")
            return
        elements = tensor.elements()
        if elements is None:
            found.error("dlpack.memory", "elements where this process has no memory",
                        "elements in memory")
            return
        different = _different(elements, view)
        if different:
            where = different[0]
            found.error("dlpack.values", f"{len(different)} of {tensor.size} elements, the first "
                        f"of them {elements.flat[where]}, where NumPy sees {view.flat[where]}",
                        "the same elements")
        elif not _overlap(view, tensor) and not tensor.flags & COPIED:
            self._look_at_sharing()

    def _look_at_sharing(self) -> None:
        """Writes to the tensor, and looks whether the object has the new element."""
        address = self._tensor.address
        old = read_memory(address, 1)
        if old is None or self._tensor.flags & READ_ONLY or not write_memory(
                address, bytes([old[0] ^ 1])):
            return
        view = self._own_view()
        seen = view is None or view.flat[0].tobytes()[0] != old[0]
        write_memory(address, old)
        if not seen:
            self._found.error("dlpack.copy", "a copy that nobody has asked for, without the copied "
                              "flag", "the memory in which the object works")


def _different(a: Any, b: Any) -> List[int]:
    """Row-major numbers of the elements whose bytes differ."""
    import numpy
    bytes_of = [numpy.frombuffer(array.tobytes(), "u1").reshape(-1, a.itemsize)
                for array in (a, b)]
    return [int(i) for i in numpy.flatnonzero((bytes_of[0] != bytes_of[1]).any(axis=1))]


def _overlap(view: Any, tensor: Tensor) -> bool:
    """Whether the tensor's first element is in the memory that the array reaches."""
    first = view.__array_interface__["data"][0]
    start, stop = reach_of(first, view.shape, view.strides, view.itemsize)
    return start <= tensor.address < stop
