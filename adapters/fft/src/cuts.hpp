// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/fft/box.hpp"

namespace daptor::fft::detail {

/// Where each dimension is divided: the first indices of all boxes that are not empty, sorted.
using Cuts = std::vector<std::vector<Index>>;

/// Collective. The cuts of all ranks together, on all ranks, for `cuts_from`. Memory: one number
/// for each cut, that is, for a product of divisions one for each process along a dimension.
std::vector<Index> common_cuts(const Box& box, Call& call);

/// Process-local.
Cuts cuts_from(const std::vector<Index>& words, std::size_t ndim);

}  // namespace daptor::fft::detail
