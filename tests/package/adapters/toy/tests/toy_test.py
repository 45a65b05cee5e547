# SPDX-License-Identifier: BSD-3-Clause
import daptor
import numpy


def test_explain_asks_its_target(comm):
    explanation = daptor.explain(daptor.block(numpy.ones(3), comm))
    assert explanation["toy.list"].call == "daptor::toy::import_list"
    assert explanation["toy.list"].representable
    assert explanation["toy.list"].python_call == "daptor.toy.sum(a)"
    assert not daptor.explain(daptor.block(numpy.ones(6)[::2], comm))["toy.list"]


def test_a_static_adapter_is_left_out(comm):
    assert "fixed.count" not in daptor.explain(daptor.block(numpy.ones(3), comm))


def test_its_own_module(comm):
    import daptor.toy
    values = numpy.arange(4.0)
    assert daptor.toy.sum(values) == 6.0
