// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../solvers/support.hpp"

namespace daptor::test {

/// The five-point Laplacian on m x m points with no prescribed values at the edges, as in a
/// pressure equation: its null space is the constants.
inline OwnMat neumann(PetscInt m) {
  OwnMat a;
  MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, m * m, m * m, 5, nullptr, 4, nullptr,
               a.address());
  PetscInt first = 0;
  PetscInt last = 0;
  MatGetOwnershipRange(a, &first, &last);
  for (PetscInt r = first; r < last; ++r) {
    const PetscInt i = r / m;
    const PetscInt j = r % m;
    PetscScalar sum = 0;
    const auto couple = [&](bool inside, PetscInt column) {
      if (!inside) return;
      MatSetValue(a, r, column, -1.0, INSERT_VALUES);
      sum += 1.0;
    };
    couple(i > 0, r - m);
    couple(j > 0, r - 1);
    couple(j + 1 < m, r + 1);
    couple(i + 1 < m, r + m);
    MatSetValue(a, r, r, sum, INSERT_VALUES);
  }
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  return a;
}

/// Sets the null space of the matrix: the constants, or one vector.
inline void set_null_space(Mat a, Vec vector = nullptr) {
  MatNullSpace space = nullptr;
  MatNullSpaceCreate(PETSC_COMM_WORLD, vector == nullptr ? PETSC_TRUE : PETSC_FALSE,
                     vector == nullptr ? 0 : 1, &vector, &space);
  MatSetNullSpace(a, space);
  MatNullSpaceDestroy(&space);
}

}  // namespace daptor::test
