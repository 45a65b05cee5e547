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

/// Process-local. Requires one layout for all sources and one for all targets, and what
/// `require_memory` requires.
void require_batches(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets);
/// Process-local. Requires readable and writable memory, and targets that do not overlap any other
/// array.
void require_memory(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets);

/// Process-local; the verdict is the same on all ranks.
void require_types(const Outline& source, const Outline& target, bool convert);

/// Collective. Requires the same options on all ranks, the same transform if there is one, and the
/// same number of arrays on all ranks that have any.
void require_same_options(const RedistributionOptions& options, const Transform* transform,
                          std::size_t sources, std::size_t targets, const Comm& comm);

}  // namespace daptor::detail
