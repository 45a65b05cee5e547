// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/builders.hpp"
#include "daptor/comm.hpp"

/// \file
/// Divides a block array of any number of dimensions over a communicator.

namespace daptor {

/// A block array of any number of dimensions over a whole communicator.
struct BlockOptions {
  /// Number of processes along each dimension; 0 where MPI_Dims_create is to choose. If empty, it
  /// chooses all.
  std::vector<Index> grid = {};
  /// Communication padding on internal and periodic edges, one entry per dimension; empty for none.
  std::vector<Padding> communication = {};
  /// Boundary padding on external edges of non-periodic dimensions, inside the global shape.
  std::vector<Padding> boundary = {};
  /// One entry per dimension; if empty, no dimension is periodic.
  std::vector<bool> periodic = {};
  /// Ghost cells of this width on all sides of every section's memory, whatever its edges are, as
  /// in stencil codes (`BlockPadding::ghosts`). There is one entry for all dimensions, or one for
  /// each. The global shape is then the interior, which is divided evenly, and the described shape
  /// is larger by the ghost cells at both ends of each dimension that is not periodic. On any
  /// number of processes, a section has the extents of its interior plus twice the width; but one
  /// without indices at the end of a periodic dimension has the extent 0 there
  /// (`BlockPadding::ghosts`). Cannot be combined with `communication` and `boundary`.
  std::vector<Index> ghosts = {};
};

/// Makes the dimensions of this rank's section of an even n-d block array: ranks are in row-major
/// order on the grid, and the first processes get the remainder. Process-local: asks `comm` for
/// rank and size only. A dimension with one process and no padding is still a block on one process.
/// If there is any padding, every dimension has the padding key.
///
/// A grid that does not have as many positions as there are processes, options with a wrong number
/// of entries (`argument`), a negative size (D08) or a negative width (P03) are defects of the
/// dimensions: the first collective call with the array throws them on all ranks.
/// @param global_shape  number of indices of the whole array along each dimension, boundary padding
///                      included (with `ghosts`: of the interior)
/// @param comm          the processes among which to divide it
/// @param options       the process grid, padding and periodic dimensions; the same on all ranks
/// @returns one dimension for each of `global_shape`
std::vector<Dimension> block_dimensions(const std::vector<Index>& global_shape, const Comm& comm,
                                        const BlockOptions& options = {});

/// Computes the number of processes along each dimension that `block_dimensions` would use.
/// Process-local; the same arguments give the same result on every process.
/// @param ndim           number of dimensions of the array; 0 requires one process
/// @param process_count  processes to place on the grid, at least 1
/// @param grid           number of processes along each dimension, 0 where MPI_Dims_create is to
///                       choose; if empty, it chooses all
/// @returns `ndim` numbers, whose product is `process_count`
/// @throws InvalidArgument if the numbers do not divide the number of processes, or if MPI must
///   choose a number and is not running
std::vector<Index> block_grid(int ndim, int process_count, const std::vector<Index>& grid = {});

}  // namespace daptor
