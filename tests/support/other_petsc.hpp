// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Makes PETSc say, on the last rank, that it is of another version than its headers. For one source
// of a program.

#include <petscsys.h>

#include "world.hpp"

namespace daptor::test {

/// The minor version of PETSc, by its own word, on this rank.
inline int petsc_minor() {
  return PETSC_VERSION_MINOR + (world_rank() == world_size() - 1 ? 70 : 0);
}

/// Whether PETSc is a release, by its own word.
inline int petsc_release = PETSC_VERSION_RELEASE;

}  // namespace daptor::test

// Takes the place of PETSc's own.
PetscErrorCode PetscGetVersionNumber(PetscInt* major, PetscInt* minor, PetscInt* subminor,
                                     PetscInt* release) {
  if (major != nullptr) *major = PETSC_VERSION_MAJOR;
  if (minor != nullptr) *minor = daptor::test::petsc_minor();
  if (subminor != nullptr) *subminor = PETSC_VERSION_SUBMINOR;
  if (release != nullptr) *release = daptor::test::petsc_release;
  return PetscErrorCode{};
}
