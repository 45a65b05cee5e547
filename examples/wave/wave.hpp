// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include <daptor/daptor.hpp>

#include "scheme.hpp"

/// The wave equation on arrays that are padded by one row and column of the neighbours' points and
/// ordered as NumPy orders them. The exchange of the padding goes on behind the work on the inner
/// points.
class Wave {
 public:
  /// Collective. `points` along each side of a square with periodic edges.
  Wave(int points, MPI_Comm comm);

  /// Owned by this process.
  Box owned() const;
  /// Values of the owned points one step before the start and at it, row by row.
  void start(const std::vector<PetscScalar>& before, const std::vector<PetscScalar>& now);
  /// Collective.
  void advance(int steps);
  /// Collective. What `advance` exchanges in one step, alone.
  void exchange();
  /// Of the owned points, row by row.
  std::vector<PetscScalar> values() const;

 private:
  /// One step at the owned points [first_row, end_row) x [first_column, end_column).
  void compute(daptor::Index first_row, daptor::Index end_row, daptor::Index first_column,
               daptor::Index end_column);

  std::array<daptor::DistArray, 3> levels_;  // before, now, next
  daptor::HaloExchange halo_;
};
