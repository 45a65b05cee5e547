/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of the same size on any number of ranks, with a fault that other numbers on several
   ranks come from. `trace FAULT,FAULT... PREFIX OPTION...` runs each of them in a session of PETSc
   of its own, with the trace PREFIX FAULT.json: none, order, inverse, duplicate, ghost, insert,
   guess, file, boundary, late, place, stop. */
#include <petscdmda.h>
#include <petscksp.h>
#include <petscts.h>
#include <stdlib.h>
#include <string.h>

enum { points = 60 };
static const char* fault = "none";
static PetscMPIInt rank, size;

static int is(const char* name) {
  return strcmp(fault, name) == 0;
}

static double coefficient(PetscInt i) {
  return 1.0 + 0.3 * (double)((i * 7) % 11);
}

/* The mapping of a rank's rows and of the one before, in whose place another one is there twice on
   the last of three ranks and more. */
static PetscErrorCode make_mapping(PetscInt first, PetscInt last, ISLocalToGlobalMapping* mapping) {
  PetscInt indices[points + 2], n = 0;

  PetscFunctionBeginUser;
  if (first > 0) indices[n++] = first - 1;
  for (PetscInt i = first; i < last; ++i) indices[n++] = i;
  if (is("duplicate") && size > 2 && rank == size - 1) indices[0] = indices[1];
  PetscCall(
      ISLocalToGlobalMappingCreate(PETSC_COMM_WORLD, 1, n, indices, PETSC_COPY_VALUES, mapping));
  PetscFunctionReturn(0);
}

