// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/range_messages.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "daptor/adapter/routed.hpp"
#include "daptor/call.hpp"

namespace daptor::detail {
namespace {

/// How many ranks further up (or down) another rank is, counted around.
int distance_to(int rank, int direction, const Comm& comm) {
  return (direction * (rank - comm.rank()) + comm.size()) % comm.size();
}

}  // namespace

std::vector<Share> owners_of_range(const GlobalIndexMap& map, IndexRange range, Call& call) {
  std::vector<std::vector<Index>> seats;
  std::vector<Share> shares = call.attempt([&] {
    std::vector<Share> found;
    const GlobalDimensionMap& along = map.dimension(0);
    for (Index next = range.start; next < range.stop;) {
      const Index seat = along.owner_of(next)->grid_rank;
      const IndexRange part = intersect(along.owned_range(seat), range);
      found.push_back({static_cast<int>(seat), part});
      if (!map.row_major()) seats.push_back({seat});
      next = part.stop;
    }
    return found;
  });
  if (map.row_major()) return shares;
  call.check();
  const std::vector<int> ranks = map.ranks_at(seats);
  for (std::size_t i = 0; i < shares.size(); ++i) shares[i].rank = ranks[i];
  return shares;
}

std::vector<Share> tell_shares(const std::vector<Share>& shares, Call& call) {
  const auto messages = call.check([&] {
    std::vector<adapter::Routed<IndexRange>> routed;
    routed.reserve(shares.size());
    for (const Share& share : shares) routed.push_back({share.rank, share.range});
    return adapter::sorted_messages(std::move(routed));
  });
  const std::vector<Message> received = call.comm()->exchange(messages);
  return call.attempt([&] {
    std::vector<Share> told;
    for (const Message& message : received)
      for (const IndexRange& range : adapter::from_bytes<IndexRange>(message.bytes))
        told.push_back({message.rank, range});
    return told;
  });
}

void sort_messages(std::vector<RunMessage>& messages, int direction, const Comm& comm) {
  std::sort(messages.begin(), messages.end(), [&](const RunMessage& a, const RunMessage& b) {
    return distance_to(a.rank, direction, comm) < distance_to(b.rank, direction, comm);
  });
}

void exchange_messages(const std::vector<RunMessage>& sent, const std::vector<RunMessage>& received,
                       const Comm& comm) {
  constexpr int none = std::numeric_limits<int>::max();
  auto out = sent.begin();
  auto in = received.begin();
  while (out != sent.end() || in != received.end()) {
    const int to = out != sent.end() ? distance_to(out->rank, 1, comm) : none;
    const int from = in != received.end() ? distance_to(in->rank, -1, comm) : none;
    const bool sends = to <= from, receives = from <= to;
    comm->sendrecv(sends ? out->rank : -1, sends ? out->bytes : nullptr, sends ? out->count : 0,
                   receives ? in->rank : -1, receives ? in->bytes : nullptr,
                   receives ? in->count : 0);
    if (sends) ++out;
    if (receives) ++in;
  }
}

}  // namespace daptor::detail
