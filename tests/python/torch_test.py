# SPDX-License-Identifier: BSD-3-Clause
"""DTensors of PyTorch as arrays and back, and checkpoints: torch judges where it is right, brute
force where it is not."""

import itertools
import os
import pickle
import shutil
import tempfile

import numpy
import pytest
from mpi4py import MPI

os.environ.update(USE_LIBUV="0", GLOO_SOCKET_IFNAME="lo")
import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402
import torch.distributed.checkpoint as dcp  # noqa: E402
from torch.distributed.checkpoint.default_planner import \
    create_default_local_save_plan  # noqa: E402
from torch.distributed.device_mesh import DeviceMesh  # noqa: E402
from torch.distributed.tensor import (DTensor, Partial, Replicate, Shard,  # noqa: E402
                                      distribute_tensor)
from torch.distributed.tensor._utils import \
    compute_local_shape_and_global_offset as offset_by_torch  # noqa: E402
from torch.distributed.tensor.placement_types import _StridedShard  # noqa: E402

import daptor  # noqa: E402
import daptor.checkpoint  # noqa: E402
from daptor._with_torch.placements import held  # noqa: E402
from layouts import ALL_LAYOUTS, filled, shared  # noqa: E402
from support import address, raised, same_on_all  # noqa: E402

OWNED = [layout for layout in ALL_LAYOUTS if layout is not shared]
WORLD = MPI.COMM_WORLD


def in_torch(rank, size):
    """The rank of an MPI process in torch: another one, except for the first."""
    return (size - rank) % size


@pytest.fixture(scope="module", autouse=True)
def folder():
    """A folder for all ranks; while it is there, gloo runs, with ranks in another order."""
    path = WORLD.bcast(tempfile.mkdtemp() if WORLD.rank == 0 else None)
    dist.init_process_group("gloo", init_method=f"file://{path}/store", world_size=WORLD.size,
                            rank=in_torch(WORLD.rank, WORLD.size))
    yield path
    WORLD.Barrier()
    dist.destroy_process_group()
    if WORLD.rank == 0:
        shutil.rmtree(path)


def stamped(shape):
    return numpy.arange(1.0, 1 + numpy.prod(shape, dtype=int)).reshape(shape)


