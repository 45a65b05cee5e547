// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/builders.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "communication/mpi_duplicate.hpp"
#include "daptor/detail/block_padding.hpp"
#include "daptor/error.hpp"

namespace daptor {
namespace {

/// Stands for the number of a dimension that is not yet part of an array.
constexpr int no_number = -1;

/// The dimension itself, or a dimension with the defect of the clauses that it breaks.
Dimension checked(Dimension dimension) {
  Report report(check_dimension(dimension, no_number));
  if (report) return dimension;
  return {Defect(ErrorKind::malformed, std::move(report)), dimension.global_size(),
          dimension.distribution(), dimension.periodic()};
}

/// The result of `make`; if it throws, `form` with the error as its defect.
template <class Make>
Dimension made(Index global_size, const Dimension::Distribution& form, Make&& make) {
  return deferred(std::forward<Make>(make),
                  [&](Defect defect) { return Dimension(std::move(defect), global_size, form); });
}

/// A grid must be valid before anything is divided into blocks; at that point there is no dimension
/// yet that could be checked.
void require_grid(GridPosition grid) {
  checked(Dimension(0, Block{grid, {0, 0}, {}, {}, false})).defect().raise();
}

/// Refuses negative widths on every process, even on those whose edges do not use them.
void require_widths(const BlockPadding& padding) {
  for (const Padding widths : {padding.communication, padding.boundary})
    if (widths.lower < 0 || widths.upper < 0)
      throw Malformed(error_finding(
          "P03", no_number, "padding",
          '(' + std::to_string(widths.lower) + ", " + std::to_string(widths.upper) + ')',
          "widths of zero or more"));
}

Index plus(Index index, Index width) {
  if (const auto sum = checked_add(index, width)) return *sum;
  throw Malformed(error_finding("P13", no_number, "padding",
                                "a size that exceeds 64 bits with its ghost cells",
                                "at most 2^63 - 1 indices, ghost cells included"));
}

/// Converts the size and the owned range of an interior to those of the whole dimension: indices
/// move up by the number of ghost cells below, and the first and the last section own the ghost
/// cells on their external edges.
void add_ghosts(GridPosition grid, const BlockPadding& padding, Index& global_size,
                IndexRange& owned) {
  if (padding.periodic) return;
  const auto [below, above] = padding.boundary;
  global_size = plus(plus(global_size, below), above);
  owned = {grid.first() && owned.start == 0 ? 0 : plus(owned.start, below),
           plus(owned.stop, below)};
  if (grid.last()) owned.stop = plus(owned.stop, above);
}

/// A block with the widths of `padding` that apply to this process's edges; its clauses are not
/// checked.
Dimension padded_block(Index global_size, GridPosition grid, IndexRange owned,
                       const BlockPadding& padding) {
  if (padding.outside) add_ghosts(grid, padding, global_size, owned);
  Block block{grid, owned, {}, {}, true, padding};
  const bool empty = owned.empty() && owned.start == global_size;
  if (!empty) {
    const bool lower_external = grid.first() && !padding.periodic;
    const bool upper_external = grid.last() && !padding.periodic;
    if (lower_external) {
      block.boundary.lower = padding.boundary.lower;
    } else {
      block.communication.lower = padding.communication.lower;
    }
    if (upper_external) {
      block.boundary.upper = padding.boundary.upper;
    } else {
      block.communication.upper = padding.communication.upper;
    }
  }
  return {global_size, block, padding.periodic};
}

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

Dimension undistributed(Index global_size) {
  return checked(Dimension(global_size, Undistributed{}));
}

Dimension block(Index global_size, GridPosition grid) {
  return made(global_size, Block{grid, {}, {}, {}}, [&] {
    require_grid(grid);
    return block(global_size, grid, even_block(global_size, grid));
  });
}

Dimension block(Index global_size, GridPosition grid, const BlockPadding& padding) {
  return made(global_size, Block{grid, {}, {}, {}}, [&] {
    require_grid(grid);
    return block(global_size, grid, even_block(global_size, grid), padding);
  });
}

Dimension block(Index global_size, GridPosition grid, IndexRange owned) {
  return checked(Dimension(global_size, Block{grid, owned, {}, {}, false}));
}

Dimension block(Index global_size, GridPosition grid, IndexRange owned,
                const BlockPadding& padding) {
  return made(global_size, Block{grid, owned, {}, {}}, [&] {
    require_widths(padding);
    // Faults of the interior are reported in terms of the interior's own indices.
    if (padding.outside) block(global_size, grid, owned).defect().raise();
    return checked(padded_block(global_size, grid, owned, padding));
  });
}

Dimension cyclic(Index global_size, GridPosition grid, Index block_size, Index origin) {
  return made(global_size, Cyclic{grid, 0, block_size}, [&] {
    require_grid(grid);
    if (origin < 0 || origin >= grid.size)
      throw InvalidArgument(
          "origin", std::to_string(origin),
          "a grid rank of the dimension, in [0, " + std::to_string(grid.size) + ')');
    const Index position = grid.rank - origin + (grid.rank < origin ? grid.size : 0);
    const Index start = checked_multiply(position, block_size).value_or(global_size);
    return checked(Dimension(global_size, Cyclic{grid, std::min(start, global_size), block_size}));
  });
}

Dimension unstructured(Index global_size, GridPosition grid, IndexList indices, bool one_to_one) {
  return checked(Dimension(global_size, Unstructured{grid, std::move(indices), one_to_one}));
}

Dimension owned_then_ghosts(Index global_size, GridPosition grid, IndexList indices, Index owned) {
  return checked(Dimension(global_size, Unstructured{grid, std::move(indices), false, owned}));
}

Dimension owned_then_ghosts(Index global_size, GridPosition grid, const std::vector<Index>& owned,
                            const std::vector<Index>& ghosts) {
  return made(global_size, Unstructured{grid, {}, false, 0}, [&] {
    std::vector<Index> indices;
    indices.reserve(owned.size() + ghosts.size());
    indices.insert(indices.end(), owned.begin(), owned.end());
    indices.insert(indices.end(), ghosts.begin(), ghosts.end());
    return owned_then_ghosts(global_size, grid, IndexList(std::move(indices)),
                             static_cast<Index>(owned.size()));
  });
}

Dimension block_then_ghosts(Index global_size, GridPosition grid, IndexRange owned,
                            const std::vector<Index>& ghosts) {
  return made(global_size, Unstructured{grid, {}, false, 0}, [&] {
    block(global_size, grid, owned).defect().raise();
    std::vector<Index> indices(static_cast<std::size_t>(owned.size()));
    std::iota(indices.begin(), indices.end(), owned.start);
    indices.insert(indices.end(), ghosts.begin(), ghosts.end());
    return owned_then_ghosts(global_size, grid, IndexList(std::move(indices)), owned.size());
  });
}

Dimension block_then_ghosts(Index global_size, GridPosition grid,
                            const std::vector<Index>& ghosts) {
  return made(global_size, Unstructured{grid, {}, false, 0}, [&] {
    require_grid(grid);
    return block_then_ghosts(global_size, grid, even_block(global_size, grid), ghosts);
  });
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

std::vector<Index> grid_coordinates(const std::vector<Index>& grid, Index rank) {
  std::vector<Index> coordinates(grid.size());
  Index rest = rank;
  for (std::size_t d = grid.size(); d-- > 0;) {
    if (grid[d] < 1)
      throw InvalidArgument("grid", std::to_string(grid[d]), "one or more processes");
    coordinates[d] = rest % grid[d];
    rest /= grid[d];
  }
  if (rank < 0 || rest != 0)
    throw InvalidArgument("rank", std::to_string(rank), "a rank on the grid");
  return coordinates;
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
               : checked(Dimension(global_shape[d], Block{position, owned, {}, {}, false},
                                   padding.periodic)));
  }
  return dimensions;
}

}  // namespace daptor
