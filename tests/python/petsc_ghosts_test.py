# SPDX-License-Identifier: BSD-3-Clause
"""daptor.check_ghosts: ghosts of petsc4py's Vecs that have not the values of their owners."""

import pytest
from petsc4py import PETSc

import daptor
from support import raised, same_on_all


def the_finding(comm, report):
    """The only finding, the same on all ranks."""
    texts = [str(finding) for finding in report]
    assert comm.allgather(texts) == [texts] * comm.size
    assert [finding.rule for finding in report] == ["check.ghosts.stale"], report
    assert not report
    return report.findings[0]


def ghosted(comm):
    """Four values for each rank, their own numbers; and as a ghost the first one of the next."""
    ghosts = [4 * ((comm.rank + 1) % comm.size)] if comm.size > 1 else []
    x = PETSc.Vec().createGhost(ghosts, (4, None), comm=comm)
    x.setName("u")
    first = x.getOwnershipRange()[0]
    x.setArray([first + i for i in range(4)])
    return x


def update(x):
    x.ghostUpdate(addv=PETSc.InsertMode.INSERT, mode=PETSc.ScatterMode.FORWARD)


def test_of_a_vec(comm, rank, size):
    x = ghosted(comm)
    update(x)
    report = daptor.check_ghosts(x)
    assert report, report
    x.shift(2.5)
    report = daptor.check_ghosts(x)
    if size == 1:
        assert report
    else:
        finding = the_finding(comm, report)
        assert finding.found.startswith("Vec 'u' (type mpi): ghost 0, of index 4, which rank 1 "
                                        "owns, holds 4, and its owner has 6.5; 1 of 1 copy")
        assert "the largest difference of all ranks is 2.5, on rank 0" in finding.found
        assert finding.rank_count == size and "x.ghostUpdate" in finding.remedy
    update(x)
    assert daptor.check_ghosts(x)
    x.destroy()


def test_of_a_local_vec(comm, rank, size):
    da = PETSc.DMDA().create([4 * size], stencil_width=1, boundary_type="periodic", comm=comm)
    g, u = da.createGlobalVec(), da.createLocalVec()
    g.set(1.0)
    da.globalToLocal(g, u)
    assert daptor.check_ghosts(da, u, g)
    g.setValue(0, 3.0)
    g.assemble()
    finding = the_finding(comm, daptor.check_ghosts(da, u, g))
    assert "grid point (0) (index 0, which rank 0 owns) holds 1, and its owner has 3" in str(
        finding)
    assert "difference of all ranks is 2, on rank 0" in finding.found
    assert finding.rank_count == min(size, 2) and "dm.globalToLocal" in finding.remedy
    da.globalToLocal(g, u)
    assert daptor.check_ghosts(da, u, g)
    for thing in (g, u, da):
        thing.destroy()


def test_refusals(comm, rank, size):
    x = PETSc.Vec().createMPI((4, None), comm=comm)
    error = raised(lambda: daptor.check_ghosts(x))
    assert isinstance(error, daptor.NotRepresentable) and error.rule == "petsc.vec.ghosts"
    da = PETSc.DMDA().create([4 * size], stencil_width=1, comm=comm)
    g, u = da.createGlobalVec(), da.createLocalVec()
    for guilty in range(size) if size > 1 else ():  # on one rank, all of these Vecs have one size
        error = raised(lambda: daptor.check_ghosts(da, *((g, u) if rank == guilty else (u, x))))
        assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
    for wrong in ((3,), (x, u), (da,), (da, u), (da, 3, g), (x, None, g)):
        with pytest.raises(TypeError):
            daptor.check_ghosts(*wrong)
    for thing in (x, g, u, da):
        thing.destroy()
