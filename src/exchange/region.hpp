// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "daptor/types.hpp"

namespace daptor::detail {

/// Consecutive indices.
struct IndexSpan {
  Index start = 0;
  Index count = 0;
};

/// Offsets in bytes of the iterations of a loop. Copies share the list.
class Offsets {
 public:
  Offsets() = default;
  explicit Offsets(std::vector<Index> list)
      : list_(std::make_shared<const std::vector<Index>>(std::move(list))) {}

  bool empty() const { return list_ == nullptr; }
  std::size_t size() const { return empty() ? 0 : list_->size(); }
  const Index* data() const { return empty() ? nullptr : list_->data(); }
  const Index* begin() const { return data(); }
  const Index* end() const { return data() + size(); }
  Index operator[](Index i) const { return (*list_)[static_cast<std::size_t>(i)]; }

 private:
  std::shared_ptr<const std::vector<Index>> list_;
};

/// A list of spans in the order in which they are visited.
class IndexSpans {
 public:
  IndexSpans() = default;
  IndexSpans(std::initializer_list<IndexSpan> spans) {
    for (const IndexSpan& span : spans) add(span);
  }

  /// Adds a span; if it continues the last span, the last one becomes longer.
  /// As long as a list has only single indices, adjacent indices stay apart, because counts would
  /// take as much memory as the indices.
  void add(IndexSpan more) {
    if (more.count == 1 && counts_.empty() && starts_.size() >= scattered)
      starts_.push_back(more.start);
    else
      add_span(more);
  }
  void reserve(std::size_t spans) { starts_.reserve(spans); }

  std::size_t size() const { return starts_.size(); }
  bool empty() const { return starts_.empty(); }
  IndexSpan operator[](std::size_t i) const {
    return {starts_[i], counts_.empty() ? 1 : counts_[i]};
  }
  /// Number of indices in all spans.
  Index count() const;
  /// Whether all spans have one index.
  bool single() const { return counts_.empty(); }
  template <class F>
  void for_each(F&& visit) const {
    for (std::size_t i = 0; i < size(); ++i) visit((*this)[i]);
  }
  /// Offsets of single indices. The list is cached, because the parts of a region have most
  /// dimensions in common.
  const Offsets& offsets(Index stride) const;
  IndexSpans shifted(Index by) const;

  /// Adds a span of its own, even if it continues the last one.
  void push(IndexSpan more) {
    if (more.count != 1 || !counts_.empty()) push_count(more.count);
    starts_.push_back(more.start);
  }
  void lengthen_last(Index by) {
    if (counts_.empty()) counts_.assign(size(), 1);
    counts_.back() += by;
  }
  /// The list with adjacent spans joined, if that makes it much shorter.
  IndexSpans merged() &&;
  /// `count` spans from `start` of a list of single indices.
  IndexSpans slice(std::size_t start, std::size_t count) const;

 private:
  static constexpr std::size_t scattered = 64;
  void add_span(IndexSpan more);
  void push_count(Index count);

  std::vector<Index> starts_;
  std::vector<Index> counts_;  // empty if all are 1
  mutable Index stride_ = 0;
  mutable Offsets offsets_;
};

/// Local indices along one dimension in order, including padding: a range, or a list of runs of
/// indices.
struct Selection {
  Index start = 0;
  Index count = 0;
  std::shared_ptr<const IndexSpans> spans;

  /// A range if the spans form one, otherwise a list.
  static Selection of(IndexSpans spans);
  bool is_range() const { return spans == nullptr; }
  Index first() const { return is_range() ? start : (*spans)[0].start; }
  /// The same selection with `by` added to each index.
  Selection shifted(Index by) const;
};

/// Elements of a section: the product of one selection per dimension.
struct Region {
  std::vector<Selection> along;
  /// dimensions in the order in which the elements are visited, the fastest last
  std::vector<int> order;

  Index count() const;
  /// Along each dimension.
  std::vector<Index> counts() const;
};

/// Dimensions by decreasing stride, but those of extent 1 first: the best order in which to visit
/// memory.
std::vector<int> memory_order(const std::vector<Index>& shape,
                              const std::vector<Index>& byte_strides);

/// The innermost loop over a region's memory: `count` runs of `run` bytes, `stride` bytes apart or,
/// if `offsets` is set, at these offsets; with `lengths`, the runs have these lengths in bytes.
struct InnerLoop {
  Index count = 1;
  Index stride = 0;
  const Index* offsets = nullptr;
  const Index* lengths = nullptr;
  Index run = 0;
  Index bytes = 0;

  Index offset(Index i) const { return offsets != nullptr ? offsets[i] : i * stride; }
  Index length(Index i) const { return lengths != nullptr ? lengths[i] : run; }
};

class PairedLoops;

/// A region as loops over memory, around runs of consecutive bytes that are as long as the layout
/// allows.
class MemoryRuns {
 public:
  MemoryRuns(const Region& region, const std::vector<Index>& byte_strides, std::size_t itemsize);
  /// Runs of bytes at these offsets from the array's first element, with these lengths.
  MemoryRuns(std::vector<Index> offsets, std::vector<Index> lengths);

  Index bytes() const { return bytes_; }
  /// Distance in bytes from the array's first element to the region's first element.
  Index first() const { return first_; }
  /// Whether the region is one run, which needs no packing.
  bool contiguous() const { return bytes_ == run_ && !irregular(); }
  /// Length of a run in bytes; of the shortest run if lengths differ.
  Index run_bytes() const { return run_; }
  /// Number of runs.
  Index number() const;
  /// Whether distances between runs are irregular, as in an index list.
  bool irregular() const { return !inner_.offsets.empty(); }
  /// Distance in bytes between runs in the innermost loop.
  Index stride() const { return inner_.stride; }

  /// A loop around the following ones; the outermost is first.
  struct Loop {
    Index count = 1;
    Index stride = 0;
    Offsets offsets;             // of spans; empty if they are multiples of the stride
    std::vector<Index> lengths;  // in bytes; only in the innermost loop, if runs differ

    Index offset(Index i) const { return offsets.empty() ? i * stride : offsets[i]; }
  };
  /// All loops; the innermost is around the runs.
  std::vector<const Loop*> loops() const;

  /// Loops that copy faster from the array's memory to consecutive bytes, if the order of the
  /// region is not that of memory; otherwise null.
  const PairedLoops* packing() const { return packing_.get(); }
  const PairedLoops* unpacking() const { return unpacking_.get(); }

  /// Calls `visit(offset, loop)` for each innermost loop in the order of the region; `offset` is in
  /// bytes from the array's first element.
  template <class F>
  void for_each(F&& visit) const {
    if (bytes_ > 0) descend(0, first_, visit);
  }

 private:
  template <class F>
  void descend(std::size_t depth, Index offset, F& visit) const {
    if (depth == outer_.size()) return visit(offset, inner());
    const Loop& loop = outer_[depth];
    for (Index i = 0; i < loop.count; ++i) descend(depth + 1, offset + loop.offset(i), visit);
  }

  InnerLoop inner() const;
  void take_spans(const IndexSpans& spans, Index stride);
  void take_runs(std::vector<Index> offsets, std::vector<Index> lengths);
  bool crossed() const;
  void pair();

  Index first_ = 0;
  Index bytes_ = 0;
  std::vector<Loop> outer_;
  Loop inner_;
  Index run_ = 0;
  Index inner_bytes_ = 0;
  std::shared_ptr<const PairedLoops> packing_, unpacking_;
};

}  // namespace daptor::detail
