// SPDX-License-Identifier: BSD-3-Clause
#include "heat.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <Teuchos_ParameterList.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Vector.hpp>

#include "console.hpp"
#include "daptor/petsc.hpp"
#include "daptor/solvers.hpp"
#include "daptor/tpetra.hpp"
#include "grid.hpp"
#include "plate.hpp"
#include "solve.hpp"
#include "witness.hpp"

namespace {

struct Outcome {
  Solve solve;
  double error = 0;  ///< largest difference from the prescribed temperature
};

KspHandle make_ksp(const System& system) {
  KspHandle ksp;
  ok(KSPCreate(PETSC_COMM_WORLD, ksp.out()));
  ok(KSPSetOperators(ksp, system.matrix, system.matrix));
  ok(KSPSetType(ksp, KSPCG));
  ok(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
  ok(KSPSetTolerances(ksp, 1e-9, PETSC_DEFAULT, PETSC_DEFAULT, 500));
  ok(KSPSetFromOptions(ksp));
  return ksp;
}

double error_of(const System& system) {
  VecHandle difference;
  ok(VecDuplicate(system.exact, difference.out()));
  ok(VecWAXPY(difference, -1.0, system.exact, system.solution));
  PetscReal error = 0;
  ok(VecNorm(difference, NORM_INFINITY, &error));
  return error;
}

Outcome with_trilinos(const System& system, Witness& witness) {
  const KspHandle ksp = make_ksp(system);
  const double start = MPI_Wtime();
  const auto muelu = daptor::solvers::muelu_preconditioner(system.matrix, Teuchos::ParameterList());
  witness.stand_between(ksp, muelu);  // without a witness: operator_as_pc(muelu, pc)
  const double made = MPI_Wtime() - start;
  Outcome outcome;
  outcome.solve = solve(ksp, system.right_side, system.solution);
  outcome.solve.set_up_seconds += made;
  outcome.error = error_of(system);
  return outcome;
}

Outcome with_petsc_alone(const System& system) {
  const KspHandle ksp = make_ksp(system);
  PC pc = nullptr;
  ok(KSPGetPC(ksp, &pc));
  ok(PCSetType(pc, PCGAMG));
  ok(PCSetFromOptions(pc));
  Outcome outcome;
  outcome.solve = solve(ksp, system.right_side, system.solution);
  outcome.error = error_of(system);
  return outcome;
}

void show_grid(const Grid& grid, const System& system) {
  const daptor::DistArray array = daptor::petsc::export_dmda(grid.dm, system.solution);
  std::ostringstream text;
  text << array;
  std::string lines = text.str();
  for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos; ++at)
    lines.replace(at, 1, "\n        ");
  say("\nThe temperature, as each rank describes it to others:\n");
  say_by_rank(lines);
}

/// Shows that both sides have the same memory, and that a write on one side is seen by the other.
void show_sharing(const System& system) {
  const daptor::DistArray array = daptor::petsc::export_vec(system.solution);
  const auto imported = daptor::tpetra::import_multivector<PetscScalar>(array);
  const auto& trilinos = *imported.get();
  const PetscScalar* petsc_data = nullptr;
  ok(VecGetArrayRead(system.solution, &petsc_data));
  const PetscScalar* const trilinos_data = trilinos.getData(0).getRawPtr();
  say("\nThe same array as a Tpetra::MultiVector:\n");
  say_by_rank(fmt::format("PETSc has it at {}, Trilinos at {}: {}", fmt::ptr(petsc_data),
                          fmt::ptr(trilinos_data),
                          petsc_data == trilinos_data ? "the same memory" : "DIFFERENT MEMORY"));
  ok(VecRestoreArrayRead(system.solution, &petsc_data));
  PetscReal petsc_norm = 0;
  ok(VecNorm(system.solution, NORM_2, &petsc_norm));
  say("  its norm: {:.12e} by PETSc, {:.12e} by Trilinos\n", petsc_norm,
      trilinos.getVector(0)->norm2());
}

void show(const char* name, const Outcome& outcome) {
  const Solve& s = outcome.solve;
  say("  {:<28}{:>9.2f} s{:>9.2f} s{:>12}{:>12.1e}{:>14.2e}{}\n", name, s.set_up_seconds,
      s.solve_seconds, s.iterations, s.relative_residual, outcome.error,
      s.reason > 0 ? "" : "  did not converge");
}

void show_witness(const Witness& witness) {
  const Witness::Findings found = witness.findings();
  say("\nMueLu was applied {} times in PETSc's own vectors: {} bytes of data copied, {} "
      "allocations "
      "of half a\nvector or more (all ranks together).\n",
      found.applications, sum_over_ranks(found.bytes_copied),
      sum_over_ranks(found.large_allocations));
}

void draw(const std::string& file, const Grid& grid, const System& system) {
  constexpr int pixels = 440;
  VecHandle conductivity;
  ok(VecDuplicate(system.exact, conductivity.out()));
  PetscScalar** values = nullptr;
  PetscInt x0 = 0, y0 = 0, width = 0, height = 0;
  ok(DMDAGetCorners(grid.dm, &x0, &y0, nullptr, &width, &height, nullptr));
  ok(DMDAVecGetArray(grid.dm, conductivity, &values));
  for (PetscInt j = y0; j < y0 + height; ++j)
    for (PetscInt i = x0; i < x0 + width; ++i)
      values[j][i] = std::log10(plate::conductivity(grid.coordinate(i), grid.coordinate(j)));
  ok(DMDAVecRestoreArray(grid.dm, conductivity, &values));

  Panel temperature;
  temperature.title = "temperature in °C";
  temperature.pixels = pixels;
  temperature.values = rastered(grid, system.solution, pixels);
  temperature.palette = heat_palette();
  Panel log_conductivity;
  log_conductivity.title = "conductivity in W/(m K)";
  log_conductivity.pixels = pixels;
  log_conductivity.values = rastered(grid, conductivity, pixels);
  log_conductivity.low = static_cast<float>(plate::log10_lowest_conductivity);
  log_conductivity.high = static_cast<float>(plate::log10_highest_conductivity);
  log_conductivity.palette = blue_palette();
  log_conductivity.bar_labels = {"0.01", "0.1", "1", "10", "100"};

  std::string problem;
  if (rank_of(PETSC_COMM_WORLD) == 0) {
    const auto [low, high] =
        std::minmax_element(temperature.values.begin(), temperature.values.end());
    temperature.low = 10 * std::floor(*low / 10);
    temperature.high = std::max(temperature.low + 10, 10 * std::ceil(*high / 10));
    for (float t = temperature.low; t <= temperature.high; t += 10)
      temperature.bar_labels.push_back(fmt::format("{:g}", t));
    try {
      write_picture(file, "Heat in a plate, solved by PETSc and Trilinos in the same memory",
                    fmt::format("{} × {} points on {} ranks; the lines show who owns what",
                                grid.points, grid.points, size_of(PETSC_COMM_WORLD)),
                    {temperature, log_conductivity}, owned_blocks(grid),
                    static_cast<double>(grid.points));
    } catch (const std::exception& error) {
      problem = error.what();
    }
  }
  throw_on_all(problem);
  say("\nPicture: {}\n", file);
}

}  // namespace

