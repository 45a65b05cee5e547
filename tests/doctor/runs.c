/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs whose faults show in the course of a run. -do names what they do, with commas: reuse,
   kept, dot, product, shell, newton, search, step, each with its fault or, with -right, without;
   late (rank 0 comes late to PetscFinalize). -end names how they end: leave, create (the last rank
   comes to the end while others solve, or make a Vec), return (an error of PETSc on all ranks),
   exit, abort, segv or term. */
#include <math.h>
#include <petscts.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static PetscBool right = PETSC_FALSE;
static PetscMPIInt rank, size;
static PetscReal zero = 0.0;

static int is_last(void) {
  return rank == size - 1;
}

static PetscErrorCode make_vec(const char* name, Vec* vec) {
  PetscFunctionBeginUser;
  PetscCall(VecCreateMPI(PETSC_COMM_WORLD, 10, PETSC_DETERMINE, vec));
  if (name != NULL) PetscCall(PetscObjectSetName((PetscObject)*vec, name));
  PetscCall(VecSet(*vec, 1.0));
  PetscFunctionReturn(0);
}

static PetscErrorCode make_matrix(const char* name, Mat* a) {
  PetscInt first, last, n;

  PetscFunctionBeginUser;
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, 10, 10, PETSC_DETERMINE, PETSC_DETERMINE, 3, NULL, 2,
                         NULL, a));
  PetscCall(PetscObjectSetName((PetscObject)*a, name));
  PetscCall(MatGetOwnershipRange(*a, &first, &last));
  PetscCall(MatGetSize(*a, &n, NULL));
  for (PetscInt r = first; r < last; ++r) {
    PetscCall(MatSetValue(*a, r, r, 2.1, INSERT_VALUES));
    if (r > 0) PetscCall(MatSetValue(*a, r, r - 1, -1.0, INSERT_VALUES));
    if (r + 1 < n) PetscCall(MatSetValue(*a, r, r + 1, -1.0, INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(*a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*a, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

/* Norm, a write, norm, and nothing else. With the fault the pointer was kept; on the last rank. */
static PetscErrorCode write_between_norms(Vec vec) {
  PetscScalar *values, *kept;
  PetscReal norm;

  PetscFunctionBeginUser;
  PetscCall(VecGetArray(vec, &values));
  kept = values;
  PetscCall(VecRestoreArray(vec, &values));
  PetscCall(VecNorm(vec, NORM_2, &norm));
  if (right) PetscCall(VecGetArray(vec, &values));
  if (is_last()) kept[3] = 7.0;
  if (right) PetscCall(VecRestoreArray(vec, &values));
  PetscCall(VecNorm(vec, NORM_2, &norm));
  PetscFunctionReturn(0);
}

/* Memory of the program's own may be written to when nobody asks for norms, and be freed first. */
static PetscErrorCode lend_memory(void) {
  Vec vec;
  PetscReal norm;
  PetscScalar* memory = malloc(10 * sizeof(*memory));

  PetscFunctionBeginUser;
  for (int i = 0; i < 10; ++i) memory[i] = 1.0;
  PetscCall(VecCreateMPIWithArray(PETSC_COMM_WORLD, 1, 10, PETSC_DETERMINE, memory, &vec));
  PetscCall(VecNorm(vec, NORM_2, &norm));
  for (int i = 0; i < 10; ++i) memory[i] = -1.0;
  free(memory);
  PetscCall(VecDestroy(&vec));
  PetscFunctionReturn(0);
}

static PetscErrorCode reuse(void) {
  Vec vec, copy;

  PetscFunctionBeginUser;
  PetscCall(make_vec("density", &vec));
  PetscCall(write_between_norms(vec));
  PetscCall(VecDuplicate(vec, &copy)); /* has the functions of the other one */
  PetscCall(VecDestroy(&vec));
  PetscCall(VecDestroy(&copy));
  PetscCall(lend_memory());
  PetscFunctionReturn(0);
}

/* The Vec is there until the end of the program. */
static PetscErrorCode kept(void) {
  Vec vec;

  PetscFunctionBeginUser;
  PetscCall(make_vec("energy", &vec));
  PetscCall(write_between_norms(vec));
  PetscFunctionReturn(0);
}

/* NaN in the second Vec. */
static PetscErrorCode dot(void) {
  Vec x, y;
  PetscScalar product;

  PetscFunctionBeginUser;
  PetscCall(make_vec("pressure", &x));
  PetscCall(make_vec("flux \xff", &y)); /* no UTF-8 */
  if (is_last() && !right) PetscCall(VecSetValue(y, 10 * rank + 2, zero / zero, INSERT_VALUES));
  PetscCall(VecAssemblyBegin(y));
  PetscCall(VecAssemblyEnd(y));
  PetscCall(VecDot(x, y, &product));
  PetscCall(VecMDot(x, 1, &y, &product));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&y));
  PetscFunctionReturn(0);
}

/* From the third product on, an entry of the matrix is NaN. */
static PetscErrorCode product(void) {
  Mat a;
  Vec x, y;
  PetscReal norm;

  PetscFunctionBeginUser;
  PetscCall(make_matrix("stiffness", &a));
  PetscCall(make_vec("displacement", &x));
  PetscCall(make_vec("force", &y));
  for (int step = 0; step < 3; ++step) {
    if (step == 2 && is_last() && !right)
      PetscCall(MatSetValue(a, 10 * rank + 5, 10 * rank + 4, zero / zero, INSERT_VALUES));
    PetscCall(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
    PetscCall(MatMult(a, x, y));
  }
  PetscCall(VecNorm(y, NORM_2, &norm));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&y));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

static int applications = 0;

/* From the sixth time on, Inf. */
static PetscErrorCode halve(PC pc, Vec x, Vec y) {
  PetscScalar* values;

  PetscFunctionBeginUser;
  PetscCall(VecCopy(x, y));
  PetscCall(VecScale(y, 0.5));
  PetscCall(VecGetArray(y, &values));
  if (!right && rank == 0 && ++applications > 5) values[1] = 1.0 / zero;
  PetscCall(VecRestoreArray(y, &values));
  PetscFunctionReturn(0);
}

static PetscErrorCode solve(Mat a, const char* type, PetscErrorCode (*apply)(PC, Vec, Vec)) {
  KSP ksp;
  PC pc;
  Vec x, b;

  PetscFunctionBeginUser;
  PetscCall(make_vec("solution", &x));
  PetscCall(make_vec("load", &b));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetOperators(ksp, a, a));
  PetscCall(KSPSetType(ksp, type));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, apply == NULL ? PCJACOBI : PCSHELL));
  if (apply != NULL) {
    PetscCall(PCShellSetApply(pc, apply));
    PetscCall(PCShellSetName(pc, "halving"));
  }
  PetscCall(KSPSolve(ksp, b, x));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&b));
  PetscFunctionReturn(0);
}

