// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/explain.hpp"

/// \file
/// PETSc's targets, each in a file of its own.

namespace daptor::petsc::detail {

Target dmda_target();
Target dmda_local_target();
Target dense_target();
Target scalapack_target();

}  // namespace daptor::petsc::detail
