// SPDX-License-Identifier: BSD-3-Clause
#include "runs.hpp"

#include <algorithm>
#include <cstdlib>

namespace daptor::sundials::detail {

Runs::Runs(const Section& array, Index item) : empty_(array.owned_count() == 0) {
  std::vector<Loop> loops;
  for (std::size_t d = 0; d < array.owned_shape().size(); ++d)
    if (array.owned_shape()[d] != 1)
      loops.push_back({array.owned_shape()[d], array.byte_strides()[d] / item});
  std::stable_sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) {
    return std::abs(a.stride) > std::abs(b.stride);
  });
  for (const Loop& loop : loops) {
    // An outer loop that goes on where the inner one ends is one with it.
    if (!loops_.empty() && loops_.back().stride == loop.count * loop.stride)
      loops_.back() = {loops_.back().count * loop.count, loop.stride};
    else
      loops_.push_back(loop);
  }
  if (loops_.empty()) loops_.push_back({1, 1});
}

}  // namespace daptor::sundials::detail
