# SPDX-License-Identifier: BSD-3-Clause
"""daptor.scalapack: ScaLAPACK in the memory of NumPy."""

import gc
import weakref

import numpy
import pytest
from mpi4py import MPI

import daptor
from daptor import scalapack
from support import Section, address, raised, resident, same_on_all


def refused(comm, rule, function):
    """Every rank raises the same error, of this rule."""
    error = raised(function)
    assert error.rule == rule, str(error)
    assert same_on_all(comm, error)
    return error


def indices(size, block, process, processes, source=0):
    """The global indices of a process, in the order of its memory."""
    return [i for i in range(size) if (i // block + source) % processes == process]


def entry(i, j):
    return 1.0 / (1.0 + abs(i - j)) + (10.0 if i == j else 0.0)


class Part:
    """This rank's part of a matrix, in memory of NumPy with `gap` rows of guards."""

    def __init__(self, grid, rows, columns, block=2, of=entry, gap=0, dtype="f8"):
        self.i = indices(rows, block, grid.row, grid.rows)
        self.j = indices(columns, block, grid.column, grid.columns)
        local = len(self.i) + gap, len(self.j)
        self.memory = numpy.full(local, -7.5, dtype=dtype, order="F").view(Section)
        self.values = self.memory[:len(self.i)]
        for a, i in enumerate(self.i):
            for b, j in enumerate(self.j):
                self.values[a, b] = of(i, j)
        self.desc = [1, grid.context, rows, columns, block, block, 0, 0, max(1, local[0])]
        self.shape, self.block, self.grid = (rows, columns), block, grid

    def array(self, comm):
        return daptor.cyclic(numpy.asarray(self.values), comm, shape=self.shape,
                             grid=(self.grid.rows, self.grid.columns), block_size=self.block)

    def guards_intact(self):
        return bool((self.memory[len(self.i):] == -7.5).all())


def whole(comm, part):
    """The matrix on every rank."""
    result = numpy.zeros(part.shape, dtype=part.values.dtype)
    for i, j, values in comm.allgather((part.i, part.j, numpy.array(part.values))):
        result[numpy.ix_(i, j)] = values
    return result


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
            refused(comm, "argument", lambda: scalapack.Grid(comm, 1, 0 if mine else 1))
    with pytest.raises(daptor.InvalidArgument):
        scalapack.Grid("world")
    with pytest.raises(daptor.InvalidArgument):
        scalapack.Grid.of(numpy.zeros(3))


# No copy


@pytest.mark.parametrize("n, gap", [(1, 0), (3, 1), (23, 0), (23, 3)])
def test_a_system_is_solved_in_the_memory_of_numpy(comm, n, gap):
    grid = scalapack.Grid(comm)
    solution = 1.0 + numpy.arange(n) % 7
    a = Part(grid, n, n, gap=gap)
    rows = numpy.array([[entry(i, j) for j in range(n)] for i in range(n)])
    b = Part(grid, n, 1, of=lambda i, _: rows[i] @ solution, gap=gap)
    A, B = (scalapack.import_matrix(part.array(comm), grid) for part in (a, b))
    for part, matrix in ((a, A), (b, B)):
        assert matrix.data.shape == matrix.local_shape == part.values.shape
        if part.values.size:
            assert address(matrix.data) == address(part.memory)
        assert matrix.shape == part.shape and matrix.blocks == (2, 2) and matrix.inside
        if part.values.shape[1] > 1 and part.values.shape[0] > 0:
            assert list(matrix.desc) == part.desc and matrix.leading_dimension == part.desc[8]
    pivots = numpy.zeros(A.local_shape[0] + 2, "int32")
    scalapack.call("pdgesv", n, 1, A, pivots, B)
    assert numpy.allclose(whole(comm, b)[:, 0], solution, atol=1e-11)
    assert a.guards_intact() and b.guards_intact()


def test_eigenvalues(comm):
    n, grid = 24, scalapack.Grid(comm)
    a, z = Part(grid, n, n, 3), Part(grid, n, n, 3)
    A, Z = (scalapack.import_matrix(part.array(comm), grid) for part in (a, z))
    values, length = numpy.zeros(n), numpy.zeros(1)
    scalapack.call("pdsyev", "V", "U", n, A, values, Z, length, -1)
    work = numpy.zeros(int(length[0]) + 1)
    scalapack.call("pdsyev", "V", "U", n, A, values, Z, work, len(work))
    matrix = numpy.array([[entry(i, j) for j in range(n)] for i in range(n)])
    assert numpy.allclose(values, numpy.linalg.eigvalsh(matrix), atol=1e-11)
    vectors = whole(comm, z)
    assert numpy.allclose(matrix @ vectors, vectors * values, atol=1e-11)


def test_complex_eigenvalues(comm):
    def hermitian(i, j):
        return entry(i, j) + (0.3j if i < j else -0.3j if i > j else 0)
    n, grid = 8, scalapack.Grid(comm)
    a, z = Part(grid, n, n, of=hermitian, dtype="c16"), Part(grid, n, n, dtype="c16")
    A, Z = (scalapack.import_matrix(part.array(comm), grid) for part in (a, z))
    matrix, values = whole(comm, a), numpy.zeros(n)
    work, real = numpy.zeros(1, "c16"), numpy.zeros(1)
    scalapack.call("pzheev", "V", "U", n, A, values, Z, work, -1, real, -1)
    work, real = numpy.zeros(int(work[0].real) + 1, "c16"), numpy.zeros(int(real[0]) + 1)
    scalapack.call("pzheev", "V", "U", n, A, values, Z, work, len(work), real, len(real))
    assert numpy.allclose(values, numpy.linalg.eigvalsh(matrix), atol=1e-11)


def test_least_squares_and_singular_values(comm):
    m, n, grid = 9, 4, scalapack.Grid(comm)
    a, b = Part(grid, m, n), Part(grid, m, 1, of=lambda i, _: float(i))
    A, B = (scalapack.import_matrix(part.array(comm), grid) for part in (a, b))
    matrix, right = whole(comm, a), whole(comm, b)[:, 0]
    work = numpy.zeros(1)
    scalapack.call("pdgels", "N", m, n, 1, A, B, work, -1)
    work = numpy.zeros(int(work[0]) + 1)
    scalapack.call("pdgels", "N", m, n, 1, A, B, work, len(work))
    expected = numpy.linalg.lstsq(matrix, right, rcond=None)[0]
    assert numpy.allclose(whole(comm, b)[:n, 0], expected, atol=1e-11)
    S = scalapack.import_matrix(Part(grid, m, n).array(comm), grid)
    values, work = numpy.zeros(n), numpy.zeros(1)
    scalapack.call("pdgesvd", "N", "N", m, n, S, values, S, S, work, -1)
    work = numpy.zeros(int(work[0]) + 1)
    scalapack.call("pdgesvd", "N", "N", m, n, S, values, S, S, work, len(work))
    assert numpy.allclose(values, numpy.linalg.svd(matrix, compute_uv=False), atol=1e-11)


def test_numbers_are_of_the_routines_type(comm):
    grid = scalapack.Grid(comm)
    for letter, dtype, factor in (("s", "f4", 2.0), ("d", "f8", 2.0), ("c", "c8", 2j),
                                  ("z", "c16", 2j)):
        a, b, c = (Part(grid, 5, 5, of=lambda i, j: i + 2.0 * j, dtype=dtype) for _ in range(3))
        matrices = [scalapack.import_matrix(part.array(comm), grid) for part in (a, b, c)]
        expected = factor * (whole(comm, a) @ whole(comm, b))
        scalapack.call(f"p{letter}gemm", "N", "N", 5, 5, 5, factor, matrices[0], matrices[1], 0.0,
                       matrices[2])
        assert numpy.allclose(whole(comm, c), expected)


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


def test_processes_outside_call_nothing(comm):
    grid = scalapack.Grid(comm, 1, 1)
    a = None
    if grid.inside:
        a = daptor.cyclic(numpy.asfortranarray(numpy.eye(3) * 2), grid.inside_comm, shape=(3, 3))
    matrix = scalapack.import_matrix(a, grid)
    scalapack.call("pdpotrf", "L", 3, matrix)
    assert matrix.inside == (comm.rank == 0)
    if matrix.inside:
        assert numpy.allclose(numpy.tril(matrix.data), numpy.eye(3) * 2**0.5)
        return
    assert matrix.desc[1] == -1 and matrix.data.size == 0 and matrix.array is None
    matrix.modified()


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
        refused(comm, "argument", lambda: scalapack.import_matrix(alone, grid))
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
        for memory in (None, 3, numpy.zeros((2, 2, 2)), numpy.zeros(40)[::2]):
            refused(comm, "argument", lambda: scalapack.export_matrix(
                part.desc, memory if mine else part.memory, comm))
        refused(comm, "scalapack.matrix.type", lambda: scalapack.export_matrix(
            part.desc, part.memory.astype("i8") if mine else part.memory, comm))
    refused(comm, "scalapack.desc.memory",
            lambda: scalapack.export_matrix(part.desc, numpy.zeros(0), comm))
    if comm.size > 1:
        refused(comm, "scalapack.desc.same", lambda: scalapack.export_matrix(
            changed(part.desc, 5, 3) if comm.rank == 1 else part.desc, numpy.zeros(99), comm))


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


# explain


def test_explain_says_what_to_call(comm):
    grid = scalapack.Grid(comm)
    verdict = daptor.explain(Part(grid, 9, 7).array(comm))["scalapack.matrix"]
    assert verdict and verdict.python_call == "daptor.scalapack.import_matrix(a, grid)"
    other = daptor.explain(daptor.block(numpy.zeros((2, 3)), comm))["scalapack.matrix"]
    assert not other and other.python_call == "daptor.scalapack.copy_to_matrix(a, grid)"


# call


def test_what_call_refuses_before_it_calls(comm):
    grid = scalapack.Grid(comm)
    A = scalapack.import_matrix(Part(grid, 5, 5).array(comm), grid)
    pivots = numpy.zeros(9, "int32")
    readonly = numpy.zeros(12, "int32")
    readonly.flags.writeable = False
    for routine, *arguments in (("pdgetrfs_of_nobody", A), (3, A), ("psgetrf", 5, 5, A, pivots),
                                ("pdgetrf", 5, 5, A, numpy.zeros(9, "i8")),
                                ("pdgetrf", 5, 5, A, numpy.zeros(18, "int32")[::2]),
                                ("pdgetrf", 5, 2**31, A, pivots), ("pdgetrf", 5, None, A, pivots),
                                ("pdgetrf", 5, 5, A, A.array),
                                ("pdgetrf", 5, 5, A, readonly),
                                ("pdgemm", "N", "N", 5, 5, 5, 1j, A, A, 0.0, A)):
        with pytest.raises(daptor.InvalidArgument):
            scalapack.call(routine, *arguments)
    # A routine of real numbers, whose name begins as those of complex ones with real results.
    B = scalapack.import_matrix(Part(grid, 5, 1, dtype="c8").array(comm), grid)
    with pytest.raises(daptor.InvalidArgument, match="X of pscopy.*elements of float32$"):
        scalapack.call("pscopy", 5, B, 1, B, 1)
    # A descriptor may be passed by itself, and is never written to.
    if A.inside:
        scalapack.call("pdlaset", "A", 5, 5, 0.0, 0.0, A.data, 1, 1, A.desc)
        assert not A.data.any()


def test_values_that_a_routine_would_misread(comm):
    """An integer read as a number is 2e-323, and memory that is too short is written beyond."""
    n, grid = 6, scalapack.Grid(comm)
    A, B, C = (scalapack.import_matrix(Part(grid, n, n).array(comm), grid) for _ in range(3))
    rows, columns = A.local_shape
    pivots, long = numpy.zeros(rows + 2, "int32"), numpy.zeros(500)
    before = A.data.copy()
    for error, (routine, *arguments) in (
            ("'NRHS of pdgesv'.*1.0, a floating-point", ("pdgesv", n, 1.0, A, pivots, B)),
            ("'N of pdgesv'.*an integer", ("pdgesv", 2 * n / 2, 1, A, pivots, B)),
            ("'N of pdgesv'.*bool", ("pdgesv", True, 1, A, pivots, B)),
            ("4 arguments of pdgesv.*N, NRHS, A, IPIV, B", ("pdgesv", n, A, pivots, B)),
            ("6 arguments of pdgesv", ("pdgesv", n, 1, A, pivots, B, 0)),
            ("'IPIV of pdgesv'.*at least [468]: ", ("pdgesv", n, 1, A, pivots[:-1], B)),
            ("'IPIV of pdgesv'.*list", ("pdgesv", n, 1, A, [0] * 20, B)),
            ("'IPIV of pdgesv'.*float64", ("pdgesv", n, 1, A, long, B)),
            ("'A of pdgesv'.*Array", ("pdgesv", n, 1, A.array, pivots, B)),
            ("'TRANS of pdgels'.*int", ("pdgels", 1, n, n, 1, A, B, long, 500)),
            ("'TRANS of pdgels'.*''", ("pdgels", "", n, n, 1, A, B, long, 500)),
            ("'WORK of pdgels'.*at least 501", ("pdgels", "N", n, n, 1, A, B, long, 501)),
            ("'W of pdsyev'.*at least 6", ("pdsyev", "V", "U", n, A, long[:5], B, long, 500)),
            ("'TAU of pdgeqrf'.*at least [246]: columns",
             ("pdgeqrf", n, n, A, long[:columns - 1], long, 500)),
            ("'ALPHA of pdgemm'.*str", ("pdgemm", "N", "N", n, n, n, "1", A, B, 0, C)),
            ("'BETA of pdgemm'.*complex", ("pdgemm", "N", "N", n, n, n, 1, A, B, 0j, C))):
        with pytest.raises(daptor.InvalidArgument, match=error):
            scalapack.call(routine, *arguments)
    assert (A.data == before).all()
    # What is wrong on one rank is told on all, before any of them calls the routine.
    for victim in range(comm.size):
        mine = comm.rank == victim
        error = refused(comm, "argument", lambda: scalapack.call(
            "pdgesv", float(n) if mine else n, 1, A, pivots, B))
        assert error.rank == victim
    if comm.size > 1:
        calls = (("pdpotrf", "L", n, A), ("pdgetrf", n, n, A, pivots))
        refused(comm, "argument", lambda: scalapack.call(*calls[min(comm.rank, 1)]))
    refused(comm, "argument", lambda: scalapack.call("pdpotrf", "L", n, A, positive="none"))


def test_numbers_may_be_integers(comm):
    n, grid = 5, scalapack.Grid(comm)
    for letter, dtype in (("s", "f4"), ("d", "f8"), ("c", "c8"), ("z", "c16")):
        a, c = (Part(grid, n, n, of=lambda i, j: 1.0 + i - j, dtype=dtype) for _ in range(2))
        A, C = (scalapack.import_matrix(each.array(comm), grid) for each in (a, c))
        expected = 2 * whole(comm, a) @ whole(comm, a) + 3 * whole(comm, c)
        scalapack.call(f"p{letter}gemm", "N", "N", n, n, n, 2, A, A, numpy.int64(3), C)
        assert numpy.allclose(whole(comm, c), expected)
        if letter in "cz":  # real factors of a complex routine
            expected = 2 * whole(comm, a) @ whole(comm, a).conj().T
            scalapack.call(f"p{letter}herk", "U", "N", n, n, 2, A, 0, C)
            assert numpy.allclose(numpy.triu(whole(comm, c)), numpy.triu(expected))
    # Integers in memory of NumPy, and a matrix by its parts.
    A = scalapack.import_matrix(Part(grid, n, n).array(comm), grid)
    scalapack.call("pdlaset", "A", numpy.array([n], "int32"), n, 0, 1, A)
    if A.inside:
        scalapack.call("pdpotrf", "L", n, A.data, 1, 1, A.desc)
    assert A.data.sum() == len(set(Part(grid, n, n).i) & set(Part(grid, n, n).j))


def test_routines_that_are_not_in_the_table(comm):
    grid = scalapack.Grid(comm)
    A = scalapack.import_matrix(Part(grid, 4, 4, of=lambda i, j: 0.0).array(comm), grid)
    scalapack.call("pdelset", A.data, 2, 3, A.desc, 5.0)
    assert comm.allreduce(A.data.sum()) == 5.0
    with pytest.raises(daptor.InvalidArgument, match="argument 2 of pdelset.*list"):
        scalapack.call("pdelset", A.data, [2], 3, A.desc, 5.0)


def small_grid(comm):
    """Leaves processes outside, where there are more than two."""
    return scalapack.Grid(comm, 1, min(2, comm.size))


def singular(comm, grid):
    rows = daptor.block(numpy.ones((2 if comm.rank == 0 else 0, 2)), comm)
    right = daptor.block(numpy.ones((2 if comm.rank == 0 else 0, 1)), comm)
    return [scalapack.copy_to_matrix(each, grid, 1) for each in (rows, right)]


def test_info_is_an_error_on_all_ranks(comm):
    grid = small_grid(comm)
    A, B = singular(comm, grid)
    pivots = numpy.zeros(8, "int32")
    error = refused(comm, "library.scalapack",
                    lambda: scalapack.call("pdgesv", 2, 1, A, pivots, B))
    assert isinstance(error, daptor.LibraryFailed)
    assert "info = 2: U(2, 2) is exactly 0, so the matrix is singular" in str(error), str(error)
    # All ranks are here.
    assert daptor.validate(daptor.zeros(4, comm))


def test_a_positive_info_may_be_a_result(comm):
    A, B = singular(comm, small_grid(comm))
    pivots = numpy.zeros(8, "int32")
    assert scalapack.call("pdgesv", 2, 1, A, pivots, B, positive="result") == 2
    scalapack.copy_from_matrix(B, daptor.zeros((2, 1), comm))
    # A matrix that is imported is one of the grid's processes alone.
    grid = small_grid(comm)
    array = daptor.zeros((2, 2), grid.inside_comm, order="F") if grid.inside else None
    if array is not None:
        array = array.redistributed(daptor.layout.block_cyclic((1, 1), (grid.rows, grid.columns)))
    M = scalapack.import_matrix(array, grid)
    assert scalapack.call("pdpotrf", "L", 2, M, positive="result") == (1 if grid.inside else 0)


def test_info_of_an_argument_names_it(comm):
    grid = scalapack.Grid(comm)
    desc = [1, grid.context, 6, 6, 2, 3, 0, 0, 6]
    memory = numpy.zeros((6, len(indices(6, 3, grid.column, grid.columns))), order="F")
    A = scalapack.import_matrix(scalapack.export_matrix(desc, memory, comm), grid)
    error = refused(comm, "library.scalapack", lambda: scalapack.call(
        "pdgetrf", 6, 6, A, numpy.zeros(20, "int32")))
    assert "info = -606: NB_ of DESCA (argument 6)" in str(error), str(error)
    assert "square blocks" in error.finding.remedy
    assert "daptor.scalapack.copy_to_matrix(a, grid)" in error.finding.remedy


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
    assert call in error.finding.remedy and "same value" in error.finding.remedy
    matrix = eval(call, {"daptor": daptor, "a": a, "grid": grid})
    home = daptor.zeros(comm.size + 1, comm)
    scalapack.copy_from_matrix(matrix, home)
    gathered = numpy.concatenate(comm.allgather(numpy.asarray(home)))
    assert (gathered == numpy.arange(comm.size + 1)).all()


def test_info_is_an_error(comm):
    grid = scalapack.Grid(comm)
    A = scalapack.import_matrix(Part(grid, 4, 4, of=lambda i, j: 0.0).array(comm), grid)
    with pytest.raises(daptor.LibraryFailed, match="pdpotrf.*info = 1"):
        scalapack.call("pdpotrf", "L", 4, A)


def test_the_library_for_functions(comm):
    import ctypes
    number = [ctypes.byref(ctypes.c_int(i)) for i in (23, 2, 1, 0, 3)]
    assert scalapack.library().numroc_(*number) == 8
