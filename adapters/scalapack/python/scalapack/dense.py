# SPDX-License-Identifier: BSD-3-Clause
"""Dense linear algebra of distributed arrays in one call each, as numpy.linalg has it.

Matrices are copied into blocks on a grid of all processes, where ScaLAPACK works, and the results
are copied home. The arguments are not changed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import (Any, Callable, Dict, List, Literal, NamedTuple, NoReturn, Optional, Sequence,
                    Tuple, TypeVar, Union, overload)

import numpy

from .. import _daptor, _scalapack
from .._arrays.allocating import zeros_like
from .._arrays.builders import Section, block, type_text
from .._arrays.moving import _inside
from .._daptor import Array
from .._errors import LibraryFailed
from .._scalapack import Grid
from .arguments import _local_count
from .matrix import Matrix, call, copy_to_matrix, import_matrix

T = TypeVar("T")

_LETTERS = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}
# Rows and columns of a block: at most, and at least where the matrix is small.
_LARGEST_BLOCK, _SMALLEST_BLOCK = 64, 8


class LinAlgError(LibraryFailed, numpy.linalg.LinAlgError):
    """A matrix is singular or not positive definite, or eigenvalues or singular values did not
    converge: ScaLAPACK's INFO is positive. Raised on all ranks."""


class EighResult(NamedTuple):
    """What eigh() returns."""
    eigenvalues: "numpy.ndarray[Any, Any]"
    eigenvectors: Array


class SVDResult(NamedTuple):
    """What svd() returns."""
    U: Array
    S: "numpy.ndarray[Any, Any]"
    Vh: Array


class QRResult(NamedTuple):
    """What qr() returns."""
    Q: Array
    R: Array


# What all ranks agree on before anything is copied


def _refuse_type(key: str, array: Array) -> NoReturn:
    known = "complex128" if array.dtype.kind == "c" else "float64"
    native = array.dtype.newbyteorder("=").name
    remedy = native if native in _LETTERS else known
    _daptor._invalid_argument(
        key, f"elements of type {array.dtype}",
        "float32, float64, complex64 or complex128 in this machine's byte order",
        f"Write: {key} = {key}.astype({remedy!r})")


def _judge_matrix(key: str, array: Array, dimensions: Sequence[int] = (2,)) -> None:
    if array.ndim not in dimensions:
        _daptor._invalid_argument(key, f"an Array of {array.ndim} dimensions",
                                  " or ".join(map(str, dimensions)) + " dimensions")
    if array.dtype.name not in _LETTERS or not array.dtype.isnative:
        _refuse_type(key, array)


def _judge_square(array: Array) -> None:
    if array.shape[0] != array.shape[1]:
        _daptor._invalid_argument("a", f"a matrix of shape {array.shape}", "a square matrix",
                                  "Write: daptor.scalapack.lstsq(a, b) or svd(a), which take any.")


def _judge_right(a: Array, b: Array) -> None:
    _judge_matrix("b", b, (1, 2))
    if b.shape[0] != a.shape[0]:
        _daptor._invalid_argument("b", f"an Array of shape {b.shape} for a matrix of shape "
                                  f"{a.shape}", f"{a.shape[0]} rows, as the matrix has")
    if b.dtype.kind == "c" and a.dtype.kind != "c":
        _daptor._invalid_argument("b", f"elements of type {b.dtype} for a matrix of {a.dtype}",
                                  "real elements, as the matrix has",
                                  "Write: a = a.astype('complex128')")


def _judge_finite(key: str, array: Array, triangle: str = "") -> None:
    """Of the whole matrix, or of the triangle that is read: "L" or "U"."""
    read = numpy.isfinite(array._interior)
    if triangle:
        i, j = numpy.ix_(*array.global_indices)
        read |= (i < j) if triangle == "L" else (i > j)
    if not read.all():
        _daptor._invalid_argument(key, "elements that are not finite", "finite numbers")


def _judge_word(key: str, given: Any, *known: str) -> None:
    if not isinstance(given, str) or given not in known:
        _daptor._invalid_argument(
            key, repr(given) if isinstance(given, str) else type_text(given),
            ", ".join(f'"{each}"' for each in known[:-1]) + f' or "{known[-1]}"')


