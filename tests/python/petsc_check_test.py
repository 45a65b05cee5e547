# SPDX-License-Identifier: BSD-3-Clause
"""daptor.check and daptor.ValueWatch: planted defects in petsc4py's objects, and right objects."""

import numpy
import pytest
from petsc4py import PETSc

import daptor
from support import raised, same_on_all

OWNED = 5


@pytest.fixture(params=["first", "last"])
def guilty(request, size):
    """The rank that has the planted defect."""
    return 0 if request.param == "first" else size - 1


def ones(comm):
    x = PETSc.Vec().createMPI((OWNED, None), comm=comm)
    x.set(1.0)
    return x


def owned(rank):
    return list(range(OWNED * rank, OWNED * (rank + 1)))


def mapping(comm, indices):
    return PETSc.LGMap().create(indices, comm=comm)


def laplacian(comm, without=None):
    """The matrix of (-1, 2, -1), without the entry at this place."""
    mat = PETSc.Mat().createAIJ(((OWNED, None), (OWNED, None)), nnz=3, comm=comm)
    last = mat.getSize()[1] - 1
    for row in range(*mat.getOwnershipRange()):
        for column in range(max(row - 1, 0), min(row + 1, last) + 1):
            if (row, column) != without:
                mat.setValue(row, column, 2.0 if row == column else -1.0)
    mat.assemble()
    return mat


def index_set(comm, indices):
    return PETSc.IS().createGeneral(indices, comm=comm)


def solver(mat):
    ksp = PETSc.KSP().create(mat.getComm())
    ksp.setOperators(mat)
    ksp.setType("cg")
    ksp.pc.setType("jacobi")
    return ksp


def the_finding(comm, report, rule, rank=None, severity="error"):
    """The only finding, the same on all ranks; with a rank, that is the one at fault."""
    texts = [str(finding) for finding in report]
    assert comm.allgather(texts) == [texts] * comm.size
    assert [finding.rule for finding in report] == [rule], report
    finding = report.findings[0]
    assert finding.severity == severity and bool(report) == (severity != "error")
    assert "Vec" + "Get" not in str(finding), "the words of Python"
    if rank is not None and comm.size > 1:
        assert finding.ranks == (rank,)
    return finding


def test_right_objects(comm):
    x, mat = ones(comm), laplacian(comm)
    y = x.duplicate()
    ksp = solver(mat)
    ksp.solve(x, y)
    da = PETSc.DMDA().create([7, 8], stencil_width=1, comm=comm)
    x.setLGMap(mapping(comm, owned(comm.rank)))
    scatter, _ = PETSc.Scatter.toAll(x)
    sf = PETSc.SF().create(comm)
    sf.setGraph(OWNED, None, [[comm.rank, 2]])
    x.norm()
    things = (x, y, mat, ksp, da, da.createGlobalVec(), scatter, sf)
    states = [thing.stateGet() for thing in things]
    for thing in things:
        report = daptor.check(thing)
        assert report and len(report) == 0, report
    assert not len(daptor.check(da.getLGMap(), things[5]))
    assert not len(daptor.check(x.getLGMap(), mat))
    assert [thing.stateGet() for thing in things] == states


def test_not_finite(comm, rank, guilty):
    x = ones(comm)
    with x as u:
        if rank == guilty:
            with numpy.errstate(invalid="ignore"):
                u[3:] = numpy.zeros(2) / numpy.zeros(2)
    finding = the_finding(comm, daptor.check(x), "check.vec.not-finite", guilty)
    assert f"NaN at index {OWNED * guilty + 3}, 2 such values on this rank" in finding.found
    assert finding.key == "Vec"
    assert not len(daptor.check(x, values=False))


def test_stale_norm(comm, rank, guilty):
    x = ones(comm)
    x.setName("velocity")
    kept = x.getArray()
    x.norm()
    if rank == guilty:
        kept[0] = 9.0
    finding = the_finding(comm, daptor.check(x), "check.vec.stale-norm")
    assert "Vec 'velocity'" in finding.found and "stateIncrease" in finding.remedy
    # What the remedy says.
    x.stateIncrease()
    assert not len(daptor.check(x))
    x.norm()
    x.array[1] = 3.0
    assert not len(daptor.check(x))


