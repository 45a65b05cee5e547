# SPDX-License-Identifier: BSD-3-Clause
"""daptor.stale_padding: copies that have not the values of their owners."""

import numpy
import pytest

import daptor
from support import raised, same_on_all


def the_finding(comm, report):
    """The only finding, the same on all ranks."""
    texts = [str(finding) for finding in report]
    assert comm.allgather(texts) == [texts] * comm.size
    assert [finding.rule for finding in report] == ["check.ghosts.stale"], report
    assert not report
    return report.findings[0]


def periodic_block(comm, size):
    """4 rows of 3 columns for each rank, periodic in both, which are their own numbers."""
    u = numpy.full((6, 5), -1.0)
    a = daptor.block(u, comm, shape=(4 * size, 3), grid=(size, 1), ghosts=1, periodic=True)
    numbers = numpy.arange(12 * size, dtype=float).reshape(4 * size, 3)
    u[1:-1, 1:-1] = numbers[a.global_slices]
    return u, a


def test_of_a_block(comm, rank, size):
    u, a = periodic_block(comm, size)
    assert "holds -1, and its owner has " in the_finding(comm, daptor.stale_padding(a)).found
    daptor.update_padding(a)
    assert daptor.stale_padding(a) and a.stale_padding()
    if rank == 0:
        u[1, 2] += 2.5  # a copy of it is in the last rank's upper ghost row
    before = u.copy()
    finding = the_finding(comm, daptor.stale_padding(a))
    assert (u == before).all()
    assert size == 1 or finding.ranks == (size - 1,)
    assert "element (0, 1) holds 1, and its owner has 3.5; 1 of 18 copies" in finding.found
    assert f"the largest difference of all ranks is 2.5, on rank {size - 1}" in finding.found
    assert "daptor.update_padding" in finding.remedy
    daptor.update_padding(a)
    assert daptor.stale_padding(a)


def test_of_a_list(comm, rank, size):
    """Owned elements, then the first one of the next rank."""
    indices = numpy.arange(4 * rank, 4 * rank + 4)
    ghosts = [4 * ((rank + 1) % size)] if size > 1 else []
    u = numpy.concatenate([indices, ghosts]).astype("c8")
    a = daptor.owned_then_ghosts(u, numpy.concatenate([indices, ghosts]).astype(int), comm,
                                 owned=4)
    assert daptor.stale_padding(a)
    if size == 1:
        return
    if rank == 1:
        u[0] += 3 - 4j
    finding = the_finding(comm, daptor.stale_padding(a))
    assert finding.ranks == (0,)
    assert "element (4) holds (4, 0), and its owner has (7, -4); 1 of 1 copy" in finding.found
    assert "the largest difference of all ranks is 5, on rank 0" in finding.found


def test_options_are_those_of_the_exchange(comm, rank, size):
    u, a = periodic_block(comm, size)
    daptor.update_padding(a)
    u[0, 0] = 99  # a corner
    assert not daptor.stale_padding(a) and daptor.stale_padding(a, stencil="star")
    for guilty in range(size):
        error = raised(lambda: daptor.stale_padding(a, stencil="x" if rank == guilty else "box"))
        assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)


def test_without_ghosts(comm):
    assert daptor.stale_padding(daptor.block(numpy.ones((2, 3)), comm))


def test_what_is_no_array(comm):
    with pytest.raises(daptor.InvalidArgument):
        daptor.stale_padding(numpy.ones(3))
