// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "daptor/dist_array.hpp"
#include "daptor/redistribute.hpp"

/// \file
/// Layouts into which an array can be copied. Those in namespace `layout` only describe a layout;
/// `like` and `redistributed` make the array.

namespace daptor {

/// How an array of any global shape is distributed over the processes of a communicator, and which
/// of its dimensions varies fastest in memory. The layouts below suffice for most purposes; for any
/// other layout write a function.
struct TargetLayout {
  /// The dimensions of one rank's section; their global sizes are given. Process-local: it must not
  /// communicate. `rank` is in [0, ranks). What it throws becomes a defect of the array (see
  /// `like`).
  std::function<std::vector<Dimension>(const std::vector<Index>& global_shape, int rank, int ranks)>
      dimensions;
  Order order = Order::c;  ///< of each section's memory, which has no gaps
};

/// Each of these functions describes a layout and makes no array: process-local, without
/// communication or checks. `like` and `redistributed` judge whether it fits an array and a number
/// of processes. Ranks are placed on the process grid in row-major order, and no layout has
/// padding.
namespace layout {

/// Even blocks of whole rows of dimension 0, in C order: rank after rank, the elements are in the
/// array's row-major order, as one process would store them. An array without dimensions is
/// refused.
TargetLayout natural();
/// Even blocks along one dimension; the others are undistributed (slabs; pencils of a 2-d array).
/// The first processes have one index more if the size is not divisible by their number.
/// @param dimension  the dimension to divide, in [0, ndim)
/// @param order      memory order of each section
TargetLayout slab(int dimension, Order order = Order::c);
/// Even blocks on a process grid (pencils, bricks). A dimension with one process is undistributed.
/// @param grid   number of processes along each dimension, 0 where MPI_Dims_create is to choose; if
///               empty, it chooses all. Their product must be the number of processes
/// @param order  memory order of each section
TargetLayout blocks(IndexVector grid = {}, Order order = Order::c);
/// Blocks dealt in turn to the processes of each dimension, as in ScaLAPACK.
/// @param block_sizes  number of global indices in a block, for each dimension, at least 1
/// @param grid         see `blocks`
/// @param origin       grid rank that has the first block, for each dimension; if empty, 0
/// @param order        memory order of each section; ScaLAPACK needs Fortran order
TargetLayout block_cyclic(IndexVector block_sizes, IndexVector grid = {}, IndexVector origin = {},
                          Order order = Order::fortran);
/// All elements on one process; the others have empty sections.
/// @param owner  rank of that process in the communicator
/// @param order  memory order of its section
TargetLayout on_process(int owner, Order order = Order::c);

}  // namespace layout

/// Describes and allocates an array of the global shape and element type of `a` in another layout
/// over the same ranks, zeroed (`allocate`); copies nothing. Process-local. For an array on other
/// ranks, pass `a.on(comm)`: only rank and size matter.
///
/// Does not throw because of its arguments. A layout that does not fit the shape or the number of
/// processes (rules `layout` and, for grids and origins, `argument`), blocks without indices (C05),
/// and what is wrong with `a` are defects of the result. The first collective call with it throws
/// them on all ranks.
/// @param a       gives the global shape and the element type; it needs no memory and is not kept
/// @param layout  how the new array is distributed; the same on all ranks
/// @returns an array on memory of its own, without padding
DistArray like(const DistArray& a, const TargetLayout& layout);

/// Collective. Copies `a` to another layout, on new memory that is freed with the last description,
/// view or native object on it: `like`, then `redistribute`. To copy back, call
/// `redistribute(copy, a)`. `a` is not changed.
///
/// Example: a matrix in blocks of rows is dealt in tiles for ScaLAPACK. On two processes with the
/// grid {1, 2}, process 0 gets the even columns of tiles, and process 1 the odd ones.
/// \code
/// auto tiles = daptor::redistributed(rows, daptor::layout::block_cyclic({64, 64}, {1, 2}));
/// \endcode
/// @param a       the source, with memory
/// @param layout  how the copy is distributed; the same on all ranks
/// @param options see `redistribute`; the copy has no padding to fill
/// @returns the copy: global shape and element type of `a`, no padding
/// @throws Error on all ranks: a defect like those of `like`, LibraryFailed (`library.c++`) if a
///   rank runs out of memory, and the errors of `redistribute`
DistArray redistributed(const DistArray& a, const TargetLayout& layout,
                        const RedistributionOptions& options = {});

}  // namespace daptor
