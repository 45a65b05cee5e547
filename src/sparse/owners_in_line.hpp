// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/section.hpp"
#include "proof/proven.hpp"
#include "ranks/rank_line.hpp"

namespace daptor::detail {

/// Process-local. The ranks in the order in which they own the indices of an array of one dimension
/// with this proof.
RankLine owners_in_line(const Section& array, const Proven& proven);

}  // namespace daptor::detail
