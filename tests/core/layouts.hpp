// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Layouts whose owners are found by counting; the index maps are checked against them.

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "daptor/builders.hpp"
#include "daptor/dist_array.hpp"

namespace daptor::test {

/// One dimension: its description on each process, and the indices that each process owns, assigned
/// one by one.
struct Axis {
  Index size = 0;
  Index processes = 1;
  bool periodic = false;
  std::vector<std::vector<Index>> owned;  // by grid rank, in local order
  std::function<Dimension(GridPosition)> make;
};

inline Axis undistributed_axis(Index size) {
  Axis axis{size, 1, false, {{}}, {}};
  axis.owned[0].resize(static_cast<std::size_t>(size));
  std::iota(axis.owned[0].begin(), axis.owned[0].end(), Index{0});
  axis.make = [size](GridPosition) { return undistributed(size); };
  return axis;
}

/// Blocks of the given lengths, one on each process.
inline Axis block_axis(const std::vector<Index>& lengths, BlockPadding padding = {}) {
  Axis axis;
  axis.processes = static_cast<Index>(lengths.size());
  axis.periodic = padding.periodic;
  std::vector<IndexRange> ranges;
  for (const Index length : lengths) {
    axis.owned.emplace_back();
    for (Index i = 0; i < length; ++i) axis.owned.back().push_back(axis.size + i);
    ranges.push_back({axis.size, axis.size + length});
    axis.size += length;
  }
  axis.make = [ranges, padding, size = axis.size](GridPosition grid) {
    return block(size, grid, ranges[static_cast<std::size_t>(grid.rank)], padding);
  };
  return axis;
}

inline Axis even_axis(Index size, Index processes, BlockPadding padding = {}) {
  std::vector<Index> lengths(static_cast<std::size_t>(processes), 0);
  for (Index left = size, p = 0; left > 0; --left, p = (p + 1) % processes)
    ++lengths[static_cast<std::size_t>(p)];
  Axis axis = block_axis(lengths, padding);
  axis.make = [size, padding](GridPosition grid) { return block(size, grid, padding); };
  return axis;
}

inline Axis cyclic_axis(Index size, Index processes, Index block_size, Index origin = 0) {
  Axis axis{size, processes, false, {}, {}};
  axis.owned.resize(static_cast<std::size_t>(processes));
  Index owner = origin;
  for (Index i = 0, in_block = 0; i < size; ++i) {
    axis.owned[static_cast<std::size_t>(owner)].push_back(i);
    if (++in_block == block_size) {
      in_block = 0;
      owner = (owner + 1) % processes;
    }
  }
  axis.make = [=](GridPosition grid) { return cyclic(size, grid, block_size, origin); };
  return axis;
}

inline Axis unstructured_axis(Index size, std::vector<std::vector<Index>> lists) {
  Axis axis{size, static_cast<Index>(lists.size()), false, std::move(lists), {}};
  axis.make = [size, owned = axis.owned](GridPosition grid) {
    return unstructured(size, grid, IndexList(owned[static_cast<std::size_t>(grid.rank)]));
  };
  return axis;
}

/// The indices from 0 to size - 1 in random order, the same for the same seed.
inline Axis shuffled_axis(Index size, Index processes, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Index> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), Index{0});
  std::shuffle(all.begin(), all.end(), random);
  std::vector<std::vector<Index>> lists(static_cast<std::size_t>(processes));
  for (const Index index : all)
    lists[random() % static_cast<std::size_t>(processes)].push_back(index);
  return unstructured_axis(size, std::move(lists));
}

/// The same; behind its own indices each process has some of the others' indices as ghosts.
inline Axis ghosted_axis(Index size, Index processes, unsigned seed) {
  Axis axis = shuffled_axis(size, processes, seed);
  axis.make = [size, owned = axis.owned](GridPosition grid) {
    const auto mine = static_cast<std::size_t>(grid.rank);
    std::vector<Index> ghosts;
    for (std::size_t p = owned.size(); p-- > 0;)
      for (std::size_t i = (mine + p) % 2; p != mine && i < owned[p].size(); i += 2)
        ghosts.push_back(owned[p][i]);
    return owned_then_ghosts(size, grid, owned[mine], ghosts);
  };
  return axis;
}

