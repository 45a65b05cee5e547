// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include <petscpc.h>

namespace daptor::solvers {

/// Vectors in the null space of a singular matrix, found with a solver that accepts the matrix: it
/// divides by the pivots that should be zero, so its solution for almost any right-hand side is
/// such a vector, up to rounding.
class NullVectors {
 public:
  /// Collective over `matrix`. Looks for `count` orthonormal vectors. Throws LibraryFailed on the
  /// ranks where PETSc fails.
  NullVectors(Mat matrix, PC solver, PetscInt count);
  NullVectors(const NullVectors&) = delete;
  NullVectors& operator=(const NullVectors&) = delete;
  ~NullVectors();

  /// Borrowed; `count` vectors, or none if the null space does not have that many.
  const std::vector<Vec>& vectors() const { return vectors_; }
  /// Whether they are also in the null space of the transpose.
  bool of_transpose() const { return of_transpose_; }

 private:
  void find(Mat matrix, PC solver, PetscInt count);
  bool orthonormalize(std::size_t last);
  void clear() noexcept;

  std::vector<Vec> vectors_;
  bool of_transpose_ = false;
};

}  // namespace daptor::solvers
