# SPDX-License-Identifier: BSD-3-Clause
"""Sparse matrices from rows, and their products."""

import numpy
import pytest

import daptor
from support import address, raised, same_on_all, share

VALUES = [1, 3, 2, 5, 7, 9, 3, 4, 5, 2, 6]
COLUMNS = [3, 4, 1, 5, 2, 4, 1, 3, 5, 2, 5]
OFFSETS = [1, 3, 5, 7, 10, 12]
PRODUCT = [15, 27, 50, 40, 34]


def rows_of(rank, size, dtype=float):
    """Returns this rank's values, columns and row lengths of the Global Arrays example."""
    first, last = share(5, size, rank)
    entries = slice(OFFSETS[first] - 1, OFFSETS[last] - 1)
    lengths = numpy.diff(OFFSETS)[first:last].astype("i8")
    return (numpy.array(VALUES[entries], dtype=dtype), numpy.array(COLUMNS[entries], dtype="i4"),
            lengths)


def whole(comm, array):
    """Returns all elements of an array that is divided in blocks, on each rank."""
    return [each for part in comm.allgather(numpy.asarray(array).tolist()) for each in part]


def vector(comm, total, value=None, dtype=float):
    first, last = share(total, comm.size, comm.rank)
    elements = numpy.arange(first + 1, last + 1).astype(dtype)
    if value is not None:
        elements[:] = value
    return daptor.block(elements, comm)


@pytest.mark.parametrize("dtype", ["f8", "f4", "c16", "i4", "i8"])
def test_rows_become_a_matrix_and_its_product(comm, rank, size, dtype):
    values, columns, lengths = rows_of(rank, size, dtype)
    matrix = daptor.csr_from_rows(values, columns, lengths, 5, comm, index_base=1)
    assert matrix.shape == (5, 5) and matrix.index_base == 1
    assert address(matrix.values) == address(values)
    assert address(matrix.columns) == address(columns)
    assert whole(comm, matrix.offsets) == OFFSETS
    x, y = vector(comm, 5, dtype=dtype), vector(comm, 5, value=-7, dtype=dtype)
    daptor.multiply(matrix, x, y)
    assert whole(comm, y) == PRODUCT


def test_columns_with_local_numbers(comm, rank, size):
    values, columns, lengths = rows_of(rank, size)
    indices = numpy.unique(columns)[::-1] - 1
    local = numpy.array([list(indices).index(column - 1) for column in columns], dtype="i4")
    matrix = daptor.csr_from_rows(values, local, lengths, 5, comm, column_indices=indices)
    assert address(matrix.values) == address(values)
    x, y = vector(comm, 5), vector(comm, 5, value=-7)
    daptor.multiply(matrix, x, y)
    assert whole(comm, y) == PRODUCT
    for at in range(size):
        if not comm.bcast(len(local) > 0, at):
            continue
        wrong = local + (5 if rank == at else 0)
        error = raised(lambda: daptor.csr_from_rows(values, wrong, lengths, 5, comm,
                                                    column_indices=indices))
        assert (error.rule, error.rank) == ("csr.local-column", at) and same_on_all(comm, error)


def test_a_planned_product_is_used_often(comm, rank, size):
    values, columns, lengths = rows_of(rank, size)
    matrix = daptor.csr_from_rows(values, columns, lengths, 5, comm, index_base=1)
    x, y = vector(comm, 5), vector(comm, 5)
    product = daptor.CsrProduct(matrix, x, y)
    for times in (1, 2):
        product.run()
        assert whole(comm, y) == [times * each for each in PRODUCT]
        values *= 2
    values /= 4
    other = vector(comm, 5)
    product(x, other)
    assert whole(comm, other) == PRODUCT
    product.begin()
    assert product.in_flight
    product.end()
    assert not product.in_flight
    assert (product.gathered_count > 0) == (size > 1 and rank < 5)
    error = raised(product.end)
    assert error.report.findings[0].rule == "csr.not-begun"


def test_evenly_divided_arrays(comm, rank, size):
    first, last = share(11, size, rank)
    offsets = share(6, size, rank)
    matrix = daptor.CsrArrays(
        daptor.block(numpy.array(VALUES[first:last], dtype=float), comm),
        daptor.block(numpy.array(COLUMNS[first:last], dtype="i8"), comm),
        daptor.block(numpy.array(OFFSETS[offsets[0]:offsets[1]], dtype="i8"), comm), 5, 1)
    x, y = vector(comm, 5), vector(comm, 5)
    daptor.multiply(matrix, x, y)
    assert whole(comm, y) == PRODUCT
    aligned = daptor.align_rows(matrix)
    assert whole(comm, aligned.values) == VALUES and whole(comm, aligned.offsets) == OFFSETS
    daptor.multiply(aligned, x, y)
    assert whole(comm, y) == PRODUCT
    mask = daptor.block(numpy.full(last - first, 7), comm)
    daptor.row_starts(matrix, mask)
    assert whole(comm, mask) == [1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0]