/// The same with ghosts before, between and behind the own indices; some are copies of own ones.
inline Axis mixed_axis(Index size, Index processes, unsigned seed) {
  Axis axis = shuffled_axis(size, processes, seed);
  axis.make = [size, owned = axis.owned](GridPosition grid) {
    std::vector<Index> indices, positions;
    Index ghost = grid.rank;
    const auto add_ghost = [&] {
      indices.push_back(ghost % size);
      ghost += 3;
    };
    for (const Index own : owned[static_cast<std::size_t>(grid.rank)]) {
      if ((own + grid.rank) % 3 != 0) add_ghost();
      positions.push_back(static_cast<Index>(indices.size()));
      indices.push_back(own);
    }
    if (size > 0) add_ghost();
    // In another order than in the list.
    std::reverse(positions.begin(), positions.end());
    return unstructured(size, grid, IndexList(indices), OwnedPart::at(positions));
  };
  return axis;
}

/// Every way to write `size` as a sum of `processes` lengths, which may be zero.
inline std::vector<std::vector<Index>> partitions(Index size, Index processes) {
  if (processes == 1) return {{size}};
  std::vector<std::vector<Index>> all;
  for (Index first = 0; first <= size; ++first) {
    for (std::vector<Index> rest : partitions(size - first, processes - 1)) {
      rest.insert(rest.begin(), first);
      all.push_back(std::move(rest));
    }
  }
  return all;
}

/// A whole array: its axes, and the seat of each rank (its row-major number on the grid).
struct Layout {
  std::vector<Axis> axes;
  std::vector<Index> seats;  // row-major if empty

  std::vector<Index> grid() const {
    std::vector<Index> grid;
    for (const Axis& axis : axes) grid.push_back(axis.processes);
    return grid;
  }
  Index processes() const {
    Index count = 1;
    for (const Axis& axis : axes) count *= axis.processes;
    return count;
  }
  Index seat(int rank) const {
    return seats.empty() ? rank : seats.at(static_cast<std::size_t>(rank));
  }
  int rank_at(Index seat_number) const {
    if (seats.empty()) return static_cast<int>(seat_number);
    return static_cast<int>(std::find(seats.begin(), seats.end(), seat_number) - seats.begin());
  }
  std::vector<Index> coordinates(int rank) const { return grid_coordinates(grid(), seat(rank)); }
  std::vector<Dimension> dimensions(int rank) const {
    const std::vector<Index> at = coordinates(rank);
    std::vector<Dimension> result;
    for (std::size_t d = 0; d < axes.size(); ++d)
      result.push_back(axes[d].make({axes[d].processes, at[d]}));
    return result;
  }
  /// One rank's section, without memory.
  Section array(int rank) const {
    return describe(DataType::of<signed char>(), nullptr, dimensions(rank));
  }
  Index owned_count(int rank) const {
    const std::vector<Index> at = coordinates(rank);
    Index count = 1;
    for (std::size_t d = 0; d < axes.size(); ++d)
      count *= static_cast<Index>(axes[d].owned[static_cast<std::size_t>(at[d])].size());
    return count;
  }
  /// The natural numbers of a rank's owned elements in this order, found by counting.
  std::vector<Index> owned_numbers(int rank, Order order = Order::c) const {
    const std::vector<Index> at = coordinates(rank);
    std::vector<Index> numbers{0};
    for (std::size_t k = 0; k < axes.size(); ++k) {
      const std::size_t d = order == Order::c ? k : axes.size() - 1 - k;
      Index stride = 1;
      for (std::size_t e = d + 1; e < axes.size(); ++e) stride *= axes[e].size;
      std::vector<Index> longer;
      for (const Index number : numbers)
        for (const Index index : axes[d].owned[static_cast<std::size_t>(at[d])])
          longer.push_back(number + index * stride);
      numbers = std::move(longer);
    }
    return numbers;
  }
};

}  // namespace daptor::test
