# SPDX-License-Identifier: BSD-3-Clause
"""MueLu and Ifpack2 on NumPy's memory: against NumPy, in one's own CG, in petsc4py and in SciPy."""

import numpy
import pytest
from petsc4py import PETSc

import daptor
from support import raised, same_on_all

scipy_sparse = pytest.importorskip("scipy.sparse")
SCALAR = numpy.dtype(PETSc.ScalarType)


def poisson(m, unknowns=1):
    """Returns the five-point Laplacian of an m x m grid, for each of the unknowns of a node."""
    line = scipy_sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(m, m))
    one = scipy_sparse.identity(m)
    laplacian = scipy_sparse.kron(line, one) + scipy_sparse.kron(one, line)
    return scipy_sparse.kron(laplacian, scipy_sparse.identity(unknowns)).tocsr().astype(SCALAR)


def range_of(n, comm, unknowns=1):
    """Returns an uneven range of rows of this rank, of whole nodes."""
    nodes = n // unknowns
    ends = [unknowns * (nodes * rank * (rank + 1) // (comm.size * (comm.size + 1)))
            for rank in range(comm.size + 1)]
    return ends[comm.rank], ends[comm.rank + 1]


def rows_of(whole, comm, unknowns=1):
    first, last = range_of(whole.shape[0], comm, unknowns)
    return daptor.csr(whole[first:last], comm)


def iterations(comm, whole, M):
    """Returns how many iterations of one's own CG a solve takes, and checks the solution."""
    first, last = range_of(whole.shape[0], comm)

    def dot(a, b):
        return comm.allreduce(a @ b)

    def multiply(p):
        return whole[first:last] @ numpy.concatenate(comm.allgather(p))

    x = numpy.zeros(last - first, SCALAR)
    r = numpy.ones_like(x)
    z = numpy.empty_like(r)
    M.apply(r, z)
    p, rz, count = z.copy(), dot(r, z), 0
    while dot(r, r) > 1e-16 * whole.shape[0]:
        q = multiply(p)
        alpha = rz / dot(p, q)
        x += alpha * p
        r -= alpha * q
        M.apply(r, z)
        rz, former = dot(r, z), rz
        p = z + rz / former * p
        count += 1
        assert count < 100
    assert abs(multiply(x) - 1).max() < 1e-6
    return count


def test_in_conjugate_gradients_of_ones_own(comm):
    whole = poisson(60)
    with daptor.muelu(rows_of(whole, comm)) as M:
        assert M.shape == whole.shape and M.dtype == SCALAR and "3600 rows" in repr(M)
        assert iterations(comm, whole, M) < 15
    assert "closed" in repr(M)
    error = raised(lambda: M.apply(numpy.zeros(1), numpy.zeros(1)))
    assert "closed" in str(error) and same_on_all(comm, error)


def test_the_options_reach_muelu(comm):
    whole = poisson(60)
    counts = []
    for options in ({"smoother: params": {"relaxation: sweeps": 1}},
                    {"smoother: params": {"relaxation: sweeps": 4}, "max levels": 3},
                    {"smoother: type": "CHEBYSHEV", "sa: damping factor": 1.33,
                     "smoother: params": {"chebyshev: degree": 1}}):
        with daptor.muelu(rows_of(whole, comm), options=options,
                          coarse={"pc_type": "redundant"}) as M:
            counts.append(iterations(comm, whole, M))
    assert counts[1] < counts[0] < counts[2]


@pytest.mark.parametrize("kind, options", [
    ("DIAGONAL", None), ("RELAXATION", {"relaxation: type": "Jacobi"}),
    ("RELAXATION", {"relaxation: type": "Jacobi", "relaxation: damping factor": 0.5})])
def test_ifpack2_against_numpy(comm, kind, options):
    rng = numpy.random.default_rng(comm.rank)
    whole = poisson(12) + scipy_sparse.diags(numpy.arange(144.0))
    first, last = range_of(144, comm)
    damping = (options or {}).get("relaxation: damping factor", 1.0)
    with daptor.ifpack2(rows_of(whole.tocsr(), comm), kind, options=options) as M:
        for _ in range(3):
            x = rng.random(last - first).astype(SCALAR)
            y = numpy.full_like(x, numpy.nan)
            M.apply(x, y)
            assert numpy.allclose(y, damping * x / whole.diagonal()[first:last])
            assert numpy.array_equal(M @ x, y)


def test_arrays(comm):
    """Interiors of Arrays, of which native objects learn."""
    whole = poisson(12)
    first, last = range_of(144, comm)
    x = daptor.block(numpy.ones(last - first, SCALAR), comm)
    y = daptor.zeros_like(x)
    vec = y.to_petsc()
    assert vec.norm() == 0
    with daptor.ifpack2(rows_of(whole, comm), "DIAGONAL") as M:
        M.apply(x, y)
        assert abs(vec.norm() - 12 / 4) < 1e-12
    vec.destroy()


def test_arrays_of_other_elements_than_the_rows(comm, rank, size):
    """They are refused; lists and several unknowns at a node are taken where they are the rows."""
    whole = poisson(12)
    first, last = range_of(144, comm)
    n = last - first
    right = numpy.arange(first, last).astype(SCALAR)
    y = numpy.empty(n, SCALAR)
    M = daptor.ifpack2(rows_of(whole, comm), "DIAGONAL")
    listed = daptor.unstructured(right.copy(), numpy.arange(first, last), comm, size=144)
    pairs = daptor.block(right.reshape(-1, 2), comm) if not any(comm.allgather(n % 2)) else right
    for x in listed, pairs:
        M.apply(x, y)
        assert numpy.allclose(y, right / 4) and numpy.allclose((M @ x).ravel(), right / 4)
    turned = daptor.unstructured(right.copy(), numpy.arange(first, last)[::-1].copy(), comm,
                                 size=144)
    by_columns = daptor.zeros((12, 12), comm, dtype=SCALAR, grid=(1, size))
    wrongs = [turned] if max(comm.allgather(n)) > 1 else []
    wrongs += [by_columns] if size > 1 else []
    for x in wrongs:
        for call in (lambda: M.apply(x, y), lambda: M.apply(right, x), lambda: M @ x,
                     lambda: daptor.muelu(rows_of(whole, comm), nullspace=[x])):
            error = raised(call)
            assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
    M.close()
    if size > 1:  # as many vectors on all ranks
        error = raised(lambda: daptor.muelu(rows_of(whole, comm),
                                            nullspace=numpy.ones((n, 1 + rank % 2))))
        assert error.rule == "collective.different" and same_on_all(comm, error)


def test_a_matrix_of_petsc_stays_as_it_is(comm):
    """In a PC of type python it takes as many iterations as the plug-in's own type."""
    whole = poisson(60)
    mat = rows_of(whole, comm).to_petsc(copy=True)
    before = mat.getNearNullSpace().handle
    counts = []
    with daptor.muelu(mat, nullspace=numpy.ones(mat.getLocalSize()[0])) as M:
        assert mat.getNearNullSpace().handle == before
        for kind in ("python", "muelu"):
            ksp = PETSc.KSP().create(comm)
            ksp.setOperators(mat)
            ksp.setType("cg")
            ksp.pc.setType(kind)
            if kind == "python":
                ksp.pc.setPythonContext(M)
            b, x = mat.createVecs()
            b.set(1.0)
            ksp.solve(b, x)
            assert ksp.getConvergedReason() > 0
            counts.append(ksp.getIterationNumber())
            for thing in (ksp, b, x):
                thing.destroy()
        assert repr(M).startswith("<daptor.Preconditioner muelu: 3600")
    assert counts[0] == counts[1] and mat.norm() > 0
    mat.destroy()


def test_scipy_on_one_rank(comm):
    if comm.size > 1:
        pytest.skip("SciPy's solvers work on one rank")
    linalg = pytest.importorskip("scipy.sparse.linalg")
    whole = poisson(60)
    steps = []
    M = daptor.muelu(daptor.csr(whole, comm))
    x, info = linalg.cg(whole, numpy.ones(3600), M=M, callback=steps.append)
    assert info == 0 and len(steps) < 15
    columns = numpy.ones((3600, 1))
    assert linalg.aslinearoperator(M).matvec(columns).shape == (3600, 1)
    M.close()


def test_near_null_vectors_and_block_size(comm):
    """Two coupled unknowns of each node. MueLu is symmetric, and knows the vectors."""
    rng = numpy.random.default_rng(7)
    turn = numpy.array([[0.8, -0.6], [0.6, 0.8]])
    middle = scipy_sparse.kron(scipy_sparse.identity(1600), turn)
    scale = scipy_sparse.kron(scipy_sparse.identity(1600), numpy.diag([1.0, 30.0]))
    whole = (middle @ scale @ poisson(40, 2) @ scale @ middle.T).tocsr()
    first, last = range_of(3200, comm, 2)
    modes = (middle @ scipy_sparse.linalg.inv(scale.tocsc())
             @ numpy.kron(numpy.ones((1600, 1)), numpy.eye(2)))[first:last]
    x, y = rng.random((2, 3200)).astype(SCALAR)[:, first:last]
    counts = []
    for given in ({"nullspace": modes, "block_size": 2}, {"nullspace": list(modes.T)}, {}):
        A = rows_of(whole, comm, 2)
        with daptor.muelu(A, **given) as M:
            left, right = comm.allreduce((M @ x) @ y), comm.allreduce(x @ (M @ y))
            assert abs(left - right) < 1e-8 * abs(left)
            ksp = PETSc.KSP().create(comm)
            mat = A.to_petsc(copy=True)
            ksp.setOperators(mat)
            ksp.setType("cg")
            ksp.pc.setType("python")
            ksp.pc.setPythonContext(M)
            b, z = mat.createVecs()
            b.array[:] = x
            ksp.solve(b, z)
            assert ksp.getConvergedReason() > 0
            counts.append(ksp.getIterationNumber())
            for thing in (ksp, b, z, mat):
                thing.destroy()
    assert counts[0] < counts[2]
    grid = numpy.indices((40, 40)).reshape(2, -1).T[first // 2:last // 2].astype(float)
    with daptor.muelu(rows_of(poisson(40, 2), comm, 2), block_size=2, coordinates=grid) as M:
        assert M.shape == (3200, 3200)


def test_new_values(comm):
    whole = poisson(30)
    A = rows_of(whole, comm)
    mat = rows_of(whole, comm).to_petsc(copy=True)
    first, last = range_of(900, comm)
    x = numpy.ones(last - first, SCALAR)
    for matrix in (A, mat):
        with daptor.muelu(matrix, nullspace=[x]) as M:
            before = M @ x
            if matrix is A:
                A.values.interior[...] *= 2
            else:
                mat.scale(2.0)
            assert numpy.array_equal(M @ x, before)
            M.update()
            assert numpy.allclose(M @ x, before / 2, rtol=1e-10)
    mat.destroy()


def test_on_some_ranks_and_without_rows(comm, rank, size):
    whole = poisson(20)
    some = comm.Split(rank % 2)
    for part, count in ((some, some.size), (comm, max(1, size - 1))):
        if part is some and rank % 2:
            continue
        at = part.rank - (part.size - count)  # -1 of a rank without rows
        first, last = (400 * max(0, each) // count for each in (at, at + 1))
        A = daptor.csr(whole[first:last], part)
        x = numpy.ones(last - first, SCALAR)
        with daptor.ifpack2(A, "DIAGONAL") as M:
            assert numpy.allclose(M @ x, x / 4)
        with daptor.muelu(A, nullspace=x) as M:
            assert numpy.isfinite(part.allreduce((M @ x).sum())) and M.shape == (400, 400)
    some.Free()


def test_wrong_vectors_on_one_rank(comm, rank, size):
    whole = poisson(12)
    first, last = range_of(144, comm)
    n = last - first
    with daptor.ifpack2(rows_of(whole, comm), "DIAGONAL") as M:
        fixed = numpy.ones(n, SCALAR)
        fixed.flags.writeable = False
        shared = numpy.ones(n, SCALAR)
        for wrong, key in (((numpy.ones(n + 1, SCALAR), None), "x"),
                           ((numpy.ones(n, "f4"), None), "x"), (([1.0] * n, None), "x"),
                           ((numpy.ones(2 * n + 2, SCALAR)[:2 * n:2], None), "x"),
                           ((None, fixed), "y"), ((shared, shared), "y"), ((None, 3.0), "y")):
            if n <= 1:
                continue
            for at in {0, size - 1}:
                x, y = (each if each is not None and rank == at else numpy.ones(n, SCALAR)
                        for each in wrong)
                error = raised(lambda: M.apply(x, y))
                assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
                assert error.finding.key == key and error.rank == at
        M.apply(fixed, shared)
        error = raised(lambda: M.apply(fixed))
        assert same_on_all(comm, error)


def test_wrong_arguments_on_one_rank(comm, rank, size):
    whole = poisson(12)
    n = range_of(144, comm)[1] - range_of(144, comm)[0]
    A = rows_of(whole, comm)
    wrongs = [("muelu", {"options": {"max levels": None}}), ("muelu", {"options": ["a"]}),
              ("muelu", {"options": {"a=b": 1}}), ("muelu", {"options": {"max levels": 3}}),
              ("muelu", {"coarse": {"pc_type": "lu"}}), ("muelu", {"block_size": 5.5}),
              ("muelu", {"block_size": 0}), ("muelu", {"nullspace": numpy.ones(n + 1)}),
              ("muelu", {"nullspace": "ones"}), ("muelu", {"coordinates": numpy.ones(n)}),
              ("ifpack2", {"kind": 3})]
    different = ({"options": {"max levels": 3}}, {"coarse": {"pc_type": "lu"}})  # between ranks
    for name, wrong in wrongs:
        for at in {0, size - 1}:
            if size == 1 and wrong in different:
                continue
            right = {key: numpy.ones((n, 1)) for key in wrong
                     if key in ("nullspace", "coordinates")}
            error = raised(lambda: getattr(daptor, name)(A, **(wrong if rank == at else right)))
            assert same_on_all(comm, error), (name, wrong, error)
    for wrong in (None, numpy.eye(3), PETSc.Mat(), whole):
        assert isinstance(raised(lambda: daptor.muelu(wrong)), daptor.InvalidArgument)


def said_by_petsc4py(function, *arguments):
    """The message of Daptor in an error of petsc4py."""
    with pytest.raises(PETSc.Error) as caught:
        function(*arguments)
    lines = [line for line in str(caught.value).splitlines() if " daptor: " in line]
    assert len(lines) == 1, caught.value
    return lines[0].partition(" daptor: ")[2]


def test_messages_of_the_plugin_in_petsc4py(comm, rank, size):
    """They name what petsc4py has, and what they say to do helps."""
    whole = poisson(12)
    A = rows_of(whole, comm)
    daptor.ifpack2(A, "DIAGONAL").close()  # loads the plug-in
    mat = A.to_petsc(copy=True)
    n = mat.getLocalSize()[0]

    def solver(matrix, kind, **options):
        database = PETSc.Options()
        made = PETSc.KSP().create(comm)
        made.setOperators(matrix)
        made.pc.setType(kind)
        for name, value in options.items():
            database[name] = value
        try:
            made.setFromOptions()
        finally:
            for name in options:
                database.delValue(name)
        return made

    dense = mat.convert("dense", PETSc.Mat())
    assert said_by_petsc4py(solver(dense, "muelu").setUp).endswith(
        "Convert it first with B = A.convert('aij', PETSc.Mat()), and pass B.")
    solver(dense.convert("aij", PETSc.Mat()), "muelu").setUp()

    started = PETSc.Mat().createAIJ(((n, 144), (n, 144)), nnz=1, comm=comm)
    assert "Mat.assemble" in said_by_petsc4py(solver(started, "ifpack2").setUp)
    started.assemble()
    wide = PETSc.Mat().createAIJ(((n, 144), (2 * n, 288)), nnz=1, comm=comm)
    wide.assemble()
    assert "KSP.setOperators" in said_by_petsc4py(solver(wide, "muelu").setUp)
    ksp = solver(mat, "muelu")
    ksp.pc.setCoordinates(numpy.zeros((n + 1, 2)))
    assert "PC.setCoordinates" in said_by_petsc4py(ksp.setUp)
    ksp = solver(mat, "ifpack2", pc_ifpack2_type="CHEBYSHEV")
    ksp.setUp()
    x, y = mat.createVecs()
    assert "Mat.setOption" in said_by_petsc4py(ksp.pc.applyTranspose, x, y)
    if size > 1:
        text = said_by_petsc4py(lambda: solver(mat, "ifpack2", pc_ifpack2_sweeps=1 + rank))
        assert text.startswith("trilinos.option error, rank 1")


def test_matrices_that_cannot_be_used(comm):
    whole = poisson(12).tolil()
    whole[100, 100] = 0
    error = raised(lambda: daptor.ifpack2(rows_of(whole.tocsr(), comm), "RELAXATION"))
    assert error.rule == "matrix.diagonal" and isinstance(error, daptor.InvalidArgument)
    assert same_on_all(comm, error)
    # MueLu would write past its arrays, 145 being no divisor of any rank's rows.
    for options in ({"number of equations": 145}, {"level 0": {"number of equations": 145}}):
        error = raised(lambda: daptor.muelu(rows_of(poisson(12), comm), options=options))
        assert error.rule == "trilinos.parameter" and same_on_all(comm, error)
        assert "a divisor of the number of each process's rows" in str(error)
    error = raised(lambda: daptor.ifpack2(rows_of(poisson(12), comm), "SUCH"))
    assert error.rule == "library.ifpack2" and isinstance(error, daptor.LibraryFailed)
    n = range_of(144, comm)[1] - range_of(144, comm)[0]
    error = raised(lambda: daptor.muelu(rows_of(poisson(12), comm), nullspace=numpy.ones((n, 2))))
    assert error.finding.key == "nullspace" and same_on_all(comm, error)
    wide = scipy_sparse.hstack([poisson(12), poisson(12)]).tocsr()
    error = raised(lambda: daptor.muelu(rows_of(wide, comm)))
    assert error.finding.key == "matrix" and same_on_all(comm, error)
