// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include <petscmat.h>

namespace daptor::solvers {

/// The rows of a matrix on one process, with columns in PETSc's numbering and in increasing order.
struct LocalRows {
  std::vector<PetscInt> starts{0}, columns;
  std::vector<PetscScalar> values;
  bool zero_diagonal = false;  ///< whether one is zero or was missing; known if they are added
  PetscInt count() const { return static_cast<PetscInt>(starts.size()) - 1; }
};

/// Collective over `comm`. Creates a Mat of type AIJ with a copy of the rows; `own_columns` is the
/// number of columns of this process. Stores it in `mat` even if it fails afterwards. Throws
/// LibraryFailed.
void create_mat(MPI_Comm comm, const LocalRows& rows, PetscInt own_columns, Mat* mat);

}  // namespace daptor::solvers
