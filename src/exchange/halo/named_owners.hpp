// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "daptor/global_index_map.hpp"

namespace daptor::detail {

/// The dimension whose owners HaloOptions::owned names: the one that is divided; on one process the
/// unstructured one. -1 where that is none or several.
int named_dimension(const LocalIndexMap& map);

/// Process-local. Throws InvalidArgument (`halo.owned`) where `owned` cannot say who owns the
/// indices of an array's one unstructured dimension.
void require_names_owners(const DistArray& array, const Dimension& owned);

/// Collective. Of each global index the process that has it in `owned`, and its position in that
/// process's own section, of which `local` is this one's. Throws InvalidArgument (`halo.owned`) on
/// all ranks where there is no such process or position.
std::vector<std::optional<OwnerAlong>> named_owners(const LocalDimensionMap& local,
                                                    const Dimension& owned,
                                                    const std::vector<Index>& globals,
                                                    const Comm& comm);

}  // namespace daptor::detail
