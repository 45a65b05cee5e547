# SPDX-License-Identifier: BSD-3-Clause
"""Arrays in the checkpoints of torch.distributed.checkpoint.

    daptor.checkpoint.save({"u": a, "step": 3}, "folder")
    daptor.checkpoint.load({"u": b}, "folder")     # another layout, another number of processes

What torch saves of DTensors loads into an Array, and the other way round. Needs torch 2.3 or later,
and a process group of the array's processes where there are several.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Dict, List, Mapping, Tuple

from . import _daptor
from ._daptor import Array
from ._errors import InvalidArgument
from ._shards.boxes import Box, boxes_of, refuse, require_cover
from ._shards.shards import parts_of
from ._with_torch.dtensors import tensor_of

torch: Any = import_module("torch")
dcp: Any = import_module("torch.distributed.checkpoint")

__all__ = ["load", "save", "tensor"]


class _Shards(torch.Tensor):  # type: ignore[misc]
    """An array as torch's planners see it: a tensor, because they look only at tensors, that hands
    out its shards itself."""

    daptor_shape: Tuple[int, ...]
    daptor_shards: Dict[Box, Any]

    def size(self, dim: Any = None) -> Any:
        shape = torch.Size(self.daptor_shape)
        return shape if dim is None else shape[dim]

    def __create_write_items__(self, name: str, _: Any) -> List[Any]:
        return [dcp.planner.WriteItem(
            index=dcp.metadata.MetadataIndex(name, chunk.offsets),
            type=dcp.planner.WriteItemType.SHARD, tensor_data=dcp.planner.TensorWriteData(
                chunk, dcp.metadata.TensorProperties.create_from_tensor(shard), self.size()))
                for chunk, shard in zip(self.__create_chunk_list__(), self.daptor_shards.values())]

    def __create_chunk_list__(self) -> List[Any]:
        return [dcp.metadata.ChunkStorageMetadata(
            torch.Size(start for start, _ in box), torch.Size(stop - start for start, stop in box))
                for box in self.daptor_shards]

    def __get_tensor_shard__(self, index: Any) -> Any:
        return next(shard for box, shard in self.daptor_shards.items()
                    if tuple(start for start, _ in box) == tuple(index.offset))


def tensor(a: Array) -> Any:
    """An entry for the state dictionary of torch.distributed.checkpoint. Process-local; no copy.

    a  an Array in any distribution

    For programs that call torch's save and load themselves: call a.modified() on all ranks after a
    load, and a.update_padding() if it has ghost cells. Elements that a rank owns are written and
    read, a chunk for each part that is in one piece. It is no tensor to compute with, and
    async_save, which copies it, does not take it. Raises NotRepresentable for memory that torch
    does not take (`dtensor.memory`).
    """
    section = tensor_of(a)
    made = torch.Tensor._make_subclass(_Shards, section)
    made.daptor_shape = tuple(a.shape)
    made.daptor_shards = {box: section[where] for box, where in boxes_of(a)}
    if 0 in a.shape and a.comm.rank == 0:  # without a chunk it would not be in the checkpoint
        made.daptor_shards = {tuple((0, n) for n in a.shape): section.new_empty(a.shape)}
    return made


def _arrays_in(state: Mapping[str, Any], above: Tuple[str, ...] = ()) -> Dict[str, Array]:
    """Arrays by the names that torch gives them: keys of dictionaries in each other, with dots."""
    found: Dict[str, Array] = {}
    for key, value in state.items():
        path = (*above, str(key))
        if isinstance(value, Array):
            found[".".join(path)] = value
        elif isinstance(value, dict):
            found.update(_arrays_in(value, path))
    return found


def _converted(state: Mapping[str, Any]) -> Dict[str, Any]:
    return {key: tensor(value) if isinstance(value, Array) else
            _converted(value) if isinstance(value, dict) else value
            for key, value in state.items()}


def _copy_back(state: Dict[str, Any], loaded: Mapping[str, Any]) -> None:
    """Values other than arrays, which torch puts into the dictionary."""
    for key, value in loaded.items():
        if isinstance(value, dict) and isinstance(state.get(key), dict):
            _copy_back(state[key], value)
        elif not isinstance(value, _Shards):
            state[key] = value


def _require_group(array: Array, group: Any) -> None:
    dist, ranks = torch.distributed, array.comm.size
    size = dist.get_world_size(group) if dist.is_available() and dist.is_initialized() else 1
    if size != ranks:
        refuse(InvalidArgument, "checkpoint.ranks", f"a process group of {size} processes, and an "
               f"array on {ranks}", "the same processes", "Start the group first: "
               "torch.distributed.init_process_group('gloo', rank=comm.rank, world_size=comm.size)")


def save(state: Dict[str, Any], checkpoint_id: Any = None, **options: Any) -> Any:
    """Saves Arrays, and what else torch saves, in a checkpoint. Collective over their processes.

    state          by name: Arrays, tensors, DTensors, numbers, dictionaries of them
    checkpoint_id  folder, as torch.distributed.checkpoint.save takes it, and its other options

    Each element of an array's interior is written once, by its owner, from the array's memory.
    Ghost cells and boundary padding are not.

    Raises on all ranks: Malformed if an index has two owners or none (`shards.overlap`,
    `shards.gap`); InvalidArgument for a process group of other size (`checkpoint.ranks`); the
    errors of tensor(); torch's own.
    """
    for array in _arrays_in(state).values():
        parts_of(array)

        def ready() -> None:
            _require_group(array, options.get("process_group"))
            tensor(array)

        _daptor.agreed(array.comm, ready)
    return dcp.save(_converted(state), checkpoint_id=checkpoint_id, **options)


def _require_saved(name: str, array: Array, metadata: Any) -> None:
    saved = metadata.state_dict_metadata.get(name)
    if saved is None or not hasattr(saved, "chunks"):
        names = sorted(metadata.state_dict_metadata)
        refuse(InvalidArgument, "checkpoint.name", f"no tensor {name!r}",
               f"one of {', '.join(names[:8])}")
    if tuple(saved.size) != tuple(array.shape):
        refuse(InvalidArgument, "checkpoint.shape", f"{name!r} of shape {tuple(saved.size)}",
               f"the shape of the array, {tuple(array.shape)}")
    require_cover(array.shape, [(number, tuple((start, start + count) for start, count in zip(
        chunk.offsets, chunk.sizes))) for number, chunk in enumerate(saved.chunks)],
        "chunk", "number")


def load(state: Dict[str, Any], checkpoint_id: Any = None, **options: Any) -> None:
    """Loads a checkpoint into the memory of Arrays, and into what else torch loads. Collective.

    state, checkpoint_id  as for save(); the dictionary's other values are replaced as torch does it

    The arrays may be in any layout on any number of processes. That the checkpoint has every
    element once is proven before anything is written; torch itself looks at volumes when it saves,
    and leaves what no chunk has as it was. Elements are converted to the type of the array. Then
    native objects on the memory are told, and ghost cells between ranks are filled.

    Raises on all ranks: Malformed if chunks leave a gap or overlap (`shards.gap`,
    `shards.overlap`, `shards.range`); InvalidArgument for a name that is not there
    (`checkpoint.name`) or of another shape (`checkpoint.shape`), and for a process group of other
    size (`checkpoint.ranks`); the errors of save().
    """
    arrays = _arrays_in(state)
    for name, array in arrays.items():
        parts_of(array)

        def ready() -> None:
            _require_group(array, options.get("process_group"))
            reader = options.get("storage_reader") or dcp.FileSystemReader(checkpoint_id)
            _require_saved(name, array, reader.read_metadata())
            tensor(array)

        _daptor.agreed(array.comm, ready)
    loaded = _converted(state)
    dcp.load(loaded, checkpoint_id=checkpoint_id, **options)
    _copy_back(state, loaded)
    for array in arrays.values():
        array.modified()
        padded = array.local_shape != array.owned_shape
        if _daptor._offsets(array, int(padded))[1]:
            _daptor.HaloExchange(array).update()
