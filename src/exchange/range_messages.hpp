// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/comm.hpp"
#include "daptor/global_index_map.hpp"

namespace daptor::detail {

/// The part of a range of indices that one rank has.
struct Share {
  int rank = 0;
  IndexRange range;
};

/// The ranks that own the indices of a range, in the order of the indices, by the map of an array
/// of one dimension in blocks. Collective if ranks are not in row-major order. What fails, for lack
/// of memory for example, the next check of the call tells.
std::vector<Share> owners_of_range(const GlobalIndexMap& map, IndexRange range, Call& call);

/// Collective. Tells each rank which range this rank shares with it; returns what the others tell.
/// What fails after the exchange, the next check of the call tells.
std::vector<Share> tell_shares(const std::vector<Share>& shares, Call& call);

/// Bytes that are sent to a rank or received from it.
struct RunMessage {
  int rank = 0;
  std::byte* bytes = nullptr;
  std::size_t count = 0;
};

/// Puts messages in the order in which `exchange_messages` needs them. Process-local.
/// @param direction  +1 for messages that are sent, -1 for those that are received
void sort_messages(std::vector<RunMessage>& messages, int direction, const Comm& comm);

/// Collective over the ranks that share bytes; at most one message goes from one rank to another.
/// Allocates nothing. A rank sends to the rank `distance` above while it receives from the rank
/// `distance` below, for each distance at which it has something to do, from small to large:
/// nobody waits for a rank that waits for a message of a larger distance.
void exchange_messages(const std::vector<RunMessage>& sent, const std::vector<RunMessage>& received,
                       const Comm& comm);

}  // namespace daptor::detail
