// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/layout.hpp"

#include <string>
#include <utility>

#include "daptor/adapter/reason.hpp"
#include "daptor/block_dimensions.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/redistribute.hpp"

namespace daptor {
namespace {

void require_entries(const char* what, std::size_t found, std::size_t ndim) {
  if (found != ndim)
    adapter::refuse_argument("layout", std::to_string(found) + " " + what,
                             "one for each of the " + std::to_string(ndim) + " dimensions");
}

void require_dimension(int dimension, std::size_t ndim) {
  if (dimension < 0 || static_cast<std::size_t>(dimension) >= ndim)
    adapter::refuse_argument(
        "layout", terms::dimension(dimension) + " of an array of " + std::to_string(ndim),
        "a dimension of the array");
}

/// Makes each dimension by `make(d, global_size, position)`, on a grid whose missing sizes are
/// filled in first.
template <class Make>
std::vector<Dimension> on_grid(const std::vector<Index>& shape, const std::vector<Index>& grid,
                               int rank, int ranks, const Make& make) {
  const auto sizes = block_grid(static_cast<int>(shape.size()), ranks, grid);
  const auto at = grid_coordinates(sizes, rank);
  std::vector<Dimension> dimensions;
  for (std::size_t d = 0; d < shape.size(); ++d)
    dimensions.push_back(make(d, shape[d], GridPosition{sizes[d], at[d]}));
  return dimensions;
}

Dimension block_or_whole(std::size_t, Index global_size, GridPosition position) {
  return position.size == 1 ? undistributed(global_size) : block(global_size, position);
}

}  // namespace

TargetLayout layout::slab(int dimension, Order order) {
  return {[dimension](const std::vector<Index>& shape, int rank, int ranks) {
            require_dimension(dimension, shape.size());
            std::vector<Index> grid(shape.size(), 1);
            grid[static_cast<std::size_t>(dimension)] = ranks;
            return on_grid(shape, grid, rank, ranks, block_or_whole);
          },
          order};
}

TargetLayout layout::natural() {
  return slab(0);
}

TargetLayout layout::blocks(IndexVector grid, Order order) {
  return {[grid = std::move(grid)](const std::vector<Index>& shape, int rank, int ranks) {
            if (!grid.empty()) require_entries("grid sizes", grid.size(), shape.size());
            return on_grid(shape, grid, rank, ranks, block_or_whole);
          },
          order};
}

TargetLayout layout::block_cyclic(IndexVector block_sizes, IndexVector grid, IndexVector origin,
                                  Order order) {
  return {[block_sizes = std::move(block_sizes), grid = std::move(grid),
           origin = std::move(origin)](const std::vector<Index>& shape, int rank, int ranks) {
            require_entries("block sizes", block_sizes.size(), shape.size());
            if (!grid.empty()) require_entries("grid sizes", grid.size(), shape.size());
            if (!origin.empty()) require_entries("origins", origin.size(), shape.size());
            return on_grid(
                shape, grid, rank, ranks, [&](std::size_t d, Index size, GridPosition position) {
                  return cyclic(size, position, block_sizes[d], origin.empty() ? 0 : origin[d]);
                });
          },
          order};
}

TargetLayout layout::on_process(int owner, Order order) {
  return {[owner](const std::vector<Index>& shape, int rank, int ranks) {
            if (owner < 0 || owner >= ranks)
              adapter::refuse_argument("layout", "rank " + std::to_string(owner),
                                       "a rank in [0, " + std::to_string(ranks) + ')');
            if (shape.empty() && ranks > 1)
              adapter::refuse_argument("layout", "an array without dimensions on several processes",
                                       "at least one dimension");
            std::vector<Dimension> dimensions;
            for (std::size_t d = 0; d < shape.size(); ++d) {
              if (d > 0) {
                dimensions.push_back(undistributed(shape[d]));
                continue;
              }
              const IndexRange owned{rank <= owner ? 0 : shape[0], rank < owner ? 0 : shape[0]};
              dimensions.push_back(block(shape[0], {ranks, rank}, owned));
            }
            return dimensions;
          },
          order};
}

DistArray like(const DistArray& a, const TargetLayout& layout) {
  const Comm comm = a.comm();
  return deferred(
             [&] {
               if (!layout.dimensions)
                 adapter::refuse_argument("layout", "a layout without a function",
                                          "a layout with a function that returns dimensions");
               return allocate(a.type(),
                               layout.dimensions(a.global_shape(), comm.rank(), comm.size()),
                               layout.order);
             },
             [](Defect defect) { return Section(std::move(defect)); })
      .on(comm);
}

DistArray redistributed(const DistArray& a, const TargetLayout& layout,
                        const RedistributionOptions& options) {
  Call call(a.comm(), "redistributed");
  DistArray copy = call.check([&] { return like(a, layout); });
  redistribute(a, copy, options);
  return copy;
}

}  // namespace daptor
