// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>
#include <vector>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/routed.hpp"
#include "daptor/call.hpp"

namespace daptor::detail {

/// How messages about many items, which may go to any rank, reach it through a rank between. That
/// rank joins what several ranks say about the same item, so that a rank never gets a message from
/// each of the others, however popular an item is: of P ranks, each one sends at most about sqrt(P)
/// messages in each of the two hops, and receives at most twice as many.
///
/// The ranks lie row by row in a table. A message goes along the sender's row to the column of its
/// destination, and along that column. With 9 ranks, messages for rank 7 from the ranks 0, 1 and 2
/// meet at rank 1, in the same column, and continue as one.
///
/// The last row may be shorter than the others. If the place between lies outside of it, the
/// message goes along the sender's column first: with 8 ranks from rank 6 through rank 3 to rank 5.
class Crossing {
 public:
  explicit Crossing(int ranks) : ranks_(ranks) {
    while (width_ * width_ < ranks) ++width_;
  }

  /// Up to 64 ranks send directly, which is faster. Tests set the environment variable
  /// DAPTOR_MOST_DIRECT_RANKS to a lower number, the same on all ranks.
  static bool used(int ranks);

  /// The rank through which a message goes.
  int between(int from, int to) const {
    const int place = from / width_ * width_ + to % width_;
    return place < ranks_ ? place : to / width_ * width_ + from % width_;
  }

 private:
  int ranks_;
  int width_ = 1;
};

/// Collective. Sends each item to its keeper, through a rank between if there are many ranks, and
/// returns what this rank has received as a keeper. `items()` returns the items of this rank, each
/// with its keeper; `joined(messages)` what a rank between passes on, likewise. Both may throw, and
/// then all ranks throw, but may not communicate.
template <class Items, class Joined>
std::vector<Message> send_to_keepers(Call& call, const Items& items, const Joined& joined) {
  const Comm& comm = call.comm();
  const bool crosses = Crossing::used(comm.size());
  const auto sent = call.check([&] {
    auto routed = items();
    const Crossing crossing(comm.size());
    if (crosses)
      for (auto& each : routed) each.rank = crossing.between(comm.rank(), each.rank);
    return adapter::sorted_messages(std::move(routed));
  });
  auto received = comm->exchange(sent);  // moved out: a copy could run out of memory on this rank
  if (!crosses) return received;
  const auto passed_on = call.check([&] { return adapter::sorted_messages(joined(received)); });
  return comm->exchange(passed_on);
}

}  // namespace daptor::detail
