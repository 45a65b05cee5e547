# SPDX-License-Identifier: BSD-3-Clause
"""daptor.scalapack: ScaLAPACK in the memory of NumPy."""

import gc
import weakref

import numpy
import pytest
from mpi4py import MPI

import daptor
from daptor import scalapack
from scalapack_support import Part, entry, indices, refused, whole
from support import address, raised, resident


# Grids


def test_a_grid(comm):
    grid = scalapack.Grid(comm)
    assert grid.rows * grid.columns == comm.size and grid.rows >= grid.columns
    assert grid.inside and grid.context >= 0 and grid.comm is comm and grid.inside_comm is comm
    assert (grid.row, grid.column) == divmod(comm.rank, grid.columns)
    assert scalapack.Grid(comm).context == grid.context
    assert "process (" in repr(grid)
    line = scalapack.Grid(comm, comm.size, 1, order="column")
    assert (line.row, line.column) == (comm.rank, 0)


def test_a_grid_of_some(comm):
    grid = scalapack.Grid(comm, 1, 1)
    assert grid.inside == (comm.rank == 0)
    if grid.inside:
        assert grid.inside_comm.size == 1
        return
    assert (grid.context, grid.row, grid.column, grid.inside_comm) == (-1, -1, -1, None)
    assert "outside" in repr(grid)


def test_grids_that_are_refused_on_all_ranks(comm):
    refused(comm, "scalapack.grid.shape", lambda: scalapack.Grid(comm, comm.size + 1, 1))
    for victim in range(comm.size):
        mine = comm.rank == victim
        refused(comm, "argument", lambda: scalapack.Grid(comm, "2" if mine else 1, 1))
        refused(comm, "argument",
                lambda: scalapack.Grid(comm, 1, 1, order="diagonal" if mine else "row"))
        if comm.size > 1:
            error = refused(comm, "collective.different",
                            lambda: scalapack.Grid(comm, 1, 0 if mine else 1))
            assert error.finding.key == "columns"
    with pytest.raises(daptor.InvalidArgument):
        scalapack.Grid("world")
    with pytest.raises(daptor.InvalidArgument):
        scalapack.Grid.of(numpy.zeros(3))


# No copy


def test_c_order_is_the_transposed_matrix(comm):
    n, by_rows = 9, scalapack.Grid(comm)
    part = Part(by_rows, n, n, of=lambda i, j: entry(i, j) + 0.1 * i)
    memory = numpy.ascontiguousarray(part.values)
    a = daptor.cyclic(memory, comm, shape=(n, n), grid=(by_rows.rows, by_rows.columns),
                      block_size=2)
    turned = scalapack.transposed(a)
    grid = scalapack.Grid.of(turned)
    assert (grid.row, grid.column) == (by_rows.column, by_rows.row)
    A = scalapack.import_matrix(turned, grid)
    assert not memory.size or address(A.data) == address(memory)
    rows = whole(comm, part)
    solution = numpy.arange(1.0, n + 1)
    b = Part(grid, n, 1, of=lambda i, _: rows[i] @ solution)
    # Ranks follow each other along the columns of this grid, unlike daptor.cyclic's: a descriptor.
    B = scalapack.import_matrix(scalapack.export_matrix(b.desc, b.memory, comm), grid)
    pivots = numpy.zeros(A.local_shape[0] + 2, "int32")
    scalapack.call("pdgetrf", n, n, A, pivots)
    scalapack.call("pdgetrs", "T", n, 1, A, pivots, B)
    assert numpy.allclose(whole(comm, b)[:, 0], solution, atol=1e-11)
    error = raised(lambda: scalapack.transposed(daptor.block(numpy.zeros(3), comm)))
    assert error.rule == "scalapack.matrix.dimensions"


def test_a_vector_is_a_column(comm):
    values = numpy.zeros(len(indices(11, 2, comm.rank, comm.size)))
    a = daptor.cyclic(values, comm, shape=11, block_size=2)
    matrix = scalapack.import_matrix(a, scalapack.Grid(comm, comm.size, 1))
    assert matrix.shape == (11, 1) and matrix.data.shape == (len(values), 1)
    matrix.data[:] = 3.0
    assert (values == 3.0).all()
    matrix.modified()


def test_memory_lives_as_long_as_the_matrix(comm):
    grid = scalapack.Grid(comm)
    part = Part(grid, 5, 5)
    seen = weakref.ref(part.memory)
    array = scalapack.export_matrix(part.desc, part.memory, comm)
    matrix = scalapack.import_matrix(array, grid)
    del part, array
    gc.collect()
    assert seen() is not None
    data = matrix.data
    del matrix
    gc.collect()
    assert seen() is not None
    del data
    gc.collect()
    assert seen() is None


