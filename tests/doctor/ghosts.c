/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with ghosted Vecs, in which -case names what is done with their ghosts: they are read
   and never updated (never), or only while all values were 0 (once); one update in the middle of
   several steps is left out (stale), or all that is right is done (right). */
#include <petscksp.h>
#include <string.h>

static char which[32] = "right";

static int is(const char* name) {
  return strcmp(which, name) == 0;
}

/* n values for each rank in blocks; ghosts are the neighbours' nearest blocks in a ring. */
static PetscErrorCode make(PetscInt block, Vec* u) {
  PetscInt ghosts[2], count = 0, n = 4;
  PetscMPIInt rank, size;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  if (size > 1) {
    ghosts[count++] = n * ((rank + 1) % size);
    ghosts[count++] = n * ((rank + size - 1) % size) + n - 1;
  }
  PetscCall(
      VecCreateGhostBlock(PETSC_COMM_WORLD, block, n * block, PETSC_DETERMINE, count, ghosts, u));
  PetscCall(PetscObjectSetName((PetscObject)*u, "u"));
  PetscFunctionReturn(0);
}

static PetscErrorCode set(Vec u, PetscReal scale) {
  PetscScalar* values;
  PetscInt first, last;

  PetscFunctionBeginUser;
  PetscCall(VecGetOwnershipRange(u, &first, &last));
  PetscCall(VecGetArray(u, &values));
  for (PetscInt i = first; i < last; ++i) values[i - first] = scale * (1.0 + (PetscReal)(i % 7));
  PetscCall(VecRestoreArray(u, &values));
  PetscFunctionReturn(0);
}

