// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscpc.h>

#include "solvers/src/fields.hpp"

namespace daptor::solvers::plugin {

/// What is known of the matrix of a PC, and where it was found if not at that matrix.
struct Known {
  Attached attached;
  const char* block_size_from = "";  ///< " (of the operator)", or empty
  const char* near_null_from = "";   ///< the same, or " (of the DM)"
};

/// Process-local. Looks at the matrix that the preconditioner is made of (Pmat); for what is not
/// there, at the operator (Amat), and for near-null vectors at the first field of the DM of the PC
/// or of the matrix, as PETSc's GAMG does. Only what belongs to as many rows counts. Throws
/// LibraryFailed.
Known known_to(PC pc);

}  // namespace daptor::solvers::plugin
