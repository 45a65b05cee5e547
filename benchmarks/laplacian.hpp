// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

namespace bench {

/// Five-point Laplacian on m x m points; rows are divided as PETSc divides them.
inline Mat make_laplacian(MPI_Comm comm, PetscInt m) {
  Mat A = nullptr;
  PetscInt first = 0;
  PetscInt last = 0;
  PetscCallAbort(comm, MatCreateAIJ(comm, PETSC_DECIDE, PETSC_DECIDE, m * m, m * m, 5, nullptr, 2,
                                    nullptr, &A));
  PetscCallAbort(comm, MatGetOwnershipRange(A, &first, &last));
  for (PetscInt row = first; row < last; ++row) {
    const PetscInt i = row / m;
    const PetscInt j = row % m;
    const auto set = [&](PetscInt column, PetscScalar value) {
      PetscCallAbort(comm, MatSetValue(A, row, column, value, INSERT_VALUES));
    };
    if (i > 0) set(row - m, -1.0);
    if (i < m - 1) set(row + m, -1.0);
    if (j > 0) set(row - 1, -1.0);
    if (j < m - 1) set(row + 1, -1.0);
    set(row, 4.0);
  }
  PetscCallAbort(comm, MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  PetscCallAbort(comm, MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  return A;
}

}  // namespace bench
