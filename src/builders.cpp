#include "daptor/builders.hpp"

#include <cstdlib>
#include <cstring>
#include <new>
#include <numeric>
#include <utility>

#include "daptor/error.hpp"

namespace daptor {
namespace {

Dimension checked(Dimension dimension) {
  Report report(check_dimension(dimension, 0));
  if (!report) throw Malformed(std::move(report));
  return dimension;
}

/// The widths that `padding` puts on this process's edges.
Block with_padding(Block block, Index global_size, const BlockPadding& padding) {
  block.padded = true;
  if (block.owned.empty() && block.owned.start == global_size) return block;
  const bool lower_external = block.grid.first() && !padding.periodic;
  const bool upper_external = block.grid.last() && !padding.periodic;
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
  return block;
}

void check_grid(GridPosition grid) {
  // The division into blocks needs a sound grid before there is a dimension to check.
  checked(Dimension(0, Block{grid, {0, 0}, {}, {}, false}));
}

template <class T>
T entry(const std::vector<T>& list, std::size_t d, std::size_t ndim, const char* key, T fallback) {
  if (list.empty()) return fallback;
  if (list.size() != ndim)
    throw InvalidArgument(key, std::to_string(list.size()) + " entries",
                          "one for each of " + std::to_string(ndim) + " dimensions");
  return list[d];
}

std::vector<Index> local_extents(const std::vector<Dimension>& dimensions) {
  std::vector<Index> shape;
  shape.reserve(dimensions.size());
  for (const Dimension& dimension : dimensions) shape.push_back(dimension.local_extent());
  return shape;
}

}  // namespace

Dimension undistributed(Index global_size) {
  return checked({global_size, Undistributed{}});
}

Dimension block(Index global_size, GridPosition grid) {
  check_grid(grid);
  return checked({global_size, Block{grid, even_block(global_size, grid), {}, {}, false}});
}

Dimension block(Index global_size, GridPosition grid, const BlockPadding& padding) {
  check_grid(grid);
  return block(global_size, grid, even_block(global_size, grid), padding);
}

Dimension block(Index global_size, GridPosition grid, IndexRange owned) {
  return checked({global_size, Block{grid, owned, {}, {}, false}});
}

Dimension block(Index global_size, GridPosition grid, IndexRange owned,
                const BlockPadding& padding) {
  return checked({global_size,
                  with_padding(Block{grid, owned, {}, {}, false}, global_size, padding),
                  padding.periodic});
}

Dimension cyclic(Index global_size, GridPosition grid, Index block_size, Index origin) {
  check_grid(grid);
  if (origin < 0 || origin >= grid.size)
    throw InvalidArgument("origin", std::to_string(origin),
                          "a process of the dimension, 0 to " + std::to_string(grid.size - 1));
  const Index position = (grid.rank - origin + grid.size) % grid.size;
  const Index start = checked_multiply(position, block_size).value_or(global_size);
  return checked({global_size, Cyclic{grid, std::min(start, global_size), block_size}});
}

Dimension unstructured(Index global_size, GridPosition grid, IndexList indices, bool one_to_one) {
  return checked({global_size, Unstructured{grid, std::move(indices), one_to_one}});
}

DistArray describe(const DataType& type, void* data, std::vector<Dimension> dimensions, Order order,
                   bool readonly, std::shared_ptr<const void> owner) {
  local_count(dimensions);  // refuses what the strides could not be computed for
  std::vector<Index> strides =
      contiguous_strides(local_extents(dimensions), type.itemsize(), order);
  return describe(type, data, std::move(dimensions), std::move(strides), readonly,
                  std::move(owner));
}

DistArray describe(const DataType& type, void* data, std::vector<Dimension> dimensions,
                   std::vector<Index> byte_strides, bool readonly,
                   std::shared_ptr<const void> owner) {
  Buffer buffer(type, local_extents(dimensions), std::move(byte_strides), data, readonly,
                plain_memory(std::move(owner)));
  return DistArray(protocol_0_9, std::move(buffer), std::move(dimensions));
}

std::vector<Index> block_grid(int ndim, int process_count, const std::vector<Index>& grid) {
  if (!grid.empty() && static_cast<int>(grid.size()) != ndim)
    throw InvalidArgument("grid", std::to_string(grid.size()) + " entries",
                          "one for each of " + std::to_string(ndim) + " dimensions");
  std::vector<int> dims(static_cast<std::size_t>(ndim), 0);
  Index given = 1;
  bool open = false;
  for (std::size_t d = 0; d < grid.size(); ++d) {
    if (grid[d] < 0 || grid[d] > process_count)
      throw InvalidArgument("grid", std::to_string(grid[d]),
                            "0 to " + std::to_string(process_count));
    dims[d] = static_cast<int>(grid[d]);
    open = open || grid[d] == 0;
    if (grid[d] > 0) given = checked_multiply(given, grid[d]).value_or(0);
  }
  open = open || (grid.empty() && ndim > 0);
  const bool fits = given > 0 && (open ? process_count % given == 0 : given == process_count);
  if (!fits)
    throw InvalidArgument("grid", "a grid that does not divide the processes",
                          "a product of " + std::to_string(process_count));
  if (open) MPI_Dims_create(process_count, ndim, dims.data());
  return {dims.begin(), dims.end()};
}

std::vector<Index> grid_coordinates(const std::vector<Index>& grid, Index rank) {
  std::vector<Index> coordinates(grid.size());
  for (std::size_t d = grid.size(); d-- > 0;) {
    coordinates[d] = rank % grid[d];
    rank /= grid[d];
  }
  return coordinates;
}

std::vector<Dimension> block_dimensions(const std::vector<Index>& global_shape, MPI_Comm comm,
                                        const BlockOptions& options) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const std::size_t ndim = global_shape.size();
  const std::vector<Index> grid = block_grid(static_cast<int>(ndim), size, options.grid);
  const std::vector<Index> coordinates = grid_coordinates(grid, rank);
  const bool padded = !options.communication.empty() || !options.boundary.empty();
  std::vector<Dimension> dimensions;
  dimensions.reserve(ndim);
  for (std::size_t d = 0; d < ndim; ++d) {
    const GridPosition position{grid[d], coordinates[d]};
    const BlockPadding padding{entry(options.communication, d, ndim, "communication", Padding{}),
                               entry(options.boundary, d, ndim, "boundary", Padding{}),
                               entry(options.periodic, d, ndim, "periodic", false)};
    const Dimension plain = block(global_shape[d], position);
    dimensions.push_back(
        padded ? block(global_shape[d], position, padding)
               : Dimension(plain.global_size(), plain.distribution(), padding.periodic));
  }
  return dimensions;
}

