// SPDX-License-Identifier: BSD-3-Clause
// These functions are documented as part of petscsys.h, but declared in this installed header.
#include <petsc/private/petscimpl.h>

#include "daptor/petsc/adapter/state.hpp"

namespace daptor::petsc::detail {

PetscObjectState object_state(PetscObject object) {
  PetscObjectState state = 0;
  static_cast<void>(PetscObjectStateGet(object, &state));
  return state;
}

void set_object_state(PetscObject object, PetscObjectState state) {
  static_cast<void>(PetscObjectStateSet(object, state));
}

void increase_state(PetscObject object) {
  set_object_state(object, object_state(object) + 1);
}

}  // namespace daptor::petsc::detail
