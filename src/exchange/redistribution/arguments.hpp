// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/redistribute.hpp"
#include "exchange/batch.hpp"
#include "exchange/redistribution/outline.hpp"

namespace daptor::detail {

inline constexpr Wording redistribution_wording{"redistribute", "a redistribution",
                                                names::redistribution};

/// Process-local. Requires that all sources have one layout, that all targets have one layout, and
/// what `require_memory` requires.
void require_batches(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets,
                     bool through_host);
/// Process-local. Requires that sources are readable and targets writable, by the host or through
/// it, and that no target overlaps another array.
void require_memory(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets,
                    bool through_host);

/// Process-local; the verdict is the same on all ranks.
void require_types(const Outline& source, const Outline& target, bool convert);

}  // namespace daptor::detail
