// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

#include "findings.hpp"

namespace daptor::petsc::detail {

/// Looks at this rank's rows of an AIJ matrix that is assembled: columns that a row has twice or
/// that are not in order, and, if the matrix is square, rows without entries and without an entry
/// on the diagonal. Other matrices have no findings. Process-local.
void look_at_rows(Mat mat, Findings& findings);

}  // namespace daptor::petsc::detail
