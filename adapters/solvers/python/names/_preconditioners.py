# SPDX-License-Identifier: BSD-3-Clause
"""Trilinos' preconditioners on NumPy's memory: MueLu and Ifpack2, for any Krylov method.

They are the types `muelu` and `ifpack2` that the plug-in adds to PETSc, which starts with the first
of them.
"""

from __future__ import annotations

import itertools
import re
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from . import _daptor
from ._arrays.builders import integer, type_text
from ._arrays.csr import CsrArrays
from ._bindings import modules_everywhere
from ._daptor import Array
from ._errors import Error, InvalidArgument
from ._showing.hints import OF_ARRAY, OF_MODULE
from ._with_petsc.compiled import petsc_plugin, required

__all__ = ["Preconditioner", "ifpack2", "muelu"]

OF_MODULE["tpetra"] = OF_ARRAY["to_tpetra"] = (
    "daptor.muelu(A)  # Trilinos' preconditioners of a matrix, on NumPy's memory")
Parameters = Mapping[str, Any]
_PREFIXES = itertools.count()


def _petsc() -> Any:
    return import_module("petsc4py.PETSc")


def _assignments(parameters: Parameters, path: str = "") -> Iterator[str]:
    """`name=value` for each parameter, as -pc_muelu_set takes it."""
    for name, value in parameters.items():
        if not isinstance(name, str) or re.search("[;=/]", name):
            _daptor._invalid_argument("options", repr(name), "the name of a parameter, a string")
        if isinstance(value, Mapping):
            yield from _assignments(value, f"{path}{name}/")
        elif isinstance(value, bool):
            yield f"{path}{name}={str(value).lower()}"
        elif isinstance(value, (int, float)) or (
                isinstance(value, str) and not re.search("[;=]", value)):
            yield f"{path}{name}={value}"
        else:
            _daptor._invalid_argument("options", f"{path}{name}: {value!r}",
                                      "a bool, a number, a string or a dictionary of these")


def _mapping(key: str, value: Any) -> Parameters:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        _daptor._invalid_argument(key, type_text(value), "a dictionary")
    return value


def _is_mat(value: Any) -> bool:
    """Whether it is a Mat of petsc4py that exists."""
    return type(value).__module__.startswith("petsc4py") and type(value).__name__ == "Mat" and bool(
        value)


class _Matrix:
    """The matrix of a preconditioner, as the caller and as PETSc has it."""

    def __init__(self, source: Any) -> None:
        if not isinstance(source, CsrArrays) and not _is_mat(source):
            _daptor._invalid_argument(
                "matrix", type_text(source), "a CsrArrays or a petsc4py Mat",
                "Make one of this rank's rows: daptor.csr(rows, comm), with rows of scipy.sparse.")
        self.source = source
        self.copied = isinstance(source, CsrArrays)
        self.comm = source.values if self.copied else source.comm
        self.mat: Any = None

    def agreed(self, function: Callable[[], Any]) -> Any:
        """Collective: what the function returns; raises on all ranks if it raises on any."""
        return _daptor._same(self.comm, lambda: (function(), []))

    def alike(self, name: str, function: Callable[[], Sequence[Any]]) -> Any:
        """The same for a list, which must be as long on all ranks."""
        def with_length() -> Tuple[Sequence[Any], List[Tuple[str, str]]]:
            found = function()
            return found, [(name, str(len(found)))]

        return _daptor._same(self.comm, with_length)

    def make(self, block_size: int = 1) -> None:
        """Collective: takes the present values."""
        if not self.copied:
            self.mat = self.source
            return
        former, self.mat = self.mat, self.source.to_petsc(copy=True)
        if block_size > 1:
            self.mat.setBlockSize(block_size)
        if former is not None:
            former.destroy()

    def close(self) -> None:
        """Collective."""
        if self.mat is not None and self.copied:
            self.mat.destroy()
        self.mat = None


