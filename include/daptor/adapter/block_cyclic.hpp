// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "daptor/adapter/reason.hpp"
#include "daptor/dimension.hpp"
#include "daptor/types.hpp"

/// \file
/// For authors of adapters: dimensions as libraries for dense matrices know them, in blocks of one
/// size that go to the processes in turn.

namespace daptor::adapter {

/// A dimension in blocks of one size, as far as one process knows it. By default: one index, which
/// one process has.
struct BlockCyclicForm {
  Index size = 1;
  Index block = 1;         ///< indices in a block, at least 1
  GridPosition grid = {};  ///< the processes, and this one among them
  /// The process with the first block; `nullopt` on a process without elements of its own, which
  /// does not know it.
  std::optional<Index> source = 0;
  /// One process has the whole dimension, which does not say a block size: `block` is its size, and
  /// any other one divides it in the same way.
  bool any_block = false;
};

/// Indices in a block where each process gets one block: `ceil(size / processes)`, at least 1. The
/// last processes may get fewer or none: 10 indices on 3 processes are 4, 4 and 2.
inline Index one_block_each(Index size, Index processes) {
  return std::max<Index>(1, size / processes + (size % processes > 0 ? 1 : 0));
}

/// The indices of one process where each process gets one block of `one_block_each`; [size, size)
/// where it gets none.
inline IndexRange range_of_one_block(Index size, GridPosition grid) {
  const Index length = one_block_each(size, grid.size);
  // The product is not formed where it may not fit in 64 bits.
  const Index start = grid.rank > size / length ? size : std::min(size, grid.rank * length);
  return {start, start + std::min(length, size - start)};
}

namespace detail {

inline std::optional<BlockCyclicForm> form_of_block(Index size, const Block& block) {
  const Index length = one_block_each(size, block.grid.size);
  const IndexRange expected = range_of_one_block(size, block.grid);
  const bool empty = block.owned.empty() && expected.empty();
  if (!empty && block.owned != expected) return std::nullopt;
  return BlockCyclicForm{size, length, block.grid, 0, block.grid.size == 1};
}

inline BlockCyclicForm form_of_cyclic(Index size, const Cyclic& cyclic) {
  BlockCyclicForm found{size, cyclic.block_size, cyclic.grid, std::nullopt, false};
  if (cyclic.start >= size) return found;
  const Index turns = cyclic.start / cyclic.block_size % cyclic.grid.size;
  found.source = (cyclic.grid.rank - turns + cyclic.grid.size) % cyclic.grid.size;
  return found;
}

}  // namespace detail

/// The block-cyclic form of a dimension: cyclic and block-cyclic ones as they say, an undistributed
/// one as one block on one process, and a block dimension where all processes have `one_block_each`
/// but the last ones. Communication padding does not matter. Process-local.
/// @returns `nullopt` for other blocks and for lists of indices
inline std::optional<BlockCyclicForm> as_block_cyclic(const Dimension& dimension) {
  const Index size = dimension.global_size();
  if (dimension.as<Undistributed>() != nullptr)
    return BlockCyclicForm{size, std::max<Index>(1, size), {}, 0, true};
  if (const auto* block = dimension.as<Block>()) return detail::form_of_block(size, *block);
  if (const auto* cyclic = dimension.as<Cyclic>()) return detail::form_of_cyclic(size, *cyclic);
  return std::nullopt;
}

/// Makes the blocks of a matrix square where its dimensions leave that open, as most routines of
/// ScaLAPACK want them: a dimension that one process has takes the block size of the other one. If
/// one process has both, the matrix is in one block.
inline void make_blocks_square(BlockCyclicForm& rows, BlockCyclicForm& columns) {
  if (rows.any_block && columns.any_block)
    rows.block = columns.block = std::max(rows.block, columns.block);
  else if (rows.any_block)
    rows.block = columns.block;
  else if (columns.any_block)
    columns.block = rows.block;
}

/// A place on a grid of processes, for messages: "(1, 0) of 2 x 3".
inline std::string place_text(const GridPosition& row, const GridPosition& column) {
  return "(" + std::to_string(row.rank) + ", " + std::to_string(column.rank) + ") of " +
         std::to_string(row.size) + " x " + std::to_string(column.size);
}

/// Appends the reason against a number beyond 32 bits, in which a library counts: rule
/// `<prefix>.index-range`.
/// @param what       a phrase with an article, as "a block size"
/// @param dimension  -1 for the array as a whole
inline void range_reason(const std::string& prefix, const char* what, Index value, Reasons& reasons,
                         int dimension = -1) {
  constexpr Index largest = std::numeric_limits<std::int32_t>::max();
  if (value <= largest) return;
  reasons.push_back(
      reason(prefix + ".index-range", dimension, std::string(what) + " of " + std::to_string(value),
             "at most " + std::to_string(largest) + ", as the library counts in 32 bits",
             "Use more processes, or a part of the matrix."));
}

}  // namespace daptor::adapter
