// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "daptor/comm.hpp"

/// \file
/// A description of a file for ParaView, VisIt and other programs that draw.

namespace daptor::hdf5 {

/// A regular grid of three dimensions, in the order of the array's: z, y, x; or of two, z and y.
struct XdmfGrid {
  /// Distance from one point to the next, one for each dimension, greater than 0.
  std::vector<double> spacing;
  /// Place of the first point, one for each dimension. Empty: at 0.
  std::vector<double> origin = {};
  /// The values belong to the cells between the points, of which there is one more in each
  /// dimension; the origin is a corner of the first cell. Otherwise they belong to the points.
  bool cells = false;
};

/// Collective. Writes an XDMF file beside an HDF5 file, `state.xdmf` beside `state.h5`, which shows
/// datasets as fields on a grid. It has no elements, and finds those of the HDF5 file as long as
/// both are in one directory. A file of that name is replaced.
///
/// A dataset has the dimensions of the grid or, if those are three, one more of size 3 for the
/// components of vectors. If the datasets are of steps (`append`), the file shows those that are
/// complete now, at the times that `append` was given as `time`, or else at their numbers; of
/// ParaView's readers it is the one for XDMF 2 that shows steps.
///
/// Example: 4 x 6 values at points with distance 0.5.
/// \code
/// daptor::hdf5::write_xdmf("state.h5", {"temperature"}, {{0.5, 0.5}}, comm);
/// \endcode
/// @param path   the HDF5 file; the same on all ranks, as are the other arguments
/// @param names  one or more datasets of the same shape
/// @param grid   where the values are
/// @param comm   the ranks that make the call; rank 0 reads and writes
/// @returns the path of the file that was written
/// @throws Error on all ranks. InvalidArgument: `hdf5.path`, `hdf5.missing`, `hdf5.access`,
///   `hdf5.foreign`, `hdf5.damaged`, `hdf5.name`, `hdf5.dataset`, `hdf5.format` (see `load`);
///   `hdf5.xdmf`: the datasets do not fit the grid or each other, or have elements that XDMF has
///   not, such as complex numbers; a spacing is not greater than 0, or not finite. LibraryFailed:
///   `hdf5.space`
std::string write_xdmf(const std::string& path, const std::vector<std::string>& names,
                       const XdmfGrid& grid, const Comm& comm);

}  // namespace daptor::hdf5
