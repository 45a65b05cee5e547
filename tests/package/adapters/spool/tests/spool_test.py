# SPDX-License-Identifier: BSD-3-Clause
import daptor.spool
import numpy


def test_explain_and_its_own_module(comm):
    values = numpy.arange(6.0)[::2]
    array = daptor.block(values, comm)
    assert daptor.explain(array)["spool.vector"].representable
    assert not daptor.explain(daptor.block(numpy.ones((2, 3)), comm))["spool.vector"]
    daptor.spool.scale(values, 2)
    assert values.tolist() == [0, 4, 8]
