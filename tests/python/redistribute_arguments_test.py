# SPDX-License-Identifier: BSD-3-Clause
"""Layouts, arrays and options of redistributions: what is wrong on one rank is refused on all."""

import numpy
import pytest

import daptor
from daptor import layout
from redistribute_support import Raising, rows
from support import raised, same_on_all


def test_layouts_are_values(comm, size):
    assert layout.slab(1) == layout.slab(1, "C") != layout.slab(1, "F")
    assert len({layout.natural(), layout.natural(), layout.blocks(), layout.on_process(0)}) == 3
    for value in (layout.natural(), layout.slab(1, "F"), layout.blocks((0, 1)), layout.blocks(),
                  layout.block_cyclic((2, 3), grid=(1, size), origin=[0, 0]),
                  layout.on_process(rank=0, order="F")):
        assert eval(repr(value)) == value
    with pytest.raises(daptor.InvalidArgument):
        layout.slab(0, "A")
    with pytest.raises(TypeError):
        layout.slab("x")
    a = rows(comm, (8, 6))
    c = a.like(layout.block_cyclic((2, 3), origin=(0, 0), grid=(size, 1)))
    assert c.__distarray__()["dim_data"][0]["dist_type"] in "cn"
    d = a.like(layout.on_process(size - 1, "F"))
    assert d.local_shape == ((8, 6) if comm.rank == size - 1 else (0, 6))


@pytest.mark.parametrize("wrong", [
    layout.slab(2), layout.slab(-1), layout.blocks((1,)), layout.blocks((7, 5)),
    layout.on_process(100), layout.block_cyclic((2,)), layout.block_cyclic((2, 0)),
    layout.block_cyclic((2, 2), origin=(100, 0))
], ids=repr)
def test_layouts_that_do_not_fit(comm, wrong):
    a = rows(comm, (8, 6))
    for call in (a.like, a.redistributed):
        error = raised(lambda: call(wrong))
        assert isinstance(error, (daptor.InvalidArgument, daptor.Malformed))
        assert same_on_all(comm, error)


def test_a_layout_of_a_wrong_type_on_one_rank(comm, rank, size):
    a = rows(comm, (8, 6))
    wrong = 3 if rank == size - 1 else layout.natural()
    error = raised(lambda: a.redistributed(wrong))
    assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
    assert error.rank == size - 1
    with pytest.raises(TypeError):
        a.like(3)


def test_a_read_only_target(comm, rank, size):
    a, b = rows(comm, (8, 6)), rows(comm, (8, 6))
    frozen = b.as_readonly() if rank == size - 1 else b
    for call in (daptor.Redistribution, daptor.redistribute):
        error = raised(lambda: call(a, frozen))
        assert isinstance(error, daptor.InvalidArgument) and error.rule == "lease.readonly"
        assert error.rank == size - 1 and same_on_all(comm, error)
    way = daptor.Redistribution(frozen, a.like(layout.slab(1)))
    way.run()
    error = raised(way.run_back)
    assert error.rule == "lease.readonly" and same_on_all(comm, error)
    assert daptor.bytes_to_redistribute(a, frozen) == 0


def test_what_does_not_go_together(comm):
    a = rows(comm, (8, 6))
    rules = {
        "redistribute.shape": lambda: daptor.Redistribution(a, rows(comm, (6, 8))),
        "redistribute.memory": lambda: daptor.Redistribution(a, a),
        "redistribute.batch": lambda: daptor.Redistribution([a, a], a.like(layout.natural())),
        "redistribute.layout": lambda: daptor.Redistribution(
            [a, a.like(layout.slab(1))], [a.like(layout.natural()) for _ in range(2)]),
        "redistribute.options": lambda: daptor.Redistribution(a, rows(comm, (8, 6)),
                                                              buffer_bytes=-1),
    }
    for rule, call in rules.items():
        error = raised(call)
        if comm.size == 1 and rule == "redistribute.layout" and error.rule != rule:
            continue  # on one rank the layouts are the same
        assert error.rule == rule and same_on_all(comm, error)


def test_options_that_differ(comm, rank, size):
    a = rows(comm, (8, 6))
    if size > 1:
        for name in ("fill_padding", "read_from_any", "convert"):
            error = raised(lambda: daptor.Redistribution(a, a.like(layout.slab(1)),
                                                         **{name: rank == 0}))
            assert error.rule == "collective.different" and same_on_all(comm, error)
            assert error.finding.key == name and error.rank == 1
            assert "False, and True on rank 0" in error.finding.found


@pytest.mark.parametrize("wrong", [3, "ab", [1], numpy.zeros(3), Raising(), None, [],
                                   daptor.Array],
                         ids=lambda wrong: type(wrong).__name__)
@pytest.mark.parametrize("side", [0, 1])
def test_arrays_of_a_wrong_type_on_one_rank(comm, rank, size, wrong, side):
    arrays = [rows(comm, (8, 6)), rows(comm, (8, 6))]
    if rank == size - 1:
        arrays[side] = wrong
    calls = [daptor.Redistribution, daptor.redistribute, daptor.bytes_to_redistribute,
             lambda a, b: daptor.Redistribution(a, b, comm=comm)]
    for number, call in enumerate(calls):
        error = raised(lambda: call(*arrays))
        assert isinstance(error, (daptor.InvalidArgument, daptor.ProducerFailed))
        assert same_on_all(comm, error)
        if isinstance(error, daptor.ProducerFailed) and rank == size - 1:
            assert isinstance(error.__cause__, KeyError)


@pytest.mark.parametrize("wrong", [
    {"fill_padding": "yes"}, {"read_from_any": "no"}, {"convert": None}, {"buffer_bytes": 1.5},
    {"buffer_bytes": 1 << 70}, {"buffer_bytes": None}
], ids=str)
def test_options_of_a_wrong_type_on_one_rank(comm, rank, size, wrong):
    a, b = rows(comm, (8, 6)), rows(comm, (8, 6))
    mine = wrong if rank == size - 1 else {}
    for call in (daptor.Redistribution, daptor.redistribute):
        error = raised(lambda: call(a, b, **mine))
        assert isinstance(error, daptor.InvalidArgument) and error.rank == size - 1
        assert same_on_all(comm, error)


@pytest.mark.parametrize("wrong", [{"scale": "2"}, {"keep": None}, {"conjugate": [2]}], ids=str)
def test_transforms_of_a_wrong_type_on_one_rank(comm, rank, size, wrong):
    a, b = rows(comm, (8, 6)), rows(comm, (8, 6))
    error = raised(lambda: daptor.redistribute(a, b, **(wrong if rank == 0 else {})))
    assert isinstance(error, daptor.InvalidArgument) and error.rank == 0
    assert same_on_all(comm, error)


def test_nobody_says_who_takes_part():
    for arguments in ((3, 4), (None, None), ([], [])):
        assert isinstance(raised(lambda: daptor.Redistribution(*arguments)),
                          daptor.InvalidArgument)
    with pytest.raises(TypeError):
        daptor.Redistribution()