/* The matrix of elements between neighbours, which each rank adds up for its points. */
static PetscErrorCode make_matrix(Vec layout, Mat* a) {
  ISLocalToGlobalMapping mapping;
  PetscInt first, last, n;

  PetscFunctionBeginUser;
  PetscCall(VecGetOwnershipRange(layout, &first, &last));
  n = last - first;
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, n, n, points, points, 3, NULL, 2, NULL, a));
  PetscCall(PetscObjectSetName((PetscObject)*a, "stiffness"));
  PetscCall(make_mapping(first, last, &mapping));
  PetscCall(MatSetOption(*a, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  PetscCall(MatSetLocalToGlobalMapping(*a, mapping, mapping));
  for (PetscInt local = first > 0 ? 1 : 0; local < n + (first > 0 ? 1 : 0); ++local) {
    const PetscInt global = first + local - (first > 0 ? 1 : 0);
    const PetscScalar c = coefficient(global), c2 = c + 1.0;
    PetscInt before = local - 1;

    PetscCall(MatSetValuesLocal(*a, 1, &local, 1, &local, &c2, ADD_VALUES));
    if (global == 0) continue;
    PetscCall(MatSetValuesLocal(*a, 1, &before, 1, &before, &c, ADD_VALUES));
    {
      const PetscScalar minus = -c;
      PetscCall(MatSetValuesLocal(*a, 1, &local, 1, &before, &minus, ADD_VALUES));
      PetscCall(MatSetValuesLocal(*a, 1, &before, 1, &local, &minus, ADD_VALUES));
    }
  }
  PetscCall(MatAssemblyBegin(*a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*a, MAT_FINAL_ASSEMBLY));
  PetscCall(ISLocalToGlobalMappingDestroy(&mapping));
  PetscFunctionReturn(0);
}

/* Rows and columns of two points become those of the unit matrix, symmetrically. */
static PetscErrorCode set_boundary(Mat a) {
  const PetscInt fixed[2] = {points / 2, points / 3};
  PetscInt first, last;

  PetscFunctionBeginUser;
  PetscCall(MatGetOwnershipRange(a, &first, &last));
  for (int k = 0; k < 2; ++k) {
    for (PetscInt row = fixed[k] - 1; row <= fixed[k] + 1; ++row) {
      const int owns_fixed = fixed[k] >= first && fixed[k] < last;
      const PetscScalar value = row == fixed[k] ? 1.0 : 0.0;
      if (row < first || row >= last) continue;
      if (is("boundary") && !owns_fixed) continue; /* the column stays, where another rank has it */
      PetscCall(MatSetValues(a, 1, &row, 1, &fixed[k], &value, INSERT_VALUES));
      if (row != fixed[k]) PetscCall(MatSetValues(a, 1, &fixed[k], 1, &row, &value, INSERT_VALUES));
    }
    for (PetscInt row = fixed[k] - 1; row <= fixed[k] + 1; row += 2) {
      const PetscScalar zero = 0.0;
      if (fixed[k] >= first && fixed[k] < last)
        PetscCall(MatSetValues(a, 1, &fixed[k], 1, &row, &zero, INSERT_VALUES));
    }
  }
  PetscCall(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

/* Each rank adds what the elements at its points give to both of their ends. */
static PetscErrorCode add_load(Vec load) {
  PetscInt first, last;

  PetscFunctionBeginUser;
  PetscCall(VecGetOwnershipRange(load, &first, &last));
  for (PetscInt i = first; i < last; ++i) {
    const PetscInt ends[2] = {i, i + 1};
    const PetscScalar values[2] = {0.5 * coefficient(i), 0.5 * coefficient(i)};
    /* A sum of both elements where ranks meet, or the value of one of them. */
    if (is("insert") && i == last - 1 && i + 1 < points) {
      PetscCall(VecSetValues(load, 1, ends, values, ADD_VALUES));
      continue;
    }
    PetscCall(VecSetValues(load, i + 1 < points ? 2 : 1, ends, values, ADD_VALUES));
  }
  PetscCall(VecAssemblyBegin(load));
  PetscCall(VecAssemblyEnd(load));
  PetscFunctionReturn(0);
}

/* load_i -= slope_i - slope_(i-1), of a ghosted Vec. */
static PetscErrorCode subtract_slopes(Vec load) {
  Vec slopes, local;
  PetscInt first, last, ghosts[1], n;
  PetscScalar *values, *to;

  PetscFunctionBeginUser;
  PetscCall(VecGetOwnershipRange(load, &first, &last));
  n = last - first;
  ghosts[0] = first - 1;
  PetscCall(VecCreateGhost(PETSC_COMM_WORLD, n, points, first > 0 ? 1 : 0, ghosts, &slopes));
  PetscCall(PetscObjectSetName((PetscObject)slopes, "slopes"));
  PetscCall(VecGetArray(slopes, &values));
  for (PetscInt i = 0; i < n; ++i) values[i] = 0.1 * coefficient(first + i + 3);
  PetscCall(VecRestoreArray(slopes, &values));
  if (!is("ghost")) {
    PetscCall(VecGhostUpdateBegin(slopes, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecGhostUpdateEnd(slopes, INSERT_VALUES, SCATTER_FORWARD));
  }
  PetscCall(VecGhostGetLocalForm(slopes, &local));
  PetscCall(VecGetArray(local, &values));
  PetscCall(VecGetArray(load, &to));
  for (PetscInt i = 0; i < n; ++i)
    to[i] -= values[i] - (i > 0 ? values[i - 1] : first > 0 ? values[n] : 0.0);
  PetscCall(VecRestoreArray(load, &to));
  PetscCall(VecRestoreArray(local, &values));
  PetscCall(VecGhostRestoreLocalForm(slopes, &local));
  PetscCall(VecDestroy(&slopes));
  PetscFunctionReturn(0);
}

/* Scales by a sum over all points, which is added up rank by rank. */
static PetscErrorCode scale(Vec load) {
  PetscInt first, last;
  double own = 0, all = 0;

  PetscFunctionBeginUser;
  PetscCall(VecGetOwnershipRange(load, &first, &last));
  for (PetscInt i = first; i < last; ++i) own += 0.1 * coefficient(i);
  PetscCallMPI(MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD));
  PetscCall(VecScale(load, 1.0 / all));
  PetscFunctionReturn(0);
}

/* Adds numbers of a file, of which a rank takes those of its points. */
static PetscErrorCode add_file(Vec load, const char* path) {
  PetscInt first, last;
  PetscScalar* values;
  double number;
  FILE* in = fopen(path, "r");

  PetscFunctionBeginUser;
  PetscCheck(in != NULL, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "%s", path);
  PetscCall(VecGetOwnershipRange(load, &first, &last));
  PetscCall(VecGetArray(load, &values));
  for (PetscInt i = is("file") ? first : 0; i < last && fscanf(in, "%lf", &number) == 1; ++i)
    if (i >= first) values[i - first] += number;
  PetscCall(VecRestoreArray(load, &values));
  fclose(in);
  PetscFunctionReturn(0);
}

static PetscErrorCode guess(Vec x) {
  PetscInt first, last;
  PetscScalar* values;
  unsigned long state = 1;

  PetscFunctionBeginUser;
  PetscCall(VecGetOwnershipRange(x, &first, &last));
  PetscCall(VecGetArray(x, &values));
  if (is("guess")) state += (unsigned long)rank;
  for (PetscInt i = is("guess") ? first : 0; i < last; ++i) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    if (i >= first) values[i - first] = (double)(state >> 40) / 16777216.0;
  }
  PetscCall(VecRestoreArray(x, &values));
  PetscFunctionReturn(0);
}

/* The product of a matrix that is the inverse of another one, but for the tolerance of a solve. */
static PetscErrorCode multiply_by_solve(Mat inverse, Vec x, Vec y) {
  KSP ksp;

  PetscFunctionBeginUser;
  PetscCall(MatShellGetContext(inverse, &ksp));
  PetscCall(KSPSolve(ksp, x, y));
  PetscFunctionReturn(0);
}

static PetscErrorCode multiply_by_inverse(Mat a, Vec x) {
  Mat inverse;
  KSP ksp;
  PC pc;
  Vec y;
  PetscInt n;

  PetscFunctionBeginUser;
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetOperators(ksp, a, a));
  PetscCall(KSPSetTolerances(ksp, 1e-4, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCSOR)); /* sweeps of each rank */
  PetscCall(VecGetLocalSize(x, &n));
  PetscCall(MatCreateShell(PETSC_COMM_WORLD, n, n, points, points, ksp, &inverse));
  PetscCall(MatShellSetOperation(inverse, MATOP_MULT, (void (*)(void))multiply_by_solve));
  PetscCall(VecDuplicate(x, &y));
  PetscCall(MatMult(inverse, x, y));
  PetscCall(VecDestroy(&y));
  PetscCall(MatDestroy(&inverse));
  PetscCall(KSPDestroy(&ksp));
  PetscFunctionReturn(0);
}

/* A Vec of each process alone, which is in no trace. */
static PetscErrorCode multiply_own(void) {
  Vec own;
  PetscScalar product;

  PetscFunctionBeginUser;
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, 3, &own));
  PetscCall(VecSet(own, 2.0));
  PetscCall(VecDot(own, own, &product));
  PetscCall(VecDestroy(&own));
  PetscFunctionReturn(0);
}

