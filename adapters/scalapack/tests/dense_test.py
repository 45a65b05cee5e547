# SPDX-License-Identifier: BSD-3-Clause
"""Dense linear algebra of daptor.scalapack against NumPy's of the whole matrix."""

import itertools

import numpy
import pytest
from mpi4py import MPI

import daptor
import layouts
from daptor import scalapack
from scalapack_support import refused
from support import raised, same_on_all, share

KINDS = ["f4", "f8", "c8", "c16"]
SIZES = [1, 5, 23]
# Of either form, and with one row or column.
SHAPES = [(1, 1), (5, 5), (23, 23), (11, 4), (4, 11), (1, 7), (7, 1)]


@pytest.fixture(params=[3, 64])
def block(request, monkeypatch):
    """Many blocks on each process, and blocks that are larger than the matrix."""
    monkeypatch.setattr(daptor.scalapack.dense, "_LARGEST_BLOCK", request.param)
    monkeypatch.setattr(daptor.scalapack.dense, "_SMALLEST_BLOCK", min(request.param, 8))
    return request.param


def numbers(random, shape, kind):
    values = random.standard_normal(shape)
    if numpy.dtype(kind).kind == "c":
        values = values + 1j * random.standard_normal(shape)
    return values.astype(kind)


def cases(comm, block, shapes):
    """For each shape a random whole matrix of some type, and a layout for any matrix of that."""
    random = numpy.random.default_rng([comm.size, block])
    for number, shape in enumerate(shapes):
        yield random, numbers(random, shape, KINDS[(number + block) % 4])


def divided(comm, random, whole, layout=None):
    """The matrix in a random layout; ghosts need as many rows as there are ranks."""
    if layout is None:
        known = [each for each in layouts.LAYOUTS
                 if min(whole.shape) >= 2 * comm.size or each is not layouts.ghosts]
        layout = known[random.integers(len(known))]
    return layouts.filled(layout, comm, random, whole)


def gathered(comm, a):
    return comm.bcast(daptor.gather(a))


def close(result, expected, whole=None):
    single = expected.dtype in ("f4", "c8")
    scale = max(1.0, numpy.abs(expected if whole is None else whole).max(initial=0))
    assert result.dtype == expected.dtype and result.shape == expected.shape
    assert numpy.allclose(result, expected, rtol=0, atol=(2e-4 if single else 1e-10) * scale)


def everywhere(comm, *values):
    """Whether all ranks have the same digits."""
    return len(set(comm.allgather(b"".join(each.tobytes() for each in values)))) == 1


def unchanged(comm, a, whole):
    assert (gathered(comm, a) == whole).all()


def test_solve(comm, block):
    for random, whole in cases(comm, block, [(n, n) for n in SIZES]):
        whole += len(whole) * numpy.eye(len(whole), dtype=whole.dtype)
        a = divided(comm, random, whole)
        for shape in ((len(whole),), (len(whole), 1), (len(whole), 4)):
            right = numbers(random, shape, whole.dtype)
            b = divided(comm, random, right)
            x = scalapack.solve(a, b)
            close(gathered(comm, x), numpy.linalg.solve(whole, right))
            assert x.interior.shape == b.interior.shape and daptor._daptor._divided_alike(x, b)
            unchanged(comm, b, right)
        unchanged(comm, a, whole)


def test_cholesky_and_eigh(comm, block):
    for random, whole in cases(comm, block, [(n, n) for n in SIZES]):
        definite = whole @ whole.conj().T + len(whole) * numpy.eye(len(whole), dtype=whole.dtype)
        for upper in (False, True):
            # The other triangle is not read.
            half = numpy.triu(definite) if upper else numpy.tril(definite)
            half += numpy.tril(whole, -1) if upper else numpy.triu(whole, 1)
            a = divided(comm, random, half)
            factor = numpy.linalg.cholesky(definite)
            factor = factor.conj().T if upper else factor
            result = scalapack.cholesky(a, upper=upper)
            close(gathered(comm, result), factor)
            assert (gathered(comm, result) == numpy.where(factor == 0, 0,
                                                          gathered(comm, result))).all()
            w, v = scalapack.eigh(a, UPLO="U" if upper else "L")
            close(w, numpy.linalg.eigvalsh(definite), definite)
            vectors = gathered(comm, v)
            close(definite @ vectors, vectors * w, definite)
            close(vectors.conj().T @ vectors, numpy.eye(len(whole), dtype=whole.dtype))
            assert everywhere(comm, w)
            unchanged(comm, a, half)


