// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What Global Arrays' text and its implementation state about the operations, and what Daptor
// states where they are silent: a test for each statement, named after it. Here are the arrays of
// the text's examples.

#include <cstdint>
#include <numeric>
#include <vector>

#include "everywhere.hpp"
#include "line.hpp"
#include "world_comm.hpp"

namespace daptor::test {

inline const std::vector<int> copy_mask{1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0};
inline const std::vector<int> copy_source{5, 8, 7, 3, 2, 6, 9, 7, 3, 4, 8, 2, 3, 6, 9, 10, 7};
inline const std::vector<int> copied{5, 5, 5, 5, 5, 6, 6, 7, 7, 7, 8, 8, 8, 8, 9, 10, 10};
inline const std::vector<int> add_mask{1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0};
inline const std::vector<int> added{1, 3, 6, 10, 15, 21, 7, 15, 9, 19, 30, 12, 25, 39, 15, 16, 33};
inline const std::vector<int> added_before{0, 1, 3, 6, 10, 15, 0, 7, 0, 9, 19, 0, 12, 25, 0, 0, 16};
inline const std::vector<int> pack_mask{1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0};
inline const std::vector<int> pack_values{1, 6, 8, 11, 15};

inline std::vector<int> counted(int count, int first = 1) {
  std::vector<int> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), first);
  return values;
}

template <class T>
std::vector<T> as(const std::vector<int>& values) {
  return std::vector<T>(values.begin(), values.end());
}

inline ScanOptions exclusive() {
  ScanOptions options;
  options.exclusive = true;
  return options;
}
inline ScanOptions within(Index start, Index stop) {
  ScanOptions options;
  options.range = IndexRange{start, stop};
  return options;
}

/// Three arrays of 17 elements, divided alike.
template <class T>
struct Three {
  explicit Three(Dimension dimension = even(17))
      : source(dimension), target(dimension), mask(dimension) {
    source.set(as<T>(counted(static_cast<int>(source.size()))));
    target.fill(static_cast<T>(99));
  }
  Three& masked(const std::vector<int>& bits) {
    mask.set(bits);
    return *this;
  }
  void expect(const std::vector<int>& values) {
    EXPECT_EQ(target.wrong(as<T>(values)), 0);
    EXPECT_TRUE(target.rest_untouched());
  }

  Line<T> source, target;
  Line<std::int32_t> mask;
};

}  // namespace daptor::test
