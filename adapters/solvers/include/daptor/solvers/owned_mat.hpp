// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/petsc/owned_mat.hpp"

namespace daptor::solvers {

/// Owns one reference to a Mat.
using petsc::OwnedMat;

}  // namespace daptor::solvers