class _Given:
    """What the caller says about the unknowns of the matrix."""

    def __init__(self, block_size: Any, nullspace: Any, coordinates: Any) -> None:
        self.block_size, self.nullspace, self.coordinates = block_size, nullspace, coordinates

    def texts(self) -> List[Tuple[str, str]]:
        """What must be the same on all ranks."""
        return [("block_size", repr(self.block_size)),
                ("nullspace", "None" if self.nullspace is None else "a value"),
                ("coordinates", "None" if self.coordinates is None else "a value")]

    def unknowns(self, matrix: _Matrix) -> int:
        """The block size. Process-local."""
        mat = matrix.mat
        rows, columns = mat.getSize()
        if rows != columns:
            _daptor._invalid_argument("matrix", f"{rows} rows and {columns} columns",
                                      "a square matrix")
        has = 1 if matrix.copied else int(mat.getBlockSize())
        size = has if self.block_size is None else integer("block_size", self.block_size)
        count = mat.getLocalSize()[0]
        if size < 1 or count % size != 0:
            _daptor._invalid_argument("block_size", f"{size}, for {count} rows of this rank",
                                      "a divisor of the number of each rank's rows")
        if not matrix.copied and size != has:
            _daptor._invalid_argument("block_size", f"{size}, and {has} in the Mat",
                                      "the block size of the Mat", "Call A.setBlockSize, or leave "
                                      "out block_size.")
        return size

    def nodes(self, matrix: _Matrix, unknowns: int) -> Any:
        """The coordinates, as PETSc takes them. Process-local."""
        if self.coordinates is None:
            return None
        numpy = _numpy()
        first, last = (bound // unknowns for bound in matrix.mat.getOwnershipRange())
        given = self.coordinates
        if isinstance(given, Array):
            given = _block_of("coordinates", given, (first, last))
        given = numpy.asarray(given, float)
        count = last - first
        if given.ndim != 2 or given.shape[0] != count or not 1 <= given.shape[1] <= 3:
            _daptor._invalid_argument("coordinates", f"an array of shape {given.shape}",
                                      f"one of shape ({count}, dimensions)")
        return given


class Preconditioner:
    """A preconditioner of Trilinos that is set up, z = M r. Made by daptor.muelu and ifpack2.

    apply(x, y)  y = M x for vectors of this rank's rows; collective
    M @ x        the same in a new NumPy array
    update()     after the matrix has got new values; collective
    close()      releases it; collective, and done at the end of a `with` block

    shape  global numbers of rows and columns
    dtype  element type of its vectors, the scalar type of this PETSc
    pc     the petsc4py PC behind it

    It is itself the context of a petsc4py PC of type python, and on one rank what SciPy takes as M:

        ksp.pc.setType("python"); ksp.pc.setPythonContext(M)
        x, info = scipy.sparse.linalg.cg(A, b, M=M)
    """

    def __init__(self, kind: str, matrix: _Matrix, options: Dict[str, str], given: _Given) -> None:
        self._kind, self._matrix, self._options = kind, matrix, options
        self._prefix = f"daptor_{next(_PREFIXES)}_"  # may differ between ranks
        self.pc: Any = None
        self._vectors: List[Any] = []
        self._modes: List[Any] = []
        try:
            self._make(given)
        except BaseException:
            self.close()
            raise

    def _make(self, given: _Given) -> None:
        matrix, PETSc = self._matrix, _petsc()
        mat = matrix.mat
        self._block_size = matrix.agreed(lambda: given.unknowns(matrix))
        self.shape: Tuple[int, int] = mat.getSize()
        self.dtype = _numpy().dtype(PETSc.ScalarType)
        self._rows: Tuple[int, int] = mat.getOwnershipRange()
        nodes = matrix.agreed(lambda: given.nodes(matrix, self._block_size))
        columns = matrix.alike("number of vectors in nullspace",
                               lambda: _columns("nullspace", given.nullspace, self._rows))
        self._modes = _orthonormal(mat, columns)
        if matrix.copied and self._block_size > 1:
            mat.setBlockSize(self._block_size)
        self._vectors = list(mat.createVecs())
        self.pc = PETSc.PC().create(mat.comm)
        self.pc.setOptionsPrefix(self._prefix)
        self.pc.setOperators(mat)
        with self._in_database():
            _in_petsc(lambda: self.pc.setType(self._kind))
            _in_petsc(self.pc.setFromOptions)
        if nodes is not None:
            self.pc.setCoordinates(nodes)
        self._set_up()

    @contextmanager
    def _in_database(self) -> Iterator[None]:
        """The options, also for the objects inside, in PETSc's database."""
        database = _petsc().Options()
        for name, value in self._options.items():
            database[self._prefix + name] = value
        try:
            yield
        finally:
            for name in self._options:
                database.delValue(self._prefix + name)

    @contextmanager
    def _with_modes(self) -> Iterator[None]:
        """The near-null space, which the caller's matrix has only for the set-up."""
        if not self._modes:
            yield
            return
        mat = self._matrix.mat
        former, space = mat.getNearNullSpace(), _petsc().NullSpace()
        space.create(vectors=self._modes, comm=mat.comm)
        mat.setNearNullSpace(space)
        try:
            yield
        finally:
            mat.setNearNullSpace(former)
            space.destroy()

    def _set_up(self) -> None:
        with self._in_database(), self._with_modes():
            self.pc.setReusePreconditioner(False)
            _in_petsc(self.pc.setUp)
        # PETSc would set it up again, without the options, when a Mat has got new values.
        self.pc.setReusePreconditioner(True)

    def _memory(self, key: str, value: Any) -> Any:
        """The NumPy array behind one of the vectors, of this rank's rows. Process-local."""
        numpy = _numpy()
        count = self._rows[1] - self._rows[0]
        if isinstance(value, Array):
            value = _rows_of(key, value, self._rows)
        expected = f"a contiguous NumPy array of {count} elements of {self.dtype}"
        if not isinstance(value, numpy.ndarray):
            _daptor._invalid_argument(key, type_text(value), expected)
        if value.dtype != self.dtype or value.size != count:
            _daptor._invalid_argument(key, f"{value.size} elements of {value.dtype}", expected)
        if not value.flags.c_contiguous or not value.flags.aligned:
            _daptor._invalid_argument(key, "an array with gaps, or in another order than C",
                                      expected)
        if key == "y" and not value.flags.writeable:
            _daptor._invalid_argument(key, "a read-only array", "memory to write to")
        return value.reshape(-1)

    def apply(self, *vectors: Any) -> None:
        """y = M x. Collective over the ranks of the matrix.

        x, y  this rank's rows of the vectors: contiguous NumPy arrays of the type `dtype`, or
              Arrays with these rows as their interior, in C order and in different memory; y is
              overwritten. apply(pc, x, y)
              with Vecs of petsc4py is what a PC of type python calls

        Nothing is copied. Raises on all ranks: InvalidArgument for other vectors, LibraryFailed if
        PETSc fails.
        """
        if len(vectors) == 3:
            self.pc.apply(*vectors[1:])
            return

        def memory() -> Tuple[Any, Any]:
            if len(vectors) != 2:
                _daptor._invalid_argument("apply", f"{len(vectors)} vectors", "x and y")
            self._require_open()
            x, y = self._memory("x", vectors[0]), self._memory("y", vectors[1])
            if _numpy().may_share_memory(x, y):
                _daptor._invalid_argument("y", "memory that is that of x", "memory of its own")
            return x, y

        x, y = self._matrix.agreed(memory)
        placed = list(zip(self._vectors, (x, y)))
        for vec, values in placed:
            vec.placeArray(values)
        try:
            _in_petsc(lambda: self.pc.apply(*self._vectors))
        finally:
            for vec, _ in placed:
                vec.resetArray()
        if isinstance(vectors[1], Array):
            vectors[1].modified()

    def matvec(self, x: Any) -> Any:
        """M x in a new NumPy array of the shape of `x`. Collective.

        x  this rank's rows of a vector; it is copied if apply() cannot use it as it is
        """
        numpy = _numpy()

        def of_rows() -> Any:
            source = _rows_of("x", x, self._rows) if isinstance(x, Array) else x
            return numpy.require(source, self.dtype, ["C_CONTIGUOUS", "ALIGNED"])

        given = self._matrix.agreed(of_rows)
        y = numpy.empty(given.shape, self.dtype)
        self.apply(given, y)
        return y

    def __matmul__(self, x: Any) -> Any:
        return self.matvec(x)

    def update(self) -> None:
        """Sets it up again with the present values of the matrix. Collective.

        The entries of a matrix of arrays are copied again. Raises as the function that made it.
        """
        self._matrix.agreed(self._require_open)
        if self._matrix.copied:
            self._matrix.make(self._block_size)
            self.pc.setOperators(self._matrix.mat)
        self._set_up()

    def _require_open(self) -> None:
        if self.pc is None:
            _daptor._invalid_argument("M", "a Preconditioner that is closed", "one that is open")

    def close(self) -> None:
        """Releases it and its copy of the matrix. Collective; a second call does nothing."""
        for thing in (*self._vectors, *self._modes, *([] if self.pc is None else [self.pc])):
            thing.destroy()
        self.pc, self._vectors, self._modes = None, [], []
        self._matrix.close()

    def __enter__(self) -> "Preconditioner":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        if self.pc is None:
            return f"<daptor.Preconditioner {self._kind}: closed>"
        first, last = self._rows
        return (f"<daptor.Preconditioner {self._kind}: {self.shape[0]} rows, [{first}, {last}) on "
                "this rank>")


def _numpy() -> Any:
    return import_module("numpy")


def _in_petsc(function: Callable[[], Any]) -> Any:
    """What the function returns; for an error of petsc4py, the error of Daptor behind it.

    Raises on all ranks if PETSc fails on all of them: LibraryFailed if there is none behind it.
    """
    compiled = required()
    compiled.forget_error()
    try:
        return function()
    except _petsc().Error as error:
        try:
            compiled.raise_error(str(error))
        except Error as found:
            raise found from error


def _block_of(key: str, array: Array, block: Tuple[int, int]) -> Any:
    """The interior, if it is this block of the first dimension and all of the others.

    Process-local.
    """
    first, last = block
    count = last - first
    fits = array.ndim > 0 and array.interior_shape == (count, *array.shape[1:])
    if fits and array.interior.size:
        try:
            fits = array.global_slices[0].start == first
        except InvalidArgument:  # a list, or blocks dealt in turn
            numpy = _numpy()
            fits = all(numpy.array_equal(each, numpy.arange(start, start + len(each)))
                       for start, each in zip((first, *[0] * array.ndim), array.global_indices))
    if not fits:
        _daptor._invalid_argument(
            key, f"an Array of shape {array.shape} that is divided otherwise than the matrix",
            f"indices [{first}, {last}) of the first dimension on this rank, in this order",
            f"Write: w = daptor.block(numpy.empty({(last - first, *array.shape[1:])}, "
            f"{key}.dtype), comm); daptor.redistribute({key}, w)  # and pass w")
    return array.interior


def _rows_of(key: str, array: Array, rows: Tuple[int, int]) -> Any:
    """The interior, if its elements are these rows of the matrix, row-major. Process-local."""
    each = 1
    for extent in array.shape[1:]:
        each *= extent
    if each == 0 or rows[0] % each or rows[1] % each:
        _daptor._invalid_argument(key, f"an Array of shape {array.shape}",
                                  f"one whose elements are the rows [{rows[0]}, {rows[1]})")
    return _block_of(key, array, (rows[0] // each, rows[1] // each))


def _columns(key: str, given: Any, rows: Tuple[int, int]) -> List[Any]:
    """Vectors of this rank's rows: of a list of vectors, or of the columns of an array."""
    if given is None:
        return []
    numpy = _numpy()
    if isinstance(given, (list, tuple)):
        columns = [numpy.asarray(_rows_of(key, each, rows) if isinstance(each, Array) else each)
                   for each in given]
    else:
        array = numpy.asarray(_block_of(key, given, rows) if isinstance(given, Array) else given)
        columns = list(array.T) if array.ndim == 2 else [array]
    count = rows[1] - rows[0]
    for column in columns:
        if column.size != count or column.dtype.kind not in "biufc":
            _daptor._invalid_argument(key, f"{column.size} elements of {column.dtype}",
                                      f"numbers for each of this rank's {count} rows")
    return columns


def _orthonormal(mat: Any, columns: Sequence[Any]) -> List[Any]:
    """Collective: Vecs with the same span. PETSc demands that they are orthonormal."""
    vectors: List[Any] = []
    for column in columns:
        vec = mat.createVecLeft()
        vec.array[:] = column.ravel()
        before = vec.norm()
        for other in vectors:
            vec.axpy(-vec.dot(other), other)
        if not vec.norm() > 1e-12 * before:
            _daptor._invalid_argument(
                "nullspace", "vectors that are zero or linearly dependent, or numbers that are not "
                "finite", "independent vectors")
        vec.normalize()
        vectors.append(vec)
    return vectors


def _start(matrix: _Matrix) -> None:
    """Collective: loads the plug-in into the running PETSc."""
    (petsc,) = modules_everywhere(matrix.comm, "_petsc")
    if petsc is None:
        raise ImportError("this daptor was built without PETSc or petsc4py")
    load: Callable[[str], None] = petsc.load_plugin
    matrix.agreed(lambda: load(petsc_plugin()))


def _options(kind: str, parameters: Any, more: Parameters) -> Dict[str, str]:
    """Options of PETSc, without prefix: Trilinos' own parameters, and others that are not None."""
    options = {f"pc_{kind}_set": "; ".join(_assignments(_mapping("options", parameters)))}
    for name, value in more.items():
        if value is not None:
            options[name] = str(value).lower() if isinstance(value, bool) else str(value)
    return options


def _made(kind: str, source: Any, options: Callable[[], Dict[str, str]], given: _Given
          ) -> Preconditioner:
    """Collective."""
    matrix = _Matrix(source)

    def same() -> Tuple[Dict[str, str], List[Tuple[str, str]]]:
        mine = options()
        return mine, [("options", repr(sorted(mine.items()))), *given.texts()]

    with _daptor._Call(matrix.comm, kind):
        agreed = _daptor._same(matrix.comm, same)
        matrix.make()
        try:
            _start(matrix)
            return Preconditioner(kind, matrix, agreed, given)
        except BaseException:
            matrix.close()
            raise


def muelu(matrix: Any, *, nullspace: Any = None, block_size: Optional[int] = None,
          coordinates: Any = None, options: Optional[Parameters] = None,
          coarse: Optional[Parameters] = None) -> Preconditioner:
    """MueLu's multigrid for a matrix, set up. Collective over the ranks of the matrix.

    matrix       a square CsrArrays (daptor.csr makes one of SciPy's rows), whose entries are
                 copied, or a petsc4py Mat of type AIJ
    nullspace    near-null vectors, such as rigid body modes: an array of this rank's rows with one
                 vector in each column, or a list of vectors; None: those that a Mat has
    block_size   number of unknowns of a node, whose rows follow each other; None: 1, or that of the
                 Mat
    coordinates  of this rank's nodes, an array of shape (nodes, dimensions), from which rigid body
                 modes are made if there are as many unknowns of a node as dimensions
    options      MueLu's own parameters: {"max levels": 3, "smoother: params": {...}}
    coarse       PETSc's options for the solver of the coarsest level: {"pc_type": "lu"}

        A = daptor.csr(rows, comm)
        M = daptor.muelu(A, options={"smoother: type": "CHEBYSHEV"})
        M.apply(r, z)                  # in one's own conjugate gradients

    Everything but the vectors is the same on all ranks. Starts PETSc if the program has not, and
    Kokkos. Raises on all ranks: InvalidArgument for wrong arguments and for matrices that MueLu
    cannot use (`matrix.diagonal`, `matrix.near-null-space`, ...), LibraryFailed (`library.muelu`,
    `library.petsc`), the errors of CsrArrays.to_petsc(), ImportError without petsc4py, and
    ProducerFailed without the plug-in. Raises on this rank alone InvalidArgument for a matrix that
    is none.
    """
    def chosen() -> Dict[str, str]:
        return _options("muelu", options, {
            f"pc_muelu_coarse_{name}": value for name, value in _mapping("coarse", coarse).items()})

    return _made("muelu", matrix, chosen, _Given(block_size, nullspace, coordinates))


def ifpack2(matrix: Any, kind: str = "RILUK", *, options: Optional[Parameters] = None
            ) -> Preconditioner:
    """A one-level preconditioner of Ifpack2, set up. Collective over the ranks of the matrix.

    matrix   as for muelu()
    kind     RILUK, ILUT, RELAXATION, CHEBYSHEV, SCHWARZ, DIAGONAL, ...
    options  Ifpack2's own parameters: {"relaxation: type": "Jacobi"}

    Raises as muelu(); LibraryFailed has the rule `library.ifpack2`.
    """
    def chosen() -> Dict[str, str]:
        if not isinstance(kind, str):
            _daptor._invalid_argument("kind", type_text(kind), "the name of a type of Ifpack2")
        return _options("ifpack2", options, {"pc_ifpack2_type": kind})

    return _made("ifpack2", matrix, chosen, _Given(None, None, None))
