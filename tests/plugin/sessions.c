/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that initializes and finalizes PETSc twice, and solves with the plug-in each time; with
   LOADS it loads the plug-in itself. */
#include <petscksp.h>

#ifdef LOADS
#include <daptor/petsc/plugin.h>
#endif

static PetscErrorCode solve(PetscInt* iterations) {
  Mat a;
  Vec x, b;
  KSP ksp;
  PetscInt first, last;
  const PetscInt n = 3000;
  KSPConvergedReason reason;

  PetscFunctionBeginUser;
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, n, n, 3, NULL, 3, NULL, &a));
  PetscCall(MatGetOwnershipRange(a, &first, &last));
  for (PetscInt r = first; r < last; ++r) {
    PetscCall(MatSetValue(a, r, r, 2.0, INSERT_VALUES));
    if (r > 0) PetscCall(MatSetValue(a, r, r - 1, -1.0, INSERT_VALUES));
    if (r + 1 < n) PetscCall(MatSetValue(a, r, r + 1, -1.0, INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatCreateVecs(a, &x, &b));
  PetscCall(VecSet(b, 1.0));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetOperators(ksp, a, a));
  PetscCall(KSPSetFromOptions(ksp));
  PetscCall(KSPSolve(ksp, b, x));
  PetscCall(KSPGetConvergedReason(ksp, &reason));
  PetscCheck(reason > 0, PETSC_COMM_WORLD, PETSC_ERR_NOT_CONVERGED, "diverged");
  PetscCall(KSPGetIterationNumber(ksp, iterations));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&b));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int session = 1; session <= 2; ++session) {
    PetscInt iterations = 0;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
#ifdef LOADS
    PetscCall(DaptorLoadPlugin());
    PetscCall(DaptorLoadPlugin());
#endif
    PetscCall(solve(&iterations));
    PetscCall(
        PetscPrintf(PETSC_COMM_WORLD, "session %d: iterations %d\n", session, (int)iterations));
    PetscCall(PetscFinalize());
  }
  MPI_Finalize();
  return 0;
}