static PetscErrorCode solve(const char* path) {
  Mat a;
  Vec load, x, residual;
  KSP ksp;
  PetscReal norm;

  PetscFunctionBeginUser;
  PetscCall(VecCreateMPI(PETSC_COMM_WORLD, PETSC_DECIDE, points, &load));
  PetscCall(PetscObjectSetName((PetscObject)load, "load"));
  PetscCall(VecDuplicate(load, &x));
  PetscCall(VecDuplicate(load, &residual));
  PetscCall(multiply_own());
  PetscCall(add_load(load));
  PetscCall(subtract_slopes(load));
  PetscCall(add_file(load, path));
  PetscCall(scale(load));
  PetscCall(VecNorm(load, NORM_2, &norm));
  PetscCall(make_matrix(load, &a));
  PetscCall(set_boundary(a));
  if (is("inverse")) PetscCall(multiply_by_inverse(a, load));
  PetscCall(guess(x));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetOperators(ksp, a, a));
  PetscCall(KSPSetInitialGuessNonzero(ksp, PETSC_TRUE));
  PetscCall(KSPSetFromOptions(ksp));
  PetscCall(KSPSolve(ksp, load, x));
  /* What is left of the load has no digit in common. */
  PetscCall(MatMult(a, x, residual));
  PetscCall(VecAXPY(residual, -1.0, load));
  PetscCall(VecNorm(residual, NORM_2, &norm));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s: norm of the residual %g\n", fault,
                        (double)(norm < 1e-3 ? 0.0 : norm)));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&residual));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&load));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

static int calls;

