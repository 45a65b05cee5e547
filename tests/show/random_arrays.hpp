// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "arrays.hpp"

namespace daptor::test {

/// Makes legal arrays of up to three small dimensions; the same arrays for the same seed.
class RandomArrays {
 public:
  explicit RandomArrays(unsigned seed) : random_(seed) {}

  Recorded next(int most_dimensions = 3) {
    const auto ndim = static_cast<std::size_t>(between(0, most_dimensions));
    std::vector<std::vector<Dimension>> along;  // for each dimension, by grid rank
    std::vector<Index> grid;
    for (std::size_t d = 0; d < ndim; ++d) {
      along.push_back(dimension());
      grid.push_back(static_cast<Index>(along.back().size()));
    }
    return recorded_on(grid, [&](const std::vector<Index>& at) {
      std::vector<Dimension> dimensions;
      for (std::size_t d = 0; d < ndim; ++d)
        dimensions.push_back(along[d][static_cast<std::size_t>(at[d])]);
      return dimensions;
    });
  }

  Index between(Index low, Index high) {
    return std::uniform_int_distribution<Index>(low, high)(random_);
  }

 private:
  std::vector<Dimension> dimension() {
    switch (between(0, 4)) {
      case 0:
        return {undistributed(between(1, 6))};
      case 1:
        return blocks_of(between(1, 3));
      case 2:
        return cyclic_of(between(1, 3));
      case 3:
        return lists_of(between(1, 3), false);
      default:
        return lists_of(between(2, 3), true);
    }
  }

  std::vector<Dimension> blocks_of(Index processes) {
    std::vector<Index> bounds = {0};
    for (Index p = 0; p < processes; ++p) bounds.push_back(bounds.back() + between(2, 4));
    const bool periodic = between(0, 1) == 1;
    const Padding communication{between(0, 2), between(0, 2)};
    const Padding boundary = periodic ? Padding{} : Padding{between(0, 2), between(0, 2)};
    std::vector<Dimension> along;
    for (Index p = 0; p < processes; ++p) {
      const auto i = static_cast<std::size_t>(p);
      along.push_back(block(bounds.back(), {processes, p}, IndexRange{bounds[i], bounds[i + 1]},
                            padding(communication, boundary, periodic)));
    }
    return along;
  }

  std::vector<Dimension> cyclic_of(Index processes) {
    const Index size = between(0, 9);
    const Index block_size = between(1, 3);
    const Index origin = between(0, processes - 1);
    std::vector<Dimension> along;
    for (Index p = 0; p < processes; ++p)
      along.push_back(cyclic(size, {processes, p}, block_size, origin));
    return along;
  }

  std::vector<Dimension> lists_of(Index processes, bool overlapping) {
    const Index size = between(1, 9);
    std::vector<Index> all(static_cast<std::size_t>(size));
    std::iota(all.begin(), all.end(), between(-1, 1));
    std::shuffle(all.begin(), all.end(), random_);
    std::vector<std::vector<Index>> parts(static_cast<std::size_t>(processes));
    for (const Index index : all) {
      for (std::vector<Index>& part : parts)
        if (overlapping && between(0, 2) == 0) part.push_back(index);
      auto& part = parts[static_cast<std::size_t>(between(0, processes - 1))];
      if (!overlapping) part.push_back(index);
    }
    std::vector<Dimension> along;
    for (Index p = 0; p < processes; ++p)
      along.push_back(
          unstructured(size, {processes, p}, IndexList(parts[static_cast<std::size_t>(p)])));
    return along;
  }

  std::mt19937 random_;
};

}  // namespace daptor::test
