// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/owned_part.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace daptor {

OwnedPart OwnedPart::run(IndexRange positions) {
  if (positions.empty()) return {0};
  OwnedPart part(positions.size());
  part.run_ = positions;
  return part;
}

OwnedPart OwnedPart::at(IndexList positions) {
  if (!std::is_sorted(positions.begin(), positions.end())) {
    std::vector<Index> sorted(positions.begin(), positions.end());
    std::sort(sorted.begin(), sorted.end());
    positions = IndexList(std::move(sorted));
  }
  const auto follows = [](Index before, Index next) { return next == before + 1; };
  const bool apart = std::adjacent_find(positions.begin(), positions.end(), std::not_fn(follows)) !=
                     positions.end();
  if (!apart && !positions.defect())
    return positions.empty() ? OwnedPart(0) : run({positions[0], positions[0] + positions.size()});
  OwnedPart part(positions.size());
  part.run_ = {};
  part.apart_ = apart;
  part.positions_ = std::move(positions);
  return part;
}

OwnedPart OwnedPart::where(const std::vector<bool>& mask) {
  std::vector<Index> positions;
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (mask[i]) positions.push_back(static_cast<Index>(i));
  return at(std::move(positions));
}

std::optional<Index> OwnedPart::number_at(Index position) const {
  if (!apart_) {
    if (!run_.contains(position)) return std::nullopt;
    return position - run_.start;
  }
  const Index* const found = std::lower_bound(positions_.begin(), positions_.end(), position);
  if (found == positions_.end() || *found != position) return std::nullopt;
  return found - positions_.begin();
}

IndexList OwnedPart::positions() const {
  if (apart_) return positions_;
  std::vector<Index> all(static_cast<std::size_t>(count_));
  std::iota(all.begin(), all.end(), run_.start);
  return IndexList(std::move(all));
}

std::vector<Index> OwnedPart::ghosts(Index extent) const {
  std::vector<Index> others;
  others.reserve(static_cast<std::size_t>(extent - count_));
  Index next = 0;
  const auto add_until = [&](Index stop) {
    while (next < stop) others.push_back(next++);
  };
  for_each_run([&](IndexRange owned) {
    add_until(owned.start);
    next = owned.stop;
  });
  add_until(extent);
  return others;
}

std::optional<Index> OwnedPart::wrong_position(Index extent) const {
  if (!apart_) {
    if (count_ <= 0) return std::nullopt;
    if (run_.start < 0) return run_.start;
    return run_.stop > extent ? std::optional(std::max(run_.start, extent)) : std::nullopt;
  }
  const auto twice = std::adjacent_find(positions_.begin(), positions_.end());
  if (twice != positions_.end()) return *twice;
  if (positions_[0] < 0) return positions_[0];
  const Index last = positions_[count_ - 1];
  return last >= extent ? std::optional(last) : std::nullopt;
}

}  // namespace daptor
