// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "scheme.hpp"

/// A drop that falls into a square pond with periodic edges, and its waves: an exact solution of
/// u_tt = u_xx + u_yy on the unit square.
namespace drop {

/// u at `time` on a part of a grid of `points` x `points`, row by row.
std::vector<PetscScalar> waves(int points, const Box& box, double time);

/// Bound for the error at `time` of the leapfrog scheme that starts from exact values: of second
/// order in the spacing.
double error_bound(int points, double time);

}  // namespace drop
