# SPDX-License-Identifier: BSD-3-Clause
"""Every collective call of the package, with an odd argument or another call on one rank."""

import ctypes
import importlib.util
import os

import numpy
import pytest

import daptor
from support import raised, same_on_all

PETSC = daptor._bindings.binding("_petsc") is not None
if PETSC:
    import petsc4py

    petsc4py.init([])
    from petsc4py import PETSc
SCALAR = PETSc.ScalarType if PETSC else numpy.float64
FFT = daptor._bindings.binding("_fftw") is not None
if FFT:
    from daptor import fft
HDF5 = daptor._bindings.binding("_hdf5") is not None
if HDF5:
    from daptor import hdf5


class Raises:
    """An object that raises at every use."""

    def __bool__(self):
        raise RuntimeError("no truth")

    def __index__(self):
        raise RuntimeError("no number")

    def __iter__(self):
        raise RuntimeError("no items")

    def __complex__(self):
        raise RuntimeError("no number")


NO_TRUTH = numpy.array([True, False])
ODD = (NO_TRUTH, Raises(), object(), "odd", 2**70)


class Things:
    """The arguments of the calls, on all ranks."""

    def __init__(self, comm):
        size = comm.size
        self.comm = comm
        self.rows = daptor.block(numpy.ones((2, 2 * size)), comm)
        self.columns = self.rows.like(daptor.layout.slab(1))
        self.grid = daptor.block(numpy.ones((2, 3), dtype=SCALAR), comm)
        self.partitioned = self.rows.to_partitioned()
        if PETSC:
            self.vec = PETSc.Vec().createMPI((4, None), comm=comm)
            self.ghosted = PETSc.Vec().createGhost([], (4, None), comm=comm)
            self.da = PETSc.DMDA().create([2 * size, 3], stencil_width=1, comm=comm)
            self.field = self.da.createGlobalVec()
            self.mat = PETSc.Mat().createAIJ(((2, None), (2, None)), nnz=1, comm=comm)
            self.mat.assemble()
            self.csr = daptor.export_csr(self.mat, copy=True)
            self.open = None

    def prepare(self):
        """Makes what calls need that few tests make. Collective."""
        self.line = daptor.block(numpy.ones(2), self.comm)
        self.mask = daptor.block(numpy.ones(2, dtype=bool), self.comm)
        self.there = daptor.Redistribution(self.rows, self.columns)
        if PETSC:
            grid = daptor.block(numpy.ones((2, 3), dtype=SCALAR), self.comm)
            self.open = grid.to_dmda(no_dof=True)
        if FFT:
            self.transform = fft.Transform(self.columns, planning="estimate")

    def destroy(self):
        if PETSC:
            if self.open is not None:
                self.open.close()
            for thing in (self.vec, self.ghosted, self.field, self.da, self.mat):
                thing.destroy()


@pytest.fixture
def things(comm):
    made = Things(comm)
    yield made
    made.destroy()


def csr_with(t, **parts):
    fields = dict(values=t.csr.values, columns=t.csr.columns, offsets=t.csr.offsets,
                  global_columns=t.csr.global_columns, index_base=0)
    copy = parts.pop("copy", True)
    fields.update(parts)
    return daptor.CsrArrays(**fields).to_petsc(copy=copy)


def shape(t):
    return (2 * t.comm.size, 2 * t.comm.size)


def shards(t):
    return [(rank, slice(2 * rank, 2 * rank + 2)) for rank in range(t.comm.size)]


