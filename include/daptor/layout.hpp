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
  /// The dimensions of one rank's section, each of the given global size. Process-local: it must
  /// not communicate. `rank` is in [0, ranks). What it throws is a defect of the array (see
  /// `like`).
  std::function<std::vector<Dimension>(const std::vector<Index>& global_shape, int rank, int ranks)>
      dimensions;
  Order order = Order::c;  ///< of each section's memory, which is gapless
};

/// Each of these says how an array is to be dealt, and makes none: process-local, without
/// communication or checks. Whether it goes with an array and a number of processes is judged by
/// `like` and `redistributed`. Ranks sit on the process grid in row-major order, and no layout has
/// padding.
namespace layout {

/// Even blocks of whole rows of dimension 0, in C order: rank after rank the elements are in the
/// array's row-major order, as one process would hold them. An array without dimensions is refused.
TargetLayout natural();
/// Even blocks along one dimension, the others undistributed (slabs; pencils of a 2-d array). The
/// first processes have one index more where the size is not a multiple of their number.
/// @param dimension  the dimension to divide, in [0, ndim)
/// @param order      how each section lies in memory
TargetLayout slab(int dimension, Order order = Order::c);
/// Even blocks on a process grid (pencils, bricks). A dimension with one process is undistributed.
/// @param grid   processes along each dimension, 0 where MPI_Dims_create is to choose; empty: it
///               chooses all. Their product is the number of processes
/// @param order  how each section lies in memory
TargetLayout blocks(std::vector<Index> grid = {}, Order order = Order::c);
/// Blocks dealt in turn to the processes of each dimension, as ScaLAPACK has them.
/// @param block_sizes  global indices in a block, one number for each dimension, at least 1
/// @param grid         as `blocks`
/// @param origin       grid rank that has the first block, one for each dimension; empty: 0
/// @param order        how each section lies in memory; Fortran order as ScaLAPACK wants it
TargetLayout block_cyclic(std::vector<Index> block_sizes, std::vector<Index> grid = {},
                          std::vector<Index> origin = {}, Order order = Order::fortran);
/// All elements on one process; the others have empty sections.
/// @param rank   of that process in the communicator
/// @param order  how its section lies in memory
TargetLayout on_process(int rank, Order order = Order::c);

}  // namespace layout

/// Describes and allocates an array of the global shape and element type of `a` in another layout,
/// zeroed (`allocate`); copies nothing. Process-local but for a communicator that is new to Daptor
/// (see Comm): asks `comm` for rank and size only.
///
/// Does not throw for its arguments. A layout that does not go with the shape or the number of
/// processes (rules `layout` and, for grids and origins, `argument`), blocks without indices (C05)
/// and what is wrong with `a` are defects of the result, which the first collective call with it
/// throws on all ranks.
/// @param a       gives the global shape and the element type; it needs no memory and is not kept
/// @param layout  how the new array is dealt to the processes; the same on all ranks
/// @param comm    the processes to divide it among, which may be others than those of `a`
/// @returns this process's section, on memory of its own, without padding
DistArray like(const DistArray& a, const TargetLayout& layout, const Comm& comm);

/// Collective over `comm`: a copy of `a` in another layout, in memory of its own, which is freed
/// with the last description, view or native object on it. `like` and then `redistribute`; the way
/// back is `redistribute(copy, a, comm)`. `a` is described on all of `comm` and is not changed.
///
/// Example, a matrix in blocks of rows, dealt in tiles for ScaLAPACK. On two processes with the
/// grid {1, 2}, process 0 gets the even columns of tiles and process 1 the odd ones.
/// \code
/// auto tiles = daptor::redistributed(rows, daptor::layout::block_cyclic({64, 64}, {1, 2}), comm);
/// \endcode
/// @param a       this process's section of the source, with memory
/// @param layout  how the copy is dealt to the processes; the same on all ranks
/// @param comm    the processes that `a` is divided among, over MPI
/// @returns this process's section of the copy: global shape and element type of `a`, no padding
/// @throws Error on all ranks: a defect as of `like`, LibraryFailed (`library.c++`) where a rank
///   lacks the memory, and as `redistribute`
DistArray redistributed(const DistArray& a, const TargetLayout& layout, const Comm& comm);

}  // namespace daptor