def test_svd(comm, block):
    for random, whole in cases(comm, block, SHAPES):
        a, k = divided(comm, random, whole), min(whole.shape)
        expected = numpy.linalg.svd(whole, compute_uv=False)
        close(scalapack.svd(a, compute_uv=False), expected)
        for full in (False, True):
            result = scalapack.svd(a, full_matrices=full)
            u, vh = gathered(comm, result.U), gathered(comm, result.Vh)
            shapes = [each.shape for each in numpy.linalg.svd(whole, full_matrices=full)]
            assert [u.shape, result.S.shape, vh.shape] == shapes
            close(result.S, expected)
            close((u[:, :k] * result.S) @ vh[:k], whole)
            close(u.conj().T @ u, numpy.eye(u.shape[1], dtype=u.dtype))
            close(vh @ vh.conj().T, numpy.eye(vh.shape[0], dtype=vh.dtype))
        unchanged(comm, a, whole)


def test_qr(comm, block):
    for random, whole in cases(comm, block, SHAPES):
        a = divided(comm, random, whole)
        for mode in ("reduced", "complete"):
            result = scalapack.qr(a, mode)
            q, r = gathered(comm, result.Q), gathered(comm, result.R)
            assert [q.shape, r.shape] == [each.shape for each in numpy.linalg.qr(whole, mode)]
            close(q @ r, whole)
            close(q.conj().T @ q, numpy.eye(q.shape[1], dtype=q.dtype))
            assert (numpy.tril(r, -1) == 0).all()
        close(gathered(comm, scalapack.qr(a, mode="r")), r[:min(whole.shape)])
        unchanged(comm, a, whole)


def test_lstsq(comm, block):
    for random, whole in cases(comm, block, SHAPES):
        if min(whole.shape) > 3:
            whole[:, 1] = whole[:, 0] if random.integers(2) else whole[:, 1]
        a = divided(comm, random, whole)
        for shape in ((len(whole),), (len(whole), 3)):
            right = numbers(random, shape, whole.dtype)
            b = divided(comm, random, right)
            for rcond in (None, 0.3):
                x, residuals, rank, s = scalapack.lstsq(a, b, rcond)
                expected = numpy.linalg.lstsq(whole, right, rcond)
                assert rank == expected[2] and everywhere(comm, residuals, s)
                close(gathered(comm, x), expected[0])
                close(residuals, expected[1])
                close(s, expected[3])
            unchanged(comm, b, right)


def test_types_meet_as_numpy_has_it(comm):
    whole, right = numpy.eye(4, dtype="c8") * 2, numpy.arange(4.0)
    a, b = daptor.scatter(whole, like=daptor.zeros((4, 4), comm, dtype="c8")), \
        daptor.scatter(right, like=daptor.zeros(4, comm))
    x = scalapack.solve(a, b)
    close(gathered(comm, x), numpy.linalg.solve(whole, right))
    assert x.dtype == "c16"


def test_matrices_that_have_no_answer(comm):
    for kind, n in itertools.product(KINDS, (1, 6)):
        a, b = daptor.zeros((n, n), comm, dtype=kind), daptor.zeros(n, comm, dtype=kind)
        if kind == "f8":
            b = daptor.zeros((n, 0), comm)
        for function in (lambda: scalapack.solve(a, b), lambda: scalapack.cholesky(a)):
            error = raised(function)
            assert isinstance(error, scalapack.LinAlgError) and error.rule == "library.scalapack"
            assert isinstance(error, (daptor.LibraryFailed, numpy.linalg.LinAlgError))
            assert same_on_all(comm, error)


def test_cholesky_of_what_is_not_finite(comm):
    """In the triangle that is read."""
    whole = numpy.eye(6)
    whole[0, 5] = numpy.nan
    a = daptor.from_function(lambda i, j: whole[i, j], (6, 6), comm)
    close(gathered(comm, scalapack.cholesky(a)), numpy.eye(6))
    refused(comm, "argument", lambda: scalapack.cholesky(a, upper=True))
    a = daptor.from_function(lambda i, j: whole.T[i, j], (6, 6), comm)
    refused(comm, "argument", lambda: scalapack.cholesky(a))
    error = raised(lambda: scalapack.cholesky(daptor.full((6, 6), -1.0, comm)))
    assert "UPLO" not in str(error) and "scalapack.solve" in error.finding.remedy


@pytest.mark.parametrize("kind", ["f4", "c16"])
def test_without_elements_as_numpy_has_it(comm, kind):
    def same(function, *shapes, **options):
        wholes = [numpy.ones(shape, kind) for shape in shapes]
        arrays = [daptor.full(shape, 1, comm, dtype=kind) for shape in shapes]
        results = getattr(scalapack, function)(*arrays, **options)
        if function == "lstsq":
            options["rcond"] = None
        expected = getattr(numpy.linalg, function)(*wholes, **options)
        if not isinstance(expected, tuple):
            results, expected = [results], [expected]
        for mine, theirs in zip(results, expected):
            mine = gathered(comm, mine) if isinstance(mine, daptor.Array) else mine
            if isinstance(mine, int):
                assert mine == theirs
            else:
                close(mine, theirs)

    for right in ((0,), (0, 3), (0, 0)):
        same("solve", (0, 0), right)
    same("solve", (1, 1), (1, 0))
    same("cholesky", (0, 0))
    same("eigh", (0, 0))
    for shape in ((0, 0), (0, 3), (3, 0)):
        for full in (False, True):
            same("svd", shape, full_matrices=full)
        same("svd", shape, compute_uv=False)
        for mode in ("reduced", "complete", "r"):
            same("qr", shape, mode=mode)
        for columns in ((), (2,), (0,)):
            same("lstsq", shape, (shape[0], *columns))
    same("lstsq", (1, 1), (1, 0))