static PetscErrorCode shell(void) {
  Mat a;

  PetscFunctionBeginUser;
  PetscCall(make_matrix("mass", &a));
  PetscCall(solve(a, KSPGMRES, halve));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

static int evaluations = 0, no_value_from = 0;

/* log(x), which has no value at the step that Newton's method tries first. With the fault it has
   none from some evaluation on. */
static PetscErrorCode logarithm(SNES snes, Vec x, Vec f, void* context) {
  PetscScalar* values;

  PetscFunctionBeginUser;
  PetscCall(VecCopy(x, f));
  PetscCall(VecLog(f));
  ++evaluations;
  if (!right && is_last() && evaluations >= no_value_from) {
    PetscCall(VecGetArray(f, &values));
    values[1] = zero / zero;
    PetscCall(VecRestoreArray(f, &values));
  }
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

static PetscErrorCode find_root(const char* name, const char* search, PetscReal start) {
  SNES snes;
  SNESLineSearch line;
  Mat a;
  Vec x, f;

  PetscFunctionBeginUser;
  evaluations = 0;
  PetscCall(make_vec(name, &x));
  PetscCall(VecDuplicate(x, &f));
  PetscCall(PetscObjectSetName((PetscObject)f, "residual"));
  PetscCall(VecSet(x, start));
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, 10, 10, PETSC_DETERMINE, PETSC_DETERMINE, 1, NULL, 0,
                         NULL, &a));
  PetscCall(SNESCreate(PETSC_COMM_WORLD, &snes));
  PetscCall(PetscObjectSetName((PetscObject)snes, name));
  PetscCall(SNESSetFunction(snes, f, logarithm, NULL));
  PetscCall(SNESSetJacobian(snes, a, a, reciprocal, NULL));
  PetscCall(SNESGetLineSearch(snes, &line));
  PetscCall(SNESLineSearchSetType(line, search));
  PetscCall(SNESSolve(snes, NULL, x));
  PetscCall(SNESDestroy(&snes));
  PetscCall(MatDestroy(&a));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&f));
  PetscFunctionReturn(0);
}

static PetscErrorCode newton(void) {
  PetscFunctionBeginUser;
  no_value_from = 3;
  PetscCall(find_root("saturation", SNESLINESEARCHBASIC, 2.0));
  PetscFunctionReturn(0);
}

static PetscErrorCode search(void) {
  PetscFunctionBeginUser;
  no_value_from = 2;
  PetscCall(find_root("enthalpy", SNESLINESEARCHBT, right ? 3.0 : 2.0));
  PetscFunctionReturn(0);
}

