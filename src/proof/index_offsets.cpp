// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>
#include <vector>

#include "communication/routed.hpp"
#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "proof/bitmap.hpp"
#include "proof/index_counts.hpp"

namespace daptor::validation {
namespace {

/// Offsets are sent as 32-bit numbers.
using Offset = std::uint32_t;
/// Maximum number of offsets in a message: transports count its bytes in 31 bits.
constexpr std::size_t message_limit = std::size_t{1} << 28;

/// The bitmap of the part of the range that this rank keeps.
class Keeper {
 public:
  Keeper(Index first, Index length) : first_(first), length_(length), seen_(length) {}

  void take(Offset offset) {
    if (!seen_.set(offset)) {
      ++census_.distinct;
      return;
    }
    if (!twice_) twice_.emplace(length_);
    if (twice_->set(offset)) return;
    ++census_.duplicated;
    const Index index = first_ + static_cast<Index>(offset);
    census_.lowest_twice = std::min(census_.lowest_twice.value_or(index), index);
  }
  void take(const Message& message) {
    for (std::size_t at = 0; at < message.bytes.size(); at += sizeof(Offset)) {
      Offset offset = 0;
      std::memcpy(&offset, message.bytes.data() + at, sizeof(offset));
      take(offset);
    }
  }
  const Census& census() const { return census_; }

 private:
  Index first_, length_;
  Bitmap seen_;
  std::optional<Bitmap> twice_;  // allocated for the first duplicate
  Census census_;
};

/// Offsets that are sent to one rank, in as many messages as they need.
class Outbox {
 public:
  Outbox(int rank, std::size_t count) : rank_(rank), left_(count) {}

  void put(Offset offset) {
    if (position_ == end_) open();
    std::memcpy(position_, &offset, sizeof(offset));
    position_ += sizeof(offset);
  }
  void move_to(std::vector<Message>& messages) {
    for (Message& message : messages_) messages.push_back(std::move(message));
  }

 private:
  void open() {
    const std::size_t count = std::min(left_, message_limit);
    left_ -= count;
    messages_.push_back({rank_, std::vector<std::byte>(count * sizeof(Offset))});
    position_ = messages_.back().bytes.data();
    end_ = position_ + count * sizeof(Offset);
  }

  int rank_;
  std::size_t left_;
  std::vector<Message> messages_;
  std::byte* position_ = nullptr;
  std::byte* end_ = nullptr;
};

/// Counts the lists of one dimension in a bitmap that is divided over the ranks.
class OffsetCount {
 public:
  OffsetCount(const IndexList& indices, Index global_size, const Comm& comm)
      : indices_(indices),
        global_size_(global_size),
        comm_(comm),
        parts_(global_size, comm.size()) {}

  /// Collective.
  Census run() {
    std::optional<Keeper> keeper;
    std::vector<Message> counts = agreed(comm_, [&] {
      detail::fault_point("core.validate.index_counts");
      keeper.emplace(parts_.first(comm_.rank()), parts_.length());
      return count();
    });
    const std::int64_t rounds = agree_on_rounds(comm_->exchange(counts));
    std::vector<Index> sorted;
    for (std::int64_t round = 0; round < rounds; ++round) {
      const auto sent = agreed(comm_, [&] {
        detail::fault_point("core.validate.index_offsets");
        if (rounds == 1) return fill(*keeper);
        if (sorted.empty()) sorted = sorted_copy();
        return fill_window(sorted, round, rounds, *keeper);
      });
      const auto received = comm_->exchange(sent);
      agreed(comm_, [&] {
        for (const Message& message : received) keeper->take(message);
      });
    }
    return keeper->census();
  }

 private:
  bool inside(Index index) const { return validation::inside(index, global_size_); }

