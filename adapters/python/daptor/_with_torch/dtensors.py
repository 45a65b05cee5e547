# SPDX-License-Identifier: BSD-3-Clause
"""DTensors of PyTorch as arrays and back, on the same memory."""

from __future__ import annotations

import sys
from importlib import import_module
from itertools import accumulate, product
from math import prod
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

from .. import _daptor
from .._arrays.allocating import _order as order_of
from .._arrays.builders import builder, type_text
from .._bindings import method_of
from .._daptor import Array
from .._errors import InvalidArgument, Malformed, NotRepresentable
from .._shards.boxes import Grid, Runs, length, refuse, runs_of
from .._shards.shards import gathered, imported, section_of
from .placements import Held, Placement, held

Coordinate = Optional[Tuple[int, ...]]

INCREASING = ("ranks that increase along each dimension of the mesh: in another order, torch "
              "distributes and gathers by rank, and saves by place")
NUMBER_MESH = "Make the mesh of torch.arange(n).reshape(shape)."


def is_dtensor(obj: Any) -> bool:
    """Without importing torch, in which an object of this class has been made."""
    kind = getattr(sys.modules.get("torch.distributed.tensor"), "DTensor", None)
    return kind is not None and isinstance(obj, kind)


def tensor_of(array: Array) -> Any:
    """This rank's section as a tensor of torch on its memory. Process-local.

    Raises NotRepresentable for memory that torch does not take.
    """
    found = "negative strides" if min((0, *array.byte_strides)) < 0 else ""
    try:
        if not found:
            return import_module("torch").from_dlpack(array)
    except (BufferError, TypeError, RuntimeError, ValueError) as error:
        found = str(error)
    refuse(NotRepresentable, "dtensor.memory", f"memory that torch does not take: {found}",
           "writable memory of a type of torch, without negative strides",
           "Copy it first: daptor.copy(a), or a.astype('=f8').")


class Layout(NamedTuple):
    """What a DTensor says of its layout. `coordinate` is that of this process; None outside of the
    mesh."""
    shape: Tuple[int, ...]
    placements: Tuple[Placement, ...]
    mesh: Tuple[int, ...]
    coordinate: Coordinate

    def held(self, coordinate: Sequence[int]) -> Held:
        return held(self.shape, self.placements, self.mesh, coordinate)

    def local_shape(self, along: Held) -> Tuple[int, ...]:
        return (0,) * len(self.shape) if along is None else tuple(map(length, along))

    def fits(self, along: Held, local: Tuple[int, ...]) -> bool:
        """Whether a local tensor has the shape of its part; an empty one may have any."""
        return local == self.local_shape(along) or (along is None and prod(local) == 0)


def in_order(mesh: Any) -> bool:
    """Whether the ranks of the mesh increase along each dimension, as those of its groups do."""
    import numpy
    ranks = numpy.array(mesh.mesh.tolist())
    return all((numpy.diff(ranks, axis=d) > 0).all() for d in range(ranks.ndim))


def _place_in(mesh: Any) -> Tuple[Tuple[int, ...], Coordinate]:
    """Extents of a mesh, and where this process is in it."""
    if not in_order(mesh):
        refuse(NotRepresentable, "dtensor.order", f"the mesh {mesh.mesh.tolist()}", INCREASING,
               NUMBER_MESH)
    coordinate = mesh.get_coordinate()
    return tuple(mesh.mesh.shape), None if coordinate is None else tuple(coordinate)


def layout_of(d: Any, sums: bool = False) -> Layout:
    """What a DTensor says of its layout. Process-local.

    sums  whether Partial counts as copies; otherwise it is refused
    """
    placements: List[Placement] = []
    for placement in d.placements:
        if placement.is_partial() and not sums:
            whole = ["Replicate()" if each.is_partial() else repr(each) for each in d.placements]
            refuse(NotRepresentable, "dtensor.partial", f"the placement {placement!r}, of which "
                   "each process has a summand", "elements that are those of the tensor",
                   f"Reduce it first: d.redistribute(placements=[{', '.join(whole)}])")
        placements.append((placement.dim, getattr(placement, "split_factor", 1))
                          if hasattr(placement, "dim") else None)
    return Layout(tuple(d.shape), tuple(placements), *_place_in(d.device_mesh))


def _require_mesh(coordinates: Sequence[Coordinate], mesh: Sequence[int]) -> None:
    """Every process of the communicator has a place of its own in the mesh, and none is left."""
    outside = [rank for rank, each in enumerate(coordinates) if each is None]
    places = len(set(coordinates) - {None})
    if outside or places < prod(mesh) or places < len(coordinates):
        refuse(InvalidArgument, "dtensor.ranks", f"{len(coordinates)} ranks of the communicator at "
               f"{places} places of a mesh of {prod(mesh)} processes",
               "the processes of the mesh, each once",
               "Pass a communicator of these: comm.Split(mesh.get_coordinate() is not None). Each "
               "process has the rank in torch that init_process_group was given.", ranks=outside)


