# SPDX-License-Identifier: BSD-3-Clause
"""The conformance kit and its decorator."""

import numpy
import pytest
from mpi4py import MPI

import daptor.conformance
import producers
from daptor import __main__ as command
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


def test_labels_that_are_none(comm, rank, size):
    error = raised(lambda: daptor.conformance.check(
        producers.good, comm, label=3 if rank == size - 1 else float))
    assert error.rank == size - 1 and same_on_all(comm, error)
    report = daptor.conformance.check(producers.good, comm, label=lambda i: "x")
    assert not report and "ValueError" in str(report), report


def test_arguments_that_differ(comm, rank):
    for argument in ({"labels": True}, {"label": float}, {"strict": True}):
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


def test_the_command_without_the_tools(comm, monkeypatch, capsys):
    for tool in ("document", "explained", "section", "recording", "picture"):
        monkeypatch.delattr(daptor._conformance, tool, raising=False)

    def run(*arguments):
        return command.run(command.parser().parse_args(arguments), comm)

    assert run("check", "producers:good", "producers:copies") == 1
    assert ("T18" in capsys.readouterr().out) == (comm.rank == 0)
    assert run("explain", "producers:good") in (0, 4)
    printed = str(daptor.explain(daptor.import_(producers.good(comm), comm)))
    assert capsys.readouterr().out.strip() == (printed.strip() if comm.rank == 0 else "")
    for arguments in (["check", "-f", "json"], ["explain", "-f", "json"], ["dump"], ["show"]):
        with pytest.raises(daptor.InvalidArgument, match="without its tools"):
            run(*arguments, "producers:good")
