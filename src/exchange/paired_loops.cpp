// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/paired_loops.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

#include "exchange/run_length.hpp"

namespace daptor::detail {
namespace {

using Steps = PairedLoops::Steps;
using Loop = PairedLoops::Loop;

/// Reads a selection span by span.
class IndexSpanReader {
 public:
  explicit IndexSpanReader(const Selection& selection) : selection_(selection) {
    left_ = at().count;
  }

  Index left() const { return left_; }
  Index position() const { return at().start + at().count - left_; }
  void skip(Index count) {
    left_ -= count;
    if (left_ > 0 || selection_.is_range() || next_ + 1 == selection_.spans->size()) return;
    ++next_;
    left_ = at().count;
  }

 private:
  IndexSpan at() const {
    if (selection_.is_range()) return {selection_.start, selection_.count};
    return (*selection_.spans)[next_];
  }

  const Selection& selection_;
  std::size_t next_ = 0;
  Index left_ = 0;
};

std::size_t span_count(const Selection& selection) {
  return selection.is_range() ? 1 : selection.spans->size();
}

std::vector<PairedSpan> paired(const Selection& from, const Selection& to) {
  std::vector<PairedSpan> all;
  all.reserve(std::max(span_count(from), span_count(to)));
  IndexSpanReader here(from), there(to);
  for (Index left = from.count; left > 0; left -= all.back().count) {
    const Index count = std::min(here.left(), there.left());
    all.push_back({here.position(), there.position(), count});
    here.skip(count);
    there.skip(count);
  }
  return all;
}

/// Offsets of spans count from the array's first element, offsets of a range from the
/// first element of the range.
Steps steps(const Selection& selection, Index stride) {
  if (selection.is_range()) return {stride, {}};
  return {0, selection.spans->offsets(stride)};
}

/// Average distance in bytes from one iteration to the next.
Index distance(const Steps& steps, Index count) {
  if (count < 2) return std::numeric_limits<Index>::max();
  if (steps.offsets.empty()) return std::abs(steps.stride);
  return std::abs(steps.offset(count - 1) - steps.offset(0)) / (count - 1);
}

/// Copies `Size` bytes, or `run` bytes if `Size` is 0.
template <int Size>
void copy_one(std::byte* to, const std::byte* from, Index run) {
  std::memcpy(to, from, static_cast<std::size_t>(Size > 0 ? Size : run));
}

constexpr Index edge = 8;  // edge of a tile in elements: a cache line of doubles
// Tiles follow each other in strips of this height, so that pages stay in use.
constexpr Index strip = 256;

/// The offsets of a part of a loop.
template <Index Most>
struct PartOffsets {
  PartOffsets(const Steps& steps, Index start, Index count) {
    for (Index i = 0; i < count; ++i)
      offsets[static_cast<std::size_t>(i)] = steps.offset(start + i);
  }
  Index operator[](Index i) const { return offsets[static_cast<std::size_t>(i)]; }
  /// Whether `count` elements from position `start` are contiguous.
  bool dense(Index start, Index count, Index size) const {
    for (Index i = 1; i < count; ++i)
      if ((*this)[start + i] != (*this)[start] + i * size) return false;
    return true;
  }

  std::array<Index, static_cast<std::size_t>(Most)> offsets;
};

/// A part of a loop with its offsets on both sides.
template <Index Most>
struct PairedPart {
  PairedPart(const Loop& loop, Index start, Index stop)
      : count(std::min(Most, stop - start)),
        from(loop.from, start, count),
        to(loop.to, start, count) {}

