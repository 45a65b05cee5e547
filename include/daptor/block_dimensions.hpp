// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/builders.hpp"
#include "daptor/comm.hpp"
#include "daptor/process_grid.hpp"

/// \file
/// Divides a block array of any number of dimensions over a communicator.

namespace daptor {

/// A block array of any number of dimensions over a whole communicator.
struct BlockOptions {
  /// Number of processes along each dimension; 0 where it is open: a Cartesian communicator's, or
  /// else what MPI_Dims_create chooses. If empty, all are open (`process_grid`).
  IndexVector grid = {};
  /// Communication padding on internal and periodic edges, one entry per dimension; empty for none.
  PaddingVector communication = {};
  /// Boundary padding on external edges of non-periodic dimensions, inside the global shape.
  PaddingVector boundary = {};
  /// One entry per dimension; if empty, the periods of a Cartesian communicator, or else none.
  FlagVector periodic = {};
  /// Ghost cells of this width on all sides of every section's memory, whatever its edges are, as
  /// in stencil codes (`BlockPadding::ghosts`). There is one entry for all dimensions, or one for
  /// each. The global shape is then the interior, which is divided evenly, and the described shape
  /// is larger by the ghost cells at both ends of each dimension that is not periodic. On any
  /// number of processes, a section has the extents of its interior plus twice the width; but one
  /// without indices at the end of a periodic dimension has the extent 0 there
  /// (`BlockPadding::ghosts`). Cannot be combined with `communication` and `boundary`.
  IndexVector ghosts = {};
};

/// Makes the dimensions of this rank's section of an even n-d block array. A Cartesian communicator
/// says where its processes are on the grid, and which dimensions are periodic; on others, ranks
/// are in row-major order (`process_grid`). The first processes get the remainder. Process-local:
/// asks `comm` for rank, size and topology only. A dimension with one process and no padding is
/// still a block on one process. If there is any padding, every dimension has the padding key.
///
/// A grid that does not have as many positions as there are processes, options with a wrong number
/// of entries or against a Cartesian communicator (`argument`), a negative size (D08) or a negative
/// width (P03) are defects of the dimensions: the first collective call with the array throws them
/// on all ranks.
/// @param global_shape  number of indices of the whole array along each dimension, boundary padding
///                      included (with `ghosts`: of the interior)
/// @param comm          the processes among which to divide it
/// @param options       the process grid, padding and periodic dimensions; the same on all ranks
/// @returns one dimension for each of `global_shape`
std::vector<Dimension> block_dimensions(const IndexVector& global_shape, const Comm& comm,
                                        const BlockOptions& options = {});

/// One dimension is a list too.
template <class T, detail::RequireNumber<T> = 0>
std::vector<Dimension> block_dimensions(T&& /*global_size*/, const Comm& /*comm*/,
                                        const BlockOptions& /*options*/ = {}) {
  static_assert(detail::never<T>,
                "block_dimensions: write the shape in braces, as in {40} or {40, 30}");
  return {};
}

}  // namespace daptor
