// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include <mpi.h>

#include "daptor/adapter/communicator.hpp"

namespace daptor::detail {

/// MPI counts in int: what is longer travels in pieces of this many bytes.
inline constexpr std::size_t largest_piece = std::size_t{1} << 30;

/// Collective. Delivers each rank's messages to ranks that do not know of them; received ones are
/// in order of their source, and in the order of sending where that is the same. Two exchanges that
/// follow each other need different tags. Throws InvalidArgument, before anything is sent, for a
/// destination that is no rank; a failure after that aborts the communicator.
std::vector<Message> sparse_exchange(MPI_Comm comm, int tag, const std::vector<Message>& messages,
                                     std::size_t piece = largest_piece);

}  // namespace daptor::detail
