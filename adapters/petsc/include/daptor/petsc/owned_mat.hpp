// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

#include "daptor/petsc/config.hpp"

namespace daptor::petsc {

/// Owns one reference of a Mat. Move-only. The last release of a Mat is collective in PETSc, and
/// `close()` does it explicitly; after PetscFinalize the destructor leaves PETSc alone.
class OwnedMat {
 public:
  /// Holds no Mat; `get()` is null.
  OwnedMat() = default;
  /// Takes over the caller's reference.
  /// @param mat  a Mat of the running PETSc session, or null
  explicit OwnedMat(Mat mat);
  OwnedMat(OwnedMat&& other) noexcept;
  OwnedMat& operator=(OwnedMat&& other) noexcept;
  ~OwnedMat();

  explicit operator bool() const { return mat_ != nullptr; }
  Mat get() const { return mat_; }
  /// Collective where it is the last reference. Does nothing the second time. Throws Finalized
  /// after PetscFinalize.
  void close();

 private:
  Mat mat_ = nullptr;
  unsigned session_ = 0;
};

}  // namespace daptor::petsc
