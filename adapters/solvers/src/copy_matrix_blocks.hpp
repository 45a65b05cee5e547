// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

#include "daptor/petsc/adapter/mat_rows.hpp"

namespace daptor::solvers {

using petsc::detail::is_type;
using petsc::detail::OpenBlock;
using Blocks = petsc::detail::MatBlocks;

/// Throws InvalidArgument for a null Mat, and what require_running throws.
void require_matrix(Mat matrix);
/// Whether the matrix stores only half of a symmetric matrix.
bool is_sbaij(Mat matrix);
/// Requires as many rows as columns, on this process, too: with another matrix preconditioners of
/// Trilinos fail on one rank in the middle of their work, or read outside of their arrays.
/// Throws InvalidArgument (`matrix.square`).
void require_square(Mat matrix);
/// Throws InvalidArgument (`matrix.unassembled`, `matrix.factored`).
void require_assembled(Mat matrix);
/// The blocks of a matrix of type AIJ or BAIJ. Throws NotRepresentable (`matrix.type`,
/// `matrix.index-range`).
Blocks blocks_of(Mat matrix);

}  // namespace daptor::solvers