static PetscErrorCode update(Vec u) {
  PetscFunctionBeginUser;
  PetscCall(VecGhostUpdateBegin(u, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecGhostUpdateEnd(u, INSERT_VALUES, SCATTER_FORWARD));
  PetscFunctionReturn(0);
}

/* The sum of the first component of each owned value and ghost, in v. */
static PetscErrorCode add_up(Vec u, Vec v) {
  Vec local;
  PetscInt n, block;
  const PetscScalar* values;
  PetscScalar *result, sum = 0;

  PetscFunctionBeginUser;
  PetscCall(VecGetBlockSize(u, &block));
  PetscCall(VecGhostGetLocalForm(u, &local));
  PetscCall(VecGetLocalSize(local, &n));
  PetscCall(VecGetArrayRead(local, &values));
  for (PetscInt i = 0; i < n; i += block) sum += values[i];
  PetscCall(VecRestoreArrayRead(local, &values));
  PetscCall(VecGhostRestoreLocalForm(u, &local));
  PetscCall(VecGetLocalSize(v, &n));
  PetscCall(VecGetArray(v, &result)); /* VecSet would tell PETSc the norm */
  for (PetscInt i = 0; i < n; ++i) result[i] = sum;
  PetscCall(VecRestoreArray(v, &result));
  PetscFunctionReturn(0);
}

static PetscErrorCode print(const char* what, Vec v) {
  PetscReal norm;

  PetscFunctionBeginUser;
  PetscCall(VecNorm(v, NORM_2, &norm));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s %.17g\n", what, (double)norm));
  PetscFunctionReturn(0);
}

/* Steps of u += 0.1 v, where v depends on the ghosts of u. */
static PetscErrorCode step(Vec u, Vec v) {
  PetscFunctionBeginUser;
  if (is("once") || is("right")) PetscCall(update(u));
  PetscCall(set(u, 1.0));
  PetscCall(VecAssemblyBegin(u));
  PetscCall(VecAssemblyEnd(u));
  for (int i = 0; i < 4; ++i) {
    if (is("right") || (is("stale") && i != 2)) PetscCall(update(u));
    PetscCall(add_up(u, v));
    PetscCall(print("v", v));
    PetscCall(VecAXPY(u, 0.1, v));
    PetscCall(print("u", u));
  }
  PetscFunctionReturn(0);
}

/* An update with work between its begin and its end, one that adds, a copy of the local form, and
   work Vecs that are like u. */
static PetscErrorCode update_otherwise(Vec u, Vec v) {
  Vec local, w, copy;
  PetscReal norm;

  PetscFunctionBeginUser;
  PetscCall(VecDuplicate(u, &w)); /* has the scatter of u, and is looked at in its first norm */
  PetscCall(VecShift(w, 1.0));
  PetscCall(VecGhostUpdateBegin(u, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecNorm(w, NORM_1, &norm));
  PetscCall(VecSet(v, norm));
  PetscCall(VecGhostUpdateEnd(u, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecDestroy(&w));
  PetscCall(add_up(u, v));
  PetscCall(print("v", v));
  PetscCall(VecDuplicate(u, &w));
  PetscCall(VecCopy(u, w));
  PetscCall(update(w));
  PetscCall(VecScale(w, 2.0));
  PetscCall(print("w", w));
  PetscCall(VecGhostUpdateBegin(w, ADD_VALUES, SCATTER_FORWARD)); /* stale ghosts are added to */
  PetscCall(VecGhostUpdateEnd(w, ADD_VALUES, SCATTER_FORWARD));
  PetscCall(add_up(w, v));
  PetscCall(print("v", v));
  PetscCall(VecGhostGetLocalForm(u, &local));
  PetscCall(VecDuplicate(local, &copy));
  PetscCall(VecCopy(local, copy));
  PetscCall(VecScale(local, 3.0)); /* owned values and ghosts at once */
  PetscCall(VecGhostRestoreLocalForm(u, &local));
  PetscCall(add_up(u, v));
  PetscCall(print("v", v));
  PetscCall(VecDestroy(&copy));
  PetscCall(VecDestroy(&w));
  PetscFunctionReturn(0);
}

/* Adds to owned values and ghosts, with events between. */
static PetscErrorCode contribute(Vec u, Vec v, PetscReal what) {
  Vec local;
  PetscScalar* values;
  PetscInt n;

  PetscFunctionBeginUser;
  for (int half = 0; half < 2; ++half) {
    PetscCall(VecGhostGetLocalForm(u, &local));
    PetscCall(VecGetLocalSize(local, &n));
    PetscCall(VecGetArray(local, &values));
    for (PetscInt i = half ? n / 2 : 0; i < (half ? n : n / 2); ++i)
      values[i] += what * (PetscReal)(1 + i);
    PetscCall(VecRestoreArray(local, &values));
    PetscCall(VecGhostRestoreLocalForm(u, &local));
    PetscCall(print("v", v));
  }
  PetscCall(VecGhostUpdateBegin(u, ADD_VALUES, SCATTER_REVERSE));
  PetscCall(VecGhostUpdateEnd(u, ADD_VALUES, SCATTER_REVERSE));
  PetscCall(print("u", u));
  PetscFunctionReturn(0);
}

static PetscErrorCode zero_all(Vec u) {
  Vec local;

  PetscFunctionBeginUser;
  PetscCall(VecGhostGetLocalForm(u, &local));
  PetscCall(VecSet(local, 0.0));
  PetscCall(VecGhostRestoreLocalForm(u, &local));
  PetscFunctionReturn(0);
}

static PetscErrorCode assemble(Vec v) {
  Vec u, w;

  PetscFunctionBeginUser;
  PetscCall(VecDuplicate(v, &u));
  PetscCall(VecSet(v, 1.0));
  PetscCall(contribute(u, v, 1.0)); /* to the zeros that PETSc has made */
  PetscCall(zero_all(u));
  PetscCall(contribute(u, v, 0.5));
  PetscCall(update(u));
  PetscCall(add_up(u, v));
  PetscCall(print("v", v));
  /* Zeros by an update, values of the owners before contributions. */
  PetscCall(VecDuplicate(u, &w));
  PetscCall(VecSet(w, 0.0));
  PetscCall(update(w));
  PetscCall(VecShift(w, 1.0));
  PetscCall(contribute(w, v, 2.0));
  PetscCall(VecDestroy(&w));
  /* Ghosts that were updated go back although owned values were changed. */
  PetscCall(VecDuplicate(u, &w));
  PetscCall(VecSet(w, 3.0));
  PetscCall(update(w));
  PetscCall(VecScale(w, 2.0));
  PetscCall(print("w", w));
  PetscCall(VecGhostUpdateBegin(w, ADD_VALUES, SCATTER_REVERSE));
  PetscCall(VecGhostUpdateEnd(w, ADD_VALUES, SCATTER_REVERSE));
  PetscCall(print("w", w));
  PetscCall(VecDestroy(&w));
  PetscCall(VecDestroy(&u));
  PetscFunctionReturn(0);
}

/* The ghosts of the first rank are 0 because their owners are; they are looked at before they are
   updated, and read behind that, but not looked at again. */
static PetscErrorCode read_zeros(void) {
  Vec u, v;
  PetscMPIInt rank;
  PetscInt n = 4;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCall(make(1, &u));
  PetscCall(VecDuplicate(u, &v));
  if (rank == 0) PetscCall(VecSetValue(u, 0, 1.0, INSERT_VALUES));
  if (rank == 0) PetscCall(VecSetValue(u, n - 1, 1.0, INSERT_VALUES));
  PetscCall(VecAssemblyBegin(u));
  PetscCall(VecAssemblyEnd(u));
  PetscCall(print("u", u));
  PetscCall(VecScale(u, 2.0));
  PetscCall(VecDot(u, u, &(PetscScalar){0}));
  PetscCall(update(u));
  PetscCall(add_up(u, v));
  PetscCall(print("v", v));
  PetscCall(VecDestroy(&v));
  PetscCall(VecDestroy(&u));
  PetscFunctionReturn(0);
}

/* Only the second component is changed, and the first one is read. */
static PetscErrorCode change_component(void) {
  Vec u, v;

  PetscFunctionBeginUser;
  PetscCall(make(2, &u));
  PetscCall(VecDuplicate(u, &v));
  PetscCall(set(u, 1.0));
  PetscCall(update(u));
  PetscCall(VecStrideScale(u, 1, 5.0));
  PetscCall(print("u", u));
  PetscCall(add_up(u, v));
  PetscCall(print("v", v));
  PetscCall(VecDestroy(&v));
  PetscCall(VecDestroy(&u));
  PetscFunctionReturn(0);
}

/* The ghosts are those of the last update on purpose, and the program works on the local form. */
static PetscErrorCode hold(Vec u, Vec v) {
  Vec local;

  PetscFunctionBeginUser;
  PetscCall(set(u, 1.0));
  PetscCall(update(u));
  PetscCall(VecGhostGetLocalForm(u, &local));
  PetscCall(VecScale(u, 2.0));
  PetscCall(print("u", u));
  PetscCall(add_up(u, v));
  PetscCall(print("v", v));
  PetscCall(VecGhostRestoreLocalForm(u, &local));
  PetscFunctionReturn(0);
}

/* A solve, whose own vectors have ghosts too, in which nobody is interested. */
static PetscErrorCode solve(Vec u, Vec v) {
  Mat A;
  KSP ksp;
  PetscInt n, N, first, last;

  PetscFunctionBeginUser;
  PetscCall(VecGetLocalSize(u, &n));
  PetscCall(VecGetSize(u, &N));
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, n, n, N, N, 3, NULL, 2, NULL, &A));
  PetscCall(MatGetOwnershipRange(A, &first, &last));
  for (PetscInt i = first; i < last; ++i) {
    PetscCall(MatSetValue(A, i, i, 4, INSERT_VALUES));
    if (i > 0) PetscCall(MatSetValue(A, i, i - 1, -1, INSERT_VALUES));
    if (i + 1 < N) PetscCall(MatSetValue(A, i, i + 1, -1, INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetOperators(ksp, A, A));
  PetscCall(KSPSetFromOptions(ksp));
  for (int i = 0; i < 2; ++i) {
    PetscCall(KSPSolve(ksp, v, u));
    PetscCall(update(u));
    PetscCall(add_up(u, v));
    PetscCall(print("v", v));
  }
  PetscCall(KSPDestroy(&ksp));
  PetscCall(MatDestroy(&A));
  PetscFunctionReturn(0);
}

int main(int argc, char** argv) {
  Vec u, v;

  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCall(PetscOptionsGetString(NULL, NULL, "-case", which, sizeof(which), NULL));
  PetscCall(make(1, &u));
  PetscCall(VecDuplicate(u, &v));
  PetscCall(PetscObjectSetName((PetscObject)v, "v"));
  PetscCall(step(u, v));
  if (is("right")) {
    PetscCall(update_otherwise(u, v));
    PetscCall(hold(u, v));
    PetscCall(assemble(v));
    PetscCall(read_zeros());
    PetscCall(change_component());
    PetscCall(set(v, 1));
    PetscCall(solve(u, v));
  }
  PetscCall(VecDestroy(&v));
  PetscCall(VecDestroy(&u));
  PetscCall(PetscFinalize());
  return 0;
}
