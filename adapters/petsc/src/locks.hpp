// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <petscvec.h>

#include "daptor/adapter/reason.hpp"
#include "daptor/dist_array.hpp"

/// \file
/// Vecs that PETSc refuses to write to, if it enforces its locks.

namespace daptor::petsc::detail {

/// Rule `<prefix>.read-only`: read-only memory, or an object that is to be locked, with a PETSc
/// that does not enforce its locks.
void readonly_reason(const std::string& prefix, const DistArray& array, bool lock_asked,
                     bool trusted, adapter::Reasons& reasons);
/// Whether PETSc refuses to write to a Vec that is locked for reading. Tried once; false while
/// PETSc is not initialized.
bool locks_enforced();
void lock_for_reading(Vec vec);
/// Positive: locked for reading; negative: locked for writing; 0 if locks are not enforced.
int lock_depth(Vec vec);

}  // namespace daptor::petsc::detail
