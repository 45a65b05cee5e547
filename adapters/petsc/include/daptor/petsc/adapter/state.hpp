// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscsys.h>

/// \file
/// For adapters that join PETSc with another library: access to what PETSc has cached about an
/// object.

namespace daptor::petsc::detail {

/// Invalidates values that PETSc has cached about the object, such as norms. Logically collective.
void increase_state(PetscObject object);

}  // namespace daptor::petsc::detail
