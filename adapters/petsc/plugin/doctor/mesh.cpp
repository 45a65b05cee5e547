// SPDX-License-Identifier: BSD-3-Clause
#include "mesh.hpp"

#include "object.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

void (*told_of_move)(DM, Vec, Vec) = nullptr;

PetscErrorCode from_global(DM dm, Vec global, InsertMode, Vec local, void*) {
  if (told_of_move != nullptr) told_of_move(dm, global, local);
  return PetscErrorCode{};
}

PetscErrorCode from_local(DM dm, Vec local, InsertMode, Vec global, void*) {
  if (told_of_move != nullptr) told_of_move(dm, global, local);
  return PetscErrorCode{};
}

}  // namespace

void tell_of_moves(PetscObject dm, void (*told)(DM dm, Vec global, Vec local)) {
  told_of_move = told;
  static_cast<void>(DMGlobalToLocalHookAdd(as<DM>(dm), from_global, nullptr, nullptr));
  static_cast<void>(DMLocalToGlobalHookAdd(as<DM>(dm), from_local, nullptr, nullptr));
}

}  // namespace daptor::petsc::plugin::doctor
