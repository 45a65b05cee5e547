// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscdmda.h>
#include <petscksp.h>

/// Destroys a PETSc object at the end of its scope.
template <class Object, PetscErrorCode (*destroy)(Object*)>
class Handle {
 public:
  Handle() = default;
  Handle(Handle&& other) noexcept : object_(other.object_) { other.object_ = nullptr; }
  Handle& operator=(Handle&&) = delete;
  ~Handle() { static_cast<void>(destroy(&object_)); }

  operator Object() const { return object_; }
  /// The address at which PETSc stores the new object.
  Object* out() { return &object_; }

 private:
  Object object_ = nullptr;
};

using DmHandle = Handle<DM, DMDestroy>;
using MatHandle = Handle<Mat, MatDestroy>;
using VecHandle = Handle<Vec, VecDestroy>;
using KspHandle = Handle<KSP, KSPDestroy>;
