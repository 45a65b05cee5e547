// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <petscvec.h>

#include "daptor/adapter/reason.hpp"
#include "daptor/section.hpp"

/// \file
/// Vecs to which PETSc refuses to write, if it enforces its locks.

namespace daptor::petsc::detail {

/// Rule `<prefix>.readonly`: the memory is read-only, or the object is to be locked, but this PETSc
/// does not enforce its locks.
void readonly_reason(const char* prefix, const Section& array, bool lock_asked, bool trusted,
                     adapter::Reasons& reasons);
/// Whether PETSc refuses to write to a Vec that is locked for reading. The result of one trial;
/// false while PETSc is not initialized.
bool locks_enforced();
void lock_for_reading(Vec vec);
/// Positive if the Vec is locked for reading, negative if it is locked for writing; 0 if locks are
/// not enforced.
int lock_depth(Vec vec);

}  // namespace daptor::petsc::detail
