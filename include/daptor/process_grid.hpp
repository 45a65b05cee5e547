// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/comm.hpp"
#include "daptor/index_vector.hpp"
#include "daptor/types.hpp"

/// \file
/// Places the processes of a communicator on a grid.

namespace daptor {

/// A grid of processes, and the position of this process on it; one entry for each dimension.
struct ProcessGrid {
  std::vector<Index> sizes;     ///< number of processes along each dimension
  std::vector<Index> position;  ///< of this process, each in [0, sizes[d])
  std::vector<bool> periodic;   ///< whether the last and the first process are neighbours
  bool cartesian = false;       ///< whether a Cartesian communicator says so
};

/// Computes the number of processes along each dimension for a number of processes that has no grid
/// of its own. Process-local; the same arguments give the same result on every process.
/// @param ndim           number of dimensions of the array; 0 requires one process
/// @param process_count  processes to place on the grid, at least 1
/// @param grid           number of processes along each dimension, 0 where MPI_Dims_create is to
///                       choose; if empty, it chooses all
/// @returns `ndim` numbers, whose product is `process_count`
/// @throws InvalidArgument if the numbers do not divide the number of processes, or if MPI must
///   choose a number and is not running
std::vector<Index> block_grid(int ndim, int process_count, const IndexVector& grid = {});

/// Computes the coordinates of a rank on a grid in row-major order, where the last coordinate
/// varies fastest (D20). Process-local.
/// @param grid  processes along each dimension, at least 1
/// @param rank  in [0, product of `grid`)
/// @returns one coordinate for each dimension of `grid`
/// @throws InvalidArgument for a rank outside the grid, and for a dimension without processes
std::vector<Index> grid_coordinates(const IndexVector& grid, Index rank);

/// The grid on which the processes of `comm` divide an array. Process-local.
///
/// A Cartesian communicator (MPI_Cart_create) has one: its dims, periods and coordinates are taken,
/// also if its processes were reordered. The array has as many dimensions, or more of which `grid`
/// gives the others one process each, such as components; what is given must not contradict the
/// communicator. An array of fewer dimensions is divided over a Cartesian communicator only if
/// `grid` is written out, and its processes are then taken in the order of their ranks.
///
/// On any other communicator the grid is `block_grid`'s, and ranks are on it in row-major order.
/// \code
/// // dims {2, 3}, periods {0, 1}, six processes: {2, 3, 1}, periodic in dimension 1
/// const auto on = daptor::process_grid(3, cart, {0, 0, 1});
/// \endcode
/// @param ndim      number of dimensions of the array
/// @param comm      the processes
/// @param grid      number of processes along each dimension, 0 where it is open; if empty, all are
/// @param periodic  one flag for each dimension; if empty, the Cartesian communicator's, or none
/// @throws InvalidArgument (`grid`, `periodic`) for a wrong number of entries, a grid that does not
///   have as many positions as there are processes, and what contradicts a Cartesian communicator:
///   the same on all ranks if the arguments are
ProcessGrid process_grid(int ndim, const Comm& comm, const IndexVector& grid = {},
                         const FlagVector& periodic = {});

}  // namespace daptor
