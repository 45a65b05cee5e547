// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include "daptor/adapter/routed.hpp"
#include "daptor/detail/fault.hpp"
#include "proof/index_directory.hpp"
#include "proof/walk.hpp"
#include "ranks/crossing.hpp"

namespace daptor::proof {
namespace {

/// Words before the edge in a letter: the sender's rank, the dimension, and whether the sender is
/// the lower neighbour.
enum Header : std::size_t { sender, along, is_below, header };

std::string coordinates_text(const Section& array) {
  std::string text = "(";
  for (int d = 0; d < array.ndim(); ++d)
    text += (d == 0 ? "" : ", ") + std::to_string(array.dimension(d).grid().rank);
  return text + ")";
}

}  // namespace

/// Collective, two exchanges, for ranks in any order on the grid. Each position on the grid has a
/// keeper: the rank equal to its row-major number. In the first exchange every rank reports to the
/// keeper of its position, and leaves letters for its neighbours at the keepers of their positions.
/// In the second exchange each keeper forwards the letters to the rank at the position, or, if
/// several ranks are there, tells each about another one.
///
/// Example: a grid of three in one dimension, on which ranks 0, 1, 2 have the grid ranks 1, 2, 0.
/// Rank 0 reports to rank 1, the keeper of position 1. Rank 2, at grid rank 0, and rank 1, at grid
/// rank 2, are its neighbours (around the end): each leaves a letter for position 1 at rank 1. Rank
/// 1 forwards both letters to rank 0, which then knows the edges of its neighbours, and that rank 2
/// is below it and rank 1 above.
void Walk::find_ranks_at_positions() {
  std::vector<Message> messages;
  attempt([&] {
    detail::fault_point("core.validate.positions");
    messages = letters_to_positions();
  });
  const auto left_here = comm_->exchange(messages);
  messages.clear();
  attempt([&] {
    detail::fault_point("core.validate.forward");
    messages = forward(left_here);
  });
  const auto forwarded = comm_->exchange(messages);
  attempt([&] {
    detail::fault_point("core.validate.placed");
    take_forwarded(forwarded);
  });
}

std::vector<Message> Walk::letters_to_positions() {
  std::vector<Message> messages{{static_cast<int>(detail::grid_number(array().dimensions())), {}}};
  std::vector<Index> letter(header + memory_.edge_size());
  for (int d = 0; d < array().ndim(); ++d) {
    if (array().dimension(d).grid().size == 1) continue;
    write_edge(d, letter.data() + header);
    letter[sender] = comm_.rank();
    letter[along] = d;
    for (const Index side : {-1, +1}) {
      letter[is_below] = side > 0 ? 1 : 0;
      messages.push_back({static_cast<int>(detail::grid_number(array().dimensions(), d, side)),
                          adapter::to_bytes(letter.data(), letter.size())});
    }
  }
  return messages;
}

std::vector<Message> Walk::forward(const std::vector<Message>& left_here) {
  std::vector<int> ranks;
  std::vector<std::byte> letters;
  for (const Message& message : left_here) {
    if (message.bytes.empty()) ranks.push_back(message.rank);
    letters.insert(letters.end(), message.bytes.begin(), message.bytes.end());
  }
  std::vector<Message> messages;
  placed_ = ranks.size() == 1;
  if (placed_) {
    learned_->rank_here = ranks.front();
    messages.push_back({ranks.front(), std::move(letters)});
  }
  for (const int rank : ranks) {
    if (placed_) break;
    const Index other = ranks[rank == ranks[0] ? 1 : 0];
    messages.push_back({rank, adapter::to_bytes(&other, 1)});
  }
  return messages;
}

void Walk::take_forwarded(const std::vector<Message>& forwarded) {
  const std::size_t letter_size = header + memory_.edge_size();
  const Index here = detail::grid_number(array().dimensions());
  if (here != comm_.rank())
    add_if_placed("D20", -1, "proc_grid_rank",
                  "coordinates " + coordinates_text(array()) + " with row-major number " +
                      std::to_string(here),
                  "ranks in row-major order on the process grid");
  for (int d = 0; d < array().ndim(); ++d) {
    if (array().dimension(d).grid().size > 1) continue;
    auto& alone = learned_->along[static_cast<std::size_t>(d)];
    alone.below = alone.above = comm_.rank();
    write_edge(d, memory_.mine());
    compare_with_neighbour(d, comm_.rank(), memory_.mine(), true);
    compare_with_neighbour(d, comm_.rank(), memory_.mine(), false);
  }
  for (const Message& message : forwarded) {
    const auto words = adapter::from_bytes<Index>(message.bytes);
    if (words.size() == 1) report_.add(shared_position(static_cast<int>(words[0])));
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

/// Collective. Whether no two ranks have the same position, as far as sums over all positions tell:
/// false only if two have. On few ranks it need not be known before `find_ranks_at_positions`, and
/// takes no communication.
bool Walk::positions_seem_distinct() const {
  constexpr Index most = Index{1} << 21;  // the sum of their squares fits in 64 bits
  const Index ranks = comm_.size();
  if (!detail::Crossing::used(comm_.size()) || ranks > most) return true;
  const Index here = detail::grid_number(array().dimensions());
  std::int64_t sums[] = {here, here * here};
  comm_->allreduce(sums, 2, Reduction::sum);
  const Index sum = ranks * (ranks - 1) / 2;
  const Index odd = 2 * ranks - 1;
  return sums[0] == sum && sums[1] == (sum % 3 == 0 ? sum / 3 * odd : odd / 3 * sum);
}

/// Collective. Makes the findings of ranks that share a position. They are asked for through
/// directories, because the keeper of a position that all ranks have would get a message from each
/// of them: one directory has the lowest rank at each position, another the lowest of the others.
void Walk::find_shared_positions() {
  std::vector<Index> here;
  call_.attempt([&] { here = {detail::grid_number(array().dimensions())}; });
  const auto directory = [&](bool mine) {
    return call_.check(
        [&] { return detail::IndexDirectory(mine ? IndexList(here) : IndexList(), comm_.rank()); });
  };
  const auto first = directory(true).find(call_, here);
  const auto lowest = static_cast<int>(first.at(0)->grid_rank);
  const auto second = directory(lowest != comm_.rank()).find(call_, here);
  attempt([&] {
    detail::fault_point("core.validate.shared_positions");
    if (lowest != comm_.rank())
      report_.add(shared_position(lowest));
    else if (second.at(0))
      report_.add(shared_position(static_cast<int>(second.at(0)->grid_rank)));
  });
  placed_ = false;
}

/// D19: this process and rank `other` have the same coordinates.
Finding Walk::shared_position(int other) const {
  return error_finding("D19", -1, "proc_grid_rank",
                       "coordinates " + coordinates_text(array()) + ", which rank " +
                           std::to_string(other) + " has too",
                       "different coordinates on each process");
}

/// Collective. Whether every position on the grid has exactly one process. If a rank has failed,
/// throws its failure on all ranks.
bool Walk::agree_on_positions() {
  const auto placed = call_.all(placed_);
  call_.check([&] {
    if (failure()) std::rethrow_exception(failure());
  });
  return placed;
}

}  // namespace daptor::proof