def test_unnoticed_write(comm, rank, guilty):
    x = ones(comm)
    kept = x.getArray()
    watch = daptor.ValueWatch(x)
    assert not len(watch.look())
    if rank == guilty:
        kept[4] = 8.0
    the_finding(comm, watch.look(), "check.vec.unnoticed-write", guilty)
    assert not len(watch.look())
    x.array[4] = 9.0
    assert not len(watch.look())


def test_watching_a_matrix(comm):
    mat = laplacian(comm)
    watch = daptor.ValueWatch(mat)
    assert not len(watch.look())
    mat.scale(2.0)
    assert not len(watch.look())
    mat.incRef()
    mat.destroy()
    error = raised(watch.look)
    assert isinstance(error, daptor.InvalidArgument) and error.finding.key == "mat"


def test_told_symmetry(comm, rank, guilty):
    mat = laplacian(comm)
    if rank == guilty:
        mat.setValue(OWNED * rank, OWNED * rank + 1, 5.0)
    mat.assemble()
    assert not len(daptor.check(mat))
    mat.setOption(PETSc.Mat.Option.SYMMETRIC, True)
    the_finding(comm, daptor.check(mat), "check.mat.told-symmetric")


def test_mappings(comm, rank, guilty):
    x, mat = ones(comm), laplacian(comm)
    here = rank == guilty
    twice = mapping(comm, owned(rank) + [OWNED * rank + 1] * here)
    for layout in (x, mat):
        report = daptor.check(twice, layout)
        finding = the_finding(comm, report, "check.mapping.owned-twice", guilty, "warning")
        assert "local index 1 and local index 5" in finding.found
    x.setLGMap(mapping(comm, owned(rank) + [OWNED * comm.size] * here))
    the_finding(comm, daptor.check(x), "check.mapping.range", guilty)
    mat.setLGMap(twice, twice)
    assert {finding.key for finding in daptor.check(mat)} == {"Mat, rows", "Mat, columns"}


def test_matrices_and_solvers(comm):
    middle = OWNED * comm.size // 2
    mat = laplacian(comm, (middle, middle))
    the_finding(comm, daptor.check(mat), "check.mat.no-diagonal", severity="warning")
    mat = laplacian(comm)
    mat.setNullSpace(PETSc.NullSpace().create(constant=True, comm=comm))
    finding = the_finding(comm, daptor.check(mat), "check.mat.null-space")
    assert "Mat.setNullSpace" in finding.remedy
    assert not len(daptor.check(mat, apply=False))
    ksp = solver(laplacian(comm, (middle, middle + 1)))
    the_finding(comm, daptor.check(ksp), "check.ksp.not-symmetric", severity="warning")


def test_layouts(comm, rank, guilty):
    if comm.size == 1:
        return
    sizes = [OWNED + (r == (guilty + 1) % comm.size) - (r == guilty) for r in range(comm.size)]
    wrong = PETSc.Vec().createMPI((sizes[rank], None), comm=comm)
    report = daptor.check(laplacian(comm), (ones(comm), wrong))
    assert [finding.rule for finding in report] == ["check.mat.vec"]
    assert guilty in (list(report)[0].ranks or range(comm.size))  # none: all ranks
    assert not len(daptor.check(laplacian(comm), (ones(comm), ones(comm))))


def test_graphs(comm, rank, guilty):
    sf = PETSc.SF().create(comm)
    behind = rank == (guilty + 1) % comm.size
    sf.setGraph(3, None, [[guilty, 3 if behind else 2]])
    the_finding(comm, daptor.check(sf), "check.scatter.range", guilty)
    indices = [PETSc.IS().createGeneral(places, comm=PETSc.COMM_SELF)
               for places in ([0, 1, 2], [0, 1, 1 if rank == guilty else 2])]
    scatter = PETSc.Scatter().create(ones(comm), indices[0], PETSc.Vec().createSeq(3), indices[1])
    the_finding(comm, daptor.check(scatter), "check.scatter.twice", guilty, "warning")
    local = PETSc.Vec().createSeq(2 if rank == guilty else 3)
    the_finding(comm, daptor.check(scatter, (ones(comm), local)), "check.scatter.vec", guilty)
    assert not len(daptor.check(scatter, (PETSc.Vec().createSeq(3), ones(comm))))


