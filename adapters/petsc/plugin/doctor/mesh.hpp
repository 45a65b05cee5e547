// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscdm.h>

namespace daptor::petsc::plugin::doctor {

/// Tells of each move between a global and a local Vec of this DM, in which all its ranks take
/// part, and which most DMs log without their Vecs. Process-local.
/// @param told  gets the DM, the global and the local Vec
void tell_of_moves(PetscObject dm, void (*told)(DM dm, Vec global, Vec local));

}  // namespace daptor::petsc::plugin::doctor
