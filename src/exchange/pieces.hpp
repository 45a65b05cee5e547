// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "exchange/sharing.hpp"

namespace daptor::detail {

/// Positions along one dimension that one owner has, in the order in which they were requested.
template <class Owner>
struct PieceOf {
  Owner owner;
  Selection here;    ///< local indices, including communication padding
  Selection there;   ///< positions among the owner's owned indices
  bool own = false;  ///< this process owns the piece, so the piece is not a copy
};
/// A piece whose owner is given by its grid rank.
using Piece = PieceOf<Index>;

/// Boxes of elements with one owner each: all products of one piece per dimension that `keep`
/// accepts. The order of their regions is not set yet.
template <class Keep>
std::vector<Wanted> products(const std::vector<const std::vector<Piece>*>& along,
                             const Keep& keep) {
  std::vector<Wanted> boxes;
  std::vector<const Piece*> chosen(along.size());
  const auto descend = [&](const auto& self, std::size_t d) -> void {
    if (d < along.size()) {
      for (const Piece& piece : *along[d]) {
        chosen[d] = &piece;
        self(self, d + 1);
      }
    } else if (keep(chosen)) {
      Wanted& box = boxes.emplace_back();
      for (const Piece* piece : chosen) {
        box.owner.push_back(piece->owner);
        box.here.along.push_back(piece->here);
        box.there.push_back(piece->there);
      }
    }
  };
  descend(descend, 0);
  return boxes;
}

/// Collects pieces by owner.
template <class Owner>
class PieceCollector {
 public:
  PieceCollector() = default;
  /// `expected` is about how many indices an owner has.
  explicit PieceCollector(Index expected) : expected_(static_cast<std::size_t>(expected)) {}

  /// The number by which `add` refers to this owner.
  std::size_t number_of(const Owner& owner) {
    const std::size_t number = numbers_.try_emplace(owner, collected_.size()).first->second;
    if (number == collected_.size()) collected_.push_back({owner, {}, {}, 0, -1, -1});
    return number;
  }
  void add(std::size_t number, Index here, Index there, Index count) {
    Collected& to = collected_[number];
    // This is a list of single indices: reserve its memory at once instead of growing it
    // repeatedly.
    if (++to.added == scattered && to.here.single()) {
      to.here.reserve(expected_ + expected_ / 8);
      to.there.reserve(expected_ + expected_ / 8);
    }
    if (to.next_here == here && to.next_there == there) {
      to.here.lengthen_last(count);
      to.there.lengthen_last(count);
    } else {
      to.here.push({here, count});
      to.there.push({there, count});
    }
    to.next_here = here + count;
    to.next_there = there + count;
  }
  /// Sorted by owner.
  std::vector<PieceOf<Owner>> pieces() {
    std::vector<PieceOf<Owner>> all;
    for (const auto& [owner, number] : numbers_) {
      Collected& each = collected_[number];
      all.push_back({owner, Selection::of(std::move(each.here).merged()),
                     Selection::of(std::move(each.there).merged())});
    }
    return all;
  }

 private:
  struct Collected {
    Owner owner;
    IndexSpans here, there;
    std::size_t added;
    Index next_here, next_there;
  };
  static constexpr std::size_t scattered = 256;

  std::size_t expected_ = 0;
  std::vector<Collected> collected_;
  std::map<Owner, std::size_t> numbers_;
};

}  // namespace daptor::detail
