// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <vector>

#include "daptor/dist_array.hpp"
#include "daptor/types.hpp"

/// \file
/// Numbers by which the elements of an array in one run are compared with those in another, on
/// another number of ranks.

namespace daptor {

/// An extreme element.
struct Extreme {
  double value = 0;
  std::vector<Index> place;  ///< global indices, of the first one that has this value
};

/// What a distributed array holds, in a few numbers that do not depend on how it is distributed,
/// but for rounding: sums have an error of less than 64 epsilon `magnitudes`, since the elements
/// are added up in blocks, and the blocks with what their rounding has lost.
///
/// Example: 3 1 4 1 on one rank, and 3 1 | 4 1 on two ranks, both have the sum 9, the norm
/// 5.196, and their greatest element 4 at index 2.
struct Fingerprint {
  Index count = 0;       ///< number of elements
  Index not_finite = 0;  ///< those that are NaN or infinite, which all numbers below leave out
  std::complex<double> sum;
  double magnitudes = 0;       ///< the sum of the absolute values
  double norm = 0;             ///< the root of the sum of their squares
  std::complex<double> mixed;  ///< the sum of the elements times numbers between -1 and 1, which
                               ///< depend on the index alone: it tells elements in other places
  Extreme least, greatest;     ///< of the real parts
  Extreme largest;             ///< of the absolute values
};

/// Collective. The fingerprint of an array, the same on all ranks. Elements count as in sums
/// (`daptor/reductions.hpp`): each index of the interior once. Numbers of any type are taken as
/// double precision.
/// @throws what `daptor::sum` throws, on all ranks
Fingerprint fingerprint(const DistArray& array);

}  // namespace daptor
