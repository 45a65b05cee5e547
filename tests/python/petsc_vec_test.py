# SPDX-License-Identifier: BSD-3-Clause
"""Vecs on the memory of NumPy arrays, and NumPy on the memory of Vecs."""

import numpy
import pytest
from petsc4py import PETSc

import daptor
import daptor.conformance
import dlpack_objects
from petsc_support import SCALAR, stacked, where
from support import address, line, raised, same_on_all


def test_a_vec_on_numpy_memory(comm, rank, size):
    values, a = stacked(comm)
    x = a.to_petsc()
    assert isinstance(x, PETSc.Vec) and where(x) == values.ctypes.data
    assert (x.getSize(), x.getLocalSize()) == (4 * size, 4)
    x.set(2.0)
    a.modified()
    assert (values == 2.0).all()
    assert x.sum() == 8 * size


def test_norms_after_writes_by_one_rank(comm, rank, size):
    values, a = stacked(comm)
    x = a.to_petsc()
    assert x.norm() == 0
    for writer in range(size):
        with a.write() as u:
            if rank == writer:
                u[:] = 2.0
        assert abs(x.norm() - numpy.sqrt(16.0 * (writer + 1))) < 1e-12
    states = comm.allgather(x.stateGet())
    assert states == [states[0]] * size


def test_writes_through_another_description(comm, rank, size):
    """The dictionary passes through another object, and PETSc is still notified of a write."""
    values, a = stacked(comm)
    x = a.to_petsc()
    assert x.norm() == 0
    d = a.__distarray__()
    b = daptor.import_({**d, "buffer": numpy.asarray(d["buffer"])}, comm)
    with b.write() as u:
        u[:] = 1.0
    assert abs(x.norm() - numpy.sqrt(4.0 * size)) < 1e-12


def test_advice_about_element_types(comm, rank, size):
    """The call that the refusal names works."""
    foreign = numpy.arange(4, dtype=SCALAR)
    foreign = foreign.astype(foreign.dtype.newbyteorder())
    a = daptor.block(foreign, comm)
    for wrong in (a.to_petsc, a.copy_to_petsc, a.copy_to_dmda):
        remedy = raised(wrong).finding.remedy
        assert f"x.astype('={foreign.dtype.str[1:]}')" in remedy, remedy
    x = a.copy_to_petsc(convert=True)
    assert x.sum() == 6 * size
    x.destroy()
    x = daptor.block(foreign.astype(f"={foreign.dtype.str[1:]}"), comm).to_petsc()
    assert x.sum() == 6 * size
    x.destroy()
    single = daptor.block(numpy.ones(4, dtype="f4"), comm)
    if SCALAR != numpy.float32:
        for wrong in (single.to_petsc, single.copy_to_petsc):
            assert "a.copy_to_petsc(convert=True)" in str(raised(wrong))
        x = single.copy_to_petsc(convert=True)
        assert x.sum() == 4 * size
        x.destroy()
        assert "a.copy_to_dmda(convert=True)" in str(raised(single.to_dmda))


class Special(numpy.ndarray):
    """A view of another class."""


class Describes:
    """Passes a description on."""

    def __init__(self, a):
        self.a = a

    def __distarray__(self):
        return self.a.__distarray__()


class Tensor:
    """Passes a tensor on."""

    def __init__(self, a):
        self.a = a

    def __dlpack__(self, **options):
        return self.a.__dlpack__(**options)


WAYS = {
    "the array": lambda a, comm: a,
    "import_": daptor.import_,
    "a capsule": lambda a, comm: daptor.import_(a.__daptor_array__(), comm),
    "a capsule of a capsule": lambda a, comm: daptor.import_(
        daptor.import_(a.__daptor_array__(), comm).__daptor_array__(), comm),
    "another producer": lambda a, comm: daptor.import_(Describes(a), comm),
    "NumPy": lambda a, comm: daptor.block(numpy.asarray(a), comm),
    "a slice of a view": lambda a, comm: daptor.block(numpy.asarray(a).view(Special)[:], comm),
    "a memoryview": lambda a, comm: daptor.block(memoryview(a), comm),
    "a tensor": lambda a, comm: daptor.block(Tensor(a), comm),
}
if numpy.from_dlpack(numpy.zeros(1)).flags.writeable:  # since NumPy 2
    WAYS["numpy.from_dlpack"] = lambda a, comm: daptor.block(numpy.from_dlpack(a), comm)


