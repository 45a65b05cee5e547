// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "communication/rank_line.hpp"
#include "daptor/dist_array.hpp"

namespace daptor::detail {

/// Collective. The ranks in the order in which they own the indices of an array of one dimension,
/// which this proves.
RankLine owners_in_line(const DistArray& array, const Comm& comm);

}  // namespace daptor::detail
