// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/call.hpp"
#include "daptor/comm.hpp"
#include "daptor/fft/box.hpp"

namespace daptor::fft::detail {

/// Refuses strides that are not one for each dimension. Process-local.
/// @throws InvalidArgument (`fft.strides`)
void require_strides(const Box& box);

/// The messages with this rank's box, which lies inside the grid. The grid is divided evenly into
/// cells, one for each rank, which gets the boxes that touch its cell. Process-local.
std::vector<Message> messages_to_cells(const Box& box, const Comm& comm);

/// Collective. Proves that the boxes of all ranks, which lie inside one grid, cover it and do not
/// overlap.
/// @param outgoing  `messages_to_cells`
/// @throws InvalidArgument on all ranks (`fft.overlap`, `fft.coverage`)
void prove_coverage(const Box& box, const std::vector<Message>& outgoing, Call& call);

}  // namespace daptor::fft::detail