# Each call takes the things and keyword arguments, one of which is odd.
CALLS = {
    "import_": (lambda t, obj=None: daptor.import_(t.rows if obj is None else obj, t.comm),
                ["obj"]),
    "validate": (lambda t, **odd: daptor.validate(t.rows, **odd),
                 ["level", "strict", "listed_ranks"]),
    "block": (lambda t, **odd: daptor.block(odd.pop("array", numpy.ones((2, 2 * t.comm.size))),
                                            t.comm, **{"shape": shape(t), "grid": (0, 1), **odd}),
              ["array", "shape", "grid", "padding", "boundary", "periodic"]),
    "stacked": (lambda t, **odd: daptor.block(odd.pop("array", numpy.ones((2, 3))), t.comm, **odd),
                ["array", "padding", "boundary", "periodic"]),
    "cyclic": (lambda t, **odd: daptor.cyclic(odd.pop("array", numpy.ones(3)), t.comm,
                                              **{"shape": 3 * t.comm.size, **odd}),
               ["array", "shape", "grid", "block_size", "origin"]),
    "unstructured": (lambda t, **odd: daptor.unstructured(
        odd.pop("array", numpy.ones(1)), odd.pop("indices", numpy.array([t.comm.rank])), t.comm,
        **{"size": t.comm.size, **odd}), ["array", "indices", "size", "one_to_one"]),
    "from_shards": (lambda t, **odd: daptor.from_shards(
        odd.pop("shards", shards(t)), odd.pop("array", numpy.ones(2)), t.comm, **odd),
        ["shards", "array", "shape"]),
    "from_partitioned": (lambda t, obj=None: daptor.from_partitioned(
        t.partitioned if obj is None else obj, t.comm), ["obj"]),
    "agreed": (lambda t, function=lambda: 3: daptor.agreed(t.comm, function), ["function"]),
    "HaloExchange": (lambda t, **odd: daptor.HaloExchange(odd.pop("arrays", t.rows),
                                                          **{"comm": t.comm, **odd}),
                     ["arrays", "stencil"]),
    "update_padding": (lambda t, **odd: daptor.update_padding(t.rows, **odd), ["stencil"]),
    "stale_padding": (lambda t, **odd: daptor.stale_padding(t.rows, **odd), ["stencil"]),
    "Redistribution": (lambda t, **odd: daptor.Redistribution(
        odd.pop("sources", t.rows), odd.pop("targets", t.columns), comm=t.comm, **odd),
        ["sources", "targets", "fill_padding", "read_from_any", "convert", "buffer_bytes"]),
    "redistribute": (lambda t, **odd: daptor.redistribute(
        odd.pop("source", t.rows), odd.pop("target", t.columns), comm=t.comm, **odd),
        ["source", "target", "fill_padding", "read_from_any", "convert", "buffer_bytes", "scale",
         "conjugate", "keep"]),
    "bytes_to_redistribute": (lambda t, **odd: daptor.bytes_to_redistribute(
        odd.pop("source", t.rows), odd.pop("target", t.columns), **odd),
        ["source", "target", "fill_padding", "read_from_any", "convert"]),
    "sum": (lambda t, **odd: daptor.sum(t.rows, **odd), ["where", "axis"]),
    "dot": (lambda t, b=None: daptor.dot(t.rows, t.rows if b is None else b), ["b"]),
    "allclose": (lambda t, **odd: daptor.allclose(t.rows, **{"b": t.rows, **odd}),
                 ["b", "rtol", "equal_nan"]),
    "norm": (lambda t, **odd: daptor.norm(t.rows, **odd), ["ord"]),
    "std": (lambda t, **odd: daptor.std(t.rows, **odd), ["ddof", "dtype", "where"]),
    "gather": (lambda t, **odd: daptor.gather(t.rows, **{"index": 0, **odd}),
               ["index", "root", "everywhere"]),
    "scatter": (lambda t, whole=None, root=0: daptor.scatter(
        numpy.ones(t.rows.shape) if whole is None else whole, like=t.rows, root=root),
        ["whole", "root"]),
    "sample": (lambda t, indices=([0], [0]): t.rows.sample(indices), ["indices"]),
    "zeros_like": (lambda t, **odd: daptor.zeros_like(t.rows, **odd), ["dtype"]),
    "full_like": (lambda t, **odd: daptor.full_like(t.rows, **{"value": 1, **odd}),
                  ["value", "dtype"]),
    "from_function": (lambda t, **odd: daptor.from_function(
        **{"function": lambda i: i, "shape": 4 * t.comm.size, "comm": t.comm, **odd}),
        ["function", "shape", "ghosts", "dtype"]),
    "redistributed": (lambda t, layout=daptor.layout.slab(1): t.rows.redistributed(layout),
                      ["layout"]),
}
if PETSC:
    CALLS.update({
        "export": (lambda t, **odd: daptor.export(t.vec, **odd),
                   ["dm", "flat", "readonly", "padded"]),
        "export of a DMDA": (lambda t, **odd: daptor.export(t.da, **odd),
                             ["dm", "flat", "readonly", "padded"]),
        "export with a DMDA": (lambda t, **odd: daptor.export(odd.get("vec", t.field), t.da),
                               ["vec"]),
        "export_csr": (lambda t, **odd: daptor.export_csr(t.mat, **{"copy": True, **odd}),
                       ["copy"]),
        "to_petsc": (lambda t, **odd: t.grid.to_petsc(**odd),
                     ["padded", "flat", "readonly", "trust_readonly", "allow_overlap",
                      "local_to_global"]),
        "to_dmda": (lambda t, **odd: t.grid.to_dmda(**odd),
                    ["stencil", "stencil_width", "no_dof", "allow_reorder", "readonly",
                     "trust_readonly"]),
        "copy_to_petsc": (lambda t, **odd: t.grid.copy_to_petsc(**odd),
                          ["padded", "local_size", "flat", "read_from_any", "convert"]),
        "copy_to_dmda": (lambda t, **odd: t.grid.copy_to_dmda(**odd),
                         ["vector", "grid", "stencil", "stencil_width", "no_dof", "allow_reorder",
                          "read_from_any", "convert"]),
        "CsrArrays.to_petsc": (lambda t, **odd: csr_with(t, **odd),
                               ["values", "columns", "offsets", "global_columns", "index_base",
                                "copy"]),
    })