def test_no_memory_is_taken(comm):
    """16 MB per rank."""
    grid = scalapack.Grid(comm)
    small = Part(grid, 9, 7)
    scalapack.import_matrix(scalapack.export_matrix(small.desc, small.memory, comm), grid)
    rows, columns = 1000, 2000
    memory = numpy.full((rows, columns), 1.5, order="F")
    desc = [1, grid.context, rows * grid.rows, columns * grid.columns, 50, 50, 0, 0, rows]
    before = resident()
    array = scalapack.export_matrix(desc, memory, comm)
    matrix = scalapack.import_matrix(array, grid)
    data = matrix.data
    assert resident() - before < 1000
    assert address(data) == address(array) == address(memory)


def test_readonly_memory(comm):
    grid = scalapack.Grid(comm)
    part = Part(grid, 5, 5)
    array = part.array(comm).as_readonly()
    refused(comm, "scalapack.matrix.readonly", lambda: scalapack.import_matrix(array, grid))
    matrix = scalapack.import_matrix(array, grid, readonly=True)
    assert matrix.array.readonly and not matrix.data.flags.writeable
    writable = scalapack.import_matrix(part.array(comm), grid, readonly=True)
    assert not writable.data.flags.writeable


def test_imports_that_are_refused_on_all_ranks(comm):
    grid = scalapack.Grid(comm)
    right = Part(grid, 9, 7).array(comm)
    for victim in range(comm.size):
        mine = comm.rank == victim
        refused(comm, "argument",
                lambda: scalapack.import_matrix(numpy.zeros(3) if mine else right, grid))
        refused(comm, "argument",
                lambda: scalapack.import_matrix(right, None if mine else grid))
        refused(comm, "argument",
                lambda: scalapack.import_matrix(right, grid, readonly=[] if mine else False))
    wrong = Part(grid, 9, 7, dtype="i8").array(comm)
    refused(comm, "scalapack.matrix.type", lambda: scalapack.import_matrix(wrong, grid))
    if comm.size > 1:
        # Each rank has an array of its own.
        alone = daptor.block(numpy.zeros((3, 3), order="F"), MPI.COMM_SELF)
        refused(comm, "collective.comm", lambda: scalapack.import_matrix(alone, grid))
        flat = scalapack.Grid(comm, comm.size, 1)
        if grid.columns > 1:
            refused(comm, "scalapack.grid.position",
                    lambda: scalapack.import_matrix(right, flat))
    with pytest.raises(daptor.InvalidArgument):
        scalapack.import_matrix(None, None)


# Somebody's descriptor


@pytest.mark.parametrize("gap", [0, 2])
def test_somebodys_matrix(comm, gap):
    grid = scalapack.Grid(comm)
    part = Part(grid, 9, 7, gap=gap)
    flat = numpy.ravel(part.memory, order="K")
    for desc, memory in ((part.desc, part.memory), (numpy.array(part.desc), flat),
                         (tuple(part.desc), part.values)):
        array = scalapack.export_matrix(desc, memory, comm)
        assert array.shape == (9, 7) and daptor.validate(array)
        assert (numpy.asarray(array) == part.values).all()
        assert not part.values.size or address(numpy.asarray(array)) == address(memory)
    frozen = part.memory.view()
    frozen.flags.writeable = False
    assert scalapack.export_matrix(part.desc, frozen, comm).readonly
    # The way home.
    matrix = scalapack.import_matrix(array, grid)
    assert matrix.shape == (9, 7)


def test_a_part_of_somebodys_matrix(comm):
    grid = scalapack.Grid(comm)
    part = Part(grid, 9, 7, of=lambda i, j: 10.0 * i + j)
    array = scalapack.export_submatrix(part.desc, part.memory, (3, 5, 6, 2), comm)
    assert array.shape == (6, 2)
    target = daptor.zeros((6, 2), comm, grid=(comm.size, 1))
    daptor.redistribute(array, target)
    first = sum(comm.allgather(target.local_shape[0])[:comm.rank])
    expected = [[10.0 * (i + 2) + j + 4 for j in range(2)] for i in range(6)]
    assert numpy.asarray(target).tolist() == expected[first:first + target.local_shape[0]]
    refused(comm, "scalapack.submatrix.range",
            lambda: scalapack.export_submatrix(part.desc, part.memory, (1, 1, 10, 1), comm))
    refused(comm, "argument",
            lambda: scalapack.export_submatrix(part.desc, part.memory, (1, 1), comm))
    refused(comm, "argument",
            lambda: scalapack.export_submatrix(part.desc, part.memory, None, comm))


