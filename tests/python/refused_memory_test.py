# SPDX-License-Identifier: BSD-3-Clause
"""Objects that are no memory to share, or that have more to say than their memory: refused on all
ranks, with what to pass instead."""

import numpy
import pytest

import daptor
from daptor import _conformance, _daptor
from support import Producer, block, line, raised, same_on_all


def masked(length=3):
    return numpy.ma.masked_equal(numpy.arange(float(length)), 1.0)


def masked_indices(rank):
    return numpy.ma.masked_equal(numpy.arange(3) + 3 * rank, 1)


def doors(comm, wrong):
    """Calls that take memory, each with `wrong` in place of this rank's."""
    size, rank = comm.size, comm.rank
    u, indices = numpy.zeros(3), numpy.arange(3) + 3 * rank
    section = masked() if wrong else u
    listed = masked_indices(rank) if wrong else indices
    unstructured = {"dist_type": "u", "size": 3 * size, "proc_grid_size": size,
                    "proc_grid_rank": rank, "indices": listed, "one_to_one": True}
    return {
        "block": lambda: daptor.block(section, comm),
        "block, shape": lambda: daptor.block(section, comm, shape=3 * size),
        "cyclic": lambda: daptor.cyclic(section, comm, shape=3 * size),
        "unstructured": lambda: daptor.unstructured(section, indices, comm, size=3 * size),
        "indices": lambda: daptor.unstructured(u, listed, comm, size=3 * size),
        "owned_then_ghosts": lambda: daptor.owned_then_ghosts(u, listed, comm, owned=3),
        "csr_from_rows": lambda: daptor.csr_from_rows(section, indices, numpy.array([3]), 3 * size,
                                                      comm),
        "full": lambda: daptor.full(3 * size, masked() if wrong else 0.0, comm),
        "import_": lambda: daptor.import_(line(comm, section), comm),
        "import_, indices": lambda: daptor.import_(Producer(u, [unstructured]), comm),
        "label": lambda: daptor.conformance.check(
            lambda comm: line(comm, u), comm,
            label=numpy.ma.zeros(3 * size) if wrong else lambda i: 0.0),
    }


DOORS = ["block", "block, shape", "cyclic", "unstructured", "indices", "owned_then_ghosts",
         "csr_from_rows", "full", "import_", "import_, indices", "label"]


@pytest.mark.parametrize("name", DOORS)
def test_masked_arrays(comm, rank, size, name):
    for at in {0, size - 1}:
        error = raised(doors(comm, rank == at)[name])
        assert error.rank == at and same_on_all(comm, error)
        assert "mask" in error.finding.remedy and "filled" in error.finding.remedy


def test_a_masked_array_with_nothing_masked(comm):
    """Whether an array is accepted does not depend on its values."""
    error = raised(lambda: daptor.block(numpy.ma.zeros(3), comm))
    assert "filled" in error.finding.remedy
    a = daptor.block(numpy.ma.zeros(3).data, comm)
    assert a.shape == (3 * comm.size,)


def test_the_kit_finds_masked_arrays(comm):
    report = daptor.conformance.check(lambda comm: line(comm, masked()), comm)
    assert not report and report.verdict == "malformed" and report.findings[0].rule == "T09"
    assert "mask" in str(report) and daptor.conformance.breach(report)
    assert not daptor.validate(line(comm, masked()), comm)
    if hasattr(_conformance, "section"):
        assert '"buffer": null' in _conformance.section(_daptor._read(line(comm, masked())))


class Interface:
    """Has its memory described by NumPy's older protocol alone."""

    def __init__(self, array):
        self.__array_interface__ = array.__array_interface__


class Converted:
    """Is converted by NumPy, as xarray's and pandas' objects are."""

    def __array__(self, *_, **__):
        return numpy.arange(3.0)


@pytest.mark.parametrize("make, instead", [
    (lambda: [1.0, 2.0, 3.0], "numpy.array(x)"), (lambda: range(3), "numpy.array(x)"),
    (lambda: None, "NumPy array"), (lambda: 3.0, "NumPy array"), (lambda: "abc", "NumPy array"),
    (lambda: Interface(numpy.zeros(3)), "numpy.asarray(x), which is on the same memory"),
    (Converted, "x.values")])
def test_what_is_no_memory(comm, rank, size, make, instead):
    for at in {0, size - 1}:
        for options in ({}, {"shape": 3 * size}):
            u = make() if rank == at else numpy.zeros(3)
            error = raised(lambda: daptor.block(u, comm, **options))
            assert isinstance(error, daptor.InvalidArgument) and error.rank == at
            assert instead in error.finding.remedy and "builders.py" not in str(error)
            assert same_on_all(comm, error)


def test_what_is_no_producer(comm, rank, size):
    for wrong in (numpy.zeros(3), Converted(), [1.0], 5):
        for at in {0, size - 1}:
            error = raised(lambda: daptor.import_(
                wrong if rank == at else line(comm, numpy.zeros(3)), comm))
            assert isinstance(error, daptor.ProducerFailed) and error.rank == at
            assert "daptor.block(section, comm)" in error.finding.remedy
            assert same_on_all(comm, error)
    report = daptor.validate(numpy.zeros(3), comm)
    assert report.verdict == "producer failed" and "daptor.block(section, comm)" in str(report)


def test_a_sparse_matrix_is_no_array(comm, rank, size):
    matrix = daptor.csr_from_rows(numpy.ones(1), numpy.array([rank]), numpy.array([1]), size, comm)
    for wrong in (lambda: daptor.validate(matrix), lambda: daptor.import_(matrix, comm)):
        assert "values, columns and offsets" in raised(wrong).finding.remedy


def test_mistakes_in_dictionaries(comm, rank, size):
    """What is said is what was meant; the rest of the description is right."""
    def of(**keys):
        right = {**block(4 * size, size, rank), **keys}
        return Producer(numpy.zeros(4), [right])

    def remedy(**keys):
        error = raised(lambda: daptor.import_(of(**keys), comm))
        assert same_on_all(comm, error)
        return error.rule, error.finding.remedy

    for word in ("block", "BLOCK", "B"):
        assert remedy(dist_type=word) == ("D04", "Write 'b'.")
    assert "block_size" in remedy(dist_type="block-cyclic")[1]
    assert "newer consumer" in remedy(dist_type="z")[1]
    if size > 1:
        rule, text = remedy(size=4)
        assert rule == "B08" and "that of the whole array" in text
        rule, text = remedy(proc_grid_rank=size - 1 - rank)
        assert rule in ("B10", "B11") and "this process's position" in text
        assert "swapped" in remedy(proc_grid_rank=size, proc_grid_size=rank)[1]


def test_misspelt_keys(comm, rank, size):
    keys = block(4 * size, size, rank)
    for wrong, meant in (("padd1ng", "padding"), ("Periodic", "periodic"),
                         ("periodik", "periodic")):
        a = daptor.import_(Producer(numpy.zeros(4), [{**keys, wrong: False}]), comm)
        (finding,) = a.warnings
        assert finding.rule == "D27" and finding.severity == "warning"
        assert f"Write '{meant}'" in finding.remedy and "see its warnings" in repr(a)
        assert not daptor.validate(Producer(numpy.zeros(4), [{**keys, wrong: False}]), comm,
                                   strict=True)
    a = daptor.import_(Producer(numpy.zeros(4), [{**keys, "colour": "red"}]), comm)
    assert [finding.severity for finding in a.warnings] == ["note"] and "warnings" not in repr(a)
