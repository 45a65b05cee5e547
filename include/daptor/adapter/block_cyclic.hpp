// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "daptor/adapter/reason.hpp"
#include "daptor/dimension.hpp"
#include "daptor/section.hpp"
#include "daptor/types.hpp"

/// \file
/// For authors of adapters: dimensions as libraries for dense matrices know them, in blocks of one
/// size that go to the processes in turn.

namespace daptor::adapter {

struct Form;

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

/// The block-cyclic form of a dimension: cyclic and block-cyclic ones as they say, an undistributed
/// one as one block on one process, and a block dimension where all processes have `one_block_each`
/// but the last ones. Communication padding does not matter. Process-local.
/// @returns `nullopt` for other blocks and for lists of indices
std::optional<BlockCyclicForm> as_block_cyclic(const Dimension& dimension);

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

/// A matrix in column-major order, in blocks that go to the processes of a grid in turn, as one
/// process knows it.
struct BlockCyclicMatrix {
  BlockCyclicForm rows, columns;
  Index local_rows = 0;  ///< of this process, without communication padding
  Index local_columns = 0;
  Index leading_dimension = 1;  ///< elements from one column to the next, at least 1
};

/// The matrix of a section of one dimension, its only column, or of two, against which
/// `add_block_cyclic_reasons` has nothing. Blocks are square where the array leaves their size
/// open. Process-local.
BlockCyclicMatrix block_cyclic_matrix(const Section& array);

/// Adds the reasons why a section is no such matrix: the rows of `Form::Matrix`, and
/// `.index-range`. Process-local.
void add_block_cyclic_reasons(const Form& form, const Section& array, Reasons& reasons);

/// Adds the reason against other numbers of dimensions (`.dimensions`). Process-local.
void matrix_dimensions_reason(const Form& form, const Section& array, Reasons& reasons);

/// A place on a grid of processes, for messages: "(1, 0) of 2 x 3".
inline std::string place_text(const GridPosition& row, const GridPosition& column) {
  return "(" + std::to_string(row.rank) + ", " + std::to_string(column.rank) + ") of " +
         std::to_string(row.size) + " x " + std::to_string(column.size);
}

}  // namespace daptor::adapter
