# SPDX-License-Identifier: BSD-3-Clause
"""daptor.scalapack.call(): routines of ScaLAPACK in the memory of NumPy."""

import numpy
import pytest

import daptor
from daptor import scalapack
from scalapack_support import Part, entry, indices, refused, whole
from support import address


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


def test_petsc_is_told_of_what_call_has_written(comm):
    PETSc = pytest.importorskip("petsc4py.PETSc")
    if PETSc.ScalarType != numpy.float64:
        pytest.skip("a PETSc of complex numbers")
    n, grid = 4 * comm.size, scalapack.Grid(comm, comm.size, 1)
    a, b = (daptor.block(numpy.ones(4), comm) for _ in range(2))
    x, y = a.to_petsc(), b.to_petsc()
    A, B = (scalapack.import_matrix(each, grid, readonly=each is b) for each in (a, b))
    assert abs(x.norm() - n**0.5) < 1e-12
    states = x.stateGet(), y.stateGet()
    scalapack.call("pdaxpy", n, 2.0, B, 1, A, 1)
    assert x.stateGet() > states[0] and y.stateGet() == states[1]
    assert abs(x.norm() - 3 * n**0.5) < 1e-12


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
                                ("pdgetrf", 5, 5, A, numpy.ma.zeros(9, "int32")),
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


def test_lengths_are_those_of_the_routines_own_matrix(comm):
    """TAU has the blocks of A, the first matrix, and not those of C, also if A comes in parts."""
    n, grid = 12, scalapack.Grid(comm)
    rows = daptor.block(numpy.eye(n)[comm.rank::comm.size], comm)
    A, C = (scalapack.copy_to_matrix(rows, grid, blocks) for blocks in ((4, 4), (4, 1)))
    if not A.inside:
        return
    tau, work = numpy.zeros(A.local_shape[1]), numpy.zeros(2000)
    for passed in ((A,), (A.data, 1, 1, A.desc)):
        scalapack.call("pdgeqrf", n, n, *passed, tau, work, work.size)
        scalapack.call("pdormqr", "L", "N", n, n, n, *passed, tau, C, work, work.size)


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
        error = refused(comm, "collective.different",
                        lambda: scalapack.call(*calls[min(comm.rank, 1)]))
        assert error.finding.key == "routine"
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


def read(comm, part, extents):
    """The first rows and columns of a matrix; of no elements, if one of the extents is 0."""
    return whole(comm, part)[:extents[0], :extents[1]] if min(extents) else numpy.zeros(extents)


def test_products_of_random_extents(comm):
    """Parts of random matrices: refused where the PBLAS would end the program, otherwise right."""
    grid, rng = scalapack.Grid(comm), numpy.random.default_rng(5)
    fitted = 0
    for _ in range(30):
        m, n, k = (int(extent) for extent in rng.integers(0, 5, 3))
        trans = [str(letter) for letter in rng.choice(["N", "t", "C"], 2)]
        wanted = [(m, k) if trans[0] == "N" else (k, m), (k, n) if trans[1] == "N" else (n, k),
                  (m, n)]
        shapes = [tuple(int(extent) for extent in numpy.maximum(1, numpy.add(
            want, rng.choice([0, 0, 1, -1], 2)))) for want in wanted]
        a, b, c = (Part(grid, *shape, of=lambda i, j: 1.0 + i - 0.5 * j) for shape in shapes)
        A, B, C = (scalapack.import_matrix(each.array(comm), grid) for each in (a, b, c))
        arguments = ["pdgemm", *trans, m, n, k, 2, A, B, 0.5, C]
        # Where nothing is read, nothing has to be there.
        if any(min(want) > 0 and (shape[0] < want[0] or shape[1] < want[1])
               for shape, want in zip(shapes, wanted)):
            refused(comm, "argument", lambda: scalapack.call(*arguments))
            continue
        left, right = (read(comm, part, want) for part, want in zip((a, b), wanted))
        expected = whole(comm, c)
        if m > 0 and n > 0:
            expected[:m, :n] = 0.5 * expected[:m, :n] + 2 * (
                (left if trans[0] == "N" else left.T) @ (right if trans[1] == "N" else right.T))
        scalapack.call(*arguments)
        assert numpy.allclose(whole(comm, c), expected)
        fitted += 1
    assert 3 < fitted < 27


