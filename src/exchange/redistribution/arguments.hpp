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

/// Process-local. Requires one layout for all sources and one for all targets, and what
/// `require_memory` requires.
void require_batches(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets);
/// Process-local. Requires readable and writable memory, and targets that do not overlap any other
/// array.
void require_memory(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets);

/// Process-local; the verdict is the same on all ranks.
void require_types(const Outline& source, const Outline& target, bool convert);

/// The options, the transform if there is one, and the number of arrays as numbers, of which all
/// ranks take the least (`agreed_minima`).
using OptionWords = std::array<std::int64_t, 6>;
OptionWords option_words(const RedistributionOptions& options, const Transform* transform,
                         std::size_t sources, std::size_t targets);
/// Process-local; the verdict is the same on all ranks. Requires, by the least of the words, the
/// same options and the same transform on all ranks, and the same number of arrays on all ranks
/// that have any.
void require_same_options(const OptionWords& least, const RedistributionOptions& options,
                          const Transform* transform);

}  // namespace daptor::detail
