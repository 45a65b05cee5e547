// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "daptor/dimension.hpp"

namespace daptor::fft::detail {

/// A division in even blocks on a grid of processes, as far as the choice of stages needs it. Ranks
/// are in row-major order on the grid.
struct Form {
  std::vector<Index> grid;  ///< number of processes along each dimension
  /// Rank 0 has everything, and `grid` is 1 in each dimension.
  bool gathered = false;
  /// Ghosts lie between owned elements on some rank, so that no dimension can be transformed there.
  bool apart = false;

  bool whole(int d) const { return !apart && grid[static_cast<std::size_t>(d)] == 1; }

  friend bool operator==(const Form& a, const Form& b) {
    return a.grid == b.grid && a.gathered == b.gathered && a.apart == b.apart;
  }
};

/// The form in which a set of dimensions is whole and the largest section is smallest.
/// @param whole      which dimensions are whole; not all of them
/// @param shape      global sizes
/// @param processes  number of processes, all of which are on the grid
Form best_form(const std::vector<bool>& whole, const std::vector<Index>& shape, Index processes);

/// Dimensions of one rank's section. A dimension with one process is undistributed.
std::vector<Dimension> dimensions_of(const Form& form, const std::vector<Index>& shape, Index rank,
                                     Index processes);

/// Number of elements of the largest section, as a double, since it serves comparison only.
double largest_section(const Form& form, const std::vector<Index>& shape);

/// How much a copy between two forms costs: about the number of elements that a process packs,
/// sends and unpacks.
double move_cost(const Form& from, const Form& to, const std::vector<Index>& shape,
                 Index processes);

}  // namespace daptor::fft::detail
