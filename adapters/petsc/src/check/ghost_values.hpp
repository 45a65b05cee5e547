// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include <petscvec.h>

#include "daptor/report.hpp"

namespace daptor::petsc::detail {

/// What a look at the ghosts of a Vec has found, the same on all ranks.
struct GhostLook {
  Report report;           ///< as `check_ghosts` returns it
  bool untouched = false;  ///< all ghosts of all ranks are 0, as PETSc has made them
};

/// Collective over the communicator of the Vec, which must be ghosted, as for `check_ghosts`.
/// @returns `nullopt` on all ranks if PETSc does not know any more which values the ghosts are of
std::optional<GhostLook> look_at_ghosts(Vec vec);

}  // namespace daptor::petsc::detail