@builder
def from_dtensor(d: Any, comm: Any) -> Array:
    """An array on the memory of a DTensor of torch. Collective over `comm`; no copy.

    d     a DTensor with any placements but Partial
    comm  a communicator of mpi4py or petsc4py, with the processes of the mesh in any order: each
          rank has the part of its own place in the mesh, whatever number torch gave it

    A dimension that mesh dimensions divide has blocks as torch.chunk makes them, uneven and empty
    ones included. Replicate makes copies, of which the lowest rank owns; a.update_padding() fills
    the others. The array keeps the local tensor's memory alive. After a write through torch call
    a.modified() on all ranks. gloo and MPI may be started and ended in any order.

    Raises on all ranks: Malformed if a local tensor does not have the shape of its part
    (`dtensor.local-shape`), which torch itself does not look at; NotRepresentable for Partial
    (`dtensor.partial`), uneven strips (`dtensor.strided`), and a mesh whose ranks do not increase
    (`dtensor.order`); InvalidArgument for another object, for other processes than the mesh's
    (`dtensor.ranks`), and if shape, placements or mesh differ.

        a = daptor.from_dtensor(d, comm)
        x = a.to_petsc()                   # PETSc solves in the DTensor's memory
    """
    def local() -> Tuple[Layout, List[Tuple[str, str]]]:
        if not is_dtensor(d):
            _daptor._invalid_argument("d", type_text(d), "a DTensor of torch",
                                      "daptor.block takes each rank's tensor.")
        said = layout_of(d)
        return said, [("shape", repr(said.shape)), ("placements", repr(said.placements)),
                      ("mesh", repr(said.mesh))]

    layout = _daptor._same(comm, local)
    coordinates = gathered(comm, layout.coordinate)
    rank = _daptor._rank_and_size(comm)[0]

    def placed() -> Tuple[Any, Any]:
        _require_mesh(coordinates, layout.mesh)
        everyone = [layout.held(each) for each in coordinates]
        dimensions, shape = Grid(layout.shape, everyone).dimensions(rank)
        tensor = d.to_local().detach()
        if not layout.fits(everyone[rank], tuple(tensor.shape)):
            refuse(Malformed, "dtensor.local-shape",
                   f"a local tensor of shape {tuple(tensor.shape)}",
                   f"shape {layout.local_shape(everyone[rank])}, which the placements "
                   f"{tuple(d.placements)} of {layout.shape} give this process",
                   "Describe what the processes have: daptor.block(d.to_local(), comm) for tensors "
                   "that follow each other, daptor.from_shards for others.")
        return section_of(tensor, shape), dimensions

    return imported(_daptor.agreed(comm, placed), comm)


def _parts(array: Array) -> Tuple[Held, Tuple[Any, ...]]:
    """What this rank has, copies of lists included, and where in its section; no place if it does
    not follow the order of the indices."""
    import numpy
    along: List[Runs] = []
    picks: List[Any] = []
    for entry, own, pick in zip(array.__distarray__()["dim_data"], array._held,
                                array._interior_picks):
        if entry["dist_type"] == "u":
            own, pick = numpy.asarray(entry["indices"]), slice(None)
        if isinstance(own, tuple):
            along.append(runs_of([(own[0], own[1])]))
        elif (numpy.diff(own) > 0).all():
            along.append(runs_of([(int(each), int(each) + 1) for each in own]))
        else:
            return None, ()
        picks.append(pick)
    return tuple(along) if all(along) else None, (*picks, ...)


@method_of(Array)
def to_dtensor(self: Array, mesh: Any) -> Any:
    """The array as a DTensor of torch on its memory. Collective over the array's communicator.

    mesh  a DeviceMesh of the array's processes

    Placements are found: each mesh dimension divides a dimension as torch.chunk does it (Shard), or
    has copies (Replicate). Ghost cells and boundary padding are not in the DTensor, whose local
    tensor is then strided. After a write through torch call a.modified() on all ranks.

    Raises on all ranks: NotRepresentable for a layout that torch cannot say (`dtensor.layout`), for
    memory that it does not take (`dtensor.memory`: read-only, negative strides, another byte
    order), and for a mesh whose ranks do not increase (`dtensor.order`); InvalidArgument for a mesh
    of other processes (`dtensor.ranks`); ImportError without torch 2.5 or later.

        mesh = torch.distributed.device_mesh.init_device_mesh("cpu", (comm.size,))
        d = a.to_dtensor(mesh)
    """
    with _daptor._Call(self, "Array.to_dtensor"):
        (api,) = _daptor._loaded_everywhere(self, lambda: [_tensors()])
        if api is None:
            raise ImportError("torch 2.5 or later is not installed")

        def local() -> Tuple[Any, List[Any], Tuple[int, ...], Coordinate]:
            extents, coordinate = _place_in(mesh)
            mine, picks = _parts(self)
            choices = [choice for choice in product([*range(self.ndim), None], repeat=len(extents))
                       if picks and coordinate is not None and mine == held(
                           self.shape, [None if d is None else (d, 1) for d in choice], extents,
                           coordinate)]
            return tensor_of(self)[picks], choices, extents, coordinate

        tensor, choices, extents, coordinate = _daptor.agreed(self.comm, local)
        everyone = self.comm.allgather((coordinate, choices))

        def chosen() -> Any:
            _require_mesh([each for each, _ in everyone], extents)
            common = set(choices).intersection(*(others for _, others in everyone))
            if not common:
                refuse(NotRepresentable, "dtensor.layout",
                       "sections that no placements give these processes",
                       "what torch.chunk gives each process of the mesh",
                       "Copy it to a DTensor: d = torch.distributed.tensor.zeros(a.shape, "
                       "device_mesh=mesh, placements=[Shard(0)]); "
                       "daptor.redistribute(a, daptor.from_dtensor(d, a.comm))")
            return min(common, key=lambda choice: [(d is None, d or 0) for d in choice])

        placements = [api.Replicate() if d is None else api.Shard(d)
                      for d in _daptor.agreed(self.comm, chosen)]
        step = 1 if order_of(self) == "F" else -1
        strides = list(accumulate((max(1, n) for n in self.shape[::step]), int.__mul__, initial=1))
        return api.DTensor.from_local(
            tensor, mesh, placements, run_check=False,
            shape=import_module("torch").Size(self.shape), stride=tuple(strides[:-1][::step]))


def _tensors() -> Any:
    try:
        return import_module("torch.distributed.tensor")
    except ImportError:
        return None