@pytest.mark.parametrize("name, argument",
                         [(name, argument) for name, (_, odd) in CALLS.items() for argument in odd])
def test_something_odd_on_one_rank(things, comm, rank, size, name, argument):
    call, _ = CALLS[name]
    refused = 0
    for guilty in range(size):
        for odd in (None, *ODD):
            mine = {argument: odd} if rank == guilty else {}
            try:
                call(things, **mine)
                outcome = None
            except daptor.Error as error:
                outcome = error
            outcomes = comm.allgather(None if outcome is None else str(outcome))
            assert outcomes == [outcomes[0]] * size, (odd, outcomes)
            if outcome is not None:
                refused += 1
                assert same_on_all(comm, outcome), odd
    assert refused >= size, "something is odd for every argument"


def test_what_one_rank_alone_cannot_have(things, comm, rank, size):
    for guilty in range(size):
        here = rank == guilty
        error = raised(lambda: daptor.redistribute(things.rows, things.columns,
                                                   scale=1j if here else 1))
        assert error.rule == "redistribute.transform" and same_on_all(comm, error)
        error = raised(lambda: daptor.HaloExchange([] if here else [things.rows], comm=comm))
        assert error.rank == guilty and same_on_all(comm, error)
        if size > 1:
            error = raised(lambda: daptor.redistribute(things.rows, things.columns,
                                                       keep=2 if here else 0))
            assert error.rule == "collective.different" and same_on_all(comm, error)
            assert error.finding.key == "keep"


@pytest.mark.skipif(not PETSC, reason="without petsc4py")
def test_another_dm_on_one_rank(things, comm, rank, size):
    other = PETSc.DMDA().create([3 * size], comm=comm)
    plex = PETSc.DMShell().create(comm=comm)
    for wrong in (other, plex, 3, things.vec, PETSc.DMDA()):
        for guilty in range(size):
            error = raised(lambda: daptor.export(things.field,
                                                 wrong if rank == guilty else things.da))
            assert same_on_all(comm, error)
    other.destroy()
    plex.destroy()


def mixed_calls(t):
    """Returns calls, by their names in the error. Collective."""
    t.prepare()
    calls = {
        "validate": lambda: daptor.validate(t.rows),
        "import_": lambda: daptor.import_(t.rows, t.comm),
        "block": lambda: daptor.block(numpy.ones((2, 3)), t.comm),
        "cyclic": lambda: daptor.cyclic(numpy.ones(3), t.comm, shape=3 * t.comm.size),
        "unstructured": lambda: daptor.unstructured(numpy.ones(1), numpy.array([t.comm.rank]),
                                                    t.comm, size=t.comm.size),
        "from_shards": lambda: daptor.from_shards(shards(t), numpy.ones(2), t.comm),
        "from_partitioned": lambda: daptor.from_partitioned(t.partitioned, t.comm),
        "Array.to_shards": t.rows.to_shards,
        "Array.to_partitioned": t.rows.to_partitioned,
        "explain": lambda: daptor.explain(t.rows),
        "agreed": lambda: daptor.agreed(t.comm, lambda: None),
        "HaloExchange": lambda: daptor.HaloExchange(t.rows),
        "Redistribution": lambda: daptor.Redistribution(t.rows, t.columns),
        "redistribute": lambda: daptor.redistribute(t.rows, t.columns),
        "bytes_to_redistribute": lambda: daptor.bytes_to_redistribute(t.rows, t.columns),
        "Array.redistributed": lambda: t.rows.redistributed(daptor.layout.slab(1)),
        "sum": lambda: daptor.sum(t.rows),
        "gather": lambda: daptor.gather(t.rows),
        "scatter": lambda: daptor.scatter(numpy.ones(t.rows.shape), like=t.rows),
        "without_padding": lambda: daptor.without_padding(t.rows),
        "update_padding": lambda: daptor.update_padding(t.rows),
        "stale_padding": lambda: daptor.stale_padding(t.rows),
        "enumerate": lambda: daptor.enumerate(t.line, 0, 1),
        "packed": lambda: daptor.packed(t.line, t.mask),
        "Array.sample": lambda: t.rows.sample(([0], [0])),
        "copy": lambda: t.rows.copy(),
    }
    if importlib.util.find_spec("matplotlib"):
        calls["plot"] = lambda: daptor.plot(t.rows)
    if PETSC:
        calls.update({
            "Array.to_petsc": lambda: t.grid.to_petsc().destroy(),
            "Array.to_dense": lambda: t.grid.as_readonly().to_dense(),
            "Array.to_dmda": lambda: t.grid.to_dmda(no_dof=True).close(),
            "Array.copy_to_petsc": lambda: t.grid.copy_to_petsc().destroy(),
            "Array.copy_to_dmda": lambda: t.grid.copy_to_dmda(no_dof=True).close(),
            "export": lambda: daptor.export(t.vec),
            "export_csr": lambda: daptor.export_csr(t.mat, copy=True),
            "CsrArrays.to_petsc": lambda: t.csr.to_petsc(copy=True).destroy(),
            "check": lambda: daptor.check(t.vec),
            "check_ghosts": lambda: daptor.check_ghosts(t.ghosted),
        })
    if FFT:
        calls["fft.Transform.forward"] = t.transform.forward
        calls["fft.Transform.backward"] = t.transform.backward
    return calls


