# SPDX-License-Identifier: BSD-3-Clause
"""Fingerprints against NumPy of the whole array, in every kind of layout, and trace files."""

import json

import numpy
import pytest

import daptor
import layouts
from support import raised, same_on_all

GOLDEN = 0x9e3779b97f4a7c15


def weights(count):
    """Between -1 and 1, multiples of the golden ratio modulo 2^64."""
    keys = [(i + 1) * GOLDEN % 2**64 for i in range(count)]
    return numpy.array([(k - 2**64 if k >= 2**63 else k) / 2**63 for k in keys])


def expected(whole):
    """The fingerprint of a whole array, computed by NumPy."""
    values = whole.astype(complex if whole.dtype.kind == "c" else float).ravel()
    real, sizes = values.real, numpy.abs(values)
    kind = complex if whole.dtype.kind == "c" else float

    def extreme(of, at):
        place = numpy.unravel_index(at, whole.shape)
        return pytest.approx(of[at]), tuple(int(i) for i in place)

    return daptor.Fingerprint(
        count=whole.size, not_finite=0, sum=close(kind(values.sum())),
        magnitudes=close(float(sizes.sum())), norm=close(float(numpy.linalg.norm(values))),
        mixed=close(kind((values * weights(whole.size)).sum())),
        least=extreme(real, real.argmin()), greatest=extreme(real, real.argmax()),
        largest=extreme(sizes, sizes.argmax()))


def close(value):
    return pytest.approx(value, rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("layout", layouts.LAYOUTS)
def test_against_numpy(comm, size, layout):
    for random, shape in layouts.programs(size):
        whole = layouts.elements(random, shape, random.choice(["f8", "i4", "f4", "?", "u1"]))
        a = layouts.filled(layout, comm, random, whole)
        print_ = daptor.fingerprint(a)
        assert comm.allgather(repr(print_)) == [repr(print_)] * size
        right = expected(whole)
        for name in ("count", "not_finite", "sum", "magnitudes", "norm", "least", "greatest"):
            assert getattr(print_, name) == getattr(right, name), (name, whole.dtype)
        # Boundary padding counts among the indices of which the weights are made.
        if tuple(entry["size"] for entry in a.__distarray__()["dim_data"]) == whole.shape:
            assert print_.mixed == right.mixed, layout


def test_what_is_no_number_is_left_out(comm, size):
    a = daptor.zeros((4 * size,), comm)
    a.interior[:] = numpy.arange(4) + 4 * comm.rank
    if comm.rank == size - 1:
        a.interior[1] = numpy.nan
        a.interior[2] = -numpy.inf
    print_ = daptor.fingerprint(a)
    last = 4 * (size - 1)
    assert (print_.count, print_.not_finite) == (4 * size, 2)
    assert print_.sum == sum(range(4 * size)) - (last + 1) - (last + 2)
    assert print_.greatest == (last + 3.0, (last + 3,))


def test_elements_in_other_places_differ(comm, size):
    a = daptor.zeros((4 * size,), comm)
    a.interior[:] = numpy.arange(4) + 4 * comm.rank
    before = daptor.fingerprint(a)
    if comm.rank == size - 1:
        a.interior[:2] = a.interior[1::-1].copy()
    after = daptor.fingerprint(a)
    assert (before.sum, before.norm) == (after.sum, after.norm)
    assert abs(before.mixed - after.mixed) > 0.1


def test_a_trace_has_what_was_traced(comm, tmp_path_factory):
    path = comm.bcast(str(tmp_path_factory.mktemp("trace") / "a.json") if comm.rank == 0 else None)
    a = daptor.ones((6,), comm, dtype="c8")
    daptor.trace(a, "before")  # no trace is open
    with daptor.tracing(path, comm):
        daptor.trace(a, 'a "name"\n')
        assert raised(lambda: daptor.tracing(path, comm).__enter__()).finding.rule == "trace.open"
        a.interior[:] = 2j
        daptor.trace(a, "b")
    comm.Barrier()
    with open(path, encoding="utf-8") as file:
        head, first, second, end = [json.loads(line) for line in file]
    assert (head["daptor"], head["ranks"], end) == ("trace", comm.size, {"end": 2})
    assert first["object"] == {"class": "array", "name": 'a "name"\\x0a'}
    assert first["print"]["sum"] == [6.0, 0.0] and second["print"]["sum"] == [0.0, 12.0]
    assert second["print"]["largest"] == {"value": 2.0, "at": [0]}


def test_a_file_that_cannot_be_written_is_told_everywhere(comm):
    error = raised(lambda: daptor.tracing("/no/such/folder/a.json", comm).__enter__())
    assert error.finding.rule == "trace.file"
    assert same_on_all(comm, error)