/* u' = -u, which has no value where steps are too long; with the fault, none from a time on. */
static PetscErrorCode decay(TS ts, PetscReal t, Vec u, Vec rate, Vec f, void* context) {
  PetscScalar* values;
  PetscReal step;

  PetscFunctionBeginUser;
  PetscCall(VecWAXPY(f, 1.0, u, rate));
  PetscCall(TSGetTimeStep(ts, &step));
  PetscCall(VecGetArray(f, &values));
  if (is_last() && (right ? step > 0.06 : t > 0.25)) values[1] = zero / zero;
  PetscCall(VecRestoreArray(f, &values));
  PetscFunctionReturn(0);
}

static PetscErrorCode decay_jacobian(TS ts, PetscReal t, Vec u, Vec rate, PetscReal shift, Mat a,
                                     Mat b, void* context) {
  PetscFunctionBeginUser;
  PetscCall(MatZeroEntries(b));
  PetscCall(MatShift(b, 1.0 + shift));
  PetscFunctionReturn(0);
}

static PetscErrorCode step(void) {
  TS ts;
  Mat a;
  Vec u;

  PetscFunctionBeginUser;
  PetscCall(make_vec("concentration", &u));
  PetscCall(MatCreateConstantDiagonal(PETSC_COMM_WORLD, 10, 10, PETSC_DETERMINE, PETSC_DETERMINE,
                                      1.0, &a));
  PetscCall(MatConvert(a, MATAIJ, MAT_INPLACE_MATRIX, &a));
  PetscCall(TSCreate(PETSC_COMM_WORLD, &ts));
  PetscCall(TSSetProblemType(ts, TS_NONLINEAR));
  PetscCall(TSSetType(ts, TSBEULER));
  PetscCall(TSSetIFunction(ts, NULL, decay, NULL));
  PetscCall(TSSetIJacobian(ts, a, a, decay_jacobian, NULL));
  PetscCall(TSSetTimeStep(ts, 0.1));
  PetscCall(TSSetMaxTime(ts, 0.4));
  PetscCall(TSSetMaxSNESFailures(ts, right ? -1 : 1));
  PetscCall(TSSetExactFinalTime(ts, TS_EXACTFINALTIME_STEPOVER));
  PetscCall(TSSetErrorIfStepFails(ts, PETSC_FALSE));
  PetscCall(TSSolve(ts, u));
  PetscCall(TSDestroy(&ts));
  PetscCall(MatDestroy(&a));
  PetscCall(VecDestroy(&u));
  PetscFunctionReturn(0);
}

static PetscErrorCode late(void) {
  PetscFunctionBeginUser;
  if (rank == 0) sleep(1);
  PetscFunctionReturn(0);
}

/* The last rank goes, while the others begin to solve, or make a Vec. */
static PetscErrorCode leave(PetscBool solving) {
  Mat a;
  KSP ksp;
  Vec x, b;

  PetscFunctionBeginUser;
  PetscCall(make_matrix("stiffness", &a));
  PetscCall(make_vec("solution", &x));
  PetscCall(make_vec("load", &b));
  if (is_last()) PetscFunctionReturn(0);
  if (!solving) PetscCall(make_vec("more load", &b));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetOperators(ksp, a, a));
  PetscCall(KSPSolve(ksp, b, x));
  PetscFunctionReturn(0);
}

static PetscErrorCode end(const char* how) {
  PetscFunctionBeginUser;
  if (strcmp(how, "leave") == 0) PetscCall(leave(PETSC_TRUE));
  if (strcmp(how, "create") == 0) PetscCall(leave(PETSC_FALSE));
  if (strcmp(how, "exit") == 0) exit(3);
  if (strcmp(how, "abort") == 0) MPI_Abort(PETSC_COMM_WORLD, 4);
  if (strcmp(how, "segv") == 0) {
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
  }
  if (strcmp(how, "term") == 0) {
    signal(SIGTERM, SIG_DFL);
    raise(SIGTERM);
  }
  PetscCheck(strcmp(how, "return") != 0, PETSC_COMM_WORLD, PETSC_ERR_USER, "No more work");
  PetscFunctionReturn(0);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    PetscErrorCode (*run)(void);
  } all[] = {{"reuse", reuse},     {"kept", kept},   {"dot", dot},
             {"product", product}, {"shell", shell}, {"newton", newton},
             {"search", search},   {"step", step},   {"late", late}};
  char names[256] = "", how[32] = "";

  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  PetscCall(PetscOptionsGetBool(NULL, NULL, "-right", &right, NULL));
  PetscCall(PetscOptionsGetString(NULL, NULL, "-do", names, sizeof(names), NULL));
  PetscCall(PetscOptionsGetString(NULL, NULL, "-end", how, sizeof(how), NULL));
  for (size_t i = 0; i < sizeof(all) / sizeof(*all); ++i)
    if (strstr(names, all[i].name) != NULL) PetscCall(all[i].run());
  PetscCall(end(how));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "came to the end\n"));
  PetscCall(PetscFinalize());
  return 0;
}
