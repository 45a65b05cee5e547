// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscpc.h>

#include "daptor/call.hpp"
#include "daptor/solvers/muelu.hpp"
#include "local_rows_mat.hpp"

namespace daptor::solvers {

/// A PETSc PC with a matrix of its own, applied to plain arrays.
class CoarsePc {
 public:
  /// Collective over the ranks of the call. Each row has an entry on the diagonal, though it be
  /// zero: PETSc's factorizations ask for one. Where there are zeros on the diagonal, PETSc's LU
  /// takes the rows in another order, because it would otherwise replace pivots that are zero, and
  /// solve for something else without a word; a factorization that then still does not solve is
  /// refused
  /// (`library.petsc`). `null_vectors` is the stated dimension of the matrix's null space; if
  /// the matrix has it, its vectors are removed from every solution, and also from right-hand sides
  /// if they are in the null space of the transpose. Throws LibraryFailed on all ranks.
  CoarsePc(const LocalRows& rows, const CoarseSolver& options, PetscInt null_vectors, Call& call);
  CoarsePc(const CoarsePc&) = delete;
  CoarsePc& operator=(const CoarsePc&) = delete;
  ~CoarsePc();

  /// Collective. Writes the local rows of `x`. Throws LibraryFailed.
  void apply(const PetscScalar* b, PetscScalar* x);
  /// A borrowed reference.
  PC pc() const { return pc_; }

 private:
  void make(const LocalRows& rows, MPI_Comm comm, const CoarseSolver& options, bool reorder);
  PC factorization() const;
  void set_type(const CoarseSolver& options);
  void find_null_space(PetscInt count);
  void require_working(PetscInt local_rows, Call& call);
  PetscReal residual() const;
  void require_solving(Call& call);
  void destroy() noexcept;

  unsigned session_ = 0;
  Mat matrix_ = nullptr;
  PC pc_ = nullptr;
  Vec right_side_ = nullptr;
  Vec solution_ = nullptr;
  MatNullSpace null_space_ = nullptr;  ///< null: the matrix has none, or none was found
  /// a right-hand side without its part in the null space; null: right-hand sides are used as they
  /// are
  Vec consistent_ = nullptr;
};

}  // namespace daptor::solvers