@pytest.mark.parametrize("exported", [False, True])
@pytest.mark.parametrize("write", WAYS)
@pytest.mark.parametrize("read", WAYS)
def test_norms_after_writes_another_way(comm, size, read, write, exported):
    """However the same memory was described, a write through one array is seen by Vecs on all."""
    if exported:
        vec = PETSc.Vec().createMPI((4, None), comm=comm)
        vec.set(0.0)
        root = daptor.export(vec)
    else:
        root = stacked(comm)[1]
    x = WAYS[read](root, comm).to_petsc()
    assert x.norm() == 0
    with WAYS[write](root, comm).write() as u:
        u[:] = 1.0
    assert abs(x.norm() - numpy.sqrt(4.0 * size)) < 1e-12
    x.destroy()


def test_a_capsule_that_was_only_validated_still_holds_its_section(comm, size):
    values, a = stacked(comm)
    capsule = a.__daptor_array__()
    for _ in range(2):
        assert daptor.validate(capsule, comm)
    del a
    b = daptor.import_(capsule, comm)
    assert raised(lambda: daptor.import_(capsule, comm)).rule == "producer"
    del capsule
    x = b.to_petsc()
    values[:] = 2.0
    b.modified()
    assert x.sum() == 8 * size
    x.destroy()


def test_update_padding_is_a_write(comm, rank, size):
    u = numpy.ones(6, dtype=SCALAR)
    u[0] = u[5] = -5
    a = daptor.block(u, comm, shape=(4 * size,), padding=1, periodic=True)
    x = a.to_petsc(padded=True)
    assert where(x) == u.ctypes.data and x.getSize() == 6
    assert x.norm() > 3
    daptor.update_padding(a)
    assert abs(x.norm() - numpy.sqrt(6.0)) < 1e-12


