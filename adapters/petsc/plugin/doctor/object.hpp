// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petsc/private/petscimpl.h>

#include <cstdint>

#include "daptor/petsc/adapter/call.hpp"

/// \file
/// What the doctor asks every PETSc object. Process-local.

namespace daptor::petsc::plugin::doctor {

/// The class of an object; 0 of no object.
inline PetscClassId class_of(PetscObject object) {
  return object == nullptr ? 0 : object->classid;
}

/// The number that PETSc has given to the object, which no other object gets.
inline std::int64_t id_of(PetscObject object) {
  return static_cast<std::int64_t>(object->id);
}

/// The object as the type of its class, which the caller has looked at.
template <class Object>
Object as(PetscObject object) {
  return reinterpret_cast<Object>(object);
}

/// The number of this rank among those of the object.
inline int rank_in(PetscObject object) {
  int rank = 0;
  MPI_Comm_rank(PetscObjectComm(object), &rank);
  return rank;
}

}  // namespace daptor::petsc::plugin::doctor