  Index count;
  PartOffsets<Most> from, to;
};
using Down = PairedPart<strip>;
using Across = PairedPart<edge>;

template <int Size>
void copy_whole_tile(const Down& down, Index row, const Across& across, const std::byte* from,
                     std::byte* to) {
  const std::byte* const corner = from + across.from[0];
  for (Index b = 0; b < edge; ++b)
    for (Index a = 0; a < edge; ++a)
      std::memcpy(to + across.to[b] + down.to[row] + a * Size,
                  corner + down.from[row + a] + b * Size, Size);
}

/// Prefetches the next tile, because on both sides its lines are on different pages, which a
/// hardware prefetcher does not foresee.
void prefetch_tile(const Down& down, Index row, const Across& across, const std::byte* from,
                   std::byte* to) {
#ifdef __GNUC__
  for (Index a = 0; a < edge; ++a)
    __builtin_prefetch(from + across.from[0] + down.from[row + a], 0);
  for (Index b = 0; b < edge; ++b) __builtin_prefetch(to + across.to[b] + down.to[row], 1);
#endif
}

/// Copies a strip of tiles; `next` is the strip that follows it.
template <int Size>
void copy_tiles(const Down& down, const Across& across, const Across& next, Index run,
                const std::byte* from, std::byte* to) {
  const bool wide = Size > 0 && across.count == edge && across.from.dense(0, edge, Size);
  for (Index row = 0; row < down.count; row += edge) {
    if (wide && row + edge <= down.count && down.to.dense(row, edge, Size)) {
      if (next.count == edge) prefetch_tile(down, row, next, from, to);
      copy_whole_tile<Size>(down, row, across, from, to);
      continue;
    }
    const Index end = std::min(row + edge, down.count);
    for (Index b = 0; b < across.count; ++b)
      for (Index a = row; a < end; ++a)
        copy_one<Size>(to + across.to[b] + down.to[a], from + across.from[b] + down.from[a], run);
  }
}

template <int Size>
void copy_crossed(const PairedLoops::Innermost& loops, const std::byte* from, std::byte* to) {
  const IndexRange& across = loops.across_part;
  for (Index a = loops.down_part.start; a < loops.down_part.stop; a += strip) {
    const Down rows(*loops.down, a, loops.down_part.stop);
    Across now(*loops.across, across.start, across.stop);
    for (Index b = across.start; b < across.stop; b += edge) {
      const Across next(*loops.across, std::min(b + edge, across.stop), across.stop);
      copy_tiles<Size>(rows, now, next, loops.run, from, to);
      now = next;
    }
  }
}

template <int Size>
void copy_line(const PairedLoops::Innermost& loops, const std::byte* from, std::byte* to) {
  const Steps& from_steps = loops.down->from;
  const Steps& to_steps = loops.down->to;
  const auto [start, stop] = loops.down_part;
  const bool jumps = Size == 0 && to_steps.stride != loops.run;
  if (from_steps.offsets.empty() && to_steps.offsets.empty()) {
    for (Index i = start; i < stop; ++i) {
      if (jumps && i + 1 < stop) prefetch_for_writing(to + (i + 1) * to_steps.stride, loops.run);
      copy_one<Size>(to + i * to_steps.stride, from + i * from_steps.stride, loops.run);
    }
    return;
  }
  for (Index i = start; i < stop; ++i) {
    if (jumps && i + 1 < stop) prefetch_for_writing(to + to_steps.offset(i + 1), loops.run);
    copy_one<Size>(to + to_steps.offset(i), from + from_steps.offset(i), loops.run);
  }
}

template <int Size>
void copy_innermost(const PairedLoops::Innermost& loops, const std::byte* from, std::byte* to) {
  if (loops.across != nullptr)
    copy_crossed<Size>(loops, from, to);
  else
    copy_line<Size>(loops, from, to);
}

/// Copies runs of different lengths.
void copy_lengths(const PairedLoops::Innermost& loops, const std::byte* from, std::byte* to) {
  const Steps& to_steps = loops.down->to;
  const auto [start, stop] = loops.down_part;
  for (Index i = start; i < stop; ++i) {
    if (i + 1 < stop) prefetch_for_writing(to + to_steps.offset(i + 1), loops.lengths[i + 1]);
    std::memcpy(to + to_steps.offset(i), from + loops.down->from.offset(i),
                static_cast<std::size_t>(loops.lengths[i]));
  }
}

PairedLoops::Kernel kernel_for(Index run) {
  return with_run_length(run, [](auto length) -> PairedLoops::Kernel {
    return copy_innermost<decltype(length)::value>;
  });
}

}  // namespace

PairedLoops::PairedLoops(std::vector<Loop> loops, Index run) : loops_(std::move(loops)), run_(run) {
  arrange();
  divide();
}

PairedLoops::PairedLoops(const Region& from, const std::vector<Index>& from_strides,
                         const Region& to, const std::vector<Index>& to_strides,
                         std::size_t itemsize)
    : run_(static_cast<Index>(itemsize)) {
  if (from.count() > 0) {
    for (auto d = from.order.rbegin(); d != from.order.rend(); ++d) {
      const auto i = static_cast<std::size_t>(*d);
      add(from.along[i], from_strides[i], to.along[i], to_strides[i]);
    }
    std::reverse(loops_.begin(), loops_.end());
  }
  arrange();
  if (from.count() > 0) divide();
}

/// Adds a dimension around those that were added before: as another loop, or by making the run, or
/// the outermost loop so far, longer.
void PairedLoops::add(const Selection& from, Index from_stride, const Selection& to,
                      Index to_stride) {
  const bool goes_on = loops_.empty() && from_stride == run_ && to_stride == run_;
  const bool ranges = from.is_range() && to.is_range();
  const auto most = static_cast<Index>(std::max(span_count(from), span_count(to)));
  if (goes_on && !ranges && from.count * run_ >= cache_line * most)
    return add_runs(paired(from, to));
  if (from.is_range()) from_first_ += from.start * from_stride;
  if (to.is_range()) to_first_ += to.start * to_stride;
  if (from.count == 1) return;
  if (ranges && goes_on)
    run_ *= from.count;
  else if (ranges && extends(from_stride, to_stride))
    loops_.back().count *= from.count;
  else
    loops_.push_back({from.count, steps(from, from_stride), steps(to, to_stride)});
}

bool PairedLoops::extends(Index from_stride, Index to_stride) const {
  if (loops_.empty() || !lengths_.empty()) return false;
  const Loop& last = loops_.back();
  return last.from.offsets.empty() && last.to.offsets.empty() &&
         last.count * last.from.stride == from_stride && last.count * last.to.stride == to_stride;
}

/// Adds a dimension that is contiguous on both sides.
void PairedLoops::add_runs(const std::vector<PairedSpan>& spans) {
  std::vector<Index> from, to;
  for (const PairedSpan& span : spans) {
    from.push_back(span.from * run_);
    to.push_back(span.to * run_);
    lengths_.push_back(span.count * run_);
  }
  loops_.push_back({static_cast<Index>(spans.size()),
                    {0, Offsets(std::move(from))},
                    {0, Offsets(std::move(to))}});
  const auto [shortest, longest] = std::minmax_element(lengths_.begin(), lengths_.end());
  if (*shortest != *longest) return;
  run_ = *shortest;
  lengths_.clear();
}

/// Makes the loop along the memory of `to` the innermost, and the loop along the memory of `from`
/// the one around it, if runs are short enough for the order to matter.
void PairedLoops::arrange() {
  if (loops_.empty()) loops_.push_back({});
  // If runs are at least as long as a cache line, their order matters little.
  if (!lengths_.empty() || run_ >= cache_line) return;
  const auto move_to = [this](auto loop, std::size_t behind) {
    std::rotate(loop, loop + 1, loops_.end() - static_cast<std::ptrdiff_t>(behind));
  };
  const auto nearest = [this](Steps Loop::*side) {
    return std::min_element(loops_.begin(), loops_.end(), [side](const Loop& a, const Loop& b) {
      return distance(a.*side, a.count) < distance(b.*side, b.count);
    });
  };
  move_to(nearest(&Loop::to), 0);
  const auto across = nearest(&Loop::from);
  crossed_ = across != loops_.end() - 1 && distance(across->from, across->count) <
                                               distance(loops_.back().from, loops_.back().count);
  if (crossed_) move_to(across, 1);
}

/// Divides the copy into portions, each of some iterations of the outermost loop or, if there are
/// only two loops and they cross, of some iterations of each of them.
void PairedLoops::divide() {
  constexpr Index portion_bytes = 512 * 1024;
  const Loop& outermost = loops_.front();
  const Index wanted = std::max<Index>(1, portion_bytes / run_);
  if (crossed_ && loops_.size() == 2) {
    down_each_ = strip;
    each_ = std::max(edge, wanted / strip / edge * edge);
    down_portions_ = (loops_.back().count + down_each_ - 1) / down_each_;
  } else {
    Index inside = 1;
    for (std::size_t i = 1; i < loops_.size(); ++i) inside *= loops_[i].count;
    each_ = std::max<Index>(1, wanted / std::max<Index>(1, inside));
  }
  portions_ = (outermost.count + each_ - 1) / each_ * down_portions_;
}

void PairedLoops::copy(const std::byte* from, std::byte* to) const {
  for (Index i = 0; i < portions_; ++i) copy_portion(i, from, to);
}

void PairedLoops::copy_portion(Index i, const std::byte* from, std::byte* to) const {
  const Loop& down = loops_.back();
  const Loop* const across = crossed_ ? &loops_[loops_.size() - 2] : nullptr;
  const auto part = [](Index k, Index each, const Loop& loop) {
    return IndexRange{k * each, std::min((k + 1) * each, loop.count)};
  };
  Innermost innermost{&down,           across,
                      {0, down.count}, {0, across != nullptr ? across->count : 0},
                      lengths_.data(), run_};
  const IndexRange outermost = part(i / down_portions_, each_, loops_.front());
  const std::size_t inner = crossed_ ? 2 : 1;
  if (loops_.size() == inner) {
    (crossed_ ? innermost.across_part : innermost.down_part) = outermost;
    if (crossed_) innermost.down_part = part(i % down_portions_, down_each_, down);
  }
  const Kernel kernel = lengths_.empty() ? kernel_for(run_) : copy_lengths;
  descend(0, outermost, {innermost, kernel}, from + from_first_, to + to_first_);
}

void PairedLoops::descend(std::size_t depth, IndexRange part, const Work& work,
                          const std::byte* from, std::byte* to) const {
  if (depth + (crossed_ ? 2 : 1) == loops_.size()) return work.kernel(work.innermost, from, to);
  const Loop& loop = loops_[depth];
  const IndexRange all{0, loops_[depth + 1].count};
  for (Index i = part.start; i < part.stop; ++i)
    descend(depth + 1, all, work, from + loop.from.offset(i), to + loop.to.offset(i));
}

}  // namespace daptor::detail
