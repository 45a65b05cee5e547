// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The option `-daptor_check`: looks at the objects of a program that knows nothing of Daptor.

namespace daptor::petsc::plugin::doctor {

/// Reads the options, and begins if `-daptor_check` is among them; nothing is set otherwise. Ends
/// with the session of PETSc. Collective over PETSC_COMM_WORLD, in PetscInitialize.
/// @throws InvalidArgument for values that are none of theirs; LibraryFailed
void begin_if_asked();

}  // namespace daptor::petsc::plugin::doctor