void run_heat(const HeatOptions& options) {
  const Grid grid = make_grid(options.points);
  say("Heat conduction in a plate, conductivity from 0.01 to 100 W/(m K): {0} x {0} points on {1} "
      "ranks ({2} x {3} blocks)\n",
      grid.points, size_of(PETSC_COMM_WORLD), grid.columns, grid.rows);
  say("  matrix and right side: ");
  const double start = MPI_Wtime();
  const System system = make_system(grid);
  say("{:.2f} s\n", MPI_Wtime() - start);
  show_grid(grid, system);

  say("\nPETSc's conjugate gradients, preconditioned by\n"
      "  {:<28}{:>11}{:>11}{:>12}{:>12}{:>14}\n",
      "", "set-up", "solve", "iterations", "residual", "error in K");
  const bool takes_long = grid.points > 700;
  if (takes_long) say("    PETSc alone sets up\n");
  const Outcome petsc = with_petsc_alone(system);
  show("PETSc alone (GAMG)", petsc);
  if (takes_long) say("    Trilinos sets up\n");
  Witness witness;
  const Outcome trilinos = with_trilinos(system, witness);
  show("Trilinos (MueLu)", trilinos);
  show_witness(witness);
  show_sharing(system);
  if (!options.picture.empty()) draw(options.picture, grid, system);
  if (trilinos.solve.reason <= 0 || petsc.solve.reason <= 0)
    throw DemoError("the conjugate gradients did not converge");
}
