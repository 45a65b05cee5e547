// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Matrices whose elements know their global indices, in memory with guards around them.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include <mpi.h>

#include "daptor/block_dimensions.hpp"
#include "daptor/builders.hpp"
#include "daptor/local_index_map.hpp"
#include "daptor/scalapack.hpp"
#include "everywhere.hpp"
#include "scalapack.hpp"

namespace daptor::scalapack::test {

using daptor::test::expect_different;
using daptor::test::expect_refused;
using daptor::test::expect_refused_everywhere;
using daptor::test::Faults;
using daptor::test::world_rank;
using daptor::test::world_size;

inline const MPI_Comm world = MPI_COMM_WORLD;
inline constexpr int one = 1;

inline double entry_at(Index i, Index j) {
  return 1000.0 * static_cast<double>(i) + static_cast<double>(j);
}

/// Which matrix, in which blocks, from which process on, and rows of memory between columns.
struct Shape {
  Index rows = 0, columns = 0;
  Index row_block = 2, column_block = 2;
  Index row_source = 0, column_source = 0;
  Index gap = 0;
};

/// One process's part of a matrix, column-major with `gap` guards after each column.
struct Part {
  static constexpr double guard = -7.5;

  Part(const Shape& shape, const Grid& grid)
      : rows(shape.rows, shape.row_block, grid.rows(), shape.row_source),
        columns(shape.columns, shape.column_block, grid.columns(), shape.column_source),
        local_rows(rows.local_count(grid.row())),
        local_columns(columns.local_count(grid.column())),
        leading_dimension(std::max<Index>(1, local_rows + shape.gap)),
        values(static_cast<std::size_t>(leading_dimension * local_columns), guard),
        dimensions{rows.dimension(grid.row()), columns.dimension(grid.column())} {
    for (Index j = 0; j < local_columns; ++j)
      for (Index i = 0; i < local_rows; ++i)
        at(i, j) =
            entry_at(rows.global_of(place(grid.row(), i, rows), BlockNumbering::stored),
                     columns.global_of(place(grid.column(), j, columns), BlockNumbering::stored));
  }

  static BlockPlace place(Index process, Index local, const BlockCyclic& map) {
    return {process, local / map.block_size(), local % map.block_size()};
  }
  double& at(Index i, Index j) {
    return values[static_cast<std::size_t>(i + j * leading_dimension)];
  }
  DistArray array() {
    return describe(values.data(), dimensions, {Index{8}, 8 * leading_dimension}).on(world);
  }
  bool guards_intact() {
    for (Index j = 0; j < local_columns; ++j)
      for (Index i = local_rows; i < leading_dimension; ++i)
        if (local_rows > 0 && at(i, j) != guard) return false;
    return true;
  }

  BlockCyclic rows, columns;
  Index local_rows, local_columns, leading_dimension;
  std::vector<double> values;
  std::vector<Dimension> dimensions;
};

/// What `descinit` makes of the same numbers.
inline Descriptor descriptor_of(const Shape& shape, const Grid& grid, Index leading_dimension) {
  const auto as_int = [](Index value) { return static_cast<int>(value); };
  const int m = as_int(shape.rows), n = as_int(shape.columns);
  const int mb = as_int(shape.row_block), nb = as_int(shape.column_block);
  const int rsrc = as_int(shape.row_source), csrc = as_int(shape.column_source);
  const int lld = as_int(leading_dimension), context = grid.context();
  Descriptor desc{};
  int info = -1;
  descinit_(desc.data(), &m, &n, &mb, &nb, &rsrc, &csrc, &context, &lld, &info);
  EXPECT_EQ(info, 0);
  return desc;
}

template <class T>
Descriptor descriptor_of(const Matrix<T>& matrix) {
  Descriptor desc{};
  std::copy_n(matrix.desc(), desc.size(), desc.begin());
  return desc;
}

/// Sections of a matrix on a grid whose processes are in neither order.
inline DistArray on_a_mapped_grid() {
  const std::vector<Index> shape = block_grid(2, world_size());
  const Index place = (world_rank() * (world_size() - 1) + 1) % world_size();
  const GridPosition row{shape[0], place / shape[1]}, column{shape[1], place % shape[1]};
  return allocate<double>({cyclic(9, row, 2), cyclic(7, column, 2)}, Order::fortran).on(world);
}

/// Every grid of all processes, by rows and by columns.
inline void for_each_grid(const std::function<void(const Grid&)>& visit) {
  for (const GridOrder order : {GridOrder::row, GridOrder::column})
    for (int rows = 1; rows <= world_size(); ++rows)
      if (world_size() % rows == 0) visit(Grid(world, rows, world_size() / rows, order));
}

}  // namespace daptor::scalapack::test
