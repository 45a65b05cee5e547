// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <utility>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/fft/box.hpp"
#include "daptor/fft/tile.hpp"

namespace daptor::fft {

/// Collective over `comm`. Proves that the boxes of all processes tile the grid: every element is
/// in exactly one of them. FFT libraries rely on it, and few examine it; over boxes that overlap or
/// leave a gap they compute wrong values.
///
/// Costs three all-reduces and one exchange. Each process examines an even part of the grid, and
/// gets the boxes that touch it.
/// @param box   this process's; `strides` do not matter
/// @param comm  the processes that have the boxes
/// @throws InvalidArgument on all ranks: `fft.shape` (a grid without dimensions, or too large),
///   `collective.different` (grids differ), `fft.corners` (a corner outside the grid, or below the
///   other one), `fft.overlap`, `fft.coverage` (elements in no box)
void require_tiling(const Box& box, const Comm& comm);

/// \name Describing an array from boxes or tiles
/// Collective over `comm`. The boxes of all processes must tile the grid (`require_tiling`) and be
/// a product of divisions: each dimension is divided once, for all processes alike. Boxes of any
/// other tiling, such as those of recursive bisection, are no distributed array of the protocol;
/// `describe_as_list` takes them. Processes may have empty boxes; they come last along a dimension
/// that is divided, as in slabs of more processes than indices.
/// @param type    element type
/// @param data    this process's first element; may be null where there are none, or for a
///                description without memory
/// @param length  number of elements at `data`
/// @param box, tile  this process's
/// @param comm    the processes that have the boxes
/// @param owner   keeps the memory alive; if it is null, the caller does
/// @returns the array, in blocks, on the same memory and on `comm`
/// @throws NotRepresentable on all ranks: `fft.product`, with the ranks whose boxes do not fit;
///   `fft.empty`, if the processes with empty boxes do not fit on a grid with the others
/// @throws InvalidArgument on all ranks, like `require_tiling`, for strides that are not one for
///   each dimension (`fft.strides`) and for a `length` that is too short (`describe.length`)
/// \{
DistArray describe(const DataType& type, void* data, Index length, const Box& box, const Comm& comm,
                   std::shared_ptr<const void> owner = nullptr);
DistArray describe(const DataType& type, void* data, Index length, const Tile& tile,
                   const Comm& comm, std::shared_ptr<const void> owner = nullptr);
template <class T, class BoxOrTile>
DistArray describe(T* data, Index length, const BoxOrTile& box, const Comm& comm,
                   std::shared_ptr<const void> owner = nullptr) {
  return describe(DataType::of<T>(), data, length, box, comm, std::move(owner));
}
/// \}

}  // namespace daptor::fft
