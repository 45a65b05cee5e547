# SPDX-License-Identifier: BSD-3-Clause
"""Text that came from a user comes back as it is, whatever it looks like."""

import importlib.util
import random

import numpy
import pytest

import daptor
from support import Producer, block, raised, same_on_all

# What a message could take for its own words, for an index, or for the place of a value.
PIECES = ("fft::run.h5", "import_vec", "copy_to_vec", "dimension 2", "[0, 4)", "{}", "{0}", "%s",
          "%n", "daptor::like(a)", "'", '"', "\\", "\u00fc\u4e2d", "rank 1:", "; expected",
          "a.interior")
MOST = 36  # bytes of a text that a finding about a dictionary does not shorten


def texts():
    """Random texts, the same on all ranks."""
    chance = random.Random(7)
    while True:
        text = chance.choice(("", " ", ".")).join(chance.sample(PIECES, 3))
        if len(text.encode()) <= MOST:
            yield text


TEXTS = [text for _, text in zip(range(12), texts())]


@pytest.fixture
def words_of_python():
    """In place of the fixture that finds words of C++ in messages."""


def raises(text):
    raise ValueError(text)


@pytest.mark.parametrize("text", TEXTS)
def test_of_a_description(comm, text):
    def report(version="0.9.0", **keys):
        dimension = {**block(4 * comm.size, comm.size, comm.rank), **keys}
        return str(daptor.validate({"__version__": version, "buffer": numpy.zeros(4),
                                    "dim_data": (dimension,)}, comm))

    assert text in report(version=text)
    assert text in report(dist_type=text) and text in report(size=text)
    assert text in report(**{text: 1})  # a key that the protocol does not know


@pytest.mark.parametrize("text", TEXTS)
def test_of_an_exception(comm, text):
    class Fails(Producer):
        def __distarray__(self):
            raises(text)

    producer = Fails(numpy.zeros(4), [block(4 * comm.size, comm.size, comm.rank)])
    for call in (lambda: daptor.import_(producer, comm),
                 lambda: daptor.agreed(comm, lambda: raises(text)),
                 lambda: daptor.from_function(lambda i: raises(text), 4, comm)):
        error = raised(call)
        assert f"ValueError: {text} (" in str(error) and same_on_all(comm, error)


@pytest.mark.parametrize("text", [*TEXTS, "two\nlines %d", "\t{", "x" * 500])
def test_of_an_argument(comm, text):
    a = daptor.ones(4, comm, dtype=float)
    calls = [lambda: daptor.update_padding(a, stencil=text), lambda: daptor.layout.slab(0, text),
             lambda: daptor.validate(a, level=text)]
    if importlib.util.find_spec("daptor._petsc"):
        calls += [lambda: a.to_dense(mat_type=text), lambda: a.to_dmda(boundary=text)]
    for call in calls:
        assert f'found "{text}"' in str(raised(call))


@pytest.mark.parametrize("text", TEXTS)
def test_of_a_label(comm, rank, size, text):
    xarray = pytest.importorskip("xarray")
    section = xarray.DataArray(numpy.zeros(4), dims=(text,))
    assert daptor.block(section, comm).dims == (text,)
    if size > 1:
        other = section if rank == 0 else numpy.zeros(4)
        error = raised(lambda: daptor.block(other, comm))
        assert f"({text})" in str(error) and same_on_all(comm, error)
