// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include <petscpc.h>

#include <Teuchos_RCP.hpp>

#include "daptor/comm.hpp"
#include "daptor/solvers/types.hpp"

namespace daptor::solvers {

/// A Trilinos operator behind a PETSc object that calls back into it with Vecs.
class OperatorShell {
 public:
  enum class Mode { plain, transpose };

  virtual ~OperatorShell() = default;

  virtual bool has_transpose() const = 0;
  virtual PetscInt domain_count() const = 0;
  virtual PetscInt range_count() const = 0;

  /// y = Op x. Called by PETSc: nothing is thrown. Where handing over a Vec fails on this rank, the
  /// application still takes place, with NaN, and `pc` (may be null) is marked as failed.
  PetscErrorCode apply(Vec x, Vec y, PC pc, Mode mode) noexcept;

 protected:
  /// The memory that was written.
  virtual const void* apply_on(Vec x, Vec y, Mode mode) = 0;
  /// Takes part in the application with vectors of its own.
  virtual void apply_without(Mode mode) = 0;
};

/// Thrown by `apply_on` for what fails before the operator is called on this rank.
struct NotHandedOver {
  std::exception_ptr cause;
};

/// Collective over `comm`. What `operator_as_mat` and `operator_as_pc` have in common: proves that
/// the operator can be applied to Vecs on `comm`, and wraps it.
std::unique_ptr<OperatorShell> make_operator_shell(const Teuchos::RCP<const Operator>& op,
                                                   const Comm& comm);

/// Deletes a shell that PETSc has let go, or keeps it where Kokkos has ended before.
void delete_operator_shell(OperatorShell* shell) noexcept;

}  // namespace daptor::solvers
