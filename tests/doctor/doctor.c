/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with the fault that -fault names, which -daptor_check finds: range, nan, stale, behind,
   symmetry, residual, null, grid, local, apply, unnamed, layout; or of ranks that do not do the
   same, the last one of which is elsewhere: tolerance, options, calls, waiting; or with none, where
   what it does looks like a fault. */
#include <petscdmda.h>
#include <petscsnes.h>
#include <string.h>
#include <unistd.h>

static char fault[32] = "none";

static int is(const char* name) {
  return strcmp(fault, name) == 0;
}

/* The matrix of (-1, 2, -1), ten rows for each rank. */
static PetscErrorCode make_matrix(Mat* a) {
  PetscInt first, last, n;

  PetscFunctionBeginUser;
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, 10, 10, PETSC_DETERMINE, PETSC_DETERMINE, 3, NULL, 2,
                         NULL, a));
  PetscCall(PetscObjectSetName((PetscObject)*a, "stiffness"));
  PetscCall(MatGetOwnershipRange(*a, &first, &last));
  PetscCall(MatGetSize(*a, &n, NULL));
  for (PetscInt r = first; r < last; ++r) {
    PetscCall(MatSetValue(*a, r, r, 2.0, INSERT_VALUES));
    if (r > 0) PetscCall(MatSetValue(*a, r, r - 1, -1.0, INSERT_VALUES));
    if (r + 1 < n && !(is("symmetry") && r == 3))
      PetscCall(MatSetValue(*a, r, r + 1, -1.0, INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(*a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*a, MAT_FINAL_ASSEMBLY));
  if (is("null")) {
    MatNullSpace constant;
    PetscCall(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_TRUE, 0, NULL, &constant));
    PetscCall(MatSetNullSpace(*a, constant));
    PetscCall(MatNullSpaceDestroy(&constant));
  }
  PetscFunctionReturn(0);
}

/* The last rank maps its last local index behind the end. */
static PetscErrorCode set_mapping(Vec b) {
  ISLocalToGlobalMapping mapping;
  PetscInt indices[10], first;
  PetscMPIInt rank, size;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  PetscCall(VecGetOwnershipRange(b, &first, NULL));
  for (PetscInt i = 0; i < 10; ++i) indices[i] = first + i;
  if (is("range") && rank == size - 1) indices[9] = 10 * size + 5;
  PetscCall(
      ISLocalToGlobalMappingCreate(PETSC_COMM_WORLD, 1, 10, indices, PETSC_COPY_VALUES, &mapping));
  PetscCall(VecSetLocalToGlobalMapping(b, mapping));
  PetscCall(ISLocalToGlobalMappingDestroy(&mapping));
  PetscFunctionReturn(0);
}

/* Writes where VecGetArray has pointed to, on the last rank. */
static PetscErrorCode write_behind(PetscScalar* kept) {
  PetscMPIInt rank, size;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  if (rank == size - 1) kept[0] = is("nan") ? 0.0 / (kept[1] - kept[1]) : 7.0;
  PetscFunctionReturn(0);
}

/* Divides the first value of the last rank by zero. */
static PetscErrorCode divide(PC pc, Vec x, Vec y) {
  PetscScalar* values;
  PetscMPIInt rank, size;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  PetscCall(VecCopy(x, y));
  PetscCall(VecGetArray(y, &values));
  if (rank == size - 1) values[0] /= values[1] - values[1];
  PetscCall(VecRestoreArray(y, &values));
  PetscFunctionReturn(0);
}

static PetscErrorCode set_preconditioner(KSP ksp, Mat a, Mat* other) {
  PC pc;
  PetscInt n;

  PetscFunctionBeginUser;
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCJACOBI));
  *other = NULL;
  if (is("apply")) {
    PetscCall(PCSetType(pc, PCSHELL));
    PetscCall(PCShellSetApply(pc, divide));
  }
  if (!is("residual")) PetscFunctionReturn(0);
  /* Jacobi with an enormous entry hides all of the residual but one element. */
  PetscCall(MatDuplicate(a, MAT_COPY_VALUES, other));
  PetscCall(MatGetSize(*other, &n, NULL));
  PetscCall(MatSetValue(*other, n - 1, n - 1, 1e-12, INSERT_VALUES));
  PetscCall(MatAssemblyBegin(*other, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*other, MAT_FINAL_ASSEMBLY));
  PetscCall(KSPSetOperators(ksp, a, *other));
  PetscCall(KSPSetType(ksp, KSPGMRES));
  PetscFunctionReturn(0);
}

