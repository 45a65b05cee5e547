// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "daptor/adapter/reduce.hpp"
#include "daptor/detail/bytes_past.hpp"
#include "daptor/local_index_map.hpp"
#include "reduce/wide.hpp"

namespace daptor::detail {

/// Scalar of elements that are read at once.
inline constexpr Index wide_block = 512;

/// The elements of this rank that count, as loops over the operands' memory.
class Walk {
 public:
  /// One of the loops. `numbers` are the positions among the owned indices, if not all of them
  /// count or they are in another order.
  struct Loop {
    std::size_t dimension = 0;
    Index count = 0;
    std::optional<std::vector<Index>> numbers;
  };

  /// @param in_order  the loops go through the global indices in increasing order, row by row or,
  ///                  if `column_major`, column by column; otherwise as the elements lie in memory
  Walk(const Section& array, const adapter::CountedPositions* counted,
       const adapter::ReduceArguments& arguments, bool in_order);

  /// Visits the rows of the innermost loop.
  /// @param visit  called with the numbers of the outer loops
  template <class F>
  void for_each_row(const F& visit) const;
  Index row_length() const { return loops_.empty() ? 1 : loops_.back().count; }
  /// What a number of a loop stands for: a position among the owned indices of its dimension.
  Index position(std::size_t loop, Index number) const {
    const auto& numbers = loops_[loop].numbers;
    return numbers ? (*numbers)[static_cast<std::size_t>(number)] : number;
  }
  const std::vector<Loop>& loops() const { return loops_; }

  /// An operand's elements in the order of the walk.
  class Rows {
   public:
    Rows(const Walk& walk, const adapter::ReduceOperand& operand, Wide wide);
    /// Reads elements [from, from + count) of the row of these numbers.
    void read(const std::vector<Index>& outer, Index from, Index count, void* to) const;
    /// Where they lie, if they need not be read: aligned, without gaps, and of the type W itself;
    /// otherwise null.
    template <class W>
    const W* in_place(const std::vector<Index>& outer, Index from) const {
      if (!plain_) return nullptr;
      const std::byte* const at = row(outer) + from * static_cast<Index>(sizeof(W));
      return bytes_past(at, alignof(W)) == 0 ? reinterpret_cast<const W*>(at) : nullptr;
    }

   private:
    const std::byte* row(const std::vector<Index>& outer) const;

    const std::byte* first_;
    std::vector<adapter::ElementLine> lines_;  // of the loops
    Load load_;
    bool plain_;  // the row has no gaps, and its elements are of the wide type
  };

 private:
  static bool continues(const Loop& outer, const Loop& inner,
                        const adapter::ReduceOperand& operand);
  void merge(const adapter::ReduceOperand& array, const adapter::ReduceArguments& arguments);

  std::vector<Loop> loops_;  // the last one is the innermost
};

template <class F>
void Walk::for_each_row(const F& visit) const {
  for (const Loop& loop : loops_)
    if (loop.count == 0) return;
  std::vector<Index> outer(loops_.empty() ? 0 : loops_.size() - 1, 0);
  for (;;) {
    visit(static_cast<const std::vector<Index>&>(outer));
    std::size_t d = outer.size();
    for (; d > 0; --d) {
      if (++outer[d - 1] < loops_[d - 1].count) break;
      outer[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

/// Global indices, with the array's boundary padding, of the owned positions of a dimension that
/// belong to the interior.
class InteriorIndices {
 public:
  explicit InteriorIndices(const Dimension& dimension)
      : map_(dimension), lower_(dimension.boundary_padding().lower) {}
  /// @param number  position in the interior
  Index operator()(Index number) const {
    return map_.global_of(map_.owned_part().position(lower_ + number));
  }

 private:
  LocalDimensionMap map_;
  Index lower_;
};

}  // namespace daptor::detail
