#include "daptor/builders.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "daptor/error.hpp"
#include "mpi_duplicate.hpp"
#include "section_shape.hpp"

namespace daptor {
namespace {

/// A dimension that is not yet part of an array.
constexpr int no_number = -1;

Dimension checked(Dimension dimension) {
  Report report(check_dimension(dimension, no_number));
  if (!report) throw Malformed(std::move(report));
  return dimension;
}

const std::vector<Dimension>& checked(const std::vector<Dimension>& dimensions) {
  Report report = check_dimensions(dimensions, protocol_0_9);
  if (!report) throw Malformed(std::move(report));
  return dimensions;
}

/// The division into blocks needs a sound grid before there is a dimension to check.
void require_grid(GridPosition grid) {
  checked(Dimension(0, Block{grid, {0, 0}, {}, {}, false}));
}

/// Refused on every process alike, also on those whose edges have none of the negative width.
void require_widths(const BlockPadding& padding, int number) {
  for (const Padding widths : {padding.communication, padding.boundary})
    if (widths.lower < 0 || widths.upper < 0)
      throw Malformed(error_finding(
          "P03", number, "padding",
          '(' + std::to_string(widths.lower) + ", " + std::to_string(widths.upper) + ')',
          "widths of zero or more"));
}

/// A block with the widths that `padding` puts on this process's edges, its clauses not checked.
Dimension padded_block(Index global_size, GridPosition grid, IndexRange owned,
                       const BlockPadding& padding) {
  Block block{grid, owned, {}, {}, true};
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
                          "none, or one for each of " + std::to_string(ndim) + " dimensions");
}

/// What `options` says about dimension `d`.
BlockPadding padding_of(const BlockOptions& options, std::size_t d) {
  BlockPadding padding;
  if (!options.communication.empty()) padding.communication = options.communication[d];
  if (!options.boundary.empty()) padding.boundary = options.boundary[d];
  if (!options.periodic.empty()) padding.periodic = options.periodic[d];
  return padding;
}

std::vector<Index> local_extents(const std::vector<Dimension>& dimensions) {
  std::vector<Index> shape;
  shape.reserve(dimensions.size());
  for (const Dimension& dimension : dimensions) shape.push_back(dimension.local_extent());
  return shape;
}

}  // namespace

Dimension undistributed(Index global_size) {
  return checked(Dimension(global_size, Undistributed{}));
}

Dimension block(Index global_size, GridPosition grid) {
  require_grid(grid);
  return block(global_size, grid, even_block(global_size, grid));
}

Dimension block(Index global_size, GridPosition grid, const BlockPadding& padding) {
  require_grid(grid);
  return block(global_size, grid, even_block(global_size, grid), padding);
}

Dimension block(Index global_size, GridPosition grid, IndexRange owned) {
  return checked(Dimension(global_size, Block{grid, owned, {}, {}, false}));
}

Dimension block(Index global_size, GridPosition grid, IndexRange owned,
                const BlockPadding& padding) {
  require_widths(padding, no_number);
  return checked(padded_block(global_size, grid, owned, padding));
}

Dimension cyclic(Index global_size, GridPosition grid, Index block_size, Index origin) {
  require_grid(grid);
  if (origin < 0 || origin >= grid.size)
    throw InvalidArgument("origin", std::to_string(origin),
                          "a process of the dimension, 0 to " + std::to_string(grid.size - 1));
  const Index position = grid.rank - origin + (grid.rank < origin ? grid.size : 0);
  const Index start = checked_multiply(position, block_size).value_or(global_size);
  return checked(Dimension(global_size, Cyclic{grid, std::min(start, global_size), block_size}));
}

Dimension unstructured(Index global_size, GridPosition grid, IndexList indices, bool one_to_one) {
  return checked(Dimension(global_size, Unstructured{grid, std::move(indices), one_to_one}));
}

DistArray describe(const DataType& type, void* data, std::vector<Dimension> dimensions, Order order,
                   bool readonly, std::shared_ptr<const void> owner) {
  std::vector<Index> strides =
      contiguous_strides(local_extents(checked(dimensions)), type.itemsize(), order);
  return describe(type, data, std::move(dimensions), std::move(strides), readonly,
                  std::move(owner));
}

