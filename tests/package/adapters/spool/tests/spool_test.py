# SPDX-License-Identifier: BSD-3-Clause
import daptor
import numpy


def test_explain_asks_its_target(comm):
    assert daptor.explain(daptor.block(numpy.arange(6.0)[::2], comm))["spool.vector"].representable
    assert not daptor.explain(daptor.block(numpy.ones((2, 3)), comm))["spool.vector"]


def test_its_own_module(comm):
    import daptor.spool
    values = numpy.arange(6.0)
    daptor.spool.scale(values[::2], 2)
    assert values.tolist() == [0, 1, 4, 3, 8, 5]
