// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/comm.hpp"
#include "daptor/types.hpp"

namespace daptor::fft::detail {

/// What FFTW-MPI says of the slabs of this process.
struct SlabSizes {
  Index room = 0;      ///< complex numbers that input and output need memory for
  IndexRange rows;     ///< of dimension 0; [size, size) where there are none
  IndexRange columns;  ///< of dimension 1, for a transposed output
};

/// Process-local: FFTW asks for rank and size only.
/// @param shape  global sizes of the complex numbers
/// @throws InvalidArgument (`fft.engine`) without FFTW-MPI
SlabSizes slab_sizes(const std::vector<Index>& shape, const Comm& comm);

}  // namespace daptor::fft::detail
