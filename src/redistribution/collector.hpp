#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "transfer/region.hpp"

namespace daptor::detail {

/// Positions that one owner has, here and there, in the order in which they were asked for.
struct Piece {
  Selection here, there;
};

/// Where each owner's pieces are kept: grid ranks, of which a list asks for another each time, or
/// coordinates.
template <class Owner>
struct OwnerTable {
  using type = std::map<Owner, std::size_t>;
};
template <>
struct OwnerTable<Index> {
  using type = std::unordered_map<Index, std::size_t>;
};

/// Collects pieces by their owner.
template <class Owner>
class PieceCollector {
 public:
  void add(const Owner& owner, Index here, Index there, Index count) {
    if (collected_.empty() || collected_[last_].owner != owner) {
      last_ = numbers_.try_emplace(owner, collected_.size()).first->second;
      if (last_ == collected_.size()) collected_.push_back({owner, {}, {}});
    }
    append(collected_[last_].here, {here, count});
    append(collected_[last_].there, {there, count});
  }
  /// In order of the owners.
  std::vector<std::pair<Owner, Piece>> pieces() {
    std::sort(collected_.begin(), collected_.end(),
              [](const Collected& a, const Collected& b) { return a.owner < b.owner; });
    std::vector<std::pair<Owner, Piece>> all;
    for (Collected& each : collected_)
      all.push_back({each.owner,
                     {Selection::of(std::move(each.here)), Selection::of(std::move(each.there))}});
    return all;
  }

 private:
  struct Collected {
    Owner owner;
    std::vector<Stretch> here, there;
  };
  std::vector<Collected> collected_;
  std::size_t last_ = 0;
  typename OwnerTable<Owner>::type numbers_;
};

}  // namespace daptor::detail
