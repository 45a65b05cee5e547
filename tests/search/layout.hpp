// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "daptor/types.hpp"
#include "random.hpp"

namespace daptor::search {

/// The part of a dimension at one grid rank.
struct Part {
  Index start = 0, stop = 0;        ///< owned range, for 'n' and 'b'; `start` also for 'c'
  Padding communication, boundary;  ///< for 'n' and 'b'
  std::vector<Index> indices;       ///< for 'u'
  Index extent = 0;                 ///< of the section
  bool key = false;                 ///< whether it has a padding key
};

struct Axis {
  char type = 'n';
  Index size = 0;
  Index processes = 1;
  bool periodic = false;
  bool one_to_one = false;
  Index block_size = 1;
  /// One or more sets of parts, by grid rank. The other coordinates of a process determine which
  /// set it has; sets differ in padding only.
  std::vector<std::vector<Part>> variants;
};

/// A legal array, before it is written in the terms of its version.
struct Layout {
  bool v0_10 = false;
  std::vector<Axis> axes;
  /// Grid coordinates of each rank.
  std::vector<std::vector<Index>> seats;

  const Part& part(int rank, std::size_t d) const;
};

/// Any legal array on 1 to 12 ranks with 0 to 5 dimensions. It may give warnings, but never an
/// error.
Layout random_layout(Random& random);

}  // namespace daptor::search
