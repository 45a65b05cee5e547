// SPDX-License-Identifier: BSD-3-Clause
// One array, two libraries: PETSc and Trilinos solve together, in the same memory.
//
//   mpirun -n 2 daptor_demo [-m SIZE] [--matrix FILE] [--output FILE.svg] [-- PETSc options]

#include <petscsys.h>

#include <CLI/CLI.hpp>
#include <Tpetra_Core.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "console.hpp"
#include "daptor/error.hpp"
#include "heat.hpp"
#include "matrix.hpp"

namespace {

struct Options {
  HeatOptions heat;
  std::string matrix;
  bool no_heat = false;
};

/// Reads the options. Returns an exit code, or a negative number if the program should continue.
int parse(const std::vector<std::string>& arguments, Options& options) {
  CLI::App app("Heat conduction, and a matrix from a file, solved by PETSc and Trilinos together.");
  app.name("daptor_demo");
  app.add_option("-m,--size", options.heat.points, "points along each side of the plate")
      ->check(CLI::Range(2, 40000))
      ->capture_default_str();
  app.add_option("--matrix", options.matrix,
                 "a square real matrix, Harwell-Boeing or Matrix Market");
  app.add_option("--output", options.heat.picture, "the picture, as SVG")
      ->check([](const std::string& file) {
        const bool svg = file.size() > 4 && file.compare(file.size() - 4, 4, ".svg") == 0;
        return svg ? std::string() : "the picture's name must end in .svg, not '" + file + "'";
      });
  app.add_flag("--no-heat", options.no_heat, "the matrix only");
  app.footer("Options of PETSc follow after --, as in: -- -ksp_monitor");
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    if (rank_of(PETSC_COMM_WORLD) == 0) app.exit(error);
    return error.get_exit_code() == 0 ? 0 : 1;
  }
  return -1;
}

void run(const Options& options) {
  MatrixFile file;
  if (!options.matrix.empty()) file = inspect_on_all(options.matrix);
  if (!options.no_heat) run_heat(options.heat);
  if (!options.matrix.empty()) run_matrix(file);
}

int run_or_say(const Options& options) {
  try {
    run(options);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "daptor_demo: rank {}: {}\n", rank_of(PETSC_COMM_WORLD), error.what());
    return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> all(argv + 1, argv + argc);
  const auto divider = std::find(all.begin(), all.end(), "--");
  const auto ours = divider - all.begin() + 1;  // argv[0] included
  std::vector<char*> petsc_arguments{argv[0]};
  for (int i = static_cast<int>(ours) + 1; i < argc; ++i) petsc_arguments.push_back(argv[i]);
  int petsc_count = static_cast<int>(petsc_arguments.size());
  petsc_arguments.push_back(nullptr);
  char** petsc_begin = petsc_arguments.data();
  ok(PetscInitialize(&petsc_count, &petsc_begin, nullptr, nullptr));

  Options options;
  int status = parse({all.begin(), divider}, options);
  if (status < 0) {
    Tpetra::ScopeGuard tpetra(&argc, &argv);
    status = run_or_say(options);
  }
  ok(PetscFinalize());
  return status;
}
