// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscsys.h>

/// \file
/// For adapters that join PETSc with another library: access to what PETSc has cached about an
/// object.

namespace daptor::petsc::detail {

/// Invalidates values that PETSc has cached about the object, such as norms. Logically collective.
void increase_state(PetscObject object);
/// \name The number by which PETSc knows whether cached values still hold. Process-local.
/// \{
PetscObjectState object_state(PetscObject object);
void set_object_state(PetscObject object, PetscObjectState state);
/// \}

}  // namespace daptor::petsc::detail
