# SPDX-License-Identifier: BSD-3-Clause
"""The rules of the check of producers of DLPack, and what a rank has found by them."""

from __future__ import annotations

from typing import Dict, List, NamedTuple

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


CONSUMERS = {
    "max_version=(1, 0)": "consumers of version 1, by max_version=(1, 0)",
    "__dlpack__()": "consumers before version 1, by __dlpack__(), as petsc4py, torch 1.13 and "
                    "NumPy 1.24",
}  # by how they ask for a tensor


class Found(NamedTuple):
    """One thing that is wrong on this rank."""

    rule: str
    severity: int
    found: str
    expected: str
    dimension: int = -1
    call: str = ""  # by which its tensor is asked for, if another call gives another tensor


class Findings:
    """What is wrong with a producer on this rank."""

    def __init__(self) -> None:
        self.found: List[Found] = []
        self.call = ""  # that has given the tensor which is looked at, if others give another

    def error(self, rule: str, found: str, expected: str, dimension: int = -1) -> None:
        self._add(Found(rule, ERROR, found, expected, dimension, self.call))

    def warning(self, rule: str, found: str, expected: str) -> None:
        self._add(Found(rule, WARNING, found, expected, call=self.call))

    def not_checked(self, found: str) -> None:
        self._add(Found("dlpack.not-checked", NOTE, found, "", call=self.call))

    def _add(self, finding: Found) -> None:
        """Adds what is not known yet: a rule once for each severity, dimension and tensor."""
        known = {(other.rule, other.severity, other.dimension, other.call)
                 for other in self.found}
        if (finding.rule, finding.severity, finding.dimension, finding.call) not in known:
            self.found.append(finding)

    def sound(self) -> bool:
        """Whether nothing found so far of the tensor that is looked at is an error."""
        return all(finding.severity < ERROR for finding in self.found
                   if not self.call or finding.call in ("", self.call))

    def told(self) -> List[Found]:
        """What was found, each with the consumers that get it; once where all of them do."""
        by_text: Dict[Found, List[str]] = {}
        for finding in self.found:
            by_text.setdefault(finding._replace(call=""), []).append(finding.call)
        return [finding._replace(found=finding.found + _whom(calls),
                                 call=calls[0] if len(calls) == 1 else "")
                for finding, calls in by_text.items()]


def _whom(calls: List[str]) -> str:
    if "" in calls:
        return ""
    return f" (for {CONSUMERS[calls[0]]})" if len(calls) == 1 else " (for all consumers)"
