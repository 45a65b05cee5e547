// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include <petscvec.h>

#include "daptor/communicator.hpp"
#include "daptor/dist_array.hpp"
#include "section.hpp"

namespace daptor::petsc::detail {

/// Ghosts of a Vec, as they follow the owned values in memory.
struct Ghosts {
  /// Values that have an index together: the block size, where PETSc was given blocks; else 1.
  Index block = 1;
  /// Global indices of the ghosts, in blocks.
  std::vector<Index> indices;
};
/// Throws NotRepresentable (rule `vec.ghosts`) where the Vec has no ghosts. `block`: its block
/// size.
Ghosts ghosts_of(Vec vec, Index owned_count, Index block);

/// The dimension that lists owned indices and then ghosts, which must be all but the components of
/// a block: -1 where the section is not of that kind.
int ghosted_dimension(const DistArray& array, Order order);
/// Why the section, in the given order, cannot be a ghosted Vec.
Reasons ghosted_reasons(const DistArray& array, Order order);

}  // namespace daptor::petsc::detail
