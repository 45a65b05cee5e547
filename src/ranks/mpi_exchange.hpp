// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include <mpi.h>

#include "daptor/adapter/communicator.hpp"

namespace daptor::detail {

/// Maximum size of a message in bytes; longer ones are sent in pieces, because MPI counts in int.
inline constexpr std::size_t largest_piece = std::size_t{1} << 30;

/// Collective. Delivers each rank's messages to ranks that do not expect them. Received messages
/// are sorted by source, and those of one source are in the order of sending. Consecutive exchanges
/// need different tags. Throws InvalidArgument, before anything is sent, if a destination is not a
/// rank of the communicator; a failure after that aborts the communicator.
std::vector<Message> sparse_exchange(MPI_Comm comm, int tag, const std::vector<Message>& messages,
                                     std::size_t piece = largest_piece);

}  // namespace daptor::detail
