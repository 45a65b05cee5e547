# SPDX-License-Identifier: BSD-3-Clause
"""Matrices of ScaLAPACK on the memory of distributed arrays, and back.

    from daptor import scalapack
    grid = scalapack.Grid(comm)                   # near-square
    A = scalapack.import_matrix(a, grid)          # a daptor.Array in blocks; no copy
    scalapack.call("pdgetrf", n, n, A, pivots)    # ScaLAPACK works in the memory of NumPy
    b = scalapack.export_matrix(desc, memory, comm)      # somebody's matrix, proven
    T = scalapack.copy_to_matrix(rows, grid)      # from any layout
    scalapack.copy_from_matrix(T, rows)           # and back

    x = scalapack.solve(a, b)                     # arrays of any layout; also cholesky, eigh, svd,
    w, v = scalapack.eigh(a)                      # qr and lstsq, as numpy.linalg has them

ScaLAPACK is called by ctypes, in the library that Daptor itself is linked to.
"""

from .._scalapack import Grid
from .dense import (EighResult, LinAlgError, QRResult, SVDResult, cholesky, eigh, lstsq, qr, solve,
                    svd)
from .matrix import (Matrix, call, copy_from_matrix, copy_to_matrix, export_matrix,
                     export_submatrix, import_matrix, library, transposed)

__all__ = ["EighResult", "Grid", "LinAlgError", "Matrix", "QRResult", "SVDResult", "call",
           "cholesky", "copy_from_matrix", "copy_to_matrix", "eigh", "export_matrix",
           "export_submatrix", "import_matrix", "library", "lstsq", "qr", "solve", "svd",
           "transposed"]
