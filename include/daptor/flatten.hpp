// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/dist_array.hpp"

namespace daptor {

/// The array as one dimension on the same memory: `size` is the product of the sizes.
/// Process-local.
///
/// For arrays whose elements already lie in that order on every process: without communication
/// padding, gapless in C order with at most dimension 0 distributed, or gapless in Fortran order
/// with at most the last one; that one a block, the others undistributed. The flat index is the
/// row-major (C order) or column-major (Fortran order) global index.
///
/// Example: three blocks of two components, processes 0 and 1 owning blocks [0, 2) and [2, 3):
/// `{block(3, grid), undistributed(2)}` becomes `{block(6, grid, {0, 4})}` on process 0 and
/// `{block(6, grid, {4, 6})}` on process 1.
///
/// @param array  this process's section; it needs no memory
/// @returns the section as one dimension, which shares the memory and the producer of `array`
/// @throws NotRepresentable on this process, with rule `flatten.order` (gaps, communication
///   padding, neither C nor Fortran order) or `flatten.distribution` (another dimension than the
///   slowest is distributed, or not as a block)
DistArray flatten(const DistArray& array);

/// The way back: `flat`'s memory, described as `like` is. Process-local.
///
/// @param flat  one gapless dimension, whose memory is described
/// @param like  the array whose dimensions, version and order the result has; its memory is not
///              used
/// @throws InvalidArgument on this process, where `flat` is not one gapless dimension of the
///   element type of `like` with as many elements, or `like` has communication padding or gaps
DistArray unflatten(const DistArray& flat, const DistArray& like);

}  // namespace daptor
