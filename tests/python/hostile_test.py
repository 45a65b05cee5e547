# SPDX-License-Identifier: BSD-3-Clause
"""Producers that misbehave on one rank alone: all ranks raise the same error, and none hangs."""

import sys

import numpy
import pytest

import daptor
from support import Producer, block, line, raised, same_on_all


class Raises:
    """A producer whose `__distarray__` raises on one rank, and is sound on the others."""

    def __init__(self, comm, guilty, exception):
        self.sound = line(comm, numpy.zeros(4))
        self.exception = exception if comm.rank == guilty else None

    def __distarray__(self):
        if self.exception is not None:
            raise self.exception
        return self.sound.__distarray__()


class Unspeakable(Exception):
    def __str__(self):
        raise SystemExit("not even this")


EXCEPTIONS = [ValueError("no grid"), KeyboardInterrupt(), SystemExit(3), MemoryError(),
              RecursionError("deep"), GeneratorExit(), Unspeakable(), StopIteration(1),
              UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad")]


@pytest.mark.parametrize("exception", EXCEPTIONS, ids=lambda e: type(e).__name__)
def test_what_a_producer_raises_is_everybodys_error(comm, rank, size, exception):
    for guilty in range(size):
        producer = Raises(comm, guilty, exception)
        error = raised(lambda: daptor.import_(producer, comm))
        assert isinstance(error, daptor.ProducerFailed)
        assert error.rank == guilty
        assert type(exception).__name__ in str(error)
        assert same_on_all(comm, error)
        assert error.__cause__ is (exception if rank == guilty else None)
        report = daptor.validate(producer, comm)
        assert report.verdict == "producer failed" and report.findings[0].ranks == (guilty,)


def test_long_texts_are_cut_where_they_may(comm, rank, size):
    for text in ("\u00e9" * 5000, "a" + "\U0001f600" * 5000, "\x00\x1b\n" * 400, "\ud800"):
        error = raised(lambda: daptor.import_(Raises(comm, size - 1, ValueError(text)), comm))
        assert isinstance(error, daptor.ProducerFailed) and same_on_all(comm, error)
        keys = block(4 * size, size, rank, **{text: text, "periodic": text})
        report = daptor.validate(Producer(numpy.zeros(4), [keys]), comm)
        assert not report and str(report) and report._repr_html_()
        assert all(finding.found and repr(finding) for finding in report)


def test_errors_of_daptor_keep_their_class(comm, size):
    report = daptor.validate(3, comm)
    for guilty in range(size):
        producer = Raises(comm, guilty, daptor.Stale("gone", report))
        error = raised(lambda: daptor.import_(producer, comm))
        assert isinstance(error, daptor.Stale) and same_on_all(comm, error)
    for empty in (daptor.Stale("no report"), daptor.Stale("empty", daptor.Report())):
        error = raised(lambda: daptor.import_(Raises(comm, 0, empty), comm))
        assert isinstance(error, daptor.ProducerFailed)


def one_rank(comm, guilty, key, value):
    """A block array in which one key of one rank's dictionary has another value."""
    keys = block(4 * comm.size, comm.size, comm.rank)
    if comm.rank == guilty:
        keys[key] = value
    return Producer(numpy.zeros(4), [keys])


class Index:
    def __init__(self, result):
        self.result = result

    def __index__(self):
        if isinstance(self.result, BaseException):
            raise self.result
        return self.result


class TextIndex:
    def __index__(self):
        return "three"


class Text(str):
    def __eq__(self, other):
        raise RuntimeError("compared")

    def __hash__(self):
        return 0

    def __str__(self):
        raise RuntimeError("asked")


class Number(int):
    def __index__(self):
        raise RuntimeError("asked")

    def __repr__(self):
        raise RuntimeError("shown")


@pytest.mark.parametrize("value", [
    1.5, "0", None, True, 2**63, -2**200, 10**5000, TextIndex(), Index(TypeError("no")), [],
    object(), numpy.array([1, 2]), numpy.bool_(True), b"0"
], ids=lambda value: type(value).__name__)
def test_what_is_no_integer(comm, size, value):
    for guilty in {0, size - 1}:
        error = raised(lambda: daptor.import_(one_rank(comm, guilty, "start", value), comm))
        assert isinstance(error, daptor.Malformed), error
        assert error.finding.key == "start" and error.rank == guilty
        assert same_on_all(comm, error)


def test_an_index_that_raises_or_lies(comm, rank, size):
    error = raised(lambda: daptor.import_(
        one_rank(comm, size - 1, "size", Index(KeyboardInterrupt())), comm))
    assert isinstance(error, daptor.ProducerFailed) and same_on_all(comm, error)
    assert error.rank == size - 1
    keys = block(4 * size, size, rank)
    keys["size"] = Index(4 * size)
    keys["start"] = Number(keys["start"])
    keys["dist_type"] = Text("b")
    assert daptor.import_(Producer(numpy.zeros(4), [keys]), comm).shape == (4 * size,)


def test_an_index_that_changes_the_dictionary(comm, rank, size):
    keys = block(4 * size, size, rank)

    class Changes:
        def __index__(self):
            keys.clear()
            keys.update({str(i): i for i in range(1000)})
            return 4 * size

    keys["size"] = Changes()
    a = daptor.import_(Producer(numpy.zeros(4), [keys]), comm)
    assert a.shape == (4 * size,) and len(keys) == 1000


def test_keys_of_any_type(comm, rank, size):
    keys = block(4 * size, size, rank)
    keys.update({3: 1, None: 2, (1, 2): 3, b"size": 4, frozenset(): 5, "\ud800": 6, "a\0b": 7})
    report = daptor.validate(Producer(numpy.zeros(4), [keys]), comm)
    found = {finding.key for finding in report}
    assert "<int>" in found and "<NoneType>" in found
    assert str(report) and report._repr_html_()


@pytest.mark.parametrize("description", [
    None, 3, "text", [], (), {}, {"__version__": 1, "buffer": 2, "dim_data": 3}, {1: 2},
    {"__version__": "0.9.0", "buffer": b"12", "dim_data": {}},
    {"__version__": "0.9.0", "buffer": b"12", "dim_data": (1, 2)},
    {"__version__": "0.9.0", "buffer": numpy.zeros(3, dtype="M8[s]"), "dim_data": ()},
], ids=lambda d: str(d)[:40])
def test_what_is_no_description(comm, rank, size, description):
    class Returns:
        def __distarray__(self):
            return description

    for guilty in {0, size - 1}:
        producer = Returns() if rank == guilty else line(comm, numpy.zeros(4))
        error = raised(lambda: daptor.import_(producer, comm))
        assert isinstance(error, daptor.Malformed) and error.rank == guilty, error
        assert same_on_all(comm, error)
        assert not daptor.validate(producer, comm)


@pytest.mark.parametrize("dtype", ["<U4", "S5", "O", "i4,f8", "c", "V3", "(2,)f8,?"])
def test_elements_that_are_no_numbers(comm, rank, size, dtype):
    """The protocol allows any buffer: these are not wrong, only not supported."""
    for guilty in {0, size - 1}:
        producer = line(comm, numpy.zeros(4, dtype=dtype if rank == guilty else "f8"))
        error = raised(lambda: daptor.import_(producer, comm))
        assert isinstance(error, daptor.Unsupported) and error.rank == guilty, error
        assert error.rule == "A26" and "field of a record" in str(error)
        assert same_on_all(comm, error)
        report = daptor.validate(producer, comm)
        assert report.verdict == "unsupported" and report.findings[0].rule == "A26"


def test_objects_without_the_method(comm, rank, size):
    for wrong in (None, 3, numpy.zeros(3), object(), lambda: 0, type):
        producer = wrong if rank == size - 1 else line(comm, numpy.zeros(4))
        error = raised(lambda: daptor.import_(producer, comm))
        assert isinstance(error, daptor.ProducerFailed) and same_on_all(comm, error)


def test_attributes_that_raise(comm, size):
    class Property:
        @property
        def __distarray__(self):
            raise ZeroDivisionError("looked up")

    error = raised(lambda: daptor.import_(Property(), comm))
    assert "ZeroDivisionError" in str(error) and same_on_all(comm, error)


def test_what_contains_itself(comm, rank, size):
    endless = []
    endless.append(endless)
    loop = block(4 * size, size, rank)
    loop["padding"] = endless
    loop["more"] = loop
    error = raised(lambda: daptor.import_(Producer(numpy.zeros(4), [loop]), comm))
    assert isinstance(error, daptor.Malformed)


def test_very_many_keys(comm, rank, size):
    keys = block(4 * size, size, rank)
    keys.update({f"key {i}": i for i in range(100000)})
    assert len(daptor.validate(Producer(numpy.zeros(4), [keys]), comm)) < 20


def test_a_released_buffer(comm, size):
    view = memoryview(bytearray(8))
    view.release()
    error = raised(lambda: daptor.import_(Producer(view, []), comm))
    assert isinstance(error, daptor.Malformed) and "ValueError" in str(error)


def test_agreed(comm, rank, size):
    assert daptor.agreed(comm, lambda: rank) == rank

    def fails():
        if rank == size - 1:
            raise OSError("no file")

    error = raised(lambda: daptor.agreed(comm, fails))
    assert isinstance(error, daptor.ProducerFailed) and "no file" in str(error)
    assert same_on_all(comm, error)
    assert isinstance(error.__cause__, OSError) == (rank == size - 1)
    for call in (lambda wrong: daptor.agreed(comm, wrong),
                 lambda wrong: daptor.from_function(wrong, 3 * size, comm)):
        error = raised(lambda: call(3 if rank == size - 1 else lambda *_: 3.0))
        assert error.rule == "argument" and error.finding.key == "function"
        assert error.rank == size - 1 and same_on_all(comm, error)


def test_nothing_is_kept_of_a_producer_that_failed(comm, size):
    producer = Raises(comm, 0, ValueError("no"))
    before = sys.getrefcount(producer)
    for _ in range(20):
        try:
            daptor.import_(producer, comm)
        except daptor.Error:
            pass
        daptor.validate(producer, comm)
    if producer.exception is not None:
        producer.exception.__traceback__ = None
    assert sys.getrefcount(producer) == before


class Endless:
    """An object that is its own communicator."""

    def tompi4py(self):
        return self


@pytest.mark.parametrize("comm", [Endless(), 2**32, -2**63, 2**70, None, "world"],
                         ids=lambda comm: type(comm).__name__)
def test_what_is_no_communicator(comm):
    with pytest.raises(daptor.InvalidArgument):
        daptor.import_({}, comm)
