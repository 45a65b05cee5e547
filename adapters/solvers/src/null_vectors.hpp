// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include <petscpc.h>

namespace daptor::solvers {

/// Vectors that a singular matrix makes zero, found with a solver for it: what a solver that stands
/// the matrix makes of almost any right-hand side is, but for rounding, such a vector, because it
/// divides by the pivots that should be zero.
class NullVectors {
 public:
  /// Collective over `matrix`. Looks for `count` vectors, orthonormal. Throws LibraryFailed on the
  /// ranks where PETSc fails.
  NullVectors(Mat matrix, PC solver, PetscInt count);
  NullVectors(const NullVectors&) = delete;
  NullVectors& operator=(const NullVectors&) = delete;
  ~NullVectors();

  /// Borrowed; `count` of them, or none where the matrix does not make that many zero.
  const std::vector<Vec>& vectors() const { return vectors_; }
  /// The transpose makes them zero, too.
  bool of_transpose() const { return of_transpose_; }

 private:
  void find(Mat matrix, PC solver, PetscInt count);
  bool orthonormalize(std::size_t last);
  void clear() noexcept;

  std::vector<Vec> vectors_;
  bool of_transpose_ = false;
};

}  // namespace daptor::solvers