def _judge_flag(key: str, given: Any) -> None:
    if not isinstance(given, (bool, numpy.bool_)):
        _daptor._invalid_argument(key, type_text(given), "True or False")


def _call(name: str, array: Any) -> "_daptor._Call":
    return _daptor._Call(array, f"scalapack.{name}")


def _agree(name: str, arrays: Dict[str, Array], judge: Callable[[], None],
           **options: Any) -> None:
    """Collective. Raises on all ranks what `judge` raises on one, or if options differ."""
    def judged() -> List[Tuple[str, str]]:
        judge()
        return [*((f"shape of {key}", str(each.shape)) for key, each in arrays.items()),
                *((f"element type of {key}", str(each.dtype)) for key, each in arrays.items()),
                *((key, repr(each)) for key, each in options.items())]

    _scalapack.agree_on(f"scalapack.{name}", list(arrays.items()), judged)


# Matrices without an element, which ScaLAPACK does not take


def _zeros(like: Array, shape: Tuple[int, ...], dtype: Any) -> Array:
    """Collective. In the layout of an Array of this shape, or else in even rows.

    The rows are in the order of the ranks, also if these are on a Cartesian grid.
    """
    if like.shape == shape:
        return zeros_like(like, dtype=dtype)
    rank, ranks = _daptor._rank_and_size(like.comm)
    count = shape[0] // ranks + (rank < shape[0] % ranks)
    memory = _daptor.agreed(like.comm, lambda: numpy.zeros((count, *shape[1:]), dtype))
    return block(memory, like.comm)


def _identity(like: Array, n: int) -> Array:
    """Collective. In even rows."""
    made = _zeros(like, (n, n), like.dtype)
    i, j = numpy.ix_(*made.global_indices)
    made._interior[...] = i == j
    return made


def _no_values(array: Array) -> "numpy.ndarray[Any, Any]":
    return numpy.zeros(0, array.dtype).real


# Matrices, memory and routines of one call


