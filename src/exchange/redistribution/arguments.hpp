// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "daptor/redistribute.hpp"
#include "exchange/batch.hpp"
#include "exchange/redistribution/outline.hpp"

namespace daptor::detail {

inline constexpr Wording redistribution_wording{"redistribute", "a redistribution",
                                                "Redistribution"};

/// Process-local. One layout for all sources and one for all targets, and what `require_memory`
/// asks.
void require_batches(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets);
/// Process-local. Memory that can be read and written, no target on another array's.
void require_memory(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets);

/// Process-local; the same on all ranks.
void require_types(const Outline& source, const Outline& target, bool convert);

/// Collective. Options that have to be the same on all ranks are, a transform where there is one,
/// and the numbers of arrays on those that have any.
void require_same_options(const RedistributionOptions& options, const Transform* transform,
                          std::size_t sources, std::size_t targets, const Comm& comm);

}  // namespace daptor::detail