def every_call(a, b):
    return (lambda: scalapack.solve(a, b), lambda: scalapack.lstsq(a, b),
            lambda: scalapack.cholesky(a), lambda: scalapack.eigh(a), lambda: scalapack.svd(a),
            lambda: scalapack.qr(a))


def test_a_fault_on_each_rank(comm):
    a, b = daptor.ones((6, 6), comm), daptor.ones(6, comm)
    wrong = daptor.ones((6, 6), comm, dtype="i4")
    for victim in range(comm.size):
        here = comm.rank == victim
        for other in (numpy.ones((6, 6)), None, wrong):
            for call in every_call(other if here else a, b):
                assert refused(comm, "argument", call).finding.key == "a"
            for call in every_call(a, other if here else b)[:2]:
                refused(comm, "argument", call)
        for call in (lambda: scalapack.cholesky(a, upper="L" if here else False),
                     lambda: scalapack.eigh(a, "X" if here else "U"),
                     lambda: scalapack.svd(a, 3 if here else True),
                     lambda: scalapack.qr(a, "full" if here else "reduced"),
                     lambda: scalapack.lstsq(a, b, "small" if here else None)):
            assert refused(comm, "argument", call).rank == victim
        a.interior[...] = numpy.nan if here else 1
        for call in [every_call(a, b)[i] for i in (1, 3, 4)]:
            error = refused(comm, "argument", call)
            assert error.finding.found == "elements that are not finite" and error.rank == victim
        a.interior[...] = 1
    if comm.size > 1:
        for call in (lambda: scalapack.cholesky(a, upper=comm.rank == 1),
                     lambda: scalapack.eigh(a, "LU"[comm.rank % 2]),
                     lambda: scalapack.svd(a, comm.rank == 1),
                     lambda: scalapack.qr(a, ("r", "complete")[comm.rank % 2]),
                     lambda: scalapack.lstsq(a, b, comm.rank)):
            refused(comm, "collective.different", call)
        alone = daptor.ones((6, 6), MPI.COMM_SELF)
        refused(comm, "collective.comm", lambda: scalapack.solve(a, alone))


@pytest.mark.parametrize("shapes, key", [
    (((5, 4), (5,)), "a"), (((5,), (5,)), "a"), (((0, 5), (0,)), "a"), (((5, 5), (4,)), "b"),
    (((5, 5), (5, 2, 2)), "b"), (((0, 0), (5, 0)), "b")])
def test_shapes_that_do_not_fit(comm, shapes, key):
    a, b = (daptor.ones(shape, comm) for shape in shapes)
    assert refused(comm, "argument", lambda: scalapack.solve(a, b)).finding.key == key


@pytest.mark.parametrize("kind, remedy", [
    ("i8", "a = a.astype('float64')"), (">f4", "a = a.astype('float32')"),
    ("?", "a = a.astype('float64')"), (">c16", "a = a.astype('complex128')")])
def test_types_that_do_not_fit(comm, kind, remedy):
    a, b = daptor.ones((5, 5), comm, dtype=kind), daptor.ones(5, comm)
    assert remedy in str(refused(comm, "argument", lambda: scalapack.solve(a, b)))
    right = a.astype(remedy.split("'")[1])
    assert raised(lambda: scalapack.solve(right, b)).rule == "library.scalapack"
    z = daptor.ones(5, comm, dtype="c16")
    assert "astype" in str(refused(comm, "argument",
                                   lambda: scalapack.solve(daptor.ones((5, 5), comm), z)))


@pytest.mark.parametrize("name", ["solve", "lstsq", "cholesky", "eigh", "svd", "qr"])
def test_numpy_names_the_function(comm, name):
    a = daptor.ones((2, 2), comm)
    arguments = [a, a] if name in ("solve", "lstsq") else [a]
    with pytest.raises(TypeError, match=rf"daptor\.scalapack\.{name}\("):
        getattr(numpy.linalg, name)(*arguments)


def test_on_a_cartesian_communicator(comm):
    """Whose grid is another than ScaLAPACK's."""
    cart = comm.Create_cart([1, comm.size])
    whole = numbers(numpy.random.default_rng(7), (9, 5), "f8")
    start, stop = share(9, comm.size, cart.rank)
    a = daptor.block(whole[start:stop].copy(), cart)
    result = scalapack.qr(a)
    q, r = result.Q, result.R
    close(gathered(cart, q) @ gathered(cart, r), whole)
    cart.Free()
