// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include <petscpc.h>

#include <Teuchos_RCP.hpp>

#include "daptor/call.hpp"
#include "daptor/solvers/types.hpp"

namespace daptor::solvers {

/// A Trilinos operator behind a PETSc object, whose callbacks pass it Vecs.
class OperatorShell {
 public:
  enum class Mode { plain, transpose };

  virtual ~OperatorShell() = default;

  virtual bool has_transpose() const = 0;
  virtual PetscInt domain_count() const = 0;
  virtual PetscInt range_count() const = 0;

  /// Computes y = Op x. Called by PETSc, so it does not throw. If a Vec cannot be passed on this
  /// rank, the application still takes place, with NaN, and `pc` (which may be null) is marked as
  /// failed.
  PetscErrorCode apply(Vec x, Vec y, PC pc, Mode mode) noexcept;

 protected:
  /// Returns the memory that was written to.
  virtual const void* apply_on(Vec x, Vec y, Mode mode) = 0;
  /// Takes part in the application with vectors of its own.
  virtual void apply_without(Mode mode) = 0;
};

/// Thrown by `apply_on` for failures on this rank before the operator is called.
struct NotHandedOver {
  std::exception_ptr cause;
};

/// Collective. Common part of `operator_as_mat` and `operator_as_pc`: proves that the operator can
/// be applied to Vecs on the ranks of the call, and wraps it.
std::unique_ptr<OperatorShell> make_operator_shell(const Teuchos::RCP<const Operator>& op,
                                                   Call& call);

/// Collective. Throws InvalidArgument (`matrix.diagonal`) on all ranks for a preconditioner of
/// Ifpack2, or a multigrid of MueLu, that divides by a zero on the diagonal of its matrix and says
/// nothing.
void require_usable(const Operator& op, Call& call);

/// Deletes a shell that PETSc has released, or keeps it if Kokkos has already ended.
void delete_operator_shell(OperatorShell* shell) noexcept;

}  // namespace daptor::solvers
