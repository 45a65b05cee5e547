/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems of several kinds, each solved by a KSP with the prefix of its name, to compare the types
   of PC of the name `ml`: PETSc's own, where it was built with ML, and the plug-in's. */

#include <petscdmda.h>
#include <petscksp.h>
#include <string.h>

static DM grid_of(PetscInt dimension, PetscInt side, PetscInt unknowns) {
  DM grid;
  if (dimension == 2)
    PetscCallAbort(
        PETSC_COMM_WORLD,
        DMDACreate2d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_BOX, side,
                     side, PETSC_DECIDE, PETSC_DECIDE, unknowns, 1, NULL, NULL, &grid));
  else
    PetscCallAbort(PETSC_COMM_WORLD,
                   DMDACreate3d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE,
                                DM_BOUNDARY_NONE, DMDA_STENCIL_STAR, side, side, side, PETSC_DECIDE,
                                PETSC_DECIDE, PETSC_DECIDE, unknowns, 1, NULL, NULL, NULL, &grid));
  PetscCallAbort(PETSC_COMM_WORLD, DMSetUp(grid));
  return grid;
}

static PetscErrorCode assembled(Mat matrix) {
  PetscFunctionBeginUser;
  PetscCall(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

/* Minus the Laplacian, plus `wind` in all directions, upwind; the values outside are 0. In three
   dimensions those at the left are prescribed, and others have entries in their columns. */
static PetscErrorCode make_diffusion(DM grid, PetscReal wind, PetscReal across, Mat* matrix) {
  DMDALocalInfo info;
  MatStencil row, columns[7];
  PetscScalar values[7];

  PetscFunctionBeginUser;
  PetscCall(DMDAGetLocalInfo(grid, &info));
  PetscCall(DMCreateMatrix(grid, matrix));
  memset(&row, 0, sizeof row);
  for (row.k = info.zs; row.k < info.zs + info.zm; ++row.k)
    for (row.j = info.ys; row.j < info.ys + info.ym; ++row.j)
      for (row.i = info.xs; row.i < info.xs + info.xm; ++row.i) {
        PetscInt n = 1;
        columns[0] = row;
        values[0] = 0;
        for (PetscInt direction = 0; direction < info.dim; ++direction)
          for (PetscInt step = -1; step <= 1; step += 2) {
            PetscInt* const at = direction == 0   ? &columns[n].i
                                 : direction == 1 ? &columns[n].j
                                                  : &columns[n].k;
            const PetscInt length = direction == 0 ? info.mx : direction == 1 ? info.my : info.mz;
            const PetscReal coupling = (direction == 0 ? 1 : across) + (step < 0 ? wind : 0);
            columns[n] = row;
            *at += step;
            values[0] += coupling;
            values[n] = -coupling;
            if (*at >= 0 && *at < length) ++n;
          }
        if (info.dim == 3 && row.i == 0) {
          n = 1;
          values[0] = 0.1;
        }
        PetscCall(MatSetValuesStencil(*matrix, 1, &row, n, columns, values, INSERT_VALUES));
      }
  PetscCall(assembled(*matrix));
  PetscFunctionReturn(0);
}

/* Plane strain in squares of four nodes, fixed at the left, with its rigid body modes. */
static PetscErrorCode make_elasticity(DM grid, Mat* matrix) {
  const PetscReal nu = 0.3, a = 1 - nu, c = (1 - 2 * nu) / 2;
  PetscReal element[8][8];
  PetscInt x, y, m, n, mx, my;
  Vec places;
  MatNullSpace modes;

  PetscFunctionBeginUser;
  memset(element, 0, sizeof element);
  for (int point = 0; point < 4; ++point) {
    const PetscReal s = (point % 2 ? 1 : -1) / PetscSqrtReal(3),
                    t = (point / 2 ? 1 : -1) / PetscSqrtReal(3);
    const PetscReal dx[4] = {-(1 - t) / 2, (1 - t) / 2, (1 + t) / 2, -(1 + t) / 2};
    const PetscReal dy[4] = {-(1 - s) / 2, -(1 + s) / 2, (1 + s) / 2, (1 - s) / 2};
    for (int p = 0; p < 4; ++p)
      for (int q = 0; q < 4; ++q) {
        element[2 * p][2 * q] += (a * dx[p] * dx[q] + c * dy[p] * dy[q]) / 4;
        element[2 * p][2 * q + 1] += (nu * dx[p] * dy[q] + c * dy[p] * dx[q]) / 4;
        element[2 * p + 1][2 * q] += (nu * dy[p] * dx[q] + c * dx[p] * dy[q]) / 4;
        element[2 * p + 1][2 * q + 1] += (a * dy[p] * dy[q] + c * dx[p] * dx[q]) / 4;
      }
  }
  PetscCall(DMCreateMatrix(grid, matrix));
  PetscCall(DMDAGetCorners(grid, &x, &y, NULL, &m, &n, NULL));
  PetscCall(DMDAGetInfo(grid, NULL, &mx, &my, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                        NULL));
  for (PetscInt j = y; j < PetscMin(y + n, my - 1); ++j)
    for (PetscInt i = x; i < PetscMin(x + m, mx - 1); ++i) {
      MatStencil nodes[8];
      PetscScalar values[64];
      memset(nodes, 0, sizeof nodes);
      for (int p = 0; p < 8; ++p) {
        nodes[p].i = i + (p / 2 == 1 || p / 2 == 2);
        nodes[p].j = j + p / 4;
        nodes[p].c = p % 2;
      }
      for (int p = 0; p < 8; ++p)
        for (int q = 0; q < 8; ++q) {
          const PetscBool fixed = nodes[p].i == 0 || nodes[q].i == 0 ? PETSC_TRUE : PETSC_FALSE;
          values[8 * p + q] = fixed ? (p == q ? element[p][q] : 0) : element[p][q];
        }
      PetscCall(MatSetValuesStencil(*matrix, 8, nodes, 8, nodes, values, ADD_VALUES));
    }
  PetscCall(assembled(*matrix));
  PetscCall(DMDASetUniformCoordinates(grid, 0, 1, 0, 1, 0, 1));
  PetscCall(DMGetCoordinates(grid, &places));
  PetscCall(MatNullSpaceCreateRigidBody(places, &modes));
  PetscCall(MatSetNearNullSpace(*matrix, modes));
  PetscCall(MatNullSpaceDestroy(&modes));
  PetscFunctionReturn(0);
}

/* Solves for a known solution, a second time after the matrix has been doubled, and prints the
   iterations. */
static PetscErrorCode solve(const char* name, Mat matrix, KSPType type) {
  KSP ksp;
  Vec solution, right_side, found;
  PetscReal error, size;
  PetscInt iterations[2];

  PetscFunctionBeginUser;
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetType(ksp, type));
  PetscCall(KSPSetTolerances(ksp, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, 200));
  PetscCall(KSPSetErrorIfNotConverged(ksp, PETSC_TRUE));
  PetscCall(KSPSetOptionsPrefix(ksp, name));
  PetscCall(KSPSetOperators(ksp, matrix, matrix));
  PetscCall(KSPSetFromOptions(ksp));
  PetscCall(MatCreateVecs(matrix, &solution, &right_side));
  PetscCall(VecDuplicate(solution, &found));
  for (int turn = 0; turn < 2; ++turn) {
    PetscInt first, last;
    PetscCall(VecGetOwnershipRange(solution, &first, &last));
    for (PetscInt i = first; i < last; ++i)
      PetscCall(VecSetValue(solution, i, PetscSinReal((PetscReal)(37 * i % 1009)), INSERT_VALUES));
    PetscCall(VecAssemblyBegin(solution));
    PetscCall(VecAssemblyEnd(solution));
    PetscCall(MatMult(matrix, solution, right_side));
    PetscCall(KSPSolve(ksp, right_side, found));
    PetscCall(KSPGetIterationNumber(ksp, &iterations[turn]));
    PetscCall(MatScale(matrix, 2));
  }
  PetscCall(VecNorm(solution, NORM_2, &size));
  PetscCall(VecAXPY(found, -1, solution));
  PetscCall(VecNorm(found, NORM_2, &error));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD,
                        "%s iterations %" PetscInt_FMT " and %" PetscInt_FMT ", error %.1e\n", name,
                        iterations[0], iterations[1], (double)(error / size)));
  PetscCall(VecDestroy(&found));
  PetscCall(VecDestroy(&right_side));
  PetscCall(VecDestroy(&solution));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(MatDestroy(&matrix));
  PetscFunctionReturn(0);
}