def test_what_would_end_the_program(comm):
    grid = scalapack.Grid(comm)
    A = scalapack.import_matrix(Part(grid, 4, 3).array(comm), grid)
    S = scalapack.import_matrix(Part(grid, 3, 3).array(comm), grid)
    Z = scalapack.import_matrix(Part(grid, 3, 3, dtype="c16").array(comm), grid)
    for key, arguments in (
            ("UPLO", ["pdsyrk", "F", "N", 3, 3, 1, S, 0, S]),
            ("SIDE", ["pdsymm", "X", "U", 3, 3, 1, S, S, 0, S]),
            ("DIAG", ["pdtrsm", "L", "U", "N", "X", 3, 3, 1, S, S]),
            ("TRANS", ["pzherk", "U", "T", 3, 3, 1, Z, 0, Z]),
            ("TRANS", ["pzsyrk", "U", "C", 3, 3, 1, Z, 0, Z]), ("N", ["pdscal", -1, 2, A, 1]),
            ("INCX", ["pdscal", 3, 2, A, 2]), ("X", ["pdscal", 5, 2, A, 1]),
            ("X", ["pdscal", 4, 2, A, 4]), ("A", ["pdsyrk", "U", "N", 3, 4, 1, S, 0, S]),
            ("A", ["pdtrsm", "R", "U", "N", "N", 3, 4, 1, S, A]),
            ("Y", ["pdgemv", "T", 4, 3, 1, A, S, 1, 0, S, 4]),
            ("A", ["pdtran", 3, 4, 1, S, 0, A])):
        error = refused(comm, "argument", lambda: scalapack.call(*arguments))
        assert error.finding.key == f"{key} of {arguments[0]}" or key == "Y", str(error)
    scalapack.call("pdscal", 3, 2, A, 4)  # a row
    scalapack.call("pdgemv", "T", 4, 3, 1, A, A, 1, 0, S, 1)
    if S.inside and comm.size == 1:
        refused(comm, "argument", lambda: scalapack.call(
            "pdscal", 3, 2.0, S.data, 2, 1, S.desc, 1))


def test_values_that_differ_between_ranks(comm):
    if comm.size == 1:
        pytest.skip("one rank")
    grid = scalapack.Grid(comm)
    for at in {0, comm.size - 1}:
        here = comm.rank == at
        A = scalapack.import_matrix(Part(grid, 4, 4).array(comm), grid)
        for arguments in (["pdpotrf", "L" if here else "U", 4, A],
                          ["pdpotrf", "L", 3 if here else 4, A],
                          ["pdlaset", "A", 4, 4, 1.0 if here else 2, 0, A]):
            error = refused(comm, "collective.different", lambda: scalapack.call(*arguments))
            assert error.finding.key == "arguments"
        scalapack.call("pdlaset", "A", 4, 4, numpy.float64(1) if here else 1, 0, A)


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


def test_info_is_an_error(comm):
    grid = scalapack.Grid(comm)
    A = scalapack.import_matrix(Part(grid, 4, 4, of=lambda i, j: 0.0).array(comm), grid)
    with pytest.raises(daptor.LibraryFailed, match="pdpotrf.*info = 1"):
        scalapack.call("pdpotrf", "L", 4, A)


def test_the_library_for_functions(comm):
    import ctypes
    number = [ctypes.byref(ctypes.c_int(i)) for i in (23, 2, 1, 0, 3)]
    assert scalapack.library().numroc_(*number) == 8
