// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/region.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "exchange/paired_loops.hpp"
#include "exchange/run_length.hpp"

namespace daptor::detail {

void IndexSpans::add_span(IndexSpan more) {
  if (more.count == 0) return;
  if (!empty()) {
    const IndexSpan last = (*this)[size() - 1];
    if (last.start + last.count == more.start) {
      if (counts_.empty()) counts_.assign(size(), 1);
      counts_.back() += more.count;
      return;
    }
  }
  push(more);
}

/// Records the counts of all spans so far, which were single indices, before the first
/// longer one.
void IndexSpans::push_count(Index count) {
  if (counts_.empty()) {
    counts_.reserve(starts_.capacity());
    counts_.assign(size(), 1);
  }
  counts_.push_back(count);
}

IndexSpans IndexSpans::merged() && {
  constexpr std::size_t worth = 4;
  std::size_t left = size();
  for (std::size_t i = 1; i < size(); ++i)
    if ((*this)[i - 1].start + (*this)[i - 1].count == starts_[i]) --left;
  if (left > 1 && left * worth > size()) return std::move(*this);
  IndexSpans shorter;
  for (std::size_t i = 0; i < size(); ++i) {
    const bool goes_on = i > 0 && (*this)[i - 1].start + (*this)[i - 1].count == starts_[i];
    if (goes_on)
      shorter.lengthen_last((*this)[i].count);
    else
      shorter.push((*this)[i]);
  }
  return shorter;
}

IndexSpans IndexSpans::slice(std::size_t start, std::size_t count) const {
  IndexSpans part;
  const auto first = starts_.begin() + static_cast<std::ptrdiff_t>(start);
  part.starts_.assign(first, first + static_cast<std::ptrdiff_t>(count));
  return part;
}

Index IndexSpans::count() const {
  if (single()) return static_cast<Index>(size());
  return std::accumulate(counts_.begin(), counts_.end(), Index{0});
}

const Offsets& IndexSpans::offsets(Index stride) const {
  if (!offsets_.empty() && stride_ == stride) return offsets_;
  std::vector<Index> list;
  list.reserve(static_cast<std::size_t>(count()));
  if (single())
    for (const Index start : starts_) list.push_back(start * stride);
  else
    for_each([&](IndexSpan span) {
      for (Index i = 0; i < span.count; ++i) list.push_back((span.start + i) * stride);
    });
  offsets_ = Offsets(std::move(list));
  stride_ = stride;
  return offsets_;
}

IndexSpans IndexSpans::shifted(Index by) const {
  IndexSpans moved;
  moved.starts_ = starts_;
  moved.counts_ = counts_;
  for (Index& start : moved.starts_) start += by;
  return moved;
}

Selection Selection::of(IndexSpans spans) {
  const Index count = spans.count();
  if (spans.size() < 2) return {spans.empty() ? 0 : spans[0].start, count, nullptr};
  return {0, count, std::make_shared<const IndexSpans>(std::move(spans))};
}

Selection Selection::shifted(Index by) const {
  if (by == 0) return *this;
  if (is_range()) return {start + by, count, nullptr};
  return of(spans->shifted(by));
}

Index Region::count() const {
  Index product = 1;
  for (const Selection& selection : along) product *= selection.count;
  return product;
}

std::vector<Index> Region::counts() const {
  std::vector<Index> counts;
  for (const Selection& selection : along) counts.push_back(selection.count);
  return counts;
}

std::vector<int> memory_order(const std::vector<Index>& shape,
                              const std::vector<Index>& byte_strides) {
  std::vector<int> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  const auto distance = [&](int d) {
    const auto i = static_cast<std::size_t>(d);
    return shape[i] > 1 ? std::abs(byte_strides[i]) : std::numeric_limits<Index>::max();
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return distance(a) > distance(b); });
  return order;
}

namespace {

/// Whether the runs of a contiguous dimension are long enough for one memcpy each.
bool long_enough(const Selection& selection, Index stride) {
  return selection.count * stride >= cache_line * static_cast<Index>(selection.spans->size());
}

/// Average distance in bytes from one iteration to the next.
Index distance(const MemoryRuns::Loop& loop) {
  if (loop.offsets.empty()) return std::abs(loop.stride);
  return std::abs(loop.offset(loop.count - 1) - loop.offset(0)) / (loop.count - 1);
}

/// Puts a loop around the last of `loops`, or makes the last loop longer.
void add_loop(const Selection& selection, Index stride, std::vector<MemoryRuns::Loop>& loops) {
  if (!selection.is_range()) {
    loops.push_back({selection.count, 0, selection.spans->offsets(stride), {}});
    return;
  }
  if (!loops.empty() && loops.back().offsets.empty() &&
      loops.back().count * loops.back().stride == stride)
    loops.back().count *= selection.count;
  else
    loops.push_back({selection.count, stride, {}, {}});
}

}  // namespace