def changed(desc, position, value):
    desc = list(desc)
    desc[position] = value
    return desc


def test_descriptors_that_are_refused_on_all_ranks(comm):
    grid = scalapack.Grid(comm)
    part = Part(grid, 9, 7)
    names = {0: ("type", 501), 1: ("context", 77), 2: ("m", -1), 3: ("n", -1), 4: ("mb", 0),
             5: ("nb", 0), 6: ("rsrc", grid.rows), 7: ("csrc", -1), 8: ("lld", 0)}
    for victim in range(comm.size):
        mine = comm.rank == victim
        for position, (name, value) in names.items():
            desc = changed(part.desc, position, value) if mine else part.desc
            error = refused(comm, f"scalapack.desc.{name}",
                            lambda: scalapack.export_matrix(desc, part.memory.ravel("K"), comm))
            assert error.rank == victim
        for desc in (part.desc[:8], "descriptor", None, changed(part.desc, 2, 1.5),
                     changed(part.desc, 2, 2**31)):
            refused(comm, "argument",
                    lambda: scalapack.export_matrix(desc if mine else part.desc, part.memory, comm))
        for memory in (None, 3, numpy.zeros((2, 2, 2)), numpy.zeros(40)[::2],
                       numpy.ma.zeros(99)):
            refused(comm, "argument", lambda: scalapack.export_matrix(
                part.desc, memory if mine else part.memory, comm))
        refused(comm, "scalapack.matrix.type", lambda: scalapack.export_matrix(
            part.desc, part.memory.astype("i8") if mine else part.memory, comm))
    refused(comm, "scalapack.desc.memory",
            lambda: scalapack.export_matrix(part.desc, numpy.zeros(0), comm))
    if comm.size > 1:
        error = refused(comm, "collective.different", lambda: scalapack.export_matrix(
            changed(part.desc, 5, 3) if comm.rank == 1 else part.desc, numpy.zeros(99), comm))
        assert error.finding.key == "NB_" and error.rank == 1
        assert "3, and 2 on rank 0" in error.finding.found


def test_memory_in_c_order_is_no_matrix(comm):
    grid = scalapack.Grid(comm, 1, comm.size)
    part = Part(grid, 3, 2 * comm.size)
    refused(comm, "argument",
            lambda: scalapack.export_matrix(part.desc, numpy.zeros((3, 2)), comm))
    # Fortran order, but columns further apart than the descriptor says.
    refused(comm, "argument",
            lambda: scalapack.export_matrix(part.desc, numpy.zeros((9, 2), order="F")[:3], comm))


# Copies


@pytest.mark.parametrize("rows_of_grid", [0, 1])
def test_there_and_back(comm, rows_of_grid):
    n = 17
    start = comm.rank * n // comm.size
    stop = (comm.rank + 1) * n // comm.size
    mine = numpy.array([[entry(i, j) for j in range(n)] for i in range(start, stop)])
    mine = mine.reshape(stop - start, n)
    a = daptor.block(mine, comm)  # rows in C order
    solution = numpy.arange(1.0, n + 1)
    right = mine @ solution
    b = daptor.block(right, comm)
    grid = scalapack.Grid(comm, rows_of_grid, rows_of_grid)
    assert grid.inside or rows_of_grid
    A = scalapack.copy_to_matrix(a, grid, 4)
    B = scalapack.copy_to_matrix(b, grid, (4, 4))
    assert A.shape == (n, n) and B.shape == (n, 1) and A.blocks[0] in (1, 4)
    pivots = numpy.zeros(A.local_shape[0] + 4, "int32")
    scalapack.call("pdgesv", n, 1, A, pivots, B)
    scalapack.copy_from_matrix(B, b)
    assert numpy.allclose(right, solution[start:stop], atol=1e-11)
    assert mine[0].sum() > 1 if stop > start else True  # the original is as it was


def test_a_copy_of_another_type(comm):
    a = daptor.block(numpy.full((2, 3), 7, dtype="f4"), comm)
    grid = scalapack.Grid(comm)
    refused(comm, "redistribute.type", lambda: scalapack.copy_to_matrix(a, grid, dtype="f8"))
    matrix = scalapack.copy_to_matrix(a, grid, dtype="f8", convert=True)
    assert matrix.array.dtype == numpy.float64 and (matrix.data == 7).all()
    assert scalapack.copy_to_matrix(a, grid).array.dtype == numpy.float32
    back = daptor.block(numpy.zeros((2, 3), dtype="f8"), comm)
    scalapack.copy_from_matrix(matrix, back)
    assert (numpy.asarray(back) == 7).all()


