// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/builders.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "daptor/error.hpp"
#include "section/section_shape.hpp"

namespace daptor {
namespace {

/// Stands for the number of a dimension that is not yet part of an array.
constexpr int no_number = -1;

/// The result of `make`; if it throws, `form` with the error as its defect.
template <class Make>
Dimension made(Index global_size, const Dimension::Distribution& form, Make&& make) {
  return deferred(std::forward<Make>(make),
                  [&](Defect defect) { return Dimension(std::move(defect), global_size, form); });
}

/// A grid must be valid before anything is divided into blocks; at that point there is no dimension
/// yet that could be checked.
void require_grid(GridPosition grid) {
  checked_dimension(Dimension(0, Block{grid, {0, 0}, {}, {}, false})).defect().raise();
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

}  // namespace

Dimension checked_dimension(Dimension dimension) {
  Report report(check_dimension(dimension, no_number));
  if (report) return dimension;
  return {Defect(ErrorKind::malformed, std::move(report)), dimension.global_size(),
          dimension.distribution(), dimension.periodic()};
}

Dimension undistributed(Index global_size) {
  return checked_dimension(Dimension(global_size, Undistributed{}));
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
  return checked_dimension(Dimension(global_size, Block{grid, owned, {}, {}, false}));
}

Dimension block(Index global_size, GridPosition grid, IndexRange owned,
                const BlockPadding& padding) {
  return made(global_size, Block{grid, owned, {}, {}}, [&] {
    require_widths(padding);
    // Faults of the interior are reported in terms of the interior's own indices.
    if (padding.outside) block(global_size, grid, owned).defect().raise();
    return checked_dimension(padded_block(global_size, grid, owned, padding));
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
    return checked_dimension(
        Dimension(global_size, Cyclic{grid, std::min(start, global_size), block_size}));
  });
}

Dimension unstructured(Index global_size, GridPosition grid, IndexList indices, bool one_to_one) {
  return checked_dimension(
      Dimension(global_size, Unstructured{grid, std::move(indices), one_to_one}));
}

Dimension unstructured(Index global_size, GridPosition grid, IndexList indices, OwnedPart owned) {
  return checked_dimension(
      Dimension(global_size, Unstructured{grid, std::move(indices), false, std::move(owned)}));
}

Dimension unstructured(Index global_size, GridPosition grid, IndexList indices,
                       const std::vector<bool>& owned) {
  return made(global_size, Unstructured{grid, indices, false, 0}, [&] {
    const auto entries = static_cast<Index>(owned.size());
    if (entries != indices.size())
      throw Malformed(
          error_finding("owned.positions", no_number, "owned",
                        "a mask of " + std::to_string(entries) + " entries",
                        "one for each of the " + std::to_string(indices.size()) + " indices"));
    return unstructured(global_size, grid, std::move(indices), OwnedPart::where(owned));
  });
}

Dimension owned_then_ghosts(Index global_size, GridPosition grid, IndexList indices, Index owned) {
  return unstructured(global_size, grid, std::move(indices), OwnedPart(owned));
}

Dimension owned_then_ghosts(Index global_size, GridPosition grid, const IndexVector& owned,
                            const IndexVector& ghosts) {
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
                            const IndexVector& ghosts) {
  return made(global_size, Unstructured{grid, {}, false, 0}, [&] {
    block(global_size, grid, owned).defect().raise();
    std::vector<Index> indices(static_cast<std::size_t>(owned.size()));
    std::iota(indices.begin(), indices.end(), owned.start);
    indices.insert(indices.end(), ghosts.begin(), ghosts.end());
    return owned_then_ghosts(global_size, grid, IndexList(std::move(indices)), owned.size());
  });
}

Dimension block_then_ghosts(Index global_size, GridPosition grid, const IndexVector& ghosts) {
  return made(global_size, Unstructured{grid, {}, false, 0}, [&] {
    require_grid(grid);
    return block_then_ghosts(global_size, grid, even_block(global_size, grid), ghosts);
  });
}

}  // namespace daptor
