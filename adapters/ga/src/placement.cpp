// SPDX-License-Identifier: BSD-3-Clause
#include "placement.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>

#include "daptor/builders.hpp"

namespace daptor::ga::detail {
namespace {

template <class Grid>
Index product_of(const Grid& grid, std::size_t first = 0) {
  return std::accumulate(grid.begin() + static_cast<std::ptrdiff_t>(first), grid.end(), Index{1},
                         std::multiplies<>());
}

PerDimension coordinates_of(Index position, const PerDimension& grid) {
  PerDimension coordinates{};
  for (std::size_t d = grid.size(); d-- > 0; position /= grid[d])
    coordinates[d] = position % grid[d];
  return coordinates;
}

Dimension block_dimension(const Division& division, const Placement& placement, std::size_t d,
                          Index coordinate, Index ghosts) {
  const Index size = division.shape[d];
  const Index processes = placement.grid[d];
  IndexRange owned{size, size};
  if (division.has_elements)
    owned = division.owned[d];
  else if (coordinate < division.grid[d])
    owned = range_along(division, d, coordinate);
  if (ghosts > 0)
    return block(size, {processes, coordinate}, owned, BlockPadding({ghosts, ghosts}, {}, true));
  // The last dimension stays divided where there is one process.
  const bool last_of_one = product_of(placement.grid) == 1 && d + 1 == division.shape.size();
  if (processes == 1 && !last_of_one) return undistributed(size);
  return block(size, {processes, coordinate}, owned);
}

}  // namespace

Index filled_places(const Division& division) {
  return product_of(division.grid);
}

Placement place_some(const Division& division) {
  Placement placement{false, {}};
  placement.grid.fill(1);
  std::copy(division.grid.begin(), division.grid.end(), placement.grid.begin());
  return placement;
}

Placement place_all(const Division& division) {
  Placement placement = place_some(division);
  placement.all = product_of(division.grid) == division.processes;
  for (std::size_t d = 0; d < division.grid.size() && !placement.all; ++d) {
    const Index behind = product_of(division.grid, d + 1);
    if (division.processes % behind == 0) {
      placement.grid[d] = division.processes / behind;
      placement.all = true;
    }
    if (division.grid[d] > 1) break;
  }
  return placement;
}

std::vector<Dimension> dimensions_of(const Division& division, const Placement& placement,
                                     const PerDimension& ghosts) {
  std::vector<Dimension> dimensions;
  if (division.cyclic) {
    for (std::size_t d = 0; d < division.shape.size(); ++d)
      dimensions.push_back(cyclic(division.shape[d], {division.grid[d], division.coordinates[d]},
                                  division.block_sizes[d]));
    return dimensions;
  }
  PerDimension coordinates = coordinates_of(division.rank, placement.grid);
  if (division.has_elements)
    std::copy(division.coordinates.begin(), division.coordinates.end(), coordinates.begin());
  for (std::size_t d = 0; d < division.shape.size(); ++d)
    dimensions.push_back(block_dimension(division, placement, d, coordinates[d], ghosts[d]));
  return dimensions;
}

}  // namespace daptor::ga::detail
