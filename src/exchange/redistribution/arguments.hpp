// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "daptor/redistribute.hpp"
#include "exchange/batch.hpp"
#include "exchange/redistribution/outline.hpp"

namespace daptor::detail {

inline constexpr Wording redistribution_wording{"redistribute", "a redistribution",
                                                "Redistribution"};

/// Process-local. Requires that all sources have one layout, that all targets have one layout, and
/// what `require_memory` requires.
void require_batches(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets);
/// Process-local. Requires that sources are readable and targets writable, and that no target
/// overlaps another array.
void require_memory(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets);

/// Process-local; the verdict is the same on all ranks.
void require_types(const Outline& source, const Outline& target, bool convert);

/// The options, the transform if there is one, and the number of arrays, encoded as numbers of
/// which all ranks get the minima (`agreed_minima`).
using OptionWords = std::array<std::int64_t, 6>;
OptionWords option_words(const RedistributionOptions& options, const Transform* transform,
                         std::size_t sources, std::size_t targets);
/// Process-local; the verdict is the same on all ranks. Requires, by the minima of the words, that
/// options and transform are the same on all ranks, and that all ranks with arrays have the same
/// number of them.
void require_same_options(const OptionWords& least, const RedistributionOptions& options,
                          const Transform* transform);

}  // namespace daptor::detail
