// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "daptor/daptor.hpp"
#include "scale.hpp"

/// \file
/// The arrays of the cases. A section has the same size on any number of ranks, which must be a
/// power of two.

namespace daptor::test {

/// This rank's position in each dimension.
using Positions = std::vector<GridPosition>;

/// A grid of so many ranks, with dimensions as equal as multiplying the smallest one by prime
/// factors, the greatest first, makes them; the larger ones last.
std::vector<Index> grid_of(int ndim, Index ranks);
Positions positions(const std::vector<Index>& grid, Index rank);
/// In a grid of all ranks, the last rank first if `backwards`.
Positions positions(int ndim, const Measuring& m, bool backwards = false);
/// The dimensions `over` of `ndim` are divided over a grid of all ranks.
Positions spread(std::size_t ndim, const std::vector<std::size_t>& over, const Measuring& m);

/// A section of doubles that nobody writes.
Section at_source(std::vector<Dimension> dimensions);
/// A section of doubles whose values do not matter.
Section at_target(std::vector<Dimension> dimensions);

/// The `edge` of a cube, square or line with this many elements.
Index edge_of(Index elements, int ndim);
/// Blocks of `edge` indices, but every second bound is moved up by one.
IndexRange uneven(Index edge, GridPosition at);
std::vector<Dimension> blocks(const std::vector<Index>& shape, const Positions& at);

/// Blocks of `elements` elements.
Section even(int ndim, Index elements, const Positions& at);
/// The same with one layer of padding, in a ring in each dimension; `irregular`: of uneven blocks.
Section ring(int ndim, Index elements, const Positions& at, bool irregular);
/// Blocks of 2 by 3 in cycles; the first rows are at position `origin` of their grid.
Section in_cycles(Index elements, const Positions& at, Index origin);

/// A permutation of [0, ranks * elements): a list in which no two indices follow each other.
std::vector<Index> shuffled(Index elements, const Measuring& m);
/// A permutation of pieces of 8 indices that follow each other.
std::vector<Index> shuffled_pieces(Index elements, const Measuring& m);
/// An array of `shuffled` indices.
Section permutation(Index elements, const Measuring& m);
/// Each rank owns a range, and has as ghosts the same few indices of rank 0 and some of its
/// neighbour's.
Section with_popular_ghosts(Index elements, const Measuring& m);
/// Lists of which every one has index 0 and otherwise indices of its own, far apart.
Section with_shared_index(Index elements, const Measuring& m);

}  // namespace daptor::test
