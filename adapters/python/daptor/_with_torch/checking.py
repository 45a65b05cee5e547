# SPDX-License-Identifier: BSD-3-Clause
"""What is wrong with a DTensor that torch itself does not look at."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from .. import _bindings
from .._daptor import Finding, Report
from .._shards.boxes import finding
from .dtensors import INCREASING, NUMBER_MESH, Layout, in_order, is_dtensor, layout_of
from .placements import Held

_SAVE = ("Save an array on its memory: "
         "daptor.checkpoint.save({'u': daptor.from_dtensor(d, comm)}, folder)")


class _Told(NamedTuple):
    """What one process says of its DTensor. `offset` is where torch's checkpoints place it."""
    rank: int
    layout: Layout
    kind: str
    local: Tuple[int, ...]
    offset: Optional[Tuple[int, ...]]

    def same(self) -> Tuple[Any, ...]:
        """What is the same on all processes."""
        return (self.layout[:3], self.kind)


def _tell(d: Any) -> _Told:
    try:
        utils = import_module("torch.distributed.tensor._utils")
        _, offset = utils.compute_local_shape_and_global_offset(
            d.shape, d.device_mesh, d.placements)
    except Exception:  # which placements it takes depends on the version
        offset = None
    return _Told(import_module("torch.distributed").get_rank(), layout_of(d, sums=True),
                 str(d.dtype), tuple(d.to_local().shape),
                 None if offset is None else tuple(map(int, offset)))


def _told_by_all(d: Any) -> List[Any]:
    """Collective over the mesh, by torch. What each process says, or its error."""
    dist = import_module("torch.distributed")
    try:
        values: List[Any] = [_tell(d)]
    except Exception as error:
        values = [error]
    for number in range(d.device_mesh.ndim):
        group = d.device_mesh.get_group(number)
        lists: List[Any] = [None] * dist.get_world_size(group)
        dist.all_gather_object(lists, values, group=group)
        values = [value for each in lists for value in each]
    return values


def check_dtensor(d: Any) -> Report:
    """Looks for faults of a DTensor of torch. Collective over its mesh; reads no element.

    Returns the same Report on all processes of the mesh, and an empty one outside; its findings,
    `check.dtensor....`, name ranks of torch.
    """
    if d.device_mesh.get_coordinate() is None:
        return Report([])
    if not in_order(d.device_mesh):
        return Report([finding("check.dtensor.order", f"the mesh {d.device_mesh.mesh.tolist()}",
                               INCREASING, NUMBER_MESH, key="DTensor")])
    values = _told_by_all(d)
    for value in values:
        if isinstance(value, Exception):
            raise value
    told: List[_Told] = sorted(values, key=lambda one: one.rank)
    others = [one for one in told if one.same() != told[0].same()]
    if others:
        return Report([finding(
            "check.dtensor.different", f"(shape, placements, mesh) and type {others[0].same()}, "
            f"and {told[0].same()} on rank {told[0].rank}",
            "the same on all processes of the mesh",
            "Pass the same to from_local on all processes.",
            ranks=[one.rank for one in others], key="DTensor")])
    parts = {one.rank: one.layout.held(one.layout.coordinate or ()) for one in told}
    return Report([*_wrong_shapes(told, parts), *_wrong_offsets(told, parts)])


def _wrong_shapes(told: List[_Told], parts: Dict[int, Held]) -> List[Finding]:
    wrong = [one for one in told if not one.layout.fits(parts[one.rank], one.local)]
    if not wrong:
        return []
    one, own = wrong[0], parts[wrong[0].rank]
    expected, where = one.layout.local_shape(own), ""
    if own is not None and len(one.local) == len(expected):
        d = next(d for d, pair in enumerate(zip(one.local, expected)) if pair[0] != pair[1])
        at = own[d][0][0] + min(one.local[d], expected[d])
        where = f", so that index {at} of dimension {d} is the first at a wrong place"
    return [finding("check.dtensor.local-shape", f"a local tensor of shape {one.local}{where}",
                    f"shape {expected}: full_tensor() and checkpoints go by the placements",
                    "Say what the processes have: daptor.block(d.to_local(), comm), or "
                    "daptor.from_shards.", ranks=[each.rank for each in wrong], key="DTensor")]


def _wrong_offsets(told: List[_Told], parts: Dict[int, Held]) -> List[Finding]:
    starts = {rank: tuple(runs[0][0] for runs in own) for rank, own in parts.items()
              if own is not None}
    found = []
    wrong = [one for one in told if one.rank in starts and one.offset is not None
             and one.offset != starts[one.rank]]
    if wrong:
        found.append(finding(
            "check.dtensor.offset",
            f"the offset {wrong[0].offset} of a shard that begins at {starts[wrong[0].rank]}",
            "the offset at which the shard begins", _SAVE, ranks=[one.rank for one in wrong],
            key="DTensor"))
    real = {one.offset: one.rank for one in told if one.rank in starts}
    empty = [one for one in told if one.rank not in starts and one.offset in real]
    if empty:
        found.append(finding(
            "check.dtensor.empty", f"an empty shard at the offset {empty[0].offset}, that of rank "
            f"{real[empty[0].offset]}'s", "an offset that no shard with elements has", _SAVE,
            ranks=[one.rank for one in empty], key="DTensor"))
    return found


_bindings.CHECKS.append((is_dtensor, check_dtensor))
