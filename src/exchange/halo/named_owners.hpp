// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/call.hpp"
#include "daptor/global_index_map.hpp"

namespace daptor::detail {

/// The dimension whose owners HaloOptions::owned states: the divided dimension or, on one process,
/// the unstructured one. -1 if there is no such dimension, or more than one.
int named_dimension(const LocalIndexMap& map);

/// Process-local. Throws InvalidArgument (`halo.owned`) if `owned` cannot state the owners of the
/// indices of the array's only unstructured dimension.
void require_names_owners(const Section& array, const Dimension& owned);

/// Collective. For each global index the process that has it in `owned`, and its position in the
/// section of that process; `local` is the section of this process. Throws InvalidArgument
/// (`halo.owned`) on all ranks if there is no such process or position.
std::vector<OwnerAlong> named_owners(const LocalDimensionMap& local, const Dimension& owned,
                                     const std::vector<Index>& globals, Call& call);

}  // namespace daptor::detail
