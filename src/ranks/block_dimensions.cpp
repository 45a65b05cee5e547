// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/block_dimensions.hpp"

#include <string>

#include "daptor/detail/block_padding.hpp"
#include "daptor/error.hpp"
#include "ranks/process_grid.hpp"
#include "section/section_shape.hpp"

namespace daptor {
namespace {

void require_options(const BlockOptions& options, std::size_t ndim) {
  using detail::require_entries;
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

std::vector<Dimension> detail::even_blocks(const IndexVector& global_shape, const ProcessGrid& on,
                                           const BlockOptions& options) {
  BlockOptions asked = options;
  asked.periodic = on.periodic;
  require_options(asked, global_shape.size());
  const bool padded =
      !options.communication.empty() || !options.boundary.empty() || !options.ghosts.empty();
  std::vector<Dimension> dimensions;
  dimensions.reserve(global_shape.size());
  for (std::size_t d = 0; d < global_shape.size(); ++d) {
    const GridPosition position{on.sizes[d], on.position[d]};
    const IndexRange owned = even_block(global_shape[d], position);
    const BlockPadding padding = padding_of(asked, d);
    dimensions.push_back(
        padded ? block(global_shape[d], position, owned, padding)
               : checked_dimension(Dimension(global_shape[d], Block{position, owned, {}, {}, false},
                                             padding.periodic)));
  }
  return dimensions;
}

std::vector<Dimension> block_dimensions(const IndexVector& global_shape, const Comm& comm,
                                        const BlockOptions& options) {
  const std::size_t ndim = global_shape.size();
  return deferred(
      [&] {
        require_options(options, ndim);
        const ProcessGrid on =
            process_grid(static_cast<int>(ndim), comm, options.grid, options.periodic);
        return detail::even_blocks(global_shape, on, options);
      },
      [&](const Defect& defect) {
        std::vector<Dimension> dimensions;
        dimensions.reserve(ndim);
        for (const Index size : global_shape) dimensions.emplace_back(defect, size, Block());
        return dimensions;
      });
}

}  // namespace daptor
