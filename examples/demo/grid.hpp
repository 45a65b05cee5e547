// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "handle.hpp"
#include "picture.hpp"

/// The inner points of the unit square, divided unequally.
struct Grid {
  DmHandle dm;
  PetscInt points = 0;   ///< number of points along each side
  PetscInt columns = 1;  ///< number of columns of processes
  PetscInt rows = 1;
  double spacing = 0;

  /// Coordinate of the inner point `i`, counted from 0.
  double coordinate(PetscInt i) const { return (static_cast<double>(i) + 1) * spacing; }
};

/// Collective. Throws DemoError if a side has fewer points than processes.
Grid make_grid(PetscInt points);

/// The five-point finite-volume matrix of the plate, scaled by the square of the spacing, the
/// right-hand side, and the prescribed temperature.
struct System {
  MatHandle matrix;
  VecHandle right_side, solution, exact;
};
System make_system(const Grid& grid);

/// The block that each process owns, for the picture, in units of the grid.
std::vector<OwnedBlock> owned_blocks(const Grid& grid);

/// Collective. The field on a square raster; complete on rank 0.
std::vector<float> rastered(const Grid& grid, Vec field, int pixels);
