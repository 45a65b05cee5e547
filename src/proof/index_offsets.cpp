// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>
#include <vector>

#include "daptor/adapter/routed.hpp"
#include "daptor/call.hpp"
#include "proof/bitmap.hpp"
#include "proof/index_counts.hpp"

namespace daptor::proof {
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
  OffsetCount(const IndexList& indices, Index global_size, Call& call)
      : indices_(indices),
        global_size_(global_size),
        call_(call),
        comm_(call.comm()),
        parts_(global_size, comm_.size()) {}

  /// Collective. `nullopt` if one rank would receive several times the length of its part.
  std::optional<Census> run() {
    std::optional<Keeper> keeper;
    std::vector<Message> counts = call_.check([&] {
      keeper.emplace(parts_.first(comm_.rank()), parts_.length());
      return count();
    });
    const auto announced = comm_->exchange(counts);
    Agreed<bool> fits;
    const auto sent = call_.check([&] {
      const bool crowd = crowded(announced);
      fits = call_.all(!crowd);
      return crowd ? std::vector<Message>() : fill(*keeper);
    });
    if (!fits) return std::nullopt;
    const auto received = comm_->exchange(sent);
    call_.check([&] {
      for (const Message& message : received) keeper->take(message);
    });
    return keeper->census();
  }

 private:
  bool inside(Index index) const { return proof::inside(index, global_size_); }

  /// Counts the indices that go to each rank: with one counter per rank if there are at least as
  /// many indices as ranks, otherwise along a sorted copy of the list. Returns the messages that
  /// announce the counts.
  std::vector<Message> count() {
    std::vector<Message> messages;
    const auto tell = [&](int rank, Index number) {
      counts_.push_back({rank, number});
      if (rank != comm_.rank()) messages.push_back({rank, adapter::to_bytes(&number, 1)});
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

  /// Whether this rank would receive several times the length of its part: the lists overlap.
  bool crowded(const std::vector<Message>& announced) const {
    Index incoming = 0;
    for (const Message& message : announced)
      incoming += adapter::from_bytes<Index>(message.bytes).front();
    return incoming > 4 * parts_.length();
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

  const IndexList& indices_;
  Index global_size_;
  Call& call_;
  const Comm& comm_;
  Parts parts_;
  // number of indices for each rank, sorted by rank, without zeros
  std::vector<std::pair<int, Index>> counts_;
};

}  // namespace

std::optional<Census> count_offsets(const IndexList& indices, Index global_size, Call& call) {
  return OffsetCount(indices, global_size, call).run();
}

}  // namespace daptor::proof