Index local_count(const std::vector<Dimension>& dimensions) {
  const std::vector<Index> shape = local_extents(dimensions);
  std::optional<Index> count = 1;
  for (const Index extent : shape) {
    if (extent == 0) return 0;
    if (count) count = checked_multiply(*count, extent);
  }
  if (count) return *count;
  Finding finding;
  finding.rule = "T10";
  finding.found = "a section of more than 2^63 - 1 elements";
  finding.expected = "a section whose elements 64 bits can count";
  throw Malformed(std::move(finding));
}

DistArray allocate(const DataType& type, std::vector<Dimension> dimensions, Order order) {
  constexpr std::size_t alignment = 64;
  const auto bytes = checked_multiply(local_count(dimensions), static_cast<Index>(type.itemsize()));
  if (!bytes || *bytes > INT64_MAX - static_cast<Index>(alignment)) throw std::bad_alloc();
  const auto rounded = (static_cast<std::size_t>(*bytes) / alignment + 1) * alignment;
  void* data = std::aligned_alloc(alignment, rounded);
  if (data == nullptr) throw std::bad_alloc();
  std::shared_ptr<const void> owner(data, [data](const void*) { std::free(data); });
  std::memset(data, 0, rounded);
  return describe(type, data, std::move(dimensions), order, false, std::move(owner));
}

}  // namespace daptor
