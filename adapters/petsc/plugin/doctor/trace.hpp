// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The option `-daptor_check_trace`: writes fingerprints of a program's objects, which
/// `daptor compare` compares with those of another run.

namespace daptor::petsc::plugin::doctor {

/// Reads the options, and begins if `-daptor_check_trace` is among them; nothing is set otherwise.
/// Ends with the session of PETSc. Collective over PETSC_COMM_WORLD, in PetscInitialize.
/// @throws InvalidArgument for values that are none of theirs, and a file that cannot be written;
///   LibraryFailed
void begin_trace_if_asked();

}  // namespace daptor::petsc::plugin::doctor