REFUSED = {
    "float32": lambda: numpy.zeros(4, dtype="f4"),
    "int64": lambda: numpy.zeros(4, dtype="i8"),
    "complex": lambda: numpy.zeros(4, dtype="c8"),
    "big-endian": lambda: numpy.zeros(4, dtype=numpy.dtype(SCALAR).newbyteorder(">")),
    "strided": lambda: numpy.zeros(8, dtype=SCALAR)[::2],
    "reversed": lambda: numpy.zeros(4, dtype=SCALAR)[::-1],
    "broadcast": lambda: numpy.broadcast_to(numpy.zeros(1, dtype=SCALAR), 4),
    "unaligned": lambda: numpy.frombuffer(bytearray(100), dtype="u1")[1:1 + 4 * numpy.dtype(
        SCALAR).itemsize].view(SCALAR),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_petsc4py_copies_in_silence_is_refused(comm, rank, size, kind):
    a = daptor.import_(line(comm, REFUSED[kind]()), comm)
    error = raised(a.to_petsc)
    assert isinstance(error, daptor.NotRepresentable) and same_on_all(comm, error)
    assert not daptor.explain(a)["petsc.vec"]


def test_read_only_memory_on_one_rank(comm, rank, size):
    values = numpy.ones(4, dtype=SCALAR)
    values.flags.writeable = rank != size - 1
    a = daptor.block(values, comm)
    if PETSc.Sys.getVersion() >= (3, 22):  # which enforces its read locks in optimised builds too
        x = a.to_petsc()
        assert where(x) == values.ctypes.data
        with pytest.raises(PETSc.Error):
            x.set(2.0)
    else:
        error = raised(a.to_petsc)
        assert isinstance(error, daptor.NotRepresentable) and error.rule == "petsc.vec.readonly"
        assert same_on_all(comm, error)
    x = a.to_petsc(trust_readonly=True)
    assert where(x) == values.ctypes.data and abs(x.norm() - numpy.sqrt(4.0 * size)) < 1e-12


def test_block_size(comm, size):
    values = numpy.zeros((4, 3), dtype=SCALAR)
    x = daptor.block(values, comm).to_petsc()
    assert (x.getBlockSize(), x.getSize()) == (3, 12 * size)


def test_export_a_vec(comm, rank, size):
    x = PETSc.Vec().createMPI((5, PETSc.DECIDE), comm=comm)
    x.set(3.0)
    a = daptor.export(x)
    assert a.shape == (5 * size,) and a.dtype == numpy.dtype(SCALAR).name
    assert address(a) == where(x)
    assert x.norm() > 0
    with a.write() as u:
        u[:] = rank
    assert abs(x.norm() - numpy.sqrt(5.0 * sum(r * r for r in range(size)))) < 1e-12
    assert daptor.validate(a)
    assert daptor.export(x, readonly=True).readonly
    b = daptor.import_(a.__distarray__("0.10.0"), comm)
    assert address(b) == where(x)
    y = b.to_petsc()
    assert where(y) == where(x)
    x.destroy()
    assert numpy.asarray(a)[0] == rank  # the array has a reference of the Vec


@pytest.mark.parametrize("name", ["petsc_vec", "petsc_uneven_vec"])
def test_a_vec_as_a_producer_of_dlpack(comm, name):
    make = getattr(dlpack_objects, name)
    report = daptor.conformance.check_dlpack(make, comm)
    assert report and {finding.rule for finding in report} <= {"dlpack.arguments"}, str(report)
    vec = make(comm)
    a = daptor.block(vec, comm)
    assert vec.local_size == 0 or address(a) == vec.array.ctypes.data


def test_a_vec_with_another_array_placed(comm):
    x = PETSc.Vec().createMPI((3, PETSc.DECIDE), comm=comm)
    a = daptor.export(x)
    x.placeArray(numpy.zeros(3, dtype=SCALAR))
    with pytest.raises(BufferError):
        memoryview(a)
    with pytest.raises(daptor.Stale):
        with a.write():
            pass
    x.resetArray()
    with a.read() as u:
        assert u.shape == (3,)


def test_memory_that_was_replaced_is_not_shown(comm):
    x = PETSc.Vec().createMPI((4, PETSc.DECIDE), comm=comm)
    a = daptor.export(x)
    x.placeArray(numpy.ones(4, dtype=SCALAR))
    for look in (numpy.asarray, numpy.array, memoryview, numpy.from_dlpack):
        with pytest.raises((BufferError, daptor.Stale)):
            look(a)
    x.resetArray()
    assert address(a) == where(x)


@pytest.mark.parametrize("block", [1, 2])
def test_a_ghosted_vec(comm, rank, size, block):
    others = [r for r in range(size) if r != rank]
    made = PETSc.Vec().createGhost([3 * r for r in others], (3 * block, None), bsize=block,
                                   comm=comm)
    a = daptor.export(made, ghosts=True)
    assert a.shape == ((3 * size,) if block == 1 else (3 * size, block))
    values = numpy.asarray(a)
    assert values.ctypes.data == where(made) and len(values) == 3 + len(others)
    x = a.to_petsc(ghosts=True)
    assert where(x) == where(made)
    x.set(rank)
    x.ghostUpdate(addv=PETSc.InsertMode.INSERT, mode=PETSc.ScatterMode.FORWARD)
    assert (values[:3] == rank).all()
    assert (values[3:].reshape(len(others), block) == numpy.array(others).reshape(-1, 1)).all()
    assert daptor.export(x).shape == daptor.export(made).shape
    for victim in range(size if size > 1 else 0):
        error = raised(lambda: a.to_petsc(ghosts=rank == victim))
        assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
        error = raised(lambda: daptor.export(made, ghosts=rank == victim))
        assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
    error = raised(lambda: stacked(comm)[1].to_petsc(ghosts=True))
    assert error.rule == "petsc.vec.ghosts"
    x.destroy()


def test_solving_on_numpy_memory(comm, rank, size):
    """Solves a Laplacian; the solution is in NumPy's memory."""
    solution, a = stacked(comm, 20)
    right, b = stacked(comm, 20)
    right[:] = 1.0
    n = 20 * size
    matrix = PETSc.Mat().createAIJ(((20, n), (20, n)), nnz=3, comm=comm)
    for row in range(20 * rank, 20 * rank + 20):
        for column in (row - 1, row, row + 1):
            if 0 <= column < n:
                matrix.setValue(row, column, 2.0 if row == column else -1.0)
    matrix.assemble()
    ksp = PETSc.KSP().create(comm)
    ksp.setOperators(matrix)
    ksp.setType("cg")
    ksp.setTolerances(rtol=1e-12)
    ksp.pc.setType("jacobi")
    x, y = a.to_petsc(), b.to_petsc()
    ksp.solve(y, x)
    a.modified()
    i = 20 * rank + numpy.arange(1, 21)
    assert numpy.allclose(solution, i * (n + 1 - i) / 2)
