// SPDX-License-Identifier: BSD-3-Clause
#include "show/line.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "daptor/error.hpp"
#include "daptor/local_index_map.hpp"

namespace daptor::show {
namespace {

constexpr Index furthest = Index{1} << 61;

/// Consecutive global indices that are owned by the same grid ranks.
struct Segment {
  IndexRange globals;
  Holders holders;
};

/// An index at which a grid rank's ownership begins or ends.
struct Event {
  Index at = 0;
  bool begins = false;
  Index grid_rank = 0;
};

Holders holders_of(const std::multiset<Index>& present) {
  return {present.empty() ? 0 : *present.begin(), static_cast<Index>(present.size())};
}

/// The owned ranges, in order and without overlap. Indices that no grid rank owns are left out.
std::vector<Segment> segments_of(std::vector<Event> events) {
  std::sort(events.begin(), events.end(),
            [](const Event& a, const Event& b) { return a.at < b.at; });
  std::vector<Segment> segments;
  std::multiset<Index> present;
  Index since = 0;
  for (std::size_t i = 0; i < events.size();) {
    const Index at = events[i].at;
    const Holders before = holders_of(present);
    for (; i < events.size() && events[i].at == at; ++i) {
      if (events[i].begins)
        present.insert(events[i].grid_rank);
      else
        present.erase(present.find(events[i].grid_rank));
    }
    if (holders_of(present) == before) continue;
    if (before.count > 0) segments.push_back({{since, at}, before});
    since = at;
  }
  return segments;
}

/// The line of an undistributed, block or unstructured dimension.
class SegmentLine final : public Line {
 public:
  SegmentLine(Index size, std::vector<Segment> segments, Padding boundary)
      : segments_(std::move(segments)), globals_{0, size} {
    if (!segments_.empty()) {
      globals_.start = std::min(globals_.start, segments_.front().globals.start);
      globals_.stop = std::max(globals_.stop, segments_.back().globals.stop);
    }
    inner_ = {boundary.lower, std::max(size - boundary.upper, boundary.lower)};
    if (boundary == Padding{}) inner_ = globals_;
  }

  Index extent() const override { return globals_.size(); }
  Index global_of(Index position) const override { return globals_.start + position; }
  std::optional<Index> position_of(Index global) const override {
    if (!globals_.contains(global)) return std::nullopt;
    return global - globals_.start;
  }

  Stretch at(Index position) const override {
    const Index global = global_of(position);
    auto next = std::upper_bound(
        segments_.begin(), segments_.end(), global,
        [](Index value, const Segment& segment) { return value < segment.globals.start; });
    IndexRange around = globals_;
    Stretch found;
    if (next != segments_.end()) around.stop = next->globals.start;
    if (next != segments_.begin()) {
      const Segment& before = *std::prev(next);
      if (before.globals.contains(global)) {
        around = before.globals;
        found.holders = before.holders;
      } else {
        around.start = before.globals.stop;
      }
    }
    const IndexRange zones[] = {
        {globals_.start, inner_.start}, inner_, {inner_.stop, globals_.stop}};
    for (const IndexRange& zone : zones)
      if (zone.contains(global)) around = intersect(around, zone);
    if (!inner_.contains(global)) found.part = Part::boundary;
    found.positions = {around.start - globals_.start, around.stop - globals_.start};
    return found;
  }

 private:
  std::vector<Segment> segments_;
  IndexRange globals_;
  IndexRange inner_;  // without boundary padding
};

class CyclicLine final : public Line {
 public:
  /// `dealt[k]` holds the blocks k, k + grid size, …; -1: not recorded.
  CyclicLine(Index size, Index block_size, std::vector<Index> dealt)
      : size_(size), block_size_(block_size), dealt_(std::move(dealt)) {}

  Index extent() const override { return size_; }
  Index global_of(Index position) const override { return position; }
  std::optional<Index> position_of(Index global) const override {
    if (global < 0 || global >= size_) return std::nullopt;
    return global;
  }

