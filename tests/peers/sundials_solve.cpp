// SPDX-License-Identifier: BSD-3-Clause
// What docs/with/sundials.md says: CVODE with MueLu as its preconditioner, on the N_Vectors'
// memory.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <cvode/cvode.h>
#include <petscksp.h>
#include <sundials/sundials_config.h>
#include <sunlinsol/sunlinsol_spgmr.h>

#include <daptor/petsc.hpp>
#include <daptor/solvers/register_pcs.hpp>
#include <daptor/sundials.hpp>

namespace {

/// u' = J u for the Laplacian J of a square. Vecs move onto the N_Vectors that CVODE passes.
struct User {
  daptor::DistArray a;
  daptor::petsc::ImportedVec in, out;
  Mat jacobian = nullptr, shifted = nullptr;  // J, and I - gamma J
  PC pc = nullptr;
};

void move(User& user, N_Vector in, N_Vector out) {
  user.in.rebind(daptor::sundials::export_nvector(in, user.a));
  user.out.rebind(daptor::sundials::export_nvector(out, user.a));
}

int right_side(sunrealtype /*t*/, N_Vector y, N_Vector y_prime, void* data) {
  auto& user = *static_cast<User*>(data);
  move(user, y, y_prime);
  return static_cast<int>(MatMult(user.jacobian, user.in.get(), user.out.get()));
}

int set_up(sunrealtype /*t*/, N_Vector /*y*/, N_Vector /*f*/, sunbooleantype /*j_ok*/,
           sunbooleantype* j_is_new, sunrealtype gamma, void* data) {
  auto& user = *static_cast<User*>(data);
  MatCopy(user.jacobian, user.shifted, SAME_NONZERO_PATTERN);
  MatScale(user.shifted, -gamma);
  MatShift(user.shifted, 1.0);
  PCSetOperators(user.pc, user.shifted, user.shifted);
  *j_is_new = 1;
  return static_cast<int>(PCSetUp(user.pc));
}

int solve(sunrealtype /*t*/, N_Vector /*y*/, N_Vector /*f*/, N_Vector r, N_Vector z,
          sunrealtype /*gamma*/, sunrealtype /*delta*/, int /*side*/, void* data) {
  auto& user = *static_cast<User*>(data);
  move(user, r, z);
  return static_cast<int>(PCApply(user.pc, user.in.get(), user.out.get()));
}

constexpr PetscInt points = 40;
const double step = 1.0 / (points + 1);

Mat laplacian(MPI_Comm comm, PetscInt rows) {
  Mat mat = nullptr;
  MatCreateAIJ(comm, rows, rows, PETSC_DETERMINE, PETSC_DETERMINE, 5, nullptr, 4, nullptr, &mat);
  PetscInt first = 0, last = 0;
  MatGetOwnershipRange(mat, &first, &last);
  const double s = 1.0 / (step * step);
  for (PetscInt r = first; r < last; ++r) {
    const PetscInt i = r / points, j = r % points;
    MatSetValue(mat, r, r, -4 * s, INSERT_VALUES);
    if (i > 0) MatSetValue(mat, r, r - points, s, INSERT_VALUES);
    if (i + 1 < points) MatSetValue(mat, r, r + points, s, INSERT_VALUES);
    if (j > 0) MatSetValue(mat, r, r - 1, s, INSERT_VALUES);
    if (j + 1 < points) MatSetValue(mat, r, r + 1, s, INSERT_VALUES);
  }
  MatAssemblyBegin(mat, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(mat, MAT_FINAL_ASSEMBLY);
  return mat;
}

int run(MPI_Comm comm, SUNContext context) {
  const auto dimensions = daptor::block_dimensions({points * points}, comm);
  std::vector<double> memory(static_cast<std::size_t>(daptor::local_count(dimensions)));
  User user;
  user.a = daptor::describe(memory, dimensions).on(comm);
  const auto y = daptor::sundials::import_nvector(user.a, context);
  user.in = daptor::petsc::import_vec(user.a);
  user.out = daptor::petsc::import_vec(user.a);
  user.jacobian = laplacian(comm, static_cast<PetscInt>(memory.size()));
  MatDuplicate(user.jacobian, MAT_COPY_VALUES, &user.shifted);
  daptor::solvers::register_pcs();
  PCCreate(comm, &user.pc);
  PCSetType(user.pc, "muelu");
  PCSetFromOptions(user.pc);

  const double pi = std::acos(-1.0);
  PetscInt first = 0, last = 0;
  MatGetOwnershipRange(user.jacobian, &first, &last);
  const auto wave = [&](PetscInt r) {
    return std::sin(pi * step * (r / points + 1)) * std::sin(pi * step * (r % points + 1));
  };
  for (PetscInt r = first; r < last; ++r) memory[static_cast<std::size_t>(r - first)] = wave(r);

  void* cvode = CVodeCreate(CV_BDF, context);
  CVodeInit(cvode, right_side, 0.0, y.get());
  CVodeSStolerances(cvode, 1e-7, 1e-9);
  CVodeSetUserData(cvode, &user);
  SUNLinearSolver solver = SUNLinSol_SPGMR(y.get(), SUN_PREC_LEFT, 20, context);
  CVodeSetLinearSolver(cvode, solver, nullptr);
  CVodeSetPreconditioner(cvode, set_up, solve);
  CVodeSetMaxNumSteps(cvode, 10000);
  sunrealtype t = 0;
  const int status = CVode(cvode, 0.02, y.get(), &t, CV_NORMAL);
  y.modified();
  long steps = 0, iterations = 0;
  CVodeGetNumSteps(cvode, &steps);
  CVodeGetNumLinIters(cvode, &iterations);
  CVodeFree(&cvode);
  SUNLinSolFree(solver);

  const double rate = 2 * std::pow(2 * std::sin(pi * step / 2) / step, 2);
  double error = 0;
  for (PetscInt r = first; r < last; ++r)
    error = std::max(error, std::abs(memory[static_cast<std::size_t>(r - first)] -
                                     std::exp(-rate * 0.02) * wave(r)));
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, comm);
  if (user.a.comm().rank() == 0)
    std::printf("%ld steps, %ld linear iterations, error %.1e\n", steps, iterations, error);
  PCDestroy(&user.pc);
  MatDestroy(&user.shifted);
  MatDestroy(&user.jacobian);
  return status == CV_SUCCESS && error < 1e-5 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  PetscInitialize(&argc, &argv, nullptr, nullptr);
  MPI_Comm comm = PETSC_COMM_WORLD;
  SUNContext context = nullptr;
#if SUNDIALS_VERSION_MAJOR >= 7
  SUNContext_Create(comm, &context);
#else
  SUNContext_Create(&comm, &context);
#endif
  const int status = run(comm, context);
  SUNContext_Free(&context);
  PetscFinalize();
  return status;
}
