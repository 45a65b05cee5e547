// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include "communication/routed.hpp"
#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "proof/walk.hpp"

namespace daptor::validation {
namespace {

/// Before the words of an edge: the sender's rank, the dimension, and whether the sender is below.
enum Header : std::size_t { sender, along, is_below, header };

/// Row-major number of the coordinates `distance` further along a dimension, around its end.
Index seat_along(const DistArray& array, int dimension, Index distance) {
  Index number = 0;
  for (int d = 0; d < array.ndim(); ++d) {
    const GridPosition grid = array.dimension(d).grid();
    const Index rank = d == dimension ? (grid.rank + distance + grid.size) % grid.size : grid.rank;
    number = number * grid.size + rank;
  }
  return number;
}

std::string coordinates_text(const DistArray& array) {
  std::string text = "(";
  for (int d = 0; d < array.ndim(); ++d)
    text += (d == 0 ? "" : ", ") + std::to_string(array.dimension(d).grid().rank);
  return text + ")";
}

}  // namespace

/// Collective: two exchanges. Ranks sit on the grid in any order. The rank whose number the
/// coordinates have keeps their seat: who sits there says so to it, and those who sit beside leave
/// there what they would tell. The keeper passes that on, or says who else claims the seat.
void Walk::seat_ranks() {
  std::vector<Message> messages;
  attempt([&] {
    detail::fault_point("core.validate.seats");
    messages = seat_claims();
  });
  const auto left_here = comm_->exchange(messages);
  messages.clear();
  attempt([&] {
    detail::fault_point("core.validate.forward");
    messages = forward(left_here);
  });
  const auto forwarded = comm_->exchange(messages);
  attempt([&] {
    detail::fault_point("core.validate.seated");
    take_forwarded(forwarded);
  });
}

std::vector<Message> Walk::seat_claims() {
  std::vector<Message> messages{{static_cast<int>(seat_along(array(), 0, 0)), {}}};
  std::vector<Index> letter(header + room_.edge_size());
  for (int d = 0; d < array().ndim(); ++d) {
    if (array().dimension(d).grid().size == 1) continue;
    write_edge(d, letter.data() + header);
    letter[sender] = comm_.rank();
    letter[along] = d;
    for (const Index side : {-1, +1}) {
      letter[is_below] = side > 0 ? 1 : 0;
      messages.push_back({static_cast<int>(seat_along(array(), d, side)),
                          detail::to_bytes(letter.data(), letter.size())});
    }
  }
  return messages;
}

std::vector<Message> Walk::forward(const std::vector<Message>& left_here) {
  std::vector<int> claimants;
  std::vector<std::byte> letters;
  for (const Message& message : left_here) {
    if (message.bytes.empty()) claimants.push_back(message.rank);
    letters.insert(letters.end(), message.bytes.begin(), message.bytes.end());
  }
  std::vector<Message> messages;
  seated_ = claimants.size() == 1;
  if (seated_) {
    learned_->rank_here = claimants.front();
    messages.push_back({claimants.front(), std::move(letters)});
  }
  for (const int claimant : claimants) {
    if (seated_) break;
    const Index other = claimants[claimant == claimants[0] ? 1 : 0];
    messages.push_back({claimant, detail::to_bytes(&other, 1)});
  }
  return messages;
}

void Walk::take_forwarded(const std::vector<Message>& forwarded) {
  const std::size_t letter_size = header + room_.edge_size();
  const Index seat = seat_along(array(), 0, 0);
  if (seat != comm_.rank())
    add("D20", -1, "proc_grid_rank",
        "coordinates " + coordinates_text(array()) + ", row-major number " + std::to_string(seat),
        "row-major order: coordinates whose number is the rank");
  for (int d = 0; d < array().ndim(); ++d) {
    if (array().dimension(d).grid().size > 1) continue;
    auto& alone = learned_->along[static_cast<std::size_t>(d)];
    alone.below = alone.above = comm_.rank();
    write_edge(d, room_.mine());
    compare_with_neighbour(d, comm_.rank(), room_.mine(), true);
    compare_with_neighbour(d, comm_.rank(), room_.mine(), false);
  }
  for (const Message& message : forwarded) {
    const auto words = detail::from_bytes<Index>(message.bytes);
    if (words.size() == 1) report_.add(double_seat(static_cast<int>(words[0])));
    for (std::size_t at = 0; words.size() > 1 && at < words.size(); at += letter_size) {
      const auto d = static_cast<int>(words[at + along]);
      const auto rank = static_cast<int>(words[at + sender]);
      const bool lower = words[at + is_below] == 1;
      auto& beside = learned_->along[static_cast<std::size_t>(d)];
      (lower ? beside.below : beside.above) = rank;
      compare_with_neighbour(d, rank, words.data() + at + header, lower);
    }
  }
}

/// D19.
Finding Walk::double_seat(int other) const {
  return error_finding(
      "D19", -1, "proc_grid_rank",
      "coordinates " + coordinates_text(array()) + ", also those of rank " + std::to_string(other),
      "coordinates of its own for each process");
}

/// Collective. Whether every place on the grid has one process; throws what a rank has failed by.
bool Walk::agree_on_seats() {
  agree(comm_, failure_.get());
  std::int64_t seated = seated_ ? 1 : 0;
  comm_->allreduce(&seated, 1, Reduction::min);
  return seated == 1;
}

}  // namespace daptor::validation
