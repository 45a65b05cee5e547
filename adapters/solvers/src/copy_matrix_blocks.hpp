// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

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

/// Local numbers of the columns of a Mat: the owned ones, followed by the ghosts in PETSc's order.
class GhostsLast {
 public:
  explicit GhostsLast(const Blocks& blocks) : blocks_(blocks) {}

  Index count() const { return other(blocks_.ghosts); }
  Index own(PetscInt column) const { return column; }
  Index other(PetscInt ghost) const { return Index{blocks_.columns} + ghost; }
  /// The global number of each local column.
  template <class Global>
  std::vector<Global> list() const {
    std::vector<Global> all;
    all.reserve(static_cast<std::size_t>(count()));
    for (PetscInt c = 0; c < blocks_.columns; ++c) all.push_back(Global{blocks_.first_column} + c);
    for (PetscInt g = 0; g < blocks_.ghosts; ++g) all.push_back(blocks_.ghost(g));
    return all;
  }

 private:
  const Blocks& blocks_;
};

}  // namespace daptor::solvers
