// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "matrix_file.hpp"

/// Collective. Solves with a real matrix: Tpetra reads and multiplies it, Ifpack2 preconditions,
/// and PETSc's GMRES solves, in vectors that all of them share. Prints the results. Throws
/// DemoError.
void run_matrix(const MatrixFile& file);
