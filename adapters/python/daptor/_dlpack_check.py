# SPDX-License-Identifier: BSD-3-Clause
"""What is wrong with an object as a producer of DLPack. Process-local.

Takes tensors from it as a consumer would, and looks at them where NumPy has the same memory.
Memory of a device is not read.
"""

from __future__ import annotations

import gc
import operator
import sys
import weakref
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, Union

from ._dlpack import (COPIED, HOST, MOST_DIMENSIONS, PADDED, PLAIN, READ_ONLY, VERSIONED, NoTensor,
                      Received, Tensor, read_memory, write_memory)

NOTE, WARNING, ERROR = range(3)

REMEDIES = {
    "dlpack.methods": "Give the class __dlpack__ and __dlpack_device__.",
    "dlpack.device": "Let __dlpack_device__ return the tensor's (device_type, device_id), two "
                     "ints, and refuse other values of dl_device with a BufferError.",
    "dlpack.arguments": "Take stream, max_version, dl_device and copy, by keyword and each with "
                        "None as its default, as the array API standard has them.",
    "dlpack.refusal": "Raise BufferError where the memory cannot be exported.",
    "dlpack.capsule": "Return a capsule named dltensor or dltensor_versioned, whose pointer is "
                      "the struct of that name.",
    "dlpack.version": "Return dltensor_versioned of version 1 if max_version is (1, 0) or later, "
                      "otherwise dltensor.",
    "dlpack.twice": "Make a new capsule, with a struct of its own, in each call.",
    "dlpack.deleter": "Set a deleter, and let the capsule's destructor call it once if the capsule "
                      "still has its name, and otherwise not.",
    "dlpack.leak": "Let the deleter drop every reference that the tensor holds.",
    "dlpack.lifetime": "Let the tensor hold a reference to its memory until the deleter is "
                       "called.",
    "dlpack.shape": "Set ndim and shape to those of the memory.",
    "dlpack.strides": "Set strides to those of the memory, in elements and not in bytes.",
    "dlpack.offset": "Let data + byte_offset be the address of the first element.",
    "dlpack.alignment": "Align the memory for the element type.",
    "dlpack.type": "Set dtype to a code of DLPack, its width in bits, and one lane.",
    "dlpack.flags": "Set no bits of flags but those that DLPack names.",
    "dlpack.readonly": "Set the read-only flag in dltensor_versioned if the memory must not be "
                       "written, and raise BufferError instead of returning dltensor.",
    "dlpack.copy": "Copy if copy=True and not if copy=False, and set the copied flag on each copy.",
    "dlpack.memory": "Let data lead to all elements that shape and strides reach.",
    "dlpack.values": "Export the memory in which the object itself works.",
    "dlpack.ranks": "Export sections of the same kind on all ranks.",
    "dlpack.not-checked": "",
}


class Found(NamedTuple):
    """One thing that is wrong on this rank."""

    rule: str
    severity: int
    found: str
    expected: str
    dimension: int = -1


class Refusal(NamedTuple):
    """What __dlpack__ raised."""

    kind: type
    text: str


Answer = Union[Received, Refusal, None]

_NOWHERE = (9, 0)  # a kind of device that no library in Python has
_LARGEST = 1 << 28  # bytes of a tensor whose elements are compared
_WATCHED = 1 << 20  # bytes that are looked at before and after the producer has gone


def _said(error: BaseException) -> str:
    text = f"{type(error).__name__}: {error}"
    return text if len(text) <= 200 else text[:197] + "..."


def _device_text(device: Tuple[int, int]) -> str:
    return f"({device[0]}, {device[1]})"