@pytest.mark.parametrize("culprit", [0, 1])
def test_what_is_wrong_on_one_rank_is_raised_on_all(comm, rank, size, culprit):
    mine = rank == culprit % size
    values, columns, lengths = rows_of(rank, size)
    matrix = daptor.csr_from_rows(values, columns, lengths, 5, comm, index_base=1)
    x, y = vector(comm, 5), vector(comm, 5, value=-7)
    mask = daptor.block(numpy.full(len(values), 7), comm)
    for call, rule, key in (
            (lambda: daptor.multiply(matrix, 3 if mine else x, y), "argument", "x"),
            (lambda: daptor.multiply(matrix, x, x if mine else y), "csr.memory", None),
            (lambda: daptor.multiply(3 if mine else matrix, x, y), "argument", "matrix"),
            (lambda: daptor.align_rows(daptor.CsrArrays(
                matrix.values, matrix.columns, matrix.offsets, "5" if mine else 5, 1)),
             "argument", "global_columns"),
            (lambda: daptor.csr_from_rows(values, columns, lengths + 1 if mine else lengths, 5,
                                          comm, index_base=1), "csr.row-lengths", None),
            (lambda: daptor.csr_from_rows(values, columns, lengths, 5, comm,
                                          index_base=None if mine else 1),
             "argument", "index_base"),
            (lambda: daptor.csr_from_rows(values, columns, lengths, 4, comm, index_base=1),
             "csr.column-range", None),
            (lambda: daptor.row_starts(matrix, None if mine else mask), "argument", "mask"),
            (lambda: daptor.row_starts(matrix, matrix.values), "csr.mask", None)):
        error = raised(call)
        assert error.rule == rule and same_on_all(comm, error)
        assert key is None or error.report.findings[0].key == key
    assert whole(comm, mask) == [7] * 11
    assert whole(comm, y) == [-7] * 5


def test_rows_of_scipy(comm, rank, size):
    sparse = pytest.importorskip("scipy.sparse")
    total = sparse.random(3 * size + 2, 7, density=0.4, format="csr", random_state=size)
    first, last = share(3 * size + 2, size, rank)
    mine = total[first:last]
    if rank == size - 1:
        mine.indices, mine.indptr = mine.indices.astype("i8"), mine.indptr.astype("i8")
    matrix = daptor.csr(mine, comm)
    assert matrix.shape == total.shape and address(matrix.values) == address(mine.data)
    x, y = vector(comm, 7), daptor.zeros(matrix.shape[0], comm)
    daptor.multiply(matrix, x, y)
    right = total @ numpy.arange(1.0, 8.0)
    assert numpy.allclose(y.interior, right[y.global_slices])
    back = matrix.to_scipy()
    assert back.shape == mine.shape and (back.toarray() == mine.toarray()).all()
    assert address(back.data) == address(mine.data) or not len(mine.data)
    for other in (mine.tocoo(), mine.tocsc()):
        assert (daptor.csr(other, comm).to_scipy().toarray() == mine.toarray()).all()
    for at in range(size):
        for wrong in ([1], numpy.ones((2, 2)), total[:, :3] if size > 1 else None):
            error = raised(lambda: daptor.csr(wrong if rank == at else mine, comm))
            assert same_on_all(comm, error)


def test_rows_counted_from_one_or_on_other_ranks(comm, rank, size):
    pytest.importorskip("scipy.sparse")
    values, columns, lengths = rows_of(rank, size)
    counted = daptor.csr_from_rows(values, columns, lengths, 5, comm, index_base=1)
    first, last = share(5, size, rank)
    dense = numpy.zeros((5, 5))
    for row in range(5):
        for entry in range(OFFSETS[row] - 1, OFFSETS[row + 1] - 1):
            dense[row, COLUMNS[entry] - 1] = VALUES[entry]
    assert (counted.to_scipy().toarray() == dense[first:last]).all()
    whole_of = [daptor.gather(each) for each in (counted.values, counted.columns, counted.offsets)]
    spread = [daptor.zeros(each.shape, comm, dtype=each.dtype)
              for each in (counted.values, counted.columns, counted.offsets)]
    for source, target in zip(whole_of, spread):
        daptor.redistribute(daptor.scatter(source, like=target), target)
    split = daptor.CsrArrays(*spread, 5, 1)
    rows = [numpy.zeros((0, 5)), split.to_scipy().toarray()]
    assert (numpy.concatenate(comm.allgather(numpy.concatenate(rows))) == dense).all()
