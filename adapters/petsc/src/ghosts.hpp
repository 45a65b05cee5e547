// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include <petscvec.h>

#include "daptor/adapter/reason.hpp"
#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "order.hpp"

namespace daptor::petsc::detail {

/// Ghosts of a Vec, as they follow the owned values in memory.
struct Ghosts {
  /// Values that have an index together: the block size, where PETSc was given blocks; else 1.
  Index block = 1;
  /// Global indices of the ghosts, in blocks.
  std::vector<Index> indices;
};
/// Throws NotRepresentable (rule `petsc.vec.ghosts`) where the Vec has no ghosts. `block`: its
/// block size.
Ghosts ghosts_of(Vec vec, Index owned_count, Index block);

/// Orders in which the section is gapless, owned elements first and then ghosts: one dimension
/// lists them, and another may be the components of a block.
OrderFit ghosted_order(const DistArray& array);
/// Why the section cannot be a ghosted Vec.
adapter::Reasons ghosted_reasons(const DistArray& array);

}  // namespace daptor::petsc::detail