class Trial:
    """One producer, which is tried out once. After look() it has been dropped."""

    def __init__(self, producer: Any) -> None:
        self._producer = producer
        self.found: List[Found] = []
        self.kind = ""  # of the memory, which all ranks should have alike; empty if unknown
        self._keywords: Dict[str, bool] = {}  # those that __dlpack__ takes

    def error(self, rule: str, found: str, expected: str, dimension: int = -1) -> None:
        self._add(Found(rule, ERROR, found, expected, dimension))

    def warning(self, rule: str, found: str, expected: str) -> None:
        self._add(Found(rule, WARNING, found, expected))

    def not_checked(self, found: str) -> None:
        self._add(Found("dlpack.not-checked", NOTE, found, ""))

    def _add(self, finding: Found) -> None:
        """Adds what is not known yet: a rule once for each severity and dimension."""
        known = {(other.rule, other.severity, other.dimension) for other in self.found}
        if (finding.rule, finding.severity, finding.dimension) not in known:
            self.found.append(finding)

    def sound(self) -> bool:
        """Whether nothing found so far is an error."""
        return all(finding.severity < ERROR for finding in self.found)

    def receive(self, call: str, **named: Any) -> Answer:
        """The tensor that __dlpack__ gives; None if what it gives is none, which is told."""
        try:
            received = Received(self._producer.__dlpack__(**named))
        except NoTensor as error:
            twice = "earlier call" in str(error)
            self.error("dlpack.twice" if twice else "dlpack.capsule", f"{error}, from {call}",
                       "a new capsule in each call" if twice else "a capsule that holds a tensor")
            return None
        except Exception as error:  # pylint: disable=broad-except
            return Refusal(type(error), _said(error))
        if received.tensor.version is not None and received.tensor.version[0] != 1:
            self.error("dlpack.version", f"version {received.tensor.version[0]} from {call}",
                       "version 1, or a plain dltensor")
            received.drop()
            return None
        return received

    def tensor(self, call: str, **named: Any) -> Answer:
        """The same of a tensor whose capsule is dropped at once."""
        received = self.receive(call, **named)
        if isinstance(received, Received):
            received.drop()
        return received

    def look(self) -> None:
        """Tries everything out."""
        missing = [name for name in ("__dlpack__", "__dlpack_device__")
                   if not hasattr(self._producer, name)]
        if missing:
            self.error("dlpack.methods", f"a {type(self._producer).__name__} without "
                       + " and ".join(missing), "both methods")
        if "__dlpack__" not in missing:
            self._look_at_export(None if missing else self._device())
        self._producer = None

    def _device(self) -> Optional[Tuple[int, int]]:
        try:
            given = self._producer.__dlpack_device__()
            kind, number = given
            return operator.index(kind), operator.index(number)
        except Exception as error:  # pylint: disable=broad-except
            self.error("dlpack.device", f"__dlpack_device__ fails, or returns no pair of ints: "
                       f"{_said(error)}", "(device_type, device_id)")
            return None

    def _look_at_export(self, device: Optional[Tuple[int, int]]) -> None:
        self._look_at_keywords()
        held = self._look_at_versions()
        if held is None:
            return
        readable = self._look_at_held(held.tensor, device)
        held.drop()
        if any(finding.rule == "dlpack.twice" for finding in self.found):
            return  # what is deleted once would come again
        self._look_at_deleter()
        self._look_at_lifetime(readable)

    def _look_at_held(self, tensor: Tensor, device: Optional[Tuple[int, int]]) -> bool:
        """What is wrong with a tensor while it exists. Returns whether its elements can be
        read."""
        if device is not None and tensor.device != device:
            self.error("dlpack.device", f"a tensor on device {_device_text(tensor.device)}, and "
                       f"{_device_text(device)} from __dlpack_device__", "the same device")
        self.kind = (f"{tensor.element_type()} in {tensor.ndim} dimensions on devices of type "
                     f"{tensor.device[0]}")
        sound = look_at_tensor(self, tensor)
        readable = sound and tensor.device[0] in HOST
        if readable:
            _Comparison(self, tensor, self._producer).look()
        elif sound:
            self.not_checked(f"what is in memory of device {_device_text(tensor.device)}")
        self._look_at_devices(tensor, device)
        self._look_at_copies(tensor, readable)
        return readable

    def _look_at_keywords(self) -> None:
        """Each argument of the standard, with the value that is its default."""
        plain = self.tensor("__dlpack__()")
        unknown = []
        for name in ("stream", "max_version", "dl_device", "copy"):
            answer = self.tensor(f"{name}=None", **{name: None})
            takes = not isinstance(answer, Refusal) or answer == plain or not issubclass(
                answer.kind, TypeError)
            self._keywords[name] = takes
            if not takes:
                unknown.append(name)
            elif isinstance(answer, Refusal) and not isinstance(plain, Refusal):
                self.error("dlpack.arguments", f"{answer.text}, with {name}=None",
                           "what it returns without the argument")
        if unknown:
            self.warning("dlpack.arguments", f"a __dlpack__ that does not take "
                         f"{', '.join(unknown)}", "stream, max_version, dl_device and copy")

    def _look_at_versions(self) -> Optional[Received]:
        """The tensors with and without max_version; the later of the two for what follows."""
        plain = self.receive("__dlpack__()")
        again = self.receive("a second __dlpack__()")  # while the first one exists
        later: Answer = None
        if self._keywords["max_version"]:
            later = self.receive("max_version=(1, 0)", max_version=(1, 0))
        tensors = [answer for answer in (plain, later) if isinstance(answer, Received)]
        if isinstance(plain, Received) and plain.name == VERSIONED:
            self.error("dlpack.version", "dltensor_versioned from __dlpack__()",
                       "dltensor, which consumers before 1.0 know")
        if isinstance(later, Received) and later.name == PLAIN:
            self.warning("dlpack.version", "dltensor for max_version=(1, 0)", "dltensor_versioned")
        for received in (*tensors[:-1], again):
            if isinstance(received, Received):
                received.drop()
        for call, answer in (("__dlpack__()", plain), ("max_version=(1, 0)", later)):
            if isinstance(answer, Refusal):
                self._look_at_refusal(call, answer, not tensors)
        return tensors[-1] if tensors else None

    def _look_at_refusal(self, call: str, refusal: Refusal, nothing: bool) -> None:
        if not issubclass(refusal.kind, BufferError):
            self.error("dlpack.refusal", f"{refusal.text}, from {call}", "a BufferError")
        elif nothing:
            self.not_checked(f"a tensor, because there is none: {refusal.text}")

    def _version(self) -> Dict[str, Any]:
        """Asks for a tensor of version 1, if the producer knows it."""
        return {"max_version": (1, 0)} if self._keywords["max_version"] else {}

    def _newest(self) -> Answer:
        """A tensor of version 1 if there is one."""
        if self._keywords["max_version"]:
            received = self.receive("max_version=(1, 0)", **self._version())
            if not isinstance(received, Refusal):
                return received
        return self.receive("__dlpack__()")

    def _look_at_devices(self, tensor: Tensor, device: Optional[Tuple[int, int]]) -> None:
        if not self._keywords["dl_device"]:
            return
        more = self._version()
        if device is not None:
            answer = self.tensor(f"dl_device={device}", dl_device=device, **more)
            if isinstance(answer, Refusal):
                self.error("dlpack.device", f"{answer.text}, with its own device for dl_device",
                           "a tensor")
        answer = self.tensor("dl_device of another", dl_device=_NOWHERE, **more)
        if isinstance(answer, Received) and answer.tensor.device != _NOWHERE:
            self.error("dlpack.device", f"a tensor on {_device_text(tensor.device)} for "
                       f"dl_device={_device_text(_NOWHERE)}", "a BufferError")
        elif isinstance(answer, Refusal) and not issubclass(answer.kind, BufferError):
            self.warning("dlpack.refusal", f"{answer.text}, for a device that it does not know",
                         "a BufferError")

    def _look_at_copies(self, tensor: Tensor, readable: bool) -> None:
        if not self._keywords["copy"]:
            return
        more = self._version()
        same = self.tensor("copy=False", copy=False, **more)
        if isinstance(same, Received):
            if same.tensor.flags & COPIED or _apart(same.tensor, tensor):
                self.error("dlpack.copy", "a copy for copy=False", "the memory, or a BufferError")
        elif same is not None and not issubclass(same.kind, BufferError):
            self.warning("dlpack.refusal", f"{same.text}, for copy=False", "a BufferError")
        copied = self.receive("copy=True", copy=True, **more)
        if isinstance(copied, Received):
            self._look_at_copy(copied.tensor, tensor, readable and self.sound())
            copied.drop()
        elif copied is not None and not issubclass(copied.kind, BufferError):
            self.warning("dlpack.refusal", f"{copied.text}, for copy=True", "a BufferError")

    def _look_at_copy(self, copy: Tensor, tensor: Tensor, readable: bool) -> None:
        if tensor.size and not _apart(copy, tensor):
            self.error("dlpack.copy", "its own memory for copy=True", "a copy")
        elif copy.version is not None and not copy.flags & COPIED:
            self.error("dlpack.copy", "a copy without the copied flag for copy=True",
                       "the copied flag")
        elif readable and not _same_elements(copy, tensor):
            self.error("dlpack.copy", "other elements in a copy for copy=True", "the same elements")

    def _look_at_deleter(self) -> None:
        before = sys.getrefcount(self._producer)
        unused = self._newest()
        if not isinstance(unused, Received):
            return
        if not unused.deleter:
            self.warning("dlpack.deleter", "a tensor whose deleter is null", "a deleter")
        calls = unused.drop()
        if calls > 1:
            self.error("dlpack.deleter", f"{calls} calls of the deleter by a capsule that nobody "
                       "has used", "one call")
        elif calls == 0 and unused.deleter and self._never_frees():
            self.error("dlpack.deleter", "no call of the deleter by a capsule that nobody has used",
                       "one call")
        taken = self._newest()
        if not isinstance(taken, Received):
            return
        if taken.take():
            self.error("dlpack.deleter", "a call of the deleter by the capsule of a tensor that a "
                       "consumer has taken", "a call by the consumer only")
        taken.delete()
        self._look_for_references(before)

    def _never_frees(self) -> bool:
        """Whether structs of capsules that were dropped never come again at one address. The
        deleter may be called otherwise than through the struct."""
        addresses = set()
        for _ in range(32):
            received = self._newest()
            if not isinstance(received, Received):
                return False
            addresses.add(received.address)
            received.drop()
        return len(addresses) == 32

    def _look_for_references(self, before: int) -> None:
        left = sys.getrefcount(self._producer) - before
        if left > 0:
            gc.collect()
            left = sys.getrefcount(self._producer) - before
        if left > 0:
            self.error("dlpack.leak", f"{left} references to the object after its tensors were "
                       "deleted", "no more than before")

    def _forget_producer(self) -> None:
        left = _weakly(self._producer)
        self._producer = None
        if left() is not None:
            gc.collect()

    def _look_at_lifetime(self, readable: bool) -> None:
        """Drops the producer."""
        held = self._newest()
        if not isinstance(held, Received):
            return
        held.take()
        start, stop = held.tensor.reach if readable else (0, 0)
        size = min(stop - start, _WATCHED)
        before = read_memory(start, size)
        self._forget_producer()
        reused = [bytearray(b"\xa5") * size for _ in range(4)] if size else []
        reused += _from_numpy(size)
        if read_memory(start, size) != before:
            self.error("dlpack.lifetime", "other elements in a tensor whose producer is gone",
                       "the elements as they were")
        del reused
        held.delete()


