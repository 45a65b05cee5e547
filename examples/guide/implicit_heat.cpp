// SPDX-License-Identifier: BSD-3-Clause
// The heat equation on a square, integrated implicitly by CVODE or ARKODE: the right-hand side by a
// DMDA of PETSc, each Newton system by a Krylov method of SUNDIALS with MueLu of Trilinos. All
// three work in the memory of SUNDIALS' vectors.
//
//   mpirun -n 4 daptor_guide_implicit_heat [arkode]

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <arkode/arkode_arkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_parallel.h>
#include <petscdmda.h>
#include <petscpc.h>
#include <sundials/sundials_config.h>
#include <sunlinsol/sunlinsol_spgmr.h>

#include <daptor/daptor.hpp>
#include <daptor/petsc.hpp>
#include <daptor/solvers/register_pcs.hpp>
#include <daptor/sundials.hpp>

namespace {

using daptor::Index;
#if SUNDIALS_VERSION_MAJOR >= 7
using Bool = sunbooleantype;
#else
using Bool = booleantype;
#endif

constexpr Index points = 63;  // inside of the square, in each direction; it is 0 at the boundary
constexpr double end = 0.01;
const double pi = std::acos(-1.0);
const double step = 1.0 / static_cast<double>(points + 1);

double wave(Index i, Index j) {
  return std::sin(pi * step * static_cast<double>(i + 1)) *
         std::sin(2 * pi * step * static_cast<double>(j + 1));
}

/// Rate at which the differences make the wave decay.
double decay_rate() {
  const auto part = [](int k) { return 2 * std::sin(k * pi * step / 2) / step; };
  return part(1) * part(1) + part(2) * part(2);
}

struct Heat {
  daptor::DistArray grid;               ///< the points, without ghosts: a vector of SUNDIALS
  daptor::petsc::ImportedDMDA field;    ///< the same points for PETSc
  daptor::petsc::ImportedVec from, to;  ///< on the memory of one vector after another
  Mat differences = nullptr, system = nullptr;
  PC pc = nullptr;
  int set_ups = 0;
};

/// u' = u_xx + u_yy, by PETSc on SUNDIALS' memory.
int right_side(sunrealtype /*t*/, N_Vector y, N_Vector y_prime, void* data) {
  Heat& heat = *static_cast<Heat*>(data);
  heat.from.rebind(daptor::sundials::export_nvector(y, heat.grid));
  heat.to.rebind(daptor::sundials::export_nvector(y_prime, heat.grid));
  return MatMult(heat.differences, heat.from.get(), heat.to.get()) != 0 ? -1 : 0;
}

/// I - gamma J, for which MueLu is set up again with what it can keep.
int set_up(sunrealtype /*t*/, N_Vector /*y*/, N_Vector /*f*/, Bool /*jok*/, Bool* updated,
           sunrealtype gamma, void* data) {
  Heat& heat = *static_cast<Heat*>(data);
  ++heat.set_ups;
  MatCopy(heat.differences, heat.system, SAME_NONZERO_PATTERN);
  MatScale(heat.system, -gamma);
  MatShift(heat.system, 1);
  PCSetOperators(heat.pc, heat.system, heat.system);
  *updated = SUNTRUE;
  return PCSetUp(heat.pc) != 0 ? -1 : 0;
}

int solve(sunrealtype /*t*/, N_Vector /*y*/, N_Vector /*f*/, N_Vector r, N_Vector z,
          sunrealtype /*gamma*/, sunrealtype /*delta*/, int /*side*/, void* data) {
  Heat& heat = *static_cast<Heat*>(data);
  heat.from.rebind(daptor::sundials::export_nvector(r, heat.grid));
  heat.to.rebind(daptor::sundials::export_nvector(z, heat.grid));
  return PCApply(heat.pc, heat.from.get(), heat.to.get()) != 0 ? -1 : 0;
}

/// The five-point differences on the DMDA's numbering, which is that of the vector's elements.
Mat differences_on(DM grid) {
  Mat matrix = nullptr;
  DMCreateMatrix(grid, &matrix);
  PetscInt x = 0, y = 0, width = 0, height = 0;
  DMDAGetCorners(grid, &x, &y, nullptr, &width, &height, nullptr);
  const double s = 1 / (step * step);
  for (PetscInt j = y; j < y + height; ++j)
    for (PetscInt i = x; i < x + width; ++i) {
      const MatStencil row{0, j, i, 0};
      std::vector<MatStencil> columns{row};
      std::vector<PetscScalar> values{-4 * s};
      const auto add = [&](PetscInt to_j, PetscInt to_i) {
        if (to_i < 0 || to_i >= points || to_j < 0 || to_j >= points) return;
        columns.push_back({0, to_j, to_i, 0});
        values.push_back(s);
      };
      add(j, i - 1);
      add(j, i + 1);
      add(j - 1, i);
      add(j + 1, i);
      MatSetValuesStencil(matrix, 1, &row, static_cast<PetscInt>(columns.size()), columns.data(),
                          values.data(), INSERT_VALUES);
    }
  MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY);
  return matrix;
}