/* Heat flow in a plate with two components. */
static PetscErrorCode flow(TS ts, PetscReal time, Vec u, Vec f, void* unused) {
  DM da;
  Vec local;
  PetscScalar ***from, ***to;
  PetscInt x, y, nx, ny, mx, my;

  PetscFunctionBeginUser;
  PetscCall(TSGetDM(ts, &da));
  PetscCall(DMGetLocalVector(da, &local));
  if (!(is("late") && ++calls > 2)) PetscCall(DMGlobalToLocal(da, u, INSERT_VALUES, local));
  PetscCall(DMDAGetCorners(da, &x, &y, NULL, &nx, &ny, NULL));
  PetscCall(
      DMDAGetInfo(da, NULL, &mx, &my, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
  PetscCall(DMDAVecGetArrayDOF(da, local, &from));
  PetscCall(DMDAVecGetArrayDOF(da, f, &to));
  if (is("late") && calls > 2) { /* the ghosts are those of the step before */
    PetscScalar*** own;
    PetscCall(DMDAVecGetArrayDOFRead(da, u, &own));
    for (PetscInt j = y; j < y + ny; ++j)
      for (PetscInt i = x; i < x + nx; ++i)
        for (int c = 0; c < 2; ++c) from[j][i][c] = own[j][i][c];
    PetscCall(DMDAVecRestoreArrayDOFRead(da, u, &own));
  }
  for (PetscInt j = y; j < y + ny; ++j)
    for (PetscInt i = x; i < x + nx; ++i)
      for (int c = 0; c < 2; ++c) {
        const PetscScalar at = from[j][i][c];
        to[j][i][c] =
            (i > 0 ? from[j][i - 1][c] - at : 0.0) + (i < mx - 1 ? from[j][i + 1][c] - at : 0.0) +
            (j > 0 ? from[j - 1][i][c] - at : 0.0) + (j < my - 1 ? from[j + 1][i][c] - at : 0.0);
      }
  PetscCall(DMDAVecRestoreArrayDOF(da, f, &to));
  PetscCall(DMDAVecRestoreArrayDOF(da, local, &from));
  PetscCall(DMRestoreLocalVector(da, &local));
  PetscFunctionReturn(0);
}

static PetscErrorCode steps(void) {
  DM da;
  TS ts;
  Vec u;
  PetscScalar*** values;
  PetscInt x, y, nx, ny;

  PetscFunctionBeginUser;
  PetscCall(DMDACreate2d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_STAR, 9,
                         7, PETSC_DECIDE, PETSC_DECIDE, 2, 1, NULL, NULL, &da));
  PetscCall(DMSetUp(da));
  PetscCall(DMCreateGlobalVector(da, &u));
  PetscCall(PetscObjectSetName((PetscObject)u, "heat"));
  PetscCall(DMDAGetCorners(da, &x, &y, NULL, &nx, &ny, NULL));
  PetscCall(DMDAVecGetArrayDOF(da, u, &values));
  for (PetscInt j = y; j < y + ny; ++j)
    for (PetscInt i = x; i < x + nx; ++i)
      for (int c = 0; c < 2; ++c) values[j][i][c] = coefficient(9 * j + i + 5 * c);
  if (is("place") && rank == size - 1 && size > 1) { /* the same values, two of them exchanged */
    const PetscScalar first = values[y][x][0];
    values[y][x][0] = values[y][x][1];
    values[y][x][1] = first;
  }
  PetscCall(DMDAVecRestoreArrayDOF(da, u, &values));
  calls = 0;
  PetscCall(TSCreate(PETSC_COMM_WORLD, &ts));
  PetscCall(TSSetDM(ts, da));
  PetscCall(TSSetType(ts, TSEULER));
  PetscCall(TSSetRHSFunction(ts, NULL, flow, NULL));
  PetscCall(TSSetTimeStep(ts, 0.05));
  PetscCall(TSSetMaxSteps(ts, 4));
  PetscCall(TSSetMaxTime(ts, 1.0));
  PetscCall(TSSetExactFinalTime(ts, TS_EXACTFINALTIME_STEPOVER));
  PetscCall(TSSolve(ts, u));
  if (is("stop") && size > 1) exit(0);
  PetscCall(VecSum(u, &(PetscScalar){0}));
  {
    PetscReal norm;
    PetscCall(VecNorm(u, NORM_1, &norm));
  }
  PetscCall(TSDestroy(&ts));
  PetscCall(VecDestroy(&u));
  PetscCall(DMDestroy(&da));
  PetscFunctionReturn(0);
}

static PetscErrorCode session(int argc, char** argv, const char* name, const char* prefix) {
  char file[PETSC_MAX_PATH_LEN], numbers[PETSC_MAX_PATH_LEN];
  char** all = malloc(sizeof(char*) * (size_t)(argc + 3));
  char** kept = all;
  int count = argc + 2;

  fault = name;
  memcpy(all, argv, sizeof(char*) * (size_t)argc);
  snprintf(file, sizeof file, "%s%s.json", prefix, name);
  snprintf(numbers, sizeof numbers, "%snumbers", prefix);
  all[argc] = "-daptor_check_trace";
  all[argc + 1] = file;
  all[argc + 2] = NULL;
  PetscCall(PetscInitialize(&count, &all, NULL, NULL));
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  PetscCall(solve(numbers));
  PetscCall(steps());
  PetscCall(PetscFinalize());
  free(kept);
  return 0;
}

int main(int argc, char** argv) {
  char names[256];

  MPI_Init(&argc, &argv);
  if (argc < 3) return 1;
  snprintf(names, sizeof names, "%s", argv[1]);

  for (char* name = strtok(names, ","); name != NULL; name = strtok(NULL, ",")) {
    char* prefix = argv[2];
    char** rest = argv + 2;
    rest[0] = argv[0];
    if (session(argc - 2, rest, name, prefix) != 0) return 1;
    argv[2] = prefix;
  }
  MPI_Finalize();
  return 0;
}
