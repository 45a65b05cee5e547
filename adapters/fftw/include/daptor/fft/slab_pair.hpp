// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"

namespace daptor::fft {

/// Input and output for FFTW-MPI in place.
struct SlabPair {
  DistArray input;   ///< row-major slabs of dimension 0, in FFTW's blocks of ceil(size / processes)
  DistArray output;  ///< the same memory
  Index capacity = 0;  ///< for TransformOptions::capacity
};

/// Collective over `comm`. Allocates memory in which FFTW-MPI can transform, zeroed.
/// @param type    float32, float64, complex64 or complex128: the elements of the input. Real
///                numbers and their spectrum are described as in RealAndSpectrum
/// @param shape   global sizes, two or more dimensions
/// @param comm    the processes among which to divide it, over MPI; both arrays are on it
/// @param transposed  for complex numbers: the output is divided along dimension 1, and dimension 1
///                    varies slower in memory than dimension 0, which saves FFTW half of the way
/// @throws InvalidArgument on all ranks: `fft.type`, `fft.shape`, `collective.different`
///   (arguments differ between ranks); NotRepresentable (`fft.engine`) if Daptor was built without
///   FFTW-MPI
SlabPair allocate_slabs(const DataType& type, const IndexVector& shape, const Comm& comm,
                        bool transposed = false);
template <class T>
SlabPair allocate_slabs(const IndexVector& shape, const Comm& comm, bool transposed = false) {
  return allocate_slabs(DataType::of<T>(), shape, comm, transposed);
}

}  // namespace daptor::fft
