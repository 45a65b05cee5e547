// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>

#include "daptor/local_index_map.hpp"
#include "show/line.hpp"

namespace daptor::show {
namespace {

class SectionLine final : public Line {
 public:
  SectionLine(const Dimension& dimension, std::shared_ptr<const Line> whole)
      : map_(dimension), whole_(std::move(whole)), grid_rank_(dimension.grid().rank) {
    const Index first = map_.owned_offset();
    owned_ = {first, first + map_.owned_count()};
    const Padding boundary = dimension.boundary_padding();
    inner_ = {first + std::min(boundary.lower, map_.owned_count()), 0};
    inner_.stop = std::max(owned_.stop - boundary.upper, inner_.start);
    if (dimension.as<Unstructured>() != nullptr)
      map_.for_each_run([&](const IndexRun& run) {
        runs_.push_back({run.local_start, run.local_start + run.count});
      });
    // Throws for padding beyond the end of the dimension, before drawing begins.
    if (map_.local_extent() > 0) {
      map_.global_of(0);
      map_.global_of(map_.local_extent() - 1);
    }
  }

  Index extent() const override { return map_.local_extent(); }
  Index global_of(Index position) const override { return map_.global_of(position); }
  std::optional<Index> position_of(Index global) const override {
    if (const auto local = map_.local_of(global)) return local;
    if (map_.dimension().as<Unstructured>() != nullptr) return ghost_of(global);
    for (const IndexRange padding :
         {IndexRange{0, owned_.start}, IndexRange{owned_.stop, extent()}})
      if (const auto local = in_padding(padding, global)) return local;
    return std::nullopt;
  }

  Stretch at(Index position) const override {
    Stretch found = map_.is_owned(position) ? owned_at(position) : padding_at(position);
    const Index start = found.positions.start;
    found.joined = start == 0 || global_of(start - 1) + 1 == global_of(start);
    return found;
  }

 private:
  /// The run that contains a position.
  IndexRange run_at(Index position) const {
    const auto* cyclic = map_.dimension().as<Cyclic>();
    if (cyclic == nullptr || cyclic->grid.size == 1) return owned_;
    const IndexRun run = map_.run(position / cyclic->block_size);
    return {run.local_start, run.local_start + run.count};
  }

  Stretch owned_at(Index position) const {
    Stretch found;
    found.holders = {grid_rank_, 1};
    if (map_.dimension().as<Unstructured>() != nullptr) {
      found.positions = *std::prev(
          std::upper_bound(runs_.begin(), runs_.end(), position,
                           [](Index value, const IndexRange& run) { return value < run.start; }));
      return found;
    }
    found.positions = run_at(position);
    for (const IndexRange zone :
         {IndexRange{owned_.start, inner_.start}, inner_, IndexRange{inner_.stop, owned_.stop}})
      if (zone.contains(position)) found.positions = intersect(found.positions, zone);
    if (!inner_.contains(position)) found.part = Part::boundary;
    return found;
  }

  /// A stretch of padding ends with the padding itself, with the range of its owner, and with the
  /// array where a periodic dimension wraps around.
  Stretch padding_at(Index position) const {
    const IndexRange padding =
        position < owned_.start ? IndexRange{0, owned_.start} : IndexRange{owned_.stop, extent()};
    const Index global = global_of(position);
    Stretch found;
    found.part = Part::communication;
    const auto in_whole = whole_->position_of(global);
    if (!in_whole || map_.dimension().as<Unstructured>() != nullptr) {
      // The ghosts of a list need not follow one another.
      found.positions = {position, position + 1};
      if (in_whole) found.holders = whole_->at(*in_whole).holders;
      return found;
    }
    const Stretch source = whole_->at(*in_whole);
    const Index before = global - whole_->global_of(source.positions.start);
    const Index after = source.positions.size() - before;
    found.holders = source.holders;
    found.positions = {std::max(padding.start, position - before),
                       position + std::min(padding.stop - position, after)};
    return found;
  }

  /// The first ghost of a list with this index.
  std::optional<Index> ghost_of(Index global) const {
    for (Index position = 0; position < extent(); ++position)
      if (global_of(position) == global && !map_.is_owned(position)) return position;
    return std::nullopt;
  }

  std::optional<Index> in_padding(IndexRange padding, Index global) const {
    const Index size = map_.global_size();
    if (padding.empty() || global < 0 || global >= size) return std::nullopt;
    const Index first = global_of(padding.start);
    // Padding may wrap around a periodic dimension more than once. The first copy counts.
    const Index distance = global >= first ? global - first : size - (first - global);
    if (distance >= padding.size()) return std::nullopt;
    return padding.start + distance;
  }

  LocalDimensionMap map_;
  std::shared_ptr<const Line> whole_;
  Index grid_rank_;
  IndexRange owned_;              // local indices, unless the dimension is a list
  IndexRange inner_;              // the same without boundary padding
  std::vector<IndexRange> runs_;  // of owned local indices of a list
};

}  // namespace

std::shared_ptr<const Line> section_line(const Dimension& dimension,
                                         std::shared_ptr<const Line> whole) {
  return std::make_shared<SectionLine>(dimension, std::move(whole));
}

}  // namespace daptor::show
