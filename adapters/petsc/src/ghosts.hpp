#pragma once

#include <vector>

#include <petscvec.h>

#include "daptor/types.hpp"

namespace daptor::petsc::detail {

/// Global indices of a ghosted Vec's values in memory order: owned ones, then ghosts. Throws
/// NotRepresentable (rule `vec.ghosts`) where the Vec has no ghosts.
std::vector<Index> ghosted_indices(Vec vec, IndexRange owned);

}  // namespace daptor::petsc::detail
