// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include <petscmat.h>

namespace daptor::solvers {

/// One process's rows of a matrix, columns in PETSc's numbering and in increasing order.
struct LocalRows {
  std::vector<PetscInt> starts{0}, columns;
  std::vector<PetscScalar> values;
  PetscInt count() const { return static_cast<PetscInt>(starts.size()) - 1; }
};

/// Collective over `comm`. A Mat of type AIJ with a copy of the rows; `own_columns` is the number
/// of columns of this process. Puts it into `mat`, also where it fails later on. Throws
/// LibraryFailed.
void create_mat(MPI_Comm comm, const LocalRows& rows, PetscInt own_columns, Mat* mat);

}  // namespace daptor::solvers
