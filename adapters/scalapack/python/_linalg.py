# SPDX-License-Identifier: BSD-3-Clause
"""What to write in place of NumPy's linear algebra of an Array."""

from typing import List

from ._numeric.in_numpy import LINALG

__all__: List[str] = []

LINALG.update({
    "solve": "x = daptor.scalapack.solve(a, b)",
    "lstsq": "x, residuals, rank, s = daptor.scalapack.lstsq(a, b)",
    "cholesky": "L = daptor.scalapack.cholesky(a)",
    "eigh": "w, v = daptor.scalapack.eigh(a)",
    "eigvalsh": "w, v = daptor.scalapack.eigh(a)",
    "svd": "U, S, Vh = daptor.scalapack.svd(a)",
    "qr": "Q, R = daptor.scalapack.qr(a)",
})
