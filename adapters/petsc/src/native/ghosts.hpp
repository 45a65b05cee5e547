// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include <petscvec.h>

#include "daptor/adapter/order.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/comm.hpp"
#include "daptor/section.hpp"

namespace daptor::petsc::detail {

/// The ghosts of a Vec, which follow the owned values in memory.
struct Ghosts {
  /// Number of values with a common index: the block size if PETSc was given blocks, otherwise 1.
  Index block = 1;
  /// Global indices of the ghosts, in blocks.
  std::vector<Index> indices;
};
/// Throws NotRepresentable (rule `petsc.vec.ghosts`) if the Vec has no ghosts. `block` is its block
/// size.
Ghosts ghosts_of(Vec vec, Index owned_count, Index block);

/// Memory orders in which the section is contiguous, owned elements first and then ghosts: one
/// dimension lists them, and another may be the components of a block.
adapter::OrderFit ghosted_order(const Section& array);
/// The reasons why the section cannot be a ghosted Vec.
adapter::Reasons ghosted_reasons(const Section& array);

}  // namespace daptor::petsc::detail
