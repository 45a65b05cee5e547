// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "matrix_file.hpp"

/// Collective. A real matrix: Tpetra reads and multiplies it, Ifpack2 preconditions, PETSc's GMRES
/// solves, in vectors that all of them share. Prints what comes of it. Throws DemoError.
void run_matrix(const MatrixFile& file);
