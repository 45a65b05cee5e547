// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "handle.hpp"
#include "picture.hpp"

/// The inner points of the unit square, divided unequally.
struct Grid {
  DmHandle dm;
  PetscInt points = 0;   ///< along each side
  PetscInt columns = 1;  ///< of processes
  PetscInt rows = 1;
  double spacing = 0;

  /// Of the inner point `i`, counted from 0.
  double coordinate(PetscInt i) const { return (static_cast<double>(i) + 1) * spacing; }
};

/// Collective. Throws DemoError where there are fewer points than processes along a side.
Grid make_grid(PetscInt points);

/// The five-point finite-volume matrix of the plate, scaled by the square of the spacing, the right
/// side that belongs to it, and the temperature that was prescribed.
struct System {
  MatHandle matrix;
  VecHandle right_side, solution, exact;
};
System make_system(const Grid& grid);

/// Which process owns what, for the picture; in units of the grid.
std::vector<OwnedBlock> owned_blocks(const Grid& grid);

/// Collective. `field` on a square raster; complete on rank 0.
std::vector<float> rastered(const Grid& grid, Vec field, int pixels);