def _weakly(producer: Any) -> Callable[[], Any]:
    """Returns the producer as long as it exists, True where that cannot be known."""
    try:
        return weakref.ref(producer)
    except TypeError:
        return lambda: True


def _from_numpy(size: int) -> List[Any]:
    """Memory that NumPy would give to arrays of this size: what it had freed before."""
    import numpy
    return [numpy.full(size, 0xA5, "u1") for _ in range(4)]


def _apart(a: Tensor, b: Tensor) -> bool:
    return bool(a.size and b.size) and a.address != b.address


def _same_elements(copy: Tensor, tensor: Tensor) -> bool:
    """Whether a copy is one, as far as this can be read."""
    if (copy.shape, copy.dtype) != (tensor.shape, tensor.dtype):
        return False
    if not tensor.dtype or tensor.size * tensor.itemsize > _LARGEST:
        return True
    mine, theirs = copy.elements(), tensor.elements()
    return mine is not None and theirs is not None and mine.tobytes() == theirs.tobytes()


def look_at_tensor(trial: Trial, tensor: Tensor) -> bool:
    """What is wrong with the struct by itself. Returns whether its elements can be looked at."""
    if not _look_at_extents(trial, tensor):
        return False
    _look_at_type(trial, tensor)
    if tensor.flags & ~(READ_ONLY | COPIED | PADDED):
        trial.warning("dlpack.flags", f"the flags {tensor.flags:#x}", "bits 0 to 2")
    sound = _look_at_strides(trial, tensor)
    if tensor.byte_offset >= 1 << 62:
        trial.error("dlpack.offset", f"byte_offset {tensor.byte_offset}", "an offset in memory")
        sound = False
    if sound and tensor.size and tensor.data is None:
        trial.error("dlpack.memory", f"data is null, of {tensor.size} elements", "memory")
        sound = False
    return sound and tensor.itemsize > 0


