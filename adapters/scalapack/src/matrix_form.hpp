// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/scalapack/matrix.hpp"

namespace daptor::scalapack::detail {

/// The matrix of an array against which there are no reasons. Process-local.
MatrixForm form_of(const Section& array, const Grid& grid, Index row_source, Index column_source);

/// The matrix on a process outside of the grid.
MatrixForm form_outside(const Grid& grid, Index rows, Index columns);

}  // namespace daptor::scalapack::detail
