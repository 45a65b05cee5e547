// SPDX-License-Identifier: BSD-3-Clause
// A program in C++ with the faults that its options name, which -daptor_check finds:
//   -duplicate  from three ranks on, the mapping of the matrix has a ghost twice on rank 2
//   -stale      the last rank writes its std::vector behind the back of the Vec on it
//   -zero       a stencil divides 0 by 0 on the last rank, where the field is constant
#include <petscksp.h>

#include <algorithm>
#include <vector>

namespace {

constexpr PetscInt rows = 10;  // on each rank

int rank, size;

void ok(PetscErrorCode code) {
  if (static_cast<int>(code) != 0) MPI_Abort(PETSC_COMM_WORLD, 1);
}

bool asked_for(const char* option) {
  PetscBool given = PETSC_FALSE;
  ok(PetscOptionsHasName(nullptr, nullptr, option, &given));
  return given == PETSC_TRUE;
}

template <class Object>
void name(Object object, const char* text) {
  ok(PetscObjectSetName(reinterpret_cast<PetscObject>(object), text));
}

/// The rows of this rank, the last row of the rank before, and row 19, at which there is a sensor.
std::vector<PetscInt> local_rows() {
  std::vector<PetscInt> indices;
  for (PetscInt i = 0; i < rows; ++i) indices.push_back(rank * rows + i);
  if (rank > 0) indices.push_back(rank * rows - 1);
  const PetscInt sensor = 19;
  const bool known = std::find(indices.begin(), indices.end(), sensor) != indices.end();
  const bool own = sensor / rows == rank;
  if (sensor < size * rows && !own && (!known || asked_for("-duplicate")))
    indices.push_back(sensor);
  return indices;
}

Mat stiffness() {
  Mat mat = nullptr;
  ok(MatCreateAIJ(PETSC_COMM_WORLD, rows, rows, PETSC_DETERMINE, PETSC_DETERMINE, 3, nullptr, 2,
                  nullptr, &mat));
  name(mat, "stiffness");
  for (PetscInt r = rank * rows; r < (rank + 1) * rows; ++r) {
    ok(MatSetValue(mat, r, r, 2, INSERT_VALUES));
    if (r > 0) ok(MatSetValue(mat, r, r - 1, -1, INSERT_VALUES));
    if (r + 1 < size * rows) ok(MatSetValue(mat, r, r + 1, -1, INSERT_VALUES));
  }
  ok(MatAssemblyBegin(mat, MAT_FINAL_ASSEMBLY));
  ok(MatAssemblyEnd(mat, MAT_FINAL_ASSEMBLY));
  const std::vector<PetscInt> indices = local_rows();
  ISLocalToGlobalMapping mapping = nullptr;
  ok(ISLocalToGlobalMappingCreate(PETSC_COMM_WORLD, 1, static_cast<PetscInt>(indices.size()),
                                  indices.data(), PETSC_COPY_VALUES, &mapping));
  ok(MatSetLocalToGlobalMapping(mat, mapping, mapping));
  ok(ISLocalToGlobalMappingDestroy(&mapping));
  return mat;
}

/// The sign of the slope of a field that is constant on the last rank.
void find_direction() {
  const auto field = [](PetscInt i) {
    return static_cast<PetscReal>(std::min(i, (size - 1) * rows));
  };
  Vec direction = nullptr;
  ok(VecCreateMPI(PETSC_COMM_WORLD, rows, PETSC_DETERMINE, &direction));
  name(direction, "direction");
  PetscScalar* values = nullptr;
  ok(VecGetArray(direction, &values));
  for (PetscInt i = rank * rows; i < (rank + 1) * rows; ++i) {
    const PetscReal slope = field(i + 1) - field(i - 1);
    *values++ = slope == 0 && !asked_for("-zero") ? 0 : slope / PetscAbsReal(slope);
  }
  ok(VecRestoreArray(direction, &values));
  PetscReal norm = 0;
  ok(VecNorm(direction, NORM_2, &norm));
  ok(VecDestroy(&direction));
}

void solve(Mat mat) {
  std::vector<PetscScalar> memory(rows, 1);
  Vec load = nullptr, solution = nullptr;
  ok(VecCreateMPIWithArray(PETSC_COMM_WORLD, 1, rows, PETSC_DETERMINE, memory.data(), &load));
  name(load, "load");
  ok(VecDuplicate(load, &solution));
  KSP ksp = nullptr;
  ok(KSPCreate(PETSC_COMM_WORLD, &ksp));
  ok(KSPSetType(ksp, KSPCG));
  ok(KSPSetOperators(ksp, mat, mat));
  PetscReal norm = 0;
  ok(VecNorm(load, NORM_2, &norm));
  if (asked_for("-stale") && rank == size - 1) memory[0] = 7;
  ok(KSPSolve(ksp, load, solution));
  ok(VecNorm(solution, NORM_2, &norm));
  ok(PetscPrintf(PETSC_COMM_WORLD, "norm of the solution %.6e\n", static_cast<double>(norm)));
  ok(KSPDestroy(&ksp));
  ok(VecDestroy(&solution));
  ok(VecDestroy(&load));
}

}  // namespace

int main(int argc, char** argv) {
  ok(PetscInitialize(&argc, &argv, nullptr, nullptr));
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  Mat mat = stiffness();
  find_direction();
  solve(mat);
  ok(MatDestroy(&mat));
  ok(PetscFinalize());
}
