// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/block_dimensions.hpp"

#include <algorithm>
#include <string>

#include "daptor/detail/block_padding.hpp"
#include "daptor/error.hpp"
#include "ranks/mpi_duplicate.hpp"
#include "section/section_shape.hpp"

namespace daptor {
namespace {

void require_entries(const char* key, std::size_t count, std::size_t ndim) {
  if (count != 0 && count != ndim)
    throw InvalidArgument(key, std::to_string(count) + " entries",
                          "no entries, or one for each of " + std::to_string(ndim) + " dimensions");
}

void require_options(const BlockOptions& options, std::size_t ndim) {
  require_entries("communication", options.communication.size(), ndim);
  require_entries("boundary", options.boundary.size(), ndim);
  require_entries("periodic", options.periodic.size(), ndim);
  if (options.ghosts.size() != 1) require_entries("ghosts", options.ghosts.size(), ndim);
  if (!options.ghosts.empty() && !(options.communication.empty() && options.boundary.empty()))
    throw InvalidArgument(
        "ghosts", "ghosts given together with communication or boundary",
        "either ghosts, which sets both kinds of padding, or communication and boundary");
}

}  // namespace

BlockPadding detail::padding_of(const BlockOptions& options, std::size_t d) {
  const bool periodic = !options.periodic.empty() && options.periodic[d];
  if (!options.ghosts.empty()) {
    const Index width = options.ghosts[options.ghosts.size() == 1 ? 0 : d];
    return BlockPadding::ghosts({width, width}, periodic);
  }
  BlockPadding padding;
  if (!options.communication.empty()) padding.communication = options.communication[d];
  if (!options.boundary.empty()) padding.boundary = options.boundary[d];
  padding.periodic = periodic;
  return padding;
}

std::vector<Index> block_grid(int ndim, int process_count, const std::vector<Index>& grid) {
  if (ndim < 0) throw InvalidArgument("ndim", std::to_string(ndim), "zero or more");
  if (process_count < 1)
    throw InvalidArgument("process_count", std::to_string(process_count), "one or more");
  require_entries("grid", grid.size(), static_cast<std::size_t>(ndim));
  std::vector<int> dims(static_cast<std::size_t>(ndim), 0);
  Index given = 1;
  for (std::size_t d = 0; d < grid.size(); ++d) {
    if (grid[d] < 0 || grid[d] > process_count)
      throw InvalidArgument(
          "grid", std::to_string(grid[d]),
          "0, or a divisor of the " + std::to_string(process_count) + " processes");
    dims[d] = static_cast<int>(grid[d]);
    if (grid[d] > 0) given = checked_multiply(given, grid[d]).value_or(0);
  }
  const bool open = std::find(dims.begin(), dims.end(), 0) != dims.end();
  const bool fits = given > 0 && (open ? process_count % given == 0 : given == process_count);
  if (!fits)
    throw InvalidArgument("grid", "a grid that does not divide the number of processes",
                          "grid sizes whose product is " + std::to_string(process_count));
  if (open) {
    require_mpi_running();
    check_mpi(MPI_Dims_create(process_count, ndim, dims.data()), "MPI_Dims_create");
  }
  return {dims.begin(), dims.end()};
}

std::vector<Dimension> block_dimensions(const std::vector<Index>& global_shape, const Comm& comm,
                                        const BlockOptions& options) {
  const std::size_t ndim = global_shape.size();
  std::vector<Index> grid, coordinates;
  Defect defect;
  try {
    require_options(options, ndim);
    grid = block_grid(static_cast<int>(ndim), comm.size(), options.grid);
    coordinates = grid_coordinates(grid, comm.rank());
  } catch (const Error& error) {
    defect = Defect(error);
  }
  const bool padded =
      !options.communication.empty() || !options.boundary.empty() || !options.ghosts.empty();
  std::vector<Dimension> dimensions;
  dimensions.reserve(ndim);
  for (std::size_t d = 0; d < ndim; ++d) {
    if (defect) {
      dimensions.emplace_back(defect, global_shape[d], Block());
      continue;
    }
    const GridPosition position{grid[d], coordinates[d]};
    const IndexRange owned = even_block(global_shape[d], position);
    const BlockPadding padding = detail::padding_of(options, d);
    dimensions.push_back(
        padded ? block(global_shape[d], position, owned, padding)
               : checked_dimension(Dimension(global_shape[d], Block{position, owned, {}, {}, false},
                                             padding.periodic)));
  }
  return dimensions;
}

}  // namespace daptor