/* A row of the last process without a number on its diagonal. */
static PetscErrorCode make_hole(Mat matrix) {
  PetscInt rows, first;
  PetscMPIInt rank, size;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  PetscCall(MatGetSize(matrix, &rows, NULL));
  PetscCall(MatGetOwnershipRange(matrix, &first, NULL));
  if (rank == size - 1) PetscCall(MatSetValue(matrix, rows - 3, rows - 3, 0, INSERT_VALUES));
  PetscCall(assembled(matrix));
  PetscFunctionReturn(0);
}

/* As in a PETSc that was built without ML, which then loads the plug-in. */
static PetscErrorCode forget_ml(const char* plugin) {
  PetscFunctionBeginUser;
  PetscCall(PCInitializePackage());
  PetscCall(PetscFunctionListAdd(&PCList, PCML, NULL));
  PetscCall(PetscDLLibraryAppend(PETSC_COMM_WORLD, &PetscDLLibrariesLoaded, plugin));
  PetscFunctionReturn(0);
}

int main(int argc, char** argv) {
  struct {
    const char* name;
    PetscInt dimension, side, unknowns;
    PetscReal wind, across;
    KSPType type;
  } const problems[] = {
      {"plane_", 2, 60, 1, 0, 1, KSPCG},     {"cube_", 3, 14, 1, 0, 1, KSPGMRES},
      {"layers_", 2, 60, 1, 0, 0.01, KSPCG}, {"wind_", 2, 60, 1, 0.5, 1, KSPGMRES},
      {"elastic_", 2, 24, 2, 0, 0, KSPCG},
  };
  char only[64] = "", plugin[PETSC_MAX_PATH_LEN];
  PetscBool forget = PETSC_FALSE, hole, negative;

  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCall(PetscOptionsGetString(NULL, NULL, "-only", only, sizeof only, NULL));
  PetscCall(PetscOptionsGetString(NULL, NULL, "-forget_ml", plugin, sizeof plugin, &forget));
  PetscCall(PetscOptionsHasName(NULL, NULL, "-negative", &negative));
  PetscCall(PetscOptionsHasName(NULL, NULL, "-hole", &hole));
  if (forget) PetscCall(forget_ml(plugin));
  for (size_t p = 0; p < sizeof problems / sizeof *problems; ++p) {
    Mat matrix;
    DM grid;
    if (*only && strncmp(only, problems[p].name, strlen(only)) != 0) continue;
    grid = grid_of(problems[p].dimension, problems[p].side, problems[p].unknowns);
    if (problems[p].unknowns > 1)
      PetscCall(make_elasticity(grid, &matrix));
    else
      PetscCall(make_diffusion(grid, problems[p].wind, problems[p].across, &matrix));
    if (negative) PetscCall(MatScale(matrix, -1));
    if (hole) PetscCall(make_hole(matrix));
    PetscCall(solve(problems[p].name, matrix, problems[p].type));
    PetscCall(DMDestroy(&grid));
  }
  PetscCall(PetscFinalize());
  return 0;
}
