// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/section.hpp"

namespace daptor {

/// Describes the array as one dimension on the same memory; its `size` is the product of the sizes.
/// Process-local. That of a DistArray is one on its communicator (dist_array.hpp).
///
/// On every process the elements must already be stored in that order: without communication
/// padding or gaps, in C order with at most dimension 0 distributed, or in Fortran order with at
/// most the last dimension distributed. That dimension must be a block, and the others
/// undistributed. The flat index is the row-major (C order) or column-major (Fortran order) global
/// index.
///
/// Example: three blocks of two components; process 0 owns the blocks [0, 2), process 1 the blocks
/// [2, 3). `{block(3, grid), undistributed(2)}` becomes `{block(6, grid, {0, 4})}` on process 0 and
/// `{block(6, grid, {4, 6})}` on process 1.
///
/// @param array  this process's section; it needs no memory
/// @returns the section as one dimension, which shares the memory and the producer of `array`
/// @throws NotRepresentable on this process, with rule `flatten.order` (gaps, communication
///   padding, neither C nor Fortran order) or `flatten.distribution` (a dimension other than the
///   slowest is distributed, or the slowest is not a block)
Section flatten(const Section& array);

/// The inverse of `flatten`: describes the memory of `flat` with the dimensions of `like`.
/// Process-local.
///
/// @param flat  one dimension without gaps
/// @param like  the array whose dimensions, version and order the result has; its memory is not
///              used
/// @throws InvalidArgument on this process, if `flat` is not one dimension without gaps that has
///   the element type of `like` and, on this process and on all of them, as many elements, or if
///   `like` has communication padding or gaps
Section unflatten(const Section& flat, const Section& like);

}  // namespace daptor