def calls_of_once(t):
    """The same for calls which, if all ranks made them, could not be made again."""
    calls = {"Redistribution.run_back": t.there.run_back}
    if PETSC:
        calls["ImportedDMDA.close"] = t.open.close
    if HDF5:
        calls.update({
            "save": lambda: daptor.save(t.rows, "/nowhere/a.h5", "a"),
            "hdf5.append": lambda: hdf5.append(t.rows, "/nowhere/a.h5", "a"),
            "hdf5.inspect": lambda: hdf5.inspect("/nowhere/a.h5", "a", t.comm),
            "load": lambda: hdf5.load_into(t.rows, "/nowhere/a.h5", "a"),
        })
    return calls


def test_different_calls_at_once(things, comm, rank, size):
    calls = {**mixed_calls(things), **calls_of_once(things)}
    names = list(calls)
    for distance in (1, 5) if size > 1 else ():
        for guilty in range(size):
            for i, name in enumerate(names):
                other = names[(i + distance) % len(names)]
                error = raised(calls[name if rank == guilty else other])
                assert isinstance(error, daptor.InvalidArgument)
                assert error.rule == "collective.mixed" and same_on_all(comm, error)
                assert f"rank {guilty} is in {name}," in error.finding.found + "," or \
                    f"rank {guilty} in {name}," in error.finding.found + ","
                assert f" in {other}," in error.finding.found + ","


def test_printing_on_one_rank(things, rank, size):
    """A collective call on one rank only, a common mistake."""
    if size == 1:
        return
    with pytest.raises(daptor.InvalidArgument, match=r"rank 0 is in validate, ranks? .* in .*"):
        if rank == 0:
            print(daptor.validate(things.rows))
        else:
            daptor.update_padding(things.rows)


def test_a_fault_at_each_check(things, comm, rank, size):
    """It is the error of all ranks, or of none, and the call works afterwards."""
    plant = ctypes.CDLL(os.environ["DAPTOR_TEST_PLANT"])

    def outcome(call, at):
        plant.daptor_test_plant(at)
        try:
            call()
        except daptor.Error as error:
            return error
        finally:
            plant.daptor_test_plant(0)
        return None

    errors = 0
    for name, call in mixed_calls(things).items():
        if outcome(call, 0) or outcome(call, 0):
            continue  # refused for what its arguments are
        plant.daptor_test_plant(0)
        call()
        passed = comm.allgather(min(plant.daptor_test_passed(), 12))
        for guilty in {0, size - 1}:
            for at in range(1, passed[guilty] + 1):
                error = outcome(call, at if rank == guilty else 0)
                assert len(set(comm.allgather(error is None))) == 1, (name, at)
                if error is not None:
                    assert error.finding.found == "planted" and error.rank == guilty, (name, at)
                    assert same_on_all(comm, error)
                    errors += 1
        assert outcome(call, 0) is None, name
    assert errors > 50
