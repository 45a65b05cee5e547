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

from .dlpack import COPIED, HOST, PLAIN, VERSIONED, NoTensor, Received, Tensor, read_memory
from .dlpack_rules import Findings
from .dlpack_tensor import Comparison, apart, look_at_tensor, same_elements


class Refusal(NamedTuple):
    """What __dlpack__ raised."""

    kind: type
    text: str


class Asked(NamedTuple):
    """How consumers ask for a tensor: one of CONSUMERS."""

    call: str
    arguments: Dict[str, Any]


Answer = Union[Received, Refusal, None]

_VERSION_1 = Asked("max_version=(1, 0)", {"max_version": (1, 0)})
_BEFORE_1 = Asked("__dlpack__()", {})
_NOWHERE = (9, 0)  # a kind of device that no library in Python has
_WATCHED = 1 << 20  # bytes that are looked at before and after the producer has gone


def _said(error: BaseException) -> str:
    text = f"{type(error).__name__}: {error}"
    return text if len(text) <= 200 else text[:197] + "..."


def _device_text(device: Tuple[int, int]) -> str:
    return f"({device[0]}, {device[1]})"


class Trial(Findings):
    """One producer, which is tried out once. After look() it has been dropped."""

    def __init__(self, producer: Any) -> None:
        super().__init__()
        self._producer = producer
        self.kind = ""  # of the memory, which all ranks should have alike; empty if unknown
        self._keywords: Dict[str, bool] = {}  # those that __dlpack__ takes
        self._asked: List[Asked] = []  # by which there is a tensor, the newest first

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
        if not held:
            return
        readable = [self._of(asked, self._look_at_held, received.tensor, device)
                    for asked, received in zip(self._asked, held)]
        newest = held[0].tensor
        self.kind = (f"{newest.element_type()} in {newest.ndim} dimensions on devices of type "
                     f"{newest.device[0]}")
        self._look_at_devices(newest, device)
        self._look_at_copies(newest, readable[0])
        for received in held:
            received.drop()
        if any(finding.rule == "dlpack.twice" for finding in self.found):
            return  # what is deleted once would come again
        for asked in self._asked:
            self._of(asked, self._look_at_deleter, asked)
        self._look_at_lifetime(readable)

    def _of(self, asked: Asked, look: Callable[..., Any], *arguments: Any) -> Any:
        """Looks at one of the tensors: what is found tells the call if another gives another."""
        self.call = asked.call if len(self._asked) > 1 else ""
        try:
            return look(*arguments)
        finally:
            self.call = ""

    def _look_at_held(self, tensor: Tensor, device: Optional[Tuple[int, int]]) -> bool:
        """What is wrong with a tensor while it exists. Returns whether its elements can be
        read."""
        if device is not None and tensor.device != device:
            self.error("dlpack.device", f"a tensor on device {_device_text(tensor.device)}, and "
                       f"{_device_text(device)} from __dlpack_device__", "the same device")
        sound = look_at_tensor(self, tensor)
        readable = sound and tensor.device[0] in HOST
        if readable:
            Comparison(self, tensor, self._producer).look()
        elif sound:
            self.not_checked(f"what is in memory of device {_device_text(tensor.device)}")
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

    def _look_at_versions(self) -> List[Received]:
        """The tensors with and without max_version: as many as consumers get, the newest first."""
        plain = self._again(_BEFORE_1)
        again = self.receive("a second __dlpack__()")  # while the first one exists
        later: Answer = self._again(_VERSION_1) if self._keywords["max_version"] else None
        if isinstance(again, Received):
            again.drop()
        if isinstance(plain, Received) and plain.name == VERSIONED:
            self.error("dlpack.version", "dltensor_versioned from __dlpack__()",
                       "dltensor, which consumers before 1.0 know")
        if isinstance(later, Received) and later.name == PLAIN:
            self.warning("dlpack.version", "dltensor for max_version=(1, 0)", "dltensor_versioned")
        held = []
        for asked, answer in ((_VERSION_1, later), (_BEFORE_1, plain)):
            if isinstance(answer, Received):
                self._asked.append(asked)
                held.append(answer)
        for asked, answer in ((_BEFORE_1, plain), (_VERSION_1, later)):
            if isinstance(answer, Refusal):
                self._look_at_refusal(asked.call, answer, not held)
        return held

    def _again(self, asked: Asked) -> Answer:
        """Another tensor of this kind."""
        return self.receive(asked.call, **asked.arguments)

    def _look_at_refusal(self, call: str, refusal: Refusal, nothing: bool) -> None:
        if not issubclass(refusal.kind, BufferError):
            self.error("dlpack.refusal", f"{refusal.text}, from {call}", "a BufferError")
        elif nothing:
            self.not_checked(f"a tensor, because there is none: {refusal.text}")

    def _version(self) -> Dict[str, Any]:
        """Asks for a tensor of version 1, if the producer knows it."""
        return {"max_version": (1, 0)} if self._keywords["max_version"] else {}

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
        else:
            self._expect_buffer_error(answer, "for a device that it does not know")

    def _expect_buffer_error(self, answer: Answer, asked: str) -> None:
        if isinstance(answer, Refusal) and not issubclass(answer.kind, BufferError):
            self.warning("dlpack.refusal", f"{answer.text}, {asked}", "a BufferError")

    def _look_at_copies(self, tensor: Tensor, readable: bool) -> None:
        if not self._keywords["copy"]:
            return
        more = self._version()
        same = self.tensor("copy=False", copy=False, **more)
        if isinstance(same, Received):
            if same.tensor.flags & COPIED or apart(same.tensor, tensor):
                self.error("dlpack.copy", "a copy for copy=False", "the memory, or a BufferError")
        else:
            self._expect_buffer_error(same, "for copy=False")
        copied = self.receive("copy=True", copy=True, **more)
        if isinstance(copied, Received):
            self._look_at_copy(copied.tensor, tensor, readable and self.sound())
            copied.drop()
        else:
            self._expect_buffer_error(copied, "for copy=True")

    def _look_at_copy(self, copy: Tensor, tensor: Tensor, readable: bool) -> None:
        if tensor.size and not apart(copy, tensor):
            self.error("dlpack.copy", "its own memory for copy=True", "a copy")
        elif copy.version is not None and not copy.flags & COPIED:
            self.error("dlpack.copy", "a copy without the copied flag for copy=True",
                       "the copied flag")
        elif readable and not same_elements(copy, tensor):
            self.error("dlpack.copy", "other elements in a copy for copy=True", "the same elements")

    def _look_at_deleter(self, asked: Asked) -> None:
        before = sys.getrefcount(self._producer)
        unused = self._again(asked)
        if not isinstance(unused, Received):
            return
        if not unused.deleter:
            self.warning("dlpack.deleter", "a tensor whose deleter is null", "a deleter")
        calls = unused.drop()
        if calls > 1:
            self.error("dlpack.deleter", f"{calls} calls of the deleter by a capsule that nobody "
                       "has used", "one call")
        elif calls == 0 and unused.deleter and self._never_frees(asked):
            self.error("dlpack.deleter", "no call of the deleter by a capsule that nobody has used",
                       "one call")
        taken = self._again(asked)
        if not isinstance(taken, Received):
            return
        if taken.take():
            self.error("dlpack.deleter", "a call of the deleter by the capsule of a tensor that a "
                       "consumer has taken", "a call by the consumer only")
        taken.delete()
        self._look_for_references(before)

    def _never_frees(self, asked: Asked) -> bool:
        """Whether structs of capsules that were dropped never come again at one address. The
        deleter may be called otherwise than through the struct."""
        addresses = set()
        for _ in range(32):
            received = self._again(asked)
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

    def _look_at_lifetime(self, readable: List[bool]) -> None:
        """Drops the producer."""
        kept = []
        for asked, can_be_read in zip(self._asked, readable):
            held = self._again(asked)
            if isinstance(held, Received):
                kept.append((asked, _Watched(held, can_be_read)))
        if not kept:
            return
        self._forget_producer()
        size = max(watched.size for _, watched in kept)
        import numpy  # which gives memory that it had freed before
        reused: List[Any] = [bytearray(b"\xa5") * size for _ in range(4)] if size else []
        reused += [numpy.full(size, 0xA5, "u1") for _ in range(4)]
        for asked, watched in kept:
            if watched.changed():
                self._of(asked, self.error, "dlpack.lifetime", "other elements in a tensor whose "
                         "producer is gone", "the elements as they were")
        del reused
        for _, watched in kept:
            watched.held.delete()


class _Watched:
    """A tensor that was taken, and the first of its bytes as they were then."""

    def __init__(self, held: Received, readable: bool) -> None:
        held.take()
        self.held = held
        self._start, stop = held.tensor.reach if readable else (0, 0)
        self.size = min(stop - self._start, _WATCHED)
        self._before = read_memory(self._start, self.size)

    def changed(self) -> bool:
        """Whether they are others now."""
        return read_memory(self._start, self.size) != self._before


def _weakly(producer: Any) -> Callable[[], Any]:
    """Returns the producer as long as it exists, True where that cannot be known."""
    try:
        return weakref.ref(producer)
    except TypeError:
        return lambda: True
