// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The options of the doctor, as `-help` lists them.

namespace daptor::petsc::plugin::doctor {

/// Prints the options and what they mean, as PETSc prints its own, if the program runs with
/// `-help`. Collective over PETSC_COMM_WORLD.
void print_help_if_asked();

}  // namespace daptor::petsc::plugin::doctor