class _Work:
    """The grid of a call, with blocks and an element type that all its matrices have."""

    def __init__(self, arrays: Sequence[Array], *sizes: int) -> None:
        """Collective. `sizes` are the extents of the matrices."""
        self.comm = arrays[0].comm
        self.grid = Grid(self.comm)
        self.dtype = numpy.result_type(*(each.dtype for each in arrays))
        self.letter = _LETTERS[self.dtype.name]
        self.real = numpy.empty(0, self.dtype).real.dtype
        share = -(-max(sizes) // max(self.grid.rows, self.grid.columns))
        self.block = min(_LARGEST_BLOCK, max(_SMALLEST_BLOCK, share))

    @property
    def complex(self) -> bool:
        return self.letter in "cz"

    def allocated(self, make: Callable[[], T]) -> T:
        """Collective, so that all ranks learn of one that lacks the memory."""
        return _daptor.agreed(self.comm, make)

    def values(self, count: int) -> "numpy.ndarray[Any, Any]":
        """Collective. Real numbers that each process has, such as eigenvalues."""
        return self.allocated(lambda: numpy.zeros(count, self.real))

    def _in_blocks(self, matrix: Matrix) -> Matrix:
        """With blocks of the same size along a dimension of the grid that has one process."""
        desc = matrix.desc.copy()
        desc[4:6] = self.block
        desc.flags.writeable = False
        return replace(matrix, desc=desc)

    def copied(self, array: Array) -> Matrix:
        """Collective. A copy of the interior of an Array of any layout."""
        return self._in_blocks(copy_to_matrix(_inside(array), self.grid, self.block,
                                              dtype=self.dtype, convert=True, read_from_any=True))

    def new(self, rows: int, columns: int) -> Matrix:
        """Collective. Zeros."""
        grid, block = self.grid, self.block
        local = (_local_count(rows, block, grid.row, 0, grid.rows),
                 _local_count(columns, block, grid.column, 0, grid.columns))
        memory = self.allocated(lambda: numpy.zeros(local, self.dtype, order="F"))

        def dealt(size: int, position: int, processes: int) -> Dict[str, Any]:
            return {"dist_type": "c", "size": size, "proc_grid_size": processes,
                    "proc_grid_rank": position, "start": min(position * block, size),
                    "block_size": block}

        # By dictionaries: the communicator may be Cartesian, with another grid than ScaLAPACK's.
        section = Section(memory, lambda _: (dealt(rows, grid.row, grid.rows),
                                             dealt(columns, grid.column, grid.columns)))
        return self._in_blocks(import_matrix(_daptor._import_section(section, self.comm), grid))

    def home(self, matrix: Matrix, like: Array, shape: Tuple[int, ...]) -> Array:
        """Collective. The matrix in the layout of an Array of its shape, or else in even rows."""
        target = _zeros(like, shape, self.dtype)
        _daptor.redistribute(matrix.array, _inside(target))
        return target

    def call(self, name: str, *arguments: Any) -> None:
        """Collective. Calls a routine without work space; raises LinAlgError for INFO > 0."""
        routine = f"p{self.letter}{name}"
        info = call(routine, *arguments, positive="result")
        if info > 0:
            _refuse_info(routine, info)

    def call_with_work(self, name: str, *arguments: Any, real: bool = False, whole: bool = False,
                       last: Sequence["numpy.ndarray[Any, Any]"] = ()) -> None:
        """Collective. Asks for the lengths of the work spaces first.

        real, whole  whether the last ones are of real numbers and of integers
        last         memory of a known length that follows
        """
        types = [self.dtype, *([self.real] if real else []),
                 *([numpy.dtype("int32")] if whole else [])]
        asked = [numpy.zeros(1, each) for each in types]
        self.call(name, *arguments, *(part for each in asked for part in (each, -1)), *last)
        # Lengths in float32 may be rounded down, and pdsyevd asks for less than pdormtr needs.
        most = max(sum(each.local_shape) for each in arguments if isinstance(each, Matrix))
        more = self.block * (most + 2 * self.block)
        lengths = [int(float(each[0].real) * 1.000001) + 1 + more for each in asked]
        spaces = self.allocated(lambda: [
            numpy.zeros(length, each) for length, each in zip(lengths, types)])
        self.call(name, *arguments, *(part for each in spaces for part in (each, len(each))),
                  *last)


def _not_positive(error: LinAlgError) -> LinAlgError:
    """The error with advice for cholesky() in place of that for the routine's own arguments."""
    found = error.report.findings[0]
    finding = _daptor._finding(
        found.rule, 2, list(found.ranks), found.rank_count, -1, found.key, found.found,
        found.expected, "Write: x = daptor.scalapack.solve(a, b)  # which takes any matrix", "", [],
        "")
    return LinAlgError(str(finding), _daptor.Report([finding]))


def _refuse_info(routine: str, info: int) -> NoReturn:
    try:
        _scalapack.end_call_alone(routine, info, "error")
    except LibraryFailed as error:
        raise LinAlgError(str(error), error.report) from None
    raise AssertionError("a positive INFO is an error")


# The functions


def _factor(work: _Work, a: Array) -> Tuple[Matrix, "numpy.ndarray[Any, Any]"]:
    """Collective. The LU factors of a square matrix with elements, and their pivots."""
    n = a.shape[0]
    A = work.copied(a)
    pivots = work.allocated(lambda: numpy.zeros(A.local_shape[0] + work.block, "int32"))
    work.call("getrf", n, n, A, pivots)
    if n == 1 and a.sample(([0], [0])) == 0:  # which ScaLAPACK does not look at
        _refuse_info(f"p{work.letter}getrf", 1)
    return A, pivots


def solve(a: Array, b: Array) -> Array:
    """The solution x of a x = b, as numpy.linalg.solve(a, b). Collective over the ranks of `a`.

    a  a square matrix: an Array of two dimensions in any layout, of float32, float64, complex64 or
       complex128. Ghost cells and boundary padding are no part of it
    b  an Array on the same ranks in any layout: one right-hand side, or columns of them; real if
       `a` is real. The wider of the two types is that of the result

    Both may be without elements. Returns an Array of the shape and layout of `b`, whose ghost cells
    and padding are 0 (daptor.update_padding(x) fills them). The arguments are copied into blocks,
    and not changed.

    Raises on all ranks: LinAlgError (a LibraryFailed and a numpy.linalg.LinAlgError) for a singular
    matrix; InvalidArgument for arguments that are no Arrays, for shapes and types that do not fit,
    and for arrays on other ranks (`collective.comm`); the errors of copy_to_matrix(). A rank whose
    arguments are no Arrays raises alone if the program has several communicators of several ranks.

        x = daptor.scalapack.solve(a, b)
    """
    def judge() -> None:
        _judge_matrix("a", a)
        _judge_square(a)
        _judge_right(a, b)

    with _call("solve", a):
        _agree("solve", {"a": a, "b": b}, judge)
        n, columns = a.shape[0], 1 if b.ndim == 1 else b.shape[1]
        if n == 0:
            return _zeros(b, b.shape, numpy.result_type(a.dtype, b.dtype))
        work = _Work([a, b], n, columns)
        A, pivots = _factor(work, a)
        if columns == 0:
            return _zeros(b, b.shape, work.dtype)
        B = work.copied(b)
        work.call("getrs", "N", n, columns, A, pivots, B)
        return work.home(B, b, b.shape)


def cholesky(a: Array, *, upper: bool = False) -> Array:
    """The Cholesky factor of a positive definite matrix, as numpy.linalg.cholesky(a). Collective.

    a      a square matrix, as for solve(). Only the lower triangle is read or, with `upper`, the
           upper one
    upper  False: L with a = L L^H; True: U with a = U^H U; the same on all ranks

    Returns the factor, with zeros in the other triangle, in the layout of `a`. Raises as solve():
    InvalidArgument on all ranks for numbers in the triangle that are not finite, LinAlgError if the
    matrix is not positive definite.
    """
    def judge() -> None:
        _judge_matrix("a", a)
        _judge_square(a)
        _judge_flag("upper", upper)
        _judge_finite("a", a, "U" if upper else "L")

    with _call("cholesky", a):
        _agree("cholesky", {"a": a}, judge, upper=upper)
        n, triangle = a.shape[0], "U" if upper else "L"
        if n == 0:
            return zeros_like(a)
        work = _Work([a], n)
        A, factor = work.copied(a), work.new(n, n)
        try:
            work.call("potrf", triangle, n, A)
        except LinAlgError as error:
            raise _not_positive(error) from None
        work.call("lacpy", triangle, n, n, A, factor)
        return work.home(factor, a, a.shape)


def _eigh(work: _Work, a: Array, triangle: str
          ) -> "Tuple[numpy.ndarray[Any, Any], Matrix]":
    """Collective. Eigenvalues and eigenvectors."""
    n = a.shape[0]
    vectors = work.new(n, n)
    if n == 1:  # of which pzheev makes the vector 1 + i
        vectors.data[...] = 1
        values: "numpy.ndarray[Any, Any]" = a.sample(([0], [0])).real.astype(work.real)
        return values, vectors
    A, values = work.copied(a), work.values(n)
    # Where one block is all, pdsyevd leaves processes without a part with wrong eigenvalues.
    divide = n > work.block
    work.call_with_work(("heev" if work.complex else "syev") + ("d" if divide else ""), "V",
                        triangle, n, A, values, vectors, real=work.complex, whole=divide)
    return values, vectors


def eigh(a: Array, UPLO: str = "L") -> EighResult:
    """Eigenvalues and eigenvectors of a symmetric or Hermitian matrix, as numpy.linalg.eigh(a).

    a     a square matrix of finite numbers, as for solve()
    UPLO  the triangle that is read, "L" or "U"; the same on all ranks

    Collective over the ranks of `a`. Returns the eigenvalues, from the least to the greatest, as a
    NumPy array that all ranks have, and an Array in the layout of `a` whose columns are the
    eigenvectors. Raises as solve(): LinAlgError if eigenvalues did not converge.

        w, v = daptor.scalapack.eigh(a)
    """
    def judge() -> None:
        _judge_matrix("a", a)
        _judge_square(a)
        _judge_word("UPLO", UPLO, "L", "U", "l", "u")
        _judge_finite("a", a)

    with _call("eigh", a):
        _agree("eigh", {"a": a}, judge, UPLO=UPLO)
        if a.shape[0] == 0:
            return EighResult(_no_values(a), zeros_like(a))
        work = _Work([a], a.shape[0])
        values, vectors = _eigh(work, a, UPLO.upper())
        return EighResult(values, work.home(vectors, a, a.shape))


def _orthogonal(work: _Work, name: str) -> str:
    return ("un" if work.complex else "or") + name


def _factored(work: _Work, matrix: Matrix, rows: int, columns: int) -> "numpy.ndarray[Any, Any]":
    """Collective. QR of the first columns of a matrix in place; returns TAU."""
    scalars = work.allocated(lambda: numpy.zeros(max(1, matrix.local_shape[1]), work.dtype))
    work.call_with_work("geqrf", rows, columns, matrix, scalars)
    return scalars


_Svd = Tuple[Matrix, "numpy.ndarray[Any, Any]", Matrix]


def _svd_of_few(work: _Work, a: Array) -> _Svd:
    """Collective. _svd() of a matrix of which each rank has all, by NumPy."""
    whole = a.sample(numpy.indices(a.shape))
    parts: Any = work.allocated(lambda: tuple(numpy.linalg.svd(whole.astype(work.dtype),
                                                               full_matrices=False)))
    U, Vh = work.new(*parts[0].shape), work.new(*parts[2].shape)
    for matrix, part in ((U, parts[0]), (Vh, parts[2])):
        assert matrix.array is not None
        matrix.data[...] = part[numpy.ix_(*matrix.array.global_indices)]
    return U, parts[1], Vh


def _svd(work: _Work, a: Array, vectors: bool) -> _Svd:
    """Collective. U of m x k and Vh of k x n for k = min(m, n), unless `vectors` is false."""
    m, n = a.shape
    k = min(m, n)
    # pdgesvd deals rows of U and columns of Vh to all processes. One that gets neither computes
    # other digits, at which it fails, or hangs.
    if vectors and max(m, n) < work.grid.rows * work.grid.columns:
        return _svd_of_few(work, a)
    A = work.copied(a)
    U, Vh = (work.new(m, k), work.new(k, n)) if vectors else (A, A)
    job, values = "V" if vectors else "N", work.values(k)
    real = work.allocated(lambda: numpy.zeros(1 + 4 * max(m, n), work.real))
    work.call_with_work("gesvd", job, job, m, n, A, values, U, Vh,
                        last=[real] if work.complex else [])
    return U, values, Vh


def _svd_of_nothing(a: Array, full_matrices: bool) -> SVDResult:
    """Collective. Of a matrix without rows or without columns."""
    m, n = a.shape
    if full_matrices:
        return SVDResult(_identity(a, m), _no_values(a), _identity(a, n))
    return SVDResult(_zeros(a, (m, 0), a.dtype), _no_values(a), _zeros(a, (0, n), a.dtype))


def _with_more_columns(work: _Work, U: Matrix) -> Matrix:
    """Collective. A square matrix: orthonormal columns, and others that are orthogonal to them."""
    m, k = U.shape
    if m == k:
        return U
    whole = work.new(m, m)
    work.call("lacpy", "A", m, k, U, whole)
    scalars = _factored(work, whole, m, k)
    work.call_with_work(_orthogonal(work, "gqr"), m, m, k, whole, scalars)
    work.call("lacpy", "A", m, k, U, whole)  # QR may have changed their signs
    return whole


def _with_more_rows(work: _Work, Vh: Matrix) -> Matrix:
    """Collective. As _with_more_columns(), for orthonormal rows."""
    k, n = Vh.shape
    if n == k:
        return Vh
    whole = work.new(n, n)
    work.call("lacpy", "A", k, n, Vh, whole)
    scalars = work.allocated(lambda: numpy.zeros(max(1, whole.local_shape[0]), work.dtype))
    work.call_with_work("gelqf", k, n, whole, scalars)
    work.call_with_work(_orthogonal(work, "glq"), n, n, k, whole, scalars)
    work.call("lacpy", "A", k, n, Vh, whole)
    return whole


@overload
def svd(a: Array, full_matrices: bool = True, compute_uv: Literal[True] = True) -> SVDResult: ...


@overload
def svd(a: Array, full_matrices: bool = True, *,
        compute_uv: Literal[False]) -> "numpy.ndarray[Any, Any]": ...


def svd(a: Array, full_matrices: bool = True,
        compute_uv: bool = True) -> "Union[SVDResult, numpy.ndarray[Any, Any]]":
    """The singular value decomposition a = U diag(S) Vh, as numpy.linalg.svd(a). Collective.

    a              a matrix of m x n finite numbers, as for solve()
    full_matrices  whether U is m x m and Vh is n x n, as NumPy has them; False: m x k and k x n for
                   k = min(m, n), which takes less memory and time
    compute_uv     False: only S is computed and returned

    Options are the same on all ranks. S is a NumPy array that all ranks have, from the greatest to
    the least. U and Vh are Arrays in the layout of `a` if they have its shape, otherwise in rows:
    even blocks along dimension 0. Raises as solve(): LinAlgError if values did not converge.

        U, S, Vh = daptor.scalapack.svd(a, full_matrices=False)
    """
    def judge() -> None:
        _judge_matrix("a", a)
        _judge_flag("full_matrices", full_matrices)
        _judge_flag("compute_uv", compute_uv)
        _judge_finite("a", a)

    with _call("svd", a):
        _agree("svd", {"a": a}, judge, full_matrices=full_matrices, compute_uv=compute_uv)
        if 0 in a.shape:
            return _svd_of_nothing(a, bool(full_matrices)) if compute_uv else _no_values(a)
        work = _Work([a], *a.shape)
        U, values, Vh = _svd(work, a, bool(compute_uv))
        if not compute_uv:
            return values
        if full_matrices:
            U, Vh = _with_more_columns(work, U), _with_more_rows(work, Vh)
        return SVDResult(work.home(U, a, U.shape), values, work.home(Vh, a, Vh.shape))


@overload
def qr(a: Array, mode: Literal["reduced", "complete"] = "reduced") -> QRResult: ...


@overload
def qr(a: Array, mode: Literal["r"]) -> Array: ...


def qr(a: Array, mode: str = "reduced") -> Union[QRResult, Array]:
    """The factors of a = Q R, as numpy.linalg.qr(a). Collective over the ranks of `a`.

    a     a matrix of m x n, as for solve()
    mode  "reduced": Q is m x k and R is k x n for k = min(m, n); "complete": m x m and m x n; "r":
          only the R of "reduced"; the same on all ranks

    Columns of Q are orthonormal, and R is upper triangular with zeros below. Both are Arrays, in
    the layout of `a` if they have its shape, otherwise in rows: even blocks along dimension 0.
    Raises as solve().
    """
    def judge() -> None:
        _judge_matrix("a", a)
        _judge_word("mode", mode, "reduced", "complete", "r")

    with _call("qr", a):
        _agree("qr", {"a": a}, judge, mode=mode)
        (m, n), k = a.shape, min(a.shape)
        inner = m if mode == "complete" else k
        if k == 0:
            r = _zeros(a, (inner, n), a.dtype)
            return r if mode == "r" else QRResult(
                _identity(a, m) if inner == m else _zeros(a, (m, 0), a.dtype), r)
        work = _Work([a], m, n)
        A, R = work.copied(a), work.new(inner, n)
        scalars = _factored(work, A, m, n)
        work.call("lacpy", "U", k, n, A, R)
        r = work.home(R, a, R.shape)
        if mode == "r":
            return r
        Q = work.new(m, inner)
        work.call("lacpy", "A", m, k, A, Q)
        work.call_with_work(_orthogonal(work, "gqr"), m, inner, k, Q, scalars)
        return QRResult(work.home(Q, a, Q.shape), r)


_Lstsq = Tuple[Array, "numpy.ndarray[Any, Any]", int, "numpy.ndarray[Any, Any]"]


def _squares_of_columns(work: _Work, matrix: Matrix) -> "numpy.ndarray[Any, Any]":
    """Collective. The sum of the squares of each column, on all ranks; changes the matrix."""
    rows, columns = matrix.shape
    data = matrix.data
    work.allocated(lambda: numpy.multiply(data, data.conj(), out=data))
    ones, sums = work.new(1, rows), work.new(1, columns)
    ones.data[...] = 1
    work.call("gemm", "N", "N", 1, columns, rows, 1, ones, matrix, 0, sums)
    assert sums.array is not None
    values: "numpy.ndarray[Any, Any]" = sums.array.sample(
        (numpy.zeros(columns, int), numpy.arange(columns))).real.copy()
    return values


def _lstsq_of_nothing(a: Array, b: Array) -> _Lstsq:
    """Collective. Of a matrix without rows or without columns."""
    n, dtype = a.shape[1], numpy.result_type(a.dtype, b.dtype)
    residuals = numpy.zeros(0, dtype).real
    if n == 0 and 0 not in b.shape:  # nothing of b is met
        work = _Work([a, b], *b.shape)
        residuals = _squares_of_columns(work, work.copied(b))
    return (_zeros(b, (n, *b.shape[1:]), dtype), residuals, 0, numpy.zeros(0, dtype).real)


def lstsq(a: Array, b: Array, rcond: Optional[float] = None
          ) -> _Lstsq:
    """The least-squares solution x of a x = b, as numpy.linalg.lstsq(a, b, rcond). Collective.

    a      a matrix of m x n finite numbers, as for solve(), of any rank
    b      m rows of finite numbers, as for solve()
    rcond  singular values that are at most rcond times the greatest count as 0; None: the
           precision of the type times max(m, n); -1: the precision; the same on all ranks

    Returns (x, residuals, rank, s): x, of all solutions the one of least norm, as an Array of n
    rows, in the layout of `b` if it has its shape, otherwise in rows; and as NumPy arrays that all
    ranks have, the sums of squares of each column of b - a x (empty unless m > n = rank), and the
    singular values of `a`. They are computed first, by svd(). Raises as solve().
    """
    def judge() -> None:
        _judge_matrix("a", a)
        _judge_right(a, b)
        if rcond is not None and not isinstance(rcond, (int, float, numpy.number)):
            _daptor._invalid_argument("rcond", type_text(rcond), "a number, or None")
        _judge_finite("a", a)
        _judge_finite("b", b)

    with _call("lstsq", a):
        _agree("lstsq", {"a": a, "b": b}, judge, rcond=rcond)
        (m, n), columns = a.shape, 1 if b.ndim == 1 else b.shape[1]
        k = min(m, n)
        if k == 0:
            return _lstsq_of_nothing(a, b)
        work = _Work([a, b], m, n, columns)
        U, values, Vh = _svd(work, a, True)
        precision = float(numpy.finfo(work.real).eps)
        least = precision * max(m, n) if rcond is None else precision if rcond < 0 else rcond
        kept = values > least * values[0]
        if columns == 0:
            return (_zeros(b, (n, 0), work.dtype), numpy.zeros(0, work.real), int(kept.sum()),
                    values)
        B, C, X = work.copied(b), work.new(k, columns), work.new(n, columns)
        work.call("gemm", "C", "N", k, columns, m, 1, U, B, 0, C)
        residuals = numpy.zeros(0, work.real)
        if m > n and kept.all():
            work.call("gemm", "N", "N", m, columns, k, -1, U, C, 1, B)
            residuals = _squares_of_columns(work, B)
        factors = numpy.where(kept, 1 / numpy.where(kept, values, 1), 0)
        assert C.array is not None
        C.data[...] *= factors[C.array.global_indices[0]][:, numpy.newaxis]
        work.call("gemm", "C", "N", n, columns, k, 1, Vh, C, 0, X)
        return work.home(X, b, (n, *b.shape[1:])), residuals, int(kept.sum()), values
