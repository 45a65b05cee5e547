// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include <daptor/daptor.hpp>

#include "scheme.hpp"

/// The wave equation on arrays that are padded by one row and column of the neighbours' points, in
/// the order that NumPy uses. The exchange of the padding overlaps with the work on the inner
/// points.
class Wave {
 public:
  /// Collective. `points` is the number of points along each side of a square with periodic edges.
  Wave(int points, MPI_Comm comm);

  /// The part that this process owns.
  Box owned() const;
  /// Sets the values of the owned points one step before the start and at the start, row by row.
  void start(const std::vector<PetscScalar>& before, const std::vector<PetscScalar>& now);
  /// Collective.
  void advance(int steps);
  /// Collective. Makes only the exchange that `advance` makes in one step.
  void exchange();
  /// Values of the owned points, row by row.
  std::vector<PetscScalar> values() const;

 private:
  /// Computes one step at the owned points [first_row, end_row) x [first_column, end_column).
  void compute(daptor::Index first_row, daptor::Index end_row, daptor::Index first_column,
               daptor::Index end_column);

  std::array<daptor::DistArray, 3> levels_;  // the previous, the present and the next level
  daptor::HaloExchange halo_;
};
