// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include <petscsys.h>

/// \file
/// For adapters that join PETSc with another library: callbacks that destroy a context.

namespace daptor::petsc::detail {

/// The context that a callback shall destroy, from the callback's argument. Up to PETSc 3.22 this
/// argument is the context. From 3.23 it is the address of PETSc's pointer to the context, of type
/// void** in 3.23 and 3.24 and void* from 3.25. A callback for 3.22 therefore compiles with 3.25
/// too, where it would destroy the pointer itself: the types cannot tell, only the version can.
///
/// For functions that take a PetscCtxDestroyFn* from 3.23, which are MatShellSetContextDestroy and
/// PetscContainerSetCtxDestroy.
template <class Context>
Context* context_to_destroy(void* argument) {
#if PETSC_VERSION_GE(3, 23, 0)
  return static_cast<Context*>(std::exchange(*static_cast<void**>(argument), nullptr));
#else
  return static_cast<Context*>(argument);
#endif
}

}  // namespace daptor::petsc::detail