/// Calls `f(i, j, value)` for the points of this process.
template <class F>
void for_each_point(const daptor::DistArray& a, F&& f) {
  const auto u = daptor::owned_view<double, 2>(a);
  const Index row = a.dimension(0).interior()->start, column = a.dimension(1).interior()->start;
  for (Index i = 0; i < u.extent(0); ++i)
    for (Index j = 0; j < u.extent(1); ++j) f(row + i, column + j, u(i, j));
}

struct Counts {
  long steps = 0, iterations = 0;
  int status = 0;
};

Counts by_cvode(N_Vector y, SUNLinearSolver solver, SUNContext context, Heat& heat) {
  void* cvode = CVodeCreate(CV_BDF, context);
  CVodeInit(cvode, right_side, 0.0, y);
  CVodeSStolerances(cvode, 1e-8, 1e-10);
  CVodeSetUserData(cvode, &heat);
  CVodeSetLinearSolver(cvode, solver, nullptr);
  CVodeSetPreconditioner(cvode, set_up, solve);
  Counts counts;
  sunrealtype t = 0;
  counts.status = CVode(cvode, end, y, &t, CV_NORMAL);
  CVodeGetNumSteps(cvode, &counts.steps);
  CVodeGetNumLinIters(cvode, &counts.iterations);
  CVodeFree(&cvode);
  return counts;
}

Counts by_arkode(N_Vector y, SUNLinearSolver solver, SUNContext context, Heat& heat) {
  void* arkode = ARKStepCreate(nullptr, right_side, 0.0, y, context);
  ARKStepSStolerances(arkode, 1e-8, 1e-10);
  ARKStepSetUserData(arkode, &heat);
  ARKStepSetLinear(arkode, 0);
  ARKStepSetLinearSolver(arkode, solver, nullptr);
  ARKStepSetPreconditioner(arkode, set_up, solve);
  Counts counts;
  sunrealtype t = 0;
  ARKStepSetStopTime(arkode, end);
  counts.status = ARKStepEvolve(arkode, end, y, &t, ARK_NORMAL);
  ARKStepGetNumSteps(arkode, &counts.steps);
  ARKStepGetNumLinIters(arkode, &counts.iterations);
  ARKStepFree(&arkode);
  return counts;
}

bool integrate(MPI_Comm comm, SUNContext context, bool arkode) {
  const auto dimensions = daptor::block_dimensions({points, points}, comm);
  std::vector<double> memory(static_cast<std::size_t>(daptor::local_count(dimensions)));
  Heat heat;
  heat.grid = daptor::describe(memory, dimensions).on(comm);
  for_each_point(heat.grid, [](Index i, Index j, double& value) { value = wave(i, j); });

  daptor::petsc::DMDAOptions star;
  star.stencil_width = 1;
  star.stencil = daptor::Stencil::star;
  heat.field = daptor::petsc::import_dmda(heat.grid, star);
  daptor::petsc::VecOptions flat;
  flat.flat = true;
  heat.from = daptor::petsc::import_vec(heat.grid, flat);
  heat.to = daptor::petsc::import_vec(heat.grid, flat);
  heat.differences = differences_on(heat.field.dm());
  MatDuplicate(heat.differences, MAT_COPY_VALUES, &heat.system);
  PCCreate(comm, &heat.pc);
  PCSetType(heat.pc, "muelu");
  PCSetFromOptions(heat.pc);

  const auto y = daptor::sundials::import_nvector(heat.grid, context);
  SUNLinearSolver solver = SUNLinSol_SPGMR(y.get(), SUN_PREC_LEFT, 20, context);
  const Counts counts = (arkode ? by_arkode : by_cvode)(y.get(), solver, context, heat);
  y.modified();
  SUNLinSolFree(solver);

  double error = 0;
  for_each_point(heat.grid, [&](Index i, Index j, double value) {
    error = std::max(error, std::abs(value - std::exp(-decay_rate() * end) * wave(i, j)));
  });
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, comm);
  if (heat.grid.comm().rank() == 0)
    std::printf("%s: %ld steps, %ld iterations, MueLu set up %d times, error %.1e\n",
                arkode ? "ARKODE" : "CVODE", counts.steps, counts.iterations, heat.set_ups, error);
  PCDestroy(&heat.pc);
  MatDestroy(&heat.differences);
  MatDestroy(&heat.system);
  return counts.status >= 0 && error < 1e-6 && counts.iterations < 30 * counts.steps;
}

}  // namespace

int main(int argc, char** argv) {
  PetscInitialize(&argc, &argv, nullptr, nullptr);
  daptor::solvers::register_pcs();
  MPI_Comm comm = PETSC_COMM_WORLD;
  SUNContext context = nullptr;
#if SUNDIALS_VERSION_MAJOR >= 7
  SUNContext_Create(comm, &context);
#else
  SUNContext_Create(&comm, &context);
#endif
  const bool right = integrate(comm, context, argc > 1 && std::string(argv[1]) == "arkode");
  SUNContext_Free(&context);
  PetscFinalize();
  return right ? 0 : 1;
}