/* Adds the elements of all ranks up in one, by a scatter. */
static PetscErrorCode add_up(Vec from) {
  Vec to;
  IS all, one;
  VecScatter scatter;
  PetscInt size;

  PetscFunctionBeginUser;
  PetscCall(VecGetSize(from, &size));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, 1, &to));
  PetscCall(VecSet(to, 0.0));
  PetscCall(ISCreateStride(PETSC_COMM_SELF, size, 0, 1, &all));
  PetscCall(ISCreateStride(PETSC_COMM_SELF, size, 0, 0, &one));
  PetscCall(VecScatterCreate(from, all, to, one, &scatter));
  PetscCall(VecScatterBegin(scatter, from, to, ADD_VALUES, SCATTER_FORWARD));
  PetscCall(VecScatterEnd(scatter, from, to, ADD_VALUES, SCATTER_FORWARD));
  PetscCall(VecScatterDestroy(&scatter));
  PetscCall(ISDestroy(&all));
  PetscCall(ISDestroy(&one));
  PetscCall(VecDestroy(&to));
  PetscFunctionReturn(0);
}

/* Solves with a preconditioner's matrix that has a null space and rows without entries, and is not
   used, as that of a Schur complement. */
static PetscErrorCode solve_beside_zeros(Mat a, Vec b, Vec x) {
  KSP ksp;
  PC pc;
  Mat zeros;
  MatNullSpace constant;

  PetscFunctionBeginUser;
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, 10, 10, PETSC_DETERMINE, PETSC_DETERMINE, 1, NULL, 0,
                         NULL, &zeros));
  PetscCall(MatSetOption(zeros, MAT_NEW_NONZERO_LOCATION_ERR, PETSC_FALSE));
  PetscCall(MatSetValue(zeros, 0, 0, 1.0, ADD_VALUES));
  PetscCall(MatAssemblyBegin(zeros, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(zeros, MAT_FINAL_ASSEMBLY));
  PetscCall(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_TRUE, 0, NULL, &constant));
  PetscCall(MatSetNullSpace(zeros, constant));
  PetscCall(MatNullSpaceDestroy(&constant));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetOperators(ksp, a, zeros));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCNONE));
  PetscCall(KSPSolve(ksp, b, x));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(MatDestroy(&zeros));
  PetscFunctionReturn(0);
}

/* Least squares of the transpose of a matrix of ten rows and four columns on each rank. */
static PetscErrorCode solve_transposed(void) {
  KSP ksp;
  PC pc;
  Mat a;
  Vec of_rows, of_columns;
  PetscInt first, first_column;

  PetscFunctionBeginUser;
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, 10, 4, PETSC_DETERMINE, PETSC_DETERMINE, 1, NULL, 0,
                         NULL, &a));
  PetscCall(MatGetOwnershipRange(a, &first, NULL));
  PetscCall(MatGetOwnershipRangeColumn(a, &first_column, NULL));
  for (PetscInt r = 0; r < 10; ++r)
    PetscCall(MatSetValue(a, first + r, first_column + r % 4, 1.0 + r, INSERT_VALUES));
  PetscCall(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatCreateVecs(a, &of_columns, &of_rows));
  PetscCall(VecSet(of_columns, 1.0));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetOperators(ksp, a, a));
  PetscCall(KSPSetType(ksp, KSPLSQR));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCNONE));
  PetscCall(KSPSolveTranspose(ksp, of_columns, of_rows));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&of_rows));
  PetscCall(VecDestroy(&of_columns));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

/* Solves with a preconditioner that solves with a matrix of its own. The local indices of a rank
   are those that the next rank owns; in the coarse matrix of BDDC some are. */
