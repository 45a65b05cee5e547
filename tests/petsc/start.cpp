// SPDX-License-Identifier: BSD-3-Clause
#include "start.hpp"

#include <petscsys.h>

namespace daptor::test {

int with_petsc(int& argc, char**& argv, const Run& run) {
  // Leaves crashes to the debugger or the sanitizer, not to PETSc's own handler.
  PetscOptionsSetValue(nullptr, "-no_signal_handler", nullptr);
  if (PetscInitialize(&argc, &argv, nullptr, nullptr) != 0) return 1;
  const int status = run();
  return PetscFinalize() != 0 ? 1 : status;
}

}  // namespace daptor::test
