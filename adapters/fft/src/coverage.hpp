// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/comm.hpp"
#include "daptor/fft/box.hpp"

namespace daptor::fft::detail {

/// Collective over `comm`. Proves that the boxes of all ranks, which lie inside one grid, cover it
/// and do not overlap. The grid is divided evenly into cells, one for each rank, which gets the
/// boxes that touch its cell.
/// @throws InvalidArgument on all ranks (`fft.overlap`, `fft.coverage`)
void prove_coverage(const Box& box, const Comm& comm);

}  // namespace daptor::fft::detail
