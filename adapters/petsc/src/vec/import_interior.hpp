// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/call.hpp"
#include "daptor/petsc/vec.hpp"

namespace daptor::petsc::detail {

/// Collective. The interior of the array as a Vec. Ranks that have not set the option learn of it
/// in the first check of the call.
ImportedVec import_interior(const DistArray& array, VecOptions options, Call& call);

/// Throws InvalidArgument for the option with a Vec of the whole section.
void require_no_interior(const VecOptions& options);

}  // namespace daptor::petsc::detail