static PetscErrorCode solve_elsewhere(Mat a, Vec b, Vec x) {
  KSP ksp, inner;
  PC pc;
  Mat other, identity;
  ISLocalToGlobalMapping mapping;
  PetscInt indices[10];
  PetscMPIInt rank, size;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  for (PetscInt i = 0; i < 10; ++i) indices[i] = 10 * ((rank + 1) % size) + i;
  PetscCall(
      ISLocalToGlobalMappingCreate(PETSC_COMM_WORLD, 1, 10, indices, PETSC_COPY_VALUES, &mapping));
  PetscCall(MatDuplicate(a, MAT_COPY_VALUES, &other));
  PetscCall(MatSetLocalToGlobalMapping(other, mapping, mapping));
  PetscCall(ISLocalToGlobalMappingDestroy(&mapping));
  PetscCall(MatCreateConstantDiagonal(PETSC_COMM_WORLD, 10, 10, PETSC_DETERMINE, PETSC_DETERMINE,
                                      1.0, &identity));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetOperators(ksp, a, a));
  PetscCall(KSPSetType(ksp, KSPFGMRES));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCGALERKIN));
  PetscCall(PCGalerkinSetInterpolation(pc, identity));
  PetscCall(PCGalerkinGetKSP(pc, &inner));
  PetscCall(KSPSetOperators(inner, other, other));
  PetscCall(KSPSolve(ksp, b, x));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(MatDestroy(&other));
  PetscCall(MatDestroy(&identity));
  PetscFunctionReturn(0);
}

static PetscErrorCode logarithm(SNES snes, Vec x, Vec f, void* context) {
  PetscFunctionBeginUser;
  PetscCall(VecCopy(x, f));
  PetscCall(VecLog(f));
  PetscFunctionReturn(0);
}

static PetscErrorCode reciprocal(SNES snes, Vec x, Mat a, Mat b, void* context) {
  Vec diagonal;

  PetscFunctionBeginUser;
  PetscCall(VecDuplicate(x, &diagonal));
  PetscCall(VecCopy(x, diagonal));
  PetscCall(VecReciprocal(diagonal));
  PetscCall(MatDiagonalSet(b, diagonal, INSERT_VALUES));
  PetscCall(VecDestroy(&diagonal));
  PetscFunctionReturn(0);
}

/* Newton's step from 3 leads to the logarithm of a negative number, and is shortened. */
static PetscErrorCode search_root(Vec like) {
  SNES snes;
  Mat a;
  Vec x;

  PetscFunctionBeginUser;
  PetscCall(VecDuplicate(like, &x));
  PetscCall(VecSet(x, 3.0));
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, 10, 10, PETSC_DETERMINE, PETSC_DETERMINE, 1, NULL, 0,
                         NULL, &a));
  PetscCall(SNESCreate(PETSC_COMM_WORLD, &snes));
  PetscCall(SNESSetFunction(snes, NULL, logarithm, NULL));
  PetscCall(SNESSetJacobian(snes, a, a, reciprocal, NULL));
  PetscCall(SNESSolve(snes, NULL, x));
  PetscCall(SNESDestroy(&snes));
  PetscCall(MatDestroy(&a));
  PetscCall(VecDestroy(&x));
  PetscFunctionReturn(0);
}

/* The last rank takes a point of the first one for one of the second, or has a local Vec that is
   too long. */
static PetscErrorCode use_grid(void) {
  DM dm;
  Vec global, local, used;
  PetscInt points[8], n;
  PetscMPIInt rank, size;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  for (PetscMPIInt r = 0; r < size; ++r) points[r] = 10;
  if (is("grid") && size > 1 && rank == size - 1) {
    --points[0];
    ++points[1];
  }
  PetscCall(DMDACreate1d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, 10 * size, 1, 1, points, &dm));
  PetscCall(DMSetUp(dm));
  PetscCall(DMCreateGlobalVector(dm, &global));
  PetscCall(VecSet(global, 1.0));
  PetscCall(DMCreateLocalVector(dm, &local));
  PetscCall(VecGetLocalSize(local, &n));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, is("local") && rank == size - 1 ? n + 1 : n, &used));
  PetscCall(DMGlobalToLocal(dm, global, INSERT_VALUES, used));
  PetscCall(VecDestroy(&used));
  PetscCall(VecDestroy(&local));
  PetscCall(VecDestroy(&global));
  PetscCall(DMDestroy(&dm));
  PetscFunctionReturn(0);
}

/* The first element of the last rank comes to the first rank. */
static PetscErrorCode move_element(Vec* b) {
  PetscMPIInt rank, size;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  PetscCall(VecDestroy(b));
  PetscCall(
      VecCreateMPI(PETSC_COMM_WORLD, 10 + (rank == 0) - (rank == size - 1), PETSC_DETERMINE, b));
  PetscCall(PetscObjectSetName((PetscObject)*b, "load"));
  PetscCall(VecSet(*b, 1.0));
  PetscFunctionReturn(0);
}

