#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "transfer/region.hpp"

namespace daptor::detail {

/// Positions that one owner has, here and there, in the order in which they were asked for.
struct Piece {
  Selection here, there;
};

/// Collects pieces by their owner, of which one has many in a row.
template <class Owner>
class PieceCollector {
 public:
  void add(const Owner& owner, Index here, Index there, Index count) {
    if (last_ == nullptr || *last_owner_ != owner) {
      const auto at = by_owner_.try_emplace(owner).first;
      last_owner_ = &at->first;
      last_ = &at->second;
    }
    append(last_->here, {here, count});
    append(last_->there, {there, count});
  }
  /// In order of the owners.
  std::vector<std::pair<Owner, Piece>> pieces() {
    std::vector<std::pair<Owner, Piece>> all;
    for (auto& [owner, both] : by_owner_)
      all.push_back(
          {owner, {Selection::of(std::move(both.here)), Selection::of(std::move(both.there))}});
    by_owner_.clear();
    last_ = nullptr;
    return all;
  }

 private:
  struct Both {
    std::vector<Stretch> here, there;
  };
  std::map<Owner, Both> by_owner_;
  const Owner* last_owner_ = nullptr;
  Both* last_ = nullptr;
};

}  // namespace daptor::detail
