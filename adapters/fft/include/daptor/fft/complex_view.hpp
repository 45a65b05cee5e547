// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/dist_array.hpp"

namespace daptor::fft {

/// Describes pairs of real numbers as complex numbers, on the same memory. Process-local. The pairs
/// are an undistributed last dimension of size 2 (`double grid[100][200][2]`), which is left out,
/// or lie in the dimension that varies fastest (`double grid[100][400]`), which is halved. A
/// section without elements is taken as row-major, so column-major arrays with such sections need
/// the first form. An array of complex numbers is returned as it is.
///
/// Does not throw: an array without such pairs, or a section that begins or ends in the middle of
/// one, has the defect `fft.pairs`, which the first collective call throws on all ranks.
/// @param a  this process's section, of float32 or float64; without communication padding in the
///           dimension of the pairs
/// @returns the same section, of complex64 or complex128
Section complex_view(const Section& a);
/// The same of an array, on its communicator.
DistArray complex_view(const DistArray& a);

}  // namespace daptor::fft