/* The last rank has another limit of iterations, which is never reached, and an option of its own.
 */
static PetscErrorCode set_alone(KSP ksp) {
  PetscMPIInt rank, size;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  if (rank != size - 1) PetscFunctionReturn(0);
  if (is("tolerance"))
    PetscCall(KSPSetTolerances(ksp, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, 9999));
  if (is("options")) PetscCall(PetscOptionsSetValue(NULL, "-flow_damping", "0.5"));
  PetscFunctionReturn(0);
}

/* Vecs without names: the first rank has NaN in one of them, and the last one Inf in the next two,
   as a loop makes them. */
static PetscErrorCode use_unnamed(void) {
  PetscMPIInt rank, size;
  PetscReal norm, zero = 0.0;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  for (int step = 0; step < 3; ++step) {
    Vec vec;
    PetscCall(VecCreateMPI(PETSC_COMM_WORLD, 10, PETSC_DETERMINE, &vec));
    PetscCall(VecSet(vec, 1.0));
    if (rank == (step == 0 ? 0 : size - 1))
      PetscCall(VecSetValue(vec, 10 * rank, step == 0 ? zero / zero : 1.0 / zero, INSERT_VALUES));
    PetscCall(VecAssemblyBegin(vec));
    PetscCall(VecAssemblyEnd(vec));
    PetscCall(VecNorm(vec, NORM_2, &norm));
    PetscCall(VecDestroy(&vec));
  }
  PetscFunctionReturn(0);
}

/* The last rank asks for another product, of as many bytes, or comes two seconds late. */
static PetscErrorCode go_alone(Vec b) {
  PetscMPIInt rank, size;
  PetscReal norm;
  PetscScalar dot;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  if (is("waiting") && rank == size - 1) sleep(2);
  if (is("calls") && rank == size - 1)
    PetscCall(VecTDot(b, b, &dot));
  else if (is("calls"))
    PetscCall(VecDot(b, b, &dot));
  else if (is("waiting"))
    PetscCall(VecNorm(b, NORM_1, &norm));
  PetscFunctionReturn(0);
}

int main(int argc, char** argv) {
  Mat a, other;
  Vec x, b;
  KSP ksp;
  PetscScalar *values, *kept;
  PetscReal norm;

  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCall(PetscOptionsGetString(NULL, NULL, "-fault", fault, sizeof(fault), NULL));
  PetscCall(make_matrix(&a));
  PetscCall(MatCreateVecs(a, &x, &b));
  PetscCall(PetscObjectSetName((PetscObject)b, "load"));
  PetscCall(VecSet(b, 1.0));
  PetscCall(set_mapping(b));
  PetscCall(VecGetArray(b, &values));
  kept = values;
  PetscCall(VecRestoreArray(b, &values));
  if (is("nan")) PetscCall(write_behind(kept));
  PetscCall(VecNorm(b, NORM_2, &norm));
  if (is("stale")) PetscCall(write_behind(kept));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetOptionsPrefix(ksp, "flow_"));
  PetscCall(KSPSetOperators(ksp, a, a));
  PetscCall(KSPSetType(ksp, KSPCG));
  PetscCall(set_preconditioner(ksp, a, &other));
  if (is("symmetry")) /* CG would not come to an end */
    PetscCall(KSPSetTolerances(ksp, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, 50));
  PetscCall(set_alone(ksp));
  PetscCall(go_alone(b));
  if (is("none") || is("grid") || is("local")) PetscCall(use_grid());
  if (is("unnamed")) PetscCall(use_unnamed());
  if (is("layout")) PetscCall(move_element(&b));
  for (int step = 0; step < 4; ++step) {
    PetscCall(KSPSolve(ksp, b, x));
    if (is("behind") && step == 1) PetscCall(write_behind(kept));
  }
  if (is("none")) {
    PetscCall(solve_transposed());
    PetscCall(add_up(b));
    PetscCall(solve_beside_zeros(a, b, x));
    PetscCall(solve_elsewhere(a, b, x));
    PetscCall(search_root(b));
  }
  PetscCall(VecNorm(x, NORM_2, &norm));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "norm of the solution %.6e\n", (double)norm));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(MatDestroy(&other));
  PetscCall(MatDestroy(&a));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&b));
  PetscCall(PetscFinalize());
  return 0;
}