def _look_at_extents(trial: Trial, tensor: Tensor) -> bool:
    if not 0 <= tensor.ndim <= MOST_DIMENSIONS:
        trial.error("dlpack.shape", f"ndim {tensor.ndim}", f"0 to {MOST_DIMENSIONS}")
        return False
    if tensor.shape is None and tensor.ndim > 0:
        trial.error("dlpack.shape", "a shape that is null or leads to no memory", "one extent for "
                    "each dimension")
        return False
    for dimension, extent in enumerate(tensor.shape or ()):
        if extent < 0:
            trial.error("dlpack.shape", f"the extent {extent}", "0 or more", dimension)
            return False
    if tensor.size * tensor.itemsize >= 1 << 62:
        trial.error("dlpack.shape", f"{tensor.size} elements", "extents whose elements are in "
                    "memory")
        return False
    return True


def _look_at_type(trial: Trial, tensor: Tensor) -> None:
    widths = {0: (1, 2, 4, 8, 16, 32, 64), 1: (1, 2, 4, 8, 16, 32, 64), 2: (16, 32, 64, 80, 128),
              4: (16,), 5: (32, 64, 128, 256), 6: (1, 8)}
    known = tensor.code in widths or tensor.code == 3 or 7 <= tensor.code <= 17
    if not known or tensor.bits == 0 or tensor.bits not in widths.get(tensor.code, (tensor.bits,)):
        trial.error("dlpack.type", f"elements of {tensor.element_type()}", "a type of DLPack")
    elif tensor.lanes != 1:
        trial.error("dlpack.type", f"{tensor.lanes} lanes", "one lane, which consumers take")
    elif tensor.itemsize and tensor.dtype and tensor.size:
        import numpy
        alignment = numpy.dtype(tensor.dtype).alignment
        if tensor.address % alignment:
            trial.warning("dlpack.alignment", f"{tensor.dtype} at the address "
                          f"{tensor.address:#x}", f"a multiple of {alignment}")


