# SPDX-License-Identifier: BSD-3-Clause
"""A rank whose arguments name no communicator, while there is only one that it can be on."""

import numpy
import pytest

import daptor
from support import raised, same_on_all


@pytest.mark.parametrize("odd", [[], (), None, 3, ["nothing"]])
def test_no_array_on_one_rank(comm, rank, size, odd):
    a = daptor.block(numpy.ones((2, 3)), comm)
    b = a.like(daptor.layout.slab(1))
    for guilty in range(size):
        here = rank == guilty
        for call in (lambda: daptor.HaloExchange(odd if here else a),
                     lambda: daptor.update_padding(odd if here else a),
                     lambda: daptor.Redistribution(odd if here else a, odd if here else b),
                     lambda: daptor.redistribute(odd if here else a, odd if here else b),
                     lambda: daptor.bytes_to_redistribute(odd if here else a, odd if here else b)):
            error = raised(call)
            assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
            assert size == 1 or error.rank == guilty


def test_several_communicators(comm, rank, size):
    """The rank raises alone then, as the page says; here all ranks are such a rank."""
    other = comm.Dup()
    a = daptor.block(numpy.ones(3), comm)
    b = daptor.block(numpy.ones(3), other)
    assert isinstance(raised(lambda: daptor.HaloExchange([])), daptor.InvalidArgument)
    error = raised(lambda: daptor.HaloExchange([] if rank == 0 else b, comm=other))
    assert error.rank in (0, None) and same_on_all(comm, error)
    del a, b
    other.Free()