def test_on_some_ranks(comm, rank, size):
    part = comm.Split(int(rank == 0))
    x = ones(part)
    if rank > 0 or size == 1:
        x.array[2] = numpy.inf
    report = daptor.check(x)
    assert len(report) == int(rank > 0 or size == 1)
    x.destroy()
    part.Free()


@pytest.mark.parametrize("thing", [
    None, [1.0], numpy.ones(3), PETSc.Random(), PETSc.SNES(), daptor.check])
def test_other_objects(thing):
    for call, name in ((daptor.check, "check"), (daptor.ValueWatch, "ValueWatch")):
        with pytest.raises(TypeError) as raising:
            call(thing)
        assert f"daptor.{name} " in str(raising.value)
        assert str(raising.value).endswith(f" a value of type {type(thing).__name__}")


def test_a_mapping_without_its_layout(comm, rank):
    lgmap = mapping(comm, owned(rank))
    for layout in (None, lgmap, PETSc.IS()):
        with pytest.raises(TypeError, match="together with the Vec or Mat"):
            daptor.check(lgmap, layout)


def test_objects_that_are_gone(comm, rank, guilty):
    for thing in (PETSc.Vec(), PETSc.Mat(), PETSc.DM(), PETSc.SF(), PETSc.Scatter(), PETSc.KSP()):
        assert isinstance(raised(lambda: daptor.check(thing)), daptor.InvalidArgument)
    x = ones(comm)
    watch = daptor.ValueWatch(x)
    x.incRef()  # so that it is not destroyed on one rank alone
    if rank == guilty:
        x.destroy()
    error = raised(watch.look)
    assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
    assert error.finding.key == "vec"


def test_index_sets(comm, rank, guilty):
    x, mat = ones(comm), laplacian(comm)
    rows = index_set(comm, owned(rank))
    for things in ((rows,), (rows, x), (rows, mat)):
        assert not len(daptor.check(*things))
    here = rank == guilty
    outside = index_set(comm, owned(rank) + [OWNED * comm.size] * here)
    finding = the_finding(comm, daptor.check(outside, mat), "check.is.range", guilty)
    assert finding.key == "IS"
    twice = index_set(comm, owned(rank) + [OWNED * rank] * here)
    the_finding(comm, daptor.check(twice, x), "check.is.repeated", guilty)
    assert not len(daptor.check(twice))
    with pytest.raises(TypeError):
        daptor.check(twice, rows)


def test_what_differs_between_ranks(comm, rank, size):
    x, mat, lgmap = ones(comm), laplacian(comm), mapping(comm, owned(rank))
    rows = index_set(comm, owned(rank))
    last = rank == size - 1
    error = raised(lambda: daptor.check(x, values="yes" if last else True))
    assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
    error = raised(lambda: daptor.check(x, mat if last else None))
    assert error.finding.key == "layout" and same_on_all(comm, error)
    if size == 1:
        return
    for call, key in ((lambda: daptor.check(x, values=last), "values"),
                      (lambda: daptor.check(mat, apply=last), "apply"),
                      (lambda: daptor.check(x if last else mat), "object"),
                      (lambda: daptor.check(lgmap, x if last else mat), "layout"),
                      (lambda: daptor.check(rows, x if last else None), "layout")):
        error = raised(call)
        assert error.rule == "collective.different" and error.finding.key == key
        assert same_on_all(comm, error)


@pytest.mark.parametrize("name", [
    "import_vec", "fft::run", "CopyOptions::convert", "[0, 4)", "dimension 2", "index 3", "{call}",
    "%s%n", "a\\x1b", "\u00fc \u4e2d", "two\nlines", "\x1b[31m red"])
def test_a_name_comes_back_as_it_was(comm, name):
    x = ones(comm)
    x.setName(name)
    x.setLGMap(mapping(comm, owned(comm.rank) + [OWNED * comm.size]))
    (finding,) = [each for each in daptor.check(x) if each.rule == "check.mapping.range"]
    assert f"Vec '{name}'" in finding.found
    assert not any(ord(c) < 32 and c not in "\n\t" for c in str(finding))
    x.destroy()
