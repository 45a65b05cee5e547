// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/dist_array.hpp"
#include "daptor/fft/box.hpp"

namespace daptor::fft {

/// The tile of a 2-d or 3-d grid that one process owns, in fftMPI's words: the dimension that
/// varies fastest in memory comes first, then, in three dimensions, the middle one, then the
/// slowest.
///
/// Example: of an array of 100 x 200 x 300 in row-major order a process owns rows [0, 50) of the
/// first dimension. `sizes` is (300, 200, 100), `lower` is (0, 0, 0), and `upper` is (299, 199,
/// 49), that is, nfast, nmid, nslow, ilo, jlo, klo and ihi, jhi, khi. \code fft->setup(t.sizes[0],
/// t.sizes[1], t.sizes[2],
///            t.lower[0], t.upper[0], t.lower[1], t.upper[1], t.lower[2], t.upper[2], ...);
/// \endcode
struct Tile {
  std::vector<int> dimensions;  ///< of the array: fast, (mid,) slow; the same on all ranks
  std::vector<int> sizes;       ///< of the grid along them: nfast, (nmid,) nslow
  std::vector<int> lower;       ///< ilo, jlo(, klo): first indices, from 0
  /// ihi, jhi(, khi): last indices, which belong to the tile; `lower` - 1 where it is empty.
  std::vector<int> upper;

  bool empty() const;
  /// The same tile with indices from 1, for fftMPI's Fortran interface.
  Tile one_based() const;
  /// The tile as fftMPI leaves it with `permute`, which changes what varies fastest and not which
  /// indices a process has. 1: mid, slow, fast become fast, mid, slow; 2: slow, fast, mid become
  /// fast, mid, slow; in two dimensions 1 exchanges the two.
  /// @param permute  0, 1, or in three dimensions 2
  /// @throws InvalidArgument (`fft.permute`), on this process, for other numbers
  Tile permuted(int permute) const;
};

/// Collective. The tile of each process. fftMPI's memory begins at `a.owned_data()`.
/// @param a  two or three dimensions of complex elements in blocks, the same memory order on all
///           ranks, without gaps; it needs no memory. For arrays of (real, imaginary) pairs, pass
///           `complex_view(a)`
/// @throws NotRepresentable on all ranks: `fft.ndim`, `fft.type`, `fft.division` ("scattered" rows,
///   or a torus-wrap mapping), `fft.gaps` (padding, strides), `fft.order` (differs between ranks),
///   `fft.index-range` (a size beyond int)
/// @throws Malformed on all ranks, if the sections do not form one array
Tile tile(const DistArray& a);

/// The box of a packed tile, in the order of the array's dimensions. Process-local.
Box box(const Tile& tile);

}  // namespace daptor::fft
