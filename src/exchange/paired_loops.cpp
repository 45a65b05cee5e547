// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/paired_loops.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

#include "exchange/crossed_copy.hpp"
#include "exchange/run_length.hpp"

namespace daptor::detail {
namespace {

using Steps = PairedLoops::Steps;

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

template <int Size>
void copy_line(const PairedLoops::Innermost& loops, const std::byte* from, std::byte* to) {
  const Steps& from_steps = loops.down->from;
  const Steps& to_steps = loops.down->to;
  const IndexRange part = loops.down_part;
  const bool cached = loops.stores == Stores::cached;
  const bool to_jumps = Size == 0 && cached && to_steps.stride != loops.run;
  const bool from_jumps = Size == 0 && !cached && from_steps.stride != loops.run;
  const auto copy_runs = [&](const auto& to_run, const auto& from_run) {
    for (Index i = part.start; i < part.stop; ++i) {
      if (to_jumps && i + 1 < part.stop) prefetch_for_writing(to + to_run(i + 1), loops.run);
      if (from_jumps && i + 1 < part.stop) prefetch_for_reading(from + from_run(i + 1), loops.run);
      if constexpr (Size > 0)
        std::memcpy(to + to_run(i), from + from_run(i), Size);
      else
        copy_run(to + to_run(i), from + from_run(i), loops.run, loops.stores);
    }
  };
  // The common case is compiled apart, so that it is a simple loop.
  if (from_steps.offsets.empty() && to_steps.offsets.empty())
    copy_runs([stride = to_steps.stride](Index i) { return i * stride; },
              [stride = from_steps.stride](Index i) { return i * stride; });
  else
    copy_runs([&](Index i) { return to_steps.offset(i); },
              [&](Index i) { return from_steps.offset(i); });
}

/// Copies runs of different lengths.
void copy_lengths(const PairedLoops::Innermost& loops, const std::byte* from, std::byte* to) {
  const Steps& to_steps = loops.down->to;
  const auto [start, stop] = loops.down_part;
  const bool cached = loops.stores == Stores::cached;
  for (Index i = start; i < stop; ++i) {
    if (cached && i + 1 < stop)
      prefetch_for_writing(to + to_steps.offset(i + 1), loops.lengths[i + 1]);
    copy_run(to + to_steps.offset(i), from + loops.down->from.offset(i), loops.lengths[i],
             loops.stores);
  }
}

PairedLoops::Kernel line_kernel(Index run) {
  return with_run_length(
      run, [](auto length) -> PairedLoops::Kernel { return copy_line<decltype(length)::value>; });
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
  constexpr Index portion_bytes = 1024 * 1024;
  const Loop& outermost = loops_.front();
  const Index wanted = std::max<Index>(1, portion_bytes / run_);
  if (crossed_ && loops_.size() == 2) {
    down_each_ = crossed_strip;
    each_ = std::max(crossed_edge, wanted / crossed_strip / crossed_edge * crossed_edge);
    down_portions_ = (loops_.back().count + down_each_ - 1) / down_each_;
  } else {
    Index inside = 1;
    for (std::size_t i = 1; i < loops_.size(); ++i) inside *= loops_[i].count;
    each_ = std::max<Index>(1, wanted / std::max<Index>(1, inside));
  }
  portions_ = (outermost.count + each_ - 1) / each_ * down_portions_;
}

void PairedLoops::copy(const std::byte* from, std::byte* to, Stores stores) const {
  for (Index i = 0; i < portions_; ++i) copy_portion(i, from, to, stores);
}

void PairedLoops::copy_portion(Index i, const std::byte* from, std::byte* to, Stores stores) const {
  const Loop& down = loops_.back();
  const Loop* const across = crossed_ ? &loops_[loops_.size() - 2] : nullptr;
  const auto part = [](Index k, Index each, const Loop& loop) {
    return IndexRange{k * each, std::min((k + 1) * each, loop.count)};
  };
  Innermost innermost{
      &down,           across, {0, down.count}, {0, across != nullptr ? across->count : 0},
      lengths_.data(), run_,   stores};
  const Index across_portions = portions_ / down_portions_;
  const IndexRange outermost = part(i % across_portions, each_, loops_.front());
  const std::size_t inner = crossed_ ? 2 : 1;
  if (loops_.size() == inner) {
    (crossed_ ? innermost.across_part : innermost.down_part) = outermost;
    if (crossed_) innermost.down_part = part(i / across_portions, down_each_, down);
  }
  const Kernel kernel = !lengths_.empty() ? copy_lengths
                        : crossed_        ? crossed_kernel(run_)
                                          : line_kernel(run_);
  descend(0, outermost, {innermost, kernel}, from + from_first_, to + to_first_);
  if (stores == Stores::streaming) finish_streaming();
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
