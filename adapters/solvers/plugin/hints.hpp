// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include <petscsys.h>

#include "daptor/solvers/types.hpp"

namespace daptor::solvers::plugin {

/// What MueLu was told about the matrix besides its entries.
struct Told {
  PetscInt equations = 1;  ///< unknowns at each node
  PetscInt near_null = 0;  ///< number of near-null vectors; 0: MueLu's own, a constant per unknown
  const char* equations_from = "";  ///< where they were found, if not at the matrix itself
  const char* near_null_from = "";
  bool coordinates = false;
};

/// Process-local. How many rows of this process, one after the other, have entries in the same
/// columns: a guess at the number of unknowns at each node, 1 if there is none. Rows of prescribed
/// values, which have one entry, are passed over.
int rows_alike(const CrsMatrix& matrix);

/// Process-local. What is missing, a sentence each. Those about elasticity are for two and three
/// unknowns at each node.
std::vector<std::string> missing_in(const CrsMatrix& matrix, const Told& told);

/// Process-local. For `-ksp_view`: what MueLu was told, and what is missing, one line each.
std::string hints_on(const CrsMatrix& matrix, const Told& told);

}  // namespace daptor::solvers::plugin
