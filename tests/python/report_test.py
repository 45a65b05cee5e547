# SPDX-License-Identifier: BSD-3-Clause
"""Reports, findings and explanations."""

import numpy
import pytest

import daptor
import layouts
from support import Producer, block, line, raised, same_on_all


def test_a_report_says_what_is_wrong(comm, rank, size):
    keys = block(4 * size, size, rank)
    if rank == size - 1:
        keys["stop"] += 1
    report = daptor.validate(Producer(numpy.zeros(4), [keys]), comm)
    assert not report and report.verdict == "malformed"
    texts = comm.allgather((str(report), report._repr_html_()))
    assert texts == [texts[0]] * size
    finding = report.findings[0]
    assert finding.severity == "error" and finding.dimension == 0 and finding.ranks == (size - 1,)
    assert finding.rank_count == 1
    assert all(isinstance(getattr(finding, name), str)
               for name in ("rule", "key", "found", "expected", "remedy"))
    assert finding == report.findings[0] and finding in list(report)
    assert finding.rule in repr(finding) and finding.rule in report._repr_html_()


def test_html_is_escaped(comm, rank, size):
    keys = block(4 * size, size, rank)
    keys["<script>"] = 1
    keys["dist_type"] = "<b>"
    html = daptor.validate(Producer(numpy.zeros(4), [keys]), comm)._repr_html_()
    assert "<script>" not in html and "<b>&quot;" not in html


def test_a_sound_array(comm):
    report = daptor.validate(line(comm, numpy.zeros(4)), comm)
    assert report and len(report) == 0 and report.verdict == "conforms"
    assert "conforms" in report._repr_html_() and "conforms" in repr(report)


def test_levels_and_profiles(comm, rank, size):
    keys = {"dist_type": "u", "size": 2 * size, "proc_grid_size": size, "proc_grid_rank": rank,
            "indices": numpy.array([0, 0]), "one_to_one": True}
    producer = Producer(numpy.zeros(2), [keys])
    assert daptor.validate(producer, comm, level="metadata")
    for level in ({}, {"level": "full"}):
        assert daptor.validate(producer, comm, **level).findings[0].rule == "U04"
    listed = line(comm, numpy.zeros(4))
    listed.dim_data = list(listed.dim_data)
    assert daptor.validate(listed, comm)
    assert not daptor.validate(listed, comm, strict=True)
    error = raised(lambda: daptor.validate(producer, comm, level="most"))
    assert isinstance(error, daptor.InvalidArgument)


def test_the_communicator_of_an_array(comm):
    a = daptor.import_(line(comm, numpy.zeros(4)), comm)
    assert daptor.validate(a)
    with pytest.raises(daptor.InvalidArgument):
        daptor.validate(line(comm, numpy.zeros(4)))


def test_errors_are_exceptions():
    error = daptor.Malformed("text")
    assert (str(error), error.report, error.rule, error.rank) == ("text", None, None, None)
    for name in ("Malformed", "Unsupported", "NotRepresentable", "ProducerFailed",
                 "LibraryFailed", "Finalized", "Stale", "InvalidArgument"):
        assert issubclass(getattr(daptor, name), daptor.Error)


def test_what_is_public_is_documented():
    for name in daptor.__all__:
        assert getattr(daptor, name).__doc__, name
    for name, member in vars(daptor.Array).items():
        if not name.startswith("_"):
            assert member.__doc__, name


@pytest.mark.parametrize("options", [{"level": "metadata"}, {"level": 3}, {"level": "odd"},
                                     {"strict": True}, {"listed_ranks": 2},
                                     {"listed_ranks": 2**31}],
                         ids=str)
def test_options_of_one_rank(comm, rank, size, options):
    if size == 1:
        return
    for guilty in range(size):
        mine = options if rank == guilty else {}
        error = raised(lambda: daptor.validate(line(comm, numpy.zeros(4)), comm, **mine))
        assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)


def test_objects_say_what_they_are(comm):
    a = daptor.zeros((8, 2 * comm.size), comm, ghosts=1, periodic=True)
    exchange = daptor.HaloExchange(a)
    assert repr(exchange) == (f"<daptor.HaloExchange: {exchange.bytes_sent} bytes sent and "
                              f"{exchange.bytes_received} received by this rank>")
    exchange.begin()
    assert repr(exchange).endswith(", begun>")
    exchange.end()
    way = daptor.Redistribution(a, a.like(daptor.layout.slab(1)))
    assert repr(way).startswith("<daptor.Redistribution: ") and "copied within it" in repr(way)
    for entry in daptor.explain(a):
        assert repr(entry).startswith(f"<daptor.Assessment {entry.target}: ")
        assert entry or entry.reasons[0].rule in repr(entry)
        assert all(str(use) in repr(use) for use in entry.uses)
    able = [entry.target for entry in a.explain() if entry]
    assert f"{len(able)} of " in repr(a.explain()) and ", ".join(able) in repr(a.explain())


@pytest.mark.parametrize("layout", layouts.LAYOUTS)
def test_a_picture_of_an_array(comm, size, layout):
    for random, shape in layouts.programs(size):
        a = layout(comm, random, shape, "f8")
        html = a._repr_html_()
        assert html.count("<svg") == 1 and "daptor.Array" in html and "<daptor" not in html
        assert (html.count("#77aadd") > 0) == (a.interior.size > 0) or a.ndim > 2
    assert "<svg" not in daptor.zeros((0, 3), comm)._repr_html_()
    dealt = daptor.cyclic(numpy.zeros(1000), comm, shape=1000 * size)
    assert len(dealt._repr_html_()) < 10000
    if size == 1:
        whole = daptor.zeros((20, 10), comm)._repr_html_()
        assert "x='0.00' y='0.00' width='80.00' height='160.00' fill='#77aadd'" in whole


def test_functions_that_are_methods_too(comm):
    a = daptor.ones((2 * comm.size, 3), comm, ghosts=(1, 0))
    assert a.validate(level="metadata") and not a.validate(strict=True).findings
    assert len(a.explain()) == len(daptor.explain(a))
    for entry in a.explain():
        if entry.target == "tpetra.vector":  # which the package has no call for
            assert "yes, in C++\n" in str(entry) and not entry.python_call
    a.write().__enter__()[...] = 1
    a.update_padding(stencil="star")
    assert raised(lambda: a.update_padding(stencil="round")).rule == "argument"


def test_modules_at_first_use(comm):
    import daptor.conformance as conformance
    names = dir(daptor)
    assert not {"Any", "annotations", "TYPE_CHECKING", "List"} & set(names)
    assert {"zeros", "sum", "fft", "scalapack", "conformance", "layout"} <= set(names)
    assert daptor.conformance is conformance
    for name in names:
        try:
            assert getattr(daptor, name) is not None
        except AttributeError as error:
            assert "built without" in str(error) or "not installed" in str(error)
