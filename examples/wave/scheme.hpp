// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscsys.h>

#include <cstdint>

/// A part of the grid: points along each side count from 0, rows upwards.
struct Box {
  std::int64_t first_row = 0, first_column = 0;
  std::int64_t rows = 0, columns = 0;
};

/// c dt / h; the scheme is stable below 0.707.
inline constexpr double courant = 0.5;

/// One leapfrog step of u_tt = c^2 (u_xx + u_yy) at one point, with the five-point stencil.
inline PetscScalar leapfrog(PetscScalar before, PetscScalar now, PetscScalar south,
                            PetscScalar west, PetscScalar east, PetscScalar north) {
  return 2.0 * now - before + courant * courant * (south + west + east + north - 4.0 * now);
}