def meshes(size):
    """Meshes of all processes, of one and two dimensions."""
    for grid in (size,), (2, size // 2) if size % 2 == 0 else (1, size):
        yield DeviceMesh("cpu", torch.arange(size).reshape(grid))


def programs(size):
    """Tensors in any placements, uneven and with empty shards, that torch has distributed."""
    for mesh in meshes(size):
        for shape in ((7,), (2,), (5, 3), (4, 6), (3, 2, 5)):
            choices = [Replicate(), *map(Shard, range(len(shape)))]
            for placements in itertools.product(choices, repeat=mesh.ndim):
                yield mesh, shape, placements


def test_what_torch_distributes(comm, rank, size):
    for mesh, shape, placements in programs(size):
        whole = stamped(shape)
        d = distribute_tensor(torch.from_numpy(whole), mesh, placements)
        local = d.to_local()
        a = daptor.from_dtensor(d, comm)
        assert a.shape == shape and daptor.validate(a)
        assert not local.numel() or address(a) == local.data_ptr()
        assert (daptor.gather(a, everywhere=True) == whole).all(), (mesh, placements)
        e = a.to_dtensor(mesh)
        assert e.shape == d.shape and torch.equal(e.to_local(), local)
        assert not local.numel() or e.to_local().data_ptr() == local.data_ptr()
        assert torch.equal(e.redistribute(placements=[Replicate()] * mesh.ndim).to_local(),
                           torch.from_numpy(whole)) or len(set(placements)) < len(placements)
        b = daptor.zeros(shape, comm)
        daptor.redistribute(a, b)
        local.zero_()
        a.modified()
        daptor.redistribute(b, a)
        a.update_padding()
        assert torch.equal(local, distribute_tensor(torch.from_numpy(whole), mesh,
                                                    placements).to_local())


def test_strips(size):
    """As torch splits, where it does; unevenly as FSDP does what tensor parallelism has left."""
    for dp, tp in ((2, 2), (3, 2), (2, 4), (4, 3)):
        for extent in (dp * tp, 3 * dp * tp, 7, 11, 2):
            numbers = torch.arange(extent)
            for i, j in itertools.product(range(dp), range(tp)):
                runs = held((extent,), [(0, tp), (0, 1)], (dp, tp), (i, j))
                mine = [] if runs is None else [n for run in runs[0] for n in range(*run)]
                inner = [*numbers.chunk(tp), *[numbers[:0]] * tp][j]
                assert mine == [*inner.chunk(dp), *[numbers[:0]] * dp][i].tolist()
                if extent % (dp * tp) == 0:
                    strips, _ = _StridedShard(0, split_factor=tp)._split_tensor(
                        numbers, dp, with_padding=False)
                    assert mine == strips[i].chunk(tp)[j].tolist()
                    runs = held((extent,), [(0, tp), None], (dp, tp), (i, j))
                    assert [n for run in runs[0] for n in range(*run)] == strips[i].tolist()


def test_strips_of_processes(comm, rank, size):
    if size < 4:
        return
    mesh = DeviceMesh("cpu", torch.arange(4).reshape(2, 2))
    i, j = mesh.get_coordinate()
    for rows in (8, 7):
        whole = torch.from_numpy(stamped((rows, 3)))
        local = [*whole.chunk(2)[j].chunk(2)][i].clone()
        d = DTensor.from_local(local, mesh, [_StridedShard(0, split_factor=2), Shard(0)],
                               shape=whole.shape, stride=whole.stride(), run_check=False)
        a = daptor.from_dtensor(d, comm)
        assert (daptor.gather(a, everywhere=True) == whole.numpy()).all()
        assert address(a) == local.data_ptr()
        told = comm.allgather((dist.get_rank(), offsets(d), (4 * j + (2 * i if i else 0), 0)))
        wrong = tuple(sorted(r for r, said, real in told if said != real))
        found = [(each.rule, each.ranks) for each in daptor.check(d)]
        assert found == [("check.dtensor.offset", wrong)] * bool(wrong)
        assert bool(wrong) == (rows == 7) or not torch.__version__.startswith("2.6")


def named(comm, rule, kind, call, *said):
    error = raised(call)
    assert (error.rule, type(error)) == (rule, kind), error
    assert same_on_all(comm, error) and all(text in str(error) for text in said), error


def test_uneven_shards_that_torch_does_not_see(comm, rank, size):
    """pytorch 144109: full_tensor() is silently wrong, and run_check=True says nothing."""
    if size == 1:
        return
    mesh = DeviceMesh("cpu", torch.arange(size))
    own, cuts = dist.get_rank(), [0, *(2 + n * (n + 5) // 2 for n in range(size))]
    whole = stamped((cuts[size],))
    local = torch.from_numpy(whole[cuts[own]:cuts[own + 1]].copy())
    d = DTensor.from_local(local, mesh, [Shard(0)], run_check=True, shape=torch.Size(whole.shape),
                           stride=(1,))
    report = daptor.check(d)
    assert not report and comm.allgather(str(report)) == [str(report)] * size
    finding, = report
    width = -(-cuts[size] // size)
    assert finding.rule == "check.dtensor.local-shape" and finding.ranks[0] == 0
    assert "shape (2,), so that index 2 of dimension 0" in finding.found and width > 2
    named(comm, "dtensor.local-shape", daptor.Malformed, lambda: daptor.from_dtensor(d, comm))
    shards = [(r, slice(cuts[in_torch(r, size)], cuts[in_torch(r, size) + 1]))
              for r in range(size)]
    a = daptor.from_shards(shards, d.to_local(), comm)  # as they are
    assert (daptor.gather(a, everywhere=True) == whole).all() and address(a) == local.data_ptr()


def test_a_mesh_in_another_order(comm, rank, size):
    """Torch scatters by the ranks of the group, and saves by the place in the mesh."""
    mesh, whole = DeviceMesh("cpu", torch.arange(size).flip(0)), torch.arange(2. * size)
    d = distribute_tensor(whole, mesh, [Shard(0)])
    if size > 1:
        assert [each.rule for each in daptor.check(d)] == ["check.dtensor.order"]
        named(comm, "dtensor.order", daptor.NotRepresentable, lambda: daptor.from_dtensor(d, comm))
        told = comm.allgather((int(d.to_local()[0]), *offsets(d)))
        assert any(real != said for real, said in told)  # so it is


def offsets(d):
    return tuple(offset_by_torch(d.shape, d.device_mesh, d.placements)[1])


def test_offsets_of_torch(comm, rank, size):
    """pytorch 150862, 161368: what checkpoints go by is compared with where the elements are."""
    found = set()
    for mesh, shape, placements in programs(size):
        d = distribute_tensor(torch.from_numpy(stamped(shape)), mesh, placements)
        local = d.to_local().numpy()
        start = tuple(numpy.argwhere(stamped(shape) == local.flat[0])[0]) if local.size else None
        told = comm.allgather((dist.get_rank(), start, offsets(d)))
        wrong = sorted(r for r, real, said in told if real is not None and real != said)
        real = {said for _, real, said in told if real is not None}
        empty = sorted(r for r, real_, said in told if real_ is None and said in real)
        expected = [("check.dtensor.offset", tuple(wrong))] * bool(wrong) + [
            ("check.dtensor.empty", tuple(empty))] * bool(empty)
        report = daptor.check(d)
        assert [(each.rule, each.ranks) for each in report] == expected, (shape, placements)
        found.update(rule for rule, _ in expected)
    if torch.__version__.startswith("2.6") and size == 4:
        assert found == {"check.dtensor.empty"}


def test_what_is_no_array(comm, rank, size):
    mesh, whole = DeviceMesh("cpu", torch.arange(size)), torch.zeros(6, 4)
    d = distribute_tensor(whole, mesh, [Shard(0)])
    refused, impossible = daptor.InvalidArgument, daptor.NotRepresentable
    named(comm, "argument", refused, lambda: daptor.from_dtensor(
        whole if rank == size - 1 else d, comm), "DTensor")
    summands = DTensor.from_local(whole, mesh, [Partial()])
    named(comm, "dtensor.partial", impossible, lambda: daptor.from_dtensor(summands, comm),
          "d.redistribute(placements=[Replicate()])")
    bare = DTensor.from_local(whole[:5], mesh, [_StridedShard(0, split_factor=4)],
                              shape=torch.Size((7, 4)), stride=(4, 1), run_check=False)
    named(comm, "dtensor.strided", impossible, lambda: daptor.from_dtensor(bare, comm))
    for bad in range(size):
        rows = 2 + (rank == bad)
        wrong = DTensor.from_local(torch.zeros(rows, 4), mesh, [Shard(0)], run_check=False,
                                   shape=torch.Size((2 * size, 4)), stride=(4, 1))
        error = raised(lambda: daptor.from_dtensor(wrong, comm))
        assert error.rule == "dtensor.local-shape" and error.rank == bad
        assert same_on_all(comm, error)
        assert [each.ranks for each in daptor.check(wrong)] == [(in_torch(bad, size),)]
    learned = distribute_tensor(torch.ones(6, 4, requires_grad=True), mesh, [Shard(0)])
    assert daptor.sum(daptor.from_dtensor(learned, comm)) == 24
    if size > 1:
        e = DTensor.from_local(whole, mesh, [Shard(0 if rank else 1)], run_check=False)
        named(comm, "collective.different", refused, lambda: daptor.from_dtensor(e, comm))
        assert [each.rule for each in daptor.check(e)] == ["check.dtensor.different"]
        half = DeviceMesh("cpu", torch.arange(size - 1))
        small = DTensor.from_local(whole, half, [Replicate()], run_check=False)
        named(comm, "dtensor.ranks", refused, lambda: daptor.from_dtensor(small, comm))
        alone = comm.Split(rank)
        named(alone, "dtensor.ranks", refused, lambda: daptor.from_dtensor(d, alone))
        some = comm.Split(dist.get_rank() < size - 1)
        if dist.get_rank() < size - 1:
            assert daptor.from_dtensor(small, some).shape == (6, 4)
            assert daptor.check(small)
        for each in (alone, some):
            each.Free()
    a = daptor.zeros((3, 5), comm)
    a = a.as_readonly()
    named(comm, "dtensor.memory", impossible, lambda: a.to_dtensor(mesh))
    back = daptor.block(numpy.zeros(3)[::-1], comm)
    named(comm, "dtensor.memory", impossible, lambda: back.to_dtensor(mesh), "negative")
    if size > 1:
        uneven = daptor.block(numpy.zeros(3 + 2 * rank), comm)
        named(comm, "dtensor.layout", impossible, lambda: uneven.to_dtensor(mesh),
              "daptor.redistribute")


def test_ghosts_stay_behind(comm, rank, size):
    whole = stamped((4 * size, 3))
    in_order = comm.Split(0, dist.get_rank())
    a = daptor.block(numpy.zeros((6, 5)), in_order, shape=whole.shape, grid=(size, 1), ghosts=1)
    a.interior[...] = whole[a.global_slices]
    d = a.to_dtensor(DeviceMesh("cpu", torch.arange(size)))
    in_order.Free()
    assert (d.full_tensor().numpy() == whole).all()
    d.to_local()[0, 0] = -1
    assert a.interior[0, 0] == -1


def test_petsc_in_its_memory(comm, rank, size):
    in_order = comm.Split(0, dist.get_rank())
    mesh = DeviceMesh("cpu", torch.arange(size))
    d = distribute_tensor(torch.arange(9., dtype=torch.float64), mesh, [Shard(0)])
    a = daptor.from_dtensor(d, in_order)
    in_order.Free()
    if not hasattr(a, "to_petsc"):
        return
    x = a.to_petsc()
    x.scale(2.0)
    assert d.full_tensor().tolist() == [2.0 * n for n in range(9)]
    x.destroy()


def test_what_petsc_has(comm, rank, size, folder):
    """A DMDA's vectors, one with ghosts, through a checkpoint into torch and back."""
    PETSc = pytest.importorskip("petsc4py.PETSc")
    dm = PETSc.DMDA().create([7, 6], stencil_width=1, comm=comm)
    x, local = dm.createGlobalVec(), dm.createLocalVec()
    whole = stamped((6, 7))
    (i, iend), (j, jend) = dm.getRanges()
    dm.getVecArray(x)[i:iend, j:jend] = whole.T[i:iend, j:jend]
    dm.globalToLocal(x, local)
    path = f"{folder}/petsc"
    daptor.checkpoint.save({"x": daptor.export(x), "l": daptor.export(local, dm)}, path)
    state = {"x": torch.zeros(6, 7), "l": torch.zeros(6, 7)}
    dcp.load(state, checkpoint_id=path)
    assert (state["x"].numpy() == whole).all() and (state["l"].numpy() == whole).all()
    x.set(0.0)
    local.set(0.0)
    norm = x.norm()
    daptor.checkpoint.load({"x": daptor.export(x), "l": daptor.export(local, dm)}, path)
    assert norm == 0 and x.norm() == pytest.approx(numpy.linalg.norm(whole))
    assert daptor.check_ghosts(dm, local, x)
    for each in (x, local, dm):
        each.destroy()


@pytest.fixture(scope="module")
def groups():
    """For each number of processes a communicator and a process group; None elsewhere."""
    size, made = WORLD.size, {}
    for count in range(1, size + 1):
        group = dist.new_group([in_torch(r, size) for r in range(count)])
        inside = WORLD.Split(0 if WORLD.rank < count else MPI.UNDEFINED)
        made[count] = (inside, group) if WORLD.rank < count else None
    yield made
    for pair in made.values():
        if pair is not None:
            pair[0].Free()


def test_any_layout_on_any_processes(comm, size, folder, groups):
    shapes = [(17,), (9, 8), (5, 6, 4), (1, 13)]
    pairs = itertools.product(range(1, size + 1), repeat=2)
    for number, (before, after) in enumerate(pairs):
        for layout in range(2):
            shape = shapes[(number + layout) % len(shapes)]
            whole, seed = stamped(shape), 2 * number + layout
            path = f"{folder}/{number}-{layout}"
            if groups[before] is not None:
                inside, group = groups[before]
                a = filled(OWNED[(number + layout) % len(OWNED)], inside,
                           numpy.random.default_rng(seed), whole)
                daptor.checkpoint.save({"m": {"u": a}, "step": 7}, path, process_group=group)
            comm.Barrier()
            if groups[after] is not None:
                inside, group = groups[after]
                b = filled(OWNED[(number // 2 + 3 * layout) % len(OWNED)], inside,
                           numpy.random.default_rng(seed + 100), numpy.zeros(shape))
                state = {"m": {"u": b}, "step": 0}
                daptor.checkpoint.load(state, path, process_group=group)
                assert state["step"] == 7 and state["m"]["u"] is b
                assert (daptor.gather(b, everywhere=True) == whole).all()
                assert daptor.stale_padding(b)


def test_torchs_own_tensors(comm, rank, size, folder):
    """What torch saves of DTensors loads into an Array, and what an Array saves into DTensors."""
    mesh, whole = DeviceMesh("cpu", torch.arange(size)), stamped((5, 7))
    d = distribute_tensor(torch.from_numpy(whole), mesh, [Shard(1)])
    dcp.save({"u": d}, checkpoint_id=f"{folder}/by-torch")
    a = daptor.zeros((5, 7), comm, ghosts=1, order="F")
    daptor.checkpoint.load({"u": a}, f"{folder}/by-torch")
    assert (daptor.gather(a, everywhere=True) == whole).all()
    daptor.checkpoint.save({"u": a}, f"{folder}/by-daptor")
    d = distribute_tensor(torch.zeros(5, 7, dtype=torch.float64), mesh, [Shard(0)])
    dcp.load({"u": d}, checkpoint_id=f"{folder}/by-daptor")
    assert (d.full_tensor().numpy() == whole).all()
    t = torch.zeros(5, 7)
    dcp.load({"u": t}, checkpoint_id=f"{folder}/by-daptor")
    assert (t.numpy() == whole).all()


def test_an_empty_shard_in_place_of_a_real_one(comm, rank, size, folder):
    """pytorch 150862: what torch does not save, an Array on the same memory does."""
    if size < 4:
        return
    mesh, whole = DeviceMesh("cpu", torch.arange(4).reshape(2, 2)), stamped((2, 3))
    d = distribute_tensor(torch.from_numpy(whole), mesh, [Shard(0), Shard(0)])
    path = f"{folder}/empty"
    if torch.__version__.startswith("2.6"):
        assert not daptor.check(d)
        plans = comm.allgather(create_default_local_save_plan({"u": d}, rank == 0))
        with pytest.raises(ValueError, match="validate"):  # as save() does, if it comes back
            dcp.DefaultSavePlanner(flatten_state_dict=False).create_global_plan(plans)
    daptor.checkpoint.save({"u": daptor.from_dtensor(d, comm)}, path)
    b = daptor.zeros(whole.shape, comm)
    daptor.checkpoint.load({"u": b}, path)
    assert (daptor.gather(b, everywhere=True) == whole).all()


def test_checkpoints_that_are_not_whole(comm, rank, size, folder):
    a = daptor.full((6, 4), 3.0, comm)
    path = f"{folder}/faulty"
    daptor.checkpoint.save({"u": a, "v": daptor.zeros(0, comm)}, path)

    def load(state, **options):
        return lambda: daptor.checkpoint.load(state, path, **options)

    b = daptor.zeros((6, 4), comm)
    refused = daptor.InvalidArgument
    daptor.checkpoint.load({"v": daptor.zeros(0, comm)}, path)
    named(comm, "checkpoint.name", refused, load({"w": b}), "'w'")
    named(comm, "checkpoint.shape", refused, load({"u": daptor.zeros((4, 6), comm)}), "(6, 4)")
    named(comm, "dtensor.memory", daptor.NotRepresentable, load({"u": b.as_readonly()}))
    if size > 1:
        c = daptor.unstructured(numpy.zeros(3), [0, 1, 2], comm, size=3)
        named(comm, "shards.overlap", daptor.Malformed,
              lambda: daptor.checkpoint.save({"u": c}, path))
        alone = comm.Split(rank)
        named(alone, "checkpoint.ranks", refused, lambda: daptor.checkpoint.save(
            {"u": daptor.zeros(3, alone)}, f"{path}-{rank}"), "init_process_group")
        alone.Free()
    if rank == 0:  # the first rows are named twice, so that the volume is right, and others are not
        with open(f"{path}/.metadata", "rb") as file:
            metadata = pickle.load(file)
        chunks = metadata.state_dict_metadata["u"].chunks
        chunks[-1].offsets = torch.Size((0, 0)) if size > 1 else torch.Size((1, 0))
        with open(f"{path}/.metadata", "wb") as file:
            pickle.dump(metadata, file)
    comm.Barrier()
    rule = "shards.range" if size == 1 else "shards.gap"
    named(comm, rule, daptor.Malformed, load({"u": b}), "chunk")
    assert (b.interior == 0).all()