  Stretch at(Index position) const override {
    Stretch found;
    const Index place = position / block_size_ % static_cast<Index>(dealt_.size());
    const Index holder = dealt_[static_cast<std::size_t>(place)];
    if (holder >= 0) found.holders = {holder, 1};
    const Index start = position - position % block_size_;
    found.positions = {start, size_ - start > block_size_ ? start + block_size_ : size_};
    if (dealt_.size() == 1) found.positions = {0, size_};
    return found;
  }

 private:
  Index size_;
  Index block_size_;
  std::vector<Index> dealt_;
};

void require_near(const char* key, Index global) {
  if (-furthest <= global && global <= furthest) return;
  throw NotRepresentable(
      error_finding("show.range", -1, key, std::string(key) + " with " + std::to_string(global),
                    "indices that are not beyond 2^61",
                    "Draw a part of the array whose indices are closer together."));
}

std::shared_ptr<const Line> cyclic_line(const Cyclic& any, Index size,
                                        const std::vector<const Dimension*>& by_grid_rank) {
  std::vector<Index> dealt(by_grid_rank.size(), -1);
  for (std::size_t i = 0; i < by_grid_rank.size(); ++i) {
    if (by_grid_rank[i] == nullptr || by_grid_rank[i]->owned_count() == 0) continue;
    const Cyclic& cyclic = *by_grid_rank[i]->as<Cyclic>();
    const auto place = static_cast<std::size_t>(cyclic.start / cyclic.block_size);
    if (place < dealt.size()) dealt[place] = static_cast<Index>(i);
  }
  return std::make_shared<CyclicLine>(size, any.block_size, std::move(dealt));
}

}  // namespace

std::shared_ptr<const Line> unit_line() {
  return std::make_shared<SegmentLine>(1, std::vector<Segment>{{{0, 1}, {0, 1}}}, Padding{});
}

std::shared_ptr<const Line> whole_line(const std::vector<const Dimension*>& by_grid_rank) {
  const auto known = std::find_if(by_grid_rank.begin(), by_grid_rank.end(),
                                  [](const Dimension* dimension) { return dimension != nullptr; });
  const Dimension& any = **known;
  if (const auto* cyclic = any.as<Cyclic>())
    return cyclic_line(*cyclic, any.global_size(), by_grid_rank);

  if (any.as<Unstructured>() != nullptr) require_near("size", any.global_size());
  std::vector<Event> events;
  Padding boundary;
  for (std::size_t i = 0; i < by_grid_rank.size(); ++i) {
    if (by_grid_rank[i] == nullptr || by_grid_rank[i]->owned_count() == 0) continue;
    const Dimension& dimension = *by_grid_rank[i];
    if (const auto* list = dimension.as<Unstructured>())
      for (Index index : list->indices) require_near("indices", index);
    LocalDimensionMap(dimension).for_each_run([&](const IndexRun& run) {
      if (run.count == 0) return;
      events.push_back({run.global_start, true, static_cast<Index>(i)});
      events.push_back({run.global_start + run.count, false, static_cast<Index>(i)});
    });
    const Padding padding = dimension.boundary_padding();
    const Index most = dimension.owned_count();
    boundary.lower = std::max(boundary.lower, std::min(padding.lower, most));
    boundary.upper = std::max(boundary.upper, std::min(padding.upper, most));
  }
  return std::make_shared<SegmentLine>(any.global_size(), segments_of(std::move(events)), boundary);
}

std::optional<std::vector<Stretch>> stretches(const Line& line, std::size_t most) {
  std::vector<Stretch> all;
  for (Index at = 0; at < line.extent(); at = all.back().positions.stop) {
    if (all.size() == most) return std::nullopt;
    all.push_back(line.at(at));
  }
  return all;
}

}  // namespace daptor::show
