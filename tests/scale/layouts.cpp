// SPDX-License-Identifier: BSD-3-Clause
#include "layouts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace daptor::test {

std::vector<Index> grid_of(int ndim, Index ranks) {
  std::vector<Index> factors;
  for (Index factor = 2; ranks > 1;) {
    if (ranks % factor != 0) {
      ++factor;
      continue;
    }
    factors.push_back(factor);
    ranks /= factor;
  }
  std::vector<Index> grid(static_cast<std::size_t>(ndim), 1);
  for (auto factor = factors.rbegin(); factor != factors.rend(); ++factor)
    *std::min_element(grid.begin(), grid.end()) *= *factor;
  std::sort(grid.begin(), grid.end());
  return grid;
}

Positions positions(const std::vector<Index>& grid, Index rank) {
  const std::vector<Index> at = grid_coordinates(grid, rank);
  Positions all;
  for (std::size_t d = 0; d < grid.size(); ++d) all.push_back({grid[d], at[d]});
  return all;
}

Positions positions(int ndim, const Measuring& m, bool backwards) {
  return positions(grid_of(ndim, m.ranks()), backwards ? m.ranks() - 1 - m.rank() : m.rank());
}

Positions spread(std::size_t ndim, const std::vector<std::size_t>& over, const Measuring& m) {
  const auto grid = grid_of(static_cast<int>(over.size()), m.ranks());
  const Positions along = positions(grid, m.rank());
  Positions all(ndim, {1, 0});
  for (std::size_t i = 0; i < over.size(); ++i) all[over[i]] = along[i];
  return all;
}

Section at_source(std::vector<Dimension> dimensions) {
  return describe(DataType::of<double>(), source_memory(), std::move(dimensions));
}

Section at_target(std::vector<Dimension> dimensions) {
  return describe(DataType::of<double>(), target_memory(), std::move(dimensions));
}

Index edge_of(Index elements, int ndim) {
  return std::max<Index>(
      2, std::llround(std::pow(static_cast<double>(elements), 1.0 / static_cast<double>(ndim))));
}

IndexRange uneven(Index edge, GridPosition at) {
  const auto bound = [&](Index rank) {
    return rank * edge + (rank > 0 && rank < at.size ? rank % 2 : 0);
  };
  return {bound(at.rank), bound(at.rank + 1)};
}

std::vector<Dimension> blocks(const std::vector<Index>& shape, const Positions& at) {
  std::vector<Dimension> dimensions;
  for (std::size_t d = 0; d < shape.size(); ++d) dimensions.push_back(block(shape[d], at[d]));
  return dimensions;
}

Section even(int ndim, Index elements, const Positions& at) {
  const Index edge = edge_of(elements, ndim);
  std::vector<Dimension> dimensions;
  for (const GridPosition each : at) dimensions.push_back(block(edge * each.size, each));
  return at_target(dimensions);
}

Section ring(int ndim, Index elements, const Positions& at, bool irregular) {
  const BlockPadding padding{{1, 1}, {}, true};
  const Index edge = edge_of(elements, ndim);
  std::vector<Dimension> dimensions;
  for (const GridPosition each : at)
    dimensions.push_back(irregular ? block(edge * each.size, each, uneven(edge, each), padding)
                                   : block(edge * each.size, each, padding));
  return at_target(dimensions);
}

Section in_cycles(Index elements, const Positions& at, Index origin) {
  const Index edge = edge_of(elements, 2);
  return at_target({cyclic(edge * at[0].size, at[0], 2, origin % at[0].size),
                    cyclic(edge * at[1].size, at[1], 3)});
}

std::vector<Index> shuffled(Index elements, const Measuring& m) {
  const Index size = elements * m.ranks();
  Index step = 2654435761 % size;
  while (std::gcd(step, size) != 1) ++step;
  std::vector<Index> mine(static_cast<std::size_t>(elements));
  Index at = m.rank() * elements % size * step % size;
  for (Index& index : mine) {
    index = at;
    at = (at + step) % size;
  }
  return mine;
}

std::vector<Index> shuffled_pieces(Index elements, const Measuring& m) {
  std::vector<Index> mine;
  for (const Index piece : shuffled(elements / 8, m))
    for (Index i = 0; i < 8; ++i) mine.push_back(8 * piece + i);
  return mine;
}

Section permutation(Index elements, const Measuring& m) {
  return at_source({unstructured(elements * m.ranks(), {m.ranks(), m.rank()},
                                 IndexList(shuffled(elements, m)), true)});
}

Section with_popular_ghosts(Index elements, const Measuring& m) {
  std::vector<Index> ghosts;
  for (Index i = 0; i < 8 && m.rank() > 0; ++i) ghosts.push_back(i);
  const Index next = (m.rank() + 1) % m.ranks();
  for (Index i = 0; i < 8 && next > 0; ++i) ghosts.push_back(next * elements + i);
  return at_target({block_then_ghosts(elements * m.ranks(), {m.ranks(), m.rank()}, ghosts)});
}

Section with_shared_index(Index elements, const Measuring& m) {
  std::vector<Index> mine = shuffled(elements, m);
  for (Index& index : mine) index = 1000 * index + 1;
  mine.front() = 0;
  return at_source(
      {unstructured(Index{1000} * elements * m.ranks(), {m.ranks(), m.rank()}, IndexList(mine))});
}

}  // namespace daptor::test
