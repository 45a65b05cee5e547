# SPDX-License-Identifier: BSD-3-Clause
"""The conformance kit and its decorator."""

import numpy
import pytest
from mpi4py import MPI

import daptor.conformance
import producers
from daptor._command import plain
from support import raised, same_on_all


@pytest.mark.parametrize("make", [producers.good, producers.grid],
                         ids=lambda make: make.__name__)
def test_who_behaves(comm, make):
    report = daptor.conformance.check(make, comm, labels=make is producers.good)
    assert report, report
    reports = comm.allgather(str(report))
    assert reports == [reports[0]] * comm.size


@pytest.mark.parametrize("make, rule", [
    (producers.copies, "T18"), (producers.gap, "B09" if MPI.COMM_WORLD.size > 1 else "B10"),
    (producers.wrong_values, "behaviour.labels"),
    (producers.GivesBack, "behaviour.producer-first"),
    (producers.raises, "producer"), (producers.exits, "producer"),
    (lambda comm: 3, "producer")
])
def test_who_does_not(comm, make, rule):
    report = daptor.conformance.check(make, comm, labels=True)
    assert not report and rule in [finding.rule for finding in report], report
    reports = comm.allgather(str(report))
    assert reports == [reports[0]] * comm.size


@pytest.mark.parametrize("make", [producers.Talks, producers.TalksByDaptor],
                         ids=lambda make: make.__name__)
def test_who_communicates(comm, make):
    report = daptor.conformance.check(make, comm)
    assert report and [finding.rule for finding in report][0] == "T17", report
    assert not daptor.conformance.check(make, comm, strict=True)
    with pytest.raises(AssertionError, match="communicates in __distarray__"):
        daptor.conformance.suite(make)()


@pytest.mark.parametrize("label", [float, lambda comm: numpy.arange(4.0 * comm.size)],
                         ids=["function", "array"])
def test_the_order_of_elements(comm, label):
    label = label if label is float else label(comm)
    assert daptor.conformance.check(producers.good, comm, label=label)
    report = daptor.conformance.check(producers.backwards, comm, label=label)
    assert not report and report.findings[0].rule == "behaviour.labels", report
    assert report.findings[0].found.startswith("4 of 4 elements")


def test_labels_of_two_dimensions(comm):
    def grid(ranks):
        u = numpy.add.outer(10 * numpy.arange(2 * ranks.rank, 2 * ranks.rank + 2),
                            numpy.arange(3)).astype("c16")
        return daptor.block(u, ranks)

    assert daptor.conformance.check(grid, comm, label=lambda i, j: 10 * i + j)
    assert not daptor.conformance.check(grid, comm, label=lambda i, j: i + 10 * j + 1)


class InAnotherForm:
    """Its dictionary has one key in a form that is noted or warned of."""

    def __init__(self, comm, key):
        self.said, self.key = producers.good(comm).__distarray__(), key

    def __distarray__(self):
        dim, = self.said["dim_data"]
        dim, out = dict(dim), dict(self.said)
        if self.key == "list":
            return {**out, "dim_data": [dim]}
        if self.key == "key":
            return {**out, "dim_data": (dim,), "foo": 1}
        if self.key == "indices":
            dim = {"dist_type": "u", "indices": list(range(dim["start"], dim["stop"])),
                   **{key: dim[key] for key in ("size", "proc_grid_size", "proc_grid_rank")}}
        else:
            dim.update({"padding": {"padding": [0, 0]}, "dimension": {"foo": 1}}[self.key])
        return {**out, "dim_data": (dim,)}


@pytest.mark.parametrize("key, rule", [("list", "T11"), ("padding", "A08"), ("indices", "A10"),
                                       ("key", "T04"), ("dimension", "D27")])
def test_one_verdict_on_the_form_of_a_dictionary(comm, key, rule):
    """The kit finds what validate finds, as often."""
    for strict in (False, True):
        report = daptor.conformance.check(lambda ranks: InAnotherForm(ranks, key), comm,
                                          labels=True, strict=strict)
        found = list(map(str, daptor.validate(InAnotherForm(comm, key), comm, strict=strict)))
        assert rule in found[0] and list(map(str, report)) == found, (str(report), found)


