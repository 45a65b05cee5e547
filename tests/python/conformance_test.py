"""The conformance kit and its decorator."""

import pytest
from mpi4py import MPI

import daptor.conformance
import producers
from daptor import __main__ as command


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
    (producers.raises, "producer"), (producers.exits, "producer"),
    (lambda comm: 3, "producer")
])
def test_who_does_not(comm, make, rule):
    report = daptor.conformance.check(make, comm, labels=True)
    assert not report and rule in [finding.rule for finding in report], report
    reports = comm.allgather(str(report))
    assert reports == [reports[0]] * comm.size


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
    monkeypatch.delattr(daptor._conformance, "document", raising=False)
    options = command.parser().parse_args(["check", "producers:good", "producers:copies"])
    assert command.run(options, comm) == 1
    assert ("T18" in capsys.readouterr().out) == (comm.rank == 0)
    options = command.parser().parse_args(["check", "-f", "json", "producers:good"])
    with pytest.raises(daptor.InvalidArgument):
        command.run(options, comm)
