// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

#include "daptor/detail/refused.hpp"
#include "daptor/petsc/config.hpp"

namespace daptor::petsc {

/// Owns one reference to a Mat. Move-only. The last release of a Mat is collective in PETSc;
/// `close()` does it explicitly. After PetscFinalize the destructor leaves PETSc alone.
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
  Mat get() const& { return mat_; }
  /// Not of a temporary, which destroys the Mat at the end of the statement.
  template <class T = Mat>
  Mat get() && {
    static_assert(daptor::detail::never<T>,
                  "get() of a temporary, which destroys the Mat at once: keep what owns it in a "
                  "variable, auto A = copy_csr(a), and call A.get()");
    return mat_;
  }
  /// Collective if this is the last reference. A second call has no effect. Throws Finalized after
  /// PetscFinalize.
  void close();

 private:
  Mat mat_ = nullptr;
  unsigned session_ = 0;
};

}  // namespace daptor::petsc