def test_copies_that_are_refused_on_all_ranks(comm):
    a = daptor.block(numpy.zeros((2, 3)), comm)
    grid = scalapack.Grid(comm)
    matrix = scalapack.copy_to_matrix(a, grid)
    refused(comm, "scalapack.blocks", lambda: scalapack.copy_to_matrix(a, grid, 0))
    for victim in range(comm.size):
        mine = comm.rank == victim
        for wrong in ({"blocks": "large"}, {"dtype": "no such type"}, {"convert": []}):
            refused(comm, "argument",
                    lambda: scalapack.copy_to_matrix(a, grid, **(wrong if mine else {})))
        refused(comm, "argument", lambda: scalapack.copy_to_matrix(None if mine else a, grid))
        refused(comm, "argument", lambda: scalapack.copy_to_matrix(a, None if mine else grid))
        refused(comm, "argument",
                lambda: scalapack.copy_from_matrix(None if mine else matrix, a))
        refused(comm, "argument",
                lambda: scalapack.copy_from_matrix(matrix, None if mine else a))
    refused(comm, "scalapack.matrix.type", lambda: scalapack.copy_to_matrix(
        daptor.block(numpy.zeros((2, 3), dtype="i2"), comm), grid))
    if comm.size > 1:
        alone = daptor.block(numpy.zeros((2, 3)), MPI.COMM_SELF)
        refused(comm, "collective.comm", lambda: scalapack.copy_to_matrix(alone, grid))
        refused(comm, "collective.comm", lambda: scalapack.copy_from_matrix(matrix, alone))


# explain


def test_explain_says_what_to_call(comm):
    grid = scalapack.Grid(comm)
    verdict = daptor.explain(Part(grid, 9, 7).array(comm))["scalapack.matrix"]
    assert verdict and verdict.python_call == "daptor.scalapack.import_matrix(a, grid)"
    other = daptor.explain(daptor.block(numpy.zeros((2, 3)), comm))["scalapack.matrix"]
    assert not other and other.python_call == "daptor.scalapack.copy_to_matrix(a, grid)"


# call


def test_rows_in_c_order_have_square_blocks(comm):
    n = 4 * comm.size
    memory = numpy.array([[entry(i, j) + 0.1 * i for j in range(n)]
                          for i in range(4 * comm.rank, 4 * comm.rank + 4)])
    expected = numpy.concatenate(comm.allgather(memory))
    turned = scalapack.transposed(daptor.block(memory, comm))
    grid = scalapack.Grid.of(turned)
    A = scalapack.import_matrix(turned, grid)
    assert A.blocks[0] == A.blocks[1] and address(A.data) == address(memory)
    right = expected @ numpy.ones(n)
    B = scalapack.copy_to_matrix(daptor.block(right[4 * comm.rank:4 * comm.rank + 4], comm), grid,
                                 A.blocks)
    pivots = numpy.zeros(A.local_shape[0] + A.blocks[0], "int32")
    scalapack.call("pdgetrf", n, n, A, pivots)
    scalapack.call("pdgetrs", "T", n, 1, A, pivots, B)
    x = daptor.zeros((n, 1), comm)
    scalapack.copy_from_matrix(B, x)
    assert numpy.allclose(numpy.asarray(x), 1.0, atol=1e-11)


def test_lists_that_share_indices_are_copied_as_the_remedy_says(comm):
    grid = scalapack.Grid(comm)
    mine = [comm.rank, comm.rank + 1]  # with the neighbours
    values = numpy.array(mine, dtype="f8")
    a = daptor.unstructured(values, numpy.array(mine), comm, size=comm.size + 1)
    verdict = daptor.explain(a)["scalapack.matrix"]
    assert not verdict
    if comm.size == 1:
        return
    call = "daptor.scalapack.copy_to_matrix(a, grid, read_from_any=True)"
    assert verdict.python_call == call
    error = raised(lambda: scalapack.import_matrix(a, scalapack.Grid(comm, comm.size, 1)))
    assert call in error.finding.remedy and "copies of an index are equal" in error.finding.remedy
    matrix = eval(call, {"daptor": daptor, "a": a, "grid": grid})
    home = daptor.zeros(comm.size + 1, comm)
    scalapack.copy_from_matrix(matrix, home)
    gathered = numpy.concatenate(comm.allgather(numpy.asarray(home)))
    assert (gathered == numpy.arange(comm.size + 1)).all()
