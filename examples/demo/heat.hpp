// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

struct HeatOptions {
  int points = 500;                         ///< along each side of the grid
  std::string picture = "daptor_demo.svg";  ///< file name; empty for no picture
};

/// Collective. Heat conduction in a plate: PETSc has the grid, the matrix and the Krylov solver,
/// and Trilinos is the preconditioner and works on PETSc's vectors. Prints the results. Throws
/// DemoError.
void run_heat(const HeatOptions& options);
