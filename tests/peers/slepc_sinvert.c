/* SPDX-License-Identifier: BSD-3-Clause */
/* SLEPc's shift-and-invert: each step solves with the matrix, by the solver that the options name.
   The smallest eigenvalues of the five-point Laplacian are known; on a grid with sides of different
   lengths each is a simple one. */
#include <slepceps.h>

#define ROWS 40
#define COLUMNS 50

int main(int argc, char** argv) {
  Mat a;
  EPS eps;
  ST st;
  KSP ksp;
  PC pc;
  PCType type;
  PetscInt first, last, found;
  PetscScalar value;
  const PetscInt m = ROWS, n = COLUMNS;

  PetscFunctionBeginUser;
  PetscCall(SlepcInitialize(&argc, &argv, NULL, NULL));
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, m * n, m * n, 5, NULL, 4,
                         NULL, &a));
  PetscCall(MatGetOwnershipRange(a, &first, &last));
  for (PetscInt r = first; r < last; ++r) {
    const PetscInt i = r / n, j = r % n;
    PetscCall(MatSetValue(a, r, r, 4.0, INSERT_VALUES));
    if (i > 0) PetscCall(MatSetValue(a, r, r - n, -1.0, INSERT_VALUES));
    if (i + 1 < m) PetscCall(MatSetValue(a, r, r + n, -1.0, INSERT_VALUES));
    if (j > 0) PetscCall(MatSetValue(a, r, r - 1, -1.0, INSERT_VALUES));
    if (j + 1 < n) PetscCall(MatSetValue(a, r, r + 1, -1.0, INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));

  PetscCall(EPSCreate(PETSC_COMM_WORLD, &eps));
  PetscCall(EPSSetOperators(eps, a, NULL));
  PetscCall(EPSSetProblemType(eps, EPS_HEP));
  PetscCall(EPSSetDimensions(eps, 3, PETSC_DEFAULT, PETSC_DEFAULT));
  PetscCall(EPSSetTarget(eps, 0.0));
  PetscCall(EPSSetFromOptions(eps));
  PetscCall(EPSSolve(eps));
  PetscCall(EPSGetConverged(eps, &found));
  PetscCheck(found >= 3, PETSC_COMM_WORLD, PETSC_ERR_NOT_CONVERGED, "too few eigenvalues");
  for (PetscInt k = 0; k < 3; ++k) {
    /* Half waves along the two sides: (1, 1), (1, 2), (2, 1). */
    const PetscReal along_m = (k == 2 ? 2 : 1) * PETSC_PI / (2 * (m + 1));
    const PetscReal along_n = (k == 1 ? 2 : 1) * PETSC_PI / (2 * (n + 1));
    const PetscReal expected =
        4 * (PetscSqr(PetscSinReal(along_m)) + PetscSqr(PetscSinReal(along_n)));
    PetscCall(EPSGetEigenvalue(eps, k, &value, NULL));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "eigenvalue %.12g, expected %.12g\n",
                          (double)PetscRealPart(value), (double)expected));
    PetscCheck(PetscAbsReal(PetscRealPart(value) - expected) < 1e-7, PETSC_COMM_WORLD,
               PETSC_ERR_NOT_CONVERGED, "a wrong eigenvalue");
  }
  PetscCall(EPSGetST(eps, &st));
  PetscCall(STGetKSP(st, &ksp));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCGetType(pc, &type));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "solved with %s\n", type));
  PetscCall(EPSDestroy(&eps));
  PetscCall(MatDestroy(&a));
  PetscCall(SlepcFinalize());
  return 0;
}
