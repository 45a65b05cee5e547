/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs with a fault each, which -daptor_check finds; all of -cases, one after the other. Each
   names its objects by its own name, and with -right it does the same without the fault. */
#include <petsc/private/petscimpl.h>
#include <petscdmplex.h>
#include <petscksp.h>
#include <petscsf.h>
#include <string.h>

static PetscBool right = PETSC_FALSE;
static PetscMPIInt rank, size;
static const char* name = "";

#define NAMED(object) PetscObjectSetName((PetscObject)(object), name)

/* The matrix of (-1, 2, -1), ten rows on each rank; with free ends each row adds up to zero. */
static PetscErrorCode make_matrix(PetscBool free_ends, Mat* a) {
  PetscInt first, last, n;

  PetscFunctionBeginUser;
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, 10, 10, PETSC_DETERMINE, PETSC_DETERMINE, 3, NULL, 2,
                         NULL, a));
  PetscCall(NAMED(*a));
  PetscCall(MatGetOwnershipRange(*a, &first, &last));
  PetscCall(MatGetSize(*a, &n, NULL));
  for (PetscInt r = first; r < last; ++r) {
    PetscBool end = (PetscBool)(free_ends && (r == 0 || r == n - 1));
    PetscCall(MatSetValue(*a, r, r, end ? 1.0 : 2.0, INSERT_VALUES));
    if (r > 0) PetscCall(MatSetValue(*a, r, r - 1, -1.0, INSERT_VALUES));
    if (r + 1 < n) PetscCall(MatSetValue(*a, r, r + 1, -1.0, INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(*a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*a, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

/* Values whose sum is zero: 1, -1, 1, ... */
static PetscErrorCode alternate(Vec b) {
  PetscScalar* values;
  PetscInt count;

  PetscFunctionBeginUser;
  PetscCall(VecGetLocalSize(b, &count));
  PetscCall(VecGetArray(b, &values));
  for (PetscInt i = 0; i < count; ++i) values[i] = i % 2 ? -1.0 : 1.0;
  PetscCall(VecRestoreArray(b, &values));
  PetscFunctionReturn(0);
}

static PetscErrorCode make_solver(Mat a, Mat p, const char* type, const char* pc_type, KSP* ksp) {
  PC pc;

  PetscFunctionBeginUser;
  PetscCall(KSPCreate(PETSC_COMM_WORLD, ksp));
  PetscCall(NAMED(*ksp));
  PetscCall(KSPSetOperators(*ksp, a, p));
  PetscCall(KSPSetType(*ksp, type));
  PetscCall(KSPGetPC(*ksp, &pc));
  PetscCall(PCSetType(pc, pc_type));
  PetscFunctionReturn(0);
}

/* Solves, and prints the norm of the solution. */
static PetscErrorCode solve(KSP ksp, Vec b) {
  Vec x;
  PetscReal norm;

  PetscFunctionBeginUser;
  PetscCall(VecDuplicate(b, &x));
  PetscCall(KSPSolve(ksp, b, x));
  PetscCall(VecNorm(x, NORM_2, &norm));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s: norm of the solution %.6e\n", name, (double)norm));
  PetscCall(VecDestroy(&x));
  PetscFunctionReturn(0);
}

/* Thirty steps, whether or not there is a solution. */
static PetscErrorCode stop_early(KSP ksp) {
  PetscFunctionBeginUser;
  PetscCall(KSPSetTolerances(ksp, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, 30));
  PetscCall(KSPSetConvergenceTest(ksp, KSPConvergedSkip, NULL, NULL));
  PetscFunctionReturn(0);
}

/* Solves once, with a right-hand side whose sum is zero, or with 1 in all places. */
static PetscErrorCode solve_with(Mat a, Mat p, const char* type, const char* pc_type,
                                 PetscBool balanced) {
  KSP ksp;
  Vec b;

  PetscFunctionBeginUser;
  PetscCall(make_solver(a, p, type, pc_type, &ksp));
  PetscCall(MatCreateVecs(a, NULL, &b));
  PetscCall(VecSet(b, 1.0));
  if (balanced) PetscCall(alternate(b));
  PetscCall(solve(ksp, b));
  PetscCall(VecDestroy(&b));
  PetscCall(KSPDestroy(&ksp));
  PetscFunctionReturn(0);
}

static PetscErrorCode set_constants(Mat a, PetscErrorCode (*set)(Mat, MatNullSpace)) {
  MatNullSpace constants;

  PetscFunctionBeginUser;
  PetscCall(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_TRUE, 0, NULL, &constants));
  PetscCall(set(a, constants));
  PetscCall(MatNullSpaceDestroy(&constants));
  PetscFunctionReturn(0);
}

static PetscErrorCode set_vector(Mat a, Vec vec, PetscBool constants,
                                 PetscErrorCode (*set)(Mat, MatNullSpace)) {
  MatNullSpace space;

  PetscFunctionBeginUser;
  PetscCall(MatNullSpaceCreate(PETSC_COMM_WORLD, constants, 1, &vec, &space));
  PetscCall(set(a, space));
  PetscCall(MatNullSpaceDestroy(&space));
  PetscFunctionReturn(0);
}

static PetscErrorCode make_vec(Vec* x) {
  PetscFunctionBeginUser;
  PetscCall(VecCreate(PETSC_COMM_WORLD, x));
  PetscCall(VecSetSizes(*x, 10, PETSC_DETERMINE));
  PetscCall(VecSetType(*x, VECMPI));
  PetscCall(NAMED(*x));
  PetscFunctionReturn(0);
}

static PetscErrorCode finish_vec(Vec* x) {
  PetscReal norm;

  PetscFunctionBeginUser;
  PetscCall(VecNorm(*x, NORM_2, &norm));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s: norm %.6e\n", name, (double)norm));
  PetscCall(VecDestroy(x));
  PetscFunctionReturn(0);
}

/* The first element of the next rank is set, and waits for an assembly. PETSc 3.22 refuses that
 * itself. */
static PetscErrorCode unassembled(void) {
  Vec x;

  PetscFunctionBeginUser;
#if PETSC_VERSION_GE(3, 22, 0)
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s: left out\n", name));
  PetscFunctionReturn(0);
#endif
  PetscCall(make_vec(&x));
  PetscCall(VecSetValue(x, 10 * ((rank + 1) % size), 1.0, ADD_VALUES));
  if (right) PetscCall(VecAssemblyBegin(x));
  if (right) PetscCall(VecAssemblyEnd(x));
  PetscCall(finish_vec(&x));
  PetscFunctionReturn(0);
}

/* The first rank adds, and the others insert. */
static PetscErrorCode vec_modes(void) {
  Vec x;

  PetscFunctionBeginUser;
  PetscCall(make_vec(&x));
  PetscCall(VecSetValue(x, 10 * rank, 1.0, rank == 0 && !right ? ADD_VALUES : INSERT_VALUES));
  PetscCall(VecAssemblyBegin(x));
  PetscCall(VecAssemblyEnd(x));
  PetscCall(finish_vec(&x));
  PetscFunctionReturn(0);
}

/* The last rank inserts, and then adds. */
static PetscErrorCode both_modes(void) {
  Vec x;

  PetscFunctionBeginUser;
  PetscCall(make_vec(&x));
  if (rank == size - 1) PetscCall(VecSetValue(x, 10 * rank, 1.0, INSERT_VALUES));
  if (right) PetscCall(VecAssemblyBegin(x));
  if (right) PetscCall(VecAssemblyEnd(x));
  if (rank == size - 1) PetscCall(VecSetValue(x, 10 * rank, 2.0, ADD_VALUES));
  PetscCall(VecAssemblyBegin(x));
  PetscCall(VecAssemblyEnd(x));
  PetscCall(finish_vec(&x));
  PetscFunctionReturn(0);
}

static PetscErrorCode mat_modes(void) {
  Mat a;

  PetscFunctionBeginUser;
  PetscCall(
      MatCreateAIJ(PETSC_COMM_WORLD, 2, 2, PETSC_DETERMINE, PETSC_DETERMINE, 2, NULL, 2, NULL, &a));
  PetscCall(NAMED(a));
  for (PetscInt r = 2 * rank; r < 2 * rank + 2; ++r)
    PetscCall(MatSetValue(a, r, r, 1.0, rank == 0 && !right ? ADD_VALUES : INSERT_VALUES));
  PetscCall(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

/* The vector of a null space has length sqrt(n), or is the constant that is in it anyway. */
static PetscErrorCode solve_free(PetscBool normal, PetscBool constants) {
  Mat a;
  Vec vec;

  PetscFunctionBeginUser;
  PetscCall(make_matrix(PETSC_TRUE, &a));
  PetscCall(MatCreateVecs(a, &vec, NULL));
  PetscCall(VecSet(vec, 1.0));
  if (normal) PetscCall(VecNormalize(vec, NULL));
  PetscCall(set_vector(a, vec, constants, MatSetNullSpace));
  PetscCall(solve_with(a, a, KSPGMRES, PCJACOBI, PETSC_TRUE));
  PetscCall(VecDestroy(&vec));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

static PetscErrorCode null_length(void) {
  return solve_free(right, PETSC_FALSE);
}

static PetscErrorCode null_twice(void) {
  return solve_free(PETSC_TRUE, (PetscBool)!right);
}

/* A vector of the null space is there twice. */
static PetscErrorCode null_pair(void) {
  Mat a;
  Vec vecs[2];
  MatNullSpace space;

  PetscFunctionBeginUser;
  PetscCall(make_matrix(PETSC_TRUE, &a));
  PetscCall(MatCreateVecs(a, &vecs[0], NULL));
  PetscCall(VecSet(vecs[0], 1.0));
  PetscCall(VecNormalize(vecs[0], NULL));
  PetscCall(VecDuplicate(vecs[0], &vecs[1]));
  PetscCall(VecCopy(vecs[0], vecs[1]));
  PetscCall(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_FALSE, right ? 1 : 2, vecs, &space));
  PetscCall(MatSetNullSpace(a, space));
  PetscCall(MatNullSpaceDestroy(&space));
  PetscCall(solve_with(a, a, KSPGMRES, PCJACOBI, PETSC_TRUE));
  PetscCall(VecDestroy(&vecs[0]));
  PetscCall(VecDestroy(&vecs[1]));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

/* One entry makes the matrix unsymmetric, one sign another one. */
static PetscErrorCode solve_told(MatOption option, PetscInt column, PetscScalar value) {
  Mat a;

  PetscFunctionBeginUser;
  PetscCall(make_matrix(PETSC_FALSE, &a));
  if (!right && rank == size - 1)
    PetscCall(MatSetValue(a, 10 * rank + 3, 10 * rank + column, value, INSERT_VALUES));
  PetscCall(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatSetOption(a, option, PETSC_TRUE));
  PetscCall(solve_with(a, a, KSPGMRES, PCJACOBI, PETSC_FALSE));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

static PetscErrorCode told_symmetric(void) {
  return solve_told(MAT_SYMMETRIC, 4, -0.5);
}

static PetscErrorCode told_positive(void) {
  return solve_told(MAT_SPD, 3, -2.0);
}

/* All of the diagonal is positive, and the matrix is indefinite. */
static PetscErrorCode told_energy(void) {
  Mat a;

  PetscFunctionBeginUser;
  PetscCall(make_matrix(PETSC_FALSE, &a));
  if (!right) PetscCall(MatShift(a, -1.5));
  PetscCall(MatSetOption(a, MAT_SPD, PETSC_TRUE));
  PetscCall(solve_with(a, a, KSPGMRES, PCJACOBI, PETSC_FALSE));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

/* A sweep forward on each rank, or the diagonal. */
static PetscErrorCode sweep(PC pc, Vec x, Vec y) {
  PetscScalar* values;
  PetscInt count;

  PetscFunctionBeginUser;
  PetscCall(VecCopy(x, y));
  PetscCall(VecScale(y, 0.5));
  PetscCall(VecGetLocalSize(y, &count));
  PetscCall(VecGetArray(y, &values));
  for (PetscInt i = 1; i < count && !right; ++i) values[i] += 0.4 * values[i - 1];
  PetscCall(VecRestoreArray(y, &values));
  PetscFunctionReturn(0);
}

static PetscErrorCode preconditioner(void) {
  Mat a;
  Vec b;
  KSP ksp;
  PC pc;

  PetscFunctionBeginUser;
  PetscCall(make_matrix(PETSC_FALSE, &a));
  PetscCall(MatCreateVecs(a, NULL, &b));
  PetscCall(VecSet(b, 1.0));
  PetscCall(make_solver(a, a, KSPCG, PCSHELL, &ksp));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCShellSetApply(pc, sweep));
  PetscCall(KSPSetConvergenceTest(ksp, KSPConvergedSkip, NULL, NULL));
  PetscCall(KSPSetTolerances(ksp, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, 6));
  PetscCall(solve(ksp, b));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&b));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

/* Fields of `first` rows and of those from `second` on, of the rows of the rank `shift` behind. */
static PetscErrorCode solve_fields(PetscInt first, PetscInt second, PetscMPIInt shift) {
  Mat a;
  Vec b;
  KSP ksp, *inner;
  PC pc;
  IS u, p;
  PetscInt count;
  const PetscInt begin = 10 * ((rank + shift) % size);

  PetscFunctionBeginUser;
  PetscCall(make_matrix(PETSC_FALSE, &a));
  PetscCall(MatCreateVecs(a, NULL, &b));
  PetscCall(VecSet(b, 1.0));
  PetscCall(make_solver(a, a, KSPFGMRES, PCFIELDSPLIT, &ksp));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(ISCreateStride(PETSC_COMM_WORLD, first, begin, 1, &u));
  PetscCall(ISCreateStride(PETSC_COMM_WORLD, 10 - second, begin + second, 1, &p));
  PetscCall(PCFieldSplitSetIS(pc, "u", u));
  PetscCall(PCFieldSplitSetIS(pc, "p", p));
  PetscCall(PCFieldSplitSetType(pc, PC_COMPOSITE_ADDITIVE));
  PetscCall(KSPSetTolerances(ksp, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, 10));
  PetscCall(KSPSetConvergenceTest(ksp, KSPConvergedSkip, NULL, NULL));
  PetscCall(PCSetUp(pc));
  PetscCall(PCFieldSplitGetSubKSP(pc, &count, &inner));
  for (PetscInt i = 0; i < count; ++i) PetscCall(KSPSetType(inner[i], KSPPREONLY));
  PetscCall(PetscFree(inner));
  PetscCall(solve(ksp, b));
  PetscCall(ISDestroy(&u));
  PetscCall(ISDestroy(&p));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&b));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

static PetscErrorCode fields_overlap(void) {
  return solve_fields(6, right ? 6 : 4, 0);
}

static PetscErrorCode fields_gap(void) {
  return solve_fields(4, right ? 4 : 7, 0);
}

static PetscErrorCode fields_elsewhere(void) {
  return solve_fields(4, right ? 4 : 7, 1);
}

/* The null space is set at the matrix of which the preconditioner is made, and that is a copy. */
static PetscErrorCode null_unused(void) {
  Mat a, p;

  PetscFunctionBeginUser;
  PetscCall(make_matrix(PETSC_TRUE, &a));
  PetscCall(MatDuplicate(a, MAT_COPY_VALUES, &p));
  PetscCall(set_constants(right ? a : p, MatSetNullSpace));
  PetscCall(solve_with(a, p, KSPGMRES, PCJACOBI, PETSC_TRUE));
  PetscCall(MatDestroy(&p));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

/* The operator is regular, and the preconditioner made of a singular matrix. */
static PetscErrorCode null_of_other(void) {
  Mat a, p;

  PetscFunctionBeginUser;
  PetscCall(make_matrix(PETSC_FALSE, &a));
  PetscCall(make_matrix(PETSC_TRUE, &p));
  PetscCall(set_constants(p, MatSetNullSpace));
  PetscCall(solve_with(a, p, KSPGMRES, PCJACOBI, PETSC_TRUE));
  PetscCall(MatDestroy(&p));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

static PetscErrorCode no_null_space(void) {
  Mat a;

  PetscFunctionBeginUser;
  PetscCall(make_matrix(PETSC_TRUE, &a));
  if (right) PetscCall(set_constants(a, MatSetNullSpace));
  PetscCall(solve_with(a, a, KSPGMRES, PCJACOBI, PETSC_TRUE));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

/* The right-hand side has a part in the null space, which PETSc removes where it knows that it is
   that of the transpose, too. */
static PetscErrorCode right_hand_side(void) {
  Mat a;

  PetscFunctionBeginUser;
  PetscCall(make_matrix(PETSC_TRUE, &a));
  PetscCall(set_constants(a, MatSetNullSpace));
  if (right) PetscCall(set_constants(a, MatSetTransposeNullSpace));
  PetscCall(solve_with(a, a, KSPGMRES, PCJACOBI, PETSC_FALSE));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

/* Differences to the row before: constants are mapped to zero, but not by the transpose, so that
   their part of the right-hand side does no harm. */
static PetscErrorCode one_sided(void) {
  Mat a;
  Vec b;
  KSP ksp;
  PetscInt first, last;

  PetscFunctionBeginUser;
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, 10, 10, PETSC_DETERMINE, PETSC_DETERMINE, 2, NULL, 1,
                         NULL, &a));
  PetscCall(NAMED(a));
  PetscCall(MatGetOwnershipRange(a, &first, &last));
  for (PetscInt r = first; r < last; ++r) {
    PetscCall(MatSetValue(a, r, r, 1.0, INSERT_VALUES));
    PetscCall(MatSetValue(a, r, r > 0 ? r - 1 : 1, -1.0, INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
  PetscCall(set_constants(a, MatSetNullSpace));
  PetscCall(MatCreateVecs(a, NULL, &b));
  PetscCall(VecSet(b, 1.0));
  if (rank == 0) PetscCall(VecSetValue(b, 0, -1.0, INSERT_VALUES));
  PetscCall(VecAssemblyBegin(b));
  PetscCall(VecAssemblyEnd(b));
  PetscCall(make_solver(a, a, KSPGMRES, PCNONE, &ksp));
  PetscCall(stop_early(ksp));
  PetscCall(solve(ksp, b));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&b));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

static PetscErrorCode near_zero(void) {
  Mat a;
  Vec vec;

  PetscFunctionBeginUser;
  PetscCall(make_matrix(PETSC_FALSE, &a));
  PetscCall(MatCreateVecs(a, &vec, NULL));
  PetscCall(VecSet(vec, right ? 1.0 : 0.0));
  PetscCall(VecNormalize(vec, NULL));
  PetscCall(set_vector(a, vec, PETSC_FALSE, MatSetNearNullSpace));
  PetscCall(solve_with(a, a, KSPGMRES, PCJACOBI, PETSC_FALSE));
  PetscCall(VecDestroy(&vec));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

static PetscErrorCode near_none(void) {
  Mat a;
  Vec vec;

  PetscFunctionBeginUser;
  PetscCall(make_matrix(PETSC_FALSE, &a));
  PetscCall(MatCreateVecs(a, &vec, NULL));
  PetscCall(VecSet(vec, 1.0));
  if (!right) PetscCall(alternate(vec));
  PetscCall(VecNormalize(vec, NULL));
  PetscCall(set_vector(a, vec, PETSC_FALSE, MatSetNearNullSpace));
  PetscCall(solve_with(a, a, KSPGMRES, PCJACOBI, PETSC_FALSE));
  PetscCall(VecDestroy(&vec));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

/* The last rank writes an entry where MatSeqAIJGetArray has pointed to. */
static PetscErrorCode mat_behind(void) {
  Mat a, own;
  Vec b;
  KSP ksp;
  PetscScalar *values, *kept;
  PetscBool sequential;

  PetscFunctionBeginUser;
  PetscCall(make_matrix(PETSC_FALSE, &a));
  PetscCall(MatCreateVecs(a, NULL, &b));
  PetscCall(VecSet(b, 1.0));
  PetscCall(make_solver(a, a, KSPGMRES, PCJACOBI, &ksp));
  PetscCall(PetscObjectTypeCompare((PetscObject)a, MATSEQAIJ, &sequential));
  own = a;
  if (!sequential) PetscCall(MatMPIAIJGetSeqAIJ(a, &own, NULL, NULL));
  PetscCall(MatSeqAIJGetArray(own, &values));
  kept = values;
  PetscCall(MatSeqAIJRestoreArray(own, &values));
  PetscCall(solve(ksp, b));
  if (rank == size - 1) kept[0] *= 2.0;
  if (right) PetscCall(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
  if (right) PetscCall(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
  PetscCall(solve(ksp, b));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&b));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

static PetscErrorCode see(KSP ksp, PetscInt step, PetscReal norm, void* unused) {
  PetscFunctionBeginUser;
  PetscFunctionReturn(0);
}

/* Three steps are too few; the right program tries again. */
static PetscErrorCode stop_at_three(PetscBool monitor) {
  Mat a;
  Vec b;
  KSP ksp;

  PetscFunctionBeginUser;
  PetscCall(make_matrix(PETSC_FALSE, &a));
  PetscCall(MatCreateVecs(a, NULL, &b));
  PetscCall(VecSet(b, 1.0));
  PetscCall(make_solver(a, a, KSPCG, PCNONE, &ksp));
  PetscCall(KSPSetTolerances(ksp, 1e-10, PETSC_DEFAULT, PETSC_DEFAULT, 3));
  if (monitor) PetscCall(KSPMonitorSet(ksp, see, NULL, NULL));
  PetscCall(solve(ksp, b));
  if (right)
    PetscCall(KSPSetTolerances(ksp, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, 10 * size));
  if (right) PetscCall(solve(ksp, b));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&b));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

static PetscErrorCode diverged(void) {
  return stop_at_three(PETSC_FALSE);
}

static PetscErrorCode diverged_seen(void) {
  return stop_at_three(PETSC_TRUE);
}

/* Leaf 3 has root 5 of the next rank, which has four; there is memory for more. */
static PetscErrorCode use_graph(PetscBool reduce) {
  PetscSF sf;
  PetscSFNode* roots;
  PetscInt from[8] = {0}, to[8] = {0};

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(4, &roots));
  for (PetscInt i = 0; i < 4; ++i) {
    roots[i].rank = (rank + 1) % size;
    roots[i].index = i == 3 && !right ? 5 : i;
  }
  PetscCall(PetscSFCreate(PETSC_COMM_WORLD, &sf));
  PetscCall(NAMED(sf));
  PetscCall(PetscSFSetGraph(sf, 4, 4, NULL, PETSC_COPY_VALUES, roots, PETSC_OWN_POINTER));
  if (reduce) {
    PetscCall(PetscSFReduceBegin(sf, MPIU_INT, from, to, MPI_SUM));
    PetscCall(PetscSFReduceEnd(sf, MPIU_INT, from, to, MPI_SUM));
  } else {
    PetscCall(PetscSFBcastBegin(sf, MPIU_INT, from, to, MPI_REPLACE));
    PetscCall(PetscSFBcastEnd(sf, MPIU_INT, from, to, MPI_REPLACE));
  }
  PetscCall(PetscSFDestroy(&sf));
  PetscFunctionReturn(0);
}

static PetscErrorCode graph_bcast(void) {
  return use_graph(PETSC_FALSE);
}

static PetscErrorCode graph_reduce(void) {
  return use_graph(PETSC_TRUE);
}

/* The global Vec has two elements more on the last rank than the mesh. */
static PetscErrorCode mesh(void) {
  DM dm, spread = NULL;
  Vec global, local, used;
  PetscSection section;
  PetscPartitioner partitioner;
  PetscInt faces[2] = {4, 4}, first, last, count;

  PetscFunctionBeginUser;
#if PETSC_VERSION_GE(3, 22, 0)
  PetscCall(DMPlexCreateBoxMesh(PETSC_COMM_WORLD, 2, PETSC_FALSE, faces, NULL, NULL, NULL,
                                PETSC_TRUE, 0, PETSC_FALSE, &dm));
#else
  PetscCall(DMPlexCreateBoxMesh(PETSC_COMM_WORLD, 2, PETSC_FALSE, faces, NULL, NULL, NULL,
                                PETSC_TRUE, &dm));
#endif
  /* The default of Debian's PETSc with 64-bit indices crashes. */
  PetscCall(DMPlexGetPartitioner(dm, &partitioner));
  PetscCall(PetscPartitionerSetType(partitioner, PETSCPARTITIONERSIMPLE));
  PetscCall(DMPlexDistribute(dm, 0, NULL, &spread));
  if (spread) PetscCall(DMDestroy(&dm));
  if (spread) dm = spread;
  PetscCall(NAMED(dm));
  PetscCall(PetscSectionCreate(PETSC_COMM_WORLD, &section));
  PetscCall(DMPlexGetDepthStratum(dm, 0, &first, &last));
  PetscCall(PetscSectionSetChart(section, first, last));
  for (PetscInt p = first; p < last; ++p) PetscCall(PetscSectionSetDof(section, p, 1));
  PetscCall(PetscSectionSetUp(section));
  PetscCall(DMSetLocalSection(dm, section));
  PetscCall(DMCreateGlobalVector(dm, &global));
  PetscCall(DMCreateLocalVector(dm, &local));
  PetscCall(VecGetLocalSize(global, &count));
  PetscCall(VecCreateMPI(PETSC_COMM_WORLD, count + (rank == size - 1 && !right ? 2 : 0),
                         PETSC_DETERMINE, &used));
  PetscCall(VecSet(used, 1.0));
  PetscCall(DMGlobalToLocalBegin(dm, used, INSERT_VALUES, local));
  PetscCall(DMGlobalToLocalEnd(dm, used, INSERT_VALUES, local));
  PetscCall(PetscSectionDestroy(&section));
  PetscCall(VecDestroy(&used));
  PetscCall(VecDestroy(&global));
  PetscCall(VecDestroy(&local));
  PetscCall(DMDestroy(&dm));
  PetscFunctionReturn(0);
}

/* After the first solve, a row is replaced by that of a boundary condition, so that the null space
   is none any more. The second solver may be another one. */
static PetscErrorCode solve_zeroed(PetscBool another) {
  Mat a;
  Vec b;
  KSP ksp;
  PetscInt row = 0;

  PetscFunctionBeginUser;
  PetscCall(make_matrix(PETSC_TRUE, &a));
  PetscCall(set_constants(a, MatSetNullSpace));
  PetscCall(MatCreateVecs(a, NULL, &b));
  PetscCall(alternate(b));
  PetscCall(make_solver(a, a, KSPGMRES, PCJACOBI, &ksp));
  PetscCall(solve(ksp, b));
  PetscCall(MatZeroRows(a, rank == 0 ? 1 : 0, &row, 1.0, NULL, NULL));
  if (right) PetscCall(MatSetNullSpace(a, NULL));
  if (another) PetscCall(KSPDestroy(&ksp));
  if (another) PetscCall(make_solver(a, a, KSPGMRES, PCJACOBI, &ksp));
  PetscCall(stop_early(ksp));
  PetscCall(solve(ksp, b));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&b));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

static PetscErrorCode zero_rows(void) {
  return solve_zeroed(PETSC_FALSE);
}

static PetscErrorCode zero_rows_anew(void) {
  return solve_zeroed(PETSC_TRUE);
}

/* A block is written, of which the nested Vec does not hear. */
static PetscErrorCode nest_vec(void) {
  Vec parts[2], x;
  PetscScalar *values, product;
  PetscReal norm;

  PetscFunctionBeginUser;
  for (int i = 0; i < 2; ++i) {
    PetscCall(VecCreateMPI(PETSC_COMM_WORLD, 4, PETSC_DETERMINE, &parts[i]));
    PetscCall(VecSet(parts[i], 1.0));
  }
  PetscCall(VecCreateNest(PETSC_COMM_WORLD, 2, NULL, parts, &x));
  PetscCall(NAMED(x));
  PetscCall(VecNorm(x, NORM_2, &norm));
  PetscCall(VecGetArray(parts[0], &values));
  values[0] = 100.0;
  PetscCall(VecRestoreArray(parts[0], &values));
  if (right) PetscCall(PetscObjectStateIncrease((PetscObject)x));
  PetscCall(VecDot(x, x, &product));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&parts[0]));
  PetscCall(VecDestroy(&parts[1]));
  PetscFunctionReturn(0);
}

/* The second block has no entries on the first rank, or its index set begins a row too early. */
static PetscErrorCode solve_nest(PetscBool empty, PetscInt shift) {
  Mat a, b, blocks[4] = {NULL, NULL, NULL, NULL}, nest;
  IS rows[2];
  KSP ksp;
  Vec rhs;

  PetscFunctionBeginUser;
  PetscCall(make_matrix(PETSC_FALSE, &a));
  PetscCall(
      MatCreateAIJ(PETSC_COMM_WORLD, 3, 3, PETSC_DETERMINE, PETSC_DETERMINE, 1, NULL, 0, NULL, &b));
  for (PetscInt r = 3 * rank; r < 3 * rank + 3 && !(empty && rank == 0); ++r)
    PetscCall(MatSetValue(b, r, r, 1.0, INSERT_VALUES));
  PetscCall(MatAssemblyBegin(b, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(b, MAT_FINAL_ASSEMBLY));
  blocks[0] = a;
  blocks[3] = b;
  PetscCall(ISCreateStride(PETSC_COMM_WORLD, 10, 13 * rank, 1, &rows[0]));
  PetscCall(ISCreateStride(PETSC_COMM_WORLD, 3, 13 * rank + 10 - shift, 1, &rows[1]));
  PetscCall(MatCreateNest(PETSC_COMM_WORLD, 2, rows, 2, rows, blocks, &nest));
  PetscCall(NAMED(nest));
  PetscCall(make_solver(nest, nest, KSPGMRES, PCNONE, &ksp));
  PetscCall(stop_early(ksp));
  PetscCall(MatCreateVecs(nest, NULL, &rhs));
  PetscCall(VecSet(rhs, 1.0));
  PetscCall(solve(ksp, rhs));
  PetscCall(VecDestroy(&rhs));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(ISDestroy(&rows[0]));
  PetscCall(ISDestroy(&rows[1]));
  PetscCall(MatDestroy(&nest));
  PetscCall(MatDestroy(&a));
  PetscCall(MatDestroy(&b));
  PetscFunctionReturn(0);
}

static PetscErrorCode nest_empty(void) {
  return solve_nest((PetscBool)!right, 0);
}

static PetscErrorCode nest_sets(void) {
  return solve_nest(PETSC_FALSE, right ? 0 : 1);
}

/* A ghost that is the rank's own, in a Vec of which nothing but the ghosts are updated. */
static PetscErrorCode ghost(void) {
  Vec x;
  PetscInt index = 4 * ((rank + (right ? 1 : 0)) % size) + 3;

  PetscFunctionBeginUser;
  PetscCall(
      VecCreateGhost(PETSC_COMM_WORLD, 4, PETSC_DETERMINE, right && size == 1 ? 0 : 1, &index, &x));
  PetscCall(NAMED(x));
  PetscCall(VecSet(x, 1.0));
  PetscCall(VecGhostUpdateBegin(x, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecGhostUpdateEnd(x, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecDestroy(&x));
  PetscFunctionReturn(0);
}

/* Springs between the points of a grid of five columns and two rows on each rank, two unknowns in
   each point. Without a wall, a rigid motion stretches none of them. */
static PetscErrorCode make_springs(PetscBool wall, Mat* a) {
  static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
  const PetscInt columns = 5, lines = 2 * size;
  PetscInt first, last;

  PetscFunctionBeginUser;
  PetscCall(MatCreate(PETSC_COMM_WORLD, a));
  PetscCall(MatSetSizes(*a, 20, 20, PETSC_DETERMINE, PETSC_DETERMINE));
  PetscCall(MatSetBlockSize(*a, 2));
  PetscCall(MatSetType(*a, MATAIJ));
  PetscCall(MatSeqAIJSetPreallocation(*a, 18, NULL));
  PetscCall(MatMPIAIJSetPreallocation(*a, 18, NULL, 18, NULL));
  PetscCall(NAMED(*a));
  PetscCall(MatGetOwnershipRange(*a, &first, &last));
  for (PetscInt p = first / 2; p < last / 2; ++p)
    for (int s = 0; s < 4; ++s) {
      const PetscInt x = p % columns + steps[s][0], y = p / columns + steps[s][1];
      const PetscInt q = y * columns + x;
      const PetscReal length = PetscSqrtReal(steps[s][0] * steps[s][0] + steps[s][1] * steps[s][1]);
      PetscInt rows[4] = {2 * p, 2 * p + 1, 2 * q, 2 * q + 1};
      PetscScalar direction[4], values[16];
      if (x < 0 || x >= columns || y < 0 || y >= lines) continue;
      for (int i = 0; i < 4; ++i) direction[i] = (i < 2 ? 1.0 : -1.0) * steps[s][i % 2] / length;
      for (int i = 0; i < 16; ++i) values[i] = direction[i / 4] * direction[i % 4];
      PetscCall(MatSetValues(*a, 4, rows, 4, rows, values, ADD_VALUES));
    }
  for (PetscInt r = first; r < last && wall; ++r)
    if (r / 2 % columns == 0) PetscCall(MatSetValue(*a, r, r, 4.0, ADD_VALUES));
  PetscCall(MatAssemblyBegin(*a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*a, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

/* How motions may be written. */
typedef enum { RIGHT, NEGATED, SWAPPED, BY_COMPONENTS, OVER_RANKS } Writing;

/* Where component c of a point is written, which is the one of number `own` on this rank. */
static PetscInt place_of(Writing writing, PetscInt point, PetscInt own, PetscInt c) {
  const PetscInt first = 2 * (point - own);
  if (writing == BY_COMPONENTS) return first + 10 * c + own;
  if (writing == OVER_RANKS) return 10 * size * c + point;
  return first + 2 * own + (writing == SWAPPED ? 1 - c : c);
}

/* Motions along x and along y, and a rotation. */
static PetscErrorCode make_motion(Mat a, int kind, Writing writing, Vec* vec) {
  PetscInt first;

  PetscFunctionBeginUser;
  PetscCall(MatCreateVecs(a, vec, NULL));
  PetscCall(VecGetOwnershipRange(*vec, &first, NULL));
  for (PetscInt i = 0; i < 10; ++i) {
    const PetscInt p = first / 2 + i;
    const PetscReal x = p % 5 - 2.0, y = p / 5 - size + 0.5;
    const PetscReal turned[2] = {writing == NEGATED ? y : -y, x};
    for (int c = 0; c < 2; ++c)
      PetscCall(VecSetValue(*vec, place_of(writing, p, i, c), kind == 2 ? turned[c] : kind == c,
                            INSERT_VALUES));
  }
  PetscCall(VecAssemblyBegin(*vec));
  PetscCall(VecAssemblyEnd(*vec));
  PetscCall(VecNormalize(*vec, NULL));
  PetscFunctionReturn(0);
}

/* Forces that stretch the springs somehow are orthogonal to rigid motions. */
static PetscErrorCode solve_stretched(Mat a) {
  KSP ksp;
  Vec x, b;
  PetscScalar* values;

  PetscFunctionBeginUser;
  PetscCall(make_solver(a, a, KSPGMRES, PCJACOBI, &ksp));
  PetscCall(MatCreateVecs(a, &x, &b));
  PetscCall(VecGetArray(x, &values));
  for (PetscInt i = 0; i < 20; ++i) values[i] = i * i % 7;
  PetscCall(VecRestoreArray(x, &values));
  PetscCall(MatMult(a, x, b));
  PetscCall(stop_early(ksp));
  PetscCall(solve(ksp, b));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&b));
  PetscCall(KSPDestroy(&ksp));
  PetscFunctionReturn(0);
}

static PetscErrorCode solve_springs(PetscBool wall, Writing writing) {
  Mat a;
  Vec motions[3];
  MatNullSpace space;

  PetscFunctionBeginUser;
  PetscCall(make_springs(wall, &a));
  for (int i = 0; i < 3; ++i) PetscCall(make_motion(a, i, right ? RIGHT : writing, &motions[i]));
  PetscCall(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_FALSE, 3, motions, &space));
  PetscCall(wall ? MatSetNearNullSpace(a, space) : MatSetNullSpace(a, space));
  PetscCall(solve_stretched(a));
  PetscCall(MatNullSpaceDestroy(&space));
  for (int i = 0; i < 3; ++i) PetscCall(VecDestroy(&motions[i]));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

static PetscErrorCode mode_sign(void) {
  return solve_springs(PETSC_FALSE, NEGATED);
}

static PetscErrorCode mode_order(void) {
  return solve_springs(PETSC_FALSE, SWAPPED);
}

static PetscErrorCode mode_components(void) {
  return solve_springs(PETSC_FALSE, BY_COMPONENTS);
}

static PetscErrorCode mode_over_ranks(void) {
  return solve_springs(PETSC_FALSE, OVER_RANKS);
}

static PetscErrorCode near_over_ranks(void) {
  return solve_springs(PETSC_TRUE, OVER_RANKS);
}

static PetscErrorCode near_sign(void) {
  return solve_springs(PETSC_TRUE, NEGATED);
}

/* The mapping has the numbers of points, for a matrix with two unknowns in each. */
static PetscErrorCode points(void) {
  Mat a;
  PetscInt indices[10];
  ISLocalToGlobalMapping mapping;

  PetscFunctionBeginUser;
  PetscCall(make_springs(PETSC_TRUE, &a));
  for (PetscInt i = 0; i < 10; ++i) indices[i] = 10 * rank + i;
  PetscCall(ISLocalToGlobalMappingCreate(PETSC_COMM_WORLD, right ? 2 : 1, 10, indices,
                                         PETSC_COPY_VALUES, &mapping));
  PetscCall(MatSetLocalToGlobalMapping(a, mapping, mapping));
  PetscCall(ISLocalToGlobalMappingDestroy(&mapping));
  PetscCall(solve_stretched(a));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

#define CASE(function) \
  { #function, function }
static const struct {
  const char* name;
  PetscErrorCode (*run)(void);
} cases[] = {CASE(unassembled),     CASE(vec_modes),        CASE(both_modes),
             CASE(mat_modes),       CASE(null_length),      CASE(null_twice),
             CASE(null_pair),       CASE(told_symmetric),   CASE(told_positive),
             CASE(told_energy),     CASE(preconditioner),   CASE(fields_overlap),
             CASE(fields_gap),      CASE(fields_elsewhere), CASE(null_unused),
             CASE(null_of_other),   CASE(no_null_space),    CASE(right_hand_side),
             CASE(one_sided),       CASE(near_zero),        CASE(near_none),
             CASE(mat_behind),      CASE(diverged),         CASE(diverged_seen),
             CASE(graph_bcast),     CASE(graph_reduce),     CASE(mesh),
             CASE(zero_rows),       CASE(zero_rows_anew),   CASE(nest_vec),
             CASE(nest_empty),      CASE(nest_sets),        CASE(ghost),
             CASE(mode_sign),       CASE(mode_order),       CASE(mode_components),
             CASE(mode_over_ranks), CASE(near_sign),        CASE(near_over_ranks),
             CASE(points)};

int main(int argc, char** argv) {
  char chosen[32] = "";

  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  PetscCall(PetscOptionsGetBool(NULL, NULL, "-right", &right, NULL));
  PetscCall(PetscOptionsGetString(NULL, NULL, "-case", chosen, sizeof(chosen), NULL));
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); ++i) {
    if (chosen[0] && strcmp(chosen, cases[i].name) != 0) continue;
    name = cases[i].name;
    PetscCall(cases[i].run());
  }
  PetscCall(PetscFinalize());
  return 0;
}
