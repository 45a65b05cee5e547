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
struct Stretch {
  Index start = 0;
  Index count = 0;
};

/// Where the iterations of a loop are, in bytes. Copies share the list.
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

/// Stretches, one after the other as they are visited.
class StretchList {
 public:
  StretchList() = default;
  StretchList(std::initializer_list<Stretch> stretches) {
    for (const Stretch& stretch : stretches) add(stretch);
  }

  /// Makes the last stretch longer where it goes on. A list that has shown no stretches but single
  /// indices keeps those apart that happen to follow each other: their counts would take as much
  /// memory as the indices.
  void add(Stretch more) {
    if (more.count == 1 && counts_.empty() && starts_.size() >= scattered)
      starts_.push_back(more.start);
    else
      add_stretch(more);
  }
  void reserve(std::size_t stretches) { starts_.reserve(stretches); }

  std::size_t size() const { return starts_.size(); }
  bool empty() const { return starts_.empty(); }
  Stretch operator[](std::size_t i) const { return {starts_[i], counts_.empty() ? 1 : counts_[i]}; }
  /// Indices of all stretches.
  Index count() const;
  /// All of them are of one index.
  bool single() const { return counts_.empty(); }
  template <class F>
  void for_each(F&& visit) const {
    for (std::size_t i = 0; i < size(); ++i) visit((*this)[i]);
  }
  /// One index after the other. Kept: parts of a region have most of their dimensions in common.
  const Offsets& offsets(Index stride) const;
  StretchList shifted(Index by) const;

  /// One more, also where it goes on where the last one ends.
  void push(Stretch more) {
    if (more.count != 1 || !counts_.empty()) push_count(more.count);
    starts_.push_back(more.start);
  }
  void lengthen_last(Index by) {
    if (counts_.empty()) counts_.assign(size(), 1);
    counts_.back() += by;
  }
  /// With longer stretches where they go on, if that makes it much shorter.
  StretchList merged() &&;
  /// `count` stretches of a list of single indices.
  StretchList slice(std::size_t start, std::size_t count) const;

 private:
  static constexpr std::size_t scattered = 64;
  void add_stretch(Stretch more);
  void push_count(Index count);

  std::vector<Index> starts_;
  std::vector<Index> counts_;  // empty: all 1
  mutable Index stride_ = 0;
  mutable Offsets offsets_;
};

/// Local indices along one dimension, padding counted, in order: a range, or stretches where there
/// are any.
struct Selection {
  Index start = 0;
  Index count = 0;
  std::shared_ptr<const StretchList> stretches;

  /// A range where it is one.
  static Selection of(StretchList stretches);
  bool is_range() const { return stretches == nullptr; }
  Index first() const { return is_range() ? start : (*stretches)[0].start; }
  /// The same indices further on.
  Selection shifted(Index by) const;
};

/// Elements of a section: the product of one selection a dimension.
struct Region {
  std::vector<Selection> along;
  /// Dimensions in the order in which the elements are visited, the fastest last.
  std::vector<int> order;

  Index count() const;
};

/// Dimensions by decreasing stride, those of extent 1 first: the order in which memory is visited
/// best.
std::vector<int> memory_order(const std::vector<Index>& shape,
                              const std::vector<Index>& byte_strides);

/// The innermost loop over a region's memory: `count` runs of `run` bytes, `stride` bytes apart, or
/// at `offsets` where there are any, of `lengths` bytes each where there are any.
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

/// A region as loops over memory: runs of consecutive bytes, as long as the layout allows.
class Runs {
 public:
  Runs(const Region& region, const std::vector<Index>& byte_strides, std::size_t itemsize);
  /// Runs of bytes at these offsets from the array's first element, of these lengths.
  Runs(std::vector<Index> offsets, std::vector<Index> lengths);

  Index bytes() const { return bytes_; }
  /// Bytes from the array's first element to the region's.
  Index first() const { return first_; }
  /// One run: the region needs no packing.
  bool contiguous() const { return bytes_ == run_ && !irregular(); }
  /// Bytes of a run; of the shortest where they differ.
  Index run_bytes() const { return run_; }
  /// Runs at irregular distances: of a list.
  bool irregular() const { return !inner_.offsets.empty(); }
  /// Bytes from one run to the next in the innermost loop.
  Index stride() const { return inner_.stride; }

  /// A loop over what is inside it, the outermost first.
  struct Loop {
    Index count = 1;
    Index stride = 0;
    Offsets offsets;             // of stretches; empty: count times stride
    std::vector<Index> lengths;  // in bytes; of the innermost, where runs differ

    Index offset(Index i) const { return offsets.empty() ? i * stride : offsets[i]; }
  };
  /// All loops; the innermost has runs inside it.
  std::vector<const Loop*> loops() const;

  /// Where the region's order is not that of memory, faster ways between the array's first element
  /// and consecutive bytes; else null.
  const PairedLoops* packing() const { return packing_.get(); }
  const PairedLoops* unpacking() const { return unpacking_.get(); }

  /// Calls `visit(offset, loop)` for each innermost loop, in the region's order; `offset` is in
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
  void take_stretches(const StretchList& stretches, Index stride);
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
