// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscpc.h>

#include "daptor/comm.hpp"
#include "daptor/solvers/muelu.hpp"
#include "local_rows_mat.hpp"

namespace daptor::solvers {

/// A PETSc PC of a matrix of its own, applied to bare arrays.
class CoarsePc {
 public:
  /// Collective over `comm`. `null_vectors` is the number of linearly independent vectors that the
  /// matrix is said to make zero; where it does, they are taken out of every solution, and out of
  /// right-hand sides where the transpose makes them zero too. Throws LibraryFailed on all ranks.
  CoarsePc(const LocalRows& rows, const Comm& comm, const CoarseSolver& options,
           PetscInt null_vectors);
  CoarsePc(const CoarsePc&) = delete;
  CoarsePc& operator=(const CoarsePc&) = delete;
  ~CoarsePc();

  /// Collective. Writes the local rows of `x`. Throws LibraryFailed.
  void apply(const PetscScalar* b, PetscScalar* x);
  /// Borrowed.
  PC pc() const { return pc_; }

 private:
  void make(const LocalRows& rows, MPI_Comm comm, const CoarseSolver& options);
  void set_type(const CoarseSolver& options);
  void find_null_space(PetscInt count);
  void require_working(const Comm& comm, PetscInt local_rows);
  void destroy() noexcept;

  unsigned session_ = 0;
  Mat matrix_ = nullptr;
  PC pc_ = nullptr;
  Vec right_side_ = nullptr;
  Vec solution_ = nullptr;
  MatNullSpace null_space_ = nullptr;  ///< null: none, or none that was found
  Vec consistent_ = nullptr;  ///< a right-hand side without the null space; null: taken as it is
};

}  // namespace daptor::solvers