@pytest.mark.parametrize("periodic", [False, True])
def test_labels_count_the_interior(comm, rank, size, periodic):
    """The cells of the edges are not asked, and ghosts have the labels of their owners."""
    shape = (2 * size, 3)

    def make(ranks, update=True):
        a = daptor.from_function(lambda i, j: 10.0 * i + j, shape, ranks, grid=(size, 1), ghosts=1,
                                 periodic=periodic)
        if update:
            a.update_padding()
        else:
            numpy.asarray(a)[0] = -1  # ghosts of rank 0 are cells of the edge or of the last rank
            a.interior[...] = [[10.0 * i + j for j in range(3)]
                               for i in range(2 * rank, 2 * rank + 2)]
        return a

    def label(i, j):
        assert 0 <= i < shape[0] and 0 <= j < shape[1], (i, j)
        return 10 * i + j

    whole = numpy.add.outer(10 * numpy.arange(shape[0]), numpy.arange(3))
    for given in (label, whole):
        for ghosts in (False, True):
            report = daptor.conformance.check(make, comm, label=given, ghosts=ghosts)
            assert report and not report.findings, str(report)
    stale = daptor.conformance.check(lambda ranks: make(ranks, False), comm, label=label,
                                     ghosts=True)
    assert bool(stale) == (size == 1 and not periodic), str(stale)
    numbered = daptor.conformance.check(
        lambda ranks: daptor.from_function(lambda i, j: 3.0 * i + j, shape, ranks, ghosts=1,
                                           periodic=periodic), comm, labels=True)
    assert numbered and not numbered.findings, str(numbered)


def test_labels_that_are_none(comm, rank, size):
    error = raised(lambda: daptor.conformance.check(
        producers.good, comm, label=3 if rank == size - 1 else float))
    assert error.rank == size - 1 and same_on_all(comm, error)
    report = daptor.conformance.check(producers.good, comm, label=lambda i: "x")
    assert not report and "ValueError" in str(report), report


def test_arguments_that_differ(comm, rank):
    for argument in ({"labels": True}, {"label": float}, {"strict": True}, {"ghosts": True}):
        if comm.size > 1:
            error = raised(lambda: daptor.conformance.check(producers.good, comm,
                                                            **(argument if rank == 0 else {})))
            assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
    error = raised(lambda: daptor.conformance.check(producers.good, comm,
                                                    labels="yes" if rank == 0 else True))
    assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)


def test_leaves_the_elements_alone(comm, rank):
    u = numpy.arange(5.0) + 5 * rank
    assert daptor.conformance.check(lambda ranks: daptor.block(u, ranks), comm, labels=True)
    assert (u == numpy.arange(5.0) + 5 * rank).all()


def test_what_was_not_checked_is_said(comm):
    with pytest.warns(daptor.conformance.NotChecked, match="have no labels.*label="):
        daptor.conformance.suite(producers.good)()
    report = daptor.conformance.check(producers.good, comm)
    assert report and "Candidate" not in str(report) and "link" not in str(report).lower()


@daptor.conformance.suite
def test_as_a_decorator(comm):
    return producers.good(comm)


@daptor.conformance.suite(labels=True, strict=True)
def test_as_a_decorator_with_arguments(comm):
    return producers.good(comm)


def test_the_decorator_fails():
    with pytest.raises(AssertionError, match="copies does not conform"):
        daptor.conformance.suite(producers.copies)()


def test_the_command_without_the_tools(comm, capsys):
    assert plain.run(["check", "producers:good", "producers:copies"]) == 1
    assert ("T18" in capsys.readouterr().out) == (comm.rank == 0)
    assert plain.run(["check", "--labels", "producers:wrong_values"]) == 1
    assert ("behaviour.labels" in capsys.readouterr().out) == (comm.rank == 0)
    assert plain.run(["explain", "producers:good"]) in (0, 4)
    printed = str(daptor.explain(daptor.import_(producers.good(comm), comm)))
    assert capsys.readouterr().out.strip() == (printed.strip() if comm.rank == 0 else "")
    with pytest.raises(SystemExit, match="2"):
        plain.run(["show", "producers:good"])
    assert "without its tools" in capsys.readouterr().err
