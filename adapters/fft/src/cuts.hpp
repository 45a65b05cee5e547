// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/comm.hpp"
#include "daptor/fft/box.hpp"

namespace daptor::fft::detail {

/// Where each dimension is divided: the first indices of all boxes that are not empty, sorted.
using Cuts = std::vector<std::vector<Index>>;

/// Collective over `comm`. The cuts of all ranks together, on all ranks. Memory: one number for
/// each cut, that is, for a product of divisions one for each process along a dimension.
Cuts common_cuts(const Box& box, const Comm& comm);

}  // namespace daptor::fft::detail