def _look_at_strides(trial: Trial, tensor: Tensor) -> bool:
    if tensor.strides is None and tensor.ndim > 0 and (tensor.version or (0, 0)) >= (1, 2):
        trial.error("dlpack.strides", "strides that are null, in version 1.2 or later",
                    "one stride for each dimension")
    start, stop = tensor.reach
    if stop - start >= 1 << 62:
        trial.error("dlpack.strides", f"strides {tensor.strides}, which reach over "
                    f"{stop - start} bytes", "strides in memory")
        return False
    return True


class _Comparison:
    """A tensor in host memory, which exists, and what NumPy sees of the same object."""

    def __init__(self, trial: Trial, tensor: Tensor, producer: Any) -> None:
        self._trial = trial
        self._tensor = tensor
        self._producer = producer
        self._by_dlpack = False  # NumPy's array has been made by DLPack

    def look(self) -> None:
        """Compares them."""
        tensor, trial = self._tensor, self._trial
        start, stop = tensor.reach
        inside = not tensor.size or all(
            read_memory(address, 1) is not None for address in (start, stop - 1))
        view = self._view() if inside else self._own_view()
        if view is not None and not self._same_form(view):
            return
        if not inside:
            trial.error("dlpack.memory", f"elements from {start:#x} to {stop:#x}, where this "
                        "process has no memory", "elements in memory")
        elif view is None:
            trial.not_checked("whether NumPy sees the same elements")
        elif tensor.size and tensor.dtype:
            self._look_at_elements(view)

    def _own_view(self) -> Optional[Any]:
        """The object as a NumPy array by other means than DLPack."""
        import numpy
        ways = ("__array__", "__array_interface__", "__array_struct__")
        producer = self._producer
        if not any(hasattr(producer, way) for way in ways) and not _is_buffer(producer):
            return None
        try:
            view: Any = numpy.asarray(producer)
        except Exception:  # pylint: disable=broad-except
            return None
        return view if view.dtype.kind in "biufc" else None

    def _view(self) -> Optional[Any]:
        view = self._own_view()
        if view is not None or not self._trial.sound() or not self._tensor.dtype:
            return view
        import numpy
        self._by_dlpack = True
        try:
            return numpy.from_dlpack(self._producer)
        except Exception:  # pylint: disable=broad-except
            return None

    def _same_form(self, view: Any) -> bool:
        """Compares types, shapes, and strides where the memory is the same."""
        trial, tensor = self._trial, self._tensor
        mine = view.dtype.newbyteorder("=").str[1:]
        if tensor.dtype and mine != tensor.dtype or not tensor.dtype and trial.sound():
            trial.error("dlpack.type", f"elements of {tensor.element_type()}, where NumPy sees "
                        f"{view.dtype}", "the same type")
            return False
        if not view.dtype.isnative:
            trial.error("dlpack.type", "elements in another byte order than this machine's",
                        "a BufferError")
        if tensor.shape is not None and view.shape != tensor.shape or tensor.ndim != view.ndim:
            trial.error("dlpack.shape", f"the shape {tensor.shape or ()}, where NumPy sees "
                        f"{view.shape}", "the same shape")
            return False
        if not _overlap(view, tensor):
            return True
        return self._same_places(view)

    def _same_places(self, view: Any) -> bool:
        trial, tensor = self._trial, self._tensor
        for dimension, (stride, seen) in enumerate(zip(tensor.byte_strides, view.strides)):
            if view.shape[dimension] > 1 and stride != seen:
                trial.error("dlpack.strides", f"the stride {stride} bytes, where NumPy sees {seen}",
                            "the same stride", dimension)
        first = view.__array_interface__["data"][0]
        if first != tensor.address:
            trial.error("dlpack.offset", f"the first element {tensor.address - first} bytes from "
                        "that which NumPy sees", "the same element")
        if not self._by_dlpack:
            self._look_at_flag(bool(view.flags.writeable))
        return trial.sound()

    def _look_at_flag(self, writable: bool) -> None:
        tensor, trial = self._tensor, self._trial
        flagged = bool(tensor.flags & READ_ONLY)
        if not writable and not flagged:
            trial.error("dlpack.readonly", "a tensor of read-only memory without the read-only "
                        "flag" + ("" if tensor.version else ", which dltensor cannot have"),
                        "the flag, or a BufferError")
        elif writable and flagged:
            trial.warning("dlpack.readonly", "the read-only flag, where NumPy may write",
                          "no flag")

    def _look_at_elements(self, view: Any) -> None:
        trial, tensor = self._trial, self._tensor
        if tensor.reach[1] - tensor.reach[0] > _LARGEST:
            trial.not_checked(f"the elements of a tensor of more than {_LARGEST} bytes")
            return
        elements = tensor.elements()
        if elements is None:
            trial.error("dlpack.memory", "elements where this process has no memory",
                        "elements in memory")
            return
        different = _different(elements, view)
        if different:
            where = different[0]
            trial.error("dlpack.values", f"{len(different)} of {tensor.size} elements, the first "
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
            self._trial.error("dlpack.copy", "a copy that nobody has asked for, without the copied "
                              "flag", "the memory in which the object works")


def _different(a: Any, b: Any) -> List[int]:
    """Row-major numbers of the elements whose bytes differ."""
    import numpy
    bytes_of = [numpy.frombuffer(array.tobytes(), "u1").reshape(-1, a.itemsize)
                for array in (a, b)]
    found: List[int] = numpy.flatnonzero((bytes_of[0] != bytes_of[1]).any(axis=1)).tolist()
    return found


def _is_buffer(producer: Any) -> bool:
    try:
        memoryview(producer).release()
    except Exception:  # pylint: disable=broad-except
        return False
    return True


def _overlap(view: Any, tensor: Tensor) -> bool:
    """Whether the tensor's first element is in the memory that the array reaches."""
    if not view.size:
        return False
    first = view.__array_interface__["data"][0]
    ends = [(extent - 1) * stride for extent, stride in zip(view.shape, view.strides)]
    return bool(first + sum(min(end, 0) for end in ends) <= tensor.address
                < first + sum(max(end, 0) for end in ends) + view.itemsize)
