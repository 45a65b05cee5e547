/* SPDX-License-Identifier: BSD-3-Clause */
/* A program whose findings are at known lines: those of the comments "the place of ...".
     -velocity, -pressure  writes a Vec of that name through a pointer that it has kept: errors
     -again                uses the velocity in another function, too
     -twice                maps two local indices of a Vec to one element: a warning
     -different            the last rank asks for another product than the others
     -own N                returns N
   All ranks but the first end later than that one. */
#include <petscvec.h>
#include <stdlib.h>
#include <unistd.h>

static PetscBool asked_for(const char* option) {
  PetscBool given = PETSC_FALSE;
  PetscCallAbort(PETSC_COMM_WORLD, PetscOptionsHasName(NULL, NULL, option, &given));
  return given;
}

/* A Vec of which PETSc has cached another norm than that of its values. */
static PetscErrorCode make_stale(const char* name, PetscReal value, Vec* vec) {
  PetscScalar *values, *kept;
  PetscReal norm;

  PetscFunctionBeginUser;
  PetscCall(VecCreateMPI(PETSC_COMM_WORLD, 10, PETSC_DETERMINE, vec));
  PetscCall(PetscObjectSetName((PetscObject)*vec, name));
  PetscCall(VecSet(*vec, value));
  PetscCall(VecGetArray(*vec, &values));
  kept = values;
  PetscCall(VecRestoreArray(*vec, &values));
  PetscCall(VecNorm(*vec, NORM_2, &norm));
  kept[0] = 7.0;
  PetscFunctionReturn(0);
}

static PetscErrorCode advance_velocity(Vec vec) {
  PetscScalar dot;

  PetscFunctionBeginUser;
  PetscCall(VecDot(vec, vec, &dot)); /* the place of velocity */
  PetscFunctionReturn(0);
}

static PetscErrorCode advance_pressure(Vec vec) {
  PetscScalar dot;

  PetscFunctionBeginUser;
  PetscCall(VecDot(vec, vec, &dot)); /* the place of pressure */
  PetscFunctionReturn(0);
}

/* The doctor looks at a Vec in its fourth event, too. */
static PetscErrorCode advance_again(Vec vec) {
  PetscScalar dot;

  PetscFunctionBeginUser;
  PetscCall(VecDot(vec, vec, &dot));
  PetscCall(VecDot(vec, vec, &dot)); /* the place of again */
  PetscFunctionReturn(0);
}

static PetscErrorCode map_twice(void) {
  ISLocalToGlobalMapping mapping;
  PetscInt indices[11], first;
  PetscScalar dot;
  Vec vec;

  PetscFunctionBeginUser;
  PetscCall(VecCreateMPI(PETSC_COMM_WORLD, 10, PETSC_DETERMINE, &vec));
  PetscCall(PetscObjectSetName((PetscObject)vec, "density of air"));
  PetscCall(VecGetOwnershipRange(vec, &first, NULL));
  for (PetscInt i = 0; i < 11; ++i) indices[i] = first + i % 10;
  PetscCall(
      ISLocalToGlobalMappingCreate(PETSC_COMM_WORLD, 1, 11, indices, PETSC_COPY_VALUES, &mapping));
  PetscCall(VecSetLocalToGlobalMapping(vec, mapping));
  PetscCall(VecDot(vec, vec, &dot)); /* the place of density: later PETScs know the norm of 0 */
  PetscCall(ISLocalToGlobalMappingDestroy(&mapping));
  PetscCall(VecDestroy(&vec));
  PetscFunctionReturn(0);
}

static PetscErrorCode go_apart(void) {
  PetscMPIInt rank, size;
  PetscScalar dot;
  Vec vec;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  PetscCall(VecCreateMPI(PETSC_COMM_WORLD, 10, PETSC_DETERMINE, &vec));
  if (rank + 1 < size)
    PetscCall(VecDot(vec, vec, &dot)); /* the place of the others */
  else
    PetscCall(VecTDot(vec, vec, &dot)); /* the place of the last rank */
  PetscCall(VecDestroy(&vec));
  PetscFunctionReturn(0);
}

static void at_end(void) {
  printf("all handlers were called");
}

int main(int argc, char** argv) {
  Vec velocity = NULL, pressure = NULL;
  PetscInt own = 0;
  PetscMPIInt rank;

  atexit(at_end);
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-own", &own, NULL));
  if (asked_for("-velocity")) {
    PetscCall(make_stale("velocity", 1.0, &velocity));
    PetscCall(advance_velocity(velocity));
    if (asked_for("-again")) PetscCall(advance_again(velocity));
    PetscCall(VecDestroy(&velocity));
  }
  if (asked_for("-pressure")) {
    PetscCall(make_stale("pressure", 2.0, &pressure));
    PetscCall(advance_pressure(pressure));
    PetscCall(VecDestroy(&pressure));
  }
  if (asked_for("-twice")) PetscCall(map_twice());
  if (asked_for("-different")) PetscCall(go_apart());
  PetscCall(PetscFinalize());
  if (rank > 0) usleep(200000);
  printf("after PetscFinalize; ");
  return (int)own;
}
