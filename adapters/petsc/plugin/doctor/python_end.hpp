// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor::petsc::plugin::doctor {

/// Has `told` called when a program of Python begins to end, before what was registered earlier
/// with its module `atexit`: petsc4py then collects garbage on all ranks together, and finalizes
/// PETSc. Process-local. Does nothing in other programs, and after the first time.
/// @param told  must not throw
void before_python_ends(void (*told)());

}  // namespace daptor::petsc::plugin::doctor
