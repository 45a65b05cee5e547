// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/adapter/reason.hpp"
#include "daptor/dist_array.hpp"

namespace daptor::petsc::detail {

/// Whether PETSc's vectors for a Mat of type `scalapack` can have this size: all processes but the
/// last one have as many elements.
bool fits_vectors(Index size, int process_count);

/// The reasons why this section cannot be the local part of a Mat of type `scalapack`, whatever
/// grid PETSc has. Does not throw for any array.
adapter::Reasons scalapack_reasons(const Section& array, int process_count);

/// Process-local. Throws NotRepresentable (`petsc.scalapack.rank-order`) where this process is not
/// where PETSc's row-major order of the ranks has it. Of an array against which there are no
/// reasons.
void require_row_major(const DistArray& array);

}  // namespace daptor::petsc::detail
