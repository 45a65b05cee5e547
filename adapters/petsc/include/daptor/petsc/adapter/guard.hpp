// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include <petscdm.h>
#include <petscis.h>
#include <petscksp.h>
#include <petscmat.h>
#include <petscvec.h>

#include "daptor/petsc/adapter/call.hpp"

/// \file
/// For adapters that join PETSc with another library: guards of native handles that are not
/// finished yet.

namespace daptor::petsc::detail {

inline PetscErrorCode destroy_object(Vec* vec) {
  return VecDestroy(vec);
}
inline PetscErrorCode destroy_object(Mat* mat) {
  return MatDestroy(mat);
}
inline PetscErrorCode destroy_object(IS* indices) {
  return ISDestroy(indices);
}
inline PetscErrorCode destroy_object(VecScatter* scatter) {
  return VecScatterDestroy(scatter);
}
inline PetscErrorCode destroy_object(DM* dm) {
  return DMDestroy(dm);
}
inline PetscErrorCode destroy_object(PC* pc) {
  return PCDestroy(pc);
}
inline PetscErrorCode destroy_object(KSP* ksp) {
  return KSPDestroy(ksp);
}

/// Destroys a new object that could not be finished. All ranks do this, because they have agreed on
/// the failure.
template <class Object>
class Guard {
 public:
  explicit Guard(Object object = nullptr) : object_(object) {}
  Guard(Guard&& other) noexcept : object_(other.release()) {}
  Guard& operator=(Guard&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Guard() {
    if (object_ == nullptr) return;
    const QuietErrors quiet;
    static_cast<void>(destroy_object(&object_));
  }
  Object get() const { return object_; }
  /// The address at which a PETSc function stores the new object.
  Object* out() { return &object_; }
  /// Passes the object to the caller, who must destroy it.
  Object release() { return std::exchange(object_, nullptr); }

 private:
  Object object_;
};

}  // namespace daptor::petsc::detail
