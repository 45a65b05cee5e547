// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "exchange/element_types.hpp"

namespace daptor::detail {

/// Sums numbers in pairs of ever greater groups: the error grows with the logarithm of their
/// number. Integers wrap around.
///
/// Example: of five groups, the sums of 0 1 and of 2 3 are added to that of 0 1 2 3, and at last
/// that of 4.
template <class T>
class PairwiseSum {
 public:
  void add(const T* values, Index count) {
    constexpr Index group = 128;
    for (; count > 0; values += group, count -= group)
      push(group_sum(values, count < group ? count : group));
  }
  T total() const {
    if (depth_ == 0) return T(0);
    T result = sums_[depth_ - 1];
    for (std::size_t d = depth_ - 1; d-- > 0;) result = sum(sums_[d], result);
    return result;
  }

 private:
  /// Eight sums at once, which do not wait for each other.
  static T group_sum(const T* values, Index count) {
    if (count < 8) {
      T result = values[0];
      for (Index i = 1; i < count; ++i) result = sum(result, values[i]);
      return result;
    }
    std::array<T, 8> sums;
    for (std::size_t k = 0; k < 8; ++k) sums[k] = values[k];
    Index i = 8;
    for (; i + 8 <= count; i += 8)
      for (std::size_t k = 0; k < 8; ++k) sums[k] = sum(sums[k], values[i + static_cast<Index>(k)]);
    T result = sum(sum(sum(sums[0], sums[1]), sum(sums[2], sums[3])),
                   sum(sum(sums[4], sums[5]), sum(sums[6], sums[7])));
    for (; i < count; ++i) result = sum(result, values[i]);
    return result;
  }

  void push(T value) {
    for (std::uint64_t groups = groups_++; (groups & 1) != 0; groups >>= 1)
      value = sum(sums_[--depth_], value);
    sums_[depth_++] = value;
  }

  std::array<T, 64> sums_{};
  std::size_t depth_ = 0;
  std::uint64_t groups_ = 0;
};

}  // namespace daptor::detail