DistArray describe(const DataType& type, void* data, std::vector<Dimension> dimensions,
                   std::vector<Index> byte_strides, bool readonly,
                   std::shared_ptr<const void> owner) {
  Buffer buffer(type, local_extents(checked(dimensions)), std::move(byte_strides), data, readonly,
                plain_memory(std::move(owner)));
  return DistArray(protocol_0_9, std::move(buffer), std::move(dimensions));
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
      throw InvalidArgument("grid", std::to_string(grid[d]),
                            "0 to " + std::to_string(process_count));
    dims[d] = static_cast<int>(grid[d]);
    if (grid[d] > 0) given = checked_multiply(given, grid[d]).value_or(0);
  }
  const bool open = std::find(dims.begin(), dims.end(), 0) != dims.end();
  const bool fits = given > 0 && (open ? process_count % given == 0 : given == process_count);
  if (!fits)
    throw InvalidArgument("grid", "a grid that does not divide the processes",
                          "a product of " + std::to_string(process_count));
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
    if (grid[d] < 1) throw InvalidArgument("grid", std::to_string(grid[d]), "one process or more");
    coordinates[d] = rest % grid[d];
    rest /= grid[d];
  }
  if (rank < 0 || rest != 0)
    throw InvalidArgument("rank", std::to_string(rank), "the rank of a process on the grid");
  return coordinates;
}

std::vector<Dimension> block_dimensions(const std::vector<Index>& global_shape, MPI_Comm comm,
                                        const BlockOptions& options) {
  require_intracommunicator(comm);
  int rank = 0;
  int size = 1;
  check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(comm, &size), "MPI_Comm_size");
  const std::size_t ndim = global_shape.size();
  require_entries("communication", options.communication.size(), ndim);
  require_entries("boundary", options.boundary.size(), ndim);
  require_entries("periodic", options.periodic.size(), ndim);
  const std::vector<Index> grid = block_grid(static_cast<int>(ndim), size, options.grid);
  const std::vector<Index> coordinates = grid_coordinates(grid, rank);
  const bool padded = !options.communication.empty() || !options.boundary.empty();
  std::vector<Dimension> dimensions;
  dimensions.reserve(ndim);
  for (std::size_t d = 0; d < ndim; ++d) {
    const GridPosition position{grid[d], coordinates[d]};
    const IndexRange owned = even_block(global_shape[d], position);
    const BlockPadding padding = padding_of(options, d);
    require_widths(padding, static_cast<int>(d));
    dimensions.push_back(padded ? padded_block(global_shape[d], position, owned, padding)
                                : Dimension(global_shape[d], Block{position, owned, {}, {}, false},
                                            padding.periodic));
  }
  return checked(dimensions);
}

Index local_count(const std::vector<Dimension>& dimensions) {
  if (const auto count = element_count(local_extents(checked(dimensions)))) return *count;
  throw Malformed(error_finding("T10", -1, "", "a section of more than 2^63 - 1 elements",
                                "a section whose elements 64 bits can count"));
}

DistArray allocate(const DataType& type, std::vector<Dimension> dimensions, Order order) {
  constexpr std::size_t alignment = 64;
  const DistArray form = describe(type, nullptr, std::move(dimensions), order);
  const std::size_t bytes = static_cast<std::size_t>(form.local_count()) * type.itemsize();
  // At least one byte, so that an empty section has memory too.
  const std::size_t rounded = (bytes / alignment + 1) * alignment;
  void* const data = std::aligned_alloc(alignment, rounded);
  if (data == nullptr)
    throw LibraryFailed("c++", "aligned_alloc",
                        "no memory for " + std::to_string(bytes) + " bytes");
  const std::shared_ptr<const void> owner(data, [data](const void*) { std::free(data); });
  std::memset(data, 0, rounded);
  return form.with_memory(data, owner);
}

}  // namespace daptor
