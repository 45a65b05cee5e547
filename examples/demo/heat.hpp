// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

struct HeatOptions {
  int points = 500;                         ///< of the grid, along each side
  std::string picture = "daptor_demo.svg";  ///< file; empty: none
};

/// Collective. Heat conduction in a plate: PETSc has the grid, the matrix and the Krylov solver,
/// and Trilinos preconditions in PETSc's vectors. Prints what comes of it. Throws DemoError.
void run_heat(const HeatOptions& options);
