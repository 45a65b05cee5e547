// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/solvers/types.hpp"

namespace daptor::solvers::plugin {

/// Collective. By which factor ML damps the smoothing of its prolongators less than theory says: 1
/// for symmetric positive definite matrices. ML estimates the largest eigenvalue of D^-1 A (D: the
/// diagonal) by ten steps of conjugate gradients, which overestimate it where the matrix is not
/// symmetric. Its prolongators are then hardly smoothed, and that is what such matrices need where
/// convection dominates. An estimate above the norm of D^-1 A, a bound of all eigenvalues, tells
/// that this is so. The result is norm / estimate, or 0 if there is no estimate, as for indefinite
/// matrices.
double damping_scale(const CrsMatrix& matrix);

}  // namespace daptor::solvers::plugin