  /// Counts the indices that go to each rank: with one counter per rank if there are at least as
  /// many indices as ranks, otherwise along a sorted copy of the list. Returns the messages that
  /// announce the counts.
  std::vector<Message> count() {
    std::vector<Message> messages;
    const auto tell = [&](int rank, Index number) {
      counts_.push_back({rank, number});
      if (rank != comm_.rank()) messages.push_back({rank, detail::to_bytes(&number, 1)});
    };
    if (indices_.size() >= comm_.size()) {
      std::vector<Index> by_rank(static_cast<std::size_t>(comm_.size()));
      for (const Index index : indices_)
        if (inside(index)) ++by_rank[static_cast<std::size_t>(parts_.part_of(index))];
      for (std::size_t rank = 0; rank < by_rank.size(); ++rank)
        if (by_rank[rank] > 0) tell(static_cast<int>(rank), by_rank[rank]);
      return messages;
    }
    const std::vector<Index> sorted = sorted_copy();
    for (auto at = sorted.begin(); at != sorted.end();) {
      const int part = parts_.part_of(*at);
      const auto end = std::lower_bound(at, sorted.end(), parts_.first(part) + parts_.length());
      tell(part, end - at);
      at = end;
    }
    return messages;
  }

  /// The number of rounds is 1, unless a rank would receive several times the length of its part.
  /// In that case the parts are processed in as many windows as there are ranks that send to one
  /// keeper: a list has each index once, so what a keeper receives in a round is no longer than its
  /// part.
  std::int64_t agree_on_rounds(const std::vector<Message>& received) const {
    Index incoming = 0;
    for (const Message& message : received)
      incoming += detail::from_bytes<Index>(message.bytes).front();
    const bool crowded = incoming > 4 * parts_.length();
    auto rounds = crowded ? static_cast<std::int64_t>(received.size()) : std::int64_t{1};
    comm_->allreduce(&rounds, 1, Reduction::max);
    return rounds;
  }

  std::vector<Index> sorted_copy() const {
    std::vector<Index> sorted;
    sorted.reserve(static_cast<std::size_t>(indices_.size()));
    std::copy_if(indices_.begin(), indices_.end(), std::back_inserter(sorted),
                 [this](Index index) { return inside(index); });
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  }

  std::vector<Message> fill(Keeper& keeper) const {
    std::vector<Outbox> boxes;
    for (const auto& [rank, number] : counts_)
      boxes.emplace_back(rank, static_cast<std::size_t>(number));
    std::vector<Message> messages;
    // Boxes are sorted by rank; if there is one for each rank, the rank is its position.
    const bool dense = static_cast<int>(boxes.size()) == comm_.size();
    for (const Index index : indices_) {
      if (!inside(index)) continue;
      const int part = parts_.part_of(index);
      const auto offset = static_cast<Offset>(index - parts_.first(part));
      if (part == comm_.rank()) {
        keeper.take(offset);
      } else {
        boxes[dense ? static_cast<std::size_t>(part) : box_of(part)].put(offset);
      }
    }
    for (Outbox& box : boxes) box.move_to(messages);
    return messages;
  }

  std::size_t box_of(int part) const {
    const auto at =
        std::lower_bound(counts_.begin(), counts_.end(), part,
                         [](const auto& count, int rank) { return count.first < rank; });
    return static_cast<std::size_t>(at - counts_.begin());
  }

  std::vector<Message> fill_window(const std::vector<Index>& sorted, std::int64_t round,
                                   std::int64_t rounds, Keeper& keeper) const {
    const IndexRange window = even_block(parts_.length(), {rounds, round});
    std::vector<Message> messages;
    for (const auto& [rank, number] : counts_) {
      const Index first = parts_.first(rank);
      const auto begin = std::lower_bound(sorted.begin(), sorted.end(), first + window.start);
      const auto end = std::lower_bound(begin, sorted.end(), first + window.stop);
      Outbox box(rank, static_cast<std::size_t>(end - begin));
      for (auto at = begin; at != end; ++at) {
        const auto offset = static_cast<Offset>(*at - first);
        if (rank == comm_.rank()) {
          keeper.take(offset);
        } else {
          box.put(offset);
        }
      }
      box.move_to(messages);
    }
    return messages;
  }

  const IndexList& indices_;
  Index global_size_;
  const Comm& comm_;
  Parts parts_;
  // number of indices for each rank, sorted by rank, without zeros
  std::vector<std::pair<int, Index>> counts_;
};

}  // namespace

Census count_offsets(const IndexList& indices, Index global_size, const Comm& comm) {
  return OffsetCount(indices, global_size, comm).run();
}

}  // namespace daptor::validation