MemoryRuns::MemoryRuns(const Region& region, const std::vector<Index>& byte_strides,
                       std::size_t itemsize)
    : bytes_(region.count() * static_cast<Index>(itemsize)), run_(static_cast<Index>(itemsize)) {
  if (bytes_ == 0) return;
  std::vector<Loop> loops;  // the innermost first
  bool gapless = true;
  for (auto d = region.order.rbegin(); d != region.order.rend(); ++d) {
    const Selection& selection = region.along[static_cast<std::size_t>(*d)];
    const Index stride = byte_strides[static_cast<std::size_t>(*d)];
    if (selection.is_range()) first_ += selection.start * stride;
    if (selection.count == 1) continue;
    const bool goes_on = gapless && stride == run_;
    gapless = goes_on && selection.is_range();
    if (gapless)
      run_ *= selection.count;
    else if (goes_on && long_enough(selection, stride))
      take_spans(*selection.spans, stride);
    else
      add_loop(selection, stride, loops);
  }
  if (inner_.offsets.empty() && !loops.empty()) {
    inner_ = std::move(loops.front());
    loops.erase(loops.begin());
  }
  if (inner_bytes_ == 0) inner_bytes_ = inner_.count * run_;
  outer_.assign(std::make_move_iterator(loops.rbegin()), std::make_move_iterator(loops.rend()));
  if (crossed()) pair();
}

MemoryRuns::MemoryRuns(std::vector<Index> offsets, std::vector<Index> lengths) {
  if (offsets.empty()) return;
  if (offsets.size() == 1) {
    first_ = offsets.front();
    run_ = bytes_ = inner_bytes_ = lengths.front();
    return;
  }
  take_runs(std::move(offsets), std::move(lengths));
  bytes_ = inner_bytes_;
}

/// Adds a contiguous dimension with runs of different lengths.
void MemoryRuns::take_spans(const IndexSpans& spans, Index stride) {
  std::vector<Index> offsets, lengths;
  spans.for_each([&](IndexSpan span) {
    offsets.push_back(span.start * stride);
    lengths.push_back(span.count * stride);
  });
  take_runs(std::move(offsets), std::move(lengths));
}

void MemoryRuns::take_runs(std::vector<Index> offsets, std::vector<Index> lengths) {
  inner_.count = static_cast<Index>(offsets.size());
  inner_.offsets = Offsets(std::move(offsets));
  inner_.lengths = std::move(lengths);
  inner_bytes_ = std::accumulate(inner_.lengths.begin(), inner_.lengths.end(), Index{0});
  const auto [shortest, longest] =
      std::minmax_element(inner_.lengths.begin(), inner_.lengths.end());
  run_ = *shortest;
  if (*shortest == *longest) inner_.lengths.clear();
}

/// Whether runs are short and an outer loop visits memory in smaller steps than the innermost loop.
bool MemoryRuns::crossed() const {
  return run_ < cache_line && inner_.lengths.empty() && inner_.count > 1 &&
         std::any_of(outer_.begin(), outer_.end(),
                     [this](const Loop& loop) { return distance(loop) < distance(inner_); });
}

void MemoryRuns::pair() {
  std::vector<PairedLoops::Loop> packing, unpacking;
  Index packed = bytes_;
  for (const Loop* loop : loops()) {
    packed /= loop->count;
    packing.push_back({loop->count, {loop->stride, loop->offsets}, {packed, {}}});
    unpacking.push_back({loop->count, {packed, {}}, {loop->stride, loop->offsets}});
  }
  packing_ = std::make_shared<const PairedLoops>(std::move(packing), run_);
  unpacking_ = std::make_shared<const PairedLoops>(std::move(unpacking), run_);
}

InnerLoop MemoryRuns::inner() const {
  return {inner_.count,
          inner_.stride,
          inner_.offsets.data(),
          inner_.lengths.empty() ? nullptr : inner_.lengths.data(),
          run_,
          inner_bytes_};
}

Index MemoryRuns::number() const {
  Index number = 1;
  for (const Loop* loop : loops()) number *= loop->count;
  return number;
}

std::vector<const MemoryRuns::Loop*> MemoryRuns::loops() const {
  std::vector<const Loop*> all;
  all.reserve(outer_.size() + 1);
  for (const Loop& loop : outer_) all.push_back(&loop);
  if (inner_.count > 1) all.push_back(&inner_);
  return all;
}

}  // namespace daptor::detail
