// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "daptor/section.hpp"

namespace daptor::sundials::detail {

/// The owned elements of a section in memory: loops, of which the innermost has the smallest
/// stride, and as few of them as possible.
///
/// Example: 3 x 5 owned elements in rows of 7, with a ghost column on each side. There are two
/// loops: 3 turns with stride 7, and within it 5 with stride 1. Without ghost columns there is one
/// of 15 turns.
class Runs {
 public:
  /// @param array  byte strides are multiples of `item`
  /// @param item   bytes of an element
  Runs(const Section& array, Index item);

  /// Calls `body` with the position of each owned element, counted in elements from the first.
  template <class F>
  void for_each(F&& body) const {
    if (!empty_) run(0, 0, body);
  }

 private:
  struct Loop {
    Index count, stride;
  };

  template <class F>
  void run(std::size_t depth, Index position, F& body) const {
    const Loop loop = loops_[depth];
    if (depth + 1 < loops_.size()) {
      for (Index k = 0; k < loop.count; ++k) run(depth + 1, position + k * loop.stride, body);
    } else if (loop.stride == 1) {
      for (Index k = 0; k < loop.count; ++k) body(position + k);
    } else {
      for (Index k = 0; k < loop.count; ++k) body(position + k * loop.stride);
    }
  }

  std::vector<Loop> loops_;  ///< at least one, from the outermost to the innermost
  bool empty_;
};

}  // namespace daptor::sundials::detail
