// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>

#include "daptor/dist_array.hpp"
#include "daptor/fields.hpp"

namespace daptor::fft {

/// How a dimension of n indices is divided among p processes.
enum class Division { even, ceiling };
constexpr auto words(Division) {
  return word_list(word("even", Division::even,
                        "the first n % p processes have one index more: oneMKL's slabs, and "
                        "Daptor's even blocks"),
                   word("ceiling", Division::ceiling,
                        "ceil(n / p) each, and the last ones what is left: FFTW-MPI's slabs of two "
                        "dimensions and more"));
}

/// The indices of one process. Process-local.
/// @param size      number of indices of the dimension
/// @param grid      number of processes, and this one
/// @param division  how the library divides
/// @returns [size, size) for a process without indices
IndexRange divided(Index size, GridPosition grid, Division division);

/// A division along one dimension: what oneMKL's distributed DFT and FFTW-MPI have built in.
struct Slab {
  int dimension = 0;  ///< the dimension that is divided
  Index start = 0;    ///< first index of this process; the size if it has none (FFTW-MPI says 0)
  Index count = 0;    ///< number of indices of this process
  /// From one row of the last dimension to the next, in elements: its size, or 2 * (size / 2 + 1)
  /// in an array of real numbers with room for its spectrum (see RealAndSpectrum).
  Index row_pitch = 0;

  friend bool operator==(const Slab& a, const Slab& b);
  friend bool operator!=(const Slab& a, const Slab& b) { return !(a == b); }
};

std::ostream& operator<<(std::ostream& out, const Slab& slab);

/// Collective. The slab of each process.
/// @param a         at least one dimension, row-major order, only one dimension divided, in the
///                  order of the ranks, no padding; it needs no memory
/// @param division  how the library divides; the same on all ranks
/// @throws NotRepresentable on all ranks: `fft.type`, `fft.division`, `fft.slab` (a grid in several
///   dimensions, other blocks, ranks in another order), `fft.order` (not row-major), `fft.gaps`
/// @throws Malformed on all ranks, if the sections do not form one array
/// @throws InvalidArgument on all ranks: `collective.different` (another division on some ranks)
Slab slab(const DistArray& a, Division division = Division::even);

}  // namespace daptor::fft
