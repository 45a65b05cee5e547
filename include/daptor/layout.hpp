// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"

/// \file
/// Layouts that an array can be copied into. Those of namespace `layout` only say how; `like` and
/// `redistributed` make the array.

namespace daptor {

/// How an array of any global shape is dealt to the processes of a communicator, and which of its
/// dimensions varies fastest in memory. Those below are enough for most; another one is a function
/// of its own.
struct TargetLayout {
  /// The dimensions of one rank's section, each of the given global size. Process-local.
  std::function<std::vector<Dimension>(const std::vector<Index>& global_shape, int rank, int ranks)>
      dimensions;
  Order order = Order::c;
};

namespace layout {

/// Even blocks of whole rows of dimension 0, in C order: rank after rank the elements are in the
/// array's row-major order, as one process would hold them. An array without dimensions is refused.
TargetLayout natural();
/// Even blocks along one dimension, counted from 0, the others undistributed (slabs; pencils of a
/// 2-d array).
TargetLayout slab(int dimension, Order order = Order::c);
/// Even blocks on a process grid (pencils, bricks). `grid`: processes along each dimension, 0 where
/// MPI_Dims_create is to choose; empty: it chooses all. A dimension with one process is
/// undistributed.
TargetLayout blocks(std::vector<Index> grid = {}, Order order = Order::c);
/// Blocks of `block_sizes` dealt in turn to the processes of each dimension, as ScaLAPACK has them;
/// `block_sizes`: global indices, one number for each dimension, at least 1. `origin`: the grid
/// rank along each dimension that has the first block (empty: 0). Grid as `blocks`.
TargetLayout block_cyclic(std::vector<Index> block_sizes, std::vector<Index> grid = {},
                          std::vector<Index> origin = {}, Order order = Order::fortran);
/// All elements on the process of that rank in the communicator, the others have empty sections.
TargetLayout on_process(int rank, Order order = Order::c);

}  // namespace layout

/// Describes and allocates an array of the global shape and element type of `a` in another layout,
/// zeroed (`allocate`); copies nothing. Process-local but for a communicator that is new to Daptor
/// (see Comm): asks `comm` for rank and size only.
///
/// A layout that does not go with the shape or the number of processes (rules `layout` and, for
/// grids and origins, `argument`), blocks without indices (C05) and what is wrong with `a` are
/// defects of the result, which the first collective call with it throws on all ranks.
DistArray like(const DistArray& a, const TargetLayout& layout, const Comm& comm);

/// Collective over `comm`: a copy of `a` in another layout, in memory of its own, which is freed
/// with the last description, view or native object on it. `like` and then `redistribute`; the way
/// back is `redistribute(copy, a, comm)`. `a` is described on all of `comm` and is not changed.
///
/// Throws on all ranks what is a defect after `like`, LibraryFailed where a rank lacks the memory,
/// and what `redistribute` throws.
/// @param a       this process's section of the source, with memory
/// @param layout  how the copy is dealt to the processes; the same on all ranks
/// @param comm    the processes that `a` is divided among, over MPI
/// @returns this process's section of the copy: global shape and element type of `a`, no padding
///
/// Example, the even rows of a matrix dealt in tiles for ScaLAPACK: on two processes, process 0
/// gets the columns of tiles 0, 2, ..., and process 1 those of tiles 1, 3, ... \code auto tiles =
/// daptor::redistributed(rows, daptor::layout::block_cyclic({64, 64}), comm); \endcode
DistArray redistributed(const DistArray& a, const TargetLayout& layout, const Comm& comm);

}  // namespace daptor
