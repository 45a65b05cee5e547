// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include <gacommon.h>

#include "daptor/dimension.hpp"
#include "daptor/types.hpp"
#include "division.hpp"

namespace daptor::ga::detail {

/// One number for each dimension, the last ones unused. Fixed size, so that it never allocates
/// between two collective calls.
using PerDimension = std::array<Index, GA_MAX_DIM>;

/// Where the processes of a group are on a grid that GA may not have filled.
struct Placement {
  bool all = true;         ///< of the group have a section
  PerDimension grid = {};  ///< of the processes with a section; 1 behind the last dimension
};

/// How many processes GA's grid has places for, which are those with elements.
Index filled_places(const Division& division);

/// On the processes with elements alone.
Placement place_some(const Division& division);

/// On all processes, if the grid can be lengthened by those without elements, which come last; in
/// the first dimension in which this is possible. Else as `place_some`.
/// Example: an array of 3 indices on 4 processes has the grid 3, lengthened to 4.
Placement place_all(const Division& division);

/// The dimensions of this process's section.
/// @param ghosts  the widths of the ghost cells, which are the same on all processes
std::vector<Dimension> dimensions_of(const Division& division, const Placement& placement,
                                     const PerDimension& ghosts);

}  // namespace daptor::ga::detail
