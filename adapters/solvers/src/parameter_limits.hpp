// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <Teuchos_ParameterList.hpp>

#include "daptor/types.hpp"

/// \file
/// Parameters that Trilinos takes as they are: with some values it reads past the end of its
/// arrays, divides by zero, or does not come to an end, on one process or on all.

namespace daptor::solvers {

/// How a matrix is divided.
struct Division {
  Index local_rows = 0;  ///< number of rows on this process
  int processes = 1;
  bool rows_everywhere = true;  ///< whether each process has rows; true if that is not known
};

/// Process-local; in a check of a call, so that all ranks throw. Looks at the parameters of MueLu,
/// Ifpack2 or what these call, in all sublists, and in those of MueLu's factories. Throws
/// InvalidArgument (`trilinos.parameter`) for the first of these values.
///
/// Example on two ranks with 4 and 5 rows: {number of equations: 2} throws on rank 1, since its
/// last row is half a node.
void require_safe(const Teuchos::ParameterList& parameters, const Division& matrix);

/// The same for a type of Ifpack2, some of which need rows on each process.
void require_safe_type(const std::string& type, Index local_rows);

/// Number of unknowns at a node that MueLu takes from these parameters. Process-local.
int equations_in(const Teuchos::ParameterList& parameters);

}  // namespace daptor::solvers
